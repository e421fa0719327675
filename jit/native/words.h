/* The first words of a launch, which a kernel reads and writes. */
#ifndef FRAMEJIT_WORDS_H
#define FRAMEJIT_WORDS_H

/* The first words of every launch; a kernel finds the run time through them, so that no address
 * is ever part of compiled code. Functions give an int64 and take the words and int64s. Exported to
 * Python as WORDS. */
#define FJ_WORDS(X)                                                                                  \
    X(RUN)     /* fj_run*: the launch itself */                                                      \
    X(ALLOC)   /* alloc(words, spec): allocate an array into its slot */                             \
    X(CALL)    /* call(words, call): an opaque call */                                               \
    X(FLAGS)   /* flags(words, raised): 1 when these flags must bail */                              \
    X(LOG)     /* log(words, node, raised): attributed flags */                                      \
    X(LOUD)    /* loud(words, ignored): 1 when a flag may do more than warn */                       \
    X(KEEP)    /* keep(words, to, from): slot `to` gets the object of slot `from`, too */            \
    X(SWAP)    /* swap(words, one, other): slots change places */                                    \
    X(DUE)     /* due(words, exit): hostile mode, 1 to bail here */                                  \
    X(UNDO)    /* undo(words, slot): a bail restores the array as it is now, or calls the slot's     \
                * object */                                                                          \
    X(POLL)    /* poll(words, raised) at a back edge: FJ_KERNEL_BAIL if eager must take over */      \
    X(HALTS)   /* 0 unless a loop is running that can be halted between two iterations; then FJ_HALTS.\
                * At a poll between two iterations FJ_BETWEEN, or, if a second run of the kernel may \
                * end there, a larger number, which says which loop it is */                         \
    X(HALTED)  /* FJ_HALT: the loop is to be halted; FJ_HALTED: it has been; FJ_POLL: it is to poll  \
                * before its next iteration */                                                       \
    X(COMMIT)  /* commit(words, ignored): what was written or logged stays */                        \
    X(PARALLEL) /* parallel(words, chunk, shared, begin, end, step, size): see parallel.c */         \
    X(ROOM)    /* room(words, spec): memory of this thread for an array; see rooms.c */              \
    X(ROOMS)   /* what this thread has of such memory */                                             \
    X(SCRATCH) /* address of the scratch buffer, 64-byte aligned */                                  \
    X(WORK)    /* iterations of loops that the kernel has run, about */                              \
    X(RAISED)  /* floating point flags that the kernel collected on its way */                       \
    X(CHECK)   /* the check that has failed, a number of jit/checks.py */                            \
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
