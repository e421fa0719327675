/* The type of the callable behind @jit: life cycle and members; dispatch.c has the calls, like_function.c makes
 * it look like a function. */
#include "dispatcher.h"
#include "resting.h"
#include "records.h"
#include <stddef.h>
#include <structmember.h>

static PyObject *
dispatcher_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"function", "manager", NULL};
    PyObject *function, *manager;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O!O:Dispatcher", names, &PyFunction_Type,
                                     &function, &manager)) {
        return NULL;
    }
    fj_dispatcher *self = (fj_dispatcher *)type->tp_alloc(type, 0);
    if (self == NULL) {
        return NULL;
    }
    self->vectorcall = fj_dispatcher_vectorcall;
    self->function = Py_NewRef(function);
    self->code = Py_NewRef(fj_plain_code(function));
    self->fallback = Py_NewRef(function);
    self->manager = Py_NewRef(manager);
    int bindable = fj_parameters_of((PyFunctionObject *)function, &self->parameters);
    if (bindable < 0) {
        Py_DECREF(self);
        return NULL;
    }
    self->bindable = bindable && self->parameters.n_parameters <= STACK_ARGUMENTS;
    return (PyObject *)self;
}

/* Visit the constants of rewritten code. It owns its segments through them, and a segment refers back to this
 * dispatcher; but the garbage collector does not traverse code objects. So we traverse it, as long as nobody
 * else (a frame, a generator) holds it or its function: then it lives and dies with this dispatcher. */
static int
visit_constants(fj_dispatcher *self, PyObject *rewritten, visitproc visit, void *arg)
{
    Py_ssize_t ours = (rewritten == self->fallback) + (rewritten == self->resumed);
    if (rewritten == NULL || rewritten == self->function || Py_REFCNT(rewritten) != ours) {
        return 0;
    }
    PyCodeObject *code = (PyCodeObject *)PyFunction_GET_CODE(rewritten);
    if (Py_REFCNT(code) == 1) {
        Py_VISIT(code->co_consts);
    }
    return 0;
}

static int
dispatcher_traverse(fj_dispatcher *self, visitproc visit, void *arg)
{
    int stop = visit_constants(self, self->fallback, visit, arg);
    if (!stop && self->resumed != self->fallback) {
        stop = visit_constants(self, self->resumed, visit, arg);
    }
    if (stop) {
        return stop;
    }
    Py_VISIT(self->function);
    Py_VISIT(self->code);
    Py_VISIT(self->fallback);
    Py_VISIT(self->manager);
    Py_VISIT(self->resume);
    Py_VISIT(self->resumed);
    Py_VISIT(self->declined);
    Py_VISIT(self->dict);
    Py_VISIT(self->parameters.names);
    return fj_cache_traverse(&self->cache, visit, arg);
}

/* After this a finaliser may still call the dispatcher: `function` stays until dealloc. */
static int
dispatcher_clear(fj_dispatcher *self)
{
    self->closed = 1;
    fj_cache_clear(&self->cache);
    Py_CLEAR(self->dict);
    Py_CLEAR(self->resume);
    Py_CLEAR(self->resumed);
    Py_CLEAR(self->declined);
    Py_XSETREF(self->manager, Py_NewRef(Py_None));
    Py_XSETREF(self->fallback, Py_XNewRef(self->function));
    return 0;
}

static void
dispatcher_dealloc(fj_dispatcher *self)
{
    PyObject_GC_UnTrack(self);
    if (self->weakrefs != NULL) {
        PyObject_ClearWeakRefs((PyObject *)self);
    }
    fj_cache_clear(&self->cache);
    Py_CLEAR(self->dict);
    Py_CLEAR(self->manager);
    Py_CLEAR(self->resume);
    Py_CLEAR(self->resumed);
    Py_CLEAR(self->declined);
    Py_CLEAR(self->fallback);
    Py_CLEAR(self->function);
    Py_CLEAR(self->code);
    Py_CLEAR(self->parameters.names);
    Py_TYPE(self)->tp_free((PyObject *)self);
}

static PyObject *
dispatcher_add(fj_dispatcher *self, PyObject *entry)
{
    return fj_cache_add(&self->cache, entry);
}

/* _drop_entries(): a new reference to None. */
static PyObject *
dispatcher_drop_entries(fj_dispatcher *self, PyObject *Py_UNUSED(ignored))
{
    fj_cache_clear(&self->cache);
    Py_RETURN_NONE;
}

/* _forget(): the function whose dispatcher this is has died; see function_lifetime.c. New reference. */
static PyObject *
dispatcher_forget(fj_dispatcher *self, PyObject *ignored)
{
    (void)ignored;
    PyObject *manager = Py_NewRef(self->manager);
    PyObject *done = manager == Py_None ? Py_NewRef(Py_None)
                                        : PyObject_CallMethod(manager, "forget", NULL);
    Py_DECREF(manager);
    dispatcher_clear(self);
    return done;
}

static PyObject *
dispatcher_stats(fj_dispatcher *self, PyObject *ignored)
{
    (void)ignored;
    return PyObject_CallMethod(self->manager, "stats", "O", (PyObject *)self);
}

static PyObject *
dispatcher_inspect(fj_dispatcher *self, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"what", "stage", NULL};
    PyObject *what, *stage = Py_None;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O|O:inspect", names, &what, &stage)) {
        return NULL;
    }
    return PyObject_CallMethod(self->manager, "inspect", "OOO", (PyObject *)self, what, stage);
}

static PyObject *
dispatcher_trace(fj_dispatcher *self, PyObject *args, PyObject *kwargs)
{
    PyObject *given = kwargs == NULL ? PyDict_New() : Py_NewRef(kwargs);
    if (given == NULL) {
        return NULL;
    }
    PyObject *traced = PyObject_CallMethod(self->manager, "trace", "OO", args, given);
    Py_DECREF(given);
    return traced;
}

static PyObject *
dispatcher_entries(fj_dispatcher *self, void *closure)
{
    (void)closure;
    return fj_cache_list(&self->cache);
}

static int
dispatcher_set_fallback(fj_dispatcher *self, PyObject *value, void *closure)
{
    (void)closure;
    if (value == NULL || !PyFunction_Check(value)) {
        PyErr_SetString(PyExc_TypeError, "_fallback: a function is needed");
        return -1;
    }
    Py_XSETREF(self->fallback, Py_NewRef(value));
    return 0;
}

static PyObject *
dispatcher_get_fallback(fj_dispatcher *self, void *closure)
{
    (void)closure;
    return Py_NewRef(self->fallback);
}

/* Require the segment of a stub: no other object would take what resume() primes. The code with that stub is
 * the present fallback. */
static int
dispatcher_set_resume(fj_dispatcher *self, PyObject *value, void *closure)
{
    (void)closure;
    if (value == NULL || !(value == Py_None || Py_IS_TYPE(value, &FjSegment_Type))) {
        PyErr_SetString(PyExc_TypeError, "_resume: a Segment or None is needed");
        return -1;
    }
    Py_XSETREF(self->resume, value == Py_None ? NULL : Py_NewRef(value));
    Py_XSETREF(self->resumed, value == Py_None ? NULL : Py_NewRef(self->fallback));
    return 0;
}

static PyObject *
dispatcher_get_resume(fj_dispatcher *self, void *closure)
{
    (void)closure;
    return Py_NewRef(self->resume == NULL ? Py_None : self->resume);
}

static PyMethodDef dispatcher_methods[] = {
    {"__reduce__", (PyCFunction)fj_dispatcher_reduce, METH_NOARGS, NULL},
    {"__dir__", fj_dispatcher_dir, METH_NOARGS, NULL},
    {"__copy__", fj_dispatcher_copy, METH_NOARGS, NULL},
    {"__set_name__", fj_dispatcher_set_name, METH_VARARGS, NULL},
    {"__deepcopy__", fj_dispatcher_copy, METH_O, NULL},
    {"_forget", (PyCFunction)dispatcher_forget, METH_NOARGS, "_forget(): the function has died."},
    {"_add", (PyCFunction)dispatcher_add, METH_O, "_add(entry): try this entry first."},
    {"_drop_entries", (PyCFunction)dispatcher_drop_entries, METH_NOARGS,
     "_drop_entries(): no entry answers calls any more."},
    {"stats", (PyCFunction)dispatcher_stats, METH_NOARGS,
     "stats($self, /)\n--\n\n"
     "A dict of plain numbers: calls; hits, those that one kernel answered without a frame; segments\n"
     "and launches; captures, recompiles, bails, breaks; eager_calls, eager_operations, skipped,\n"
     "slower and failures."},
    {"inspect", (PyCFunction)(void (*)(void))dispatcher_inspect, METH_VARARGS | METH_KEYWORDS,
     "inspect($self, what, stage=None)\n--\n\n"
     "Text of what runs: 'graph', 'bytecode', 'guards' or 'numba'. Of the graph, stage='compiled' is\n"
     "the one that the backend compiles (the default); stage='captured' the one before the passes of\n"
     "the backend."},
    {"trace", (PyCFunction)(void (*)(void))dispatcher_trace, METH_VARARGS | METH_KEYWORDS,
     "trace($self, /, *args, **kwargs)\n--\n\n"
     "What capture makes of a call with these arguments, without the call.\n\n"
     "The function is not run. Its bytecode is read, and the arguments, closure and globals that it\n"
     "reaches; NumPy is asked for results on constants and on arrays without data. Nothing is\n"
     "compiled, and nothing is remembered: entries, stats() and the report stay as they are. That\n"
     "holds in a block of disable(), too. A graph break does not end a trace: what comes behind it is\n"
     "captured with the types that are known, and Traced.untraced names the lines that wait for what\n"
     "a break gives. Each yield and await of a generator or coroutine is a break.\n\n"
     "Parameters\n----------\n"
     "*args, **kwargs\n"
     "    The arguments of the function; of a method with its object first. Arrays count by dtype,\n"
     "    layout and rank, and numbers by type.\n\n"
     "Returns\n-------\n"
     "Traced\n"
     "    Graphs, breaks and guards; `.lower()` gives the optimised graphs, `.lower().compile()` a\n"
     "    callable that runs their kernels.\n\n"
     "Raises\n------\n"
     "TypeError\n"
     "    The arguments do not fit the signature.\n"
     "StageError\n"
     "    The backend is 'eager', which captures nothing; the bytecode is not what CPython's compiler\n"
     "    writes; or framejit has met an error of its own. Calls of the function are not concerned.\n"
     "GraphBreakError\n"
     "    With fullgraph=True and a graph break in the function."},
    {NULL, NULL, 0, NULL},
};

static PyMemberDef dispatcher_members[] = {
    {"_calls", T_ULONGLONG, offsetof(fj_dispatcher, calls), READONLY, "calls so far"},
    {"_hits", T_ULONGLONG, offsetof(fj_dispatcher, hits), READONLY, "calls that made no frame"},
    {"_plain", T_ULONGLONG, offsetof(fj_dispatcher, plain), READONLY,
     "calls that ran the function as it is although there was an entry"},
    {"_midway", T_ULONGLONG, offsetof(fj_dispatcher, midway), READONLY,
     "calls that a kernel began and a frame ended"},
    {"_rest", T_INT, offsetof(fj_dispatcher, rest), 0, "calls that run as they are, without a look"},
    {"_unasked", T_INT, offsetof(fj_dispatcher, unasked), 0,
     "calls that no entry serves, and that ask for no capture"},
    {"_closed", T_INT, offsetof(fj_dispatcher, closed), 0, "true: captures no more from here"},
    {"_launches", T_INT, offsetof(fj_dispatcher, launches), READONLY,
     "launches of its entries that are under way"},
    {"_captures_at", T_ULONGLONG, offsetof(fj_dispatcher, captures_at), 0,
     "the call in which captures go on that took too long in an earlier one; or 0"},
    {"_untimed", T_INT, offsetof(fj_dispatcher, untimed), 0,
     "true: its code with segments runs, even where plain Python is faster"},
    {"_bindable", T_INT, offsetof(fj_dispatcher, bindable), READONLY,
     "true: whole-function entries are possible"},
    {"_function", T_OBJECT, offsetof(fj_dispatcher, function), READONLY,
     "the function that it calls; `__wrapped__` is an attribute, which a program may set"},
    {"_manager", T_OBJECT, offsetof(fj_dispatcher, manager), READONLY, "the Python side"},
    {"_declined", T_OBJECT, offsetof(fj_dispatcher, declined), 0,
     "options under which calls run the function as it is"},
    {NULL, 0, 0, 0, NULL},
};

static PyGetSetDef dispatcher_getset[] = {
    {"__class__", fj_dispatcher_get_class, NULL, NULL, NULL},
    {"__dict__", PyObject_GenericGetDict, PyObject_GenericSetDict, NULL, NULL},
    {"_entries", (getter)dispatcher_entries, NULL, "list of entries, most recent first", NULL},
    {"_fallback", (getter)dispatcher_get_fallback, (setter)dispatcher_set_fallback,
     "the function that runs when no entry holds", NULL},
    {"_trial", fj_dispatcher_trial, NULL,
     "(trials, 1 where plain Python serves, nanoseconds of rewritten code, of plain Python) of the kind of\n"
     "calls that came last", NULL},
    {"_trials", fj_dispatcher_trials, NULL,
     "list of these, of each kind of calls, with how many ran rewritten code", NULL},
    {"_resume", (getter)dispatcher_get_resume, (setter)dispatcher_set_resume,
     "the segment at the entry of the fallback, where checkpoints of whole functions go on", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

PyTypeObject FjDispatcher_Type = {
    PyVarObject_HEAD_INIT(NULL, 0)
    .tp_name = "framejit.jit.native._core.Dispatcher",
    .tp_basicsize = sizeof(fj_dispatcher),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_HAVE_VECTORCALL |
                Py_TPFLAGS_METHOD_DESCRIPTOR,
    .tp_vectorcall_offset = offsetof(fj_dispatcher, vectorcall),
    .tp_dictoffset = offsetof(fj_dispatcher, dict),
    .tp_weaklistoffset = offsetof(fj_dispatcher, weakrefs),
    .tp_call = PyVectorcall_Call,
    .tp_new = dispatcher_new,
    .tp_dealloc = (destructor)dispatcher_dealloc,
    .tp_traverse = (traverseproc)dispatcher_traverse,
    .tp_clear = (inquiry)dispatcher_clear,
    .tp_descr_get = fj_dispatcher_descr_get,
    .tp_getattro = fj_dispatcher_getattro,
    .tp_setattro = fj_dispatcher_setattro,
    .tp_repr = fj_dispatcher_repr,
    .tp_methods = dispatcher_methods,
    .tp_members = dispatcher_members,
    .tp_getset = dispatcher_getset,
};
