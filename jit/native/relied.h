/* Builtins that the engine relies on: see relied.c. */
#ifndef FRAMEJIT_RELIED_H
#define FRAMEJIT_RELIED_H

#include <Python.h>

/* 1 while one of them is not what it was. Runs no code of the user's, raises nothing. */
int fj_builtins_exchanged(void);
int fj_relied_init(PyObject *module);

#endif
