/* One run of a kernel: words, machine code, floating point status, exit; and a second run after a late bail. */
#include "kernel_run.h"
#include "allowance.h"
#include "fpstatus.h"
#include "hostile.h"
#include "owner.h"
#include "rooms.h"
#include "undo.h"

static int
load_all(fj_run *run)
{
    fj_entry *entry = run->entry;
    for (Py_ssize_t k = 0; k < entry->n_loads; k++) {
        const fj_load *load = &entry->loads[k];
        if (load->kind == FJ_LOAD_ARRAY) { /* by far the most frequent */
            fj_load_array(load, (PyArrayObject *)run->slots[load->slot], run->words);
        }
        else if (fj_load_value(load, run->slots[load->slot], run->words) < 0) {
            return -1;
        }
    }
    return 0;
}

/* Count a launch that reached an exit: it ends the row of bails; with segments, several launches cancel one
 * bail. */
static void
count_taken(fj_entry *entry)
{
    entry->bails_in_row = entry->has_others && entry->bails_in_row > 0 ? entry->bails_in_row - 1 : 0;
    if (entry->bails_in_row == 0) {
        entry->pause = entry->declined = 0;
    }
}

static Py_ssize_t
stub_exit(const fj_entry *entry, Py_ssize_t exit)
{
    return entry->exit_numbers == NULL ? exit : entry->exit_numbers[exit];
}

static fj_outcome
no_such_exit(int64_t exit)
{
    PyErr_Format(PyExc_SystemError, "framejit: a kernel has no exit %lld", (long long)exit);
    return FJ_ERROR;
}

/* Note a bail, and why, for its owner. */
static fj_outcome
bails(fj_run *run, const char *why, int flags, int64_t check)
{
    run->why = why;
    run->flags = flags;
    run->check = check;
    return FJ_BAIL;
}

/* Run the kernel. After FJ_BAIL the caller must undo its writes. */
static fj_outcome
run_kernel(fj_run *run, PyObject **result, Py_ssize_t *exit)
{
    fj_entry *entry = run->entry;
    run->words[FJ_W_RUN] = (int64_t)(intptr_t)run;
    int64_t code = fj_fp_run(entry->kernel, run->words);
    if (run->raised) {
        return FJ_ERROR;
    }
    if (code < 0) {
        return code == FJ_KERNEL_BAIL
                   ? bails(run, run->why, run->flags, run->words[FJ_W_CHECK])
                   : FJ_ERROR;
    }
    if (code >= entry->n_exits) {
        return no_such_exit(code);
    }
    if (entry->reports) {
        int raised = (fj_fp_raised() | (int)run->words[FJ_W_RAISED]) & entry->reports;
        int reported = raised ? fj_errstate_reported(raised) : 0;
        if (reported) {
            return reported < 0 ? FJ_ERROR : bails(run, "flags", reported, 0);
        }
    }
    if (entry->n_bail_exits == 0 && fj_hostile_bails(run, 1)) {
        return bails(run, NULL, 0, 0);
    }
    if (entry->bail_exits[code]) {
        fj_undo_restore(run);
        run->n_log = run->n_settled; /* eager reports the rest */
    }
    else {
        fj_undo_drop(run);
        count_taken(entry);
    }
    if (fj_owner_warn(run) < 0) {
        return FJ_ERROR;
    }
    if (entry->bail_exits[code] &&
        fj_owner_bailed(entry, "checkpoint", run->flags, run->words[FJ_W_CHECK]) < 0) {
        return FJ_ERROR;
    }
    if (run->words[FJ_W_HALTED] == FJ_HALTED && run->halt_at == 0 && !run->shows &&
        fj_owner_halted(entry) < 0) {
        return FJ_ERROR;
    }
    if (entry->watched && fj_owner_weigh(entry, run->words[FJ_W_WORK]) < 0) {
        return FJ_ERROR;
    }
    *exit = stub_exit(entry, (Py_ssize_t)code);
    *result = fj_recipe_build(run, (Py_ssize_t)code);
    return *result == NULL ? FJ_ERROR : FJ_TAKEN;
}

/* The numpy backend: a Python callable takes all slots and gives (exit, payload) or None. */
fj_outcome
fj_run_python_kernel(fj_run *run, PyObject **result, Py_ssize_t *exit)
{
    fj_entry *entry = run->entry;
    fj_engine_enter();
    PyObject *pair =
        PyObject_Vectorcall(entry->python_kernel, run->slots, (size_t)entry->n_slots, NULL);
    fj_engine_leave();
    if (pair == NULL) {
        return FJ_ERROR;
    }
    if (pair == Py_None) {
        Py_DECREF(pair);
        return fj_owner_bailed(entry, "check", 0, 0) < 0 ? FJ_ERROR : FJ_BAIL;
    }
    PyObject *payload;
    if (!PyArg_ParseTuple(pair, "nO", exit, &payload)) {
        Py_DECREF(pair);
        return FJ_ERROR;
    }
    if (*exit < 0 || *exit >= entry->n_exits) {
        Py_DECREF(pair);
        return no_such_exit(*exit);
    }
    if (!entry->bail_exits[*exit]) {
        count_taken(entry);
    }
    else if (fj_owner_bailed(entry, "checkpoint", 0, 0) < 0) {
        Py_DECREF(pair);
        return FJ_ERROR;
    }
    *exit = stub_exit(entry, *exit);
    *result = Py_NewRef(payload);
    Py_DECREF(pair);
    return FJ_TAKEN;
}

/* Release what guards have fetched and the kernel has made. */
void
fj_drop_slots(fj_run *run)
{
    for (Py_ssize_t k = run->entry->n_live; k < run->entry->n_slots; k++) {
        Py_CLEAR(run->slots[k]);
    }
}

/* Fills the words and runs the kernel; `memory` is its scratch. */
fj_outcome
fj_run_on_words(fj_run *run, void *memory, PyObject **result, Py_ssize_t *exit)
{
    fj_entry *entry = run->entry;
    memcpy(run->words, entry->words, (size_t)entry->n_words * sizeof(int64_t));
    run->words[FJ_W_SCRATCH] = (int64_t)(intptr_t)memory;
    fj_outcome outcome = load_all(run) < 0 ? FJ_ERROR : run_kernel(run, result, exit);
    fj_free_rooms(run->words);
    return outcome;
}

/* After a bail late in a loop: undo everything, and run again to a poll between two iterations, where the loop is
 * halted and eager continues. This is not the last such poll but the one before, so that eager runs at least one
 * whole iteration, which assigns the locals that an exit does not pass on. FJ_BAIL if this run fails, as others
 * may have changed what it reads. */
static fj_outcome
run_up_to(fj_run *run, void *memory, PyObject **result, Py_ssize_t *exit)
{
    fj_entry *entry = run->entry;
    fj_undo_restore(run);
    fj_drop_slots(run);
    run->halt_at = run->before_that;
    run->polls = run->n_log = run->n_settled = 0;
    Py_ssize_t held = fj_guards_hold(entry, run->slots, 0, entry->n_guards);
    if (held != entry->n_guards) {
        PyErr_Clear();
        return FJ_BAIL;
    }
    return fj_run_on_words(run, memory, result, exit);
}

/* After a bail: keep what can be kept, then tell the owner. */
fj_outcome
fj_run_bailed(fj_run *run, void *memory, PyObject **result, Py_ssize_t *exit)
{
    fj_entry *entry = run->entry;
    const char *why = run->why;
    int flags = run->flags;
    int64_t check = run->check;
    if (why == NULL) {
        return FJ_BAIL;
    }
    fj_poll_note_bail(run);
    fj_outcome outcome = FJ_BAIL;
    if (run->before_that > 0 && run->interrupt == NULL && run->words[FJ_W_HALTED] != FJ_HALT) {
        outcome = run_up_to(run, memory, result, exit);
    }
    int is_kept = outcome == FJ_TAKEN && run->words[FJ_W_HALTED] == FJ_HALTED;
    if (outcome != FJ_ERROR && fj_owner_bailed(entry, is_kept ? "late" : why, flags, check) < 0) {
        if (outcome == FJ_TAKEN) {
            Py_CLEAR(*result);
        }
        return FJ_ERROR;
    }
    return outcome;
}
