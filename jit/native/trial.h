/* Whether the rewritten code of a function is faster than the function as it is: measured, see trial.c. */
#ifndef FRAMEJIT_TRIAL_H
#define FRAMEJIT_TRIAL_H

#include "interp.h"

enum { FJ_REWRITTEN, FJ_PLAIN }; /* sides of a trial */

typedef struct {
    const void *of;    /* the rewritten function that is tried; only compared */
    int64_t least[2];  /* nanoseconds of the fastest call of each side */
    int64_t total[2];  /* of all that were measured */
    int64_t usual;     /* the fastest call of the side that was found to be faster */
    uint64_t calls;    /* since the code is new, or since the last trial */
    uint64_t wait;     /* so many go by before the next one */
    uint32_t trials;   /* so far */
    uint32_t odd;      /* calls in a row that took much more or much less than usual */
    int side;          /* the faster one, as far as is known; during a call that is measured its own */
    int running;       /* a call is being measured; those within are on its side */
} fj_trial;

typedef struct {
    int64_t began; /* nanoseconds, 0: nothing is measured */
    int counts;    /* it belongs to a trial */
    int before;    /* the side of the function without it */
    const void *of;
} fj_sample;

/* The side on which the next call runs, which begins now. */
int fj_trial_begin(fj_trial *trial, PyObject *rewritten, fj_sample *sample);

/* The call has come to its end; `failed`: by an exception. */
void fj_trial_end(fj_trial *trial, const fj_sample *sample, int failed);

/* (trials, side, nanoseconds of rewritten code, of plain Python): a new reference or NULL. */
PyObject *fj_trial_show(const fj_trial *trial);

int fj_trial_init(PyObject *module);

#endif
