/* Binding of arguments: positional, keyword, defaults. */
#include "bind.h"

int
fj_parameters_of(PyFunctionObject *function, fj_parameters *parameters)
{
    PyCodeObject *code = (PyCodeObject *)function->func_code;
    parameters->n_positional = code->co_argcount;
    parameters->n_positional_only = code->co_posonlyargcount;
    parameters->n_parameters = code->co_argcount + code->co_kwonlyargcount;
    if (code->co_flags & (CO_VARARGS | CO_VARKEYWORDS)) {
        return 0;
    }
    PyObject *names = PyCode_GetVarnames(code);
    if (names == NULL) {
        return -1;
    }
    parameters->names = PyTuple_GetSlice(names, 0, parameters->n_parameters);
    Py_DECREF(names);
    return parameters->names == NULL ? -1 : 1;
}

/* The parameter that a keyword names, or -1. Names are interned nearly always. */
static Py_ssize_t
find_parameter(const fj_parameters *parameters, PyObject *keyword)
{
    for (Py_ssize_t k = parameters->n_positional_only; k < parameters->n_parameters; k++) {
        if (PyTuple_GET_ITEM(parameters->names, k) == keyword) {
            return k;
        }
    }
    for (Py_ssize_t k = parameters->n_positional_only; k < parameters->n_parameters; k++) {
        if (PyUnicode_Compare(PyTuple_GET_ITEM(parameters->names, k), keyword) == 0) {
            return k;
        }
    }
    return -1;
}

/* Default of parameter k, borrowed, or NULL. */
static PyObject *
default_of(const fj_parameters *parameters, PyFunctionObject *function, Py_ssize_t k)
{
    if (k < parameters->n_positional) {
        PyObject *defaults = function->func_defaults;
        Py_ssize_t count = defaults == NULL ? 0 : PyTuple_GET_SIZE(defaults);
        Py_ssize_t index = k - (parameters->n_positional - count);
        return index < 0 ? NULL : PyTuple_GET_ITEM(defaults, index);
    }
    if (function->func_kwdefaults == NULL) {
        return NULL;
    }
    PyObject *name = PyTuple_GET_ITEM(parameters->names, k);
    PyObject *found = PyDict_GetItemWithError(function->func_kwdefaults, name);
    if (found == NULL) {
        PyErr_Clear(); /* the function itself meets the error again */
    }
    return found;
}

int
fj_bind(const fj_parameters *parameters, PyFunctionObject *function, PyObject *const *args,
        Py_ssize_t n_args, PyObject *kwnames, PyObject **bound)
{
    if (n_args > parameters->n_positional) {
        return 0;
    }
    for (Py_ssize_t k = 0; k < n_args; k++) {
        bound[k] = args[k];
    }
    if (n_args == parameters->n_parameters && kwnames == NULL) {
        return 1;
    }
    Py_ssize_t n_keywords = kwnames == NULL ? 0 : PyTuple_GET_SIZE(kwnames);
    if (n_keywords > 0) {
        for (Py_ssize_t k = n_args; k < parameters->n_parameters; k++) {
            bound[k] = NULL;
        }
    }
    for (Py_ssize_t k = 0; k < n_keywords; k++) {
        Py_ssize_t index = find_parameter(parameters, PyTuple_GET_ITEM(kwnames, k));
        if (index < n_args || bound[index] != NULL) {
            return 0;
        }
        bound[index] = args[n_args + k];
    }
    for (Py_ssize_t k = n_args; k < parameters->n_parameters; k++) {
        int is_given = n_keywords > 0 && bound[k] != NULL;
        if (!is_given && (bound[k] = default_of(parameters, function, k)) == NULL) {
            return 0;
        }
    }
    return 1;
}
