/* Detects observable finalisation. Such an object must die where it dies in eager, not at the exit of a
 * segment. Objects that would die with it are found by traversal, as the garbage collector finds them. */
#include "finalisation.h"
#include "dispatcher.h"
#include "records.h"

enum {
    MOST = 100 /* maximum objects traversed per question: the rest is assumed to be unobserved */
};

typedef struct {
    Py_ssize_t last;
    int left;
    int is_observable;
} search;

static int look_into(PyObject *object, search *found);

/* A visitproc; a nonzero result ends the visit. */
static int
visit(PyObject *object, void *arg)
{
    search *found = arg;
    if (object == NULL || Py_REFCNT(object) > found->last) {
        return 0;
    }
    return found->left-- <= 0 ? 1 : look_into(object, found);
}

/* 1 for objects that outlive the last reference that user code drops: classes are in cycles, modules and their
 * functions in sys.modules, and a frame that can be reached is running. */
static int
stays(PyObject *object)
{
    if (PyCFunction_Check(object)) {
        PyObject *owner = PyCFunction_GET_SELF(object);
        return owner != NULL && PyModule_Check(owner);
    }
    return PyType_Check(object) || PyModule_Check(object) || PyFrame_Check(object);
}

/* Closing a generator that has not begun, or has ended, runs nothing. */
static int
is_idle(PyObject *object)
{
    return PyGen_CheckExact(object) && fj_generator_rests_here(object);
}

static int
has_finaliser(PyObject *object)
{
    PyTypeObject *type = Py_TYPE(object);
    if (type->tp_del != NULL) {
        return 1;
    }
    return type->tp_finalize != NULL && !is_idle(object);
}

static int
has_callback(PyObject *object)
{
    if (!PyType_SUPPORTS_WEAKREFS(Py_TYPE(object))) {
        return 0;
    }
    PyObject *ref = *PyObject_GET_WEAKREFS_LISTPTR(object);
    for (; ref != NULL; ref = (PyObject *)((PyWeakReference *)ref)->wr_next) {
        if (((PyWeakReference *)ref)->wr_callback != NULL) {
            return 1;
        }
    }
    return 0;
}

static int
look_into(PyObject *object, search *found)
{
    if (stays(object)) {
        return 0;
    }
    found->is_observable = has_finaliser(object) || has_callback(object);
    if (found->is_observable) {
        return 1;
    }
    if (PyArray_Check(object) && visit(PyArray_BASE((PyArrayObject *)object), found)) {
        return 1; /* arrays have no traversal */
    }
    if (PyFunction_Check(object)) {
        return fj_owned_visit_function(object, visit, found);
    }
    PyTypeObject *type = Py_TYPE(object);
    if (type == &FjDispatcher_Type) {
        return visit(((fj_dispatcher *)object)->function, found);
    }
    if (PyObject_IS_GC(object) && type->tp_traverse != NULL) {
        return type->tp_traverse(object, visit, found);
    }
    return 0;
}

int
fj_finalisation_is_observable(PyObject *object, Py_ssize_t last)
{
    search found = {last, MOST, 0};
    look_into(object, &found);
    return found.is_observable;
}

/* finalisation_is_observable(object): a new reference to a bool. */
static PyObject *
finalisation_is_observable(PyObject *Py_UNUSED(module), PyObject *object)
{
    return PyBool_FromLong(fj_finalisation_is_observable(object, FJ_CAPTURE_REFERENCES));
}

static PyMethodDef functions[] = {
    {"finalisation_is_observable", finalisation_is_observable, METH_O,
     "finalisation_is_observable(object) -> True if a finaliser or weak reference callback runs when it dies."},
    {NULL, NULL, 0, NULL},
};

int
fj_finalisation_init(PyObject *module)
{
    return PyModule_AddFunctions(module, functions);
}
