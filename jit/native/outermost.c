/* Identifies the outermost call that a capture belongs to: the time of all captures of one call is limited,
 * whether of that function or of those that it calls.
 *
 * Only calls that run rewritten code count, since all others have ended when a capture begins, or are part of
 * that capture. Functions that run rewritten code themselves do not report their calls. */
#include "outermost.h"
#include <stdint.h>

static _Thread_local int depth;
static _Thread_local uint64_t number; /* of the outermost call of this thread that ran last */
static uint64_t last;                 /* of all threads; they hold the GIL here */

void
fj_outermost_enter(void)
{
    if (depth++ == 0) {
        number = ++last;
    }
}

void
fj_outermost_leave(void)
{
    depth--;
}

/* New reference, NULL with an exception. */
static PyObject *
outermost_call(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(ignored))
{
    return PyLong_FromUnsignedLongLong(depth > 0 ? number : 0);
}

static PyMethodDef functions[] = {
    {"outermost_call", outermost_call, METH_NOARGS,
     "outermost_call() -> the number of the outermost call of rewritten code in this thread, or 0."},
    {NULL, NULL, 0, NULL},
};

int
fj_outermost_init(PyObject *module)
{
    return PyModule_AddFunctions(module, functions);
}
