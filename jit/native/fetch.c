/* Fetches of the guard program: load an object that another one refers to into a slot.
 *
 * They never run Python code of the user: a dictionary look-up, a cell, an item, or a generic attribute
 * look-up on a type that was guarded before. 1 if the slot is filled, 0 if there is no such object, -1 with
 * an exception. */
#include "fetch.h"
#include "listed.h"
#include "namespace.h"
#include "number.h"

char fj_gone;

PyObject *
fj_find_global(const fj_entry *entry, fj_guard *guard)
{
    PyObject *globals = fj_entry_object(entry, guard->extra);
    PyObject *builtins = fj_entry_object(entry, guard->b);
    PyObject *name = fj_entry_object(entry, guard->object);
    PyObject *found = fj_dict_item(globals, name, &guard->a);
    if (found == NULL && builtins != NULL && !PyErr_Occurred()) {
        found = fj_dict_item(builtins, name, &guard->a);
    }
    return found;
}

/* Puts a new reference (stolen) into the slot, dropping what an earlier launch left there. */
static void
fill_slot(PyObject **slots, int32_t slot, PyObject *value)
{
    Py_XSETREF(slots[slot], value);
}

static int
fetch_global(const fj_entry *entry, fj_guard *guard, PyObject **slots)
{
    PyObject *value = fj_find_global(entry, guard);
    if (value == NULL) {
        return PyErr_Occurred() ? -1 : 0;
    }
    fill_slot(slots, guard->slot, Py_NewRef(value));
    return 1;
}

/* The type of the owner was guarded to have the generic tp_getattro and no data descriptor of
 * that name, so the look-up ends in the instance dictionary (or a slot member). */
static int
fetch_attr(const fj_entry *entry, const fj_guard *guard, PyObject **slots)
{
    PyObject *value = PyObject_GetAttr(slots[guard->a], fj_entry_object(entry, guard->object));
    if (value == NULL) {
        if (!PyErr_ExceptionMatches(PyExc_AttributeError)) {
            return -1;
        }
        PyErr_Clear();
        return 0;
    }
    fill_slot(slots, guard->slot, value);
    return 1;
}

/* The cell is a constant of the entry (a closure of the function itself) or stands in a slot. */
static int
fetch_cell(const fj_entry *entry, const fj_guard *guard, PyObject **slots)
{
    PyObject *cell = guard->object >= 0 ? fj_entry_object(entry, guard->object) : slots[guard->a];
    PyObject *value = PyCell_Check(cell) ? PyCell_GET(cell) : NULL;
    if (value == NULL) {
        return 0;
    }
    fill_slot(slots, guard->slot, Py_NewRef(value));
    return 1;
}

/* An exact dict and a key whose == runs no code of the user. */
static int
fetch_key(const fj_entry *entry, const fj_guard *guard, PyObject **slots)
{
    PyObject *owner = slots[guard->a];
    if (!PyDict_CheckExact(owner)) {
        return 0;
    }
    PyObject *value = PyDict_GetItemWithError(owner, fj_entry_object(entry, guard->object));
    if (value == NULL) {
        return PyErr_Occurred() ? -1 : 0;
    }
    fill_slot(slots, guard->slot, Py_NewRef(value));
    return 1;
}

/* The cell at place `c` of a function's closure. */
static int
fetch_closure(const fj_guard *guard, PyObject **slots)
{
    PyObject *owner = slots[guard->a];
    PyObject *closure = PyFunction_Check(owner) ? PyFunction_GET_CLOSURE(owner) : NULL;
    if (closure == NULL || guard->c >= PyTuple_GET_SIZE(closure)) {
        return 0;
    }
    fill_slot(slots, guard->slot, Py_NewRef(PyTuple_GET_ITEM(closure, guard->c)));
    return 1;
}

/* Fetch the tuple of a function's defaults, or with `c` the dict of its keyword defaults, from the C struct:
 * the attributes `__defaults__` and `__kwdefaults__` raise an audit event, which code of the user's may
 * observe. */
static int
fetch_defaults(const fj_guard *guard, PyObject **slots)
{
    PyObject *owner = slots[guard->a]; /* borrowed, as what it holds is below */
    if (!PyFunction_Check(owner)) {
        return 0;
    }
    PyObject *found = guard->c ? PyFunction_GET_KW_DEFAULTS(owner) : PyFunction_GET_DEFAULTS(owner);
    if (found == NULL) {
        return 0;
    }
    fill_slot(slots, guard->slot, Py_NewRef(found));
    return 1;
}

/* Fetch `super(cls, owner).name` as it is in the class's dict, unbound. The slot holds the owner, or with `c`
 * its class. */
static int
fetch_super(const fj_entry *entry, const fj_guard *guard, PyObject **slots)
{
    PyObject *owner = slots[guard->a];
    if (guard->c && !PyType_Check(owner)) {
        return 0;
    }
    PyTypeObject *kind = guard->c ? (PyTypeObject *)owner : Py_TYPE(owner);
    PyObject *mro = kind->tp_mro; /* borrowed: the look-up runs no Python */
    PyObject *cls = fj_entry_object(entry, guard->object);
    PyObject *name = fj_entry_object(entry, guard->extra);
    Py_ssize_t count = mro == NULL ? 0 : PyTuple_GET_SIZE(mro), k = 0;
    while (k < count && PyTuple_GET_ITEM(mro, k) != cls) {
        k++;
    }
    for (k++; k < count; k++) {
        PyObject *dict = fj_type_dict((PyTypeObject *)PyTuple_GET_ITEM(mro, k));
        PyObject *found = dict == NULL ? NULL : Py_XNewRef(PyDict_GetItemWithError(dict, name));
        Py_XDECREF(dict);
        if (found != NULL) {
            fill_slot(slots, guard->slot, found);
            return 1;
        }
        if (PyErr_Occurred()) {
            return -1;
        }
    }
    return 0;
}

/* Return the length of a tuple, a named one too, or of a list; -1 for other objects. */
static Py_ssize_t
length_of(PyObject *owner)
{
    return PyTuple_Check(owner) || PyList_CheckExact(owner) ? Py_SIZE(owner) : -1;
}

/* The same, also of exact sets and deques. */
static Py_ssize_t
length_of_any(PyObject *owner)
{
    return PySet_CheckExact(owner) || fj_is_deque(owner) > 0 ? PyObject_Size(owner) : length_of(owner);
}

/* The item at guard->c, below zero from the end. */
static int
fetch_item(const fj_guard *guard, PyObject **slots)
{
    PyObject *owner = slots[guard->a];
    Py_ssize_t length = length_of(owner);
    Py_ssize_t place = (Py_ssize_t)guard->c + (guard->c < 0 ? length : 0);
    if (place < 0 || place >= length) {
        return 0;
    }
    PyObject *value = PyTuple_Check(owner) ? PyTuple_GET_ITEM(owner, place)
                                           : PyList_GET_ITEM(owner, place);
    fill_slot(slots, guard->slot, Py_NewRef(value));
    return 1;
}

static int
fetch_length(const fj_guard *guard, PyObject **slots)
{
    Py_ssize_t length = length_of_any(slots[guard->a]);
    if (length < 0) {
        return PyErr_Occurred() ? -1 : 0;
    }
    PyObject *value = PyLong_FromSsize_t(length);
    if (value == NULL) {
        return -1;
    }
    fill_slot(slots, guard->slot, value);
    return 1;
}

/* Fetch a constant of the entry; it may have died. */
static int
fetch_object(const fj_entry *entry, const fj_guard *guard, PyObject **slots)
{
    PyObject *object = fj_entry_object(entry, guard->object);
    if (object == (PyObject *)&fj_gone) {
        return 0;
    }
    fill_slot(slots, guard->slot, Py_NewRef(object));
    return 1;
}

/* `__reduce__()` of an iterator whose exact type was guarded: one of CPython's own. */
static int
fetch_reduced(const fj_guard *guard, PyObject **slots)
{
    PyObject *value = PyObject_CallMethod(slots[guard->a], "__reduce__", NULL);
    if (value == NULL) {
        return -1;
    }
    fill_slot(slots, guard->slot, value);
    return 1;
}

/* Convert a number of one of the types in `c`, or a list to an array, as `b` says. */
static int
fetch_converted(const fj_guard *guard, PyObject **slots)
{
    PyObject *owner = slots[guard->a];
    PyObject *value = guard->op == FJ_G_FETCH_LISTED ? fj_listed(owner, guard->b, guard->c)
                                                     : fj_number_of(owner, guard->c, guard->b);
    if (value == NULL) {
        return PyErr_Occurred() ? -1 : 0;
    }
    fill_slot(slots, guard->slot, value);
    return 1;
}

/* An array of doubles as long as another one, or a number of one of the types in `c`, repeated as often. */
static int
fetch_spread(const fj_guard *guard, PyObject **slots)
{
    PyObject *value = fj_spread(slots[guard->a], slots[guard->b], guard->c);
    if (value == NULL) {
        return PyErr_Occurred() ? -1 : 0;
    }
    fill_slot(slots, guard->slot, value);
    return 1;
}

/* 1 if `==` of an object with another such one compares identities, as object's does. */
static int
compares_identity(PyObject *value)
{
    return Py_TYPE(value)->tp_richcompare == PyBaseObject_Type.tp_richcompare;
}

/* `list.index(item)` where no comparison runs code of the user. */
static int
fetch_index_of(const fj_guard *guard, PyObject **slots)
{
    PyObject *owner = slots[guard->a], *item = slots[guard->b]; /* borrowed: nothing runs here */
    if (!PyList_CheckExact(owner) || !compares_identity(item)) {
        return 0;
    }
    for (Py_ssize_t place = 0; place < PyList_GET_SIZE(owner); place++) {
        PyObject *held = PyList_GET_ITEM(owner, place);
        if (held == item) {
            PyObject *value = PyLong_FromSsize_t(place);
            if (value == NULL) {
                return -1;
            }
            fill_slot(slots, guard->slot, value);
            return 1;
        }
        if (!compares_identity(held)) {
            return 0;
        }
    }
    return 0;
}

int
fj_converts(const fj_guard *guards, Py_ssize_t count)
{
    int found = 0;
    for (Py_ssize_t k = 0; k < count; k++) {
        found |= guards[k].op == FJ_G_FETCH_LISTED;
    }
    return found;
}

int
fj_fetch(const fj_entry *entry, fj_guard *guard, PyObject **slots)
{
    switch (guard->op) {
    case FJ_G_FETCH_GLOBAL:
        return fetch_global(entry, guard, slots);
    case FJ_G_FETCH_ATTR:
        return fetch_attr(entry, guard, slots);
    case FJ_G_FETCH_CELL:
        return fetch_cell(entry, guard, slots);
    case FJ_G_FETCH_ITEM:
        return fetch_item(guard, slots);
    case FJ_G_FETCH_KEY:
        return fetch_key(entry, guard, slots);
    case FJ_G_FETCH_LENGTH:
        return fetch_length(guard, slots);
    case FJ_G_FETCH_CLOSURE:
        return fetch_closure(guard, slots);
    case FJ_G_FETCH_DEFAULTS:
        return fetch_defaults(guard, slots);
    case FJ_G_FETCH_SUPER:
        return fetch_super(entry, guard, slots);
    case FJ_G_FETCH_REDUCED:
        return fetch_reduced(guard, slots);
    case FJ_G_FETCH_NUMBER:
    case FJ_G_FETCH_LISTED:
        return fetch_converted(guard, slots);
    case FJ_G_FETCH_SPREAD:
        return fetch_spread(guard, slots);
    case FJ_G_FETCH_INDEX_OF:
        return fetch_index_of(guard, slots);
    default: /* FETCH_OBJECT */
        return fetch_object(entry, guard, slots);
    }
}
