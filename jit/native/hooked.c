/* The handler of the frame hook for undecorated functions: tries the entries of the function's dispatcher,
 * else the frame runs as it is. */
#include "stack_switch.h"
#include "dispatcher.h"
#include "frame_hook.h"
#include "hook_threads.h"
#include <stddef.h>
#include <structmember.h>

typedef struct {
    PyObject_HEAD
    vectorcallfunc vectorcall;
    PyObject *adopt; /* adopt(function) -> dispatcher, or None to leave the function alone */
} fj_handler;

/* Return the dispatcher of a function: a new reference, None if it is left alone, NULL with an exception. A
 * function that owns something else is served in another way. */
static PyObject *
dispatcher_of(fj_handler *self, PyObject *function)
{
    PyObject *found = fj_owned_find(function);
    if (found != NULL) {
        return Py_NewRef(Py_IS_TYPE(found, &FjDispatcher_Type) ? found : Py_None);
    }
    fj_engine_work(1);
    found = fj_engine_call(self->adopt, NULL, function, NULL, NULL);
    fj_engine_work(-1);
    if (found != NULL && found != Py_None && !Py_IS_TYPE(found, &FjDispatcher_Type)) {
        PyErr_Format(PyExc_TypeError, "HookHandler: a Dispatcher or None is needed, not %.100s",
                     Py_TYPE(found)->tp_name);
        Py_CLEAR(found);
    }
    return found;
}

/* Sample of the frame that runs next in this thread, if it is measured. */
static _Thread_local fj_sample begun;

fj_sample
fj_hooked_sample(void)
{
    fj_sample sample = begun;
    begun = (fj_sample){0};
    return sample;
}

/* handler(function, *arguments); the hook holds all of them. New reference to a result, RUN_ORIGINAL
 * or a CodeSwap. */
static PyObject *
handler_vectorcall(PyObject *callable, PyObject *const *args, size_t nargsf, PyObject *kwnames)
{
    fj_handler *self = (fj_handler *)callable;
    if (PyVectorcall_NARGS(nargsf) < 1 || kwnames != NULL) {
        PyErr_SetString(PyExc_TypeError, "HookHandler: a function and its arguments are needed");
        return NULL;
    }
    PyObject *dispatcher = dispatcher_of(self, args[0]);
    if (dispatcher == NULL) {
        return NULL;
    }
    fj_ab_timing_end(&begun, 1); /* somebody else has called this, and ran no frame */
    fj_sample sample = {0};
    PyObject *result = dispatcher == Py_None
                           ? NULL
                           : fj_dispatcher_attempt(dispatcher, args[0], args + 1,
                                                   PyVectorcall_NARGS(nargsf) - 1, &sample);
    Py_DECREF(dispatcher);
    begun = sample;
    if (result == NULL && !PyErr_Occurred()) {
        return Py_NewRef(fj_run_original);
    }
    return result;
}

static PyObject *
handler_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"adopt", NULL};
    PyObject *adopt;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O:HookHandler", names, &adopt)) {
        return NULL;
    }
    fj_handler *self = (fj_handler *)type->tp_alloc(type, 0);
    if (self != NULL) {
        self->vectorcall = handler_vectorcall;
        self->adopt = Py_NewRef(adopt);
    }
    return (PyObject *)self;
}

static int
handler_traverse(fj_handler *self, visitproc visit, void *arg)
{
    Py_VISIT(self->adopt);
    return 0;
}

static void
handler_dealloc(fj_handler *self)
{
    PyObject_GC_UnTrack(self);
    Py_CLEAR(self->adopt);
    Py_TYPE(self)->tp_free((PyObject *)self);
}

PyTypeObject FjHookHandler_Type = {
    PyVarObject_HEAD_INIT(NULL, 0)
    .tp_name = "framejit.jit.native._core.HookHandler",
    .tp_doc = "HookHandler(adopt): what hook_set_callbacks() takes as `handle`.",
    .tp_basicsize = sizeof(fj_handler),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_HAVE_VECTORCALL,
    .tp_vectorcall_offset = offsetof(fj_handler, vectorcall),
    .tp_call = PyVectorcall_Call,
    .tp_new = handler_new,
    .tp_dealloc = (destructor)handler_dealloc,
    .tp_traverse = (traverseproc)handler_traverse,
};
