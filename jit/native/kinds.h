/* Kinds of calls, with one trial each: see kinds.c. */
#ifndef FRAMEJIT_KINDS_H
#define FRAMEJIT_KINDS_H

#include "trial.h"

enum {
    FJ_KINDS = 8, /* that are told apart; calls of any more share the last place */
    FJ_RESTS = 4, /* kinds that go by without a look at the guards */
};

/* The trials of an entry, or of rewritten code: one for each kind of calls. */
typedef struct {
    uint64_t keys[FJ_KINDS];
    fj_trial trials[FJ_KINDS]; /* they stay where they are: samples point to them */
    int count;
    int last;         /* the one used last */
    int64_t most;     /* of each trial, see there; */
    int64_t saves;    /* likewise */
    int64_t owed;     /* nanoseconds of calls that have to go by before the first trial of one more kind, */
    int busy;         /* and calls: a trial goes on, of */
    const fj_trial *tried; /* this kind */
} fj_kinds;

/* Number of calls of a kind that plain Python serves before the entries are tried again. */
typedef struct {
    uint64_t keys[FJ_RESTS];
    int left[FJ_RESTS];
} fj_rests;

/* Return the kind of a call, from types and sizes, not values. Borrows; cannot fail and runs no Python. */
uint64_t fj_kind_of(PyObject *const *args, Py_ssize_t count);

/* Return the trial of the kind; a fresh one if the kind is new. */
fj_trial *fj_kinds_find(fj_kinds *kinds, uint64_t key);

/* Return the trial of the kind, or NULL if no call of it has come so far. */
const fj_trial *fj_kinds_peek(const fj_kinds *kinds, uint64_t key);

/* Begin as fj_trial_begin, for the kind that the sample names. */
int fj_kinds_begin(fj_kinds *kinds, PyObject *holder, const void *of, uint64_t wait, fj_sample *sample);

/* The trial of the kind that came last, as fj_trial_show; or of all kinds, a list of (trials, side,
 * nanoseconds compiled, plain, compiled calls). New references or NULL. */
PyObject *fj_kinds_show(const fj_kinds *kinds);
PyObject *fj_kinds_list(const fj_kinds *kinds);

/* 1 if plain Python serves this call, which is counted, without a look at the guards. */
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
