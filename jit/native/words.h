/* The first words of a launch, which a kernel reads and writes. */
#ifndef FRAMEJIT_WORDS_H
#define FRAMEJIT_WORDS_H

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

#endif
