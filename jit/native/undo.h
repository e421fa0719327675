/* What a bail puts back. */
#ifndef FRAMEJIT_UNDO_H
#define FRAMEJIT_UNDO_H

#include "core.h"

/* What is put back at a bail: an array, what it held, and where its items stand; or a callable that does
 * it, and NULL. Both are owned. */
struct fj_undo_item {
    PyObject *object;
    PyArrayObject *before;
    char *data;
    npy_intp strides[FJ_MAX_NDIM];
};

/* Puts back what the launch has written since the last checkpoint; keeps what it has written. Both
 * leave nothing to undo, and an exception that is set as it is. */
void fj_undo_restore(fj_run *run);
void fj_undo_drop(fj_run *run);

#endif
