/* Levels of C recursion: what calls from C cost that the interpreter would have made by itself. */
#ifndef FRAMEJIT_LEVELS_H
#define FRAMEJIT_LEVELS_H

#include "interp.h"

#if defined(FJ_INTERP_INSIDE) && FJ_HOOK_SUPPORTED

/* Finds out what an evaluation costs (fj_eval_levels): 0, or -1 with an exception. */
int fj_levels_init(void);

/* Levels that the call of `callee` with these arguments is given where the program has called
 * `standing`, so that none shows. No reference. */
int fj_levels_of(const PyThreadState *tstate, const PyObject *standing, const PyObject *callee,
                 PyObject *const *args);

/* Gives them, or takes them back where `levels` is below 0. */
void fj_levels_give(PyThreadState *tstate, int levels);

#endif

#endif
