/* Access to CPython's internals.
 *
 * Any file may ask if a tool is watching (`fj_tools_active`). Only the frame hook may look into frames: it
 * defines FJ_INTERP_INSIDE before it includes this file. Code that depends on the version of CPython is in
 * version.h and version_frames.h.
 * Supported: 3.11 to 3.15, every patch release, with a GIL. Elsewhere all functions exist,
 * `fj_unsupported()` returns the reason, and `fj_tools_active` is always 1: eager runs. On other platforms
 * than those of processor.h there is no C core. */
#ifndef FRAMEJIT_INTERP_H
#define FRAMEJIT_INTERP_H

#define PY_SSIZE_T_CLEAN
#ifdef FJ_INTERP_INSIDE
#define Py_BUILD_CORE /* before Python.h: private headers contradict it otherwise */
#endif
#include "version.h"
#include <stdint.h>

/* Chosen at compile time; -DFJ_HOOK_SUPPORTED=0 builds the other half anywhere. */
#ifndef FJ_HOOK_SUPPORTED
#if !FJ_PROVED_VERSION
#define FJ_HOOK_SUPPORTED 0
#define FJ_WHY_UNSUPPORTED "this version of CPython is unknown to framejit"
#elif FJ_IS_PRERELEASE
#define FJ_HOOK_SUPPORTED 0
#define FJ_WHY_UNSUPPORTED "this is an alpha or beta release of CPython"
#elif defined(Py_GIL_DISABLED)
#define FJ_HOOK_SUPPORTED 0
#define FJ_WHY_UNSUPPORTED "this is a free-threaded build of CPython, and framejit's C core relies on the GIL"
#elif defined(Py_DEBUG)
/* A debug build asserts that a frame has the size its code object asks for; ours has not. */
#define FJ_HOOK_SUPPORTED 0
#define FJ_WHY_UNSUPPORTED "this is a debug build of CPython"
#else
#define FJ_HOOK_SUPPORTED 1
#endif
#elif !FJ_HOOK_SUPPORTED
#define FJ_WHY_UNSUPPORTED "it was left out of this build"
#endif

/* The reason why frames of this interpreter cannot be hooked; NULL when they can. Static text. */
const char *fj_unsupported(void);

/* Once, before anything else of this file: takes the co_extra index, makes the private code
 * object, checks the layouts it relies on. A layout that is not as expected makes the build
 * unsupported. 0, or -1 with an exception. */
int fj_interp_init(void);

/* ---- tools -------------------------------------------------------------------------------- */

#if !FJ_HOOK_SUPPORTED
#define FJ_TOOL_IDS 0
#elif FJ_HAS_MONITORING
#define FJ_TOOL_IDS 6 /* ids that sys.monitoring gives out */
#else
#define FJ_TOOL_IDS 0
#endif

/* The interpreter's table of names of monitoring tools; not ours, lives as long as it. */
extern PyObject *const *fj_tool_names;

/* The name under which framejit itself is a monitoring tool: owned, NULL while it is none. */
extern PyObject *fj_own_tool_name;

/* 1 when a debugger, profiler or tracer is watching this thread, else 0. It touches no reference
 * and calls nothing; less than 2 ns. framejit itself does not count.
 *
 * sys.settrace and sys.setprofile belong to a thread and are known exactly. A sys.monitoring tool
 * counts from use_tool_id() to free_tool_id(), whether it has set events or not: it may have set
 * local events on any code object, and to find out would mean to ask them all. */
static inline int
fj_tools_active(PyThreadState *tstate)
{
#if FJ_HOOK_SUPPORTED
    uintptr_t watching = (uintptr_t)tstate->c_tracefunc | (uintptr_t)tstate->c_profilefunc;
    for (int id = 0; id < FJ_TOOL_IDS; id++) {
        PyObject *name = fj_tool_names[id];
        watching |= name == fj_own_tool_name ? 0 : (uintptr_t)name;
    }
    return watching != 0;
#else
    (void)tstate;
    return 1;
#endif
}

/* 1 when the hook is the interpreter's evaluation function now, else 0. */
int fj_hook_is_installed(void);

/* ---- data attached to code objects -------------------------------------------------------- */

/* co_extra holds one pointer per code object; fj_record_free in records.c is called when the code dies. */

/* The pointer of a code object, NULL when it has none. Borrows; cannot fail. */
void *fj_extra_get(PyObject *code);

/* Sets the pointer of a code object; 0, or -1 with MemoryError. Borrows. */
int fj_extra_set(PyObject *code, void *value);

/* The namespace of a type: a new reference, or NULL without an exception. */
PyObject *fj_type_dict(PyTypeObject *type);

/* ---- exceptions --------------------------------------------------------------------------- */

/* Puts the exception that is set, if there is one, aside; and back. */
fj_error fj_error_fetch(void);
void fj_error_restore(fj_error error);

/* 1 when the interpreter is going down, else 0. */
int fj_is_finalizing(void);

/* The function of the Python frame that runs in this thread, and the values of its parameters in the
 * order of co_varnames: all borrowed from the frame, which must be fresh. NULL when there is none. */
PyObject *fj_running_function(const fj_slot **arguments, Py_ssize_t *count);

/* The variables of that frame, fresh or not: borrowed, NULL where nothing is bound. */
const fj_slot *fj_running_slots(void);

/* 1 when somebody besides the interpreter holds the object of that frame, as a traceback or a callee
 * that took its caller does, else 0. Touches no reference. */
int fj_running_frame_is_held(void);

/* 1 for a generator (exactly) that has not begun, or has ended: closing it runs nothing. */
int fj_generator_rests_here(PyObject *generator);

/* Takes the traceback off the exception that is set; it stays set. */
void fj_strip_traceback(void);

/* Has CPython's own JIT trace no code that first runs from now on. 3.15's takes the size of a frame's stack and its
 * constants from the code of its function: if the frame runs other code, as after an assignment to `__code__` of a
 * running function, the process crashes, in plain Python too. */
void fj_trace_no_more(void);

/* ---- frames: for the frame hook only ------------------------------------------------------ */

#if defined(FJ_INTERP_INSIDE) && FJ_HOOK_SUPPORTED

#include "version_frames.h"

/* Layout of the interpreter's data behind co_extra; fj_interp_init checks it. */
typedef struct {
    Py_ssize_t size;
    void *items[1];
} fj_code_extra;

extern Py_ssize_t fj_extra_index;

/* The pointer of a code object, as fj_extra_get has it. */
static inline void *
fj_frame_extra(const PyCodeObject *code)
{
    const fj_code_extra *extra = code->co_extra;
    return extra != NULL && extra->size > fj_extra_index ? extra->items[fj_extra_index] : NULL;
}

/* The arguments of a fresh frame, bound to parameters in the order of co_varnames: borrowed. */
static inline const fj_slot *
fj_frame_arguments(const fj_frame *frame)
{
    return fj_frame_slots(frame);
}

/* Return the number of these arguments. */
static inline Py_ssize_t
fj_frame_argument_count(const fj_frame *frame)
{
    const PyCodeObject *code = fj_frame_code(frame);
    return code->co_argcount + code->co_kwonlyargcount + ((code->co_flags & CO_VARARGS) != 0) +
           ((code->co_flags & CO_VARKEYWORDS) != 0);
}

/* 1 for the frame of a generator or coroutine: the first call of a generator function, which only
 * makes the generator, is a plain frame. */
static inline int
fj_frame_is_generator(const fj_frame *frame)
{
    return frame->owner == FRAME_OWNED_BY_GENERATOR;
}

/* 1 when no instruction of the frame has run and the interpreter owns it. */
static inline int
fj_frame_is_fresh(const fj_frame *frame)
{
    _Py_CODEUNIT *first = _PyCode_CODE(fj_frame_code(frame));
    return frame->owner == FRAME_OWNED_BY_THREAD && fj_frame_at(frame) == fj_frame_before(first);
}

/* Byte offset of the instruction that a frame stands at, into the code that it runs; below zero before
 * the first. */
static inline int
fj_frame_lasti(const fj_frame *frame)
{
    return (int)(fj_frame_at(frame) - _PyCode_CODE(fj_frame_code(frame))) * (int)sizeof(_Py_CODEUNIT);
}

/* The innermost frame of a thread: borrowed, NULL when there is none. */
static inline fj_frame *
fj_frame_innermost(const PyThreadState *tstate)
{
    return *fj_innermost_place(tstate);
}

/* 1 for a frame of a function or body whose first instruction has run; C code has frames of its own
 * since 3.12. */
static inline int
fj_frame_has_begun(const fj_frame *frame)
{
    if (fj_frame_is_of_c(frame)) {
        return 0;
    }
    int first = fj_frame_code(frame)->_co_firsttraceable * (int)sizeof(_Py_CODEUNIT);
    return frame->owner == FRAME_OWNED_BY_GENERATOR || fj_frame_lasti(frame) > first;
}

/* Levels of C recursion that the interpreter counts per evaluation; 0 if it counts none. */
extern int fj_c_recursion_of_eval;

#if FJ_COUNTS_C_RECURSION
/* 1 when the interpreter would enter this frame without recursing in C, if there were no hook. No
 * reference. In c_recursion.c. */
int fj_frame_is_inlined(const PyThreadState *tstate, const fj_frame *frame);
#else
#define fj_frame_is_inlined(tstate, frame) 0
#endif

/* Evaluates a frame in the interpreter: a new reference, or NULL with an exception.
 *
 * Without a hook a call from Python to Python costs no C recursion. With one it does, and on 3.12
 * the 1500 levels that C code may recurse would be spent by Python code: that level is given back.
 * The C stack this may cost is bounded by the window in which the hook acts (fj_stack_window). */
static inline PyObject *
fj_frame_eval(PyThreadState *tstate, fj_frame *frame, int throwflag)
{
    int given = fj_frame_is_inlined(tstate, frame) ? fj_c_recursion_of_eval : 0;
    fj_c_recursion_add(tstate, given);
    PyObject *result = _PyEval_EvalFrameDefault(tstate, frame, throwflag);
    fj_c_recursion_add(tstate, -given);
    return result;
}

/* Ends a fresh frame with a result, or with the exception that is set when `result` is NULL, as
 * if its code had run. Steals `result`; hands back a new reference or NULL with that exception. */
PyObject *fj_frame_finish(PyThreadState *tstate, fj_frame *frame, PyObject *result);

/* 1 when a call of this code only makes a generator or coroutine. */
static inline int
fj_code_makes_generator(const PyCodeObject *code)
{
    return (code->co_flags & (CO_GENERATOR | CO_COROUTINE | CO_ASYNC_GENERATOR)) != 0;
}

/* ---- being the evaluation function -------------------------------------------------------- */

/* The function that gets the frames that we do not answer; CPython's own, most of the time. */
extern _PyFrameEvalFunction fj_hook_previous;

/* Once, from fj_interp_init: 0, or -1 with an exception. */
int fj_hook_chain_init(void);

/* Puts `hook` into the interpreter unless it is in the chain already. */
void fj_hook_install(_PyFrameEvalFunction hook);

/* Takes the hook out, unless somebody stands on top of it. */
void fj_hook_remove(void);

/* Gives a frame to another hook: see fj_frame_leave. */
PyObject *fj_frame_chain(PyThreadState *tstate, fj_frame *frame, int throwflag);

/* Evaluates a frame as if we were not there: a new reference, or NULL with an exception. */
static inline PyObject *
fj_frame_leave(PyThreadState *tstate, fj_frame *frame, int throwflag)
{
    if (fj_hook_previous == _PyEval_EvalFrameDefault) {
        return fj_frame_eval(tstate, frame, throwflag);
    }
    return fj_frame_chain(tstate, frame, throwflag);
}

/* As fj_frame_leave, with the hook removed from the interpreter while the frame runs. The calls that it makes
 * then cost no C stack, and tools see the usual events: with any evaluation function installed, 3.12 and
 * later report C_RETURN for calls of Python functions and no STOP_ITERATION, on which `profile` and
 * `cProfile` fail. Other threads are not hooked during that time. */
PyObject *fj_frame_leave_aside(PyThreadState *tstate, fj_frame *frame, int throwflag);

/* ---- the C stack -------------------------------------------------------------------------- */

/* The part of a thread's C stack in which the hook acts: addresses low <= a < low + span. */
typedef struct {
    uintptr_t low;
    uintptr_t span;
} fj_stack_window;

/* The stack that the system gave this thread: addresses bottom <= a < end. */
typedef struct {
    uintptr_t bottom;
    uintptr_t end;
} fj_stack;

/* That stack; a guess where `here`, an address on the running stack, is not on it. */
fj_stack fj_stack_of_thread(uintptr_t here);

/* Measures the window of the running thread, which stands at address `here`. */
fj_stack_window fj_stack_measure(uintptr_t here);

#endif
#endif
