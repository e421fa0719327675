/* Calls that plain Python serves without a look at the entries: see resting.c. */
#ifndef FRAMEJIT_RESTING_H
#define FRAMEJIT_RESTING_H

#include "dispatcher.h"

/* Return the kind of a call, 0 if it is not needed. Borrows; cannot fail. */
static inline uint64_t
fj_kind_of_call(const fj_dispatcher *self, PyObject *const *args, Py_ssize_t n_args, PyObject *kwnames)
{
    return self->rest > 0 ? 0 : fj_kind_of(args, n_args + (kwnames == NULL ? 0 : PyTuple_GET_SIZE(kwnames)));
}

/* 1 if plain Python serves this call without a look at the entries; the call is counted. */
static inline int
fj_call_goes_by(fj_dispatcher *self, uint64_t kind)
{
    if (self->rest > 0) {
        self->rest--;
    }
    else if (!fj_rests_take(&self->rests, kind)) {
        return 0;
    }
    self->plain += self->cache.count > 0;
    return 1;
}

/* Called when a call runs as plain Python; later ones skip the entries if no kernel is faster or being
 * measured. */
void fj_rest_if_slower(fj_dispatcher *self, uint64_t kind);

/* Called when no entry served a call. */
void fj_rest_if_idle(fj_dispatcher *self, uint64_t kind);

/* Getters of the trials of rewritten code: of the kind that came last, of all. New references or NULL. */
PyObject *fj_dispatcher_trial(PyObject *self, void *closure);
PyObject *fj_dispatcher_trials(PyObject *self, void *closure);

#endif
