/* Names that the engine relies on: see relied.c. */
#ifndef FRAMEJIT_RELIED_H
#define FRAMEJIT_RELIED_H

#include <Python.h>

/* 1 while one of them has been replaced. Runs no code of the user's, raises nothing. */
int fj_builtins_exchanged(void);

/* 1 when each of `names` (a dict: name -> object) leads to its object in `home`, 0 when one does not.
 * `seen` is the version of `home` of which that is known, 0 of none. Borrows; raises nothing. */
int fj_names_hold(PyObject *home, PyObject *names, int64_t *seen);
int fj_relied_init(PyObject *module);

#endif
