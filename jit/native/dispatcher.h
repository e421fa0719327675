/* What others may ask of a dispatcher. */
#ifndef FRAMEJIT_DISPATCHER_H
#define FRAMEJIT_DISPATCHER_H

#include "core.h"

/* Tries the entries on arguments that are bound already, for a call of `function`, whose dispatcher
 * this is. New reference to the result, or to an Instead with the rewritten code; NULL without an
 * exception when the function has to run as it is. */
PyObject *fj_dispatcher_attempt(PyObject *dispatcher, PyObject *function, PyObject *const *args,
                                Py_ssize_t count);

#endif
