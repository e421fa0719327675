/* The size of a thread's C stack, and the part that the hook may use: see interp.h. */
#define FJ_INTERP_INSIDE
#include "interp.h"

#if FJ_HOOK_SUPPORTED

#include <pthread.h>

/* A hook makes Python recurse in C (FJ_HOOKED_CALL_BYTES). It acts in a part of the stack below the place where
 * the thread enabled it, and never takes more than this: a thousand calls, which the usual limit allows... */
#define STACK_MOST ((uintptr_t)1024 * FJ_HOOKED_CALL_BYTES)
/* ...or this fraction of the free stack: three quarters of it stay for what plain CPython needs. */
#define STACK_SHARE 4
/* Assumed free stack when the system does not report it. */
#define STACK_UNKNOWN ((uintptr_t)128 * 1024)

/* Asked once: each call of a function with breaks enables the hook, and for the main thread the C
 * library reads /proc/self/maps, which takes a millisecond in a big process. `end` is 0 when it was not
 * asked yet, or when the system does not say. */
static _Thread_local fj_stack stack;

static void
ask_for_stack(void)
{
    pthread_attr_t attributes;
    void *address;
    size_t size;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0) {
        return;
    }
    if (pthread_attr_getstack(&attributes, &address, &size) == 0) {
        stack.bottom = (uintptr_t)address;
        stack.end = stack.bottom + size;
    }
    pthread_attr_destroy(&attributes);
}

fj_stack
fj_stack_of_thread(uintptr_t here)
{
    if (stack.end == 0) {
        ask_for_stack();
    }
    if (here >= stack.bottom && here < stack.end) {
        return stack;
    }
    /* A library that switches stacks may have moved us to one unknown to the system. */
    return (fj_stack){.bottom = here - STACK_UNKNOWN, .end = here + STACK_UNKNOWN};
}

fj_stack_window
fj_stack_measure(uintptr_t here)
{
    const fj_stack on = fj_stack_of_thread(here);
    uintptr_t floor = fj_stack_floor(PyThreadState_Get(), on.bottom);
    uintptr_t share = here > floor ? (here - floor) / STACK_SHARE : 0;
    uintptr_t low = here - (share < STACK_MOST ? share : STACK_MOST);
    return (fj_stack_window){.low = low, .span = on.end - low};
}

#endif
