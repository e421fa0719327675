/* Shared by the processes that framejit starts beside the program: see detached.c and copying.c. */
#ifndef FRAMEJIT_DETACHED_H
#define FRAMEJIT_DETACHED_H

#include "core.h"

/* Block the signals in `mask`, including those that the C library's threads use, which sigprocmask leaves
 * out. `before` may be NULL. Async-signal-safe. */
void fj_set_signal_mask(uint64_t mask, uint64_t *before);

/* Closes all descriptors from this one on. Async-signal-safe. */
void fj_close_from(unsigned int first);

#endif
