/* Kinds of calls, and a trial for each.
 *
 * The faster side for ten items need not be so for a million: if calls of both kinds alternate, one verdict
 * for both would be that of the cheaper kind, whose fastest call is the fastest of all. So an entry has a
 * trial for each kind of calls. The kind is a hash of what can be read from the arguments in a few
 * nanoseconds: types, dtypes, sizes in steps. Arrays in attributes of an object are not seen; calls that take
 * much longer because of these cause another trial of their kind (ab_timing.c).
 *
 * Kinds with equal hashes share a verdict, and so do all kinds after the first few: that costs time, not
 * correctness. The first trial of each further kind waits until calls have paid for the previous ones. */
#define PY_SSIZE_T_CLEAN
#include "core.h"
#include "kinds.h"

enum {
    SEEN = 8,       /* arguments that are looked at */
    SIZES = 2,      /* bits of one step of sizes: four times as many items are another kind */
    NUMBERS = 3,    /* the same of ints, which may be numbers of iterations, or may not */
    PAID = 100,     /* after a trial calls must take so many times what it lost before another kind is tried */
    LATER = 8,      /* calls after which a kind that waits for that asks again */
    BUSY = 64,      /* calls of other kinds after which they no longer wait for the kind that is tried */
    SOME = 100,     /* nanoseconds that a call of a kind counts for that has not been timed */
};

#define SPREAD 0x9E3779B97F4A7C15u /* odd: multiplying by it moves each bit of a number to higher ones */

static inline uint64_t
mixed(uint64_t hash, uint64_t with)
{
    hash = (hash ^ with) * SPREAD;
    return hash ^ (hash >> 29);
}

/* Return the number of binary digits of a size. */
static inline uint64_t
digits(uint64_t size)
{
    return size == 0 ? 0 : 64 - (uint64_t)__builtin_clzll(size);
}

static inline uint64_t
step_of(Py_ssize_t size)
{
    return (digits((uint64_t)size) + SIZES - 1) / SIZES;
}

static inline uint64_t
kind_of_array(PyArrayObject *array)
{
    npy_uint64 size = 1;
    for (int k = 0; k < PyArray_NDIM(array); k++) {
        size *= (npy_uint64)PyArray_DIM(array, k);
    }
    int order = PyArray_FLAGS(array) & (NPY_ARRAY_C_CONTIGUOUS | NPY_ARRAY_F_CONTIGUOUS);
    return step_of((Py_ssize_t)size) | (uint64_t)PyArray_NDIM(array) << 8 | (uint64_t)order << 16 |
           (uint64_t)PyArray_DESCR(array)->type_num << 24;
}

static inline uint64_t
kind_of_int(PyObject *number)
{
    int overflow;
    long value = PyLong_AsLongAndOverflow(number, &overflow);
    uint64_t size = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    return overflow != 0 ? 64 : (digits(size) + NUMBERS - 1) / NUMBERS;
}

static inline uint64_t
kind_of_argument(PyObject *value)
{
    PyTypeObject *type = Py_TYPE(value);
    if (type == &PyFloat_Type) { /* the question below goes through the bases of other types */
        return 0;
    }
    if (PyArray_Check(value)) {
        return kind_of_array((PyArrayObject *)value);
    }
    if (type == &PyLong_Type) {
        return kind_of_int(value);
    }
    if (type == &PyList_Type || type == &PyTuple_Type || type == &PyBytes_Type) {
        return step_of(Py_SIZE(value));
    }
    if (type == &PyDict_Type) {
        return step_of(PyDict_GET_SIZE(value));
    }
    if (type == &PyUnicode_Type) {
        return step_of(PyUnicode_GET_LENGTH(value));
    }
    return value == Py_True;
}

uint64_t
fj_kind_of(PyObject *const *args, Py_ssize_t count)
{
    uint64_t hash = (uint64_t)count;
    for (Py_ssize_t k = 0; k < count && k < SEEN; k++) {
        hash = mixed(hash, (uint64_t)(uintptr_t)Py_TYPE(args[k]) ^ kind_of_argument(args[k]) * SPREAD);
    }
    return hash;
}

const fj_ab_timing *
fj_kinds_peek(const fj_kinds *kinds, uint64_t key)
{
    for (int k = 0; k < kinds->count; k++) {
        if (kinds->keys[k] == key || k == FJ_KINDS - 1) {
            return &kinds->trials[k];
        }
    }
    return NULL;
}

fj_ab_timing *
fj_kinds_find(fj_kinds *kinds, uint64_t key)
{
    if (kinds->count > 0 && kinds->keys[kinds->last] == key) {
        return &kinds->trials[kinds->last];
    }
    int64_t before = kinds->trials[kinds->last].usual;
    const fj_ab_timing *found = fj_kinds_peek(kinds, key);
    kinds->last = found != NULL ? (int)(found - kinds->trials) : kinds->count;
    fj_ab_timing *trial = &kinds->trials[kinds->last];
    if (found == NULL) {
        *trial = (fj_ab_timing){.saves = kinds->saves, .usual = before};
        kinds->keys[kinds->count++] = key;
    }
    trial->most = kinds->most;
    return trial;
}

/* Count a call; 1 if the first trial of its kind must wait, as a trial of another kind goes on or is not paid
 * for. */
static int
is_to_wait(fj_kinds *kinds, const fj_ab_timing *trial)
{
    if (kinds->owed > 0) {
        kinds->owed -= trial->usual > 0 ? trial->usual : SOME;
    }
    kinds->busy -= kinds->busy > 0;
    int is_due = trial->trials == 0 && trial->calls >= trial->wait && kinds->count > 1;
    return is_due && trial != kinds->tried && (kinds->busy > 0 || kinds->owed > 0);
}

/* Charge what a trial that has ended has lost: calls pay for it before another kind is tried. */
static void
charge(fj_kinds *kinds, fj_ab_timing *trial)
{
    if (trial->paid_for == trial->trials) {
        return;
    }
    trial->paid_for = trial->trials;
    int64_t price = trial->lost > INT64_MAX / (4 * PAID) ? INT64_MAX / 4 : trial->lost * PAID;
    kinds->owed = kinds->owed > INT64_MAX / 2 ? kinds->owed : kinds->owed + price;
    kinds->busy = 0;
    kinds->tried = NULL;
}

int
fj_kinds_begin(fj_kinds *kinds, PyObject *holder, const void *of, uint64_t wait, fj_sample *sample)
{
    fj_ab_timing *running = &kinds->trials[kinds->last];
    if (running->running) {
        return fj_ab_timing_begin(running, holder, of, wait, sample);
    }
    charge(kinds, running);
    fj_ab_timing *trial = fj_kinds_find(kinds, sample->kind);
    if (trial->of == of && is_to_wait(kinds, trial)) {
        trial->wait = trial->calls + LATER;
    }
    int side = fj_ab_timing_begin(trial, holder, of, wait, sample);
    if (sample->trial != NULL && sample->counts) {
        kinds->tried = trial;
        kinds->busy = BUSY;
    }
    return side;
}

PyObject *
fj_kinds_show(const fj_kinds *kinds)
{
    return fj_ab_timing_show(&kinds->trials[kinds->last]);
}

PyObject *
fj_kinds_list(const fj_kinds *kinds)
{
    PyObject *list = PyList_New(0);
    for (int k = 0; list != NULL && k < kinds->count; k++) {
        const fj_ab_timing *trial = &kinds->trials[k];
        PyObject *one = Py_BuildValue("IiLLK", trial->trials, trial->side,
                                      (long long)trial->least[FJ_COMPILED],
                                      (long long)trial->least[FJ_PLAIN],
                                      (unsigned long long)trial->compiled);
        if (one == NULL || PyList_Append(list, one) < 0) {
            Py_CLEAR(list);
        }
        Py_XDECREF(one);
    }
    return list;
}
