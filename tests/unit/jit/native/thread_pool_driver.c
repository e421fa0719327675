/* Exercises the thread pool without Python, for tools that look for data races. Prints "ok". */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
#include "thread_pool.h"

enum { ITEMS = 4096, CHUNK = 64, JOBS = 400, CALLERS = 3 };

static int no_threads; /* pthread_create fails */
static pthread_barrier_t forked;

int __real_pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);

int
__wrap_pthread_create(pthread_t *made, const pthread_attr_t *attributes, void *(*run)(void *), void *of)
{
    return no_threads ? EAGAIN : __real_pthread_create(made, attributes, run, of);
}

typedef struct {
    _Atomic int next;
    int items[ITEMS]; /* each written by one thread, read by the caller when all have left */
} job;

static void
work(void *given, int is_worker)
{
    job *mine = given;
    (void)is_worker;
    for (;;) {
        int begin = atomic_fetch_add(&mine->next, CHUNK);
        if (begin >= ITEMS) {
            return;
        }
        for (int k = begin; k < begin + CHUNK; k++) {
            mine->items[k] += k;
        }
    }
}

static void
check(int holds, const char *what)
{
    if (!holds) {
        fprintf(stderr, "%s\n", what);
        _exit(1);
    }
}

static void *
run_jobs(void *ignored)
{
    job *mine = calloc(1, sizeof(job));
    (void)ignored;
    for (int round = 1; round <= JOBS; round++) {
        int64_t wait;
        atomic_store(&mine->next, 0);
        if (fj_pool_run(2 + round % 3, work, mine, &wait) < 0) {
            work(mine, 0); /* the pool is taken */
        }
        if (round % 50 == 0) {
            usleep(200); /* workers fall asleep */
        }
    }
    for (int k = 0; k < ITEMS; k++) {
        check(mine->items[k] == JOBS * k, "an item was left out or written twice");
    }
    free(mine);
    return NULL;
}

/* Does not end before the process has forked: a child calls threads that have ended, and that nobody has
 * joined, a leak. */
static void *
run_jobs_across_fork(void *ignored)
{
    run_jobs(ignored);
    pthread_barrier_wait(&forked);
    return NULL;
}

static void
run_in_child(void)
{
    pid_t child = fork();
    check(child >= 0, "no fork");
    if (child == 0) {
        run_jobs(NULL);
        _exit(0);
    }
    int status;
    check(waitpid(child, &status, 0) == child && status == 0, "the child failed");
}

int
main(void)
{
    check(fj_pool_init() == 0, "no pool");
    no_threads = 1;
    run_jobs(NULL);
    no_threads = 0;
    run_jobs(NULL);
    run_in_child();
    pthread_t callers[CALLERS];
    check(pthread_barrier_init(&forked, NULL, CALLERS + 1) == 0, "no barrier");
    for (int k = 0; k < CALLERS; k++) {
        check(pthread_create(&callers[k], NULL, run_jobs_across_fork, NULL) == 0, "no thread");
    }
    run_in_child();
    pthread_barrier_wait(&forked);
    for (int k = 0; k < CALLERS; k++) {
        pthread_join(callers[k], NULL);
    }
    run_jobs(NULL);
    puts("ok");
    return 0;
}
