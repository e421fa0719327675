/* A thread that calls a function periodically, without the GIL. It is a system thread unknown to Python, and
 * gets no signals, which are for threads of the program. It does not exist during a fork nor right after: the
 * child would not have it, and CPython warns of forks beside other threads. */
#include <Python.h> /* first: it chooses the features of the headers */
#include "ticker.h"
#include <pthread.h>
#include <signal.h>
#include <time.h>

#define SECOND 1000000000 /* ns */

static struct {
    pthread_mutex_t mutex; /* guards `stop` */
    pthread_cond_t changed; /* `stop` was set */
    pthread_t thread;
    int wanted, runs, stop;
    int64_t period;        /* ns */
    int64_t first;         /* time before which there is no tick, ns */
    void (*tick)(void);
    void (*forked)(void);
} ticker;

static int64_t
now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * SECOND + time.tv_nsec;
}

static void *
run(void *Py_UNUSED(ignored))
{
    pthread_mutex_lock(&ticker.mutex);
    while (!ticker.stop) {
        int64_t at = now() + ticker.period;
        at = ticker.first > at ? ticker.first : at;
        struct timespec until = {at / SECOND, at % SECOND};
        int told = pthread_cond_timedwait(&ticker.changed, &ticker.mutex, &until) == 0;
        if (!ticker.stop && !told) {
            ticker.tick();
        }
    }
    pthread_mutex_unlock(&ticker.mutex);
    return NULL;
}

/* Starts the thread: 0, or an error number. */
static int
start_thread(void)
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

static void
stop_thread(void)
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

/* ---- forks -------------------------------------------------------------------------------- */

/* Pending call that restarts the thread once the program runs on: 0. */
static int
go_on(void *Py_UNUSED(ignored))
{
    if (ticker.wanted && !ticker.runs) {
        ticker.wanted = start_thread() == 0;
    }
    return 0;
}

/* Before a fork: a new reference to None. */
static PyObject *
before_fork(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(ignored))
{
    stop_thread();
    Py_RETURN_NONE;
}

/* After a fork, in both processes: a new reference to None. */
static PyObject *
after_fork(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(ignored))
{
    if (ticker.wanted) {
        ticker.forked();
        ticker.wanted = Py_AddPendingCall(go_on, NULL) == 0; /* else the queue is full */
    }
    Py_RETURN_NONE;
}

/* Has forks stop the thread and start it again, once a process: 0, or -1 with an exception. */
static int
watch_forks(void)
{
    static PyMethodDef handlers[] = {
        {"before_fork", before_fork, METH_NOARGS, NULL},
        {"after_fork", after_fork, METH_NOARGS, NULL},
    };
    static int watched;
    if (watched) {
        return 0;
    }
    PyObject *os = PyImport_ImportModule("os"), *none = PyTuple_New(0);
    PyObject *watch = os == NULL ? NULL : PyObject_GetAttrString(os, "register_at_fork");
    PyObject *pause = PyCFunction_New(&handlers[0], NULL);
    PyObject *resume = PyCFunction_New(&handlers[1], NULL);
    PyObject *when = watch == NULL || none == NULL || pause == NULL || resume == NULL
                         ? NULL
                         : Py_BuildValue("{s:O,s:O,s:O}", "before", pause, "after_in_parent", resume,
                                         "after_in_child", resume);
    PyObject *done = when == NULL ? NULL : PyObject_Call(watch, none, when);
    watched = done != NULL;
    Py_XDECREF(done);
    Py_XDECREF(when);
    Py_XDECREF(resume);
    Py_XDECREF(pause);
    Py_XDECREF(watch);
    Py_XDECREF(none);
    Py_XDECREF(os);
    return watched ? 0 : -1;
}

int
fj_ticker_start(void (*tick)(void), void (*forked)(void), int64_t period, int64_t wait)
{
    if (watch_forks() < 0) {
        return -1;
    }
    ticker.tick = tick;
    ticker.forked = forked;
    ticker.period = period;
    ticker.first = now() + wait;
    int failed = start_thread();
    ticker.wanted = !failed;
    if (failed) {
        errno = failed;
        PyErr_SetFromErrno(PyExc_OSError);
    }
    return failed ? -1 : 0;
}

int
fj_ticker_pause(void)
{
    int ran = ticker.runs;
    stop_thread();
    return ran;
}

void
fj_ticker_resume(void)
{
    go_on(NULL);
}

void
fj_ticker_stop(void)
{
    ticker.wanted = 0;
    stop_thread();
}
