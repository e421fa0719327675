/* Scratch memory of this thread, kept between launches and freed when the thread ends. A nested launch (an
 * opaque call that reaches another jitted function) finds it taken and allocates its own. */
#include "scratch.h"
#include <pthread.h>

static _Thread_local struct {
    void *memory;
    Py_ssize_t size;
    int taken;
} scratch;

static pthread_key_t scratch_key; /* for its destructor only */

int
fj_scratch_init(void)
{
    if (pthread_key_create(&scratch_key, free) != 0) {
        PyErr_SetString(PyExc_RuntimeError, "framejit: no thread-specific storage is left");
        return -1;
    }
    return 0;
}

void *
fj_scratch_borrow(Py_ssize_t size)
{
    size = (size + 63) & ~(Py_ssize_t)63;
    if (scratch.taken) {
        return aligned_alloc(64, (size_t)size);
    }
    if (scratch.size < size) {
        free(scratch.memory);
        scratch.memory = aligned_alloc(64, (size_t)size);
        scratch.size = scratch.memory != NULL ? size : 0;
        if (pthread_setspecific(scratch_key, scratch.memory) != 0) {
            free(scratch.memory);
            scratch.memory = NULL;
            scratch.size = 0;
        }
    }
    scratch.taken = scratch.memory != NULL;
    return scratch.memory;
}

void
fj_scratch_return(void *memory)
{
    if (memory != NULL && memory == scratch.memory) {
        scratch.taken = 0;
    }
    else {
        free(memory);
    }
}
