/* Shared declarations of the C core.
 *
 * One launch travels: dispatcher.c or segment.c (who was called) -> guard.c (may an entry be
 * reused) -> launch.c (words, kernel, flags) -> runtime.c (what a running kernel may ask for) ->
 * recipe.c (Python objects out of slots and words).
 *
 * Vocabulary: a *slot* holds a PyObject*, a *word* is one int64 that the kernel reads or writes.
 */
#ifndef FRAMEJIT_CORE_H
#define FRAMEJIT_CORE_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdint.h>
#include "entry.h"
#include "words.h"

#define PY_ARRAY_UNIQUE_SYMBOL framejit_array_api
#ifndef FRAMEJIT_IMPORT_ARRAY
#define NO_IMPORT_ARRAY
#endif
#include <numpy/arrayobject.h>
#include <numpy/arrayscalars.h>

typedef struct {
    int32_t node;
    int32_t raised;
} fj_log_item;

typedef struct fj_undo_item fj_undo_item; /* undo.h */

/* One launch in flight. */
typedef struct {
    fj_entry *entry;
    PyObject **slots; /* slots below n_live are borrowed from the caller, the others owned */
    int64_t *words;
    fj_log_item *log;
    Py_ssize_t n_log;
    Py_ssize_t n_settled; /* items that had been logged at the last checkpoint */
    Py_ssize_t room_log;
    fj_undo_item *undo;
    Py_ssize_t n_undo;
    Py_ssize_t room_undo;
    int flags;       /* those that fj_rt_flags has found and eager would report */
    int raised;      /* an exception is set that eager would not raise again: it ends the launch */
    PyObject *interrupt; /* owned: an exception to be raised in the program where eager goes on; or NULL */
    const char *why;     /* why the kernel bails; NULL if the owner must not be told */
    int64_t check;       /* the check that has failed, a number of jit/checks.py; 0: not told */
    int64_t next_poll;   /* ns of poll.c's clock; 0 before the first poll */
    int64_t first_poll;  /* the same */
    int64_t halt_by;     /* ns: from then on a loop that is to be halted is left inside an iteration */
    int64_t polls;       /* so far; a second run of the kernel on the same values polls at the same places */
    int64_t between;     /* number of the last poll between two iterations with no flag to report, or 0 */
    int64_t before_that; /* number of such a poll of the same loop, at least an iteration before; or 0 */
    int64_t loop;        /* HALTS at the poll `between`: the loop that it was in */
    int64_t halt_at;     /* number of the poll at which the loop is to be halted; 0: none */
    int changed;         /* others have changed an array while a loop ran without the GIL */
    int unreported;      /* flags that eager would not report here, of those that have been looked up */
    int shows;           /* a loop is halted for others, who wait to see its changes: no iteration is lost */
    int checkpoints;     /* hostile mode: passed so far */
} fj_run;

/* The outcome of a launch. */
typedef enum {
    FJ_TAKEN, /* *result holds the payload of *exit */
    FJ_AS_IT_IS, /* plain Python serves, being faster or being timed: of whole calls only */
    FJ_MISS,  /* a guard did not hold */
    FJ_BAIL,  /* the kernel has bailed, or the entry declines; nothing shows: eager runs from the start */
    FJ_LATER, /* the guards hold, and the kernel is still being compiled: eager runs */
    FJ_ERROR  /* a Python exception is set */
} fj_outcome;

/* A kernel returns the number of an exit: where it ends, or the checkpoint to which it has bailed. Below
 * zero: */
#define FJ_KERNEL_BAIL (-1)  /* back to the start */
#define FJ_KERNEL_ERROR (-2) /* a Python exception is set */

extern PyTypeObject FjEntry_Type;
extern PyTypeObject FjDispatcher_Type;
extern PyTypeObject FjSegment_Type;
extern PyTypeObject FjHookHandler_Type;

/* tables.c: 0 if the unpacked tables are valid, else -1 with a ValueError; sets the depth of the recipes.
 * `n_guards` and `n_loads` are those of the entry itself. */
int fj_tables_hold(fj_entry *entry, Py_ssize_t n_guards, Py_ssize_t n_loads);

/* entry_packed.c: fills a new entry, whose fields are zero, from the arguments of `Entry(...)`, of which
 * it borrows all. -1 with an exception; then the entry's dealloc drops what it got so far. */
int fj_fill_entry(fj_entry *entry, PyObject *args, PyObject *kwargs);

/* guard.c: runs guards [first, first + count) of the entry over the slots; fetches store new
 * references into slots. Returns count when all hold, the index of the first that fails, or -1
 * with an exception. */
Py_ssize_t fj_guards_hold(fj_entry *entry, PyObject **slots, Py_ssize_t first, Py_ssize_t count);

/* fetch.c: 1 if one of the guards copies what a container holds. */
int fj_converts(const fj_guard *guards, Py_ssize_t count);

/* launch.c: one run of an entry over borrowed live-ins, n_live of them. *result is a new reference
 * where the outcome is FJ_TAKEN, else it is not set. `sample` is filled if the call is timed; NULL if it
 * must not be. Where plain Python serves the outcome is FJ_AS_IT_IS. */
fj_outcome fj_launch(fj_entry *entry, PyObject *const *live, fj_sample *sample, PyObject **result,
                     Py_ssize_t *exit);

/* load.c: writes what the kernel reads of a guarded value into its words; -1 with an exception. */
int fj_load_value(const fj_load *load, PyObject *value, int64_t *words);
void fj_load_array(const fj_load *load, PyArrayObject *array, int64_t *words);

/* runtime.c: what a kernel may call while it runs. */
int64_t fj_rt_alloc(int64_t *words, int64_t spec);
int64_t fj_rt_call(int64_t *words, int64_t call);
int64_t fj_rt_flags(int64_t *words, int64_t raised);
int64_t fj_rt_due(int64_t *words, int64_t exit);
int64_t fj_rt_undo(int64_t *words, int64_t slot);
int64_t fj_rt_commit(int64_t *words, int64_t ignored);
int64_t fj_rt_poll(int64_t *words, int64_t raised);

/* poll.c: called after a bail; tells the owner if that came long after the begin of a loop that cannot be
 * halted. */
void fj_poll_note_bail(fj_run *run);

/* poll.c: 1 when the guards of the entry hold still and fetch the numbers that are `given`, after others
 * have run: a handler or a thread may have set what a loop asks for in each iteration (`while not
 * stopped[0]`). 0 when not, -1 with an exception. Borrows all n_slots of `given`, which may be NULL beyond
 * what guards fetch. */
int fj_is_as_before(fj_entry *entry, PyObject *const *given);

/* interrupt.c: take stores the exception that is set, raise schedules it for when this thread next runs
 * Python code. Neither leaves one set. */
void fj_interrupt_take(fj_run *run);

/* 1 if a signal, another thread or a pending call waits for this thread to run Python code. Cannot fail. */
int fj_is_awaited(void);
void fj_interrupt_raise(fj_run *run);

/* As fj_interrupt_raise, for an exit that calls raise_held() once its target can run. */
void fj_interrupt_hold(fj_run *run);
int fj_interrupt_init(PyObject *module);

/* detached.c, channel.c: the compile helper's process, and the socket to it. */
int fj_detached_init(PyObject *module);
int fj_copying_init(PyObject *module); /* copying.c: copies of the program that capture */
int fj_channel_init(PyObject *module);
/* object_code.c, processor.c: kernels in memory, and what they are compiled for. */
int fj_object_code_init(PyObject *module);
int fj_processor_init(PyObject *module);
int fj_file_stamps_init(PyObject *module); /* file_stamps.c: sources that are as they were */
/* exits.c: exports what recipes call; 0, or -1 with an exception. */
int fj_exits_init(PyObject *module);

/* exits.c: build what a stub of `n_exits` exits unpacks: with one exit the payload alone, else nested pairs, one
 * for each exit up to this one: (is it this exit?, the payload, or the pair for the exits that follow). Steals
 * payload; new reference, NULL with an exception. */
PyObject *fj_exit_for_stub(Py_ssize_t n_exits, Py_ssize_t exit, PyObject *payload);

int64_t fj_rt_keep(int64_t *words, int64_t to, int64_t from);
int64_t fj_rt_swap(int64_t *words, int64_t one, int64_t other);
int64_t fj_rt_log(int64_t *words, int64_t node, int64_t raised);

/* recipe.c: builds the object that recipe `index` describes; new reference, NULL on error. */
PyObject *fj_recipe_build(fj_run *run, Py_ssize_t index);

/* ufunc.c: the module functions about ufuncs. */
int fj_ufunc_init(PyObject *module);

/* errstate.c: the state of np.errstate in this context. */
int fj_errstate_init(void);
int fj_errstate_reported(int raised); /* the raised flags that eager would report; -1 error */
int fj_errstate_mask(void); /* NumPy's mask, three bits for each kind; -1, no exception: not known */

/* loud.c: tells if a flag raised now may do more than warn. */
int fj_loud_init(void);
int64_t fj_rt_loud(int64_t *words, int64_t ignored);

/* Until fj_errstate_restore(token), what eager would report raises FloatingPointError instead. The
 * token is owned by the caller until restored, NULL when nothing had to be changed. -1, without an
 * exception, when NumPy's state cannot be reached: the caller must not go on. */
int fj_errstate_raise(PyObject **token);
void fj_errstate_restore(PyObject *token);

/* cache.c: the entries of a dispatcher or segment, tried in order of last use. */
typedef struct {
    fj_entry **items; /* owned references, most recent first */
    Py_ssize_t count;
} fj_cache;

fj_outcome fj_cache_run(fj_cache *cache, PyObject *options, PyObject *const *live,
                        Py_ssize_t count, fj_sample *sample, PyObject **result,
                        Py_ssize_t *exit);
int fj_cache_rests(const fj_cache *cache, uint64_t kind);
PyObject *fj_cache_add(fj_cache *cache, PyObject *entry);
void fj_cache_clear(fj_cache *cache);
PyObject *fj_cache_list(const fj_cache *cache);
int fj_cache_traverse(const fj_cache *cache, visitproc visit, void *arg);

/* segment.c: the next call of the segment in this thread takes the exit with the payload (stolen)
 * without looking at its live-ins. A whole-function launch that bailed to a checkpoint goes on in
 * the rewritten code this way. What was primed before comes back to the caller, who owns its payload
 * and primes it again when the rewritten code has run: a finaliser or a signal handler may call the
 * same function before the code has reached its stub. */
typedef struct {
    PyObject *segment; /* borrowed: whoever primes it holds it; NULL for none */
    PyObject *payload; /* owned */
    Py_ssize_t exit;
} fj_primed;
fj_primed fj_segment_prime(fj_primed next);

/* options.c: the options in force here; `tstate` is the calling thread's. A new reference, for they may
 * change while a call runs; NULL without an exception when framejit is to keep out of the way: disabled,
 * a debugger, profiler or tracer is watching this thread, or builtins are exchanged. */
PyObject *fj_options_now(PyThreadState *tstate);
int fj_options_init(PyObject *module);

#endif
