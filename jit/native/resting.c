/* Calls of a dispatcher that skip the entries: plain Python serves them, and even the look-up takes time. */
#include "resting.h"

enum {
    REST = 31,  /* calls of a kind that go by before the entries are looked at again */
    OFTEN = 64, /* calls of a kind in a row that no entry has taken: the next is not expected to be */
};

void
fj_rest_if_slower(fj_dispatcher *self, uint64_t kind)
{
    self->plain++;
    if (fj_cache_rests(&self->cache, kind)) {
        fj_rests_put(&self->rests, kind, REST);
    }
}

/* 1 if plain Python serves calls of this kind without an entry, as far as is known now. */
static int
fallback_rests(const fj_dispatcher *self, uint64_t kind)
{
    if (self->fallback == self->function) {
        return 1;
    }
    const fj_ab_timing *trial = fj_kinds_peek(&self->kinds, kind);
    return trial != NULL && trial->of == self->fallback && trial->trials > 0 && !trial->is_other &&
           trial->side == FJ_PLAIN && !trial->running && trial->calls < trial->wait;
}

/* Count a miss; 1 if no entry has taken the last OFTEN calls, all of this kind. Entries for other dtypes,
 * say, loaded from disk, have no trials and no say of their own. */
static int
is_missed_often(fj_dispatcher *self, uint64_t kind)
{
    if (self->missed_kind != kind) {
        self->missed_kind = kind;
        self->missed = 0;
    }
    self->missed += self->missed < OFTEN;
    return self->missed == OFTEN;
}

/* A function without captures has no kinds. */
void
fj_rest_if_idle(fj_dispatcher *self, uint64_t kind)
{
    if (!self->closed || !fallback_rests(self, kind)) {
        return;
    }
    if (self->cache.count == 0 && self->fallback == self->function) {
        self->rest = REST;
    }
    else if (self->cache.count == 0 || fj_cache_rests(&self->cache, kind) ||
             is_missed_often(self, kind)) {
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
