/* The frame hook (PEP 523): sees each Python frame before it runs and may answer in its place.
 *
 * A frame travels: how deep is the C stack -> why should it run as it is (why_default) -> `decide` is asked about
 * code never seen -> `handle` is called with the function and its bound arguments -> the frame ends with the
 * result, or goes on with other code (CodeSwap). The interpreter's side of each step is in interp.c; which
 * threads are hooked, hook_threads.c knows. The GIL guards all state here; builds without one are not supported. */
#define FJ_INTERP_INSIDE
#include "frame_hook.h"
#include "allowance.h"
#include "stack_switch.h"
#include "hook_threads.h"
#include "code_swap.h"
#include "watched_names.h"
#include "outermost.h"
#include "ab_timing.h"

/* Reasons for leaving a frame to the interpreter. HANDLE and ASK are none. */
#define REASONS(X)                                                              \
    X(throwflag)       /* an exception is thrown into a generator */            \
    X(started)         /* it has run before, or is not the interpreter's own */ \
    X(generator)       /* a generator or coroutine goes on */                   \
    X(tools)           /* a debugger, profiler or tracer is watching */         \
    X(skip)            /* its code is marked so */                              \
    X(disabled)        /* this thread has not enabled the hook */               \
    X(deep)            /* no C stack, or no recursion depth, to spare */        \
    X(passed)          /* a dispatcher has chosen to run its function as it is */ \
    X(deciding)        /* it is the engine's own work, as in `decide` */        \
    X(module_or_class) /* the body of a module or class, or of exec() */        \
    X(exchanged)       /* builtins that the engine relies on are not there */   \
    X(undecided)       /* nobody said what to do with it */                     \
    X(run_original)    /* `handle` said so */                                  \
    X(no_room)         /* the code it was to run instead does not fit */

typedef enum {
#define X(name) WHY_##name,
    REASONS(X)
#undef X
    WHY_COUNT,
    ASK = WHY_COUNT,
    HANDLE
} fj_verdict;

PyObject *fj_run_original;

static struct {
    PyObject *decide, *handle; /* each owned, or NULL */
} callbacks;

static struct {
    unsigned long long handled;
    unsigned long long rewritten; /* frames that went on with other code */
    unsigned long long defaulted[WHY_COUNT];
} process;

#if FJ_HOOK_SUPPORTED

/* ---- what to do with a frame -------------------------------------------------------------- */

/* Return the verdict on a frame; counts it in the record of its code if that has a mark. No reference. */
static inline fj_verdict
why_default(fj_thread *here, PyThreadState *tstate, const fj_frame *frame, int throwflag)
{
    if (fj_tools_active(tstate)) {
        return WHY_tools;
    }
    if (throwflag) {
        return WHY_throwflag;
    }
    if (here->depth == 0 || here->owner != tstate->id) {
        return WHY_disabled;
    }
    if (fj_frame_is_generator(frame)) {
        return WHY_generator;
    }
    if (!fj_frame_is_fresh(frame)) {
        return WHY_started;
    }
    PyCodeObject *code = fj_frame_code(frame);
    if (fj_passes_by(here, fj_frame_function(frame))) {
        return WHY_passed;
    }
    if (here->deciding) {
        return WHY_deciding;
    }
    if ((code->co_flags & (CO_OPTIMIZED | CO_NEWLOCALS)) != (CO_OPTIMIZED | CO_NEWLOCALS)) {
        return WHY_module_or_class;
    }
    if (fj_builtins_exchanged()) {
        return WHY_exchanged;
    }
    fj_record *record = fj_frame_extra(code);
    if (record == NULL || record->mark == FJ_MARK_UNKNOWN) {
        return callbacks.decide == NULL ? WHY_undecided : ASK;
    }
    record->frames++;
    if (record->mark == FJ_MARK_SKIP) {
        return WHY_skip;
    }
    if (callbacks.handle == NULL) {
        return WHY_undecided;
    }
    /* Near the recursion limit eager runs, and raises the RecursionError where it does. */
    if (fj_depth_is_short(tstate) || !fj_frame_has_room(tstate, frame)) {
        record->deep++;
        return WHY_deep;
    }
    return HANDLE;
}

/* Calls decide(function): the mark, or -1 with an exception. Owns `decide` across the call. */
static int
call_decide(fj_thread *here, PyObject *function)
{
    PyObject *decide = Py_NewRef(callbacks.decide);
    here->deciding++;
    PyObject *answer = fj_engine_call(decide, NULL, function, NULL, NULL);
    here->deciding--;
    Py_DECREF(decide);
    long mark = answer == NULL ? -1 : PyLong_AsLong(answer);
    Py_XDECREF(answer);
    if (mark == -1 && PyErr_Occurred()) {
        return -1;
    }
    if (mark < FJ_MARK_UNKNOWN || mark > FJ_MARK_HANDLE) {
        PyErr_Format(PyExc_ValueError, "decide() returned %ld, which is no mark", mark);
        return -1;
    }
    return (int)mark;
}

/* Asks `decide` about the code of a frame and marks it, unless the answer is UNKNOWN. An error of the engine is
 * reported to sys.unraisablehook and the code is skipped from then on; only what is no Exception (Ctrl-C, exit) is
 * the user's: -1 with that exception, else 0. Owns function and code across the call. */
static Py_NO_INLINE int
ask(fj_thread *here, const fj_frame *frame)
{
    PyObject *function = Py_NewRef(fj_frame_function(frame));
    PyObject *code = Py_NewRef((PyObject *)fj_frame_code(frame));
    int status = 0;
    int mark = call_decide(here, function);
    if (mark < 0 && !PyErr_ExceptionMatches(PyExc_Exception)) {
        fj_strip_traceback();
        status = -1;
    }
    else if (mark < 0) {
        PyErr_WriteUnraisable(function);
        mark = FJ_MARK_SKIP;
    }
    if (mark > FJ_MARK_UNKNOWN) {
        fj_record *record = fj_record_make(code);
        if (record != NULL) {
            record->mark = mark;
        }
        else {
            PyErr_Clear(); /* no memory for it: the code stays unknown */
        }
    }
    Py_DECREF(function);
    Py_DECREF(code);
    return status;
}

/* ---- answering a frame -------------------------------------------------------------------- */

#define FEW 12 /* parameters for which no memory is taken */

/* Calls handle(function, *arguments): a new reference, or NULL with an exception. Owns `handle`
 * across the call; function and arguments are borrowed from the frame, which nobody else can
 * reach before it has run. Without memory the frame runs as it is. */
static PyObject *
call_handle(const fj_frame *frame)
{
    Py_ssize_t count = fj_frame_argument_count(frame);
    PyObject *few[FEW + 2], **vector = few;
    if (count > FEW) {
        vector = PyMem_New(PyObject *, count + 2);
        if (vector == NULL) {
            return Py_NewRef(fj_run_original);
        }
    }
    vector[1] = fj_frame_function(frame); /* vector[0] is for the callee to use */
    for (Py_ssize_t k = 0; k < count; k++) {
        vector[2 + k] = fj_slot_object(fj_frame_arguments(frame)[k]);
    }
    PyObject *handle = Py_NewRef(callbacks.handle);
    PyObject *result = PyObject_Vectorcall(
        handle, vector + 1, (size_t)(count + 1) | PY_VECTORCALL_ARGUMENTS_OFFSET, NULL);
    Py_DECREF(handle);
    if (vector != few) {
        PyMem_Free(vector);
    }
    return result;
}

/* Leaves a frame to the interpreter for this reason: a new reference, or NULL with an exception. */
static inline PyObject *
leave(PyThreadState *tstate, fj_frame *frame, int throwflag, fj_verdict why)
{
    process.defaulted[why]++;
    if (why == WHY_module_or_class) {
        fj_record_count_body((PyObject *)fj_frame_code(frame));
    }
    return why == WHY_tools || why == WHY_deep ? fj_frame_leave_aside(tstate, frame, throwflag)
                                               : fj_frame_leave(tstate, frame, throwflag);
}

/* Evaluates a frame with other code: as above. Steals `swap`. A tool may have come up meanwhile. */
static PyObject *
eval_swap(PyThreadState *tstate, fj_frame *frame, PyObject *swap)
{
    PyObject *function = Py_NewRef(fj_code_swap_function(swap));
    Py_DECREF(swap);
    PyObject *result;
    if (fj_tools_active(tstate)) {
        result = leave(tstate, frame, 0, WHY_tools);
    }
    else if (fj_frame_makes_room(tstate, frame, function)) {
        process.rewritten++;
        fj_outermost_enter();
        result = fj_frame_eval_swapped(tstate, frame, function);
        fj_outermost_leave();
    }
    else {
        result = leave(tstate, frame, 0, WHY_no_room);
    }
    Py_DECREF(function);
    return result;
}

/* Evaluates a frame with the code that `handle` chose, a CodeSwap or RUN_ORIGINAL, which it steals: as above. */
static PyObject *
eval_measured(PyThreadState *tstate, fj_frame *frame, PyObject *chosen)
{
    fj_sample sample = fj_hooked_sample();
    PyObject *result;
    if (chosen == fj_run_original) {
        Py_DECREF(chosen);
        result = leave(tstate, frame, 0, WHY_run_original);
    }
    else {
        result = eval_swap(tstate, frame, chosen);
    }
    fj_ab_timing_end(&sample, result == NULL);
    return result;
}

/* Evaluate a frame that has to be asked about or handled: as above. While the interpreter ends, modules are
 * cleared, those of `decide` and `handle` too. */
static Py_NO_INLINE PyObject *
eval_ours(fj_thread *here, PyThreadState *tstate, fj_frame *frame, fj_verdict verdict)
{
    if (fj_is_finalizing()) {
        return leave(tstate, frame, 0, WHY_undecided);
    }
    if (verdict == ASK) {
        if (ask(here, frame) < 0) {
            return fj_frame_finish(tstate, frame, NULL);
        }
        verdict = why_default(here, tstate, frame, 0); /* much may have changed in Python */
        verdict = verdict == ASK ? WHY_undecided : verdict;
    }
    if (verdict == HANDLE) {
        PyObject *result = call_handle(frame);
        int is_swap = result != NULL && Py_IS_TYPE(result, &FjCodeSwap_Type);
        if (!is_swap && result != fj_run_original) {
            process.handled++;
            return fj_frame_finish(tstate, frame, result);
        }
        return eval_measured(tstate, frame, result);
    }
    return leave(tstate, frame, 0, verdict);
}

/* Evaluates a frame too deep in the C stack, or in a thread that is not measured: as above. */
static Py_NO_INLINE PyObject *
eval_outside(fj_thread *here, PyThreadState *tstate, fj_frame *frame, int throwflag)
{
    if (here->window.span != 0) {
        return leave(tstate, frame, throwflag, WHY_deep);
    }
    here->window = fj_stack_measure((uintptr_t)__builtin_frame_address(0));
    return leave(tstate, frame, throwflag, WHY_disabled);
}

/* The evaluation function: as above. The interpreter clears and pops the frame on every path. Its C frame
 * adds to the cost of each Python call: code that needs stack is out of line. */
static PyObject *
hook_eval(PyThreadState *tstate, fj_frame *frame, int throwflag)
{
    fj_thread *here = &fj_this_thread;
    uintptr_t address = (uintptr_t)__builtin_frame_address(0);
    if (address - here->window.low >= here->window.span) {
        return eval_outside(here, tstate, frame, throwflag);
    }
    fj_verdict verdict = why_default(here, tstate, frame, throwflag);
    if (verdict >= WHY_COUNT) {
        return eval_ours(here, tstate, frame, verdict);
    }
    return leave(tstate, frame, throwflag, verdict);
}

#else

#define hook_eval NULL

#endif

/* ---- the module --------------------------------------------------------------------------- */

/* hook_set_callbacks(decide, handle): None, or NULL with an exception. The new callbacks are in place before
 * the old ones are released, which may run Python. */
static PyObject *
hook_set_callbacks(PyObject *Py_UNUSED(module), PyObject *args)
{
    PyObject *decide, *handle;
    if (!PyArg_ParseTuple(args, "OO:hook_set_callbacks", &decide, &handle)) {
        return NULL;
    }
    if ((decide != Py_None && !PyCallable_Check(decide)) ||
        (handle != Py_None && !PyCallable_Check(handle))) {
        PyErr_SetString(PyExc_TypeError, "decide and handle must be callable, or None");
        return NULL;
    }
    PyObject *old_decide = callbacks.decide, *old_handle = callbacks.handle;
    callbacks.decide = decide == Py_None ? NULL : Py_NewRef(decide);
    callbacks.handle = handle == Py_None ? NULL : Py_NewRef(handle);
    Py_XDECREF(old_decide);
    Py_XDECREF(old_handle);
    Py_RETURN_NONE;
}

/* A new dict reason -> count, or NULL with an exception. */
static PyObject *
defaulted_counts(void)
{
#define X(name) #name,
    static const char *const names[] = {REASONS(X)};
#undef X
    PyObject *counts = PyDict_New();
    for (int why = 0; counts != NULL && why < WHY_COUNT; why++) {
        PyObject *number = PyLong_FromUnsignedLongLong(process.defaulted[why]);
        if (number == NULL || PyDict_SetItemString(counts, names[why], number) < 0) {
            Py_CLEAR(counts);
        }
        Py_XDECREF(number);
    }
    return counts;
}

/* hook_state(): a new dict, or NULL with an exception. */
static PyObject *
hook_state(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(ignored))
{
    PyObject *counts = defaulted_counts();
    if (counts == NULL) {
        return NULL;
    }
    PyObject *installed = fj_hook_is_installed() ? Py_True : Py_False;
    return Py_BuildValue("{s:O,s:n,s:n,s:K,s:K,s:N,s:z}", "installed", installed, "thread_depth",
                         fj_hook_depth(), "threads", fj_hooked_threads(), "handled", process.handled,
                         "rewritten", process.rewritten, "defaulted", counts, "unsupported",
                         fj_unsupported());
}

/* tools_active(): a new reference to a bool. */
static PyObject *
tools_active(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(ignored))
{
    return PyBool_FromLong(fj_tools_active(PyThreadState_Get()));
}

static PyMethodDef functions[] = {
    {"hook_set_callbacks", hook_set_callbacks, METH_VARARGS,
     "hook_set_callbacks(decide, handle): decide(function) -> mark is asked about new code,\n"
     "handle(function, *arguments) -> result, CodeSwap or RUN_ORIGINAL answers frames. None for\n"
     "nobody."},
    {"hook_state", hook_state, METH_NOARGS,
     "hook_state() -> dict: installed, thread_depth, threads, handled, rewritten (frames\n"
     "that went on with other code), defaulted (by reason), unsupported (why, or None)."},
    {"tools_active", tools_active, METH_NOARGS,
     "tools_active() -> whether a debugger, profiler or tracer is watching this thread."},
    {NULL, NULL, 0, NULL},
};

int
fj_frame_hook_init(PyObject *module)
{
    if (fj_run_original == NULL) { /* else it is a second import in the same process */
        fj_run_original = PyObject_CallNoArgs((PyObject *)&PyBaseObject_Type);
    }
    if (fj_run_original == NULL || fj_hook_threads_init(module, hook_eval) < 0 || fj_interp_init() < 0 ||
        PyModule_AddFunctions(module, functions) < 0 ||
        PyModule_AddObjectRef(module, "RUN_ORIGINAL", fj_run_original) < 0 ||
        PyModule_AddIntConstant(module, "MARK_UNKNOWN", FJ_MARK_UNKNOWN) < 0 ||
        PyModule_AddIntConstant(module, "MARK_SKIP", FJ_MARK_SKIP) < 0 ||
        PyModule_AddIntConstant(module, "MARK_HANDLE", FJ_MARK_HANDLE) < 0) {
        return -1;
    }
    return 0;
}
