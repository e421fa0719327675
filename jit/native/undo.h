/* Undo log of a launch, for bails. */
#ifndef FRAMEJIT_UNDO_H
#define FRAMEJIT_UNDO_H

#include "core.h"

/* Undone at a bail: an array, its old content, and where its items are; or a callable, which is called, and
 * NULL. Both are owned. */
struct fj_undo_item {
    PyObject *object;
    PyArrayObject *before;
    char *data;
    npy_intp strides[FJ_MAX_NDIM];
};

/* Restore puts back what the launch has written since the last checkpoint; settle keeps it. Both leave
 * nothing to undo, and leave a set exception alone. */
void fj_undo_restore(fj_run *run);
void fj_undo_drop(fj_run *run);

#endif
