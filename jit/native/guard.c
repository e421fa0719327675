/* The guard program: a flat list of conditions over slots, checked on every call.
 *
 * Reading order is the order of the list: a fetch fills a slot that later guards look at. Fetches
 * never run Python code of the user: a generic attribute look-up on a type that was guarded
 * before, a dictionary look-up, a cell, a tuple item.
 */
#include "core.h"

/* Borrows everything; 1 when the global (then builtin) of that name is in the dictionaries, with
 * a new reference in *value; 0 when missing; -1 with an exception. */
static int
find_global(PyObject *globals, PyObject *builtins, PyObject *name, PyObject **value)
{
    PyObject *found = PyDict_GetItemWithError(globals, name);
    if (found == NULL && !PyErr_Occurred() && builtins != NULL) {
        found = PyDict_GetItemWithError(builtins, name);
    }
    if (found == NULL) {
        return PyErr_Occurred() ? -1 : 0;
    }
    *value = Py_NewRef(found);
    return 1;
}

/* Puts a new reference (stolen) into the slot, dropping what an earlier launch left there. */
static void
fill_slot(PyObject **slots, int32_t slot, PyObject *value)
{
    Py_XSETREF(slots[slot], value);
}

static PyObject *
entry_object(const fj_entry *entry, int32_t index) /* borrowed, NULL for -1 */
{
    return index < 0 ? NULL : PyTuple_GET_ITEM(entry->objects, index);
}

static int
fetch_global(const fj_entry *entry, const fj_guard *guard, PyObject **slots)
{
    PyObject *value;
    int found = find_global(entry_object(entry, guard->extra), entry_object(entry, guard->b),
                            entry_object(entry, guard->object), &value);
    if (found > 0) {
        fill_slot(slots, guard->slot, value);
    }
    return found;
}

static int
global_is(const fj_entry *entry, const fj_guard *guard)
{
    PyObject *value;
    int found = find_global(entry_object(entry, guard->extra), entry_object(entry, guard->b),
                            entry_object(entry, guard->object), &value);
    if (found > 0) {
        found = value == entry_object(entry, (int32_t)guard->c);
        Py_DECREF(value);
    }
    return found;
}

/* The type of the owner was guarded to have the generic tp_getattro and no data descriptor of
 * that name, so the look-up ends in the instance dictionary (or a slot member). */
static int
fetch_attr(const fj_entry *entry, const fj_guard *guard, PyObject **slots)
{
    PyObject *value = PyObject_GetAttr(slots[guard->a], entry_object(entry, guard->object));
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
    PyObject *cell = guard->object >= 0 ? entry_object(entry, guard->object) : slots[guard->a];
    PyObject *value = PyCell_Check(cell) ? PyCell_GET(cell) : NULL;
    if (value == NULL) {
        return 0;
    }
    fill_slot(slots, guard->slot, Py_NewRef(value));
    return 1;
}

static int
fetch_item(const fj_guard *guard, PyObject **slots)
{
    PyObject *owner = slots[guard->a];
    PyObject *value;
    if (PyTuple_CheckExact(owner) && guard->c < PyTuple_GET_SIZE(owner)) {
        value = PyTuple_GET_ITEM(owner, guard->c);
    }
    else if (PyList_CheckExact(owner) && guard->c < PyList_GET_SIZE(owner)) {
        value = PyList_GET_ITEM(owner, guard->c);
    }
    else {
        return 0;
    }
    fill_slot(slots, guard->slot, Py_NewRef(value));
    return 1;
}

/* Exactly ndarray, native byte order, no metadata, the flags that must and must not be set, and
 * for each axis a byte of `c`: 0 and 1 mean that length, 2 means any other. */
static int
array_holds(const fj_guard *guard, PyObject *value)
{
    if (!Py_IS_TYPE(value, &PyArray_Type)) {
        return 0;
    }
    PyArrayObject *array = (PyArrayObject *)value;
    PyArray_Descr *descr = PyArray_DESCR(array);
    if (descr->type_num != guard->a || PyArray_NDIM(array) != guard->b) {
        return 0;
    }
    if (!PyArray_ISNBO(descr->byteorder) || PyDataType_METADATA(descr) != NULL) {
        return 0;
    }
    int flags = PyArray_FLAGS(array);
    if ((flags & guard->object) != guard->object || (flags & guard->extra) != 0) {
        return 0;
    }
    int64_t codes = guard->c;
    for (int axis = 0; axis < guard->b; axis++, codes >>= 8) {
        npy_intp length = PyArray_DIM(array, axis);
        if ((length > 2 ? 2 : length) != (codes & 0xff)) {
            return 0;
        }
    }
    return 1;
}

/* `c` lists the axes from slowest to fastest, a byte each: axis | sign << 4, where the sign is
 * 0 zero, 1 positive, 2 negative, 3 does not matter (an axis of length one). Equal strides on two
 * axes have no order that NumPy promises, so they do not hold. `a` says whether the fastest axis
 * steps by one item. */
static int
order_holds(const fj_guard *guard, PyArrayObject *array)
{
    int64_t codes = guard->c;
    npy_intp previous = NPY_MAX_INTP;
    for (int k = 0; k < PyArray_NDIM(array); k++, codes >>= 8) {
        int sign = (codes >> 4) & 3;
        if (sign == 3) {
            continue;
        }
        npy_intp stride = PyArray_STRIDE(array, codes & 0xf);
        if (sign != (stride > 0 ? 1 : stride < 0 ? 2 : 0)) {
            return 0;
        }
        npy_intp size = stride < 0 ? -stride : stride;
        if (size != 0 && size >= previous) {
            return 0;
        }
        previous = size != 0 ? size : previous;
    }
    return guard->a == (previous == PyArray_ITEMSIZE(array));
}

static void
memory_bounds(PyArrayObject *array, char **low, char **high)
{
    *low = *high = PyArray_BYTES(array);
    for (int axis = 0; axis < PyArray_NDIM(array); axis++) {
        npy_intp extent = (PyArray_DIM(array, axis) - 1) * PyArray_STRIDE(array, axis);
        if (PyArray_DIM(array, axis) == 0) {
            *high = *low;
            return;
        }
        *(extent < 0 ? low : high) += extent;
    }
    *high += PyArray_ITEMSIZE(array);
}

static int
disjoint(PyArrayObject *one, PyArrayObject *other)
{
    char *low, *high, *other_low, *other_high;
    memory_bounds(one, &low, &high);
    memory_bounds(other, &other_low, &other_high);
    return high <= other_low || other_high <= low || low == high || other_low == other_high;
}

/* Exact int within int64: stores the value and returns 1, else 0. */
static int
small_int(PyObject *value, int64_t *out)
{
    if (!PyLong_CheckExact(value)) {
        return 0;
    }
    int overflow;
    *out = PyLong_AsLongLongAndOverflow(value, &overflow);
    return overflow == 0;
}

static int
function_holds(const fj_entry *entry, const fj_guard *guard, PyObject *value)
{
    if (!PyFunction_Check(value)) {
        return 0;
    }
    PyFunctionObject *function = (PyFunctionObject *)value;
    return function->func_code == entry_object(entry, guard->object) &&
           function->func_defaults == entry_object(entry, guard->extra) &&
           function->func_kwdefaults == entry_object(entry, guard->a);
}

/* Same exact type and equal, a complex number by its bits (the sign of a zero part decides too); only
 * for types whose == runs no code of the user. */
static int
equal_holds(PyObject *value, PyObject *expected)
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

/* 1 holds, 0 does not, -1 exception. */
static int
guard_holds(const fj_entry *entry, const fj_guard *guard, PyObject **slots)
{
    PyObject *value = slots[guard->slot];
    int64_t number;
    switch (guard->op) {
    case FJ_G_FETCH_GLOBAL:
        return fetch_global(entry, guard, slots);
    case FJ_G_FETCH_ATTR:
        return fetch_attr(entry, guard, slots);
    case FJ_G_FETCH_CELL:
        return fetch_cell(entry, guard, slots);
    case FJ_G_FETCH_ITEM:
        return fetch_item(guard, slots);
    case FJ_G_GLOBAL_IS:
        return global_is(entry, guard);
    case FJ_G_IS:
        return value == entry_object(entry, guard->object);
    case FJ_G_TYPE:
        return Py_TYPE(value) == (PyTypeObject *)entry_object(entry, guard->object);
    case FJ_G_INT64:
        return small_int(value, &number);
    case FJ_G_INT_IS:
        return small_int(value, &number) && number == guard->c;
    case FJ_G_INT_SIGN:
        return small_int(value, &number) && (number > 0) - (number < 0) == guard->a;
    case FJ_G_FLOAT_BITS:
        return PyFloat_CheckExact(value) &&
               memcmp(&((PyFloatObject *)value)->ob_fval, &guard->c, sizeof(double)) == 0;
    case FJ_G_EQUAL:
        return equal_holds(value, entry_object(entry, guard->object));
    case FJ_G_ARRAY:
        return array_holds(guard, value);
    case FJ_G_ORDER:
        return order_holds(guard, (PyArrayObject *)value);
    case FJ_G_WRITEABLE:
        return PyArray_ISWRITEABLE((PyArrayObject *)value);
    case FJ_G_DIM_EQ:
        return PyArray_DIM((PyArrayObject *)value, guard->a) ==
               PyArray_DIM((PyArrayObject *)slots[guard->b], (int)guard->c);
    case FJ_G_DISJOINT:
        return disjoint((PyArrayObject *)value, (PyArrayObject *)slots[guard->a]);
    case FJ_G_FUNCTION:
        return function_holds(entry, guard, value);
    case FJ_G_LENGTH:
        /* Named tuples too: another guard has seen the type. */
        return (PyTuple_Check(value) || PyList_CheckExact(value)) && Py_SIZE(value) == guard->c;
    }
    PyErr_Format(PyExc_SystemError, "framejit: unknown guard operation %d", guard->op);
    return -1;
}

Py_ssize_t
fj_guards_hold(fj_entry *entry, PyObject **slots, Py_ssize_t first, Py_ssize_t count)
{
    for (Py_ssize_t index = 0; index < count; index++) {
        int holds = guard_holds(entry, &entry->guards[first + index], slots);
        if (holds <= 0) {
            return holds < 0 ? -1 : index;
        }
    }
    return count;
}
