/* Installs the evaluation function, and coexists with other ones: see interp.h.
 *
 * Functions here touch no reference, except those that evaluate a frame: they return a new reference, or NULL
 * with an exception. */
#define FJ_INTERP_INSIDE
#include "interp.h"

#if FJ_HOOK_SUPPORTED

#include <pthread.h>

_PyFrameEvalFunction fj_hook_previous = _PyEval_EvalFrameDefault;

static _PyFrameEvalFunction our_hook; /* NULL before the first installation */
static int wanted;                    /* installed, and not removed since */
static int in_chain;                  /* someone leads to our hook, as far as we know */
static int aside;                     /* a thread has it out for a time */
static _Thread_local int aside_here;  /* it is this thread */

static _PyFrameEvalFunction
current_hook(void)
{
    return _PyInterpreterState_GetEvalFrameFunc(PyInterpreterState_Main());
}

static void
set_hook(_PyFrameEvalFunction function)
{
    fj_set_evaluation(PyInterpreterState_Main(), function);
}

void
fj_hook_install(_PyFrameEvalFunction hook)
{
    _PyFrameEvalFunction current = current_hook();
    our_hook = hook;
    wanted = 1;
    if (aside || current == hook) {
        in_chain = 1; /* who took it aside puts it back */
    }
    else if (!in_chain || current == fj_hook_previous) {
        fj_hook_previous = current;
        in_chain = 1;
        set_hook(hook);
    }
}

void
fj_hook_remove(void)
{
    wanted = 0;
    if (aside) {
        in_chain = 0;
    }
    else if (current_hook() == our_hook) {
        in_chain = 0;
        set_hook(fj_hook_previous);
    }
}

/* Restore the hook after it was taken aside. */
static void
put_back(void)
{
    _PyFrameEvalFunction current = current_hook();
    aside = aside_here = 0;
    if (current == our_hook) {
        return; /* somebody who had us on record has done it */
    }
    in_chain = wanted && current == fj_hook_previous;
    if (in_chain) {
        set_hook(our_hook);
    }
}

Py_NO_INLINE PyObject *
fj_frame_leave_aside(PyThreadState *tstate, fj_frame *frame, int throwflag)
{
    if (current_hook() != our_hook) {
        return fj_frame_leave(tstate, frame, throwflag); /* somebody is on top of us */
    }
    aside = aside_here = 1;
    set_hook(fj_hook_previous);
    PyObject *result = fj_frame_leave(tstate, frame, throwflag);
    put_back();
    return result;
}

/* In the child after a fork, before Python goes on there: the thread that forked is the only one.
 * If another one had the hook aside, it is put back. */
static void
after_fork(void)
{
    if (aside && !aside_here) {
        put_back();
    }
}

int
fj_hook_is_installed(void)
{
    return our_hook != NULL && current_hook() == our_hook;
}

/* Another hook may lead a frame back to ours, if it remembers us from an earlier time and we are on top of it
 * since. The loop is cut: the frame is evaluated. */
Py_NO_INLINE PyObject *
fj_frame_chain(PyThreadState *tstate, fj_frame *frame, int throwflag)
{
    static _Thread_local const fj_frame *passing;
    if (passing == frame) {
        return fj_frame_eval(tstate, frame, throwflag);
    }
    const fj_frame *outer = passing;
    passing = frame;
    PyObject *result = fj_hook_previous(tstate, frame, throwflag);
    passing = outer;
    return result;
}

int
fj_hook_chain_init(void)
{
    if (pthread_atfork(NULL, NULL, after_fork) != 0) {
        PyErr_NoMemory();
        return -1;
    }
    return 0;
}

#else

int
fj_hook_is_installed(void)
{
    return 0;
}

#endif
