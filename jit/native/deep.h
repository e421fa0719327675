/* Calls of Python code from C in deep recursion, without using up levels or stack that eager would not use. */
#ifndef FRAMEJIT_DEEP_H
#define FRAMEJIT_DEEP_H

#include "interp.h"

/* Once: 0, or -1 with an exception. */
int fj_deep_init(void);

/* Calls `callee` where the program has called `standing`, which is ours: a new reference, or NULL with
 * an exception. Borrows everything. Where the interpreter would not have recursed in C to call a
 * function in the place of `standing`, neither the level counts nor does the program's C stack get
 * less for ever: where it grows short the call goes on on another one. */
PyObject *fj_call_standing(PyObject *standing, PyObject *callee, PyObject *const *args,
                           size_t nargsf, PyObject *kwnames);

/* Calls the engine's Python: receiver(one, two, three), or with a name receiver.name(...); arguments
 * end at the first NULL. It has frames, C levels and stack of its own. Borrows; new reference, or NULL
 * with an exception. */
PyObject *fj_engine_call(PyObject *receiver, const char *name, PyObject *one, PyObject *two,
                         PyObject *three);

#endif
