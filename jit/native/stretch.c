/* Measures segments from one call to the next.
 *
 * A function that runs rewritten code itself, as under `framejit run`, has no wrapper that could time its
 * calls. But its segments are called again: in the next iteration of a loop, or at the next call. So a trial
 * (ab_timing.c) compares the time from one call of a segment to the next: on one side with its launch; on the
 * other the segment declines, and so do the others of the function, so that the user's own instructions run.
 * Those without entries decline too, as a capture would count for plain Python, and would change the code for
 * good. The time of the function's caller is in both. A segment whose launches are a small part of the
 * stretch is left alone: it cannot slow the stretch down much, and noise would decide.
 *
 * A launch may run all iterations of the loop at whose header its segment stands. Plain Python reaches that
 * stub in each iteration, and comparing one with all of them would favour plain Python: so its stretch goes
 * on until it has left the loop. It is in the same loop if no other segment of the function was called since
 * the last iteration, where one always is between two loops; or if the iterator is the same and has one item
 * less. If neither can tell, the segment is not measured.
 *
 * A stretch may never end, if the function returns and is not called again. Segments that decline meanwhile
 * end it when it has taken so long that plain Python has lost. */
#include "stretch.h"

enum {
    LOST = 16,      /* plain Python that takes so many times as long has lost */
    AGREED = 2,     /* trials, and */
    MANY = 500,     /* calls after the last of them: a segment with brief calls is given up then */
};

/* Ends the stretch that has begun, if there is one; `failed`: it does not count. */
static void
end(fj_stretch *stretch, int failed)
{
    if (stretch->timing->plain == stretch) {
        stretch->timing->plain = NULL;
    }
    fj_ab_timing_end(&stretch->sample, failed);
}

/* 1 if another segment of the function is being measured with plain Python. */
static int
others_decline(fj_stretch *stretch)
{
    fj_stretch *other = stretch->timing->plain;
    if (other == NULL || other == stretch) {
        return 0;
    }
    int64_t compiled = other->trial.least[FJ_COMPILED];
    if ((fj_now() - other->sample.began) / LOST > compiled) {
        end(other, 0);
        return 0;
    }
    return 1;
}

/* Update how a segment is measured when its entries have changed: return the launches before the first trial,
 * 0 for none. */
static uint64_t
patience_of(fj_stretch *stretch, const fj_cache *cache)
{
    uint64_t patience = 0;
    for (Py_ssize_t k = 0; k < cache->count; k++) {
        const fj_entry *entry = cache->items[k];
        if (entry->patience == 0) {
            return 0;
        }
        if (entry->patience > patience) {
            patience = entry->patience;
            stretch->trial.most = entry->kinds.most;
        }
    }
    return patience;
}

/* The items that an iterator has left; -1 for those that say nothing of it, or run code for it. */
static Py_ssize_t
items_left(PyObject *iterator)
{
    if (iterator == NULL ||
        !(Py_IS_TYPE(iterator, &PyRangeIter_Type) || Py_IS_TYPE(iterator, &PyListIter_Type) ||
          Py_IS_TYPE(iterator, &PyTupleIter_Type))) {
        return -1;
    }
    Py_ssize_t left = PyObject_LengthHint(iterator, -1);
    if (left < 0) {
        PyErr_Clear();
    }
    return left;
}

int
fj_stretch_iterates(fj_stretch *stretch, PyObject *iterator, int is_next)
{
    if (!is_next) {
        return 0;
    }
    Py_ssize_t left = items_left(iterator);
    int iterates = left < 0 ? stretch->is_marked
                         : iterator == stretch->iterator && left == stretch->left - 1;
    stretch->left = left;
    if (iterates && (fj_now() - stretch->sample.began) / LOST > stretch->trial.least[FJ_COMPILED]) {
        end(stretch, 0);
        return 0;
    }
    return iterates;
}

int
fj_stretch_go_on(fj_stretch *stretch, const fj_cache *cache, PyObject *iterator, int is_next)
{
    int declines = others_decline(stretch);
    end(stretch, declines);
    if (declines) {
        return FJ_PLAIN;
    }
    if (stretch->ends_loop) {
        if (stretch->trial.side == FJ_COMPILED) {
            stretch->is_marked = !is_next;
        }
        stretch->iterator = iterator;
        stretch->left = items_left(iterator);
        if (stretch->left < 0 && !stretch->is_marked) {
            return FJ_COMPILED;
        }
    }
    const void *of = fj_stretch_of(cache);
    uint64_t patience = stretch->trial.of == of ? stretch->trial.patience : patience_of(stretch, cache);
    if (patience == 0) {
        return FJ_COMPILED;
    }
    int side = fj_ab_timing_begin(&stretch->trial, NULL, of, patience, &stretch->sample);
    if (side == FJ_PLAIN && stretch->sample.trial != NULL && stretch->sample.counts) {
        stretch->timing->plain = stretch;
    }
    return side;
}

int64_t
fj_stretch_since(const fj_stretch *stretch)
{
    const fj_sample *sample = &stretch->sample;
    return sample->trial != NULL && sample->counts ? sample->began : 0;
}

void
fj_stretch_launched(fj_stretch *stretch, int64_t since)
{
    if (since == 0 || fj_stretch_since(stretch) != since) {
        return; /* it was called again meanwhile */
    }
    int64_t took = fj_now() - since;
    if (stretch->trial.own == 0 || took < stretch->trial.own) {
        stretch->trial.own = took > 0 ? took : 1;
    }
}

int
fj_stretch_is_over(const fj_stretch *stretch)
{
    const fj_ab_timing *trial = &stretch->trial;
    return !trial->running && trial->side == FJ_PLAIN && trial->trials >= AGREED &&
           trial->calls >= MANY && trial->usual < FJ_BRIEF;
}

void
fj_stretch_clear(fj_stretch *stretch)
{
    if (stretch->timing != NULL) {
        end(stretch, 1);
        Py_CLEAR(stretch->timing);
    }
}

static PyObject *
timing_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {NULL};
    return PyArg_ParseTupleAndKeywords(args, kwargs, ":Timing", names) ? type->tp_alloc(type, 0) : NULL;
}

static void
timing_dealloc(PyObject *self)
{
    Py_TYPE(self)->tp_free(self);
}

/* It cannot be part of a cycle: the garbage collector need not know it. */
PyTypeObject FjTiming_Type = {
    PyVarObject_HEAD_INIT(NULL, 0)
    .tp_name = "framejit.jit.native._core.Timing",
    .tp_doc = "Timing(): what the segments of a function share that are measured call by call.",
    .tp_basicsize = sizeof(fj_timing),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_new = timing_new,
    .tp_dealloc = timing_dealloc,
};
