/* Other code for a frame: see instead.h. */
#define FJ_INTERP_INSIDE
#include "instead.h"
#include <stddef.h>
#include <structmember.h>

typedef struct {
    PyObject_HEAD
    PyObject *function; /* a function: owned */
} fj_instead;

PyObject *
fj_instead_new(PyObject *function)
{
    fj_instead *self = PyObject_New(fj_instead, &FjInstead_Type);
    if (self != NULL) {
        self->function = Py_NewRef(function);
    }
    return (PyObject *)self;
}

PyObject *
fj_instead_function(PyObject *instead)
{
    return ((fj_instead *)instead)->function;
}

static PyObject *
instead_new(PyTypeObject *Py_UNUSED(type), PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"function", NULL};
    PyObject *function;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O!:Instead", names, &PyFunction_Type,
                                     &function)) {
        return NULL;
    }
    return fj_instead_new(function);
}

static void
instead_dealloc(fj_instead *self)
{
    Py_DECREF(self->function);
    PyObject_Free(self);
}

static PyMemberDef instead_members[] = {
    {"function", T_OBJECT, offsetof(fj_instead, function), READONLY, "the function"},
    {NULL, 0, 0, 0, NULL},
};

/* Not tracked by the collector: it only lives from the answer to the start of the frame. */
PyTypeObject FjInstead_Type = {
    PyVarObject_HEAD_INIT(NULL, 0)
    .tp_name = "framejit.jit.native._core.Instead",
    .tp_doc = "Instead(function): what `handle` returns to have the frame go on with its code.",
    .tp_basicsize = sizeof(fj_instead),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_new = instead_new,
    .tp_members = instead_members,
    .tp_dealloc = (destructor)instead_dealloc,
};

#if FJ_HOOK_SUPPORTED

/* The word behind a frame. */
static PyObject **
frame_end(fj_frame *frame, const PyCodeObject *code)
{
    return (PyObject **)frame->localsplus + code->co_nlocalsplus + code->co_stacksize;
}

/* 1 when frames of both have the same slots, and begin and end in the same way. */
static int
same_kind(const PyCodeObject *one, const PyCodeObject *other)
{
    return one->co_nlocalsplus == other->co_nlocalsplus && one->co_flags == other->co_flags &&
           one->co_nfreevars == other->co_nfreevars && one->co_argcount == other->co_argcount &&
           one->co_kwonlyargcount == other->co_kwonlyargcount;
}

/* A frame that has not run yet is the last object in its chunk of memory, and the interpreter pops it by its
 * address: so it may grow to the end of the chunk. */
int
fj_frame_makes_room(PyThreadState *tstate, fj_frame *frame, PyObject *function)
{
    const PyCodeObject *code = (PyCodeObject *)PyFunction_GET_CODE(function);
    const PyCodeObject *own = fj_frame_code(frame);
    PyObject **end = frame_end(frame, code);
    if (!same_kind(code, own) || tstate->datastack_top != frame_end(frame, own) ||
        end >= tstate->datastack_limit) {
        return 0;
    }
    if (end > tstate->datastack_top) {
        tstate->datastack_top = end;
    }
    return 1;
}

/* Set the function of the frame of a new generator to the one that was called, whose name it has. Another
 * hook may have answered with anything. Borrows. */
static void
give_back(PyObject *result, PyObject *function, PyObject *own)
{
    if (!PyGen_CheckExact(result) && !PyCoro_CheckExact(result) &&
        !PyAsyncGen_CheckExact(result)) {
        return;
    }
    PyGenObject *made = (PyGenObject *)result;
    if (fj_frame_function((fj_frame *)&made->gi_iframe) != function) {
        return;
    }
    PyObject *used = fj_frame_exchange_function((fj_frame *)&made->gi_iframe, Py_NewRef(own));
    Py_XSETREF(made->gi_name, Py_NewRef(((PyFunctionObject *)own)->func_name));
    Py_XSETREF(made->gi_qualname, Py_NewRef(((PyFunctionObject *)own)->func_qualname));
    Py_DECREF(used);
}

/* The frame keeps its function, except that for a generator it temporarily gets the other one, since the
 * interpreter asks the function for the size of the generator's frame. */
PyObject *
fj_frame_eval_instead(PyThreadState *tstate, fj_frame *frame, PyObject *function)
{
    PyCodeObject *code = (PyCodeObject *)Py_NewRef(PyFunction_GET_CODE(function));
    PyObject *own = NULL;
    if (fj_code_makes_generator(code)) {
        own = fj_frame_exchange_function(frame, Py_NewRef(function));
    }
    Py_DECREF(fj_frame_exchange_code(frame, code));
    PyObject *result = fj_frame_leave(tstate, frame, 0);
    if (own != NULL && result != NULL) {
        give_back(result, function, own);
    }
    Py_XDECREF(own);
    return result;
}

#endif
