/* Arguments of a call, bound to the parameters of a plain function (no *args, no **kwargs). */
#ifndef FRAMEJIT_BIND_H
#define FRAMEJIT_BIND_H

#include "core.h"

typedef struct {
    Py_ssize_t n_positional; /* positional-only ones included */
    Py_ssize_t n_positional_only;
    Py_ssize_t n_parameters; /* keyword-only ones included */
    PyObject *names;         /* owned: tuple of parameter names, interned */
} fj_parameters;

/* 1 when the function has a signature that fj_bind serves (then fills `parameters`), 0 when not,
 * -1 with an exception. */
int fj_parameters_of(PyFunctionObject *function, fj_parameters *parameters);

/* Fills bound[0 .. n_parameters) with borrowed references that live as long as the caller's
 * arguments and the function's defaults; 0 when the call does not fit (the function itself will
 * word the TypeError), else 1. */
int fj_bind(const fj_parameters *parameters, PyFunctionObject *function, PyObject *const *args,
            Py_ssize_t n_args, PyObject *kwnames, PyObject **bound);

#endif
