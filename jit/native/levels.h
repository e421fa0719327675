/* Levels of C recursion: compensates for calls from C that the interpreter would have made itself. */
#ifndef FRAMEJIT_LEVELS_H
#define FRAMEJIT_LEVELS_H

#include "interp.h"

#if defined(FJ_INTERP_INSIDE) && FJ_HOOK_SUPPORTED

/* Finds out what an evaluation costs (fj_eval_levels): 0, or -1 with an exception. */
int fj_levels_init(void);

/* Return the levels to give to a call of `callee` in place of `standing`, so that none shows. No reference. */
int fj_levels_of(const PyThreadState *tstate, const PyObject *standing, const PyObject *callee,
                 PyObject *const *args);

/* Give them, or take them back if `levels` is below 0. */
void fj_levels_give(PyThreadState *tstate, int levels);

#endif

#endif
