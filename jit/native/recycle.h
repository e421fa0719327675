/* Recycles the memory of large arrays. */
#ifndef FRAMEJIT_RECYCLE_H
#define FRAMEJIT_RECYCLE_H

#include "core.h"

int fj_recycle_init(PyObject *module);

/* New reference to a fresh uninitialised array, or NULL with an exception; steals `descr`. */
PyObject *fj_new_array(PyArray_Descr *descr, int ndim, const npy_intp *dims,
                       const npy_intp *strides);

#endif
