/* The hostile modes of the test suite: every safety net is used all the time. */
#ifndef FRAMEJIT_HOSTILE_H
#define FRAMEJIT_HOSTILE_H

#include "core.h"

typedef struct {
    int exit0; /* segments and dispatchers decline by the toss of a coin */
    int bail;  /* kernels bail at each checkpoint in turn, or at their end */
    uint64_t random;
    uint64_t stubs; /* segments called */
    uint64_t exits; /* exits taken with a payload */
    uint64_t declined;
    uint64_t bails;
} fj_hostile_state;

extern fj_hostile_state fj_hostile;

/* Whether this call is to be declined now. */
int fj_hostile_declines(void);
/* Whether the launch has to bail at this checkpoint; `end` is the end of a kernel without any. */
int fj_hostile_bails(fj_run *run, int end);
int fj_hostile_init(PyObject *module);

#endif
