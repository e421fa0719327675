/* Reports of a launch to the Python side of its entry. */
#include "owner.h"
#include "stack_switch.h"

int
fj_owner_warn(fj_run *run)
{
    if (run->n_log == 0) {
        return 0;
    }
    PyObject *log = PyList_New(run->n_log);
    if (log == NULL) {
        return -1;
    }
    for (Py_ssize_t k = 0; k < run->n_log; k++) {
        PyObject *item = Py_BuildValue("(ii)", run->log[k].node, run->log[k].raised);
        if (item == NULL) {
            Py_DECREF(log);
            return -1;
        }
        PyList_SET_ITEM(log, k, item);
    }
    PyObject *done = PyObject_CallMethod(run->entry->owner, "warn", "(OO)", run->entry, log);
    Py_DECREF(log);
    Py_XDECREF(done);
    return done == NULL ? -1 : 0;
}

int
fj_owner_may_attribute(fj_entry *entry)
{
    PyObject *answer = PyObject_CallMethod(entry->owner, "may_attribute", NULL);
    int may = answer == NULL ? -1 : PyObject_IsTrue(answer);
    Py_XDECREF(answer);
    return may;
}

int
fj_owner_bailed(fj_entry *entry, const char *why, int flags, int64_t check)
{
    entry->bails++;
    entry->bails_in_row += entry->has_others ? FJ_WEIGHT_OF_BAIL : 1;
    if (entry->has_others && entry->bails_in_row > FJ_MAX_BAILS_IN_ROW) {
        entry->bails_in_row = FJ_MAX_BAILS_IN_ROW;
    }
    PyObject *done = PyObject_CallMethod(entry->owner, "bailed", "siL", why, flags, (long long)check);
    Py_XDECREF(done);
    return done == NULL ? -1 : 0;
}

int
fj_owner_halted(fj_entry *entry)
{
    PyObject *done = PyObject_CallMethod(entry->owner, "bailed", "siL", "halted", 0, 0LL);
    Py_XDECREF(done);
    return done == NULL ? -1 : 0;
}

int
fj_owner_took_long(fj_entry *entry)
{
    entry->took_long = FJ_TOLD;
    PyObject *done = PyObject_CallMethod(entry->owner, "took_long", NULL);
    Py_XDECREF(done);
    return done == NULL ? -1 : 0;
}

int
fj_owner_grew(fj_entry *entry)
{
    entry->grows = 0;
    PyObject *done = PyObject_CallMethod(entry->owner, "grew", NULL);
    Py_XDECREF(done);
    return done == NULL ? -1 : 0;
}

int
fj_owner_weigh(fj_entry *entry, int64_t work)
{
    entry->work += work;
    if (++entry->weighed < FJ_WEIGHED) {
        return 0;
    }
    entry->idle = entry->work < FJ_WEIGHED * FJ_WORTH_ITERATIONS;
    entry->work = entry->weighed = 0;
    if (!entry->idle) {
        return 0;
    }
    PyObject *done = fj_engine_call(entry->owner, "idle", NULL, NULL, NULL);
    Py_XDECREF(done);
    return done == NULL ? -1 : 0;
}
