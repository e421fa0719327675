/* Hostile test modes, which use every fallback all the time. */
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

/* 1 if this call must be declined now. */
int fj_hostile_declines(void);
/* 1 if the launch must bail at this checkpoint; `end` marks the end of a kernel without checkpoints. */
int fj_hostile_bails(fj_run *run, int end);
int fj_hostile_init(PyObject *module);

#endif
