/* Floating point status of this thread. MXCSR is read and written directly: 15 ns where libc's
 * fenv functions cost 131, because those also touch the x87 unit (KERNELS: call overhead). */
#ifndef FRAMEJIT_FPSTATUS_H
#define FRAMEJIT_FPSTATUS_H

#include <stdint.h>

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

/* Clear the upper halves of the AVX registers after compiled code. LLVM emits `vzeroupper` only where it sees
 * a wide register, and misses `vcvtpd2psy mem, xmm`: later SSE code would be slow, a call of `x.astype('f4')`
 * on ten items twice as slow. No wide register is live here. */
static inline void
fj_fp_settle(void)
{
    if (__builtin_cpu_supports("avx")) {
        __asm__ volatile("vzeroupper");
    }
}

/* Raises these flags and no others. */
static inline void
fj_fp_put(int flags)
{
    _mm_setcsr((_mm_getcsr() & ~0x3fu) | (unsigned int)flags);
}

/* Return MXCSR; adopt that of another thread without its flags, and clear those of the x87 unit. */
static inline unsigned
fj_fp_status(void)
{
    return _mm_getcsr();
}

static inline void
fj_fp_begin(unsigned status)
{
    _mm_setcsr(status & ~0x3fu);
    __asm__ volatile("fnclex");
}

/* Return the flags raised since then, in either unit. */
static inline int
fj_fp_all(void)
{
    unsigned short x87;
    __asm__ volatile("fnstsw %0" : "=a"(x87));
    return (fj_fp_raised() | x87) & FJ_FP_FLAGS;
}
#else
#define FJ_HAVE_FPSTATUS 0
enum { FJ_FP_FLAGS = 0x1d };
static inline int fj_fp_raised(void) { return 0; }
static inline void fj_fp_clear(void) { }
static inline void fj_fp_settle(void) { }
static inline void fj_fp_put(int flags) { (void)flags; }
static inline unsigned fj_fp_status(void) { return 0; }
static inline void fj_fp_begin(unsigned status) { (void)status; }
static inline int fj_fp_all(void) { return 0; }
#endif

/* Runs a kernel with no flag raised before it. */
static inline int64_t
fj_fp_run(int64_t (*kernel)(int64_t *), int64_t *words)
{
    fj_fp_clear();
    int64_t code = kernel(words);
    fj_fp_settle();
    return code;
}

#endif
