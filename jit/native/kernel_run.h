/* One run of a kernel, see kernel_run.c. */
#ifndef FRAMEJIT_KERNEL_RUN_H
#define FRAMEJIT_KERNEL_RUN_H

#include "core.h"

/* Fills the words and runs the kernel; `memory` is its scratch. *result is a new reference where the outcome is
 * FJ_TAKEN. With FJ_BAIL, what it has written is still to be put back. */
fj_outcome fj_run_on_words(fj_run *run, void *memory, PyObject **result, Py_ssize_t *exit);

/* The same of the numpy backend: a Python callable takes all slots and gives (exit, payload) or None. */
fj_outcome fj_run_python_kernel(fj_run *run, PyObject **result, Py_ssize_t *exit);

/* After a bail: keeps the finished iterations of a loop where that can be, and tells the owner. *result is a new
 * reference where the outcome is FJ_TAKEN. */
fj_outcome fj_run_bailed(fj_run *run, void *memory, PyObject **result, Py_ssize_t *exit);

/* Releases what guards have fetched and the kernel has made. */
void fj_drop_slots(fj_run *run);

#endif
