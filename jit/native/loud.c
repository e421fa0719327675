/* Tells if a floating point flag may do more than warn: raise, call, print, or be a warning that a filter
 * turns into an exception. If not, the code after an operation runs whatever flags it raised. */
#include "core.h"
#include "released.h"

static PyObject *names; /* owned: the dict of the module warnings */

/* 1 if a filter may turn a RuntimeWarning into an exception. Runs no Python code. */
static int
raises(PyObject *filter)
{
    if (!PyTuple_CheckExact(filter) || PyTuple_GET_SIZE(filter) != 5) {
        return 1;
    }
    PyObject *action = PyTuple_GET_ITEM(filter, 0), *category = PyTuple_GET_ITEM(filter, 2);
    if (!PyUnicode_Check(action)) {
        return 1;
    }
    if (PyUnicode_CompareWithASCIIString(action, "error") != 0) {
        return 0;
    }
    return !Py_IS_TYPE(category, &PyType_Type) ||
           PyType_IsSubtype((PyTypeObject *)PyExc_RuntimeWarning, (PyTypeObject *)category);
}

static int
some_filter_raises(void)
{
    PyObject *filters = PyDict_GetItemString(names, "filters"); /* borrowed; nothing runs meanwhile */
    if (filters == NULL || !PyList_CheckExact(filters)) {
        return 1;
    }
    for (Py_ssize_t k = 0; k < PyList_GET_SIZE(filters); k++) {
        if (raises(PyList_GET_ITEM(filters, k))) {
            return 1;
        }
    }
    return 0;
}

int64_t
fj_rt_loud(int64_t *Py_UNUSED(words), int64_t Py_UNUSED(ignored))
{
    fj_needs_gil();
    enum { KINDS = 4, IGNORE = 0, WARN = 1 };
    int mask = fj_errstate_mask(), warns = 0;
    if (mask < 0) {
        return 1;
    }
    for (int k = 0; k < KINDS; k++) {
        int mode = (mask >> (3 * k)) & 7;
        if (mode > WARN) {
            return 1;
        }
        warns |= mode == WARN;
    }
    return warns && some_filter_raises();
}

int
fj_loud_init(void)
{
    PyObject *module = names == NULL ? PyImport_ImportModule("warnings") : NULL;
    if (module != NULL) {
        names = Py_NewRef(PyModule_GetDict(module));
        Py_DECREF(module);
    }
    return names == NULL ? -1 : 0;
}
