/* An entry of the cache: guards, a kernel, and what launches have taught about it. */
#ifndef FRAMEJIT_ENTRY_H
#define FRAMEJIT_ENTRY_H

#include <Python.h>
#include "kinds.h"
#include "tables.h"

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

#endif
