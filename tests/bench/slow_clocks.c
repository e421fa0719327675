/* Clocks that go slower by the factor in SLOW_CLOCKS, preloaded into a program that an instrumenting tool
 * slows down: what is decided by time is decided as without the tool. Waits last as many times longer. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { CLOCKS = 8, SECOND = 1000000000 };

static double factor = 1.0;
static long long started[CLOCKS]; /* ns; 0 for CPU time, which begins with the process */

static long long
to_ns(const struct timespec *time)
{
    return (long long)time->tv_sec * SECOND + time->tv_nsec;
}

static struct timespec
to_timespec(long long ns)
{
    return (struct timespec){ns / SECOND, ns % SECOND};
}

static int
is_slowed(clockid_t clock)
{
    return clock >= 0 && clock < CLOCKS;
}

__attribute__((constructor)) static void
start(void)
{
    const char *given = getenv("SLOW_CLOCKS");
    factor = given != NULL ? atof(given) : 1.0;
    for (clockid_t clock = 0; clock < CLOCKS; clock++) {
        struct timespec now;
        if (clock != CLOCK_PROCESS_CPUTIME_ID && clock != CLOCK_THREAD_CPUTIME_ID &&
            syscall(SYS_clock_gettime, clock, &now) == 0) {
            started[clock] = to_ns(&now);
        }
    }
}

int
clock_gettime(clockid_t clock, struct timespec *time)
{
    int failed = (int)syscall(SYS_clock_gettime, clock, time);
    if (!failed && is_slowed(clock)) {
        *time = to_timespec(started[clock] + (long long)((to_ns(time) - started[clock]) / factor));
    }
    return failed;
}

/* By the monotonic clock: framejit's threads wait by no other. */
int
pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *until)
{
    static int (*wait)(pthread_cond_t *, pthread_mutex_t *, const struct timespec *);
    if (wait == NULL) {
        *(void **)&wait = dlvsym(RTLD_NEXT, "pthread_cond_timedwait", "GLIBC_2.3.2");
    }
    long long began = started[CLOCK_MONOTONIC];
    struct timespec later = to_timespec(began + (long long)((to_ns(until) - began) * factor));
    return wait(condition, mutex, &later);
}

int
poll(struct pollfd *files, nfds_t count, int ms)
{
    static int (*wait)(struct pollfd *, nfds_t, int);
    if (wait == NULL) {
        *(void **)&wait = dlsym(RTLD_NEXT, "poll");
    }
    return wait(files, count, ms > 0 ? (int)(ms * factor) : ms);
}
