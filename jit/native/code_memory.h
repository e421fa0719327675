/* Memory for machine code. Small blocks share pages; no page is ever writable and executable at once. All
 * functions need the GIL. No kernel in a page runs while it is written: kernels hold the GIL, too, except in
 * long loops, and while one of these runs a block gets pages of its own. */
#ifndef FRAMEJIT_CODE_MEMORY_H
#define FRAMEJIT_CODE_MEMORY_H

#include <stddef.h>

/* Alignment of blocks; no section may require more. */
enum { FJ_CODE_ALIGNMENT = 64 };

/* Return a block of this size, owned by the caller; NULL, without an exception, if there is no memory. It is
 * executable and its content is undefined. */
void *fj_code_take(size_t size);

/* Write so many bytes to the begin of a block; -1, without an exception and with the block unchanged, if the
 * system refuses. */
int fj_code_write(void *block, const void *content, size_t size);

/* Free a block of this size, in which nothing runs. */
void fj_code_give_back(void *block, size_t size);

/* Sums over all blocks. */
typedef struct {
    size_t taken;  /* bytes of blocks */
    size_t mapped; /* bytes of memory, which blocks are parts of */
} fj_code_sums;
fj_code_sums fj_code_count(void);

#endif
