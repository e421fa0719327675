/* Guards on Python objects that are no arrays. None runs code of the user. */
#include "objects.h"
#include "records.h"
#include "fetch.h"

/* Same code, defaults and, unless `b` is -1, globals. */
int
fj_function_holds(const fj_entry *entry, const fj_guard *guard, PyObject *value)
{
    if (!PyFunction_Check(value)) {
        return 0;
    }
    PyFunctionObject *function = (PyFunctionObject *)value;
    return fj_plain_code((PyObject *)function) == fj_entry_object(entry, guard->object) &&
           function->func_defaults == fj_entry_object(entry, guard->extra) &&
           function->func_kwdefaults == fj_entry_object(entry, guard->a) &&
           (guard->b == -1 || function->func_globals == fj_entry_object(entry, guard->b));
}

/* Same exact type and equal, a complex number by its bits (the sign of a zero part decides too); only
 * for types whose == runs no code of the user. */
int
fj_equal_holds(PyObject *value, PyObject *expected)
{
    if (!Py_IS_TYPE(value, Py_TYPE(expected))) {
        return 0;
    }
    if (PyComplex_CheckExact(expected)) {
        return memcmp(&((PyComplexObject *)value)->cval, &((PyComplexObject *)expected)->cval,
                      sizeof(Py_complex)) == 0;
    }
    return value == expected ? 1 : PyObject_RichCompareBool(value, expected, Py_EQ);
}

/* An exact dict whose keys are those of a tuple, in that order. Keys are compared by identity or, for
 * types whose == runs no code of the user, by value. */
int
fj_keys_hold(PyObject *value, PyObject *expected)
{
    if (!PyDict_CheckExact(value) || PyDict_GET_SIZE(value) != PyTuple_GET_SIZE(expected)) {
        return 0;
    }
    PyObject *key, *item;
    Py_ssize_t place = 0, count = 0;
    while (PyDict_Next(value, &place, &key, &item)) {
        int same = fj_equal_holds(key, PyTuple_GET_ITEM(expected, count++));
        if (same <= 0) {
            return same;
        }
    }
    return 1;
}

/* The type (of the object, or with `b` the object itself) looks attributes up, and with `a` sets them,
 * as plain objects do, and what its classes hold under that name is the very object, or with -1
 * nothing. */
int
fj_class_attr_holds(const fj_entry *entry, const fj_guard *guard, PyObject *value)
{
    if (guard->b && !PyType_Check(value)) {
        return 0;
    }
    PyTypeObject *type = guard->b ? (PyTypeObject *)value : Py_TYPE(value);
    if (type->tp_getattro != PyObject_GenericGetAttr ||
        (guard->a && type->tp_setattro != PyObject_GenericSetAttr)) {
        return 0;
    }
    PyObject *found = _PyType_Lookup(type, fj_entry_object(entry, guard->object)); /* borrowed */
    return found == fj_entry_object(entry, guard->extra);
}

/* A method of slot `a` that calls the very function: so no attribute of the instance hides it. */
int
fj_method_holds(const fj_entry *entry, const fj_guard *guard, PyObject *const *slots)
{
    PyObject *value = slots[guard->slot];
    return PyMethod_Check(value) && PyMethod_GET_SELF(value) == slots[guard->a] &&
           PyMethod_GET_FUNCTION(value) == fj_entry_object(entry, guard->object);
}
