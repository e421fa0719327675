/* Facts about versions of frames, generators and the interpreter's state: the part of version.h that needs CPython's
 * private headers, and has a header of its own for that. interp.h includes it for files with FJ_INTERP_INSIDE. */
#ifndef FRAMEJIT_VERSION_FRAMES_H
#define FRAMEJIT_VERSION_FRAMES_H

#include "version.h"

/* These headers do not compile cleanly with -Wextra. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"
#pragma GCC diagnostic ignored "-Wsign-compare"
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
#include <internal/pycore_frame.h>
#include <internal/pycore_interp.h>
#include <internal/pycore_runtime.h>
#include <internal/pycore_ceval.h>
#include <internal/pycore_dict.h>
#include <internal/pycore_object.h>
#if PY_VERSION_HEX >= 0x030E0000
#include <internal/pycore_interpframe.h>
#include <internal/pycore_pythonrun.h>
#include <internal/pycore_tstate.h>
#endif
#pragma GCC diagnostic pop

typedef struct _PyInterpreterFrame fj_frame;

/* The slots of a frame: variables, then the stack. */
static inline const fj_slot *
fj_frame_slots(const fj_frame *frame)
{
    return (const fj_slot *)frame->localsplus;
}

/* The code object of a frame: borrowed from it. */
static inline PyCodeObject *
fj_frame_code(const fj_frame *frame)
{
#if PY_VERSION_HEX >= 0x030E0000
    return (PyCodeObject *)fj_slot_object(frame->f_executable.bits);
#elif PY_VERSION_HEX >= 0x030D0000
    return (PyCodeObject *)frame->f_executable;
#else
    return frame->f_code;
#endif
}

/* The function of a frame: borrowed from it. */
static inline PyObject *
fj_frame_function(const fj_frame *frame)
{
#if PY_VERSION_HEX >= 0x030E0000
    return fj_slot_object(frame->f_funcobj.bits);
#elif PY_VERSION_HEX >= 0x030C0000
    return frame->f_funcobj;
#else
    return (PyObject *)frame->f_func;
#endif
}

/* 1 for a frame of C code, or one that only marks where the interpreter was entered. */
static inline int
fj_frame_is_of_c(const fj_frame *frame)
{
#if PY_VERSION_HEX >= 0x030E0000
    return frame->owner >= FRAME_OWNED_BY_INTERPRETER;
#elif PY_VERSION_HEX >= 0x030C0000
    return frame->owner == FRAME_OWNED_BY_CSTACK;
#else
    (void)frame;
    return 0;
#endif
}

/* The instruction that a frame stands at, or before whose successor it stands: before the first one where it has
 * not begun. */
static inline const _Py_CODEUNIT *
fj_frame_at(const fj_frame *frame)
{
#if PY_VERSION_HEX >= 0x030D0000
    return frame->instr_ptr;
#else
    return frame->prev_instr;
#endif
}

/* Return the value of `fj_frame_at` for a frame that continues with the instruction `next`. */
static inline _Py_CODEUNIT *
fj_frame_before(_Py_CODEUNIT *next)
{
#if PY_VERSION_HEX >= 0x030D0000
    return next;
#else
    return next - 1;
#endif
}

/* Let the frame continue with the instruction `next` of its code when it is evaluated, or when the frame
 * above it returns. */
static inline void
fj_frame_go_on_at(fj_frame *frame, _Py_CODEUNIT *next)
{
#if PY_VERSION_HEX >= 0x030D0000
    frame->instr_ptr = fj_frame_before(next);
#else
    frame->prev_instr = fj_frame_before(next);
#endif
#if PY_VERSION_HEX >= 0x030C0000
    frame->return_offset = 0;
#endif
}

/* Put code into a frame, which starts at its first instruction; steals it. Returns the old code, which the
 * caller must release. */
static inline PyCodeObject *
fj_frame_exchange_code(fj_frame *frame, PyCodeObject *code)
{
#if PY_VERSION_HEX >= 0x030E0000
    PyCodeObject *old = (PyCodeObject *)PyStackRef_AsPyObjectSteal(frame->f_executable);
    frame->f_executable = PyStackRef_FromPyObjectSteal((PyObject *)code);
#elif PY_VERSION_HEX >= 0x030D0000
    PyCodeObject *old = fj_frame_code(frame);
    frame->f_executable = (PyObject *)code;
#else
    PyCodeObject *old = fj_frame_code(frame);
    frame->f_code = code;
#endif
    fj_frame_go_on_at(frame, _PyCode_CODE(code));
    return old;
}

/* See fj_trace_no_more(). */
static inline void
fj_leave_code_untraced(PyThreadState *tstate)
{
#if PY_VERSION_HEX >= 0x030F0000
    tstate->interp->jit = false;
#else
    (void)tstate;
#endif
}

/* Replace the function of a frame; steals it. Returns the old one, which the caller must release. */
static inline PyObject *
fj_frame_exchange_function(fj_frame *frame, PyObject *function)
{
#if PY_VERSION_HEX >= 0x030E0000
    PyObject *old = PyStackRef_AsPyObjectSteal(frame->f_funcobj);
    frame->f_funcobj = PyStackRef_FromPyObjectSteal(function);
#elif PY_VERSION_HEX >= 0x030C0000
    PyObject *old = frame->f_funcobj;
    frame->f_funcobj = function;
#else
    PyObject *old = (PyObject *)frame->f_func;
    frame->f_func = (PyFunctionObject *)function;
#endif
    return old;
}

/* Pushes a value on the stack of a frame; steals it. */
static inline void
fj_frame_push(fj_frame *frame, PyObject *value)
{
#if PY_VERSION_HEX >= 0x030E0000
    *frame->stackpointer++ = PyStackRef_FromPyObjectSteal(value);
#else
    frame->localsplus[frame->stacktop++] = value;
#endif
}

/* The iterable of a loop that goes through it by index, if that and its index are on top of the stack of a frame
 * that has called something: borrowed, with `*index`; else NULL. */
static inline PyObject *
fj_frame_indexed(const fj_frame *frame, Py_ssize_t *index)
{
#if PY_VERSION_HEX >= 0x030F0000
    const _PyStackRef *top = frame->stackpointer - 1;
    if (top <= &frame->localsplus[fj_frame_code(frame)->co_nlocalsplus] || !PyStackRef_IsTaggedInt(*top)) {
        return NULL;
    }
    *index = PyStackRef_UntagInt(*top);
    return fj_slot_object(top[-1].bits);
#else
    (void)frame;
    (void)index;
    return NULL;
#endif
}

/* Put an iterator, which it steals, in the place of both. */
static inline void
fj_frame_exchange_indexed(fj_frame *frame, PyObject *iterator)
{
#if PY_VERSION_HEX >= 0x030F0000
    _PyStackRef *top = frame->stackpointer - 1, iterable = top[-1];
    top[-1] = PyStackRef_FromPyObjectSteal(iterator);
    top[0] = PyStackRef_NULL;
    PyStackRef_CLOSE(iterable);
#else
    (void)frame;
    Py_DECREF(iterator);
#endif
}

/* Puts a hook into an interpreter. Since 3.15 code is specialised under one only if it says so. */
static inline void
fj_set_evaluation(PyInterpreterState *interp, _PyFrameEvalFunction function)
{
    _PyInterpreterState_SetEvalFrameFunc(interp, function);
#if PY_VERSION_HEX >= 0x030F0000
    _PyInterpreterState_SetEvalFrameAllowSpecialization(interp, 1);
#endif
}

/* 1 when a result can be pushed on the stack of a fresh frame. Since 3.12 code that only returns a
 * constant asks for no stack at all; the result then goes to the first word above the frame, which
 * is nobody's while this frame is the topmost, and inside the chunk unless the chunk is full. On 3.11 nothing
 * is pushed. */
static inline int
fj_frame_has_room(const PyThreadState *tstate, const fj_frame *frame)
{
#if PY_VERSION_HEX >= 0x030E0000
    return (PyObject **)frame->stackpointer < tstate->datastack_limit;
#elif PY_VERSION_HEX >= 0x030C0000
    return (PyObject **)&frame->localsplus[frame->stacktop] < tstate->datastack_limit;
#else
    (void)tstate;
    (void)frame;
    return 1;
#endif
}

/* 1 for a frame whose call the interpreter did not inline, where a frame says so. */
static inline int
fj_frame_is_entry(const fj_frame *frame)
{
#if PY_VERSION_HEX < 0x030C0000
    return frame->is_entry;
#else
    (void)frame;
    return 0;
#endif
}

/* The innermost frame of another thread, found by a function that reads memory that may be gone: 1 and
 * `*address`, or 0. Without the GIL. */
static inline int
fj_peek_innermost(int (*peek)(const void *, void *, size_t), const PyThreadState *tstate,
                  const fj_frame **address)
{
#if PY_VERSION_HEX >= 0x030D0000
    return peek(&tstate->current_frame, address, sizeof *address);
#else
    _PyCFrame *cframe = NULL;
    return peek(&tstate->cframe, &cframe, sizeof cframe) &&
           peek(&cframe->current_frame, address, sizeof *address);
#endif
}

/* Makes the main thread look for pending calls soon, where it holds the GIL; otherwise it looks when it takes
 * it. Before 3.13 Py_AddPendingCall does so only if the main thread calls it. Any thread, without the GIL. */
static inline void
fj_wake_main(PyThreadState *main)
{
#if PY_VERSION_HEX >= 0x030D0000
    (void)main;
#else
#if PY_VERSION_HEX >= 0x030C0000
    struct _gil_runtime_state *gil = main->interp->ceval.gil;
#else
    struct _gil_runtime_state *gil = &_PyRuntime.ceval.gil;
#endif
    if (_Py_atomic_load_relaxed(&gil->locked) &&
        _Py_atomic_load_relaxed(&gil->last_holder) == (uintptr_t)main) {
        _Py_atomic_store_relaxed(&main->interp->ceval.eval_breaker, 1);
    }
#endif
}

/* 1 when the interpreter has something to do before this thread goes on. */
static inline int
fj_eval_breaker(const PyThreadState *tstate)
{
#if PY_VERSION_HEX >= 0x030D0000
    return (_Py_atomic_load_uintptr_relaxed(&tstate->eval_breaker) & _PY_EVAL_EVENTS_MASK) != 0;
#else
    return _Py_atomic_load_relaxed(&tstate->interp->ceval.eval_breaker) != 0;
#endif
}

/* 1 for a generator that has not begun, or has ended: closing it runs nothing. */
static inline int
fj_generator_rests(const PyGenObject *generator)
{
    int state = generator->gi_frame_state;
#if PY_VERSION_HEX >= 0x030F0000
    return state == FRAME_CREATED || FRAME_STATE_FINISHED(state);
#else
    return state == FRAME_CREATED || state > FRAME_EXECUTING;
#endif
}

/* The bare values of an object, NULL when there are none or a dict has them: borrowed. */
static inline PyObject **
fj_bare_values(PyObject *object)
{
    PyTypeObject *type = Py_TYPE(object);
    if (!PyType_HasFeature(type, Py_TPFLAGS_MANAGED_DICT)) {
        return NULL;
    }
#if PY_VERSION_HEX >= 0x030D0000
    if (!PyType_HasFeature(type, Py_TPFLAGS_INLINE_VALUES) ||
        _PyObject_GetManagedDict(object) != NULL || !_PyObject_InlineValues(object)->valid) {
        return NULL;
    }
    return _PyObject_InlineValues(object)->values;
#elif PY_VERSION_HEX >= 0x030C0000
    PyDictOrValues held = *_PyObject_DictOrValuesPointer(object);
    return _PyDictOrValues_IsValues(held) ? _PyDictOrValues_GetValues(held)->values : NULL;
#else
    PyDictValues *values = *_PyObject_ValuesPointer(object);
    return values != NULL ? values->values : NULL;
#endif
}

/* The interpreter's bounds of a thread's C stack, where it compares addresses. */
typedef struct {
    uintptr_t top, soft, hard;
} fj_stack_bounds;

/* Set the bounds to the stack from `bottom` to `end`; return the old bounds. */
static inline fj_stack_bounds
fj_stack_bounds_exchange(PyThreadState *tstate, fj_stack_bounds now)
{
    fj_stack_bounds before = {0, 0, 0};
#if FJ_CHECKS_STACK
    _PyThreadStateImpl *thread = (_PyThreadStateImpl *)tstate;
    before = (fj_stack_bounds){thread->c_stack_top, thread->c_stack_soft_limit, thread->c_stack_hard_limit};
    thread->c_stack_top = now.top;
    thread->c_stack_soft_limit = now.soft;
    thread->c_stack_hard_limit = now.hard;
#else
    (void)tstate;
    (void)now;
#endif
    return before;
}

/* Return the lowest stack address on this stack before the interpreter raises. */
static inline uintptr_t
fj_stack_floor(const PyThreadState *tstate, uintptr_t bottom)
{
#if FJ_CHECKS_STACK
    uintptr_t soft = ((const _PyThreadStateImpl *)tstate)->c_stack_soft_limit;
    return soft > bottom && soft - bottom <= 4 * _PyOS_STACK_MARGIN_BYTES ? soft : bottom;
#else
    (void)tstate;
    return bottom;
#endif
}

/* Return the bounds of a stack from `bottom` to `end`. */
static inline fj_stack_bounds
fj_stack_bounds_of(uintptr_t bottom, uintptr_t end)
{
#if FJ_CHECKS_STACK
    return (fj_stack_bounds){end, bottom + 2 * _PyOS_STACK_MARGIN_BYTES, bottom + _PyOS_STACK_MARGIN_BYTES};
#else
    return (fj_stack_bounds){end, bottom, bottom};
#endif
}

#endif
