/* A fresh frame can run other code than its own: `handle` then answers with a CodeSwap, not with a result. */
#ifndef FRAMEJIT_CODE_SWAP_H
#define FRAMEJIT_CODE_SWAP_H

#include "interp.h"

/* CodeSwap(function): the frame runs the code of this function, which is its own code rewritten. User code
 * cannot get hold of one, so it is never the result of a call. */
extern PyTypeObject FjCodeSwap_Type;

/* New reference, or NULL with MemoryError. Owns the function. */
PyObject *fj_code_swap_new(PyObject *function);

/* The function: borrowed. */
PyObject *fj_code_swap_function(PyObject *swap);

#if defined(FJ_INTERP_INSIDE) && FJ_HOOK_SUPPORTED

/* Extend a fresh frame so that the stack of the function's code fits. Return 1, or 0 if there is no room or
 * if frames of that code have other slots. Borrows. */
int fj_frame_makes_room(PyThreadState *tstate, fj_frame *frame, PyObject *function);

/* Evaluate a frame with the function's code, after fj_frame_makes_room() has returned 1: a new reference, or
 * NULL with an exception. The interpreter clears and pops the frame as usual. Borrows the function. */
PyObject *fj_frame_eval_swapped(PyThreadState *tstate, fj_frame *frame, PyObject *function);

#endif
#endif
