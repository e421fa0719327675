/* Floating point status of this thread. MXCSR is read and written directly: 15 ns where libc's
 * fenv functions cost 131, because those also touch the x87 unit (KERNELS: call overhead). */
#ifndef FRAMEJIT_FPSTATUS_H
#define FRAMEJIT_FPSTATUS_H

#if defined(__x86_64__)
#include <xmmintrin.h>
#define FJ_HAVE_FPSTATUS 1

/* invalid, divide by zero, overflow, underflow; never denormal operand and inexact. */
enum { FJ_FP_FLAGS = 0x1d };

static inline int
fj_fp_raised(void)
{
    return (int)_mm_getcsr() & FJ_FP_FLAGS;
}

static inline void
fj_fp_clear(void)
{
    unsigned int csr = _mm_getcsr();
    if (csr & FJ_FP_FLAGS) {
        _mm_setcsr(csr & ~0x3fu);
    }
}

/* Raises these flags and no others. */
static inline void
fj_fp_put(int flags)
{
    _mm_setcsr((_mm_getcsr() & ~0x3fu) | (unsigned int)flags);
}
#else
#define FJ_HAVE_FPSTATUS 0
enum { FJ_FP_FLAGS = 0x1d };
static inline int fj_fp_raised(void) { return 0; }
static inline void fj_fp_clear(void) { }
static inline void fj_fp_put(int flags) { (void)flags; }
#endif

#endif
