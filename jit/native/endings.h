/* Detects objects whose deallocation can be observed. */
#ifndef FRAMEJIT_ENDINGS_H
#define FRAMEJIT_ENDINGS_H

#include "core.h"

/* 1 if dropping the last reference to `object` (borrowed) could be observed: by a finaliser or the callback
 * of a weak reference, of the object or of something that dies with it. An object inside it dies with it if
 * it has at most `last` references. Runs no Python code. */
int fj_finalisation_is_observable(PyObject *object, Py_ssize_t last);

enum { FJ_HELD = 4 }; /* references that a capture itself may have to something it has looked at */

/* Exports finalisation_is_observable(); 0, or -1 with an exception. */
int fj_endings_init(PyObject *module);

#endif
