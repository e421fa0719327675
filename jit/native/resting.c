/* Calls of a dispatcher that go by: plain Python serves them, and even asking takes its time. */
#include "resting.h"

enum { REST = 31 }; /* calls of a kind that go by before the entries are looked at again */

void
fj_rest_if_slower(fj_dispatcher *self, uint64_t kind)
{
    self->plain++;
    if (fj_cache_rests(&self->cache, kind)) {
        fj_rests_put(&self->rests, kind, REST);
    }
}

/* A function of which nothing is captured any more has no kinds. */
void
fj_rest_if_idle(fj_dispatcher *self, uint64_t kind)
{
    if (!self->closed || self->fallback != self->function) {
        return;
    }
    if (self->cache.count == 0) {
        self->rest = REST;
    }
    else if (fj_cache_rests(&self->cache, kind)) {
        fj_rests_put(&self->rests, kind, REST);
    }
}

PyObject *
fj_dispatcher_trial(PyObject *self, void *closure)
{
    (void)closure;
    return fj_kinds_show(&((fj_dispatcher *)self)->kinds);
}

PyObject *
fj_dispatcher_trials(PyObject *self, void *closure)
{
    (void)closure;
    return fj_kinds_list(&((fj_dispatcher *)self)->kinds);
}
