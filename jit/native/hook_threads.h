/* The threads in which the frame hook acts: see hook_threads.c. */
#ifndef FRAMEJIT_HOOK_THREADS_H
#define FRAMEJIT_HOOK_THREADS_H

#include "interp.h"

/* Keeps the evaluation function that enabling installs, and adds the functions of this file to the
 * module. 0, or -1 with an exception. Borrows the module. */
int fj_hook_threads_init(PyObject *module, _PyFrameEvalFunction hook);

/* Implement hook_enable() and hook_disable(): 0, or -1 with an exception. Enabling returns 1, and must not be
 * undone, where frames cannot be hooked. */
int fj_frame_hook_enter(void);
int fj_frame_hook_leave(void);

/* fj_engine_works: 1 while the engine's own code runs in this thread. fj_engine_work: call with 1 where it
 * begins, -1 where it ends. */
int fj_engine_works(void);
void fj_engine_work(int more);

/* Has the next frame of this function in this thread run as it is: a borrowed function, or NULL for none. Returns
 * the one before, with which the caller calls again when the call is over. */
PyObject *fj_hook_pass_by(PyObject *function);

/* The number of times that this thread has enabled the hook, and the number of threads that have. */
Py_ssize_t fj_hook_depth(void);
Py_ssize_t fj_hooked_threads(void);

#if defined(FJ_INTERP_INSIDE) && FJ_HOOK_SUPPORTED

/* State of the hook per OS thread. `owner` is the thread state that `depth` belongs to, as one OS thread may
 * run several thread states in turn. */
typedef struct {
    fj_stack_window window; /* span 0: not measured yet */
    uint64_t owner;         /* id of a thread state */
    Py_ssize_t depth;       /* hook_enable() calls that are open */
    PyObject *passed;       /* borrowed: see fj_hook_pass_by */
    int deciding;           /* inside `decide`, or between engine_enter() and engine_leave() */
} fj_thread;

/* 1 if the next frame of this function, borrowed, is to run as it is: that once only. */
static inline int
fj_passes_by(fj_thread *here, PyObject *function)
{
    int passes = here->passed != NULL && here->passed == function;
    here->passed = passes ? NULL : here->passed;
    return passes;
}

extern __attribute__((visibility("hidden"))) _Thread_local fj_thread fj_this_thread;

#endif

#endif
