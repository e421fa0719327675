/* Calls that run rewritten code, one inside of the other; see outermost.c. */
#ifndef FRAMEJIT_OUTERMOST_H
#define FRAMEJIT_OUTERMOST_H

#include <Python.h>

/* Rewritten code begins to run in this thread, and has come to its end. */
void fj_outermost_enter(void);
void fj_outermost_leave(void);

int fj_outermost_init(PyObject *module);

#endif
