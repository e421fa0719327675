/* Recursion allowance beyond the program's own limits: the engine's Python must not end a program that
 * recurses deeply, and a segment must not run where eager would reach the limit. */
#ifndef FRAMEJIT_ALLOWANCE_H
#define FRAMEJIT_ALLOWANCE_H

#include "interp.h"

/* Frames and levels of C recursion that the engine's Python may use beyond the program's limit. Counted against
 * that limit, they would cause a RecursionError that the program does not get without us. */
enum { FJ_ENGINE_FRAMES = 600, FJ_ENGINE_C_RECURSION = 300 };

/* Brackets a call of the engine's Python. Touch no reference and cannot fail. */
static inline void
fj_engine_enter(void)
{
#if FJ_HOOK_SUPPORTED
    PyThreadState *tstate = PyThreadState_Get();
    *fj_frames_remaining(tstate) += FJ_ENGINE_FRAMES;
    fj_c_recursion_add(tstate, FJ_ENGINE_C_RECURSION);
#endif
}

static inline void
fj_engine_leave(void)
{
#if FJ_HOOK_SUPPORTED
    PyThreadState *tstate = PyThreadState_Get();
    *fj_frames_remaining(tstate) -= FJ_ENGINE_FRAMES;
    fj_c_recursion_add(tstate, -FJ_ENGINE_C_RECURSION);
#endif
}

/* Maximum frames and levels that a segment replaces, including callees of the user's and NumPy's own. */
enum { FJ_SEGMENT_FRAMES = 32 };

/* 1 if eager might reach the recursion limit within a segment's code, else 0: eager then raises at the right
 * frame. Touches no reference. */
static inline int
fj_depth_is_short(const PyThreadState *tstate)
{
#if !FJ_HOOK_SUPPORTED
    (void)tstate;
    return 1;
#else
    return *fj_frames_remaining((PyThreadState *)tstate) < FJ_SEGMENT_FRAMES ||
           fj_c_recursion_remaining(tstate) < FJ_SEGMENT_FRAMES;
#endif
}

#endif
