/* Kinds of calls, with one trial each: see kinds.c. */
#ifndef FRAMEJIT_KINDS_H
#define FRAMEJIT_KINDS_H

#include "ab_timing.h"

enum {
    FJ_KINDS = 8, /* kinds that are told apart; the last place is shared by all others */
    FJ_RESTS = 4, /* kinds whose calls may skip the guards */
};

/* The trials of an entry, or of rewritten code: one for each kind of calls. */
typedef struct {
    uint64_t keys[FJ_KINDS];
    fj_ab_timing trials[FJ_KINDS]; /* never moved, as samples point to them */
    int count;
    int last;              /* the kind of the last call */
    int64_t most;          /* `most` of each trial */
    int64_t saves;         /* `saves` of each trial */
    int64_t owed;          /* nanoseconds that calls must take before the first trial of another kind */
    int busy;              /* calls before that, while a trial of the kind `tried` goes on */
    const fj_ab_timing *tried; /* the kind whose trial goes on, or NULL */
} fj_kinds;

/* Numbers of calls of a kind that plain Python serves before the entries are tried again. */
typedef struct {
    uint64_t keys[FJ_RESTS];
    int left[FJ_RESTS];
} fj_rests;

/* Return the kind of a call, from types and sizes, not values. Borrows; cannot fail and runs no Python. */
uint64_t fj_kind_of(PyObject *const *args, Py_ssize_t count);

/* Return the trial of the kind; a fresh one if the kind is new. */
fj_ab_timing *fj_kinds_find(fj_kinds *kinds, uint64_t key);

/* Return the trial of the kind, or NULL if no call of it has come so far. */
const fj_ab_timing *fj_kinds_peek(const fj_kinds *kinds, uint64_t key);

/* Call fj_ab_timing_begin() for the trial of the kind that the sample names. */
int fj_kinds_begin(fj_kinds *kinds, PyObject *holder, const void *of, uint64_t wait, fj_sample *sample);

/* Return the trial of the last call's kind, as fj_ab_timing_show(); or the trials of all kinds, a list of (trials,
 * side, nanoseconds of compiled code, of plain Python, compiled calls). New references, or NULL. */
PyObject *fj_kinds_show(const fj_kinds *kinds);
PyObject *fj_kinds_list(const fj_kinds *kinds);

/* Count a call; 1 if plain Python serves it and the guards need not be checked. */
static inline int
fj_rests_take(fj_rests *rests, uint64_t key)
{
    unsigned at = (unsigned)(key % FJ_RESTS);
    if (rests->left[at] == 0 || rests->keys[at] != key) {
        return 0;
    }
    rests->left[at]--;
    return 1;
}

/* Let plain Python serve so many calls of the kind. */
static inline void
fj_rests_put(fj_rests *rests, uint64_t key, int calls)
{
    rests->keys[key % FJ_RESTS] = key;
    rests->left[key % FJ_RESTS] = calls;
}

#endif
