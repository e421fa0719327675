/* The frame hook (PEP 523): see frame_hook.c. */
#ifndef FRAMEJIT_FRAME_HOOK_H
#define FRAMEJIT_FRAME_HOOK_H

#include "records.h"

/* The singleton that `handle` returns when the frame is to be evaluated as it is. Owned by
 * frame_hook.c for the life of the process; NULL before fj_frame_hook_init. */
extern PyObject *fj_run_original;

/* Initialises interp.c and adds the functions of the hook, RUN_ORIGINAL and the marks to the
 * module. 0, or -1 with an exception. Borrows the module. */
int fj_frame_hook_init(PyObject *module);

#endif
