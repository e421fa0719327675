/* Memory for machine code: pages in chunks, blocks in pages.
 *
 * Kernels take some kilobytes, so a mapping for each would waste a page or two. A chunk records for each of
 * its grains, 64 bytes, if it is taken; an empty chunk goes back to the system. The mappings are private: a
 * forked child writes to copies of its own. */
#include "core.h"
#include "code_memory.h"
#include "released.h"
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { GRAIN = FJ_CODE_ALIGNMENT, CHUNK = 256 * 1024 };
#define TO_RUN (PROT_READ | PROT_EXEC)
#define TO_WRITE (PROT_READ | PROT_WRITE)

typedef struct chunk {
    struct chunk *next;
    unsigned char *base;
    size_t n_grains;
    size_t n_taken;
    unsigned char taken[]; /* for each grain 1 or 0 */
} chunk;

static chunk *chunks; /* owned, each with its mapping; the one that was made last is the first */

static size_t
grains_of(size_t size)
{
    return size / GRAIN + (size % GRAIN != 0) + (size == 0);
}

/* A new chunk of at least so many grains, in the list; NULL where there is no memory. */
static chunk *
new_chunk(size_t n_grains)
{
    size_t size = n_grains * GRAIN, page = (size_t)sysconf(_SC_PAGESIZE);
    size = size < CHUNK ? CHUNK : (size + page - 1) / page * page;
    chunk *made = calloc(1, sizeof(chunk) + size / GRAIN);
    if (made == NULL) {
        return NULL;
    }
    void *base = mmap(NULL, size, TO_RUN, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (base == MAP_FAILED) {
        free(made);
        return NULL;
    }
    made->base = base;
    made->n_grains = size / GRAIN;
    made->next = chunks;
    chunks = made;
    return made;
}

/* The first of so many free grains that follow each other, at a multiple of `unit`; n_grains where there are
 * none. */
static size_t
find_room(const chunk *in, size_t wanted, size_t unit)
{
    for (size_t first = 0, at = 0; first + wanted <= in->n_grains; at++) {
        if (in->taken[at]) {
            first = (at / unit + 1) * unit;
            at = first - 1;
        }
        else if (at + 1 - first == wanted) {
            return first;
        }
    }
    return in->n_grains;
}

/* Room for `wanted` grains; with `alone` in pages in which no other block stands. */
static void *
take_from(chunk *from, size_t wanted, int alone)
{
    size_t unit = alone ? (size_t)sysconf(_SC_PAGESIZE) / GRAIN : 1;
    size_t needed = (wanted + unit - 1) / unit * unit;
    if (from->n_grains - from->n_taken < needed) {
        return NULL;
    }
    size_t first = find_room(from, needed, unit);
    if (first == from->n_grains) {
        return NULL;
    }
    memset(&from->taken[first], 1, wanted);
    from->n_taken += wanted;
    return from->base + first * GRAIN;
}

void *
fj_code_take(size_t size)
{
    size_t wanted = grains_of(size);
    int alone = fj_released_launches() > 0;
    if (wanted > PTRDIFF_MAX / GRAIN / 2) {
        return NULL;
    }
    for (chunk *each = chunks; each != NULL; each = each->next) {
        void *found = take_from(each, wanted, alone);
        if (found != NULL) {
            return found;
        }
    }
    chunk *made = new_chunk(wanted);
    return made == NULL ? NULL : take_from(made, wanted, alone);
}

int
fj_code_write(void *block, const void *content, size_t size)
{
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), at = (uintptr_t)block;
    uintptr_t first = at / page * page, end = (at + size + page - 1) / page * page;
    if (mprotect((void *)first, end - first, TO_WRITE) < 0) {
        return -1;
    }
    memcpy(block, content, size);
    if (mprotect((void *)first, end - first, TO_RUN) < 0) {
        /* Other kernels are in these pages, which were executable a moment ago. */
        Py_FatalError("framejit: the system does not let code run any more");
    }
    __builtin___clear_cache((char *)block, (char *)block + size);
    return 0;
}

/* Return the list's pointer to the chunk of a block; all blocks come from one. */
static chunk **
place_of(const unsigned char *block)
{
    chunk **place = &chunks;
    while (block < (*place)->base || block >= (*place)->base + (*place)->n_grains * GRAIN) {
        place = &(*place)->next;
    }
    return place;
}

void
fj_code_give_back(void *block, size_t size)
{
    chunk **place = place_of(block), *from = *place;
    size_t first = (size_t)((unsigned char *)block - from->base) / GRAIN;
    memset(&from->taken[first], 0, grains_of(size));
    from->n_taken -= grains_of(size);
    /* The only chunk stays even if empty, as single kernels may come and go. */
    if (from->n_taken == 0 && (chunks->next != NULL || from->n_grains * GRAIN > CHUNK)) {
        *place = from->next;
        munmap(from->base, from->n_grains * GRAIN);
        free(from);
    }
}

fj_code_sums
fj_code_count(void)
{
    fj_code_sums sums = {0, 0};
    for (const chunk *each = chunks; each != NULL; each = each->next) {
        sums.taken += each->n_taken * GRAIN;
        sums.mapped += each->n_grains * GRAIN;
    }
    return sums;
}
