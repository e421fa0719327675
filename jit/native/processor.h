/* Facts that differ between processors and that C needs: a column for each kind.
 *
 * Facts that kernels need too are in jit/platforms.py; a test compares them. Kinds of relocations are in
 * image.c, registers with features in processor.c. The size of a page is asked of the system. */
#ifndef FRAMEJIT_PROCESSOR_H
#define FRAMEJIT_PROCESSOR_H

#include <elf.h>

#if defined(__linux__) && defined(__x86_64__)
#include <xmmintrin.h>

#define FJ_ELF_MACHINE EM_X86_64

/* Bits of the floating point status: what NumPy reports, and all that an operation may raise (denormal
 * operands and inexact results, too). */
enum { FJ_FP_INVALID = 0x01, FJ_FP_DIVIDE = 0x04, FJ_FP_OVER = 0x08, FJ_FP_UNDER = 0x10 };
enum { FJ_FP_FLAGS = FJ_FP_INVALID | FJ_FP_DIVIDE | FJ_FP_OVER | FJ_FP_UNDER, FJ_FP_ALL = 0x3f };

/* The status and the rounding mode of this thread, in one word: MXCSR. It is read and written directly: 15 ns
 * where libc's fenv functions cost 131, because those also touch the x87 unit. */
static inline unsigned int
fj_status_get(void)
{
    return _mm_getcsr();
}

static inline void
fj_status_put(unsigned int status)
{
    _mm_setcsr(status);
}

/* The flags of the x87 unit. */
static inline int
fj_further_flags(void)
{
    unsigned short status;
    __asm__ volatile("fnstsw %0" : "=a"(status));
    return status & FJ_FP_FLAGS;
}

static inline void
fj_further_flags_clear(void)
{
    __asm__ volatile("fnclex");
}

/* Clear the upper halves of the AVX registers after compiled code. LLVM emits `vzeroupper` only where it sees
 * a wide register, and misses `vcvtpd2psy mem, xmm`: later SSE code would be slow, a call of `x.astype('f4')`
 * on ten items twice as slow. No wide register is live here. */
static inline void
fj_settle(void)
{
    if (__builtin_cpu_supports("avx")) {
        __asm__ volatile("vzeroupper");
    }
}

/* In a loop that waits for another thread. */
static inline void
fj_relax(void)
{
    __builtin_ia32_pause();
}

#else
#error "no column for this platform: framejit runs eagerly here, without a C core"
#endif

#endif
