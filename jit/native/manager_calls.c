/* Questions to the manager, which is in Python: for captures, for segments, and telling it of changes. */
#include "dispatcher.h"
#include "stack_switch.h"

int
fj_ask_for_capture(fj_dispatcher *self, PyObject *options, PyObject *const *bound)
{
    PyObject *live = PyTuple_New(self->parameters.n_parameters);
    if (live == NULL) {
        return -1;
    }
    for (Py_ssize_t k = 0; k < self->parameters.n_parameters; k++) {
        PyTuple_SET_ITEM(live, k, Py_NewRef(bound[k]));
    }
    PyObject *answer = fj_engine_call(self->manager, "miss", options, live, NULL);
    Py_DECREF(live);
    int added = answer == NULL ? -1 : PyObject_IsTrue(answer);
    Py_XDECREF(answer);
    return added;
}

int
fj_ask_to_prepare(fj_dispatcher *self)
{
    if (self->bindable || self->closed) {
        return 0;
    }
    self->closed = 1;
    PyObject *done = fj_engine_call(self->manager, "prepare", NULL, NULL, NULL);
    Py_XDECREF(done);
    return done == NULL ? -1 : 0;
}

static int
tell_manager(fj_dispatcher *self, const char *what)
{
    PyObject *done = fj_engine_call(self->manager, what, NULL, NULL, NULL);
    Py_XDECREF(done);
    return done == NULL ? -1 : 0;
}

int
fj_tell_of_changes(fj_dispatcher *self)
{
    fj_ab_timing *last = &self->kinds.trials[self->kinds.last];
    if (last->is_other) {
        last->is_other = 0;
        if (tell_manager(self, "other_kind") < 0) {
            return -1;
        }
    }
    if (self->captures_at == 0 || self->calls < self->captures_at) {
        return 0;
    }
    self->captures_at = 0;
    return tell_manager(self, "capture_again");
}
