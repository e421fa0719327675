/* Splits loops with independent iterations into chunks that threads share.
 *
 * A chunk is a function of its kernel. No bit of its results depends on where the loop is split, hence not on
 * the number of threads, nor on their order. Chunks do not call the run time and touch no object, so that a
 * long loop runs without the GIL (released.c), in one thread as in several. Each worker has words and scratch
 * of its own, and a floating point status that begins as that of the launch, without its flags; flags that it
 * raises are raised in the launch's thread too. */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include "core.h"
#include "fpstatus.h"
#include "parallel.h"
#include "released.h"
#include "rooms.h"
#include "thread_pool.h"

enum {
    LEAST = 8192,       /* items of a loop that is looked at */
    PROBE = 2048,       /* items that are timed before workers are called */
    LONG = 1 << 18,     /* items of what is too long to be timed */
    WORTH = 60000,      /* ns of work for which they are: to call them takes a few microseconds */
    CHUNK = 10000,      /* ns of a chunk at least */
    RELEASE = 25000,    /* ns of work for which the GIL is released: to do that takes some 250 */
    ITEMS_OF_NS = 4,    /* items that an elementwise loop goes over in 1 ns, where nothing is timed */
    SHARES = 4,         /* chunks for each thread, so that all end at about the same time */
    COPIED = 1 << 18,     /* bytes of a part of a copy */
    LEAST_COPY = 1 << 20, /* bytes that one thread copies alone */
    FIRST_PAUSE = 200000, /* ns without workers after they were no gain; doubled each time */
    DOUBLED = 9
};

/* ---- what is set, and what is counted: all of it under the GIL --------------------------------- */

static int everywhere; /* for tests: all loops are shared, in odd chunks */
static unsigned long long n_loops, n_shared, n_released, n_iterations, n_helped;

typedef int64_t (*chunk_function)(int64_t *words, const void *shared, int64_t begin, int64_t end);

typedef struct {
    chunk_function chunk;
    const void *shared;   /* values that the iterations have in common; read only */
    int64_t *words;       /* of the launch: the owner's */
    const int64_t *before; /* as they were when the loop was shared; read only */
    size_t n_words;
    size_t scratch;
    int64_t end, length;
    unsigned status;      /* the owner's floating point status */
    _Atomic int64_t next;
    _Atomic int64_t result, helped;
    _Atomic int flags;
    int64_t alone, wait;  /* ns that the owner worked, and waited; 0 where it had no workers */
} loop;

/* ---- threads --------------------------------------------------------------------------------------- */

typedef struct {
    int64_t *words;
    size_t n_words;
    void *scratch;
    size_t size;
} room;

static _Thread_local room own; /* of a worker */
static pthread_key_t own_key;  /* for its destructor only */

static void
free_room(void *ended)
{
    room *its = ended;
    free(its->words);
    free(its->scratch);
}

/* Words like those of the launch, with scratch of this worker's; NULL without memory. */
static int64_t *
own_words(const loop *shared)
{
    if (pthread_setspecific(own_key, &own) != 0) {
        return NULL;
    }
    if (own.n_words < shared->n_words) {
        free(own.words);
        own.words = malloc(shared->n_words * sizeof(int64_t));
        own.n_words = own.words != NULL ? shared->n_words : 0;
    }
    if (own.size < shared->scratch) {
        free(own.scratch);
        own.scratch = aligned_alloc(64, shared->scratch);
        own.size = own.scratch != NULL ? shared->scratch : 0;
    }
    if (own.n_words < shared->n_words || own.size < shared->scratch) {
        return NULL;
    }
    memcpy(own.words, shared->before, shared->n_words * sizeof(int64_t));
    own.words[FJ_W_SCRATCH] = (int64_t)(intptr_t)own.scratch;
    own.words[FJ_W_ROOMS] = 0;
    return own.words;
}

/* Run chunks until none is left. */
static void
work(void *job, int is_worker)
{
    loop *shared = job;
    int64_t *words = is_worker ? own_words(shared) : shared->words;
    if (words == NULL) {
        return; /* the others do it */
    }
    if (is_worker) {
        fj_fp_begin(shared->status);
    }
    int64_t result = 0, done = 0;
    for (;;) {
        int64_t begin = atomic_fetch_add(&shared->next, shared->length);
        if (begin >= shared->end) {
            break;
        }
        int64_t end = shared->end - begin > shared->length ? begin + shared->length : shared->end;
        result |= shared->chunk(words, shared->shared, begin, end);
        done += end - begin;
    }
    atomic_fetch_or(&shared->result, result);
    if (is_worker) {
        fj_free_rooms(words);
        atomic_fetch_or(&shared->flags, fj_fp_all());
        atomic_fetch_add(&shared->helped, done);
        fj_settle();
    }
}

/* Return the number of threads that may work now: as set, but at most as many as the thread may use processors,
 * which threads of the program share if their kernels run at the same time. */
static int
threads_now(const fj_entry *entry)
{
    cpu_set_t set;
    int may = entry->threads < FJ_MAX_THREADS ? entry->threads : FJ_MAX_THREADS;
    if (may > 1 && !everywhere) {
        if (sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) < may) {
            may = CPU_COUNT(&set);
        }
        may /= 1 + fj_released_launches();
    }
    return may > 1 ? may : 1;
}

/* Note the gain by workers for the loops of an entry. If there is none it leaves them alone for a while: its
 * loops wait for memory, or other processes need the processors. */
static void
judge(fj_entry *entry, int64_t gain)
{
    if (gain > 0) {
        entry->alone = 0;
        return;
    }
    entry->alone_until = fj_pool_clock() + ((int64_t)FIRST_PAUSE << entry->alone);
    entry->alone += entry->alone < DOUBLED;
}

/* Run the loop in all threads that come. -1, with nothing run, if the pool is taken or memory is short. Needs
 * no GIL. */
static int
share(loop *shared, int threads, const fj_entry *entry, int64_t begin)
{
    int64_t *before = malloc((size_t)entry->n_words * sizeof(int64_t));
    if (before == NULL) {
        return -1;
    }
    memcpy(before, shared->words, (size_t)entry->n_words * sizeof(int64_t));
    shared->before = before;
    shared->n_words = (size_t)entry->n_words;
    shared->scratch = ((size_t)entry->scratch + 63) & ~(size_t)63;
    shared->status = fj_status_get();
    atomic_store(&shared->next, begin);
    int64_t start = fj_pool_clock();
    int ran = fj_pool_run(threads, work, shared, &shared->wait);
    free(before);
    if (ran < 0) {
        return -1;
    }
    shared->alone = fj_pool_clock() - start - shared->wait;
    fj_fp_put(fj_fp_raised() | atomic_load(&shared->flags));
    return 0;
}

/* Runs all iterations from `begin` on. Needs no GIL. */
static void
run_iterations(loop *made, int threads, const fj_entry *entry, int64_t begin)
{
    if (threads > 1 && made->end - begin > made->length && share(made, threads, entry, begin) == 0) {
        return;
    }
    if (made->end > begin) {
        atomic_fetch_or(&made->result, made->chunk(made->words, made->shared, begin, made->end));
    }
}

/* Count a loop of so many iterations that has been run, and judge workers. */
static void
note_run(loop *made, fj_entry *entry, int64_t iterations)
{
    if (made->alone == 0) {
        return;
    }
    int64_t helped = atomic_load(&made->helped);
    n_shared++;
    n_helped += (unsigned long long)helped;
    if (helped < iterations) {
        double each = (double)made->alone / (double)(iterations - helped);
        judge(entry, (int64_t)(each * (double)helped) - made->wait);
    }
}

/* Round `count` up to a multiple of `step`. */
static int64_t
rounded(int64_t count, int64_t step)
{
    return count < step ? step : (count + step - 1) / step * step;
}

/* Time the first iterations, or estimate where these are long: returns the ns that each may take. Moves
 * `*begin` behind those that ran. */
static double
probe(loop *made, int64_t *begin, int64_t step, int64_t size)
{
    if (step * size >= LONG) {
        return (double)size / ITEMS_OF_NS;
    }
    int64_t start = fj_pool_clock(), iterations = made->end - *begin;
    int64_t probed = rounded(PROBE / (size > 0 ? size : 1), step);
    probed = probed < iterations ? probed : iterations;
    atomic_store(&made->result, made->chunk(made->words, made->shared, *begin, *begin + probed));
    *begin += probed;
    return (double)(fj_pool_clock() - start) / (double)probed;
}

/* Return the number of threads for iterations of `each` ns from `begin` on, and set the size of chunks. To ask
 * which processors there are takes some 200 ns, so that only loops do that for which workers are worth it. */
static int
threads_for(loop *made, const fj_entry *entry, int64_t begin, int64_t step, double each)
{
    int64_t iterations = made->end - begin;
    if (each * (double)iterations < WORTH || fj_pool_clock() < entry->alone_until) {
        return 1;
    }
    int threads = threads_now(entry);
    int64_t least = (int64_t)(CHUNK / (each > 0 ? each : 1)), part = iterations / (threads * SHARES);
    made->length = rounded(part > least ? part : least, step);
    return threads;
}

/* Run a loop from `begin` to `end` that may be split at multiples of `step` from `begin` on; an iteration has
 * `size` items. Returns the or of the bits that chunks return. */
int64_t
fj_rt_parallel(int64_t *words, int64_t function, int64_t shared, int64_t begin, int64_t end,
               int64_t step, int64_t size)
{
    fj_run *run = (fj_run *)(intptr_t)words[FJ_W_RUN];
    fj_entry *entry = run->entry;
    loop made = {.chunk = (chunk_function)(intptr_t)function,
                 .shared = (const void *)(intptr_t)shared,
                 .words = words,
                 .end = end,
                 .length = end - begin};
    int64_t iterations = end - begin, left = 0;
    int threads = 1;
    fj_needs_gil();
    n_loops++;
    n_iterations += (unsigned long long)(iterations > 0 ? iterations : 0);
    if (everywhere) {
        made.length = step * (1 + 2 * (int64_t)(n_loops % 3));
        threads = threads_now(entry);
    }
    else if (iterations * size >= LEAST) {
        double each = iterations > step ? probe(&made, &begin, step, size) : (double)size / ITEMS_OF_NS;
        left = (int64_t)(each * (double)(end - begin));
        threads = iterations > step ? threads_for(&made, entry, begin, step, each) : 1;
    }
    fj_noted noted;
    int may = entry->releases && (everywhere || left > RELEASE);
    int is_released = may && fj_release(&noted, run);
    run_iterations(&made, threads, entry, begin);
    if (is_released) {
        fj_take_back(&noted, run);
    }
    note_run(&made, entry, end - begin);
    n_released += (unsigned long long)is_released;
    return atomic_load(&made.result);
}

/* ---- copies ---------------------------------------------------------------------------------------- */

typedef struct {
    char *into;
    const char *from;
    size_t size;
    _Atomic size_t next;
} copy;

static void
copy_parts(void *job, int is_worker)
{
    copy *shared = job;
    (void)is_worker;
    for (;;) {
        size_t begin = atomic_fetch_add(&shared->next, (size_t)COPIED);
        if (begin >= shared->size) {
            return;
        }
        size_t left = shared->size - begin;
        memcpy(shared->into + begin, shared->from + begin, left < COPIED ? left : COPIED);
    }
}

void
fj_copy(const fj_entry *entry, void *into, const void *from, size_t size)
{
    copy made = {.into = into, .from = from, .size = size};
    int64_t wait;
    int threads = size < LEAST_COPY || fj_pool_clock() < entry->alone_until ? 1 : threads_now(entry);
    if (threads < 2 || fj_pool_run(threads, copy_parts, &made, &wait) < 0) {
        memcpy(into, from, size);
    }
}

/* ---- for Python ------------------------------------------------------------------------------------ */

/* share_everywhere(on): for tests, threads share all loops that they may. */
static PyObject *
share_everywhere(PyObject *module, PyObject *on)
{
    (void)module;
    int is_on = PyObject_IsTrue(on);
    if (is_on < 0) {
        return NULL;
    }
    everywhere = fj_checks_gil = is_on;
    Py_RETURN_NONE;
}

static PyObject *
parallel_counts(PyObject *module, PyObject *ignored)
{
    (void)module;
    (void)ignored;
    return Py_BuildValue("{s:K,s:K,s:K,s:K,s:K}", "loops", n_loops, "shared", n_shared, "released",
                         n_released, "iterations", n_iterations, "helped", n_helped);
}

static PyMethodDef functions[] = {
    {"share_everywhere", share_everywhere, METH_O,
     "share_everywhere(on): for tests, threads share all loops that they may, in odd chunks."},
    {"parallel_counts", parallel_counts, METH_NOARGS,
     "parallel_counts() -> dict: loops that might be shared, those that were, those that ran without the\n"
     "GIL, iterations, those of workers."},
    {NULL, NULL, 0, NULL},
};

int
fj_parallel_init(PyObject *module)
{
    if (pthread_key_create(&own_key, free_room) != 0 || fj_pool_init() < 0) {
        PyErr_SetString(PyExc_RuntimeError, "framejit: no threads can be had");
        return -1;
    }
    return PyModule_AddFunctions(module, functions);
}
