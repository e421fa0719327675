/* Measures if kernels pay: compiled code against plain Python, see trial.c; one trial per kind of calls, see
 * kinds.c. */
#ifndef FRAMEJIT_TRIAL_H
#define FRAMEJIT_TRIAL_H

#include <Python.h>
#include <stdint.h>

enum { FJ_COMPILED, FJ_PLAIN }; /* sides of a trial */

/* A kernel that runs longer is not measured: plain Python might take minutes, and more memory. */
#define FJ_LONG_KERNEL ((int64_t)1000000000)

typedef struct {
    const void *of;      /* what is tried, an entry or rewritten code; only compared */
    int64_t least[2];    /* nanoseconds of the fastest call of each side, in the trial that runs or ran last */
    int64_t half[2];     /* the same in that half of it */
    uint64_t counted[2]; /* calls of each side in it */
    int64_t own;         /* nanoseconds of the fastest launch in it, where a call is more; 0: it is all */
    int64_t usual;       /* the fastest call of the side that was found to be faster; before the first
                            trial that of the kind that came before this one, or 0 */
    int64_t lost;        /* nanoseconds that the last trial has lost on the slower side */
    uint64_t compiled;   /* calls that were left to what is compiled, all together */
    uint32_t paid_for;   /* trials that others have been told of, see kinds.c */
    uint64_t calls;      /* since it is new, or since the last trial */
    uint64_t patience;   /* so many go by before the first one */
    uint64_t wait;       /* so many go by before the next one; 0: it is never tried */
    uint64_t due;        /* so many pay for the last one */
    int64_t most;        /* where compiled calls take longer, plain Python is not tried; 0: it always is */
    int64_t saves;       /* nanoseconds that no call is measured with, and that calls of plain Python do
                            not take once it has won */
    uint64_t round;      /* calls in a row on one side */
    uint32_t trials;     /* so far */
    uint32_t odd;        /* measured calls in a row that took much more or much less than usual */
    int is_other;        /* so many did that another kind of call has come; whoever acts on it clears it */
    int side;            /* the one that serves; during a call that is measured its own */
    int decided;         /* the faster one by the last trial */
    int first, second;   /* by its halves */
    int running;         /* a call is being measured; those within are on its side */
} fj_trial;

typedef struct {
    int64_t began;    /* nanoseconds, 0: nothing is measured */
    int counts;       /* it belongs to a trial */
    int before;       /* the side without it */
    const void *of;
    uint64_t kind;    /* of the call, see kinds.h; whoever takes the call says it */
    fj_trial *trial;
    PyObject *holder; /* owned: the object that the trial is part of; NULL: it has the sample, too */
} fj_sample;

/* Calls shorter than FJ_BRIEF ns are brief; between trials one of FJ_SPARSE is timed. For longer ones two
 * clock reads take at most a hundredth of the time. */
enum { FJ_BRIEF = 10000, FJ_SPARSE = 64 };

/* Nanoseconds that plain Python saves once it has won: a stub that declines, as it is dropped in the end; the
 * guards of whole calls, as most calls skip them (`rest` in dispatcher.h). */
enum { FJ_STUB = 70, FJ_GUARDS = 80 };

/* Index of a call that is timed before the first trial: if it is long, the trial begins at once, since
 * waiting for more calls would take long, too. */
enum { FJ_EARLY = 8 };

/* 1 if the next call is measured: for a trial, or to notice another kind of call. */
static inline int
fj_trial_looks(const fj_trial *trial)
{
    return trial->calls >= trial->wait ||
           (trial->trials > 0 ? trial->usual > FJ_BRIEF || trial->odd > 0 ||
                                    trial->calls % FJ_SPARSE == 0
                              : trial->calls == FJ_EARLY);
}

/* Return the side on which the call that begins now runs. `holder` owns the trial of `of`, which is due after
 * `wait` calls. Fills the sample. */
int fj_trial_begin(fj_trial *trial, PyObject *holder, const void *of, uint64_t wait,
                   fj_sample *sample);

/* End the call of a sample; `failed` if by an exception. A zero sample is ignored. */
void fj_trial_end(fj_sample *sample, int failed);

/* hooked.c: return the sample of a frame that the frame hook leaves to the interpreter, zero if there is
 * none. The caller ends it when the frame has run. */
fj_sample fj_hooked_sample(void);

/* A monotonic clock, in nanoseconds. */
int64_t fj_now(void);

/* (trials, side, nanoseconds of what is compiled, of plain Python): a new reference or NULL. */
PyObject *fj_trial_show(const fj_trial *trial);

int fj_trial_init(PyObject *module);

#endif
