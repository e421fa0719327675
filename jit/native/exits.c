/* Builds exits in the form that stubs unpack, and functions that recipes of exits call. They are in C so that an
 * exit is atomic: in Python code signal handlers and other threads could run, and would see half of it. */
#include "core.h"

/* one_of_kinds(tag, of_python, of_numpy): of two equal numbers the one that the program would have: NumPy's if
 * the tag is 1. New reference. */
static PyObject *
one_of_kinds(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t count)
{
    if (count != 3 || !PyLong_CheckExact(args[0])) {
        PyErr_SetString(PyExc_TypeError, "one_of_kinds(): a tag and two numbers");
        return NULL;
    }
    int overflow;
    return Py_NewRef(PyLong_AsLongAndOverflow(args[0], &overflow) == 1 ? args[2] : args[1]);
}

/* set_if_bound(owner, key, tag, unbound, value): stores into an exact dict unless the tag says that the
 * name is unbound. None, NULL with an exception. */
static PyObject *
set_if_bound(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t count)
{
    if (count != 5 || !PyDict_CheckExact(args[0])) {
        PyErr_SetString(PyExc_TypeError, "set_if_bound(): a dict, a key, two tags and a value");
        return NULL;
    }
    int unbound = PyObject_RichCompareBool(args[2], args[3], Py_EQ);
    if (unbound < 0 || (!unbound && PyDict_SetItem(args[0], args[1], args[4]) < 0)) {
        return NULL;
    }
    Py_RETURN_NONE;
}

PyObject *
fj_exit_for_stub(Py_ssize_t n_exits, Py_ssize_t exit, PyObject *payload)
{
    Py_ssize_t last = n_exits > 1 ? n_exits - 1 : 0;
    if (exit < 0 || exit > last) {
        Py_DECREF(payload);
        return PyErr_Format(PyExc_SystemError, "framejit: a stub of %zd exits has no exit %zd",
                            n_exits, exit);
    }
    if (last == 0) {
        return payload;
    }
    PyObject *result = exit == last ? payload : PyTuple_Pack(2, Py_True, payload);
    if (exit != last) {
        Py_DECREF(payload);
    }
    for (Py_ssize_t k = exit; result != NULL && k > 0; k--) {
        PyObject *outer = PyTuple_Pack(2, Py_False, result);
        Py_DECREF(result);
        result = outer;
    }
    return result;
}

static PyMethodDef functions[] = {
    {"one_of_kinds", (PyCFunction)(void (*)(void))one_of_kinds, METH_FASTCALL,
     "one_of_kinds(tag, of_python, of_numpy) -> of_numpy where the tag is 1."},
    {"set_if_bound", (PyCFunction)(void (*)(void))set_if_bound, METH_FASTCALL,
     "set_if_bound(owner, key, tag, unbound, value): owner[key] = value unless the tags are equal."},
    {NULL, NULL, 0, NULL},
};

int
fj_exits_init(PyObject *module)
{
    return PyModule_AddFunctions(module, functions);
}
