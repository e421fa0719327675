/* Names that must keep their objects, or the engine steps aside: see watched_names.c. */
#ifndef FRAMEJIT_WATCHED_NAMES_H
#define FRAMEJIT_WATCHED_NAMES_H

#include <Python.h>

/* 1 while a watched builtin is deleted or replaced. Runs no code of the user's, raises nothing. */
int fj_builtins_exchanged(void);

/* 1 if each of `names` (a dict: name -> object) has its object in the namespace `home`, else 0. `seen` holds the
 * version of `home` for which that was found last, 0 if it was not. Borrows; raises nothing. */
int fj_names_hold(PyObject *home, PyObject *names, int64_t *seen);
int fj_watched_names_init(PyObject *module);

#endif
