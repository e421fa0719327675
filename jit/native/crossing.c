/* Switches a running frame to other code, at a gate (frontends/bytecode/gating.py).
 *
 * Bytecode calls the gate, and then the gate's result. The gate asks the handler for the code to continue in,
 * while only C is on top of the frame. If there is such code, the result is a Python function whose call the
 * interpreter inlines: when that returns, the interpreter reloads code, constants and position of the frame
 * below, which it otherwise keeps in C variables. That function calls `go_over`, which replaces them. It has
 * no RESUME, so no traceback, frame walk or tool ever sees it, and a signal that arrives in it seems to
 * arrive at the gate.
 *
 * The gate declines wherever eager could tell the difference: under tools, near the recursion limit, while
 * somebody holds the frame object (a traceback has offsets into its code), and where calls are not inlined. */
#define FJ_INTERP_INSIDE
#include "crossing.h"
#include "allowance.h"
#include "stack_switch.h"
#include "hook_threads.h"
#include "iterators.h"
#include "watched_names.h"
#include <stddef.h>
#include <structmember.h>

typedef struct {
    PyObject_HEAD
    vectorcallfunc vectorcall;
    Py_ssize_t header; /* of the loop: offset in the user's code */
    Py_hash_t hash;
} fj_gate;

static PyTypeObject Gate_Type;
static PyObject *crossed; /* owned, or NULL: see set_crossed */
static PyObject *stay;    /* owned: a callable that does nothing */

/* ---- crossing ----------------------------------------------------------------------------- */

#if FJ_HOOK_SUPPORTED

#include <opcode.h>

static PyCodeObject *over_code; /* owned: of the function that goes over */
static PyObject *no_names;      /* owned: its globals, empty */

/* 1 for a frame of Python code that the interpreter runs. */
static int
is_python(const fj_frame *frame)
{
    return frame != NULL && !fj_frame_is_of_c(frame);
}

/* 1 if nobody can tell that this frame continues in other code. Touches no reference. */
static int
may_go_over(const PyThreadState *tstate, const fj_frame *frame)
{
    const PyObject *object = (const PyObject *)frame->frame_obj;
    return !fj_tools_active((PyThreadState *)tstate) && tstate->interp->eval_frame == NULL &&
           (object == NULL || Py_REFCNT(object) == 1);
}

/* 1 when the frame of the one code can go on in the other: same variables, and room. */
static int
fits(const PyCodeObject *from, const PyCodeObject *to)
{
    return to->co_nlocalsplus == from->co_nlocalsplus && to->co_stacksize <= from->co_stacksize &&
           to->co_flags == from->co_flags && to->co_nfreevars == from->co_nfreevars &&
           PyObject_RichCompareBool(to->co_localsplusnames, from->co_localsplusnames, Py_EQ) == 1;
}

/* Ask the handler: (code, code to continue in, landing), a new reference; NULL if the frame stays, with an
 * exception if it is the user's. Borrows. */
static PyObject *
ask(const fj_gate *self, PyObject *function, PyObject *code)
{
    PyObject *handler = Py_NewRef(crossed);
    PyObject *header = PyLong_FromSsize_t(self->header), *ticket = NULL, *to;
    Py_ssize_t landing;
    fj_engine_work(1);
    PyObject *answer =
        header == NULL ? NULL : fj_engine_call(handler, NULL, function, code, header);
    fj_engine_work(-1);
    if (answer != NULL && PyExceptionInstance_Check(answer)) {
        PyErr_SetObject((PyObject *)Py_TYPE(answer), answer);
        fj_strip_traceback();
    }
    else if (answer != NULL && answer != Py_None &&
             PyArg_ParseTuple(answer, "O!n:crossed", &PyCode_Type, &to, &landing)) {
        ticket = Py_BuildValue("(OOn)", code, to, landing);
    }
    else if (PyErr_Occurred() && PyErr_ExceptionMatches(PyExc_Exception)) {
        PyErr_WriteUnraisable(handler);
    }
    else if (PyErr_Occurred()) {
        fj_strip_traceback();
    }
    Py_XDECREF(answer);
    Py_XDECREF(header);
    Py_DECREF(handler);
    return ticket;
}

/* Make a function that switches as the ticket says, which it steals: new reference, or NULL with an
 * exception. */
static PyObject *
way_over(PyObject *ticket)
{
    PyObject *defaults = PyTuple_Pack(1, ticket);
    PyObject *function =
        defaults == NULL ? NULL : PyFunction_New((PyObject *)over_code, no_names);
    if (function != NULL && PyFunction_SetDefaults(function, defaults) < 0) {
        Py_CLEAR(function);
    }
    Py_XDECREF(defaults);
    Py_DECREF(ticket);
    return function;
}

/* 1 if local names are not the globals: in the body of a class, and under exec() with two dicts. */
static int
is_class_body(const fj_frame *frame)
{
    const PyCodeObject *code = fj_frame_code(frame);
    return (code->co_flags & CO_NEWLOCALS) == 0 && frame->f_locals != frame->f_globals;
}

/* Return the callable that the bytecode calls next: a new reference, or NULL with an exception of the
 * user's. */
static PyObject *
gate_call(PyObject *self, PyObject *const *Py_UNUSED(args), size_t Py_UNUSED(nargsf),
          PyObject *Py_UNUSED(kwnames))
{
    const PyThreadState *tstate = PyThreadState_Get();
    const fj_frame *frame = fj_frame_innermost(tstate);
    if (crossed == NULL || fj_engine_works() || !is_python(frame) || !may_go_over(tstate, frame) ||
        fj_depth_is_short(tstate) || fj_builtins_exchanged() ||
        !PyFunction_Check(fj_frame_function(frame)) || is_class_body(frame)) {
        return Py_NewRef(stay);
    }
    PyObject *function = Py_NewRef(fj_frame_function(frame));
    PyObject *code = Py_NewRef((PyObject *)fj_frame_code(frame));
    Py_INCREF(self); /* the constant may be exchanged: since 3.14 the stack need not hold it */
    PyObject *ticket = ask((const fj_gate *)self, function, code);
    Py_DECREF(self);
    Py_DECREF(function);
    Py_DECREF(code);
    if (ticket == NULL) {
        return PyErr_Occurred() ? NULL : Py_NewRef(stay);
    }
    return way_over(ticket);
}

/* Replace the code of the frame, which steals it, so that the interpreter continues at `landing` when the
 * frame above returns. Returns the old code, which the caller must release. */
static PyCodeObject *
land(fj_frame *frame, PyCodeObject *code, Py_ssize_t landing)
{
    PyCodeObject *old = fj_frame_exchange_code(frame, code);
    fj_frame_go_on_at(frame, _PyCode_CODE(code) + landing / (Py_ssize_t)sizeof(_Py_CODEUNIT));
    return old;
}

/* go_over(ticket): None, or NULL with an exception. Called in the frame of a gate's function; the frame below
 * switches, unless something has changed since the gate asked. */
static PyObject *
go_over(PyObject *Py_UNUSED(module), PyObject *ticket)
{
    const PyThreadState *tstate = PyThreadState_Get();
    const fj_frame *own = fj_frame_innermost(tstate);
    PyObject *from, *to;
    Py_ssize_t landing;
    if (!PyArg_ParseTuple(ticket, "O!O!n:go_over", &PyCode_Type, &from, &PyCode_Type, &to,
                          &landing)) {
        return NULL;
    }
    if (!is_python(own) || fj_frame_code(own) != over_code || !is_python(own->previous)) {
        Py_RETURN_NONE;
    }
    if (fj_frame_is_entry(own)) {
        Py_RETURN_NONE; /* its call was not inlined */
    }
    fj_frame *frame = own->previous;
    if (fj_frame_code(frame) != (PyCodeObject *)from || !may_go_over(tstate, frame) ||
        !fits((PyCodeObject *)from, (PyCodeObject *)to) || fj_frame_settle_iterator(frame) < 0) {
        Py_RETURN_NONE;
    }
    /* The ticket holds on to the old code until the interpreter has left it. */
    Py_DECREF(land(frame, (PyCodeObject *)Py_NewRef(to), landing));
    Py_RETURN_NONE;
}

/* Makes over_code, `lambda ticket: go_over(ticket)` without RESUME: 0, or -1 with an exception. */
static int
make_over_code(PyObject *module)
{
    static const unsigned char bytes[] = FJ_CALL_CONSTANT;
    PyObject *callee = PyObject_GetAttrString(module, "go_over");
    PyObject *bytecode = PyBytes_FromStringAndSize((const char *)bytes, sizeof(bytes));
    PyObject *nothing = PyBytes_FromStringAndSize(NULL, 0), *none = PyTuple_New(0);
    PyObject *name = PyUnicode_FromString("<framejit>");
    PyObject *consts = callee == NULL ? NULL : PyTuple_Pack(1, callee);
    PyObject *names = Py_BuildValue("(s)", "ticket");
    if (bytecode != NULL && nothing != NULL && none != NULL && name != NULL && consts != NULL &&
        names != NULL) {
        over_code = fj_code_new(
            1, 0, 1, 3, CO_OPTIMIZED | CO_NEWLOCALS, bytecode, consts, none, names, none, none,
            name, name, name, 1, nothing, nothing);
    }
    Py_XDECREF(callee);
    Py_XDECREF(bytecode);
    Py_XDECREF(nothing);
    Py_XDECREF(none);
    Py_XDECREF(name);
    Py_XDECREF(consts);
    Py_XDECREF(names);
    no_names = over_code == NULL ? NULL : PyDict_New();
    return no_names == NULL ? -1 : 0;
}

#else

static PyObject *
gate_call(PyObject *Py_UNUSED(self), PyObject *const *Py_UNUSED(args), size_t Py_UNUSED(nargsf),
          PyObject *Py_UNUSED(kwnames))
{
    return Py_NewRef(stay);
}

static PyObject *
go_over(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(ticket))
{
    Py_RETURN_NONE;
}

static int
make_over_code(PyObject *Py_UNUSED(module))
{
    return 0;
}

#endif

/* ---- the type ----------------------------------------------------------------------------- */

static PyObject *
stay_call(PyObject *Py_UNUSED(self), PyObject *const *Py_UNUSED(args), size_t Py_UNUSED(nargsf),
          PyObject *Py_UNUSED(kwnames))
{
    Py_RETURN_NONE;
}

/* A new reference, or NULL with an exception. */
static PyObject *
new_gate(vectorcallfunc call, Py_ssize_t header, Py_hash_t hash)
{
    fj_gate *self = PyObject_New(fj_gate, &Gate_Type);
    if (self != NULL) {
        self->vectorcall = call;
        self->header = header;
        self->hash = hash;
    }
    return (PyObject *)self;
}

static PyObject *
gate_new(PyTypeObject *Py_UNUSED(type), PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"header", "own_hash", NULL};
    Py_ssize_t header;
    Py_hash_t hash;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "nn:Gate", names, &header, &hash)) {
        return NULL;
    }
    if (hash == -1) {
        PyErr_SetString(PyExc_ValueError, "Gate: no object has this hash");
        return NULL;
    }
    return new_gate(gate_call, header, hash);
}

static void
gate_dealloc(PyObject *self)
{
    PyObject_Free(self);
}

/* Constant, so that opening a gate changes no code object's hash: see frontends/bytecode/hashing.py. */
static Py_hash_t
gate_hash(PyObject *self)
{
    return ((const fj_gate *)self)->hash;
}

static PyMemberDef gate_members[] = {
    {"header", T_PYSSIZET, offsetof(fj_gate, header), READONLY, "of the loop, in the user's code"},
    {NULL, 0, 0, 0, NULL},
};

static PyTypeObject Gate_Type = {
    PyVarObject_HEAD_INIT(NULL, 0)
    .tp_name = "framejit.jit.native._core.Gate",
    .tp_doc = "Gate(header, own_hash): opens a gate; it stands in the place of the None of a closed one.",
    .tp_basicsize = sizeof(fj_gate),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_VECTORCALL,
    .tp_vectorcall_offset = offsetof(fj_gate, vectorcall),
    .tp_call = PyVectorcall_Call,
    .tp_new = gate_new,
    .tp_hash = gate_hash,
    .tp_members = gate_members,
    .tp_dealloc = gate_dealloc,
};

/* set_crossed(handler): set the handler that gates ask; None for no handler. */
static PyObject *
set_crossed(PyObject *Py_UNUSED(module), PyObject *handler)
{
    Py_XSETREF(crossed, handler == Py_None ? NULL : Py_NewRef(handler));
    Py_RETURN_NONE;
}

static PyMethodDef functions[] = {
    {"set_crossed", set_crossed, METH_O,
     "set_crossed(handler): open gates ask handler(function, code, header) for the code that the\n"
     "frame goes over into, and the offset at which it lands there; None has it stay. An exception\n"
     "that is returned is raised in the frame. What is raised is an error of framejit, and told to\n"
     "sys.unraisablehook, unless it is no Exception. None for nobody."},
    {"go_over", go_over, METH_O, "go_over(ticket): for gates."},
    {NULL, NULL, 0, NULL},
};

int
fj_crossing_init(PyObject *module)
{
    if (PyModule_AddFunctions(module, functions) < 0 ||
        PyModule_AddType(module, &Gate_Type) < 0) {
        return -1;
    }
    if (stay == NULL) { /* else it is a second import in the same process */
        stay = new_gate(stay_call, -1, 0);
        return stay == NULL ? -1 : make_over_code(module);
    }
    return 0;
}
