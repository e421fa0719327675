/* Converts numbers of several types to the Python float or int that a kernel takes.
 *
 * The possible types are bits of a mask, numbered as in guards/numbers.py: Python's own, NumPy's scalars, and
 * arrays without axes. */
#include "number.h"

enum { OF_BOOL, OF_INT, OF_FLOAT, OF_SCALARS = 8, OF_ARRAYS = 32 };

/* The type number of NumPy's own scalars of these types; -1 for all others, derived ones as well. */
static int
scalar_number(const PyTypeObject *type)
{
    const PyTypeObject *known[] = {
        &PyBoolArrType_Type,  &PyByteArrType_Type,   &PyUByteArrType_Type, &PyShortArrType_Type,
        &PyUShortArrType_Type, &PyIntArrType_Type,   &PyUIntArrType_Type,  &PyLongArrType_Type,
        &PyULongArrType_Type, &PyLongLongArrType_Type, &PyULongLongArrType_Type,
        &PyFloatArrType_Type, &PyDoubleArrType_Type};
    for (int number = NPY_BOOL; number <= NPY_DOUBLE; number++) {
        if (type == known[number]) {
            return number;
        }
    }
    return -1;
}

/* The bit of an object, and of NumPy's numbers the type and the bytes; -1 where there is none. */
static int
read_bit(PyObject *value, int *number, int64_t *bytes)
{
    if (PyBool_Check(value)) {
        return OF_BOOL;
    }
    if (PyLong_CheckExact(value)) {
        return OF_INT;
    }
    if (PyFloat_CheckExact(value)) {
        return OF_FLOAT;
    }
    if (Py_IS_TYPE(value, &PyArray_Type)) {
        PyArrayObject *array = (PyArrayObject *)value;
        *number = PyArray_DESCR(array)->type_num;
        if (PyArray_NDIM(array) != 0 || !PyArray_ISBEHAVED_RO(array) || *number > NPY_DOUBLE) {
            return -1;
        }
        memcpy(bytes, PyArray_DATA(array), (size_t)PyArray_ITEMSIZE(array));
        return OF_ARRAYS + *number;
    }
    *number = scalar_number(Py_TYPE(value));
    if (*number < 0) {
        return -1;
    }
    PyArray_ScalarAsCtype(value, bytes);
    return OF_SCALARS + *number;
}

/* Ints up to this one are doubles; the next one is rounded to it. */
static const double MOST = 9007199254740991.0;

typedef union {
    double real;
    int64_t whole;
} fj_number;

/* Read a NumPy number as a double, or with `whole` as an int64; 0 if it does not fit or would raise a
 * floating point flag. */
static int
read_number(const int64_t *bytes, int number, int whole, fj_number *out)
{
    switch (number) {
#define WHOLE(name, type)                                  \
    case name: {                                           \
        type found;                                        \
        memcpy(&found, bytes, sizeof found);               \
        if (whole) {                                       \
            out->whole = (int64_t)found;                   \
            return name != NPY_ULONG || out->whole >= 0;   \
        }                                                  \
        out->real = (double)found;                         \
        return 1;                                          \
    }
        WHOLE(NPY_BOOL, npy_bool)
        WHOLE(NPY_BYTE, npy_byte)
        WHOLE(NPY_UBYTE, npy_ubyte)
        WHOLE(NPY_SHORT, npy_short)
        WHOLE(NPY_USHORT, npy_ushort)
        WHOLE(NPY_INT, npy_int)
        WHOLE(NPY_UINT, npy_uint)
        WHOLE(NPY_LONG, npy_long)
        WHOLE(NPY_LONGLONG, npy_longlong)
        WHOLE(NPY_ULONG, npy_ulong)
#undef WHOLE
    case NPY_FLOAT: {
        float found;
        memcpy(&found, bytes, sizeof found);
        out->real = (double)found;
        return !whole && found == found; /* a signalling NaN would raise a flag */
    }
    case NPY_DOUBLE:
        memcpy(&out->real, bytes, sizeof out->real);
        return !whole;
    }
    return 0;
}

PyObject *
fj_number_of(PyObject *value, int64_t kinds, int how)
{
    int64_t bytes = 0;
    int number = -1, bit = read_bit(value, &number, &bytes), whole = how & FJ_WHOLE;
    if (bit < 0 || !((kinds >> bit) & 1)) {
        return NULL;
    }
    if (bit == OF_FLOAT) {
        return whole ? NULL : Py_NewRef(value);
    }
    fj_number found;
    if (bit == OF_BOOL || bit == OF_INT) {
        int overflow;
        int64_t given = PyLong_AsLongLongAndOverflow(value, &overflow);
        if (overflow) {
            return NULL;
        }
        number = NPY_LONG;
        bytes = given;
    }
    if (!read_number(&bytes, number, whole, &found)) {
        return NULL;
    }
    if ((how & FJ_EXACT) && (found.real > MOST || found.real < -MOST)) {
        return NULL;
    }
    return whole ? PyLong_FromLongLong(found.whole) : PyFloat_FromDouble(found.real);
}

/* 1 for an array of doubles of this length that kernels read like a new one. */
static int
is_line(PyObject *value, npy_intp length)
{
    if (!Py_IS_TYPE(value, &PyArray_Type)) {
        return 0;
    }
    PyArrayObject *array = (PyArrayObject *)value;
    return PyArray_NDIM(array) == 1 && PyArray_TYPE(array) == NPY_DOUBLE && PyArray_ISCARRAY_RO(array) &&
           PyArray_DIM(array, 0) == length && PyArray_STRIDE(array, 0) == sizeof(double) &&
           PyDataType_METADATA(PyArray_DESCR(array)) == NULL;
}

PyObject *
fj_spread(PyObject *value, PyObject *like, int64_t kinds)
{
    if (!Py_IS_TYPE(like, &PyArray_Type) || PyArray_NDIM((PyArrayObject *)like) != 1) {
        return NULL;
    }
    npy_intp length = PyArray_DIM((PyArrayObject *)like, 0);
    if (is_line(value, length)) {
        return Py_NewRef(value);
    }
    PyObject *number = fj_number_of(value, kinds, 0);
    if (number == NULL) {
        return NULL;
    }
    double real = PyFloat_AS_DOUBLE(number);
    Py_DECREF(number);
    PyObject *made = real == real ? PyArray_SimpleNew(1, &length, NPY_DOUBLE) : NULL;
    if (made == NULL) {
        return NULL;
    }
    double *items = PyArray_DATA((PyArrayObject *)made);
    for (npy_intp k = 0; k < length; k++) {
        items[k] = real;
    }
    return made;
}
