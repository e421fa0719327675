/* Measures segments from one call to the next, see stretch.c. */
#ifndef FRAMEJIT_STRETCH_H
#define FRAMEJIT_STRETCH_H

#include "core.h"

/* Shared by the segments of a function. */
typedef struct {
    PyObject_HEAD
    struct fj_stretch *plain; /* of the segment measured with plain Python, or NULL; borrowed, reset by
                                 fj_stretch_clear */
    const void *last; /* of the segment called last; only compared */
} fj_timing;

/* Part of a segment. */
typedef struct fj_stretch {
    fj_ab_timing trial;
    fj_sample sample;  /* of the stretch that has begun */
    fj_timing *timing; /* owned; NULL: it is not measured */
    int ends_loop;     /* a launch has left the loop at whose header the segment stands */
    int is_marked;     /* between two runs of the loop other segments of the function are called */
    const void *iterator; /* of the loop that plain Python is in; only compared */
    Py_ssize_t left;      /* items that the iterator has left, -1: unknown */
} fj_stretch;

extern PyTypeObject FjTiming_Type;

/* Slow path of fj_stretch_begin. */
int fj_stretch_go_on(fj_stretch *stretch, const fj_cache *cache, PyObject *iterator, int is_next);

/* 1 if plain Python, which is being measured, has begun another iteration of the same loop. */
int fj_stretch_iterates(fj_stretch *stretch, PyObject *iterator, int is_next);

/* Identity of what a trial measures: another entry restarts it. */
static inline const void *
fj_stretch_of(const fj_cache *cache)
{
    return (const void *)(uintptr_t)cache->count;
}

/* Note a call of a segment; 1 if no other segment of its function was called in between. */
static inline int
fj_stretch_is_next(fj_stretch *stretch)
{
    if (stretch->timing == NULL) {
        return 0;
    }
    int is_next = stretch->timing->last == stretch;
    stretch->timing->last = stretch;
    return is_next;
}

/* Begin a call of a segment with these entries; return the side that serves it.
 * `iterator` belongs to the loop at whose header the segment stands, or is NULL; borrowed. */
static inline int
fj_stretch_begin(fj_stretch *stretch, const fj_cache *cache, PyObject *iterator, int is_next)
{
    fj_ab_timing *trial = &stretch->trial;
    if (stretch->timing == NULL) {
        return FJ_COMPILED;
    }
    if (stretch->ends_loop && stretch->timing->plain == stretch &&
        fj_stretch_iterates(stretch, iterator, is_next)) {
        return FJ_PLAIN;
    }
    if (stretch->timing->plain == NULL) {
        if (cache->count == 0) {
            return FJ_COMPILED;
        }
        if (stretch->sample.trial == NULL && trial->of == fj_stretch_of(cache) &&
            !fj_ab_timing_is_timed(trial)) {
            trial->calls++;
            return trial->side;
        }
    }
    return fj_stretch_go_on(stretch, cache, iterator, is_next);
}

/* End a launch that began at `since` (0: not measured). */
void fj_stretch_launched(fj_stretch *stretch, int64_t since);

/* Return the start of a measured launch: now; 0 if none is measured. */
int64_t fj_stretch_since(const fj_stretch *stretch);

/* 1 if plain Python has been faster again and again, and calls are so brief that even declining costs. */
int fj_stretch_is_over(const fj_stretch *stretch);

/* Lets go of `timing`; nothing is measured from here on. */
void fj_stretch_clear(fj_stretch *stretch);

#endif
