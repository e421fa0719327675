/* Calls that run rewritten code, one inside of the other; see outermost.c. */
#ifndef FRAMEJIT_OUTERMOST_H
#define FRAMEJIT_OUTERMOST_H

#include <Python.h>

/* Called when rewritten code starts and ends in this thread. */
void fj_outermost_enter(void);
void fj_outermost_leave(void);

int fj_outermost_init(PyObject *module);

#endif
