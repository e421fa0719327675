/* Runs a fresh frame with other code: see code_swap.h. */
#define FJ_INTERP_INSIDE
#include "code_swap.h"
#include <stddef.h>
#include <structmember.h>

typedef struct {
    PyObject_HEAD
    PyObject *function; /* a function: owned */
} fj_code_swap;

PyObject *
fj_code_swap_new(PyObject *function)
{
    fj_code_swap *self = PyObject_New(fj_code_swap, &FjCodeSwap_Type);
    if (self != NULL) {
        self->function = Py_NewRef(function);
    }
    return (PyObject *)self;
}

PyObject *
fj_code_swap_function(PyObject *swap)
{
    return ((fj_code_swap *)swap)->function;
}

static PyObject *
code_swap_new(PyTypeObject *Py_UNUSED(type), PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"function", NULL};
    PyObject *function;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O!:CodeSwap", names, &PyFunction_Type,
                                     &function)) {
        return NULL;
    }
    return fj_code_swap_new(function);
}

static void
code_swap_dealloc(fj_code_swap *self)
{
    Py_DECREF(self->function);
    PyObject_Free(self);
}

static PyMemberDef code_swap_members[] = {
    {"function", T_OBJECT, offsetof(fj_code_swap, function), READONLY, "the function"},
    {NULL, 0, 0, 0, NULL},
};

/* Not tracked by the garbage collector, as it lives only until the frame starts. */
PyTypeObject FjCodeSwap_Type = {
    PyVarObject_HEAD_INIT(NULL, 0)
    .tp_name = "framejit.jit.native._core.CodeSwap",
    .tp_doc = "CodeSwap(function): returned by `handle` to have the frame run the function's code.",
    .tp_basicsize = sizeof(fj_code_swap),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_new = code_swap_new,
    .tp_members = code_swap_members,
    .tp_dealloc = (destructor)code_swap_dealloc,
};

#if FJ_HOOK_SUPPORTED

/* Return the address just past a frame with this code. */
static PyObject **
frame_end(fj_frame *frame, const PyCodeObject *code)
{
    return (PyObject **)frame->localsplus + code->co_nlocalsplus + code->co_stacksize;
}

/* 1 if frames of both code objects have the same slots, arguments and flags. */
static int
have_same_frames(const PyCodeObject *one, const PyCodeObject *other)
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
    if (!have_same_frames(code, own) || tstate->datastack_top != frame_end(frame, own) ||
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
fj_frame_eval_swapped(PyThreadState *tstate, fj_frame *frame, PyObject *function)
{
    PyCodeObject *code = (PyCodeObject *)Py_NewRef(PyFunction_GET_CODE(function));
    PyObject *own = NULL;
    if (fj_code_makes_generator(code)) {
        own = fj_frame_exchange_function(frame, Py_NewRef(function));
    }
    fj_trace_no_more();
    Py_DECREF(fj_frame_exchange_code(frame, code));
    PyObject *result = fj_frame_leave(tstate, frame, 0);
    if (own != NULL && result != NULL) {
        give_back(result, function, own);
    }
    Py_XDECREF(own);
    return result;
}

#endif
