/* The heap of the C library keeps what the program frees.
 *
 * glibc takes blocks of more than some threshold from the system one by one, and gives memory back that is
 * free at the end of its heap, so that each temporary array is made of pages that the kernel has to clear:
 * 0.1 to 0.25 ns a byte, which is up to half of the time of NumPy programs. It raises both thresholds by
 * itself when a larger block is freed, up to 32 MiB and 64 MiB. We free one block of that size: then it does
 * what it does for all programs that have freed such an array. Thresholds that the user has set
 * (GLIBC_TUNABLES, MALLOC_MMAP_THRESHOLD_) stay as they are. */
#include "core.h"
#include <stdlib.h>

#define LARGEST ((size_t)32 << 20) /* bytes of the largest block that raises the threshold, with its header */
#define HEADER ((size_t)1 << 16)   /* more than that takes, page rounding included */

static int keeps; /* keep_freed() was called */

/* keep_freed(): None. */
static PyObject *
keep_freed(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(ignored))
{
    void *volatile block = malloc(LARGEST - HEADER); /* volatile: else the compiler drops both calls */
    free(block);
    keeps = 1;
    Py_RETURN_NONE;
}

/* keeps_freed(): a new reference to a bool. */
static PyObject *
keeps_freed(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(ignored))
{
    return PyBool_FromLong(keeps);
}

static PyMethodDef functions[] = {
    {"keep_freed", keep_freed, METH_NOARGS,
     "keep_freed(): memory that is freed stays in the heap, up to 64 MiB, for arrays up to 32 MiB."},
    {"keeps_freed", keeps_freed, METH_NOARGS, "keeps_freed() -> whether that was called."},
    {NULL, NULL, 0, NULL},
};

int
fj_heap_init(PyObject *module)
{
    return PyModule_AddFunctions(module, functions);
}
