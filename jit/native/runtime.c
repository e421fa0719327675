/* Run time functions of kernels; all are reached through words. */
#include "fpstatus.h"
#include "hostile.h"
#include "recycle.h"
#include "released.h"
#include "rooms.h"

static fj_run *
run_of(int64_t *words)
{
    return (fj_run *)(intptr_t)words[FJ_W_RUN];
}

/* 1 if the array in the slot may be reused: nobody else holds it and its dims are the wanted ones. */
static int
reusable(PyObject *held, const fj_array_spec *spec, const npy_intp *dims)
{
    if (held == NULL || Py_REFCNT(held) != 1 || !Py_IS_TYPE(held, &PyArray_Type)) {
        return 0;
    }
    PyArrayObject *array = (PyArrayObject *)held;
    return PyArray_NDIM(array) == spec->ndim && PyArray_CHKFLAGS(array, NPY_ARRAY_OWNDATA) &&
           PyArray_CompareLists(PyArray_DIMS(array), dims, spec->ndim);
}

static int
in_c_order(const fj_array_spec *spec)
{
    for (int k = 0; k < spec->ndim; k++) {
        if (spec->order[k] != k) {
            return 0;
        }
    }
    return 1;
}

/* New reference to a fresh uninitialised array; NULL with an exception. */
static PyObject *
fresh_array(fj_entry *entry, const fj_array_spec *spec, npy_intp *dims)
{
    npy_intp strides[FJ_MAX_NDIM];
    PyArray_Descr *descr = (PyArray_Descr *)PyTuple_GET_ITEM(entry->objects, spec->object);
    Py_INCREF(descr); /* fj_new_array steals it */
    if (in_c_order(spec)) {
        return fj_new_array(descr, spec->ndim, dims, NULL);
    }
    fj_packed_strides(spec, dims, PyDataType_ELSIZE(descr), strides);
    return fj_new_array(descr, spec->ndim, dims, strides);
}

/* New reference to a view of the base slot; data and strides stand in the words. NULL with an
 * exception. */
static PyObject *
view_array(fj_run *run, const fj_array_spec *spec, npy_intp *dims)
{
    int64_t *word = &run->words[spec->word];
    npy_intp strides[FJ_MAX_NDIM];
    for (int axis = 0; axis < spec->ndim; axis++) {
        strides[axis] = (npy_intp)word[1 + spec->ndim + axis];
    }
    PyObject *base = run->slots[spec->base];
    if (base == NULL || !PyArray_Check(base)) {
        PyErr_SetString(PyExc_SystemError, "framejit: a view of no array");
        return NULL;
    }
    PyArray_Descr *descr = (PyArray_Descr *)PyTuple_GET_ITEM(run->entry->objects, spec->object);
    Py_INCREF(descr); /* PyArray_NewFromDescr steals it */
    int flags = NPY_ARRAY_ALIGNED | (PyArray_FLAGS((PyArrayObject *)base) & NPY_ARRAY_WRITEABLE);
    PyObject *view = PyArray_NewFromDescr(&PyArray_Type, descr, spec->ndim, dims, strides,
                                          (void *)(intptr_t)word[0], flags, NULL);
    /* SetBaseObject steals the base, also when it fails, and collapses chains of views as eager
     * does. */
    if (view != NULL && PyArray_SetBaseObject((PyArrayObject *)view, Py_NewRef(base)) < 0) {
        Py_CLEAR(view);
    }
    return view;
}

/* Counts a large array of an entry whose loops threads do not share. */
static void
note_size(fj_entry *entry, PyArrayObject *array)
{
    if (entry->grows && PyArray_NBYTES(array) >= FJ_LARGE_ARRAY) {
        entry->made += PyArray_NBYTES(array);
    }
}

int64_t
fj_rt_alloc(int64_t *words, int64_t index)
{
    fj_needs_gil();
    fj_run *run = run_of(words);
    const fj_array_spec *spec = &run->entry->arrays[index];
    const fj_load load = {FJ_LOAD_ARRAY, spec->slot, spec->word, spec->ndim};
    npy_intp dims[FJ_MAX_NDIM];
    if (fj_small_room(words, run->entry, spec, dims)) {
        return 0;
    }
    PyObject *held = run->slots[spec->slot];
    if (spec->base < 0 && reusable(held, spec, dims)) {
        fj_load_array(&load, (PyArrayObject *)held, words);
        note_size(run->entry, (PyArrayObject *)held);
        return 0;
    }
    Py_CLEAR(run->slots[spec->slot]);
    PyObject *array = spec->base < 0 ? fresh_array(run->entry, spec, dims)
                                     : view_array(run, spec, dims);
    if (array == NULL) {
        PyErr_Clear(); /* eager meets the same refusal and words it */
        return FJ_KERNEL_BAIL;
    }
    run->slots[spec->slot] = array;
    fj_load_array(&load, (PyArrayObject *)array, words);
    note_size(run->entry, (PyArrayObject *)array);
    return 0;
}

/* Drop an exception that eager raises again when it repeats the call. Ctrl-C it would not meet, nor
 * exceptions that end a thread or the program: the first is raised again where eager continues, with the
 * state of that point; the others end the launch. */
static int64_t
swallow(fj_run *run)
{
    if (PyErr_ExceptionMatches(PyExc_KeyboardInterrupt)) {
        run->why = "interrupt";
        fj_interrupt_take(run);
        return FJ_KERNEL_BAIL;
    }
    if (!PyErr_ExceptionMatches(PyExc_Exception)) {
        run->raised = 1;
        return FJ_KERNEL_ERROR;
    }
    PyErr_Clear();
    return FJ_KERNEL_BAIL;
}

/* Make an opaque call of a pure function, as the recipe says. FJ_KERNEL_BAIL if it raised, if eager would
 * have reported a floating point flag, or if its result is not as the capture expects: eager then makes the
 * call again and reports. */
int64_t
fj_rt_call(int64_t *words, int64_t index)
{
    fj_needs_gil();
    fj_run *run = run_of(words);
    fj_entry *entry = run->entry;
    const fj_call *call = &entry->calls[index];
    PyObject *token = NULL;
    if (call->looks && fj_errstate_raise(&token) < 0) {
        return FJ_KERNEL_BAIL;
    }
    PyObject *result = fj_recipe_build(run, call->recipe);
    fj_errstate_restore(token);
    fj_fp_clear(); /* what the callee has left there is no op's of the kernel */
    if (result == NULL) {
        return swallow(run);
    }
    Py_XSETREF(run->slots[call->slot], result);
    Py_ssize_t held = fj_guards_hold(entry, run->slots, call->first_guard, call->n_guards);
    if (held != call->n_guards) {
        PyErr_Clear();
        return FJ_KERNEL_BAIL;
    }
    if (call->load >= 0 && fj_load_value(&entry->loads[call->load], result, words) < 0) {
        return FJ_KERNEL_ERROR;
    }
    return 0;
}

/* 1 when eager would report one of these flags now. */
int64_t
fj_rt_flags(int64_t *words, int64_t raised)
{
    fj_needs_gil();
    int reported = fj_errstate_reported((int)raised);
    if (reported < 0) {
        PyErr_Clear();
        return 1;
    }
    run_of(words)->flags |= reported;
    return reported != 0;
}

int64_t
fj_rt_log(int64_t *words, int64_t node, int64_t raised)
{
    fj_needs_gil();
    fj_run *run = run_of(words);
    if (run->n_log == run->room_log) {
        Py_ssize_t room = run->room_log ? 2 * run->room_log : 16;
        fj_log_item *grown = realloc(run->log, (size_t)room * sizeof(fj_log_item));
        if (grown == NULL) {
            return FJ_KERNEL_BAIL;
        }
        run->log = grown;
        run->room_log = room;
    }
    run->log[run->n_log++] = (fj_log_item){(int32_t)node, (int32_t)raised};
    return 0;
}

int64_t
fj_rt_due(int64_t *words, int64_t exit)
{
    fj_needs_gil();
    (void)exit;
    return fj_hostile_bails(run_of(words), 0);
}

int64_t
fj_rt_keep(int64_t *words, int64_t to, int64_t from)
{
    fj_needs_gil();
    PyObject **slots = run_of(words)->slots;
    Py_XSETREF(slots[to], Py_XNewRef(slots[from]));
    return 0;
}

int64_t
fj_rt_swap(int64_t *words, int64_t one, int64_t other)
{
    fj_needs_gil();
    PyObject **slots = run_of(words)->slots;
    PyObject *held = slots[one];
    slots[one] = slots[other];
    slots[other] = held;
    return 0;
}
