/* Floating point status of this thread: flags of the four kinds that NumPy reports. */
#ifndef FRAMEJIT_FPSTATUS_H
#define FRAMEJIT_FPSTATUS_H

#include <stdint.h>
#include "processor.h"

static inline int
fj_fp_raised(void)
{
    return (int)fj_status_get() & FJ_FP_FLAGS;
}

/* Raises these flags and no others. */
static inline void
fj_fp_put(int flags)
{
    fj_status_put((fj_status_get() & ~(unsigned int)FJ_FP_ALL) | (unsigned int)flags);
}

static inline void
fj_fp_clear(void)
{
    if (fj_fp_raised()) {
        fj_fp_put(0);
    }
}

/* Adopt the status of another thread without its flags. */
static inline void
fj_fp_begin(unsigned int status)
{
    fj_status_put(status & ~(unsigned int)FJ_FP_ALL);
    fj_further_flags_clear();
}

/* Return the flags raised since then, in any unit. */
static inline int
fj_fp_all(void)
{
    return fj_fp_raised() | fj_further_flags();
}

/* Runs a kernel with no flag raised before it. */
static inline int64_t
fj_fp_run(int64_t (*kernel)(int64_t *), int64_t *words)
{
    fj_fp_clear();
    int64_t code = kernel(words);
    fj_settle();
    return code;
}

#endif
