/* Ties the lifetime of what framejit has made of a function to the function, which owns it.
 *
 * Entries and rewritten code refer to the function's globals and closure, and from there, more often than
 * not, back to the function. A table that owned them would keep everything alive for ever, and a weak
 * reference to the function could not help: the table itself would hold what holds the function. So the edge
 * belongs to the function, and the garbage collector sees it: the table is outside of Python, the traversal
 * of functions visits what they own there, and their deallocation releases it. Nothing shows in the function:
 * no attribute, no weak reference.
 *
 * The collector does not traverse code objects. If a function runs rewritten code, the segments among its
 * constants are visited on its behalf, as long as no frame has the code as well.
 *
 * The type of functions is shared by all interpreters, the table is of the main one. */
#include "hook_threads.h"
#include "records.h"
#include <stddef.h>

typedef struct {
    PyObject *function; /* borrowed: it removes the edge when it dies; NULL: free */
    PyObject *thing;    /* owned */
} fj_edge;

static struct {
    fj_edge *edges;    /* open addressing, linear probing */
    size_t room;       /* a power of two, or 0 */
    Py_ssize_t used;
} table;

static traverseproc plain_traverse;
static destructor plain_dealloc;

static size_t
home_of(const PyObject *function)
{
    return ((uintptr_t)function >> 4) * (uintptr_t)0x9E3779B97F4A7C15u >> 20;
}

/* Return the edge of a function, or the free one where it would be put. The table has a free one. */
static fj_edge *
place_of(const PyObject *function)
{
    size_t at = home_of(function);
    for (;; at++) {
        fj_edge *edge = &table.edges[at & (table.room - 1)];
        if (edge->function == function || edge->function == NULL) {
            return edge;
        }
    }
}

PyObject *
fj_owned_find(PyObject *function)
{
    return table.used == 0 ? NULL : place_of(function)->thing;
}

/* Make room for one more edge: 0, or -1 with MemoryError. */
static int
grow(void)
{
    if ((size_t)table.used * 2 < table.room) {
        return 0;
    }
    size_t room = table.room ? table.room * 2 : 64, before = table.room;
    fj_edge *old = table.edges, *edges = PyMem_Calloc(room, sizeof *edges);
    if (edges == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    table.edges = edges;
    table.room = room;
    for (size_t k = 0; k < before; k++) {
        if (old[k].function != NULL) {
            *place_of(old[k].function) = old[k];
        }
    }
    PyMem_Free(old);
    return 0;
}

/* Remove a function from the table. Return what it owned, a reference that the caller now has, or NULL. */
static PyObject *
take_out(PyObject *function)
{
    if (table.used == 0) {
        return NULL;
    }
    fj_edge *edge = place_of(function);
    PyObject *thing = edge->thing;
    if (edge->function == NULL) {
        return NULL;
    }
    *edge = (fj_edge){NULL, NULL};
    table.used--;
    /* It may have displaced the edges that follow. */
    for (size_t at = (size_t)(edge - table.edges) + 1;; at++) {
        fj_edge *next = &table.edges[at & (table.room - 1)];
        if (next->function == NULL) {
            return thing;
        }
        fj_edge moved = *next;
        *next = (fj_edge){NULL, NULL};
        *place_of(moved.function) = moved;
    }
}

static int
is_main(void)
{
    return PyInterpreterState_Get() == PyInterpreterState_Main();
}

static int
function_traverse(PyObject *function, visitproc visit, void *arg)
{
    PyObject *thing = table.used > 0 && is_main() ? fj_owned_find(function) : NULL;
    if (thing != NULL) {
        PyCodeObject *code = (PyCodeObject *)PyFunction_GET_CODE(function);
        Py_VISIT(thing);
        if (code != NULL && Py_REFCNT(code) == 1) {
            Py_VISIT(code->co_consts);
        }
    }
    return plain_traverse(function, visit, arg);
}

int
fj_owned_visit_function(PyObject *function, visitproc visit, void *arg)
{
    return plain_traverse(function, visit, arg);
}

/* Release what a dead function owned. Its _forget() breaks cycles first: eager frees at once what only a
 * function holds. Steals. */
static void
let_go(PyObject *thing)
{
    fj_error error = fj_error_fetch();
    if (!fj_is_finalizing()) { /* else modules that it needs may be gone, and everything is freed anyway */
        fj_engine_work(1);
        PyObject *done = PyObject_CallMethod(thing, "_forget", NULL);
        fj_engine_work(-1);
        if (done == NULL) {
            PyErr_WriteUnraisable(thing);
        }
        Py_XDECREF(done);
    }
    Py_DECREF(thing);
    fj_error_restore(error);
}

static void
function_dealloc(PyObject *function)
{
    PyObject *thing = table.used > 0 && is_main() ? take_out(function) : NULL;
    plain_dealloc(function);
    if (thing != NULL) {
        let_go(thing);
    }
}

/* ---- the module --------------------------------------------------------------------------- */

/* own(function, thing): None, or NULL with an exception. From now on the function owns the thing, and no longer
 * what it owned before; thing._forget() is called when the function dies. */
static PyObject *
own(PyObject *Py_UNUSED(module), PyObject *args)
{
    PyObject *function, *thing;
    if (!PyArg_ParseTuple(args, "O!O:own", &PyFunction_Type, &function, &thing)) {
        return NULL;
    }
    if (grow() < 0) {
        return NULL;
    }
    fj_edge *edge = place_of(function);
    PyObject *before = edge->thing;
    table.used += edge->function == NULL;
    *edge = (fj_edge){function, Py_NewRef(thing)};
    Py_XDECREF(before);
    Py_RETURN_NONE;
}

/* owned(function): a new reference to what it owns, None when there is nothing. */
static PyObject *
owned(PyObject *Py_UNUSED(module), PyObject *function)
{
    PyObject *thing = fj_owned_find(function);
    return Py_NewRef(thing == NULL ? Py_None : thing);
}

/* owner(thing): a new reference to the function that owns it, None when there is none. */
static PyObject *
owner(PyObject *Py_UNUSED(module), PyObject *thing)
{
    for (size_t k = 0; k < table.room; k++) {
        if (table.edges[k].thing == thing) {
            return Py_NewRef(table.edges[k].function);
        }
    }
    Py_RETURN_NONE;
}

/* all_owned(): a new list of all that functions own, or NULL with an exception. */
static PyObject *
all_owned(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(ignored))
{
    PyObject *list = PyList_New(table.used); /* collects garbage before it allocates, if it does */
    Py_ssize_t at = 0;
    for (size_t k = 0; list != NULL && k < table.room; k++) {
        if (table.edges[k].thing != NULL && at < PyList_GET_SIZE(list)) {
            PyList_SET_ITEM(list, at++, Py_NewRef(table.edges[k].thing));
        }
    }
    if (list != NULL && PyList_SetSlice(list, at, PyList_GET_SIZE(list), NULL) < 0) {
        Py_CLEAR(list);
    }
    return list;
}

static PyMethodDef functions[] = {
    {"own", own, METH_VARARGS,
     "own(function, thing): the function owns it, and thing._forget() is called when it dies."},
    {"owned", owned, METH_O, "owned(function) -> what it owns, or None."},
    {"owner", owner, METH_O, "owner(thing) -> the function that owns it, or None."},
    {"all_owned", all_owned, METH_NOARGS, "all_owned() -> list of all that functions own."},
    {NULL, NULL, 0, NULL},
};

int
fj_function_lifetime_init(PyObject *module)
{
    if (plain_traverse == NULL) { /* else it is a second import in the same process */
        plain_traverse = PyFunction_Type.tp_traverse;
        plain_dealloc = PyFunction_Type.tp_dealloc;
        PyFunction_Type.tp_traverse = function_traverse;
        PyFunction_Type.tp_dealloc = function_dealloc;
    }
    return PyModule_AddFunctions(module, functions);
}
