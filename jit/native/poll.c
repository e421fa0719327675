/* Polls of long kernels at the back edges of their loops, as CPython polls at its own: signal handlers run,
 * other threads get their turn, their changes are noticed, and flags that eager would report do not wait for
 * the end of a loop that may have none. */
#include "core.h"
#include "fpstatus.h"
#include "released.h"
#include <time.h>

/* ns: sys.getswitchinterval() of most programs; how long the iteration of a loop may take that is to be
 * halted behind it, and where others only wait to see what it has changed; what a loop may take that
 * cannot be halted; and one that then bails, since eager takes some fifty times as long for all of it
 * again. */
enum {
    INTERVAL = 5000000,
    PATIENCE = 1000000000,
    SHORT = 100000000,
    TOO_LONG = 100000000,
    LONG_FOR_BAIL = 10000000
};

/* Return nanoseconds of a cheap clock that ticks every few milliseconds. */
static int64_t
now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC_COARSE, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

/* 1 if the program must be interrupted: the launch then holds the exception. */
static int
is_interrupted(fj_run *run)
{
    if (PyErr_CheckSignals() < 0) {
        fj_interrupt_take(run);
        return 1;
    }
    Py_BEGIN_ALLOW_THREADS
    Py_END_ALLOW_THREADS
    PyThreadState *tstate = PyThreadState_Get();
    PyObject *sent = tstate->async_exc;
    tstate->async_exc = NULL;
    Py_XSETREF(run->interrupt, sent); /* sent by another thread: a class */
    return sent != NULL;
}

/* 1 if the object fetched now is a number, and different from the one that the kernel was given: guards check
 * only the type of most numbers. */
static int
is_other_number(PyObject *now, PyObject *given)
{
    if (now == given || now == NULL || given == NULL || Py_TYPE(now) != Py_TYPE(given) ||
        !(PyFloat_CheckExact(now) || PyLong_CheckExact(now) || PyComplex_CheckExact(now) ||
          PyArray_CheckScalar(now))) {
        return 0;
    }
    int same = PyObject_RichCompareBool(now, given, Py_EQ);
    return same < 0 ? -1 : !same;
}

int
fj_is_as_before(fj_entry *entry, PyObject *const *given)
{
    PyObject **slots = PyMem_Calloc((size_t)entry->n_slots + 1, sizeof(PyObject *));
    if (slots == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    memcpy(slots, given, (size_t)entry->n_live * sizeof(PyObject *)); /* borrowed */
    Py_ssize_t held = 1;
    for (Py_ssize_t k = 0; held == 1 && k < entry->n_guards; k++) {
        int op = entry->guards[k].op;
        if (op != FJ_G_UNSHARED && op != FJ_G_OWNED) { /* the launch itself holds on to these */
            held = fj_guards_hold(entry, slots, k, 1);
        }
    }
    for (Py_ssize_t k = entry->n_live; k < entry->n_slots; k++) {
        int other = held == 1 ? is_other_number(slots[k], given[k]) : 0;
        held = other < 0 ? -1 : other ? 0 : held;
        Py_XDECREF(slots[k]);
    }
    PyMem_Free(slots);
    return (int)held;
}

/* 1 if eager would report none of the flags raised so far, 0 if it would or might. A kernel that attributes
 * them does not bail for them, and one with checkpoints asks for them itself. */
static int
nothing_to_report(fj_run *run, int64_t raised)
{
    if (raised < 0) {
        return 1;
    }
    int asked = run->entry->n_bail_exits > 0 ? FJ_FP_FLAGS : run->entry->reports;
    int status = (fj_fp_raised() | (int)raised) & asked & ~run->unreported;
    if (status == 0) {
        return 1;
    }
    int reported = fj_errstate_reported(status);
    if (reported < 0) {
        PyErr_Clear(); /* eager meets it where it counts */
        return 0;
    }
    run->unreported |= status & ~reported;
    return reported == 0;
}

/* Count the poll. Between two iterations of a loop that can be halted it is recorded, and in the second run
 * of a kernel that has bailed the loop is halted there: 1 if it must be. A poll inside an iteration makes the
 * loop poll before its next one. */
static int
is_end_of_run(fj_run *run, int64_t *words, int64_t raised)
{
    run->polls++;
    int64_t loop = words[FJ_W_HALTS];
    if (loop < FJ_BETWEEN) {
        if (loop && !words[FJ_W_HALTED]) {
            words[FJ_W_HALTED] = FJ_POLL;
        }
        return 0;
    }
    words[FJ_W_HALTS] = FJ_HALTS;
    if (words[FJ_W_HALTED] == FJ_POLL) {
        words[FJ_W_HALTED] = 0;
    }
    if (loop == FJ_BETWEEN) {
        return 0;
    }
    if (run->polls == run->halt_at) {
        words[FJ_W_HALTED] = FJ_HALT;
        return 1;
    }
    if (nothing_to_report(run, raised)) {
        run->before_that = loop == run->loop ? run->between : run->before_that;
        run->between = run->polls;
        run->loop = loop;
    }
    return 0;
}

/* Let eager take over: a loop that can be halted finishes its iteration, so that no work is lost; otherwise,
 * and if the iteration takes too long, the kernel bails. */
static int64_t
give_way(fj_run *run, int64_t *words, const char *why, int64_t time)
{
    run->why = why;
    if (!words[FJ_W_HALTS]) {
        return FJ_KERNEL_BAIL;
    }
    words[FJ_W_HALTED] = FJ_HALT;
    run->halt_by = time + PATIENCE;
    return 0;
}

void
fj_poll_note_bail(fj_run *run)
{
    int64_t begun = run->first_poll;
    if (begun && !run->words[FJ_W_HALTS] && !run->entry->took_long && now() - begun > LONG_FOR_BAIL) {
        run->entry->took_long = FJ_TOOK_LONG;
    }
}

/* Let eager take over at once: the contents of arrays must not be used any more. */
static int64_t
leave(fj_run *run)
{
    run->why = "changed";
    return FJ_KERNEL_BAIL;
}

/* Check again what the launch relies on. 0, or FJ_KERNEL_BAIL. */
static int64_t
ask_again(fj_run *run, int64_t *words, int64_t time)
{
    int same = fj_is_as_before(run->entry, run->slots);
    if (same < 0) {
        PyErr_Clear(); /* eager meets it where it counts */
    }
    return same <= 0 ? give_way(run, words, "changed", time) : 0;
}

/* Let other threads run for a moment, between two iterations of a loop or inside one. Arrays that they have
 * changed are not used any more: a loop that can be halted ends here if it is between two iterations. */
static int64_t
let_others_run(fj_run *run, int64_t *words, int between, int64_t time)
{
    fj_noted noted;
    if (fj_note(&noted, run, 0) < 0) {
        return leave(run);
    }
    int interrupted = is_interrupted(run), stand = fj_stand(&noted) && !run->changed;
    fj_forget(&noted);
    if (!stand && !(between && words[FJ_W_HALTS])) {
        return leave(run);
    }
    if (interrupted || !stand) {
        return give_way(run, words, interrupted ? "interrupt" : "changed", time);
    }
    return ask_again(run, words, time);
}

/* `raised`: flags that the kernel has collected; below zero when it attributes them by itself. 0, or
 * FJ_KERNEL_BAIL when eager has to take over. */
int64_t
fj_rt_poll(int64_t *words, int64_t raised)
{
    fj_needs_gil();
    fj_run *run = (fj_run *)(intptr_t)words[FJ_W_RUN];
    int64_t time = now();
    int between = words[FJ_W_HALTS] >= FJ_BETWEEN;
    if (is_end_of_run(run, words, raised) || time < run->next_poll) {
        return 0;
    }
    if (run->next_poll == 0) { /* the first of this launch */
        run->next_poll = time + INTERVAL;
        run->first_poll = time;
        return 0;
    }
    if (time - run->first_poll > TOO_LONG && !words[FJ_W_HALTS] && !run->entry->took_long) {
        run->entry->took_long = FJ_TOOK_LONG;
    }
    int status = fj_fp_raised() | (raised > 0 ? (int)raised : 0);
    int64_t outcome = 0;
    int shows = run->entry->shows && words[FJ_W_HALTS]; /* nobody runs before the loop is halted */
    if (words[FJ_W_HALTED] == FJ_HALT) {
        if (time >= run->halt_by && (!run->shows || is_interrupted(run))) {
            run->shows = 0;
            outcome = FJ_KERNEL_BAIL;
        }
    }
    else if (shows && fj_is_awaited()) {
        give_way(run, words, "interrupt", time); /* Python code does there what waits for it */
        run->shows = 1;
        run->halt_by = time + SHORT;
    }
    else {
        outcome = shows ? ask_again(run, words, time) : let_others_run(run, words, between, time);
        if (outcome == 0 && words[FJ_W_HALTED] != FJ_HALT && raised >= 0 &&
            (status & run->entry->reports) && fj_rt_flags(words, status)) {
            run->why = "flags";
            outcome = FJ_KERNEL_BAIL;
        }
    }
    if (outcome == 0) {
        fj_fp_put(status);
        run->next_poll = now() + INTERVAL;
    }
    return outcome;
}
