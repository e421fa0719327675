/* Scratch memory of kernels, exclusive while they run. */
#ifndef FRAMEJIT_SCRATCH_H
#define FRAMEJIT_SCRATCH_H

#include <Python.h>

/* Aligned memory of at least `size` bytes, or NULL without an exception; it goes back through
 * fj_scratch_return. */
void *fj_scratch_borrow(Py_ssize_t size);
/* NULL is allowed. */
void fj_scratch_return(void *memory);
/* 0, or -1 with an exception. */
int fj_scratch_init(void);

#endif
