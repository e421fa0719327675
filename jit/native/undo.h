/* Undo log of a launch, for bails. */
#ifndef FRAMEJIT_UNDO_H
#define FRAMEJIT_UNDO_H

#include "core.h"

/* Something that a bail undoes: a write to an array, of which there is a copy, and where the items were; or, if
 * `before` is NULL, anything else, by calling `object`. Both references are owned. */
struct fj_undo_item {
    PyObject *object;
    PyArrayObject *before;
    char *data;
    npy_intp strides[FJ_MAX_NDIM];
};

/* Restore puts back what the launch has written since the last checkpoint, drop keeps it. After both nothing is
 * left to undo, and a set exception still is set. */
void fj_undo_restore(fj_run *run);
void fj_undo_drop(fj_run *run);

#endif
