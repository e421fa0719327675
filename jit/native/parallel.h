/* Loops whose chunks threads share, see parallel.c. */
#ifndef FRAMEJIT_PARALLEL_H
#define FRAMEJIT_PARALLEL_H

#include "core.h"

int64_t fj_rt_parallel(int64_t *words, int64_t function, int64_t shared, int64_t begin, int64_t end,
                       int64_t step, int64_t size);

/* memcpy() that the threads of the entry share where there is much to copy. */
void fj_copy(const fj_entry *entry, void *into, const void *from, size_t size);

/* Adds the module functions; 0, or -1 with an exception. */
int fj_parallel_init(PyObject *module);

#endif
