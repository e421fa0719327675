/* A list of Python's numbers as the array that NumPy makes of it. */
#include "listed.h"

/* One item; 0 where it is no int that fits, or no float. */
static int
put_item(PyObject *item, int whole, char *place)
{
    if (!whole) {
        if (!PyFloat_CheckExact(item)) {
            return 0;
        }
        memcpy(place, &((PyFloatObject *)item)->ob_fval, sizeof(double));
        return 1;
    }
    if (!PyLong_CheckExact(item)) {
        return 0;
    }
    int overflow;
    int64_t number = PyLong_AsLongLongAndOverflow(item, &overflow);
    memcpy(place, &number, sizeof number);
    return overflow == 0;
}

PyObject *
fj_listed(PyObject *list, int whole)
{
    if (!PyList_CheckExact(list)) {
        return NULL;
    }
    npy_intp length = PyList_GET_SIZE(list);
    PyObject *made = PyArray_SimpleNew(1, &length, whole ? NPY_LONG : NPY_DOUBLE);
    if (made == NULL) {
        return NULL;
    }
    if (PyList_GET_SIZE(list) != length) {
        Py_DECREF(made); /* making it has run a collector, which may run anything */
        return NULL;
    }
    char *place = PyArray_BYTES((PyArrayObject *)made);
    for (npy_intp k = 0; k < length; k++, place += 8) {
        if (!put_item(PyList_GET_ITEM(list, k), whole, place)) { /* borrowed: nothing runs here */
            Py_DECREF(made);
            return NULL;
        }
    }
    return made;
}
