/* The callable inside a stub: live-ins in, payload of an exit out, None for exit 0. */
#include "allowance.h"
#include "stack_switch.h"
#include "finalisation.h"
#include "hostile.h"
#include "interp.h"
#include "laps.h"
#include "stretch.h"
#include <stddef.h>
#include <structmember.h>

enum {
    MANY_IN_VAIN = 256,   /* calls in vain after which the point is told */
    CREDIT = 8,           /* calls in vain that a short launch pays for */
    LONG_LAUNCH = 50000,  /* ns: a longer launch pays for all of them */
    EARLY = 16,           /* first calls, whose launches are timed in any case */
};

typedef struct {
    PyObject_HEAD
    vectorcallfunc vectorcall;
    fj_cache cache;
    PyObject *point;    /* the capture point: asked on a miss, miss(options, live) -> bool */
    Py_ssize_t n_exits; /* exits that the stub can tell apart */
    int *unseen;        /* locals (slots of the frame) that the function assigns and that are no live-ins here */
    Py_ssize_t n_unseen;
    int returns;        /* an exit returns from the function: locals that it has not stored die with the frame */
    PyObject *leaves;    /* owned: bytes, 1 for each exit that leaves the loop whose header is here; or NULL */
    Py_ssize_t iterator; /* number of the live-in that is the iterator of that loop; -1: it has none */
    uint64_t calls;
    int64_t early;      /* ns that the launches of the first EARLY calls have taken */
    int in_vain;        /* calls in which no entry ran, less those that later launches have paid for */
    int closed;         /* nothing more is captured: a miss is exit 0 at once */
    PyObject *lap;      /* owned: the lap of the call that is explained (laps.c); or NULL */
    fj_stretch stretch; /* its timing against plain Python, in functions whose calls are not timed */
} fj_segment;

/* 1 if somebody may observe that a segment runs and not eager. Whoever holds the frame sees the locals that it
 * has at its end. And a local that the code here overwrites may hold the last reference to an object with
 * observable finalisation: eager lets it die there, a segment at its exit. Live-ins were checked by the capture. */
static int
would_be_seen(const fj_segment *self)
{
    if (self->returns && fj_running_frame_is_held()) {
        return 1;
    }
    const fj_slot *slots = self->n_unseen == 0 ? NULL : fj_running_slots();
    for (Py_ssize_t k = 0; slots != NULL && k < self->n_unseen; k++) {
        PyObject *object = fj_slot_object(slots[self->unseen[k]]);
        if (object != NULL && Py_REFCNT(object) == 1 && fj_finalisation_is_observable(object, 1)) {
            return 1;
        }
    }
    return 0;
}

/* The exit that the next call of a segment in this thread takes. */
static _Thread_local fj_primed primed;
static Py_ssize_t n_primed; /* threads that are primed; with 0 the thread's own need not be read */

fj_primed
fj_segment_prime(fj_primed next)
{
    fj_primed before = primed;
    primed = next;
    n_primed += (next.segment != NULL) - (before.segment != NULL);
    return before;
}

/* Asks the capture point to capture ("miss"), or only to look for breaks ("foresee"): 1 when there is a new entry, 0
 * when not, -1 on error. */
static int
ask_point(fj_segment *self, const char *request, PyObject *options, PyObject *const *args, Py_ssize_t count)
{
    PyObject *live = PyTuple_New(count);
    if (live == NULL) {
        return -1;
    }
    for (Py_ssize_t k = 0; k < count; k++) {
        PyTuple_SET_ITEM(live, k, Py_NewRef(args[k]));
    }
    PyObject *answer = fj_engine_call(self->point, request, (PyObject *)self, options, live);
    Py_DECREF(live);
    int added = answer == NULL ? -1 : PyObject_IsTrue(answer);
    Py_XDECREF(answer);
    return added;
}

/* Tries the entries, asks the capture point on a miss, tries again. */
static fj_outcome
try_entries(fj_segment *self, PyObject *options, PyObject *const *args, Py_ssize_t count,
            PyObject **result, Py_ssize_t *exit)
{
    fj_outcome outcome = fj_cache_run(&self->cache, options, args, count, NULL, result, exit);
    if (outcome == FJ_MISS && !self->closed) {
        int added = ask_point(self, "miss", options, args, count);
        if (added < 0) {
            return FJ_ERROR;
        }
        if (added) {
            outcome = fj_cache_run(&self->cache, options, args, count, NULL, result, exit);
        }
    }
    return outcome;
}

/* Count a successful call: it pays for some failed ones. `since` is its start, or 0. */
static void
pay(fj_segment *self, int64_t since)
{
    if (self->in_vain == MANY_IN_VAIN) {
        return; /* the point has been told */
    }
    if (since == 0 || self->in_vain < CREDIT || fj_now() - since > LONG_LAUNCH) {
        self->in_vain = 0;
    }
    else {
        self->in_vain -= CREDIT;
    }
}

/* Take exit 0. A closed segment that has failed again and again tells its point, which drops the stub. New
 * reference, NULL with an exception. */
static PyObject *
decline(fj_segment *self)
{
    if (self->closed && self->in_vain < MANY_IN_VAIN && ++self->in_vain == MANY_IN_VAIN &&
        self->point != NULL) {
        PyObject *done =
            fj_engine_call(self->point, "in_vain", (PyObject *)self, NULL, NULL);
        if (done == NULL) {
            return NULL;
        }
        Py_DECREF(done);
        if (!self->closed) {
            self->in_vain = 0; /* it has been opened again */
        }
    }
    Py_RETURN_NONE;
}

/* Take exit 0, as plain Python is faster than this segment, or is being measured. If even that costs too
 * much, the point is told once, and drops the stub. New reference, NULL with an exception. */
static PyObject *
leave_to_plain(fj_segment *self)
{
    if (fj_stretch_is_over(&self->stretch) && self->in_vain < MANY_IN_VAIN && self->point != NULL) {
        self->in_vain = MANY_IN_VAIN;
        PyObject *done = fj_engine_call(self->point, "slower", (PyObject *)self, NULL, NULL);
        if (done == NULL) {
            return NULL;
        }
        Py_DECREF(done);
    }
    Py_RETURN_NONE;
}

/* The calling stub holds the segment, and on its stack the live-ins. */
static PyObject *
segment_vectorcall(PyObject *callable, PyObject *const *args, size_t nargsf, PyObject *kwnames)
{
    fj_segment *self = (fj_segment *)callable;
    (void)kwnames; /* stubs pass none */
    self->calls++;
    if (self->lap != NULL) {
        fj_lap_begin(self->lap);
    }
    int is_next = fj_stretch_is_next(&self->stretch);
    if (n_primed > 0 && primed.segment == callable) {
        fj_primed taken = fj_segment_prime((fj_primed){0});
        return fj_exit_for_stub(self->n_exits, taken.exit, taken.payload);
    }
    if (self->closed && self->cache.count == 0 && !fj_hostile.exit0) {
        fj_hostile.stubs++;
        return decline(self);
    }
    PyThreadState *tstate = PyThreadState_Get();
    PyObject *options = fj_depth_is_short(tstate) ? NULL : fj_options_now(tstate);
    fj_hostile.stubs++;
    if (options == NULL) {
        Py_RETURN_NONE;
    }
    PyObject *iterator = self->iterator >= 0 && self->iterator < PyVectorcall_NARGS(nargsf)
                             ? args[self->iterator]
                             : NULL;
    if (fj_stretch_begin(&self->stretch, &self->cache, iterator, is_next) == FJ_PLAIN) {
        Py_DECREF(options);
        return leave_to_plain(self);
    }
    PyObject *result;
    Py_ssize_t exit;
    fj_outcome outcome = FJ_BAIL;
    int is_early = self->calls <= EARLY;
    Py_ssize_t known = self->cache.count;
    int64_t since = self->in_vain < CREDIT && !is_early ? 0 : fj_now();
    int64_t measured = fj_stretch_since(&self->stretch);
    if (!fj_hostile_declines()) {
        if (!would_be_seen(self)) {
            outcome = try_entries(self, options, args, PyVectorcall_NARGS(nargsf), &result, &exit);
        }
        else if (self->lap != NULL && !self->closed && self->cache.count == 0 &&
                 ask_point(self, "foresee", options, args, PyVectorcall_NARGS(nargsf)) < 0) {
            outcome = FJ_ERROR; /* the report of an explained call tells of what breaks behind */
        }
    }
    fj_stretch_launched(&self->stretch, measured);
    Py_DECREF(options);
    switch (outcome) {
    case FJ_TAKEN:
        fj_hostile.exits++;
        pay(self, since);
        if (is_early && self->cache.count == known) { /* else this call has captured, which is no launch */
            self->early += fj_now() - since;
        }
        if (self->leaves != NULL && exit < PyBytes_GET_SIZE(self->leaves) &&
            PyBytes_AS_STRING(self->leaves)[exit]) {
            self->stretch.ends_loop = 1;
        }
        return fj_exit_for_stub(self->n_exits, exit, result);
    case FJ_ERROR:
        return NULL;
    case FJ_LATER: /* not in vain: the kernel is being compiled */
        Py_RETURN_NONE;
    default:
        return decline(self);
    }
}

static PyObject *
segment_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"point", "n_exits", "unseen", "returns", "timing", "iterator", "leaves", NULL};
    PyObject *point, *unseen = NULL, *timing = NULL, *leaves = NULL;
    Py_ssize_t n_exits, iterator = -1;
    int returns = 0;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "On|O!pOnS:Segment", names, &point, &n_exits,
                                     &PyTuple_Type, &unseen, &returns, &timing, &iterator,
                                     &leaves)) {
        return NULL;
    }
    fj_segment *self = (fj_segment *)type->tp_alloc(type, 0);
    if (self == NULL) {
        return NULL;
    }
    self->vectorcall = segment_vectorcall;
    self->point = Py_NewRef(point);
    self->n_exits = n_exits;
    self->returns = returns;
    self->iterator = iterator;
    self->leaves = Py_XNewRef(leaves);
    self->stretch.trial.saves = FJ_STUB;
    if (timing != NULL && Py_IS_TYPE(timing, &FjTiming_Type)) {
        self->stretch.timing = (fj_timing *)Py_NewRef(timing);
    }
    Py_ssize_t count = unseen == NULL ? 0 : PyTuple_GET_SIZE(unseen);
    self->unseen = PyMem_New(int, count + 1);
    if (self->unseen == NULL) {
        Py_DECREF(self);
        return PyErr_NoMemory();
    }
    for (; self->n_unseen < count; self->n_unseen++) {
        self->unseen[self->n_unseen] = (int)PyLong_AsLong(PyTuple_GET_ITEM(unseen, self->n_unseen));
    }
    if (PyErr_Occurred()) {
        Py_DECREF(self);
        return NULL;
    }
    return (PyObject *)self;
}

static int
segment_traverse(fj_segment *self, visitproc visit, void *arg)
{
    Py_VISIT(self->point);
    Py_VISIT(self->lap);
    return fj_cache_traverse(&self->cache, visit, arg);
}

static int
segment_clear(fj_segment *self)
{
    self->closed = 1;
    fj_stretch_clear(&self->stretch);
    Py_CLEAR(self->point);
    Py_CLEAR(self->lap);
    fj_cache_clear(&self->cache);
    return 0;
}

static void
segment_dealloc(fj_segment *self)
{
    PyObject_GC_UnTrack(self);
    segment_clear(self);
    PyMem_Free(self->unseen);
    Py_XDECREF(self->leaves);
    Py_TYPE(self)->tp_free((PyObject *)self);
}

static PyObject *
segment_add(fj_segment *self, PyObject *entry)
{
    return fj_cache_add(&self->cache, entry);
}

/* forget(): the function has died; its frames that still run take exit 0. New reference. */
static PyObject *
segment_forget(fj_segment *self, PyObject *ignored)
{
    (void)ignored;
    segment_clear(self);
    Py_RETURN_NONE;
}

static PyObject *
segment_entries(fj_segment *self, void *closure)
{
    (void)closure;
    return fj_cache_list(&self->cache);
}

/* trial(): new reference or NULL. */
static PyObject *
segment_trial(fj_segment *self, PyObject *ignored)
{
    (void)ignored;
    return fj_ab_timing_show(&self->stretch.trial);
}

/* open(): it asks its point on misses again. New reference. */
static PyObject *
segment_open(fj_segment *self, PyObject *ignored)
{
    (void)ignored;
    self->closed = 0;
    self->in_vain = 0;
    Py_RETURN_NONE;
}

static PyMethodDef segment_methods[] = {
    {"open", (PyCFunction)segment_open, METH_NOARGS, "open(): ask on misses again, after `closed`."},
    {"add", (PyCFunction)segment_add, METH_O, "add(entry): try this entry first from now on."},
    {"forget", (PyCFunction)segment_forget, METH_NOARGS, "forget(): decline from now on."},
    {"trial", (PyCFunction)segment_trial, METH_NOARGS,
     "trial() -> as Entry.trial(), of the time from one call to the next."},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef segment_getset[] = {
    {"entries", (getter)segment_entries, NULL, "list of entries, most recent first", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyMemberDef segment_members[] = {
    {"calls", T_ULONGLONG, offsetof(fj_segment, calls), READONLY, "calls so far"},
    {"early", T_LONGLONG, offsetof(fj_segment, early), READONLY, "ns of the first launches"},
    {"closed", T_INT, offsetof(fj_segment, closed), 0, "true: a miss is exit 0 at once"},
    {"lap", T_OBJECT, offsetof(fj_segment, lap), 0, "the lap that each call begins, or None"},
    {"n_exits", T_PYSSIZET, offsetof(fj_segment, n_exits), READONLY, "exits of the stub"},
    {"point", T_OBJECT, offsetof(fj_segment, point), READONLY, "the capture point"},
    {NULL, 0, 0, 0, NULL},
};

PyTypeObject FjSegment_Type = {
    PyVarObject_HEAD_INIT(NULL, 0)
    .tp_name = "framejit.jit.native._core.Segment",
    .tp_doc = "The callable inside a stub: live-ins in, payload of an exit out.",
    .tp_basicsize = sizeof(fj_segment),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_HAVE_VECTORCALL,
    .tp_vectorcall_offset = offsetof(fj_segment, vectorcall),
    .tp_call = PyVectorcall_Call,
    .tp_new = segment_new,
    .tp_dealloc = (destructor)segment_dealloc,
    .tp_traverse = (traverseproc)segment_traverse,
    .tp_clear = (inquiry)segment_clear,
    .tp_methods = segment_methods,
    .tp_getset = segment_getset,
    .tp_members = segment_members,
};
