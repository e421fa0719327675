/* Loads guarded Python objects into words. The guards have held: types and dtypes are known here. */
#include "core.h"

void
fj_load_array(const fj_load *load, PyArrayObject *array, int64_t *words)
{
    int64_t *word = &words[load->word];
    *word++ = (int64_t)(intptr_t)PyArray_BYTES(array);
    for (int axis = 0; axis < load->ndim; axis++) {
        word[axis] = PyArray_DIM(array, axis);
        word[axis + load->ndim] = PyArray_STRIDE(array, axis);
    }
}

int
fj_load_value(const fj_load *load, PyObject *value, int64_t *words)
{
    int64_t *word = &words[load->word];
    switch (load->kind) {
    case FJ_LOAD_ARRAY:
        fj_load_array(load, (PyArrayObject *)value, words);
        return 0;
    case FJ_LOAD_INT: /* bool too */
        *word = PyLong_AsLongLong(value);
        return *word == -1 && PyErr_Occurred() ? -1 : 0;
    case FJ_LOAD_FLOAT:
        memcpy(word, &((PyFloatObject *)value)->ob_fval, sizeof(double));
        return 0;
    case FJ_LOAD_COMPLEX:
        memcpy(word, &((PyComplexObject *)value)->cval, sizeof(Py_complex));
        return 0;
    case FJ_LOAD_SCALAR:
        *word = 0;
        PyArray_ScalarAsCtype(value, word);
        return 0;
    }
    PyErr_Format(PyExc_SystemError, "framejit: unknown load kind %d", load->kind);
    return -1;
}
