/* One launch of an entry: checks the guards, chooses between kernel and plain Python, runs the kernel, and passes
 * on exceptions that have arrived for the program meanwhile. */
#include "hostile.h"
#include "allowance.h"
#include "stack_switch.h"
#include "interp.h"
#include "kernel_run.h"
#include "owner.h"
#include "scratch.h"
#include "undo.h"

enum { STACK_SLOTS = 24, STACK_WORDS = 160 };

/* Count a launch without a kernel; if nobody compiles it, tell the owner. */
static fj_outcome
wait_for_kernel(fj_entry *entry)
{
    entry->waited++;
    if (!entry->asks) {
        return FJ_LATER;
    }
    entry->asks = 0;
    PyObject *done = fj_engine_call(entry->owner, "awaited", NULL, NULL, NULL);
    Py_XDECREF(done);
    return done == NULL ? FJ_ERROR : FJ_LATER;
}

static fj_outcome
launch_guarded(fj_run *run, PyObject **result, Py_ssize_t *exit)
{
    fj_entry *entry = run->entry;
    if (entry->python_kernel != NULL) {
        return fj_run_python_kernel(run, result, exit);
    }
    if (entry->kernel == NULL) {
        return wait_for_kernel(entry);
    }
    void *memory = NULL;
    if (entry->scratch > 0) {
        memory = fj_scratch_borrow(entry->scratch);
        if (memory == NULL) {
            return FJ_BAIL;
        }
    }
    fj_outcome outcome = fj_run_on_words(run, memory, result, exit);
    if (outcome == FJ_BAIL) {
        outcome = fj_run_bailed(run, memory, result, exit);
    }
    if (outcome != FJ_ERROR && entry->took_long == FJ_TOOK_LONG && fj_owner_took_long(entry) < 0) {
        Py_CLEAR(*result);
        outcome = FJ_ERROR;
    }
    if (outcome == FJ_TAKEN && entry->grows && entry->made > FJ_GROWN && fj_owner_grew(entry) < 0) {
        Py_CLEAR(*result);
        outcome = FJ_ERROR;
    }
    fj_undo_restore(run); /* what is left to undo if the kernel has not come to an exit */
    fj_scratch_return(memory);
    return outcome;
}

/* 1 if the entry keeps bailing and must not be tried this time. */
static int
pauses(fj_entry *entry)
{
    if (fj_hostile.bail || entry->bails_in_row < FJ_MAX_BAILS_IN_ROW) {
        return 0;
    }
    if (entry->pause == 0) {
        entry->pause = FJ_FIRST_PAUSE;
    }
    if (++entry->declined < entry->pause) {
        return 1;
    }
    if (entry->declined > entry->pause) { /* the second of two */
        entry->declined = 0;
        entry->pause = entry->pause < FJ_LONGEST_PAUSE ? 2 * entry->pause : FJ_LONGEST_PAUSE;
    }
    return 0;
}

/* Launch the attributing entry if it may run, else this one; neither while this one keeps bailing. */
static fj_outcome
launch_variant(fj_run *run, PyObject *const *live, PyObject **result, Py_ssize_t *exit)
{
    fj_entry *entry = run->entry;
    if (pauses(entry)) {
        return FJ_BAIL;
    }
    if (entry->owner == NULL) {
        return FJ_BAIL; /* cleared by the garbage collector: only a finaliser can come here */
    }
    if (entry->attributing != NULL) {
        int may = fj_owner_may_attribute(entry);
        if (may != 0) {
            return may < 0 ? FJ_ERROR
                           : fj_launch((fj_entry *)entry->attributing, live, NULL, result, exit);
        }
    }
    return launch_guarded(run, result, exit);
}

/* Return the number of guards that hold, -1 with an exception; if all do, show the live-ins to the checker.
 * That runs Python code, and with it signal handlers and other threads: so the guards are checked again. */
static Py_ssize_t
guards_and_check(fj_run *run)
{
    fj_entry *entry = run->entry;
    Py_ssize_t held = fj_guards_hold(entry, run->slots, 0, entry->n_guards);
    if (entry->check == NULL || held != entry->n_guards) {
        return held;
    }
    PyObject *slots = PyTuple_New(entry->n_checked);
    if (slots == NULL) {
        return -1;
    }
    for (Py_ssize_t k = 0; k < entry->n_checked; k++) {
        PyTuple_SET_ITEM(slots, k, Py_NewRef(run->slots[k]));
    }
    PyObject *check = Py_NewRef(entry->check);
    fj_engine_enter();
    PyObject *done = PyObject_CallFunctionObjArgs(check, (PyObject *)entry, slots, NULL);
    fj_engine_leave();
    Py_DECREF(check);
    Py_DECREF(slots);
    if (done == NULL) {
        return -1;
    }
    Py_DECREF(done);
    fj_drop_slots(run);
    return fj_guards_hold(entry, run->slots, 0, entry->n_guards);
}

/* Initialise a launch. Field by field: the compiler turns an initialiser into a string instruction, which
 * takes as long as all guards. */
static void
set_up(fj_run *run, fj_entry *entry, PyObject **slots, int64_t *words)
{
    run->entry = entry;
    run->slots = slots;
    run->words = words;
    run->log = NULL;
    run->n_log = run->n_settled = run->room_log = 0;
    run->undo = NULL;
    run->n_undo = run->room_undo = 0;
    run->flags = run->raised = 0;
    run->interrupt = NULL;
    run->why = "check";
    run->check = 0;
    run->next_poll = run->first_poll = run->halt_by = 0;
    run->polls = run->between = run->before_that = run->loop = run->halt_at = 0;
    run->changed = run->unreported = 0;
    run->shows = 0;
    run->checkpoints = 0;
}

/* 1 if plain Python serves this call: it is faster, or being measured. */
static int
plain_serves(fj_entry *entry, fj_sample *sample)
{
    if (sample == NULL || entry->patience == 0 ||
        (entry->kernel == NULL && entry->python_kernel == NULL)) {
        return 0;
    }
    return fj_kinds_begin(&entry->kinds, (PyObject *)entry, entry, entry->patience, sample) ==
           FJ_PLAIN;
}

fj_outcome
fj_launch(fj_entry *entry, PyObject *const *live, fj_sample *sample, PyObject **result,
          Py_ssize_t *exit)
{
    PyObject *stack_slots[STACK_SLOTS];
    int64_t stack_words[STACK_WORDS];
    fj_run run;
    set_up(&run, entry, stack_slots, stack_words);
    fj_outcome outcome = FJ_ERROR;
    if (entry->idle || entry->outgrown) {
        return entry->outgrown ? FJ_MISS : FJ_BAIL;
    }
    Py_INCREF(entry); /* guards and kernel may run code that drops it */
    if (entry->converts && plain_serves(entry, sample)) { /* the guards count as time of the kernel */
        outcome = FJ_AS_IT_IS;
        goto done;
    }
    if (entry->n_slots > STACK_SLOTS) {
        run.slots = PyMem_New(PyObject *, entry->n_slots);
    }
    if (entry->n_words > STACK_WORDS) {
        run.words = PyMem_New(int64_t, entry->n_words);
    }
    if (run.slots == NULL || run.words == NULL) {
        PyErr_NoMemory();
        goto done;
    }
    for (Py_ssize_t k = 0; k < entry->n_live; k++) {
        run.slots[k] = live[k];
    }
    for (Py_ssize_t k = entry->n_live; k < entry->n_slots; k++) {
        run.slots[k] = NULL;
    }
    Py_ssize_t held = guards_and_check(&run);
    if (held == entry->n_guards) {
        outcome = !entry->converts && plain_serves(entry, sample)
                      ? FJ_AS_IT_IS
                      : launch_variant(&run, live, result, exit);
        if (outcome == FJ_TAKEN) {
            entry->hits++;
        }
    }
    else if (held >= 0) {
        outcome = FJ_MISS;
        if (entry->converts && sample != NULL) {
            fj_ab_timing_end(sample, 1);
        }
    }
    fj_drop_slots(&run);
    if (run.interrupt != NULL && outcome == FJ_TAKEN && run.words[FJ_W_HALTED] == FJ_HALTED) {
        fj_interrupt_hold(&run);
    }
    else if (run.interrupt != NULL && outcome != FJ_ERROR) {
        fj_interrupt_raise(&run);
    }
done:
    Py_XDECREF(run.interrupt);
    free(run.log);
    free(run.undo);
    if (run.slots != stack_slots) {
        PyMem_Free(run.slots);
    }
    if (run.words != stack_words) {
        PyMem_Free(run.words);
    }
    Py_DECREF(entry);
    return outcome;
}
