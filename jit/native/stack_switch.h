/* Calls of Python code from C that use up no recursion levels and no C stack that eager would not use. */
#ifndef FRAMEJIT_STACK_SWITCH_H
#define FRAMEJIT_STACK_SWITCH_H

#include "interp.h"

/* Called at import: 0, or -1 with an exception. */
int fj_stack_switch_init(void);

/* Call `callee` where the program has called `called`, an object of ours: a new reference, or NULL with an
 * exception. Borrows everything. If the interpreter would have called a plain function here without recursing
 * in C, the level of C recursion does not count. If the C stack runs short, the call is made on another. */
PyObject *fj_call_in_place_of(PyObject *called, PyObject *callee, PyObject *const *args,
                              size_t nargsf, PyObject *kwnames);

/* Call the engine's Python: receiver(one, two, three), or with a name receiver.name(one, two, three), without
 * the arguments from the first NULL on. It may use frames, levels of C recursion and stack beyond the
 * program's limits (allowance.h). Borrows; new reference, or NULL with an exception. */
PyObject *fj_engine_call(PyObject *receiver, const char *name, PyObject *one, PyObject *two,
                         PyObject *three);

#endif
