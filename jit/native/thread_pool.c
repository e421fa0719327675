/* A thread pool. One job at a time is offered to all workers; those that come while it is open take a seat.
 * The thread that offers the job works on it at once: a worker that wakes up late finds the job closed, and
 * nobody has waited for it. A thread that finds the pool taken works alone.
 *
 * A fork ends the workers first, so that the process has no thread of ours then: CPython warns of others, and
 * the child could not use them. Both processes make new ones.
 *
 * A worker spins for the next job for a few microseconds, then it sleeps: waking it costs the offering thread
 * as long, and it comes 50 to 100 us later. Workers block all signals, so that handlers run where they always
 * did. They touch no Python object and own nothing of Python's. */
#define _POSIX_C_SOURCE 200809L
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <time.h>
#include "processor.h"
#include "thread_pool.h"

enum {
    SPIN = 30000,    /* ns that a worker looks out for another job */
    PATIENCE = 50000, /* ns that the owner of a job looks out for its end before it sleeps */
    LOOKS = 64,      /* between two looks at the clock */
    STACK = 1 << 20
};

/* The offer, packed: number of the job, 1 if it may be joined, free seats, active workers. */
enum { ACTIVE_BITS = 16, SEATS_BITS = 15 };
#define OPEN ((uint64_t)1 << (ACTIVE_BITS + SEATS_BITS))
#define SEAT ((uint64_t)1 << ACTIVE_BITS)
#define ACTIVE(offer) ((offer) & (SEAT - 1))
#define SEATS(offer) (((offer) & (OPEN - 1)) / SEAT)
#define NUMBER(offer) ((offer) / (2 * OPEN))

static struct {
    _Atomic uint64_t offer;
    _Atomic int taken;    /* somebody has a job here */
    _Atomic int sleeping; /* workers */
    _Atomic int awaited;  /* the owner of the job sleeps until all have left it */
    _Atomic int closing;  /* workers are to end */
    fj_work work;
    void *job;
    pthread_t threads[FJ_MAX_THREADS]; /* the first `workers` of them */
    int workers;
    pthread_mutex_t lock;
    pthread_cond_t wake, left;
} pool = {.lock = PTHREAD_MUTEX_INITIALIZER,
          .wake = PTHREAD_COND_INITIALIZER,
          .left = PTHREAD_COND_INITIALIZER};

int64_t
fj_pool_clock(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static int
may_join(uint64_t offer, uint64_t seen)
{
    return (offer & OPEN) && SEATS(offer) > 0 && NUMBER(offer) != seen;
}

/* 1 if there is something to do: a job to join, or to end. */
static int
is_called(uint64_t seen)
{
    return may_join(atomic_load(&pool.offer), seen) || atomic_load(&pool.closing);
}

/* Spin for SPIN ns until is_called(). */
static int
looks_out(uint64_t seen)
{
    int64_t until = fj_pool_clock() + SPIN;
    do {
        for (int k = 0; k < LOOKS; k++) {
            if (is_called(seen)) {
                return 1;
            }
            fj_relax();
        }
    } while (fj_pool_clock() < until);
    return 0;
}

static void
sleep_until_called(uint64_t seen)
{
    pthread_mutex_lock(&pool.lock);
    atomic_fetch_add(&pool.sleeping, 1); /* before the offer is looked at: who makes one looks here then */
    while (!is_called(seen)) {
        pthread_cond_wait(&pool.wake, &pool.lock);
    }
    atomic_fetch_sub(&pool.sleeping, 1);
    pthread_mutex_unlock(&pool.lock);
}

/* Take a seat: return the number of the job, or `seen` if there is none any more. */
static uint64_t
join(uint64_t seen)
{
    uint64_t offer = atomic_load(&pool.offer);
    while (may_join(offer, seen)) {
        if (atomic_compare_exchange_weak(&pool.offer, &offer, offer + 1 - SEAT)) {
            return NUMBER(offer);
        }
    }
    return seen;
}

static void
leave(void)
{
    uint64_t offer = atomic_fetch_sub(&pool.offer, 1) - 1;
    if (!(offer & OPEN) && ACTIVE(offer) == 0 && atomic_load(&pool.awaited)) {
        pthread_mutex_lock(&pool.lock);
        pthread_cond_signal(&pool.left);
        pthread_mutex_unlock(&pool.lock);
    }
}

static void *
worker(void *nothing)
{
    (void)nothing;
    uint64_t seen = 0;
    while (!atomic_load(&pool.closing)) {
        if (!looks_out(seen)) {
            sleep_until_called(seen);
        }
        uint64_t number = join(seen);
        if (number != seen) {
            pool.work(pool.job, 1); /* the job stays until all have left */
            seen = number;
            leave();
        }
    }
    return NULL;
}

/* Has so many workers, if the system lets it. */
static void
hire(int wanted)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_attr_t attributes;
    if (pool.workers >= wanted || pthread_attr_init(&attributes) != 0) {
        return;
    }
    pthread_attr_setstacksize(&attributes, STACK);
    pthread_sigmask(SIG_SETMASK, &all, &before); /* a thread begins with the mask of its maker */
    while (pool.workers < wanted) {
        if (pthread_create(&pool.threads[pool.workers], &attributes, worker, NULL) != 0) {
            break;
        }
        pool.workers++;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
}

static void
offer_job(int seats)
{
    uint64_t number = NUMBER(atomic_load(&pool.offer)) + 1;
    atomic_store(&pool.offer, (number * 2 * OPEN) | OPEN | ((uint64_t)seats * SEAT));
    if (atomic_load(&pool.sleeping) > 0) {
        pthread_mutex_lock(&pool.lock);
        if (seats == 1) {
            pthread_cond_signal(&pool.wake);
        }
        else {
            pthread_cond_broadcast(&pool.wake);
        }
        pthread_mutex_unlock(&pool.lock);
    }
}

/* Wait until nobody works on the closed job. */
static void
wait_for_all(int64_t now)
{
    int64_t until = now + PATIENCE;
    while (ACTIVE(atomic_load(&pool.offer)) > 0) {
        for (int k = 0; k < LOOKS; k++) {
            if (ACTIVE(atomic_load(&pool.offer)) == 0) {
                return;
            }
            fj_relax();
        }
        if (fj_pool_clock() > until) {
            pthread_mutex_lock(&pool.lock);
            atomic_store(&pool.awaited, 1);
            while (ACTIVE(atomic_load(&pool.offer)) > 0) {
                pthread_cond_wait(&pool.left, &pool.lock);
            }
            atomic_store(&pool.awaited, 0);
            pthread_mutex_unlock(&pool.lock);
        }
    }
}

int
fj_pool_run(int threads, fj_work work, void *job, int64_t *wait)
{
    if (atomic_exchange(&pool.taken, 1)) {
        return -1;
    }
    int seats = (threads < FJ_MAX_THREADS ? threads : FJ_MAX_THREADS) - 1;
    hire(seats);
    pool.work = work;
    pool.job = job;
    offer_job(seats);
    work(job, 0);
    atomic_fetch_and(&pool.offer, ~OPEN);
    int64_t done = fj_pool_clock();
    wait_for_all(done);
    *wait = fj_pool_clock() - done;
    atomic_store(&pool.taken, 0);
    return 0;
}

/* Before a fork: wait for the pool, take it, and end all workers. */
static void
before_fork(void)
{
    while (atomic_exchange(&pool.taken, 1)) {
        sched_yield();
    }
    pthread_mutex_lock(&pool.lock);
    atomic_store(&pool.closing, 1);
    pthread_cond_broadcast(&pool.wake);
    pthread_mutex_unlock(&pool.lock);
    while (pool.workers > 0) {
        pthread_join(pool.threads[--pool.workers], NULL);
    }
    atomic_store(&pool.closing, 0);
}

/* After a fork, in both processes. */
static void
after_fork(void)
{
    atomic_store(&pool.taken, 0);
}

int
fj_pool_init(void)
{
    return pthread_atfork(before_fork, after_fork, after_fork) == 0 ? 0 : -1;
}
