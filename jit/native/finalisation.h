/* Detects objects whose finalisation can be observed. */
#ifndef FRAMEJIT_FINALISATION_H
#define FRAMEJIT_FINALISATION_H

#include "core.h"

/* 1 if dropping the last reference to `object` (borrowed) could be observed: by a finaliser or the callback
 * of a weak reference, of the object or of something that dies with it. An object inside it dies with it if
 * it has at most `last` references. Runs no Python code. */
int fj_finalisation_is_observable(PyObject *object, Py_ssize_t last);

enum { FJ_CAPTURE_REFERENCES = 4 }; /* at most so many are held by the capture that asks about an object */

/* Exports finalisation_is_observable(); 0, or -1 with an exception. */
int fj_finalisation_init(PyObject *module);

#endif
