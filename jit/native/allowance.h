/* Recursion that is allowed on top of the program's: the engine's own Python must not end a program
 * that is deep, and a segment must not run where eager would meet the limit. */
#ifndef FRAMEJIT_ALLOWANCE_H
#define FRAMEJIT_ALLOWANCE_H

#include "interp.h"

/* Frames, and levels of C, that the engine's Python may use on top of the program's. Counted against
 * the program's own limit they would end a deep program in a RecursionError that it does not meet
 * without us. */
enum { FJ_ENGINE_FRAMES = 600, FJ_ENGINE_LEVELS = 300 };

/* Brackets a call of the engine's Python. Touch no reference and cannot fail. */
static inline void
fj_engine_enter(void)
{
#if FJ_HOOK_SUPPORTED
    PyThreadState *tstate = PyThreadState_Get();
    *fj_frames_remaining(tstate) += FJ_ENGINE_FRAMES;
    fj_levels_add(tstate, FJ_ENGINE_LEVELS);
#endif
}

static inline void
fj_engine_leave(void)
{
#if FJ_HOOK_SUPPORTED
    PyThreadState *tstate = PyThreadState_Get();
    *fj_frames_remaining(tstate) -= FJ_ENGINE_FRAMES;
    fj_levels_add(tstate, -FJ_ENGINE_LEVELS);
#endif
}

/* Frames and levels that a segment may stand for, with callees of the user's and NumPy's own. */
enum { FJ_SEGMENT_FRAMES = 32 };

/* 1 when eager might meet the recursion limit in what a segment stands for, else 0: eager then says at
 * which frame. Touches no reference. */
static inline int
fj_depth_is_short(const PyThreadState *tstate)
{
#if !FJ_HOOK_SUPPORTED
    (void)tstate;
    return 1;
#else
    return *fj_frames_remaining((PyThreadState *)tstate) < FJ_SEGMENT_FRAMES ||
           fj_levels_remaining(tstate) < FJ_SEGMENT_FRAMES;
#endif
}

#endif
