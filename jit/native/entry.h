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
    PyObject *owner;     /* its CacheEntry in Python: is asked for the attributing kernel, and told of bails */
    PyObject *attributing; /* an Entry whose kernel keeps each op's flags apart, or NULL */
    PyObject *check;       /* callable(entry, slots), called before each launch: it raises if the kernel is
                            * wrong; or NULL */
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
    Py_ssize_t n_checked; /* slots that `check` gets: those that are filled when the guards hold */
    Py_ssize_t n_exits;
    unsigned char *bail_exits; /* for each exit 1 if it is a checkpoint, 0 if the kernel ends there */
    Py_ssize_t n_bail_exits;   /* how many are checkpoints */
    int32_t *exit_numbers; /* for each exit of the kernel the exit of the stub; NULL: the same numbers */
    Py_ssize_t scratch;  /* bytes of scratch the kernel needs */
    int reports;         /* floating point flags that the kernel may raise and eager may report */
    uint64_t hits;
    uint64_t bails;
    int bails_in_row;    /* since a launch came to an exit; with `has_others` see count_taken() */
    int has_others;      /* segments serve its calls, too: it must bail seldom */
    int pause;           /* once it keeps bailing: calls that it declines before it is tried again; or 0 */
    int declined;        /* calls that it has declined since it was tried last */
    int watched;         /* a break is in its loop, which is left and entered again: launches are weighed */
    int weighed;         /* launches since it was weighed */
    int64_t work;        /* iterations of loops in them */
    int idle;            /* its launches do too little to be worth their price: it declines all calls */
    int took_long;       /* FJ_TOOK_LONG after a loop that cannot be halted took long; then FJ_TOLD */
    int shows;           /* halting a loop stores what others see: it is halted as soon as they wait */
    int outgrown;        /* it is not used any more: another entry, or another capture, takes its place */
    fj_kinds kinds;      /* trials of whole calls: if it pays, for each kind of calls */
    uint64_t patience;   /* launches before the first trial; 0: there is none */
    int grows;           /* threads would share its loops if its arrays were larger: `made` is counted */
    int64_t made;        /* bytes of large arrays that it has made, while `grows` */
    int threads;         /* threads that may share its loops, the launch's own included */
    int releases;        /* its long loops run without the GIL */
    int alone;           /* times in a row that sharing with other threads gained nothing */
    int64_t alone_until; /* ns: until then it shares with no thread */
    int converts;        /* a guard copies what a container holds, which may take longer than the call */
    int next_bail;       /* hostile mode: number of the checkpoint that bails next */
    uint64_t waited;     /* launches that eager answered since there is no kernel yet */
    int asks;            /* nobody compiles its kernel at the moment: the next such launch tells the owner */
} fj_entry;

/* Least bytes of a large array, and how many bytes of them an entry that `grows` makes before its owner is told:
 * about what one thread writes in a second. */
enum { FJ_LARGE_ARRAY = 1 << 20 };
#define FJ_GROWN ((int64_t)1 << 31)

/* A watched entry is weighed after FJ_WEIGHED launches: with fewer than FJ_WORTH_ITERATIONS iterations per launch,
 * eager is as fast. */
enum { FJ_WEIGHED = 64, FJ_WORTH_ITERATIONS = 16 };

/* An entry that bails FJ_MAX_BAILS_IN_ROW times in a row declines, and the report says so. After FJ_FIRST_PAUSE
 * calls two launches are tried, as two kinds of calls may alternate; then two after twice as many calls, and so
 * on. With `has_others` it takes FJ_WEIGHT_OF_BAIL launches to cancel one bail. */
enum {
    FJ_MAX_BAILS_IN_ROW = 16,
    FJ_FIRST_PAUSE = 32,
    FJ_LONGEST_PAUSE = 1024,
    FJ_WEIGHT_OF_BAIL = 8
};

#endif
