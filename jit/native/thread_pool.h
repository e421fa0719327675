/* A thread pool that serves one launch at a time, see thread_pool.c. Independent of Python. */
#ifndef FRAMEJIT_THREAD_POOL_H
#define FRAMEJIT_THREAD_POOL_H

#include <stdint.h>

/* Maximum number of threads per loop, including the calling one. */
enum { FJ_MAX_THREADS = 128 };

/* Calls work(job, 0) in this thread and, at the same time, work(job, 1) in up to `threads` - 1 others
 * that come in time; returns when all that came have returned. `wait` is set to the nanoseconds that this
 * thread then waited for others. 0, or -1 where the pool is taken: nothing has been called. */
typedef void (*fj_work)(void *job, int is_worker);
int fj_pool_run(int threads, fj_work work, void *job, int64_t *wait);

/* Register fork handlers that stop all workers while the process forks: 0, or -1 on failure. */
int fj_pool_init(void);

/* Return nanoseconds of a monotonic clock. */
int64_t fj_pool_clock(void);

#endif
