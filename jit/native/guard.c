/* The guard program: a flat list of conditions over slots, checked on every call.
 *
 * Reading order is the order of the list: a fetch (fetch.c) fills a slot that later guards look at.
 */
#include "finalisation.h"
#include "fetch.h"
#include "listed.h"
#include "namespace.h"
#include "objects.h"
#include "watched_names.h"

static int
global_is(const fj_entry *entry, fj_guard *guard)
{
    PyObject *found = fj_find_global(entry, guard);
    if (found == NULL) {
        return PyErr_Occurred() ? -1 : 0;
    }
    return found == fj_entry_object(entry, (int32_t)guard->c);
}

/* Check for an exact ndarray in native byte order without metadata, the flags that must and must not be set,
 * and for each axis a byte of `c`: 0 and 1 mean that length, 2 any other length, 3 any length, 4 (of lines)
 * any length but 0, where one item has the stride of a new array. A negative stride along one item is refused: NumPy calls such a line contiguous, and passes the stride to loops that
 * compute other bits then. */
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
        int64_t code = codes & 0xff;
        if (code == 4) {
            if (length == 0 || (length == 1 && PyArray_STRIDE(array, axis) != PyArray_ITEMSIZE(array))) {
                return 0;
            }
        }
        else if (code != 3 && (length > 2 ? 2 : length) != code) {
            return 0;
        }
        if (length == 1 && PyArray_STRIDE(array, axis) < 0) {
            return 0;
        }
    }
    return 1;
}

/* `c` lists the axes from slowest to fastest, a byte each: axis | sign << 4, where the sign is
 * 0 zero, 1 positive, 2 negative, 3 does not matter (an axis of length one). Of axes that share a
 * stride NumPy takes the first for the slower one. `a` says whether the fastest axis steps by one
 * item (1) and whether each steps over all of the faster ones (2). */
static int
order_holds(const fj_guard *guard, PyArrayObject *array)
{
    int64_t codes = guard->c;
    npy_intp previous = NPY_MAX_INTP;
    int last = -1, nested = 2;
    for (int k = 0; k < PyArray_NDIM(array); k++, codes >>= 8) {
        int sign = (codes >> 4) & 3;
        if (sign == 3) {
            continue;
        }
        int axis = (int)(codes & 0xf);
        npy_intp stride = PyArray_STRIDE(array, axis);
        if (sign != (stride > 0 ? 1 : stride < 0 ? 2 : 0)) {
            return 0;
        }
        npy_intp size = stride < 0 ? -stride : stride;
        if (size == 0) {
            continue;
        }
        if (size > previous || (size == previous && axis < last)) {
            return 0;
        }
        if ((previous - 1) / size < PyArray_DIM(array, axis) - 1) {
            nested = 0; /* the last item of this axis is not before the next of the slower one */
        }
        previous = size;
        last = axis;
    }
    return guard->a == ((previous == PyArray_ITEMSIZE(array)) | nested);
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

/* 1 if only the object and our slots hold the dict of its attributes. */
static int
names_are_own(const fj_entry *entry, PyObject *object, PyObject *const *slots)
{
    const PyObject *names = fj_dict_of_names(object);
    Py_ssize_t known = 1;
    for (Py_ssize_t k = entry->n_live; names != NULL && k < entry->n_slots; k++) {
        known += slots[k] == names;
    }
    return names == NULL || Py_REFCNT(names) == known;
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

/* 1 if a namespace has no such name, or the deallocation of its object cannot be observed. */
static int
name_holds(const fj_entry *entry, const fj_guard *guard)
{
    PyObject *namespace = fj_entry_object(entry, guard->extra);
    PyObject *found = PyDict_GetItemWithError(namespace, fj_entry_object(entry, guard->object));
    if (found == NULL) {
        return PyErr_Occurred() ? -1 : 1;
    }
    if (guard->op == FJ_G_LACKS) {
        return 0;
    }
    Py_INCREF(found); /* visiting runs code of types */
    int is_observable = fj_finalisation_is_observable(found, FJ_CAPTURE_REFERENCES);
    Py_DECREF(found);
    return !is_observable;
}

/* 1 holds, 0 does not, -1 exception. */
static int
guard_holds(const fj_entry *entry, fj_guard *guard, PyObject **slots)
{
    PyObject *value = slots[guard->slot];
    int64_t number;
    switch (guard->op) {
    FJ_FETCH_OPS(FJ_CASE)
        return fj_fetch(entry, guard, slots);
    case FJ_G_GLOBAL_IS:
        return global_is(entry, guard);
    case FJ_G_LACKS:
    case FJ_G_QUIET:
        return name_holds(entry, guard);
    case FJ_G_HOLDS: /* `c` is the version of the namespace in which the names were last found */
        return fj_names_hold(fj_entry_object(entry, guard->object),
                             fj_entry_object(entry, guard->extra), &guard->c);
    case FJ_G_IS:
        return value == fj_entry_object(entry, guard->object);
    case FJ_G_TYPE:
        return (PyObject *)Py_TYPE(value) == fj_entry_object(entry, guard->object);
    case FJ_G_INT64:
        return small_int(value, &number);
    case FJ_G_INT_IS:
        return small_int(value, &number) && number == guard->c;
    case FJ_G_INT_SIGN:
        return small_int(value, &number) && (number > 0) - (number < 0) == guard->a;
    case FJ_G_INT_BELOW:
        return small_int(value, &number) && number > -guard->c && number < guard->c;
    case FJ_G_FLOAT_BITS:
        return PyFloat_CheckExact(value) &&
               memcmp(&((PyFloatObject *)value)->ob_fval, &guard->c, sizeof(double)) == 0;
    case FJ_G_EQUAL:
        return fj_equal_holds(value, fj_entry_object(entry, guard->object));
    case FJ_G_ARRAY:
        return array_holds(guard, value);
    case FJ_G_ORDER:
        return order_holds(guard, (PyArrayObject *)value);
    case FJ_G_OWNED: /* the one reference is that of the slot */
        return Py_REFCNT(value) == 1 &&
               PyArray_CHKFLAGS((PyArrayObject *)value, NPY_ARRAY_OWNDATA | NPY_ARRAY_WRITEABLE);
    case FJ_G_UNSHARED:
        return Py_REFCNT(value) == guard->c;
    case FJ_G_WRITEABLE:
        return PyArray_ISWRITEABLE((PyArrayObject *)value);
    case FJ_G_DIM_EQ:
        return PyArray_DIM((PyArrayObject *)value, guard->a) ==
               PyArray_DIM((PyArrayObject *)slots[guard->b], (int)guard->c);
    case FJ_G_DIM_IS:
        return PyArray_DIM((PyArrayObject *)value, guard->a) == guard->c;
    case FJ_G_DISJOINT:
        return disjoint((PyArrayObject *)value, (PyArrayObject *)slots[guard->a]);
    case FJ_G_FUNCTION:
        return fj_function_holds(entry, guard, value);
    case FJ_G_LENGTH:
        /* Named tuples too: another guard has checked the type. */
        return (PyTuple_Check(value) || PyList_CheckExact(value)) && Py_SIZE(value) == guard->c;
    case FJ_G_ARRAYS:
        return fj_holds_arrays(value, guard->a);
    case FJ_G_KEYS:
        return fj_keys_hold(value, fj_entry_object(entry, guard->object));
    case FJ_G_CLASS_ATTR:
        return fj_class_attr_holds(entry, guard, value);
    case FJ_G_CLASS_HOLDS:
        return fj_class_holds(entry, guard);
    case FJ_G_SUBCLASS:
        return fj_subclass_holds(entry, guard);
    case FJ_G_REGISTERED:
        return fj_registered_holds(entry, guard);
    case FJ_G_METHOD:
        return fj_method_holds(entry, guard, slots);
    case FJ_G_OWN_NAMES:
        return names_are_own(entry, value, slots);
    case FJ_G_SAME:
        return (value == slots[guard->a]) == guard->c;
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
