/* Iterators that are objects: see iterators.c. */
#ifndef FRAMEJIT_ITERATORS_H
#define FRAMEJIT_ITERATORS_H

#include "interp.h"

/* Adds `iterator_object` to the module: 0, or -1 with an exception. */
int fj_iterators_init(PyObject *module);

#if defined(FJ_INTERP_INSIDE) && FJ_HOOK_SUPPORTED
/* Put an object in the place of an iterator that is a list or the like and an index, if there is one on top of the
 * stack of a frame that has called something: 0, or -1 without an exception, when the frame is as it was. */
int fj_frame_settle_iterator(fj_frame *frame);
#endif

#endif
