/* A/B timing of compiled code and plain Python, in trials, see ab_timing.c; each kind of calls has its own, see
 * kinds.c. */
#ifndef FRAMEJIT_AB_TIMING_H
#define FRAMEJIT_AB_TIMING_H

#include <Python.h>
#include <stdint.h>

enum { FJ_COMPILED, FJ_PLAIN }; /* sides of a trial */

/* A kernel that runs longer is not measured: plain Python might take minutes, and more memory. */
#define FJ_LONG_KERNEL ((int64_t)1000000000)

/* The trials of one kind of calls, which follow one another. Times are in nanoseconds. */
typedef struct {
    const void *of;      /* the entry or rewritten code that is timed; only compared */
    int64_t least[2];    /* time of the fastest call of each side, in the trial that runs or ran last */
    int64_t half[2];     /* the same, in the present half of that trial */
    uint64_t counted[2]; /* calls of each side in that trial */
    int64_t own;         /* of a segment, whose calls are timed from one to the next: time of the fastest
                            launch in that trial; 0 where the whole call is the launch */
    int64_t usual;       /* time of the fastest call of the side that won the last trial; before the first
                            trial that of the kind of calls that came before this one, or 0 */
    int64_t lost;        /* time that the last trial has lost on the slower side */
    uint64_t compiled;   /* calls that compiled code has served in all */
    uint32_t paid_for;   /* trials whose loss has been charged, see kinds.c */
    uint64_t calls;      /* since the start, or since the last trial */
    uint64_t patience;   /* calls before the first trial */
    uint64_t wait;       /* calls before the next trial */
    uint64_t due;        /* calls after which the loss of the last trial is paid for */
    int64_t most;        /* if compiled calls take longer, plain Python is not tried; 0: no limit */
    int64_t saves;       /* time by which a call of plain Python is shorter once plain Python has won; no
                            call of the trial shows it */
    uint64_t round;      /* calls in a row on one side */
    uint32_t trials;     /* that have ended */
    uint32_t odd;        /* timed calls in a row that took much more or much less than usual */
    int is_other;        /* set if calls of another kind seem to come; cleared by whoever acts on it */
    int side;            /* the side that serves; while a call is timed, its side */
    int decided;         /* the faster side by the last trial */
    int first, second;   /* the faster side in each half of the trial */
    int running;         /* a call is being timed; calls inside it are on its side */
} fj_ab_timing;

/* The timing of one call. */
typedef struct {
    int64_t began;    /* nanoseconds */
    int counts;       /* the call belongs to a trial; else it may show that calls of another kind come */
    int before;       /* the side that served before this call */
    const void *of;
    uint64_t kind;    /* of the call, see kinds.h; filled in by whoever takes the call */
    fj_ab_timing *trial;  /* NULL: the call is not timed */
    PyObject *holder; /* owned: the object that the trial is part of; NULL: it holds the sample, too */
} fj_sample;

/* Calls shorter than FJ_BRIEF ns are brief: between trials one in FJ_SPARSE of them is timed. All longer ones
 * are, as reading the clock twice takes at most a hundredth of their time. */
enum { FJ_BRIEF = 10000, FJ_SPARSE = 64 };

/* Values of `saves`, nanoseconds: for a stub that declines, as it is dropped in the end; for the guards of whole
 * calls, as most calls skip them (`rest` in dispatcher.h). */
enum { FJ_STUB = 70, FJ_GUARDS = 80 };

/* Index of a call that is timed before the first trial: if it is long, the trial begins at once, since
 * waiting for more calls would take long, too. */
enum { FJ_EARLY = 8 };

/* 1 if the next call is timed: for a trial, or to notice another kind of calls. */
static inline int
fj_ab_timing_is_timed(const fj_ab_timing *trial)
{
    return trial->calls >= trial->wait ||
           (trial->trials > 0 ? trial->usual > FJ_BRIEF || trial->odd > 0 ||
                                    trial->calls % FJ_SPARSE == 0
                              : trial->calls == FJ_EARLY);
}

/* Return the side that serves the call that begins now. `holder` is the object that the trial is part of; the
 * first trial of `of` begins after `wait` calls. Fills the sample if the call is timed. */
int fj_ab_timing_begin(fj_ab_timing *trial, PyObject *holder, const void *of, uint64_t wait,
                   fj_sample *sample);

/* End the call of a sample; `failed`: it raised an exception, and does not count. A zero sample is ignored. */
void fj_ab_timing_end(fj_sample *sample, int failed);

/* hooked.c: return the sample of a frame that the frame hook leaves to the interpreter, zero if there is
 * none. The caller ends it when the frame has run. */
fj_sample fj_hooked_sample(void);

/* A monotonic clock, in nanoseconds. */
int64_t fj_now(void);

/* (trials, side, nanoseconds of what is compiled, of plain Python): a new reference or NULL. */
PyObject *fj_ab_timing_show(const fj_ab_timing *trial);

int fj_ab_timing_init(PyObject *module);

#endif
