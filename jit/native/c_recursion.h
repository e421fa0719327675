/* Levels of C recursion (`c_recursion_remaining` of the thread state): a call that we make from C uses up some
 * where the interpreter, which calls Python functions without recursing in C, would have used none. */
#ifndef FRAMEJIT_C_RECURSION_H
#define FRAMEJIT_C_RECURSION_H

#include "interp.h"

#if defined(FJ_INTERP_INSIDE) && FJ_HOOK_SUPPORTED

/* Measure how many levels an evaluation takes (fj_c_recursion_of_eval): 0, or -1 with an exception. */
int fj_c_recursion_init(void);

/* Return the levels that a call of `callee` takes and that the interpreter would not have taken, where the
 * program has called `called`, an object of ours. The caller adds them with fj_c_recursion_add() before the
 * call and takes them back after it. Touches no reference. */
int fj_c_recursion_credit(const PyThreadState *tstate, const PyObject *called, const PyObject *callee,
                          PyObject *const *args);

#endif

#endif
