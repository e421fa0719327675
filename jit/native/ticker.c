/* A thread that calls a function at regular times, without the GIL. It is the system's: Python knows nothing
 * of it, and it gets no signals, which are for threads of the program. */
#include "ticker.h"
#include <Python.h>
#include <pthread.h>
#include <signal.h>
#include <time.h>

static struct {
    pthread_mutex_t mutex; /* guards `stop` */
    pthread_cond_t changed; /* `stop` was set */
    pthread_t thread;
    int runs, stop;
    long period;           /* ns */
    void (*tick)(void);
} ticker;

static void *
run(void *Py_UNUSED(ignored))
{
    pthread_mutex_lock(&ticker.mutex);
    while (!ticker.stop) {
        struct timespec until;
        clock_gettime(CLOCK_MONOTONIC, &until);
        int64_t at = until.tv_nsec + ticker.period;
        until.tv_sec += at / 1000000000;
        until.tv_nsec = at % 1000000000;
        pthread_cond_timedwait(&ticker.changed, &ticker.mutex, &until);
        if (!ticker.stop) {
            ticker.tick();
        }
    }
    pthread_mutex_unlock(&ticker.mutex);
    return NULL;
}

int
fj_ticker_start(void (*tick)(void), long period)
{
    ticker.tick = tick;
    ticker.period = period;
    return fj_ticker_start_again();
}

int
fj_ticker_start_again(void)
{
    pthread_condattr_t clock;
    sigset_t all, old;
    pthread_mutex_init(&ticker.mutex, NULL);
    pthread_condattr_init(&clock);
    pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
    pthread_cond_init(&ticker.changed, &clock);
    pthread_condattr_destroy(&clock);
    ticker.stop = 0;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    int failed = pthread_create(&ticker.thread, NULL, run, NULL);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    ticker.runs = !failed;
    return failed;
}

void
fj_ticker_stop(void)
{
    if (!ticker.runs) {
        return;
    }
    pthread_mutex_lock(&ticker.mutex);
    ticker.stop = 1;
    pthread_cond_signal(&ticker.changed);
    pthread_mutex_unlock(&ticker.mutex);
    Py_BEGIN_ALLOW_THREADS
    pthread_join(ticker.thread, NULL);
    Py_END_ALLOW_THREADS
    ticker.runs = 0;
}
