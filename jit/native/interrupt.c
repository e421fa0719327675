/* Exceptions that arrived for the program while a kernel ran; they are raised where eager continues. */
#define FJ_INTERP_INSIDE
#include "interp.h"
#include "core.h"

#if FJ_HOOK_SUPPORTED

static int
is_main_thread(void)
{
    return PyThread_get_thread_ident() == _PyRuntime.main_thread;
}

int
fj_is_awaited(void)
{
    return fj_eval_breaker(PyThreadState_Get());
}
#else
int
fj_is_awaited(void)
{
    return 0;
}

static int
is_main_thread(void)
{
    return 0;
}
#endif

/* Pending call of the main thread: raises the exception and consumes the reference. */
static int
raise_now(void *waiting)
{
    PyObject *exception = waiting;
    PyErr_SetObject((PyObject *)Py_TYPE(exception), exception);
    Py_DECREF(exception);
    return -1;
}

void
fj_interrupt_take(fj_run *run)
{
    PyObject *type, *value, *traceback;
    PyErr_Fetch(&type, &value, &traceback);
    PyErr_NormalizeException(&type, &value, &traceback);
    if (traceback != NULL) {
        PyException_SetTraceback(value, traceback);
    }
    Py_XDECREF(type);
    Py_XDECREF(traceback);
    Py_XSETREF(run->interrupt, value);
}

/* Only the main thread runs pending calls; other threads take a class of exceptions. */
void
fj_interrupt_raise(fj_run *run)
{
    PyObject *exception = run->interrupt;
    run->interrupt = NULL;
    if (PyExceptionInstance_Check(exception) && is_main_thread() &&
        Py_AddPendingCall(raise_now, exception) == 0) {
        return;
    }
    int is_class = PyExceptionClass_Check(exception);
    PyThreadState_SetAsyncExc(PyThread_get_thread_ident(),
                              is_class ? exception : (PyObject *)Py_TYPE(exception));
    Py_DECREF(exception);
}

static _Thread_local PyObject *held; /* owned; only from a launch to the exit that it has taken */

void
fj_interrupt_hold(fj_run *run)
{
    if (held != NULL) { /* a finaliser runs loops of its own in between */
        fj_interrupt_raise(run);
        return;
    }
    held = run->interrupt;
    run->interrupt = NULL;
}

/* raise_held(): None, or NULL with the exception that is held for this thread. A class was sent by
 * another thread: it is sent once more, as CPython itself has to take note that it has come. */
static PyObject *
raise_held(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(ignored))
{
    PyObject *exception = held;
    if (exception == NULL) {
        Py_RETURN_NONE;
    }
    held = NULL;
    if (PyExceptionInstance_Check(exception)) {
        PyErr_SetObject((PyObject *)Py_TYPE(exception), exception);
        Py_DECREF(exception);
        return NULL;
    }
    PyThreadState_SetAsyncExc(PyThread_get_thread_ident(), exception);
    Py_DECREF(exception);
    Py_RETURN_NONE;
}

static PyMethodDef functions[] = {
    {"raise_held", raise_held, METH_NOARGS,
     "raise_held(): raises what came for the program while a kernel ran, if anything."},
    {NULL, NULL, 0, NULL},
};

int
fj_interrupt_init(PyObject *module)
{
    return PyModule_AddFunctions(module, functions);
}
