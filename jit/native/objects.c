/* Guards on Python objects that are no arrays. None runs code of the user. */
#include "objects.h"
#include "records.h"
#include "fetch.h"

static int
has_keyword_defaults(const PyFunctionObject *function)
{
    PyObject *keywords = function->func_kwdefaults; /* borrowed */
    return keywords != NULL && (!PyDict_CheckExact(keywords) || PyDict_GET_SIZE(keywords) > 0);
}

/* Check for the same code, defaults and, unless `b` is -1, globals. Without `a` the function has no keyword
 * defaults; otherwise separate guards check them, since a dict may change. With `c` separate guards check the
 * other defaults too. */
int
fj_function_holds(const fj_entry *entry, const fj_guard *guard, PyObject *value)
{
    if (!PyFunction_Check(value)) {
        return 0;
    }
    PyFunctionObject *function = (PyFunctionObject *)value;
    return fj_plain_code((PyObject *)function) == fj_entry_object(entry, guard->object) &&
           (guard->c || function->func_defaults == fj_entry_object(entry, guard->extra)) &&
           (guard->a || !has_keyword_defaults(function)) &&
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

/* 1 if a class attribute may differ from the captured one, as `c` says: guards/objects.py's Alike. */
static int
is_alike(int64_t how, PyObject *found)
{
    if (how == FJ_FUNCTION) {
        return found != NULL && (PyFunction_Check(found) || Py_IS_TYPE(found, &FjDispatcher_Type));
    }
    return found == NULL ||
           (Py_TYPE(found)->tp_descr_get == NULL && Py_TYPE(found)->tp_descr_set == NULL);
}

/* Check that the type (of the object, or with `b` the object itself) looks attributes up, and with bit 0 of
 * `a` sets them, as plain objects do; with bit 1 its objects have a dict of attributes. The attribute of that
 * name in its classes is the captured object, or with -1 absent, or as `c` says. */
int
fj_class_attr_holds(const fj_entry *entry, const fj_guard *guard, PyObject *value)
{
    if (guard->b && !PyType_Check(value)) {
        return 0;
    }
    PyTypeObject *type = guard->b ? (PyTypeObject *)value : Py_TYPE(value);
    if (type->tp_getattro != PyObject_GenericGetAttr ||
        ((guard->a & 1) && type->tp_setattro != PyObject_GenericSetAttr) ||
        ((guard->a & 2) && type->tp_dictoffset == 0)) {
        return 0;
    }
    PyObject *found = _PyType_Lookup(type, fj_entry_object(entry, guard->object)); /* borrowed */
    if (guard->c != FJ_SAME) {
        return is_alike(guard->c, found);
    }
    return found == fj_entry_object(entry, guard->extra);
}

/* Return the version tag of the type, which changes with it and its bases; 0 while it has none. */
static int64_t
version_of(const PyTypeObject *type)
{
    return type->tp_flags & Py_TPFLAGS_VALID_VERSION_TAG ? (int64_t)type->tp_version_tag : 0;
}

/* Check that the attributes of a class and its bases are the objects of a dict by name, and that none has the
 * names of the tuple `a`. They are looked up only when the class has changed since `c`, the version last
 * checked. */
int
fj_class_holds(const fj_entry *entry, fj_guard *guard)
{
    PyObject *class = fj_entry_object(entry, guard->object); /* borrowed, like all here */
    if (class == (PyObject *)&fj_gone || !PyType_Check(class)) {
        return 0;
    }
    PyTypeObject *type = (PyTypeObject *)class;
    if (guard->c != 0 && version_of(type) == guard->c) {
        return 1;
    }
    PyObject *absent = fj_entry_object(entry, guard->a), *name, *expected;
    for (Py_ssize_t k = 0; k < PyTuple_GET_SIZE(absent); k++) {
        if (_PyType_Lookup(type, PyTuple_GET_ITEM(absent, k)) != NULL) {
            return 0;
        }
    }
    Py_ssize_t place = 0;
    while (PyDict_Next(fj_entry_object(entry, guard->extra), &place, &name, &expected)) {
        if (_PyType_Lookup(type, name) != expected) {
            return 0;
        }
    }
    guard->c = version_of(type);
    return 1;
}

/* Check that a class inherits from another one, or does not, as `a` says. */
int
fj_subclass_holds(const fj_entry *entry, const fj_guard *guard)
{
    PyObject *class = fj_entry_object(entry, guard->object); /* borrowed, both */
    PyObject *base = fj_entry_object(entry, guard->extra);
    if (class == (PyObject *)&fj_gone || base == (PyObject *)&fj_gone) {
        return 0;
    }
    return PyType_Check(class) && PyType_Check(base) &&
           PyType_IsSubtype((PyTypeObject *)class, (PyTypeObject *)base) == guard->a;
}

/* Check that no class has been registered with an abstract one since: the entry holds
 * `abc.get_cache_token()`, which counts them. */
int
fj_registered_holds(const fj_entry *entry, const fj_guard *guard)
{
    PyObject *token = PyObject_CallNoArgs(fj_entry_object(entry, guard->object));
    if (token == NULL) {
        return -1;
    }
    int same = fj_equal_holds(token, fj_entry_object(entry, guard->extra));
    Py_DECREF(token);
    return same;
}

/* Check for a method of slot `a` that calls this function, or any with -1: so no attribute of the instance
 * hides it. */
int
fj_method_holds(const fj_entry *entry, const fj_guard *guard, PyObject *const *slots)
{
    PyObject *value = slots[guard->slot];
    return PyMethod_Check(value) && PyMethod_GET_SELF(value) == slots[guard->a] &&
           (guard->object == -1 ||
            PyMethod_GET_FUNCTION(value) == fj_entry_object(entry, guard->object));
}
