/* Converts containers of varying lengths to arrays: lists of numbers, and of lists of them, to the array that NumPy
 * would make, and what sets, dicts and deques hold. Checks for lists of similar arrays. */
#include "listed.h"

/* One of Python's numbers; 0 where it is no int that fits, or no float. */
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

/* One of NumPy's numbers; 0 where it is of another dtype. */
static int
put_scalar(PyObject *item, int whole, char *place)
{
    if (whole && Py_IS_TYPE(item, &PyLongArrType_Type)) {
        memcpy(place, &PyArrayScalar_VAL(item, Long), sizeof(int64_t));
        return 1;
    }
    if (!whole && Py_IS_TYPE(item, &PyDoubleArrType_Type)) {
        memcpy(place, &PyArrayScalar_VAL(item, Double), sizeof(double));
        return 1;
    }
    return 0;
}

/* Put one item: a number, or with a width a column of a tuple of as many ints. */
static int
put_part(PyObject *item, const fj_contents *wanted, char *place)
{
    if (wanted->width == 0) {
        return wanted->numpy ? put_scalar(item, wanted->whole, place)
                             : put_item(item, wanted->whole, place);
    }
    if (!PyTuple_CheckExact(item) || PyTuple_GET_SIZE(item) != wanted->width) {
        return 0;
    }
    return put_item(PyTuple_GET_ITEM(item, wanted->column), wanted->whole, place);
}

/* The items of an exact list, or a column of them. */
static PyObject *
of_list(PyObject *list, const fj_contents *wanted)
{
    npy_intp length = PyList_GET_SIZE(list);
    PyObject *made = PyArray_SimpleNew(1, &length, wanted->whole ? NPY_LONG : NPY_DOUBLE);
    if (made == NULL) {
        return NULL;
    }
    if (PyList_GET_SIZE(list) != length) {
        Py_DECREF(made); /* making it has run a collector, which may run anything */
        return NULL;
    }
    char *place = PyArray_BYTES((PyArrayObject *)made);
    for (npy_intp k = 0; k < length; k++, place += 8) {
        if (!put_part(PyList_GET_ITEM(list, k), wanted, place)) { /* borrowed: nothing runs here */
            Py_DECREF(made);
            return NULL;
        }
    }
    return made;
}

/* The items of all lists in a list; -1 where it holds anything but exact lists. */
static npy_intp
count_in_rows(PyObject *list)
{
    npy_intp total = 0;
    for (Py_ssize_t k = 0; k < PyList_GET_SIZE(list); k++) {
        PyObject *row = PyList_GET_ITEM(list, k);
        if (!PyList_CheckExact(row)) {
            return -1;
        }
        total += PyList_GET_SIZE(row);
    }
    return total;
}

/* Fill an array of FJ_ROWS, of `count` lists with `total` items; 0 where they have changed, or hold other things.
 * Borrowed references: nothing runs here. */
static int
fill_rows(PyObject *made, PyObject *list, const fj_contents *wanted, npy_intp count, npy_intp total)
{
    char *place = PyArray_BYTES((PyArrayObject *)made);
    if (PyList_GET_SIZE(list) != count || count_in_rows(list) != total) {
        return 0; /* making the array has run a collector, which may run anything */
    }
    npy_intp width = wanted->column == FJ_GRID ? PyArray_DIM((PyArrayObject *)made, 1) : -1;
    int64_t at = 0;
    for (npy_intp k = 0; k < count; k++) {
        PyObject *row = PyList_GET_ITEM(list, k);
        npy_intp length = PyList_GET_SIZE(row);
        if (width >= 0 && length != width) {
            return 0;
        }
        if (wanted->column >= FJ_STARTS) {
            int64_t bound = wanted->column == FJ_STARTS ? at : at + length;
            memcpy(place + 8 * k, &bound, sizeof bound);
        }
        for (npy_intp j = 0; wanted->column < FJ_STARTS && j < length; j++) {
            PyObject *item = PyList_GET_ITEM(row, j);
            char *to = place + 8 * (at + j);
            if (!(wanted->numpy ? put_scalar(item, wanted->whole, to) : put_item(item, wanted->whole, to))) {
                return 0;
            }
        }
        at += length;
    }
    return 1;
}

/* The numbers in the lists of an exact list, or where those of each list begin or end; NULL as for fj_listed. */
static PyObject *
of_rows(PyObject *list, const fj_contents *wanted)
{
    npy_intp count = PyList_GET_SIZE(list), total = count_in_rows(list);
    if (count == 0 || total < 0) {
        return NULL;
    }
    npy_intp grid[2] = {count, PyList_GET_SIZE(PyList_GET_ITEM(list, 0))};
    int has_bounds = wanted->column >= FJ_STARTS;
    if (wanted->column == FJ_GRID && grid[0] * grid[1] != total) {
        return NULL;
    }
    int typenum = wanted->whole || has_bounds ? NPY_LONG : NPY_DOUBLE;
    PyObject *made = wanted->column == FJ_GRID ? PyArray_SimpleNew(2, grid, typenum)
                                               : PyArray_SimpleNew(1, has_bounds ? &count : &total, typenum);
    if (made != NULL && !fill_rows(made, list, wanted, count, total)) {
        Py_CLEAR(made);
    }
    return made;
}

/* `sets._folded`: an int of 30 bits that depends on all 64 of a number. */
static int64_t
folded(int64_t number)
{
    return (number ^ (number >> 23) ^ (number >> 46)) & 0x3FFFFFFF;
}

/* `sets._spread`: an int in whose lower bits multiples of a number of 30 bits differ. */
static int64_t
spread(int64_t number)
{
    int64_t product = number * 2246822519;
    return (product >> 13) ^ (product >> 32);
}

/* `sets._hashed` of a key; 0 where it is no int that fits, or no tuple of as many. */
static int
hash_of(PyObject *item, const fj_contents *wanted, int64_t *hash)
{
    int64_t mixed = 0, part;
    fj_contents one = *wanted;
    one.column = 0;
    do {
        if (!put_part(item, &one, (char *)&part)) {
            return 0;
        }
        mixed = spread(folded(part) ^ mixed) & (wanted->width ? 0x3FFFFFFF : -1);
    } while (++one.column < wanted->width);
    *hash = mixed;
    return 1;
}

/* Put a key into the slots, behind all whose place in them is taken. */
static int
put_slot(PyObject *item, const fj_contents *wanted, int64_t *slots, int64_t last, int64_t number)
{
    int64_t place;
    if (!hash_of(item, wanted, &place)) {
        return 0;
    }
    place &= last;
    while (slots[place] > 0) {
        place = (place + 1) & last;
    }
    slots[place] = number;
    return 1;
}

/* The next item of a set or a deque, or the next key or value of a dict, as a new reference; NULL at the end. */
static PyObject *
next_item(PyObject *owner, PyObject *iterator, Py_ssize_t *at, int part)
{
    if (iterator != NULL) {
        return PyIter_Next(iterator);
    }
    PyObject *key, *value;
    if (!PyDict_Next(owner, at, &key, &value)) {
        return NULL;
    }
    return Py_NewRef(part == FJ_VALUES ? value : key);
}

int
fj_is_deque(PyObject *owner)
{
    static PyObject *kind;
    if (kind == NULL) {
        PyObject *module = PyImport_ImportModule("collections");
        kind = module == NULL ? NULL : PyObject_GetAttrString(module, "deque");
        Py_XDECREF(module);
        if (kind == NULL) {
            return -1;
        }
    }
    return (PyObject *)Py_TYPE(owner) == kind;
}

/* 1 for an exact deque of this greatest length, -1 for none. */
static int
is_deque_of(PyObject *owner, int64_t longest)
{
    PyObject *most = fj_is_deque(owner) > 0 ? PyObject_GetAttrString(owner, "maxlen") : NULL;
    int holds = most != NULL && (most == Py_None ? longest == -1 : PyLong_AsLongLong(most) == longest);
    Py_XDECREF(most);
    return holds;
}

/* Fill an array of `length` numbers with a container's items, or one of slots; 0 where an item is of another
 * kind, or their number has changed. */
static int
fill(PyObject *made, PyObject *owner, PyObject *iterator, const fj_contents *wanted, npy_intp length)
{
    char *place = PyArray_BYTES((PyArrayObject *)made);
    int64_t last = PyArray_DIM((PyArrayObject *)made, 0) - 1;
    Py_ssize_t at = 0;
    npy_intp count = 0;
    for (PyObject *item; (item = next_item(owner, iterator, &at, wanted->part)) != NULL; count++) {
        int fits = count < length &&
                   (wanted->part == FJ_SLOTS
                        ? put_slot(item, wanted, (int64_t *)place, last, count + 1)
                        : put_part(item, wanted, place + 8 * count));
        Py_DECREF(item); /* the container has it, too */
        if (!fits) {
            return 0;
        }
    }
    return count == length;
}

/* The same as an array, for a set, a deque or a dict; NULL as for fj_listed. */
static PyObject *
of_container(PyObject *owner, const fj_contents *wanted)
{
    npy_intp length = PyObject_Size(owner), size = length;
    if (length < 0) {
        return NULL;
    }
    int typenum = wanted->whole || wanted->part >= FJ_SLOTS ? NPY_LONG : NPY_DOUBLE;
    if (wanted->part == FJ_SLOTS) {
        for (size = FJ_FIRST_SLOTS; size < 2 * length; size *= 2) {
        }
    }
    PyObject *made = PyArray_ZEROS(1, &size, typenum, 0);
    if (wanted->part == FJ_PLACES) {
        int64_t *places = made == NULL ? NULL : PyArray_DATA((PyArrayObject *)made);
        for (npy_intp k = 0; places != NULL && k < length; k++) {
            places[k] = k;
        }
        return made;
    }
    PyObject *iterator = PyDict_CheckExact(owner) || made == NULL ? NULL : PyObject_GetIter(owner);
    int filled = made != NULL && (iterator != NULL || PyDict_CheckExact(owner)) &&
                 fill(made, owner, iterator, wanted, length);
    Py_XDECREF(iterator);
    if (!filled) {
        Py_CLEAR(made);
    }
    return made;
}

PyObject *
fj_listed(PyObject *owner, int code, int64_t longest)
{
    fj_contents wanted = {code & 1, code >> 1 & 7, code >> 4 & 15, code >> 8 & 15, code >> 12 & 1};
    if (wanted.part == FJ_ROWS) {
        int is_known = wanted.width == 0 && wanted.column <= FJ_ENDS;
        return is_known && PyList_CheckExact(owner) ? of_rows(owner, &wanted) : NULL;
    }
    if (wanted.width ? wanted.column >= wanted.width : wanted.column != 0) {
        return NULL;
    }
    if (PyList_CheckExact(owner)) {
        return wanted.part == FJ_ITEMS ? of_list(owner, &wanted) : NULL;
    }
    int has_it;
    if (PyDict_CheckExact(owner)) {
        has_it = wanted.part != FJ_ITEMS;
    }
    else {
        has_it = wanted.part == FJ_ITEMS || wanted.part >= FJ_SLOTS;
        has_it = has_it && (PySet_CheckExact(owner) || is_deque_of(owner, longest));
    }
    return has_it ? of_container(owner, &wanted) : NULL;
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
