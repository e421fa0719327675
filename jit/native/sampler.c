/* A sampling profiler: measures where the main thread of a program spends its CPU time.
 *
 * Code is worth compiling if it has cost enough time so far. Counting calls and reading clocks would slow
 * every call; so a thread of ours wakes up every few milliseconds and asks CPython to call `look` at the next
 * place where it handles signals. That walks the stack and adds the CPU time since the last sample to each
 * code object on it, once if the code recurses. The walk ends above code that framejit has rewritten: the
 * time there is accounted for, and its callers must not pay for it.
 *
 * CPython handles signals at the start of a function, after calls and at back edges, not at returns. A
 * function that has not begun yet did not take the time: it is skipped. And one that has returned by then
 * did: our thread notes which frame runs when it wakes up. It reads that by the system call for the memory of
 * other processes, which fails where plain reads would crash, and does not trust it: an address is only taken
 * for code if a record says so.
 *
 * Code whose time has reached `due` is reported to a handler in Python, with the frames below it. The thread
 * is a system thread without a thread state and signals, touches no Python object, and is gone before a
 * fork's child runs or the interpreter ends. */
#define _GNU_SOURCE /* process_vm_readv */
#define FJ_INTERP_INSIDE
#include "sampler.h"
#include "allowance.h"
#include "stack_switch.h"
#include "hook_threads.h"
#include "records.h"
#include "ticker.h"
#include <sys/uio.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

#if FJ_HOOK_SUPPORTED

enum { DEEPEST = 256 };            /* frames that a sample looks at */
#define FIRST_DUE 20000000         /* ns after which code is told of for the first time */

static atomic_int asked;           /* CPython is to call `look` */
static PyObject *handler;          /* owned: handler(frames), NULL while nobody samples */
static int64_t before;             /* CPU time of the main thread at the last sample, ns; -1: none */
static uint64_t samples;
static PyThreadState *sampled;     /* of the main thread */
static struct {
    const void *frame, *code;      /* addresses that may be stale, written before `asked` is set */
} seen;
static int eager;                  /* the handler is called at each sample */

/* CPU time of this thread, in ns. */
static int64_t
cpu_time(void)
{
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

/* Reads memory that may be gone: 1, or 0 when it is. */
static int
peek(const void *from, void *to, size_t size)
{
    struct iovec here = {to, size}, there = {(void *)from, size};
    return process_vm_readv(getpid(), &here, 1, &there, 1, 0) == (ssize_t)size;
}

/* Notes which frame the main thread runs; called by our thread, without the GIL. */
static void
note_running(void)
{
    fj_frame frame;
    const fj_frame *address = NULL;
    seen.frame = seen.code = NULL;
    if (fj_peek_innermost(peek, sampled, &address) &&
        peek(address, &frame, offsetof(fj_frame, localsplus))) {
        seen.frame = address;
        seen.code = fj_frame_code(&frame);
    }
}

/* ---- a sample ----------------------------------------------------------------------------- */

/* The record of code, made where there is none; NULL without an exception when there is no memory. */
static fj_record *
record_of(PyCodeObject *code)
{
    fj_record *record = fj_record_make((PyObject *)code);
    if (record == NULL) {
        PyErr_Clear();
    }
    else if (record->due == 0) {
        record->due = FIRST_DUE;
    }
    return record;
}

/* 1 while this frame imports a module, which our Python code could find half initialised. */
static int
is_importing(const PyCodeObject *code)
{
    return PyUnicode_Check(code->co_filename) &&
           PyUnicode_GET_LENGTH(code->co_filename) > 17 && PyUnicode_IS_ASCII(code->co_filename) &&
           strncmp((const char *)PyUnicode_1BYTE_DATA(code->co_filename), "<frozen importlib", 17) == 0;
}

/* Return a new tuple of the values of a frame's bound variables, or NULL with an exception. Borrows. */
static PyObject *
values_of(const fj_frame *frame)
{
    const fj_slot *slots = fj_frame_slots(frame);
    int count = fj_frame_code(frame)->co_nlocalsplus, held = 0;
    for (int k = 0; k < count; k++) {
        held += fj_slot_object(slots[k]) != NULL;
    }
    PyObject *values = PyTuple_New(held);
    for (int k = 0, at = 0; values != NULL && k < count && at < held; k++) {
        if (fj_slot_object(slots[k]) != NULL) {
            PyTuple_SET_ITEM(values, at++, Py_NewRef(fj_slot_object(slots[k])));
        }
    }
    return values;
}

/* Insert (function or None, code, offset, ns spent, called again?, values) at the begin of a list: 0, or -1
 * with an exception. Borrows. */
static int
tell(PyObject *list, const fj_frame *frame, const fj_record *record)
{
    PyObject *function = fj_frame_function(frame);
    if (function == NULL || !PyFunction_Check(function)) {
        function = Py_None;
    }
    PyObject *values = values_of(frame);
    PyObject *one = values == NULL
                        ? NULL
                        : Py_BuildValue("(OOiLiO)", function, (PyObject *)fj_frame_code(frame),
                                        fj_frame_lasti(frame), (long long)record->spent,
                                        record->again, values);
    int status = one == NULL ? -1 : PyList_Insert(list, 0, one);
    Py_XDECREF(values);
    Py_XDECREF(one);
    return status;
}

/* Add `took` to code. If it was not on the stack a sample ago, it has been called again. */
static void
add(fj_record *record, int64_t took)
{
    record->again |= record->spent > 0 && record->sample + 1 < samples;
    record->sample = samples;
    record->spent += took;
}

/* 1 for code that is never reported: its time counts for its caller. */
static int
is_library(const fj_record *record)
{
    return record->due == FJ_NEVER && record->original == NULL;
}

/* Note a frame that has not begun: its code was called before if it has spent time already. */
static void
note_start(const fj_frame *frame)
{
    if (fj_frame_is_of_c(frame)) {
        return;
    }
    fj_record *record = fj_record_find((PyObject *)fj_frame_code(frame));
    if (record != NULL && record->spent > 0) {
        record->again = 1;
    }
}

/* Add `took` to all code on the stack: return a new list of the frames whose code is due, outermost first;
 * NULL without an exception if there are none, or if a module is `importing`. If nobody has `owned` the time,
 * it counts for the innermost code that is no library's. */
static PyObject *
count(int64_t took, int *importing, int *owned)
{
    PyObject *list = NULL;
    int depth = 0;
    samples++;
    for (const fj_frame *frame = fj_frame_innermost(PyThreadState_Get());
         frame != NULL && depth < DEEPEST; frame = frame->previous, depth++) {
        if (!fj_frame_has_begun(frame)) {
            note_start(frame);
            continue;
        }
        PyCodeObject *code = fj_frame_code(frame);
        *importing |= is_importing(code);
        fj_record *record = record_of(code);
        if (record == NULL || record->sample == samples) {
            continue;
        }
        add(record, took);
        if (!*owned && !is_library(record)) {
            record->own += took;
            *owned = 1;
        }
        if (record->spent >= record->due && !*importing) {
            list = list == NULL ? PyList_New(0) : list;
            if (list == NULL || tell(list, frame, record) < 0) {
                PyErr_Clear();
            }
        }
        if (record->original != NULL && record->due == FJ_NEVER) {
            break; /* rewritten code */
        }
    }
    if (*importing) {
        Py_CLEAR(list);
    }
    return list;
}

/* Return the record of the code that ran at the tick, unless it is still running; NULL if unknown. */
static fj_record *
returned(void)
{
    fj_record *record = seen.code == NULL ? NULL : fj_record_at(seen.code);
    for (const fj_frame *frame = fj_frame_innermost(PyThreadState_Get());
         record != NULL && frame != NULL; frame = frame->previous) {
        if ((const void *)frame == seen.frame && (const void *)fj_frame_code(frame) == seen.code) {
            return NULL;
        }
    }
    return record;
}

/* Add `took` to the code that ran at the tick and has returned since, and append it to a list, which is made
 * if needed. Code counted before is still on the stack. */
static PyObject *
count_returned(PyObject *list, int64_t took)
{
    fj_record *record = returned();
    if (record == NULL || record->sample == samples) {
        return list;
    }
    add(record, took);
    if (record->spent < record->due) {
        return list;
    }
    /* Its record says that the code lives; making a list may collect it as garbage. */
    PyObject *one = Py_BuildValue("(OOiLi())", Py_None, Py_NewRef((PyObject *)seen.code), -1,
                                  (long long)record->spent, record->again);
    Py_DECREF((PyObject *)seen.code);
    list = list == NULL ? PyList_New(0) : list;
    if (one == NULL || list == NULL || PyList_Append(list, one) < 0) {
        PyErr_Clear();
    }
    Py_XDECREF(one);
    return list;
}

/* Called by CPython with the GIL: 0, or -1 with an exception of the program's. */
static int
look(void *Py_UNUSED(ignored))
{
    if (handler == NULL || fj_is_finalizing()) {
        atomic_store(&asked, 0);
        return 0;
    }
    int64_t now = cpu_time(), took = before < 0 ? 0 : now - before;
    before = now;
    PyThreadState *tstate = PyThreadState_Get();
    if (fj_engine_works() || fj_tools_active(tstate) || fj_depth_is_short(tstate)) {
        atomic_store(&asked, 0);
        return 0;
    }
    fj_record *gone = returned();
    int importing = 0, owned = gone != NULL && !is_library(gone);
    if (owned) {
        gone->own += took;
    }
    PyObject *list = count(took, &importing, &owned);
    if (!importing) {
        list = count_returned(list, took);
    }
    atomic_store(&asked, 0);
    if (list == NULL && !eager) {
        return 0;
    }
    list = list == NULL ? PyList_New(0) : list;
    PyObject *asks = Py_NewRef(handler), *answer = NULL;
    if (list != NULL) {
        fj_engine_work(1);
        answer = fj_engine_call(asks, NULL, list, NULL, NULL);
        fj_engine_work(-1);
    }
    Py_XDECREF(list);
    int status = 0;
    if (answer == NULL && PyErr_ExceptionMatches(PyExc_Exception)) {
        PyErr_WriteUnraisable(asks);
    }
    else if (answer == NULL) {
        fj_strip_traceback();
        status = -1;
    }
    Py_XDECREF(answer);
    Py_DECREF(asks);
    before = cpu_time(); /* what the handler took is not the program's */
    return status;
}

/* One tick of our thread, without the GIL. */
static void
tick(void)
{
    if (atomic_load(&asked)) {
        return;
    }
    note_running();
    atomic_store(&asked, 1);
    if (Py_AddPendingCall(look, NULL) < 0) {
        atomic_store(&asked, 0); /* the queue is full: at the next tick */
    }
    fj_wake_main(sampled);
}

/* ---- the module --------------------------------------------------------------------------- */

/* The state of the main thread: lives as long as the interpreter. */
static PyThreadState *
main_thread(void)
{
    PyThreadState *tstate = PyInterpreterState_ThreadHead(PyInterpreterState_Main());
    while (tstate != NULL && tstate->thread_id != _PyRuntime.main_thread) {
        tstate = PyThreadState_Next(tstate);
    }
    return tstate == NULL ? PyThreadState_Get() : tstate;
}

/* After a fork, in both processes: drop earlier measurements. */
static void
begin_anew(void)
{
    atomic_store(&asked, 0);
    before = -1;
    sampled = main_thread();
}

/* sample(handler, period, wait=0): None, or NULL with an exception. Owns the handler. */
static PyObject *
sample(PyObject *Py_UNUSED(module), PyObject *args)
{
    PyObject *asks;
    double period, wait = 0;
    if (!PyArg_ParseTuple(args, "Od|d:sample", &asks, &period, &wait)) {
        return NULL;
    }
    if (asks != Py_None && !(period >= 1e-4 && period <= 10 && wait >= 0 && wait <= 1e6)) {
        PyErr_SetString(PyExc_ValueError, "sample: the period must be 0.1 ms to 10 s, the wait 0 to 1e6 s");
        return NULL;
    }
    fj_ticker_stop();
    Py_XSETREF(handler, asks == Py_None ? NULL : Py_NewRef(asks));
    begin_anew();
    int64_t each = (int64_t)(period * 1e9), first = (int64_t)(wait * 1e9);
    if (handler != NULL && fj_ticker_start(tick, begin_anew, each, first) < 0) {
        Py_CLEAR(handler);
        return NULL;
    }
    Py_RETURN_NONE;
}

/* is_sampling(): a new reference to a bool. */
static PyObject *
is_sampling(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(ignored))
{
    return PyBool_FromLong(handler != NULL);
}

/* sample_eagerly(on): None. */
static PyObject *
sample_eagerly(PyObject *Py_UNUSED(module), PyObject *on)
{
    eager = PyObject_IsTrue(on) == 1;
    Py_RETURN_NONE;
}

static PyMethodDef functions[] = {
    {"sample", sample, METH_VARARGS,
     "sample(handler, period, wait=0): handler([(function or None, code, offset, ns spent, again, values)])\n"
     "is called in the main thread, outermost frame first, when code has spent what it is due for.\n"
     "`again`: it was called more than once. Offset -1: it has returned. The stack is looked at every\n"
     "`period` seconds, for the first time after `wait`. None for nobody."},
    {"is_sampling", is_sampling, METH_NOARGS, "is_sampling() -> whether there is a handler."},
    {"sample_eagerly", sample_eagerly, METH_O,
     "sample_eagerly(on): the handler is called at each sample, though no code is due."},
    {NULL, NULL, 0, NULL},
};

#endif

int
fj_sampler_init(PyObject *module)
{
#if FJ_HOOK_SUPPORTED
    return PyModule_AddFunctions(module, functions);
#else
    (void)module;
    return 0;
#endif
}
