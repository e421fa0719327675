/* The type Entry: a guard program, a kernel and recipes. */
#include "core.h"
#include <stddef.h>
#include <structmember.h>

static PyObject *
entry_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    fj_entry *entry = (fj_entry *)type->tp_alloc(type, 0); /* all fields zero */
    if (entry != NULL && fj_fill_entry(entry, args, kwargs) < 0) {
        Py_CLEAR(entry);
    }
    return (PyObject *)entry;
}

static int
entry_traverse(fj_entry *self, visitproc visit, void *arg)
{
    Py_VISIT(self->objects);
    Py_VISIT(self->keepalive);
    Py_VISIT(self->attributing);
    Py_VISIT(self->check);
    Py_VISIT(self->python_kernel);
    Py_VISIT(self->owner);
    Py_VISIT(self->options);
    return 0;
}

/* After this no cache runs the entry any more: it has no options. */
static int
entry_clear(fj_entry *self)
{
    Py_CLEAR(self->options);
    Py_CLEAR(self->python_kernel);
    Py_CLEAR(self->owner);
    Py_CLEAR(self->attributing);
    Py_CLEAR(self->check);
    return 0;
}

static void
entry_dealloc(fj_entry *self)
{
    PyObject_GC_UnTrack(self);
    entry_clear(self);
    Py_CLEAR(self->objects);
    Py_CLEAR(self->keepalive);
    PyMem_Free(self->guards);
    PyMem_Free(self->loads);
    PyMem_Free(self->arrays);
    PyMem_Free(self->calls);
    PyMem_Free(self->recipes);
    PyMem_Free(self->steps);
    PyMem_Free(self->words);
    PyMem_Free(self->exit_numbers);
    PyMem_Free(self->bail_exits);
    Py_TYPE(self)->tp_free((PyObject *)self);
}

/* set_attributing(entry): an entry of the same guards whose kernel keeps each op's flags apart. It
 * has no such entry itself: launches would go round in circles. */
static PyObject *
set_attributing(fj_entry *self, PyObject *entry)
{
    if (!PyObject_TypeCheck(entry, &FjEntry_Type) || entry == (PyObject *)self ||
        ((fj_entry *)entry)->n_live != self->n_live || ((fj_entry *)entry)->attributing != NULL) {
        PyErr_SetString(PyExc_TypeError,
                        "set_attributing: a plain Entry of the same live-ins is needed");
        return NULL;
    }
    Py_XSETREF(self->attributing, Py_NewRef(entry));
    Py_RETURN_NONE;
}

/* set_kernel(address, keepalive): the machine code that an entry without any has waited for. */
static PyObject *
set_kernel(fj_entry *self, PyObject *args)
{
    unsigned long long address;
    PyObject *keepalive;
    if (!PyArg_ParseTuple(args, "KO:set_kernel", &address, &keepalive)) {
        return NULL;
    }
    if (address == 0 || self->kernel != NULL || self->python_kernel != NULL) {
        PyErr_SetString(PyExc_ValueError, "set_kernel: an entry has one kernel");
        return NULL;
    }
    self->keepalive = Py_NewRef(keepalive);
    self->kernel = (fj_kernel)(uintptr_t)address;
    Py_RETURN_NONE;
}

/* set_check(check, count): the first `count` slots are shown to `check` before each launch; None: to nobody. */
static PyObject *
set_check(fj_entry *self, PyObject *args)
{
    PyObject *check;
    Py_ssize_t count;
    if (!PyArg_ParseTuple(args, "On:set_check", &check, &count)) {
        return NULL;
    }
    if (count < self->n_live || count > self->n_slots) {
        return PyErr_Format(PyExc_ValueError, "set_check: the entry has %zd slots, not %zd",
                            self->n_slots, count);
    }
    self->n_checked = count;
    Py_XSETREF(self->check, check == Py_None ? NULL : Py_NewRef(check));
    Py_RETURN_NONE;
}

/* is_as_before(slots) -> bool: the guards hold still and fetch the numbers that `check` was shown. */
static PyObject *
is_as_before(fj_entry *self, PyObject *shown)
{
    if (!PyTuple_Check(shown) || PyTuple_GET_SIZE(shown) != self->n_checked) {
        return PyErr_Format(PyExc_TypeError, "is_as_before: a tuple of %zd slots is needed",
                            self->n_checked);
    }
    PyObject **slots = PyMem_Calloc((size_t)self->n_slots + 1, sizeof(PyObject *));
    if (slots == NULL) {
        return PyErr_NoMemory();
    }
    for (Py_ssize_t k = 0; k < self->n_checked; k++) {
        slots[k] = PyTuple_GET_ITEM(shown, k);
    }
    int same = fj_is_as_before(self, slots);
    PyMem_Free(slots);
    return same < 0 ? NULL : PyBool_FromLong(same);
}

/* launch(live) -> (exit of the kernel, payload), or None where a guard does not hold or the kernel
 * bails to its start. */
static PyObject *
launch(fj_entry *self, PyObject *live)
{
    if (!PyTuple_Check(live) || PyTuple_GET_SIZE(live) != self->n_live) {
        return PyErr_Format(PyExc_TypeError, "launch: a tuple of %zd live-ins is needed",
                            self->n_live);
    }
    PyObject *payload;
    Py_ssize_t exit;
    switch (fj_launch(self, ((PyTupleObject *)live)->ob_item, NULL, &payload, &exit)) {
    case FJ_TAKEN:
        return Py_BuildValue("nN", exit, payload);
    case FJ_ERROR:
        return NULL;
    default:
        Py_RETURN_NONE;
    }
}

/* set_exit_numbers(numbers): the stub's exit for each exit of the kernel. */
static PyObject *
set_exit_numbers(fj_entry *self, PyObject *numbers)
{
    if (!PyTuple_Check(numbers) || PyTuple_GET_SIZE(numbers) != self->n_exits) {
        PyErr_Format(PyExc_TypeError, "set_exit_numbers: a tuple of %zd numbers is needed",
                     self->n_exits);
        return NULL;
    }
    int32_t *made = PyMem_New(int32_t, self->n_exits + 1);
    if (made == NULL) {
        return PyErr_NoMemory();
    }
    for (Py_ssize_t k = 0; k < self->n_exits; k++) {
        long number = PyLong_AsLong(PyTuple_GET_ITEM(numbers, k));
        if (number < 0 || number > INT32_MAX) {
            PyMem_Free(made);
            if (!PyErr_Occurred()) {
                PyErr_SetString(PyExc_ValueError,
                                "set_exit_numbers: a number is negative or too large");
            }
            return NULL;
        }
        made[k] = (int32_t)number;
    }
    PyMem_Free(self->exit_numbers);
    self->exit_numbers = made;
    Py_RETURN_NONE;
}

/* 1 if only the tuple of live-ins holds the object beyond the references that the guard allows. */
static int
is_unshared_but_for_us(const fj_entry *self, Py_ssize_t index, PyObject *const *slots)
{
    const fj_guard *guard = &self->guards[index];
    return guard->op == FJ_G_UNSHARED && guard->slot < self->n_live &&
           Py_REFCNT(slots[guard->slot]) == guard->c + 1;
}

/* failed_guard(live) -> index of the first guard that these live-ins do not meet, or None. */
static PyObject *
failed_guard(fj_entry *self, PyObject *live)
{
    if (!PyTuple_Check(live) || PyTuple_GET_SIZE(live) != self->n_live) {
        PyErr_Format(PyExc_TypeError, "failed_guard: a tuple of %zd live-ins is needed",
                     self->n_live);
        return NULL;
    }
    PyObject **slots = PyMem_Calloc((size_t)self->n_slots + 1, sizeof(PyObject *));
    if (slots == NULL) {
        return PyErr_NoMemory();
    }
    for (Py_ssize_t k = 0; k < self->n_live; k++) {
        slots[k] = PyTuple_GET_ITEM(live, k); /* borrowed, as at a launch */
    }
    Py_ssize_t held = 0;
    do {
        Py_ssize_t more = fj_guards_hold(self, slots, held, self->n_guards - held);
        held = more < 0 ? -1 : held + more;
    } while (held >= 0 && held < self->n_guards && is_unshared_but_for_us(self, held, slots) &&
             ++held <= self->n_guards);
    for (Py_ssize_t k = self->n_live; k < self->n_slots; k++) {
        Py_XDECREF(slots[k]);
    }
    PyMem_Free(slots);
    if (held < 0) {
        return NULL;
    }
    if (held == self->n_guards) {
        Py_RETURN_NONE;
    }
    return PyLong_FromSsize_t(held);
}

static PyObject *
entry_trial(fj_entry *self, PyObject *ignored)
{
    (void)ignored;
    return fj_kinds_show(&self->kinds);
}

static PyObject *
entry_trials(fj_entry *self, PyObject *ignored)
{
    (void)ignored;
    return fj_kinds_list(&self->kinds);
}

static PyMethodDef entry_methods[] = {
    {"set_attributing", (PyCFunction)set_attributing, METH_O,
     "set_attributing(entry): run this one where flags become nothing worse than warnings."},
    {"set_kernel", (PyCFunction)set_kernel, METH_VARARGS,
     "set_kernel(address, keepalive): the entry waits no more."},
    {"set_check", (PyCFunction)set_check, METH_VARARGS,
     "set_check(check, count): call check(entry, the first slots) before each launch."},
    {"is_as_before", (PyCFunction)is_as_before, METH_O,
     "is_as_before(slots): whether nobody has changed what `check` was shown."},
    {"launch", (PyCFunction)launch, METH_O,
     "launch(live) -> (exit, payload), or None where eager has to go on."},
    {"set_exit_numbers", (PyCFunction)set_exit_numbers, METH_O,
     "set_exit_numbers(numbers): for each exit of the kernel, which exit of the stub it is."},
    {"failed_guard", (PyCFunction)failed_guard, METH_O,
     "failed_guard(live) -> index of the first guard that does not hold, or None."},
    {"trial", (PyCFunction)entry_trial, METH_NOARGS,
     "trial() -> (trials, 1 if plain Python serves, nanoseconds of the kernel, of plain Python)\n"
     "of the kind of the last call."},
    {"trials", (PyCFunction)entry_trials, METH_NOARGS,
     "trials() -> list of such tuples for all kinds of calls, with the calls that the kernel has served."},
    {NULL, NULL, 0, NULL},
};

static PyMemberDef entry_members[] = {
    {"hits", T_ULONGLONG, offsetof(fj_entry, hits), READONLY, "launches that came to an exit"},
    {"bails", T_ULONGLONG, offsetof(fj_entry, bails), READONLY, "launches that bailed"},
    {"bails_in_row", T_INT, offsetof(fj_entry, bails_in_row), 0,
     "bails since a launch came to an exit; fewer with has_others, see entry.h"},
    {"has_others", T_INT, offsetof(fj_entry, has_others), 0,
     "true: segments serve its calls, too, and several launches cancel one bail"},
    {"watched", T_INT, offsetof(fj_entry, watched), 0,
     "true: launches are weighed, and the entry declines if they do too little"},
    {"shows", T_INT, offsetof(fj_entry, shows), 0,
     "true: halting a loop stores what others see, and it is halted as soon as they wait"},
    {"idle", T_INT, offsetof(fj_entry, idle), 0, "true: it declines"},
    {"patience", T_ULONGLONG, offsetof(fj_entry, patience), 0,
     "launches before its first trial against plain Python; 0: there is none"},
    {"longest", T_LONGLONG, offsetof(fj_entry, kinds.most), 0,
     "nanoseconds: if a launch takes longer, plain Python is not tried"},
    {"grows", T_INT, offsetof(fj_entry, grows), 0,
     "true: threads would share its loops if it had been captured with larger arrays"},
    {"threads", T_INT, offsetof(fj_entry, threads), 0,
     "threads that may share its loops, the caller's own included"},
    {"releases", T_INT, offsetof(fj_entry, releases), 0, "true: its long loops run without the GIL"},
    {"outgrown", T_INT, offsetof(fj_entry, outgrown), 0,
     "true: it is not used any more, and others are tried"},
    {"waited", T_ULONGLONG, offsetof(fj_entry, waited), READONLY,
     "launches that eager answered as there was no kernel yet"},
    {"asks", T_INT, offsetof(fj_entry, asks), 0,
     "true: the next such launch tells the owner, as nobody compiles the kernel"},
    {"owner", T_OBJECT, offsetof(fj_entry, owner), READONLY, "the Python side of the entry"},
    {NULL, 0, 0, 0, NULL},
};

PyTypeObject FjEntry_Type = {
    PyVarObject_HEAD_INIT(NULL, 0)
    .tp_name = "framejit.jit.native._core.Entry",
    .tp_doc = "Guard program, kernel and recipes of one cache entry.",
    .tp_basicsize = sizeof(fj_entry),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .tp_new = entry_new,
    .tp_dealloc = (destructor)entry_dealloc,
    .tp_traverse = (traverseproc)entry_traverse,
    .tp_clear = (inquiry)entry_clear,
    .tp_methods = entry_methods,
    .tp_members = entry_members,
};
