/* Other code for a frame, as `handle` may answer instead of a result. */
#ifndef FRAMEJIT_INSTEAD_H
#define FRAMEJIT_INSTEAD_H

#include "interp.h"

/* Instead(function): the frame goes on with the code of this function, which is its own code
 * rewritten. Never a result of user code, which cannot get hold of one. */
extern PyTypeObject FjInstead_Type;

/* New reference, or NULL with MemoryError. Owns the function. */
PyObject *fj_instead_new(PyObject *function);

/* The function: borrowed. */
PyObject *fj_instead_function(PyObject *instead);

#if defined(FJ_INTERP_INSIDE) && FJ_HOOK_SUPPORTED

/* Makes room behind a fresh frame for the stack of the function's code: 1; 0 when there is none, or
 * when the code is of another kind. Borrows. */
int fj_frame_makes_room(PyThreadState *tstate, fj_frame *frame, PyObject *function);

/* Evaluates a frame that has room with the function's code: a new reference, or NULL with an
 * exception. The interpreter clears and pops it as ever. Borrows the function. */
PyObject *fj_frame_eval_instead(PyThreadState *tstate, fj_frame *frame, PyObject *function);

#endif
#endif
