/* Threads that help one launch at a time, see thread_pool.c. They know nothing of Python. */
#ifndef FRAMEJIT_THREAD_POOL_H
#define FRAMEJIT_THREAD_POOL_H

#include <stdint.h>

/* Most threads that work on one loop, this one included. */
enum { FJ_MAX_THREADS = 128 };

/* Calls work(job, 0) in this thread and, at the same time, work(job, 1) in up to `threads` - 1 others
 * that come in time; returns when all that came have returned. `wait` is set to the nanoseconds that this
 * thread then waited for others. 0, or -1 where the pool is taken: nothing has been called. */
typedef void (*fj_work)(void *job, int is_worker);
int fj_pool_run(int threads, fj_work work, void *job, int64_t *wait);

/* Sees to it that there are no workers while the process forks. 0, or -1 where it cannot be. */
int fj_pool_init(void);

/* Nanoseconds of a clock that never goes back. */
int64_t fj_pool_clock(void);

#endif
