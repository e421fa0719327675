/* A call of a jitted function: bind the arguments, try the entries, else run the function. */
#include "allowance.h"
#include "stack_switch.h"
#include "dispatcher.h"
#include "hook_threads.h"
#include "hostile.h"
#include "code_swap.h"
#include "outermost.h"
#include "records.h"
#include "resting.h"

enum {
    WARM = 4, /* calls of rewritten code that capture and compile */
};

/* Borrows everything; a new reference in *result where it gives FJ_TAKEN. Whoever calls ends the sample.
 * A launch that ends at another exit than 0 is under way until resume() has the segment for it. */
static fj_outcome
try_entries(fj_dispatcher *self, PyObject *options, PyObject *const *bound, fj_sample *sample,
            PyObject **result, Py_ssize_t *exit)
{
    Py_ssize_t count = self->parameters.n_parameters;
    self->launches++;
    fj_outcome outcome = fj_cache_run(&self->cache, options, bound, count, sample, result, exit);
    if (outcome == FJ_MISS && self->unasked > 0) {
        self->unasked--;
    }
    else if (outcome == FJ_MISS && !self->closed) {
        int added = fj_ask_for_capture(self, options, bound);
        if (added < 0) {
            outcome = FJ_ERROR;
        }
        else if (added) {
            outcome = fj_cache_run(&self->cache, options, bound, count, sample, result, exit);
        }
    }
    self->launches -= outcome != FJ_TAKEN || *exit == 0;
    return outcome;
}

/* 1 if entries and segments were made of the code that this function has now. */
static int
has_our_code(const fj_dispatcher *self, PyObject *function)
{
    return PyFunction_Check(function) &&
           (PyFunction_GET_CODE(function) == self->code || fj_plain_code(function) == self->code);
}

/* Return the options in force: a new reference, NULL if the function must run as it is. */
static PyObject *
options_for(const fj_dispatcher *self, PyObject *function)
{
    PyThreadState *tstate = PyThreadState_Get();
    PyObject *options = has_our_code(self, function) && !fj_depth_is_short(tstate)
                            ? fj_options_now(tstate)
                            : NULL;
    if (options == self->declined) {
        Py_CLEAR(options);
    }
    return options;
}

/* Gives rewritten code the defaults that the user's function has now: 0, or -1 with an exception.
 * They are read at each call, as CPython reads them. */
static int
take_defaults(PyObject *fallback, PyObject *function)
{
    PyObject *defaults = PyFunction_GET_DEFAULTS(function);
    PyObject *keywords = PyFunction_GET_KW_DEFAULTS(function);
    if (PyFunction_GET_DEFAULTS(fallback) != defaults &&
        PyFunction_SetDefaults(fallback, defaults != NULL ? defaults : Py_None) < 0) {
        return -1;
    }
    if (PyFunction_GET_KW_DEFAULTS(fallback) != keywords &&
        PyFunction_SetKwDefaults(fallback, keywords != NULL ? keywords : Py_None) < 0) {
        return -1;
    }
    return 0;
}

/* Binds the arguments and tries the entries; FJ_MISS too when the call does not fit. The caller holds
 * what it passed; defaults may be replaced while an entry runs, so they are held here. */
static fj_outcome
bind_and_try(fj_dispatcher *self, PyObject *options, PyObject *const *args, Py_ssize_t n_args,
             PyObject *kwnames, fj_sample *sample, PyObject **result, Py_ssize_t *exit)
{
    PyObject *bound[STACK_ARGUMENTS];
    Py_ssize_t count = self->parameters.n_parameters;
    Py_ssize_t given = n_args + (kwnames == NULL ? 0 : PyTuple_GET_SIZE(kwnames));
    if (!fj_bind(&self->parameters, (PyFunctionObject *)self->function, args, n_args, kwnames,
                 bound)) {
        return FJ_MISS;
    }
    if (given == count) {
        return try_entries(self, options, bound, sample, result, exit);
    }
    for (Py_ssize_t k = n_args; k < count; k++) {
        Py_INCREF(bound[k]);
    }
    fj_outcome outcome = try_entries(self, options, bound, sample, result, exit);
    for (Py_ssize_t k = n_args; k < count; k++) {
        Py_DECREF(bound[k]);
    }
    return outcome;
}

/* Run the user's function itself. In what a break calls the frame hook would take it for an undecorated
 * function, and capture it once more, in place of plain Python. */
static PyObject *
run_plain(fj_dispatcher *self, PyObject *const *args, size_t nargsf, PyObject *kwnames)
{
    PyObject *passed = has_our_code(self, self->function) ? self->function : NULL;
    PyObject *before = fj_hook_pass_by(passed);
    PyObject *result =
        fj_call_in_place_of((PyObject *)self, self->function, args, nargsf, kwnames);
    fj_hook_pass_by(before);
    return result;
}

/* Run `fallback`, borrowed, for what is not captured as a whole. Rewritten code has breaks: functions that it
 * calls there are caught by the frame hook. `next` is taken by its first stub (its payload is stolen). */
static PyObject *
run_fallback(fj_dispatcher *self, PyObject *fallback, PyObject *const *args, size_t nargsf,
             PyObject *kwnames, fj_primed next)
{
    Py_INCREF(fallback); /* a capture may replace it meanwhile */
    fj_primed before = fj_segment_prime(next);
    int entered = 1;
    if (fallback != self->function) {
        entered = take_defaults(fallback, self->function) < 0 ? -1 : fj_frame_hook_enter();
    }
    fj_outermost_enter();
    PyObject *result = NULL;
    if (entered >= 0) {
        result = fallback == self->function
                     ? run_plain(self, args, nargsf, kwnames)
                     : fj_call_in_place_of((PyObject *)self, fallback, args, nargsf, kwnames);
    }
    fj_outermost_leave();
    if (entered == 0 && fj_frame_hook_leave() < 0) {
        Py_CLEAR(result);
    }
    fj_primed left = fj_segment_prime(before);
    Py_XDECREF(left.payload); /* an exception came before the stub */
    Py_DECREF(fallback);
    return result;
}

/* A whole-function launch bailed to a checkpoint: the rewritten code goes on from there, in a frame
 * of its own, by way of the stub at its entry. Steals payload. */
static PyObject *
resume(fj_dispatcher *self, PyObject *payload, Py_ssize_t exit, PyObject *const *args,
       size_t nargsf, PyObject *kwnames)
{
    self->launches--;
    if (self->resume == NULL) {
        Py_DECREF(payload);
        PyErr_SetString(PyExc_SystemError, "framejit: a checkpoint without a way to resume");
        return NULL;
    }
    PyObject *segment = Py_NewRef(self->resume);
    fj_primed next = {segment, payload, exit};
    PyObject *result = run_fallback(self, self->resumed, args, nargsf, kwnames, next);
    Py_DECREF(segment);
    return result;
}

/* 0 for generator functions, whose calls only make the generator. */
static int
can_be_measured(PyObject *function)
{
    int flags = ((PyCodeObject *)PyFunction_GET_CODE(function))->co_flags;
    return !(flags & (CO_GENERATOR | CO_COROUTINE | CO_ASYNC_GENERATOR));
}

/* Return the side that serves a call without an entry. Fills the sample if the call is measured. */
static int
faster_side(fj_dispatcher *self, fj_sample *sample)
{
    if (self->fallback == self->function || self->untimed || !can_be_measured(self->fallback)) {
        return FJ_COMPILED;
    }
    return fj_kinds_begin(&self->kinds, (PyObject *)self, self->fallback, WARM, sample);
}

/* Run the fallback, or plain Python if that was faster. */
static PyObject *
run_faster(fj_dispatcher *self, PyObject *const *args, size_t nargsf, PyObject *kwnames, uint64_t kind)
{
    fj_sample sample = {.kind = kind};
    PyObject *result =
        faster_side(self, &sample) == FJ_PLAIN
            ? run_plain(self, args, nargsf, kwnames)
            : run_fallback(self, self->fallback, args, nargsf, kwnames, (fj_primed){0});
    fj_ab_timing_end(&sample, result == NULL);
    return result;
}

static PyObject *
run_as_it_is(fj_dispatcher *self, PyObject *const *args, size_t nargsf, PyObject *kwnames,
             uint64_t kind)
{
    fj_rest_if_slower(self, kind);
    return run_plain(self, args, nargsf, kwnames);
}

/* Borrows everything, `self` too: fj_dispatcher_vectorcall holds it. */
static PyObject *
dispatch(fj_dispatcher *self, PyObject *options, PyObject *const *args, size_t nargsf,
         PyObject *kwnames, fj_sample *sample)
{
    if (self->bindable && (self->cache.count > 0 || !self->closed) && !fj_hostile_declines()) {
        PyObject *result;
        Py_ssize_t exit;
        fj_outcome outcome = bind_and_try(self, options, args, PyVectorcall_NARGS(nargsf),
                                          kwnames, sample, &result, &exit);
        if (outcome == FJ_TAKEN) {
            if (exit == 0) {
                self->hits++;
                self->missed = 0;
                return result;
            }
            self->midway++;
            return resume(self, result, exit - 1, args, nargsf, kwnames);
        }
        if (outcome == FJ_ERROR) {
            return NULL;
        }
        if (outcome == FJ_AS_IT_IS) {
            return run_as_it_is(self, args, nargsf, kwnames, sample->kind);
        }
    }
    if (fj_ask_to_prepare(self) < 0 || fj_tell_of_changes(self) < 0) {
        return NULL;
    }
    fj_rest_if_idle(self, sample->kind);
    return run_faster(self, args, nargsf, kwnames, sample->kind);
}

/* The caller may release the dispatcher meanwhile, as functools.partial does when its state is set: the call
 * holds it, as a frame holds its function. */
PyObject *
fj_dispatcher_vectorcall(PyObject *callable, PyObject *const *args, size_t nargsf, PyObject *kwnames)
{
    fj_dispatcher *self = (fj_dispatcher *)Py_NewRef(callable);
    uint64_t kind = fj_kind_of_call(self, args, PyVectorcall_NARGS(nargsf), kwnames);
    PyObject *options = fj_call_goes_by(self, kind) ? NULL : options_for(self, self->function);
    PyObject *result;
    self->calls++;
    if (options == NULL) {
        result = run_plain(self, args, nargsf, kwnames);
    }
    else {
        fj_sample sample = {.kind = kind};
        result = dispatch(self, options, args, nargsf, kwnames, &sample);
        fj_ab_timing_end(&sample, result == NULL);
        Py_DECREF(options);
    }
    Py_DECREF(self);
    return result;
}

/* resume() with arguments in the order of the parameters, as a frame has them. */
static PyObject *
resume_bound(fj_dispatcher *self, PyObject *payload, Py_ssize_t exit, PyObject *const *args)
{
    const fj_parameters *parameters = &self->parameters;
    PyObject *kwnames = NULL;
    if (parameters->n_positional < parameters->n_parameters) {
        kwnames = PyTuple_GetSlice(parameters->names, parameters->n_positional,
                                   parameters->n_parameters);
        if (kwnames == NULL) {
            self->launches--;
            Py_DECREF(payload);
            return NULL;
        }
    }
    PyObject *result =
        resume(self, payload, exit, args, (size_t)parameters->n_positional, kwnames);
    Py_XDECREF(kwnames);
    return result;
}

/* Return the code for a frame without an entry: a new reference to a CodeSwap, NULL for its own code, or with
 * an exception. A call whose bail is measured already is not measured twice. */
static PyObject *
code_for_frame(fj_dispatcher *self, fj_sample *sample)
{
    fj_rest_if_idle(self, sample->kind);
    int side = sample->trial != NULL ? self->kinds.trials[self->kinds.last].side
                                     : faster_side(self, sample);
    return self->fallback == self->function || side == FJ_PLAIN ? NULL
                                                                : fj_code_swap_new(self->fallback);
}

/* fj_dispatcher_attempt for options that are in force; borrows everything. */
static PyObject *
attempt(fj_dispatcher *self, PyObject *options, PyObject *const *args, fj_sample *sample)
{
    PyObject *result;
    Py_ssize_t exit;
    if (!self->bindable) {
        if (fj_ask_to_prepare(self) < 0) {
            return NULL;
        }
    }
    else if ((self->cache.count > 0 || !self->closed) && !fj_hostile_declines()) {
        fj_outcome outcome = try_entries(self, options, args, sample, &result, &exit);
        if (outcome == FJ_TAKEN) {
            if (exit == 0) {
                self->hits++;
                self->missed = 0;
                return result;
            }
            self->midway++;
            return resume_bound(self, result, exit - 1, args);
        }
        if (outcome == FJ_ERROR) {
            return NULL;
        }
        if (outcome == FJ_AS_IT_IS) {
            fj_rest_if_slower(self, sample->kind);
            return NULL;
        }
    }
    return fj_tell_of_changes(self) < 0 ? NULL : code_for_frame(self, sample);
}

PyObject *
fj_dispatcher_attempt(PyObject *dispatcher, PyObject *function, PyObject *const *args,
                      Py_ssize_t count, fj_sample *sample)
{
    fj_dispatcher *self = (fj_dispatcher *)dispatcher;
    if (self->bindable && count != self->parameters.n_parameters) {
        return NULL;
    }
    sample->kind = fj_kind_of_call(self, args, count, NULL);
    int is_over = fj_call_goes_by(self, sample->kind);
    PyObject *options = is_over ? NULL : options_for(self, function);
    self->calls += is_over || options != NULL;
    if (options == NULL) {
        return NULL;
    }
    PyObject *result = attempt(self, options, args, sample);
    Py_DECREF(options);
    int is_answer = result != NULL && !Py_IS_TYPE(result, &FjCodeSwap_Type);
    if (is_answer || PyErr_Occurred()) {
        fj_ab_timing_end(sample, result == NULL);
    }
    return result;
}
