/* Segments that are measured from one call to the next, see stretch.c. */
#ifndef FRAMEJIT_STRETCH_H
#define FRAMEJIT_STRETCH_H

#include "core.h"

typedef struct fj_timing fj_timing;

/* Part of a segment. */
typedef struct {
    fj_trial trial;
    fj_sample sample;  /* of the stretch that has begun */
    fj_timing *timing; /* owned: what the segments of a function share; NULL: it is not measured */
} fj_stretch;

extern PyTypeObject FjTiming_Type;

/* A segment with these entries is called: the side on which it goes on, where it has a `timing`. */
int fj_stretch_begin(fj_stretch *stretch, const fj_cache *cache);

/* The launch that began at `since` (0: none is measured) has come to an end. */
void fj_stretch_launched(fj_stretch *stretch, int64_t since);

/* When the launch that is measured begins: now; 0 where none is. */
int64_t fj_stretch_since(const fj_stretch *stretch);

/* 1 when plain Python has been faster again and again, and even asking takes its part of the time. */
int fj_stretch_is_over(const fj_stretch *stretch);

/* Lets go of `timing`; nothing is measured from here on. */
void fj_stretch_clear(fj_stretch *stretch);

#endif
