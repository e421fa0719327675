/* Memory in which machine code runs. Small blocks share pages; nothing is ever writable and executable at
 * once. All functions need the GIL. While a page is written to, no kernel in it runs: kernels have the GIL, too,
 * but for long loops, and while there is one a block gets pages of its own. */
#ifndef FRAMEJIT_CODE_MEMORY_H
#define FRAMEJIT_CODE_MEMORY_H

#include <stddef.h>

/* Blocks begin at multiples of it: no section may ask for more. */
enum { FJ_CODE_ALIGNMENT = 64 };

/* A block of this size, which belongs to the caller; NULL, without an exception, where there is none. What
 * stands there may be executed, and is nothing yet. */
void *fj_code_take(size_t size);

/* Writes so many bytes to the begin of a block; -1, without an exception, where the system refuses: the block
 * is as it was. */
int fj_code_write(void *block, const void *content, size_t size);

/* Takes back a block of this size: nothing runs there. */
void fj_code_give_back(void *block, size_t size);

/* Sums over all blocks. */
typedef struct {
    size_t taken;  /* bytes of blocks */
    size_t mapped; /* bytes of memory, which blocks are parts of */
} fj_code_sums;
fj_code_sums fj_code_count(void);

#endif
