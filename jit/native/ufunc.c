/* Addresses of inner loops of ufuncs, and of sorts of dtypes: the functions that eager itself would call. */
#include "core.h"
#include "fpstatus.h"
#include <numpy/ufuncobject.h>

enum { MOST = 8 }; /* operands and results of loops that kernels call */

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

/* loop_keeps_flags(ufunc, index, addresses) -> bool: raised floating point flags stay raised over a call of
 * the loop; `addresses`: one element for each operand and result. */
static PyObject *
loop_keeps_flags(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *object, *addresses;
    int index;
    if (!PyArg_ParseTuple(args, "O!iO!:loop_keeps_flags", &PyUFunc_Type, &object, &index,
                          &PyTuple_Type, &addresses)) {
        return NULL;
    }
    PyUFuncObject *ufunc = (PyUFuncObject *)object;
    if (index < 0 || index >= ufunc->ntypes || ufunc->functions == NULL
        || ufunc->nargs > MOST || PyTuple_GET_SIZE(addresses) != ufunc->nargs) {
        PyErr_Format(PyExc_IndexError, "loop_keeps_flags: %s has no such loop", ufunc->name);
        return NULL;
    }
    char *elements[MOST];
    npy_intp steps[MOST] = {0};
    for (int k = 0; k < ufunc->nargs; k++) {
        elements[k] = PyLong_AsVoidPtr(PyTuple_GET_ITEM(addresses, k));
        if (elements[k] == NULL) {
            return PyErr_Occurred() ? NULL : PyErr_Format(PyExc_ValueError, "no address");
        }
    }
    npy_intp length = 1;
    fj_fp_put(FJ_FP_FLAGS);
    ufunc->functions[index](elements, &length, steps, ufunc->data ? ufunc->data[index] : NULL);
    int kept = fj_fp_raised() == FJ_FP_FLAGS;
    fj_fp_clear();
    return PyErr_Occurred() ? NULL : PyBool_FromLong(kept);
}

/* dtype_functions(dtype): the addresses of its sort, argsort, argmax and argmin, 0 where it has none. The
 * default ones, which need neither the array nor the interpreter for numbers. */
static PyObject *
dtype_functions(PyObject *module, PyObject *dtype)
{
    (void)module;
    if (!PyArray_DescrCheck(dtype)) {
        return PyErr_Format(PyExc_TypeError, "dtype_functions: %.100s is no dtype",
                            Py_TYPE(dtype)->tp_name);
    }
    PyArray_Descr *descr = (PyArray_Descr *)dtype;
    if (!PyTypeNum_ISNUMBER(descr->type_num) && !PyTypeNum_ISBOOL(descr->type_num)) {
        return Py_BuildValue("iiii", 0, 0, 0, 0);
    }
    const PyArray_ArrFuncs *table = PyDataType_GetArrFuncs(descr);
    return Py_BuildValue("KKKK", (unsigned long long)(uintptr_t)table->sort[NPY_QUICKSORT],
                         (unsigned long long)(uintptr_t)table->argsort[NPY_QUICKSORT],
                         (unsigned long long)(uintptr_t)table->argmax,
                         (unsigned long long)(uintptr_t)table->argmin);
}

static PyMethodDef functions[] = {
    {"dtype_functions", dtype_functions, METH_O,
     "dtype_functions(dtype) -> addresses of its sort, argsort, argmax and argmin, 0 for none."},
    {"loop_keeps_flags", loop_keeps_flags, METH_VARARGS,
     "loop_keeps_flags(ufunc, index, addresses) -> whether raised flags stay up over the loop."},
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
