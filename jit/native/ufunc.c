/* Inner loops of ufuncs: the function pointer that eager itself would call. */
#include "core.h"
#include <numpy/ufuncobject.h>

/* ufunc_loop(ufunc, index) -> (address of the loop, address of its data). */
static PyObject *
ufunc_loop(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *object;
    int index;
    if (!PyArg_ParseTuple(args, "O!i:ufunc_loop", &PyUFunc_Type, &object, &index)) {
        return NULL;
    }
    PyUFuncObject *ufunc = (PyUFuncObject *)object;
    if (index < 0 || index >= ufunc->ntypes || ufunc->functions == NULL) {
        PyErr_Format(PyExc_IndexError, "ufunc_loop: %s has no loop %d", ufunc->name, index);
        return NULL;
    }
    void *data = ufunc->data == NULL ? NULL : (void *)ufunc->data[index];
    return Py_BuildValue("KK", (unsigned long long)(uintptr_t)ufunc->functions[index],
                         (unsigned long long)(uintptr_t)data);
}

static PyMethodDef functions[] = {
    {"ufunc_loop", ufunc_loop, METH_VARARGS,
     "ufunc_loop(ufunc, index) -> (address of the inner loop, address of its data)."},
    {NULL, NULL, 0, NULL},
};

int
fj_ufunc_init(PyObject *module)
{
    if (PyUFunc_ImportUFuncAPI() < 0) {
        return -1;
    }
    return PyModule_AddFunctions(module, functions);
}
