/* Measures the time of each part of an explained call.
 *
 * Rewritten code that counts calls a Lap before each instruction, and each segment has one. A lap lasts until
 * the next one of the same function begins, so it includes the time of callees. Time of captures and compiles
 * is excluded. Code that is not explained has no laps. */
#include "laps.h"
#include "ab_timing.h"
#include <stddef.h>
#include <stdint.h>
#include <structmember.h>

typedef struct fj_lap fj_lap;

/* Shared by the laps of a function. */
typedef struct {
    PyObject_HEAD
    fj_lap *running; /* borrowed: lap_dealloc takes it away */
    int64_t since;
} fj_laps;

struct fj_lap {
    PyObject_HEAD
    vectorcallfunc vectorcall;
    fj_laps *laps; /* owned */
    uint64_t times;
    int64_t spent; /* nanoseconds */
    int64_t least; /* of the shortest one; 0: none has ended */
    int ends;      /* the frame is left: what follows is not the function's */
};

static int64_t aside; /* nanoseconds of captures and compiles so far */

void
fj_lap_begin(PyObject *object)
{
    if (!Py_IS_TYPE(object, &FjLap_Type)) {
        return;
    }
    fj_lap *lap = (fj_lap *)object;
    fj_laps *laps = lap->laps;
    if (laps->running != NULL) {
        int64_t took = fj_now() - aside - laps->since;
        laps->running->spent += took;
        if (laps->running->least == 0 || took < laps->running->least) {
            laps->running->least = took > 0 ? took : 1;
        }
    }
    lap->times++;
    laps->running = lap->ends ? NULL : lap;
    laps->since = fj_now() - aside;
}

static PyObject *
lap_vectorcall(PyObject *lap, PyObject *const *Py_UNUSED(args), size_t Py_UNUSED(nargsf),
               PyObject *Py_UNUSED(kwnames))
{
    fj_lap_begin(lap);
    Py_RETURN_NONE;
}

static PyObject *
laps_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {NULL};
    return PyArg_ParseTupleAndKeywords(args, kwargs, ":Laps", names) ? type->tp_alloc(type, 0) : NULL;
}

static PyObject *
lap_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"laps", "ends", NULL};
    PyObject *laps;
    int ends = 0;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O!|p:Lap", names, &FjLaps_Type, &laps, &ends)) {
        return NULL;
    }
    fj_lap *self = (fj_lap *)type->tp_alloc(type, 0);
    if (self != NULL) {
        self->vectorcall = lap_vectorcall;
        self->laps = (fj_laps *)Py_NewRef(laps);
        self->ends = ends;
    }
    return (PyObject *)self;
}

static void
laps_dealloc(PyObject *self)
{
    Py_TYPE(self)->tp_free(self);
}

static void
lap_dealloc(fj_lap *self)
{
    if (self->laps->running == self) {
        self->laps->running = NULL;
    }
    Py_DECREF(self->laps);
    Py_TYPE(self)->tp_free((PyObject *)self);
}

static PyMemberDef lap_members[] = {
    {"times", T_ULONGLONG, offsetof(fj_lap, times), READONLY, "how often it began"},
    {"spent", T_LONGLONG, offsetof(fj_lap, spent), READONLY, "nanoseconds until the next lap began"},
    {"least", T_LONGLONG, offsetof(fj_lap, least), READONLY, "nanoseconds of the shortest one, or 0"},
    {NULL, 0, 0, 0, NULL},
};

/* Neither can be part of a cycle: the garbage collector need not know them. */
PyTypeObject FjLaps_Type = {
    PyVarObject_HEAD_INIT(NULL, 0)
    .tp_name = "framejit.jit.native._core.Laps",
    .tp_doc = "Laps(): what the laps of a function share.",
    .tp_basicsize = sizeof(fj_laps),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_new = laps_new,
    .tp_dealloc = laps_dealloc,
};

PyTypeObject FjLap_Type = {
    PyVarObject_HEAD_INIT(NULL, 0)
    .tp_name = "framejit.jit.native._core.Lap",
    .tp_doc = "Lap(laps, ends=False): called where it begins; `ends`: nothing is measured behind it.",
    .tp_basicsize = sizeof(fj_lap),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_VECTORCALL,
    .tp_vectorcall_offset = offsetof(fj_lap, vectorcall),
    .tp_call = PyVectorcall_Call,
    .tp_new = lap_new,
    .tp_dealloc = (destructor)lap_dealloc,
    .tp_members = lap_members,
};

/* set_aside(nanoseconds): add to the excluded time and return the sum; NULL with an exception. */
static PyObject *
set_aside(PyObject *Py_UNUSED(module), PyObject *value)
{
    long long more = PyLong_AsLongLong(value);
    if (more == -1 && PyErr_Occurred()) {
        return NULL;
    }
    aside += more;
    return PyLong_FromLongLong(aside);
}

static PyMethodDef functions[] = {
    {"set_aside", set_aside, METH_O,
     "set_aside(ns) -> all ns so far: no lap is charged with so much of the time that has gone by."},
    {NULL, NULL, 0, NULL},
};

int
fj_laps_init(PyObject *module)
{
    return PyModule_AddType(module, &FjLaps_Type) < 0 || PyModule_AddType(module, &FjLap_Type) < 0
               ? -1
               : PyModule_AddFunctions(module, functions);
}
