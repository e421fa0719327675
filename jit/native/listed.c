/* Converts lists of varying lengths: numbers to the array that NumPy would make, and checks for lists of
 * similar arrays. */
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

int
fj_holds_arrays(PyObject *list, int number)
{
    if (!PyList_CheckExact(list) || PyList_GET_SIZE(list) == 0) {
        return 0;
    }
    PyArrayObject *first = (PyArrayObject *)PyList_GET_ITEM(list, 0); /* borrowed: nothing runs here */
    for (Py_ssize_t k = 0; k < PyList_GET_SIZE(list); k++) {
        PyArrayObject *array = (PyArrayObject *)PyList_GET_ITEM(list, k);
        if (!Py_IS_TYPE((PyObject *)array, &PyArray_Type)) {
            return 0;
        }
        PyArray_Descr *descr = PyArray_DESCR(array);
        if (descr->type_num != number || !PyArray_ISNBO(descr->byteorder) ||
            PyDataType_METADATA(descr) != NULL || PyArray_NDIM(array) != PyArray_NDIM(first) ||
            !PyArray_CompareLists(PyArray_DIMS(array), PyArray_DIMS(first), PyArray_NDIM(first))) {
            return 0;
        }
    }
    return 1;
}
