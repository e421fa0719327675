/* The callable behind @jit: bind the arguments, try the entries, else run the function. */
#include "bind.h"
#include "deep.h"
#include "dispatcher.h"
#include "frame_hook.h"
#include "hostile.h"
#include "instead.h"
#include <stddef.h>
#include <structmember.h>

enum { STACK_ARGUMENTS = 16 };

typedef struct {
    PyObject_HEAD
    vectorcallfunc vectorcall;
    fj_cache cache;
    fj_parameters parameters;
    PyObject *function; /* the user's function: what __wrapped__ is */
    PyObject *code;     /* what it ran when it was jitted: with other code in it, it runs as it is */
    PyObject *fallback; /* a function whose code has segments, or the user's own */
    PyObject *resume;   /* the segment at the entry of `fallback`, or NULL */
    PyObject *manager;  /* the Python side: miss(options, live) -> bool, stats(), inspect() */
    PyObject *dict;
    PyObject *weakrefs;
    uint64_t calls;
    uint64_t hits;
    int bindable; /* the entries are worth trying: the signature is one that fj_bind serves */
    int closed;   /* captures no more from here: a miss goes to the fallback at once */
} fj_dispatcher;

/* Asks the manager to capture: 1 when there is a new entry, 0 when not, -1 on error. */
static int
ask_manager(fj_dispatcher *self, PyObject *options, PyObject *const *bound)
{
    PyObject *live = PyTuple_New(self->parameters.n_parameters);
    if (live == NULL) {
        return -1;
    }
    for (Py_ssize_t k = 0; k < self->parameters.n_parameters; k++) {
        PyTuple_SET_ITEM(live, k, Py_NewRef(bound[k]));
    }
    PyObject *answer = fj_engine_call(self->manager, "miss", options, live, NULL);
    Py_DECREF(live);
    int added = answer == NULL ? -1 : PyObject_IsTrue(answer);
    Py_XDECREF(answer);
    return added;
}

/* Borrows everything; a new reference in *result where it gives FJ_TAKEN. */
static fj_outcome
try_entries(fj_dispatcher *self, PyObject *options, PyObject *const *bound, PyObject **result,
            Py_ssize_t *exit)
{
    Py_ssize_t count = self->parameters.n_parameters;
    fj_outcome outcome = fj_cache_run(&self->cache, options, bound, count, result, exit);
    if (outcome == FJ_MISS && !self->closed) {
        int added = ask_manager(self, options, bound);
        if (added < 0) {
            return FJ_ERROR;
        }
        if (added) {
            outcome = fj_cache_run(&self->cache, options, bound, count, result, exit);
        }
    }
    return outcome;
}

/* Whether entries and segments were made of the code that this function has now. */
static int
has_our_code(const fj_dispatcher *self, PyObject *function)
{
    return PyFunction_Check(function) && fj_plain_code(function) == self->code;
}

/* The options in force: a new reference, NULL when the function runs as it is. */
static PyObject *
options_for(const fj_dispatcher *self, PyObject *function)
{
    return has_our_code(self, function) && !fj_depth_is_short(PyThreadState_Get())
               ? fj_options_now()
               : NULL;
}

/* Gives rewritten code the defaults that the user's function has now: 0, or -1 with an exception.
 * They are read at each call, as CPython reads them. */
static int
take_defaults(PyObject *fallback, PyObject *function)
{
    PyObject *defaults = PyFunction_GET_DEFAULTS(function);
    PyObject *keywords = PyFunction_GET_KW_DEFAULTS(function);
    if (PyFunction_GET_DEFAULTS(fallback) != defaults &&
        PyFunction_SetDefaults(fallback, defaults != NULL ? defaults : Py_None) < 0) {
        return -1;
    }
    if (PyFunction_GET_KW_DEFAULTS(fallback) != keywords &&
        PyFunction_SetKwDefaults(fallback, keywords != NULL ? keywords : Py_None) < 0) {
        return -1;
    }
    return 0;
}

/* Binds the arguments and tries the entries; FJ_MISS too when the call does not fit. The caller holds
 * what it passed; defaults may be replaced while an entry runs, so they are held here. */
static fj_outcome
bind_and_try(fj_dispatcher *self, PyObject *options, PyObject *const *args, Py_ssize_t n_args,
             PyObject *kwnames, PyObject **result, Py_ssize_t *exit)
{
    PyObject *bound[STACK_ARGUMENTS];
    Py_ssize_t count = self->parameters.n_parameters;
    Py_ssize_t given = n_args + (kwnames == NULL ? 0 : PyTuple_GET_SIZE(kwnames));
    if (!fj_bind(&self->parameters, (PyFunctionObject *)self->function, args, n_args, kwnames,
                 bound)) {
        return FJ_MISS;
    }
    if (given == count) {
        return try_entries(self, options, bound, result, exit);
    }
    for (Py_ssize_t k = 0; k < count; k++) {
        Py_INCREF(bound[k]);
    }
    fj_outcome outcome = try_entries(self, options, bound, result, exit);
    for (Py_ssize_t k = 0; k < count; k++) {
        Py_DECREF(bound[k]);
    }
    return outcome;
}

/* Runs what is not captured as a whole. Rewritten code has breaks: the functions that it calls there
 * are caught by the frame hook. `next` is what its first stub takes (its payload is stolen). */
static PyObject *
run_fallback(fj_dispatcher *self, PyObject *const *args, size_t nargsf, PyObject *kwnames,
             fj_primed next)
{
    PyObject *fallback = Py_NewRef(self->fallback); /* a capture may replace it meanwhile */
    fj_primed before = fj_segment_prime(next);
    int entered = 1;
    if (fallback != self->function) {
        entered = take_defaults(fallback, self->function) < 0 ? -1 : fj_frame_hook_enter();
    }
    PyObject *result =
        entered < 0 ? NULL
                    : fj_call_standing((PyObject *)self, fallback, args, nargsf, kwnames);
    if (entered == 0 && fj_frame_hook_leave() < 0) {
        Py_CLEAR(result);
    }
    fj_primed left = fj_segment_prime(before);
    Py_XDECREF(left.payload); /* an exception came before the stub */
    Py_DECREF(fallback);
    return result;
}

/* A whole-function launch bailed to a checkpoint: the rewritten code goes on from there, in a frame
 * of its own, by way of the stub at its entry. Steals payload. */
static PyObject *
resume(fj_dispatcher *self, PyObject *payload, Py_ssize_t exit, PyObject *const *args,
       size_t nargsf, PyObject *kwnames)
{
    if (self->resume == NULL) {
        Py_DECREF(payload);
        PyErr_SetString(PyExc_SystemError, "framejit: a checkpoint without a way to resume");
        return NULL;
    }
    PyObject *segment = Py_NewRef(self->resume);
    fj_primed next = {segment, payload, exit};
    PyObject *result = run_fallback(self, args, nargsf, kwnames, next);
    Py_DECREF(segment);
    return result;
}

/* The manager makes segments for a signature that is not bound here: 0, or -1 with an exception. */
static int
prepare_once(fj_dispatcher *self)
{
    if (self->bindable || self->closed) {
        return 0;
    }
    self->closed = 1;
    PyObject *done = fj_engine_call(self->manager, "prepare", NULL, NULL, NULL);
    Py_XDECREF(done);
    return done == NULL ? -1 : 0;
}

/* Borrows everything, `self` too: dispatcher_vectorcall holds it. */
static PyObject *
dispatch(fj_dispatcher *self, PyObject *options, PyObject *const *args, size_t nargsf,
         PyObject *kwnames)
{
    if (self->bindable && (self->cache.count > 0 || !self->closed) && !fj_hostile_declines()) {
        PyObject *result;
        Py_ssize_t exit;
        fj_outcome outcome = bind_and_try(self, options, args, PyVectorcall_NARGS(nargsf),
                                          kwnames, &result, &exit);
        if (outcome == FJ_TAKEN) {
            self->hits++;
            return exit == 0 ? result : resume(self, result, exit - 1, args, nargsf, kwnames);
        }
        if (outcome == FJ_ERROR) {
            return NULL;
        }
    }
    if (prepare_once(self) < 0) {
        return NULL;
    }
    return run_fallback(self, args, nargsf, kwnames, (fj_primed){0});
}

/* Whoever calls may let go of the dispatcher meanwhile, as functools.partial does when its state is
 * set: the call holds it, as a frame holds its function. */
static PyObject *
dispatcher_vectorcall(PyObject *callable, PyObject *const *args, size_t nargsf, PyObject *kwnames)
{
    fj_dispatcher *self = (fj_dispatcher *)Py_NewRef(callable);
    PyObject *options = options_for(self, self->function);
    PyObject *result;
    self->calls++;
    if (options == NULL) {
        result = fj_call_standing(callable, self->function, args, nargsf, kwnames);
    }
    else {
        result = dispatch(self, options, args, nargsf, kwnames);
        Py_DECREF(options);
    }
    Py_DECREF(self);
    return result;
}

/* resume() with arguments in the order of the parameters, as a frame has them. */
static PyObject *
resume_bound(fj_dispatcher *self, PyObject *payload, Py_ssize_t exit, PyObject *const *args)
{
    const fj_parameters *parameters = &self->parameters;
    PyObject *kwnames = NULL;
    if (parameters->n_positional < parameters->n_parameters) {
        kwnames = PyTuple_GetSlice(parameters->names, parameters->n_positional,
                                   parameters->n_parameters);
        if (kwnames == NULL) {
            Py_DECREF(payload);
            return NULL;
        }
    }
    PyObject *result =
        resume(self, payload, exit, args, (size_t)parameters->n_positional, kwnames);
    Py_XDECREF(kwnames);
    return result;
}

/* fj_dispatcher_attempt for options that are in force; borrows everything. */
static PyObject *
attempt(fj_dispatcher *self, PyObject *options, PyObject *const *args)
{
    PyObject *result;
    Py_ssize_t exit;
    self->calls++;
    if (!self->bindable) {
        if (prepare_once(self) < 0) {
            return NULL;
        }
    }
    else if ((self->cache.count > 0 || !self->closed) && !fj_hostile_declines()) {
        fj_outcome outcome = try_entries(self, options, args, &result, &exit);
        if (outcome == FJ_TAKEN) {
            self->hits++;
            return exit == 0 ? result : resume_bound(self, result, exit - 1, args);
        }
        if (outcome == FJ_ERROR) {
            return NULL;
        }
    }
    return self->fallback == self->function ? NULL : fj_instead_new(self->fallback);
}

PyObject *
fj_dispatcher_attempt(PyObject *dispatcher, PyObject *function, PyObject *const *args,
                      Py_ssize_t count)
{
    fj_dispatcher *self = (fj_dispatcher *)dispatcher;
    if (self->bindable && count != self->parameters.n_parameters) {
        return NULL;
    }
    PyObject *options = options_for(self, function);
    if (options == NULL) {
        return NULL;
    }
    PyObject *result = attempt(self, options, args);
    Py_DECREF(options);
    return result;
}

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
    self->vectorcall = dispatcher_vectorcall;
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

/* The rewritten code owns its segments by way of its constants, and a segment leads back here; but the
 * garbage collector does not look into code objects. So it is done for the code, as long as nobody
 * else (a frame, a generator) has it or its function: then it lives and dies with this dispatcher. */
static int
visit_constants(fj_dispatcher *self, visitproc visit, void *arg)
{
    PyObject *fallback = self->fallback;
    if (fallback == NULL || fallback == self->function || Py_REFCNT(fallback) != 1) {
        return 0;
    }
    PyCodeObject *code = (PyCodeObject *)PyFunction_GET_CODE(fallback);
    if (Py_REFCNT(code) == 1) {
        Py_VISIT(code->co_consts);
    }
    return 0;
}

static int
dispatcher_traverse(fj_dispatcher *self, visitproc visit, void *arg)
{
    int stop = visit_constants(self, visit, arg);
    if (stop) {
        return stop;
    }
    Py_VISIT(self->function);
    Py_VISIT(self->code);
    Py_VISIT(self->fallback);
    Py_VISIT(self->manager);
    Py_VISIT(self->resume);
    Py_VISIT(self->dict);
    Py_VISIT(self->parameters.names);
    return fj_cache_traverse(&self->cache, visit, arg);
}

/* Leaves a dispatcher that may still be called by a finaliser: `function` stays until dealloc. */
static int
dispatcher_clear(fj_dispatcher *self)
{
    self->closed = 1;
    fj_cache_clear(&self->cache);
    Py_CLEAR(self->dict);
    Py_CLEAR(self->resume);
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
    Py_CLEAR(self->fallback);
    Py_CLEAR(self->function);
    Py_CLEAR(self->code);
    Py_CLEAR(self->parameters.names);
    Py_TYPE(self)->tp_free((PyObject *)self);
}

/* Bound as a method like a function. */
static PyObject *
dispatcher_descr_get(PyObject *self, PyObject *instance, PyObject *type)
{
    (void)type;
    if (instance == NULL || instance == Py_None) {
        return Py_NewRef(self);
    }
    return PyMethod_New(self, instance);
}

/* What the dispatcher has not, the plain function may have: __code__, __defaults__, ... */
static PyObject *
dispatcher_getattro(PyObject *self, PyObject *name)
{
    PyObject *value = PyObject_GenericGetAttr(self, name);
    PyObject *function = ((fj_dispatcher *)self)->function;
    if (value == NULL && function != NULL && PyErr_ExceptionMatches(PyExc_AttributeError)) {
        PyErr_Clear();
        value = PyObject_GetAttr(function, name);
    }
    return value;
}

static PyObject *
dispatcher_repr(fj_dispatcher *self)
{
    return PyUnicode_FromFormat("<framejit.jit %R>", self->function);
}

/* What decides about a call, and what describes the function, belongs to the function. */
static int
is_of_function(PyObject *name)
{
    static const char *const names[] = {"__code__", "__defaults__", "__kwdefaults__",
                                        "__annotations__", "__type_params__"};
    for (size_t k = 0; k < Py_ARRAY_LENGTH(names); k++) {
        if (PyUnicode_Check(name) && PyUnicode_CompareWithASCIIString(name, names[k]) == 0) {
            return 1;
        }
    }
    return 0;
}

static int
dispatcher_setattro(PyObject *self, PyObject *name, PyObject *value)
{
    fj_dispatcher *dispatcher = (fj_dispatcher *)self;
    if (!is_of_function(name)) {
        return PyObject_GenericSetAttr(self, name, value);
    }
    /* What functools.update_wrapper has put here would hide it. */
    int hides = dispatcher->dict == NULL ? 0 : PyDict_Contains(dispatcher->dict, name);
    if (hides < 0 || (hides && PyDict_DelItem(dispatcher->dict, name) < 0)) {
        return -1;
    }
    return PyObject_SetAttr(dispatcher->function, name, value);
}

/* Whether the Python code that runs belongs to a pickler that takes functions apart. */
static int
is_asked_by_pickler(void)
{
    PyObject *globals = PyEval_GetGlobals(); /* borrowed */
    PyObject *name = globals == NULL ? NULL : PyDict_GetItemString(globals, "__name__");
    const char *text = name != NULL && PyUnicode_Check(name) ? PyUnicode_AsUTF8(name) : NULL;
    if (text == NULL) {
        PyErr_Clear();
    }
    return text != NULL && strstr(text, "cloudpickle") != NULL;
}

/* isinstance(f, types.FunctionType) is how `inspect` and its users tell what can be looked into.
 * cloudpickle would make a plain function of it: from there it is an object with a reduction. */
static PyObject *
dispatcher_get_class(PyObject *self, void *closure)
{
    (void)closure;
    return Py_NewRef(is_asked_by_pickler() ? (PyObject *)Py_TYPE(self)
                                           : (PyObject *)&PyFunction_Type);
}

/* A function is its own copy. */
static PyObject *
dispatcher_copy(PyObject *self, PyObject *ignored)
{
    (void)ignored;
    return Py_NewRef(self);
}

/* Pickled by reference to its qualified name, like a function; frontends/pickling.py knows more. */
static PyObject *
dispatcher_reduce(fj_dispatcher *self, PyObject *ignored)
{
    (void)ignored;
    return PyObject_GetAttrString(self->function, "__qualname__");
}

static PyObject *
dispatcher_add(fj_dispatcher *self, PyObject *entry)
{
    if (!PyObject_TypeCheck(entry, &FjEntry_Type)) {
        PyErr_Format(PyExc_TypeError, "add: an Entry is needed, not %.100s",
                     Py_TYPE(entry)->tp_name);
        return NULL;
    }
    if (fj_cache_add(&self->cache, (fj_entry *)entry) < 0) {
        return NULL;
    }
    Py_RETURN_NONE;
}

/* _forget(): the function whose dispatcher this is has died; see owned.c. New reference. */
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
dispatcher_inspect(fj_dispatcher *self, PyObject *what)
{
    return PyObject_CallMethod(self->manager, "inspect", "OO", (PyObject *)self, what);
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

/* Anything but the segment of a stub would never take what resume() primes. */
static int
dispatcher_set_resume(fj_dispatcher *self, PyObject *value, void *closure)
{
    (void)closure;
    if (value == NULL || !(value == Py_None || Py_IS_TYPE(value, &FjSegment_Type))) {
        PyErr_SetString(PyExc_TypeError, "_resume: a Segment or None is needed");
        return -1;
    }
    Py_XSETREF(self->resume, value == Py_None ? NULL : Py_NewRef(value));
    return 0;
}

static PyObject *
dispatcher_get_resume(fj_dispatcher *self, void *closure)
{
    (void)closure;
    return Py_NewRef(self->resume == NULL ? Py_None : self->resume);
}

static PyMethodDef dispatcher_methods[] = {
    {"__reduce__", (PyCFunction)dispatcher_reduce, METH_NOARGS, NULL},
    {"__copy__", dispatcher_copy, METH_NOARGS, NULL},
    {"__deepcopy__", dispatcher_copy, METH_O, NULL},
    {"_forget", (PyCFunction)dispatcher_forget, METH_NOARGS, "_forget(): the function has died."},
    {"_add", (PyCFunction)dispatcher_add, METH_O, "_add(entry): try this entry first."},
    {"stats", (PyCFunction)dispatcher_stats, METH_NOARGS,
     "stats() -> dict of plain numbers: calls, hits, captures, recompiles, bails, breaks."},
    {"inspect", (PyCFunction)dispatcher_inspect, METH_O,
     "inspect(what) -> text of what runs; what: 'graph', 'bytecode', 'guards' or 'numba'."},
    {NULL, NULL, 0, NULL},
};

static PyMemberDef dispatcher_members[] = {
    {"_calls", T_ULONGLONG, offsetof(fj_dispatcher, calls), READONLY, "calls so far"},
    {"_hits", T_ULONGLONG, offsetof(fj_dispatcher, hits), READONLY, "calls that made no frame"},
    {"_closed", T_INT, offsetof(fj_dispatcher, closed), 0, "true: captures no more from here"},
    {"_bindable", T_INT, offsetof(fj_dispatcher, bindable), READONLY,
     "true: whole-function entries are possible"},
    {"_manager", T_OBJECT, offsetof(fj_dispatcher, manager), READONLY, "the Python side"},
    {NULL, 0, 0, 0, NULL},
};

static PyGetSetDef dispatcher_getset[] = {
    {"__class__", dispatcher_get_class, NULL, NULL, NULL},
    {"__dict__", PyObject_GenericGetDict, PyObject_GenericSetDict, NULL, NULL},
    {"_entries", (getter)dispatcher_entries, NULL, "list of entries, most recent first", NULL},
    {"_fallback", (getter)dispatcher_get_fallback, (setter)dispatcher_set_fallback,
     "the function that runs when no entry holds", NULL},
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
    .tp_descr_get = dispatcher_descr_get,
    .tp_getattro = dispatcher_getattro,
    .tp_setattro = dispatcher_setattro,
    .tp_repr = (reprfunc)dispatcher_repr,
    .tp_methods = dispatcher_methods,
    .tp_members = dispatcher_members,
    .tp_getset = dispatcher_getset,
};
