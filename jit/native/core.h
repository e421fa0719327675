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
#include "kinds.h"

#define PY_ARRAY_UNIQUE_SYMBOL framejit_array_api
#ifndef FRAMEJIT_IMPORT_ARRAY
#define NO_IMPORT_ARRAY
#endif
#include <numpy/arrayobject.h>
#include <numpy/arrayscalars.h>

/* An array of more axes than this is never captured: eager serves it. */
#define FJ_MAX_NDIM 8

/* ---- words -------------------------------------------------------------------------------- */

/* The first words of every launch; a kernel finds the run time through them, so that no address
 * is ever part of compiled code. Functions give an int64 and take the words and int64s. Exported to
 * Python as WORDS. */
#define FJ_WORDS(X)                                                                              \
    X(RUN)     /* fj_run*: the launch itself */                                                  \
    X(ALLOC)   /* alloc(words, spec): allocate an array into its slot */                         \
    X(CALL)    /* call(words, call): an opaque call */                                           \
    X(FLAGS)   /* flags(words, raised): 1 when these flags must bail */                          \
    X(LOG)     /* log(words, node, raised): attributed flags */                                  \
    X(LOUD)    /* loud(words, ignored): 1 when a flag may do more than warn */                   \
    X(KEEP)    /* keep(words, to, from): a slot holds it as well */                              \
    X(SWAP)    /* swap(words, one, other): slots change places */                                \
    X(DUE)     /* due(words, exit): hostile mode, 1 to bail here */                              \
    X(UNDO)    /* undo(words, slot): a bail puts the array back as it is now, or calls what      \
                * stands there */                                                                \
    X(POLL)    /* poll(words, raised): 1 at a back edge to leave for eager */                    \
    X(HALTS)   /* FJ_HALTS while a loop is running that can be halted between two turns; where it  \
                * polls between two of them FJ_BETWEEN, and more, its number, where a second run \
                * may end there */                                                               \
    X(HALTED)  /* FJ_HALT when it is to be, FJ_HALTED when it has been, FJ_POLL when it is to poll \
                * before its next turn */                                                        \
    X(COMMIT)  /* commit(words, ignored): what was written or logged stays */                    \
    X(PARALLEL) /* parallel(words, chunk, shared, begin, end, step, size): see parallel.c */      \
    X(SCRATCH) /* address of the scratch buffer, 64-byte aligned */                              \
    X(WORK)    /* turns of loops that the kernel has gone through, about */                      \
    X(RAISED)  /* floating point flags that the kernel collected on its way */                   \
    X(CHECK)   /* which check has not held, a number of jit/checks.py */                         \
    X(FIRST)   /* the first word that belongs to the program */

enum {
#define X(name) FJ_W_##name,
    FJ_WORDS(X)
#undef X
};

enum { FJ_HALTS = 1, FJ_BETWEEN = 2 };
enum { FJ_HALT = 1, FJ_HALTED = 2, FJ_POLL = 3 };
enum { FJ_TOOK_LONG = 1, FJ_TOLD = 2 };

/* ---- guard program ------------------------------------------------------------------------ */

/* Order is the ABI between guards/program.py and guard.c; exported to Python as GUARD_OPS. */
#define FJ_GUARD_OPS(X) \
    X(FETCH_GLOBAL)     \
    X(FETCH_ATTR)       \
    X(FETCH_CELL)       \
    X(FETCH_ITEM)       \
    X(FETCH_LENGTH)     \
    X(FETCH_KEY)        \
    X(FETCH_CLOSURE)    \
    X(FETCH_DEFAULTS)   \
    X(FETCH_SUPER)      \
    X(FETCH_OBJECT)     \
    X(FETCH_REDUCED)    \
    X(FETCH_NUMBER)     \
    X(FETCH_LISTED)     \
    X(GLOBAL_IS)        \
    X(LACKS)            \
    X(QUIET)            \
    X(HOLDS)            \
    X(IS)               \
    X(TYPE)             \
    X(INT64)            \
    X(INT_IS)           \
    X(INT_SIGN)         \
    X(INT_BELOW)        \
    X(FLOAT_BITS)       \
    X(EQUAL)            \
    X(ARRAY)            \
    X(ORDER)            \
    X(WRITEABLE)        \
    X(OWNED)            \
    X(UNSHARED)         \
    X(DIM_EQ)           \
    X(DIM_IS)           \
    X(DISJOINT)         \
    X(FUNCTION)         \
    X(LENGTH)           \
    X(ARRAYS)           \
    X(KEYS)             \
    X(CLASS_ATTR)       \
    X(CLASS_HOLDS)      \
    X(SUBCLASS)         \
    X(REGISTERED)       \
    X(METHOD)           \
    X(OWN_NAMES)        \
    X(SAME)

enum {
#define X(name) FJ_G_##name,
    FJ_GUARD_OPS(X)
#undef X
    FJ_G_COUNT
};

typedef struct {
    int32_t op;
    int32_t slot;
    int32_t a;
    int32_t b;
    int64_t c;
    int32_t object; /* index into the entry's objects, or -1 */
    int32_t extra;  /* likewise */
} fj_guard;

/* ---- launching ---------------------------------------------------------------------------- */

enum { FJ_LOAD_ARRAY, FJ_LOAD_INT, FJ_LOAD_FLOAT, FJ_LOAD_COMPLEX, FJ_LOAD_SCALAR };

typedef struct {
    int32_t kind;
    int32_t slot;
    int32_t word; /* first word: arrays data, dims, strides; scalars their value */
    int32_t ndim;
} fj_load;

/* Values for `base`: own memory, with the axis order of the spec; or in the order in which NumPy's iterator
 * sorts the operands' axes. */
enum { FJ_FRESH = -1, FJ_SORTED = -2 };

/* Maximum bytes of a small array that is placed in the scratch instead of a NumPy array. */
enum { FJ_ROOM = 2048 };

/* An array that a kernel allocates: dims are read from words, address and strides written back. */
typedef struct {
    int32_t slot;
    int32_t word;
    int32_t ndim;
    int32_t object; /* the dtype, index into objects */
    int32_t base;   /* slot whose memory this is a view of, or FJ_FRESH, or FJ_SORTED */
    int32_t room;   /* nobody needs it as an object: where in the scratch it stands if it takes no
                     * more than FJ_ROOM bytes; or -1 */
    int8_t order[FJ_MAX_NDIM]; /* axes from slowest to fastest */
} fj_array_spec;

/* An opaque call: one recipe makes the call and gives its result, which goes into `slot`, has to
 * pass the guards and is then loaded into words (`load`: index into loads, or -1). */
typedef struct {
    int32_t recipe;
    int32_t slot;
    int32_t load;
    int32_t first_guard;
    int32_t n_guards;
    int32_t looks; /* 0: the callee asks for no np.errstate and leaves nothing that it would report */
} fj_call;

/* ---- recipes ------------------------------------------------------------------------------ */

/* Postfix code that builds one object; each instruction is (op, a, b). Exported as RECIPE_OPS. */
#define FJ_RECIPE_OPS(X)                                                    \
    X(SLOT)    /* the object in slot a */                                   \
    X(CONST)   /* objects[a] */                                             \
    X(INT)     /* Python int from word a */                                 \
    X(FLOAT)   /* Python float from word a */                               \
    X(BOOL)    /* Python bool from word a */                                \
    X(COMPLEX) /* Python complex from words a, a + 1 */                     \
    X(SCALAR)  /* NumPy scalar of dtype objects[b] from word a */           \
    X(TUPLE)   /* the last a objects */                                     \
    X(LIST)    /* the last a objects */                                     \
    X(DICT)    /* the last a (key, value) pairs */                          \
    X(CALL)    /* a callable and its last a positional arguments */          \
    X(KEEP)    /* the last object goes into slot a as well */               \
    X(ORIGIN)  /* the object of slot (word a) - 1, where the last one goes if there is none; a word \
                * of 0: the last one */                                     \
    X(DROP)    /* the last object is let go of */

enum {
#define X(name) FJ_R_##name,
    FJ_RECIPE_OPS(X)
#undef X
    FJ_R_COUNT
};

typedef struct {
    int32_t op;
    int32_t a;
    int32_t b;
} fj_step;

typedef struct {
    int32_t start; /* in steps */
    int32_t length;
} fj_recipe;

typedef int64_t (*fj_kernel)(int64_t *words);

typedef struct {
    PyObject_HEAD
    PyObject *objects;   /* tuple: constants of guards and recipes, dtypes, callees */
    PyObject *keepalive; /* whoever owns the machine code */
    PyObject *python_kernel; /* callable(*live) -> (exit, payload) or None, not machine code; with
                              * neither the entry waits for its kernel, and eager answers */
    PyObject *owner;     /* Python CacheEntry: asked for the attributing kernel, told of bails */
    PyObject *attributing; /* an Entry whose kernel keeps each op's flags apart, or NULL */
    PyObject *check;       /* callable(entry, slots), asked before each launch: it raises where the
                            * kernel is wrong; or NULL */
    PyObject *options;   /* the options it was made under: one object for each distinct set */
    fj_kernel kernel;
    fj_guard *guards;
    Py_ssize_t n_guards; /* entry guards; those of opaque results come after them */
    fj_load *loads;
    Py_ssize_t n_loads;  /* entry loads; those of opaque results come after them */
    fj_array_spec *arrays;
    Py_ssize_t n_arrays;
    fj_call *calls;
    Py_ssize_t n_calls;
    fj_recipe *recipes;  /* the first n_exits are the exits */
    Py_ssize_t n_recipes;
    fj_step *steps;      /* of all recipes */
    Py_ssize_t n_steps;
    Py_ssize_t depth;    /* of the stack that the deepest recipe needs */
    int64_t *words;      /* template, copied at each launch */
    Py_ssize_t n_words;
    Py_ssize_t n_slots;
    Py_ssize_t n_live;   /* slots that the caller fills */
    Py_ssize_t n_checked; /* slots that `check` is given: those that are full when the guards hold */
    Py_ssize_t n_exits;
    unsigned char *bail_exits; /* for each exit 1 when it is a checkpoint, 0 when the kernel ends there */
    Py_ssize_t n_bail_exits;   /* how many are checkpoints */
    int32_t *exit_numbers; /* which exit of the stub each exit of the kernel is; NULL: the same */
    Py_ssize_t scratch;  /* bytes of scratch the kernel needs */
    int reports;         /* floating point flags that the kernel may raise and eager may report */
    uint64_t hits;
    uint64_t bails;
    int bails_in_row;    /* since the last launch that was taken; with others, see took() */
    int has_others;      /* segments serve its calls, too: it is to bail seldom */
    int pause;           /* after so many launches it is tried, once it keeps bailing; or 0 */
    int declined;        /* those since it was tried last */
    int watched;         /* its loop is left and entered again: is a launch worth its price? */
    int weighed;         /* launches since the last answer */
    int64_t work;        /* turns of loops in them */
    int idle;            /* its launches are not worth their price: the entry declines */
    int took_long;       /* FJ_TOOK_LONG when a loop that cannot be halted did; then FJ_TOLD */
    int shows;           /* halts store what others see: a loop is halted for those who wait */
    int outgrown;        /* it holds no more: another one, or another capture, is to be tried */
    fj_kinds kinds;      /* whether it pays, where it serves whole calls, and which */
    uint64_t patience;   /* launches before the first trial; 0: it is not measured */
    int grows;           /* its loops would be shared if its arrays were larger: these are counted */
    int64_t made;        /* bytes of large arrays that it has made, while it grows */
    int threads;         /* that may share its loops, the launch's own included */
    int releases;        /* its long loops run without the GIL */
    int alone;           /* how often in a row other threads were no gain */
    int64_t alone_until; /* ns: until then it works alone */
    int turns;           /* hostile mode: which checkpoint is next */
    uint64_t waited;     /* launches that eager answered since there is no kernel yet */
    int asks;            /* the next of them tells the owner: nobody compiles at the moment */
} fj_entry;

/* Minimum bytes of a large array; the owner is told when launches have made as many bytes of them as one
 * thread writes in a second. */
enum { FJ_LARGE_ARRAY = 1 << 20 };
#define FJ_GROWN ((int64_t)1 << 31)

/* A watched entry is weighed after FJ_WEIGHED launches; with fewer iterations per launch, eager is as fast. */
enum { FJ_WEIGHED = 64, FJ_WORTH_TURNS = 16 };

/* An entry that bails so often in a row declines, and the report says so. Later two launches are tried, as
 * two kinds of calls may alternate, then two after twice as many calls. With segments one bail counts as much
 * as so many launches. */
enum {
    FJ_MAX_BAILS_IN_ROW = 16,
    FJ_FIRST_PAUSE = 32,
    FJ_LONGEST_PAUSE = 1024,
    FJ_WEIGHT_OF_BAIL = 8
};

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
    Py_ssize_t n_settled; /* of these had been logged by the last checkpoint */
    Py_ssize_t room_log;
    fj_undo_item *undo;
    Py_ssize_t n_undo;
    Py_ssize_t room_undo;
    int flags; /* what fj_rt_flags found that eager would report */
    int raised;      /* an exception is set that eager would not meet again: it ends the launch */
    PyObject *interrupt; /* an exception for the program: it is raised where eager goes on; owned */
    const char *why;     /* why the kernel bails; NULL when its owner is not to be told */
    int64_t check;       /* which check has not held then, 0 when that is not told */
    int64_t next_poll;   /* ns of poll.c's clock; 0 before the first */
    int64_t first_poll;  /* likewise */
    int64_t halt_by;     /* by then a loop that is to be halted is left in the middle */
    int64_t polls;       /* so far; another run of the kernel on the same values makes the same ones */
    int64_t between;     /* the number of the last one between two turns with no flag to report, or 0 */
    int64_t before_that; /* one before, with a turn of its loop in between */
    int64_t loop;        /* HALTS at the last one: which loop it was in */
    int64_t halt_at;     /* the number of the poll at which the loop is to be halted; 0: none */
    int changed;         /* others have changed an array while a loop ran without the GIL */
    int unreported;      /* flags that eager would not report here, as far as they have been looked up */
    int shows;           /* it is halted for those who wait to see its changes: no turn is lost */
    int checkpoints;     /* hostile mode: passed so far */
} fj_run;

/* The outcome of a launch. */
typedef enum {
    FJ_TAKEN, /* *result holds the payload of *exit */
    FJ_AS_IT_IS, /* plain Python is faster, or is being measured: only of whole calls */
    FJ_MISS,  /* a guard did not hold */
    FJ_BAIL,  /* the kernel ran, nothing happened that anyone could see: eager runs from the start */
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

/* guard.c: runs guards [first, first + count) of the entry over the slots; fetches store new
 * references into slots. Returns count when all hold, the index of the first that fails, or -1
 * with an exception. */
Py_ssize_t fj_guards_hold(fj_entry *entry, PyObject **slots, Py_ssize_t first, Py_ssize_t count);

/* launch.c: one run of an entry over borrowed live-ins, n_live of them. *result is a new reference
 * where the outcome is FJ_TAKEN, else nothing is left there. `sample` is filled where this is a call
 * that is measured, or NULL; where plain Python serves the outcome is FJ_BAIL. */
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
 * have run: a handler or a thread may have set what a loop asks for in each turn (`while not
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
/* exits.c: exports what recipes call; 0, or -1 with an exception. */
int fj_exits_init(PyObject *module);

int64_t fj_rt_keep(int64_t *words, int64_t to, int64_t from);
int64_t fj_rt_swap(int64_t *words, int64_t one, int64_t other);
int64_t fj_rt_log(int64_t *words, int64_t node, int64_t raised);

/* recipe.c: builds the object that recipe `index` describes; new reference, NULL on error. */
PyObject *fj_recipe_build(fj_run *run, Py_ssize_t index);

/* ufunc.c: the module functions about ufuncs. */
int fj_ufunc_init(PyObject *module);

/* errstate.c: the state of np.errstate in this context. */
int fj_errstate_init(void);
int fj_errstate_reported(int raised); /* the raised x86 flags that eager would report; -1 error */
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
int fj_cache_add(fj_cache *cache, fj_entry *entry);
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
