/* What a long kernel does now and then at the back edges of its loops, as CPython does at its own:
 * signal handlers run, other threads get their turn, and flags that eager would report are not left
 * for the end of a loop that may have none. */
#include "core.h"
#include "fpstatus.h"
#include <time.h>

enum { INTERVAL = 5000000 }; /* ns; sys.getswitchinterval() of most programs */

/* Nanoseconds of a clock that costs little and ticks each few milliseconds. */
static int64_t
now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC_COARSE, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

/* 1 when the program is to be interrupted: the launch then holds the exception. */
static int
is_interrupted(fj_run *run)
{
    if (PyErr_CheckSignals() < 0) {
        fj_interrupt_take(run);
        return 1;
    }
    Py_BEGIN_ALLOW_THREADS
    Py_END_ALLOW_THREADS
    PyThreadState *tstate = PyThreadState_Get();
    PyObject *sent = tstate->async_exc;
    tstate->async_exc = NULL;
    Py_XSETREF(run->interrupt, sent); /* sent by another thread: a class */
    return sent != NULL;
}

/* `raised`: flags that the kernel has collected; below zero when it attributes them by itself. 0, or
 * FJ_KERNEL_BAIL when eager has to take over. */
int64_t
fj_rt_poll(int64_t *words, int64_t raised)
{
    fj_run *run = (fj_run *)(intptr_t)words[FJ_W_RUN];
    int64_t time = now();
    if (time < run->next_poll) {
        return 0;
    }
    if (run->next_poll == 0) { /* the first of this launch */
        run->next_poll = time + INTERVAL;
        return 0;
    }
    int status = fj_fp_raised() | (raised > 0 ? (int)raised : 0);
    if (is_interrupted(run)) {
        run->why = "interrupt";
        return FJ_KERNEL_BAIL;
    }
    if (raised >= 0 && (status & run->entry->reports) && fj_rt_flags(words, status)) {
        run->why = "flags";
        return FJ_KERNEL_BAIL;
    }
    fj_fp_put(status);
    run->next_poll = now() + INTERVAL;
    return 0;
}
