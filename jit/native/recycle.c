/* Recycles the memory of large arrays for later ones.
 *
 * New memory from the system costs a page fault for every 4 KiB and is zeroed first: a sum of two arrays of
 * 80 MB takes twice as long. The C library keeps blocks of up to 32 MB for a while, and returns even those
 * when two results die at a time.
 *
 * Arrays that kernels make get their memory through a NumPy handler (NEP 49) that keeps some of the freed
 * blocks. Otherwise they are ordinary arrays: they own their memory, and may be resized. All of this runs
 * with the GIL. */
#include "recycle.h"

#define LEAST ((size_t)1 << 18) /* smaller blocks the C library is good at */
#define MOST ((size_t)1 << 28)  /* that all blocks kept may have together */
#define BLOCKS 8

typedef struct {
    void *memory;
    size_t size;
} block;

static block kept[BLOCKS]; /* the one that was freed last comes first */
static int n_kept;
static size_t kept_bytes;
static PyObject *ours;                /* the capsule of the handler */
static PyDataMem_Handler *underlying; /* NumPy's own, which gives and takes the memory */

/* Takes the block out of the list; its memory is the caller's. */
static void *
take(int place)
{
    block taken = kept[place];
    n_kept--;
    memmove(&kept[place], &kept[place + 1], (size_t)(n_kept - place) * sizeof(block));
    kept_bytes -= taken.size;
    return taken.memory;
}

static void
give_back(int place)
{
    size_t size = kept[place].size;
    void *memory = take(place);
    underlying->allocator.free(underlying->allocator.ctx, memory, size);
}

static void
give_all_back(void)
{
    while (n_kept > 0) {
        give_back(n_kept - 1);
    }
}

/* Return a block of exactly that size, if one is kept: the results of a loop often have equal sizes. */
static void *
allocate(void *ignored, size_t size)
{
    (void)ignored;
    for (int place = 0; place < n_kept; place++) {
        if (kept[place].size == size) {
            return take(place);
        }
    }
    void *memory = underlying->allocator.malloc(underlying->allocator.ctx, size);
    if (memory == NULL && n_kept > 0) {
        give_all_back();
        memory = underlying->allocator.malloc(underlying->allocator.ctx, size);
    }
    return memory;
}

static void *
allocate_zeros(void *ignored, size_t count, size_t size)
{
    (void)ignored;
    return underlying->allocator.calloc(underlying->allocator.ctx, count, size);
}

static void *
resize(void *ignored, void *memory, size_t size)
{
    (void)ignored;
    return underlying->allocator.realloc(underlying->allocator.ctx, memory, size);
}

/* NumPy tells how large the array was when it died. */
static void
release(void *ignored, void *memory, size_t size)
{
    (void)ignored;
    if (memory == NULL || size < LEAST || size > MOST) {
        underlying->allocator.free(underlying->allocator.ctx, memory, size);
        return;
    }
    while (n_kept == BLOCKS || kept_bytes + size > MOST) {
        give_back(n_kept - 1);
    }
    memmove(&kept[1], &kept[0], (size_t)n_kept * sizeof(block));
    kept[0] = (block){memory, size};
    n_kept++;
    kept_bytes += size;
}

static PyDataMem_Handler handler = {
    "framejit_recycler", 1, {NULL, allocate, allocate_zeros, resize, release}};

PyObject *
fj_new_array(PyArray_Descr *descr, int ndim, const npy_intp *dims, const npy_intp *strides)
{
    size_t size = (size_t)PyDataType_ELSIZE(descr);
    for (int axis = 0; axis < ndim && size < LEAST; axis++) {
        size *= (size_t)dims[axis]; /* a zero behind makes no array large */
    }
    if (size < LEAST) {
        return PyArray_NewFromDescr(&PyArray_Type, descr, ndim, dims, strides, NULL, 0, NULL);
    }
    /* A program with its own handler wants it for all arrays. */
    PyObject *before = PyDataMem_GetHandler();
    if (before != PyDataMem_DefaultHandler) {
        Py_XDECREF(before);
        if (before == NULL) {
            Py_DECREF(descr);
            return NULL;
        }
        return PyArray_NewFromDescr(&PyArray_Type, descr, ndim, dims, strides, NULL, 0, NULL);
    }
    Py_DECREF(before);
    before = PyDataMem_SetHandler(ours);
    if (before == NULL) {
        Py_DECREF(descr);
        return NULL;
    }
    PyObject *array = PyArray_NewFromDescr(&PyArray_Type, descr, ndim, dims, strides, NULL, 0,
                                           NULL);
    PyObject *type, *value, *traceback;
    PyErr_Fetch(&type, &value, &traceback);
    PyObject *again = PyDataMem_SetHandler(before);
    Py_DECREF(before);
    if (again == NULL) { /* memory has run out: the exception is that one */
        Py_XDECREF(type);
        Py_XDECREF(value);
        Py_XDECREF(traceback);
        Py_CLEAR(array);
        return NULL;
    }
    Py_DECREF(again);
    PyErr_Restore(type, value, traceback);
    return array;
}

static PyObject *
kept_memory(PyObject *module, PyObject *ignored)
{
    (void)module;
    (void)ignored;
    return PyLong_FromSize_t(kept_bytes);
}

static PyObject *
drop_memory(PyObject *module, PyObject *ignored)
{
    (void)module;
    (void)ignored;
    give_all_back();
    Py_RETURN_NONE;
}

static PyMethodDef functions[] = {
    {"kept_memory", kept_memory, METH_NOARGS,
     "kept_memory() -> bytes of results that have died, kept for those to come."},
    {"drop_memory", drop_memory, METH_NOARGS, "drop_memory(): give all of that back."},
    {NULL, NULL, 0, NULL},
};

int
fj_recycle_init(PyObject *module)
{
    underlying = PyCapsule_GetPointer(PyDataMem_DefaultHandler, "mem_handler");
    ours = underlying == NULL ? NULL : PyCapsule_New(&handler, "mem_handler", NULL);
    return ours == NULL ? -1 : PyModule_AddFunctions(module, functions);
}
