/* Fetches of the guard program: see fetch.c. */
#ifndef FRAMEJIT_FETCH_H
#define FRAMEJIT_FETCH_H

#include "core.h"

/* Set in the index of an object that the entry refers to weakly: guards/program.py's WEAK. */
enum { FJ_WEAK = 1 << 30 };

/* Replaces an object that has died. Only its address is compared, so no guard holds. */
extern char fj_gone;

/* An object of the entry: borrowed, NULL for -1. */
static inline PyObject *
fj_entry_object(const fj_entry *entry, int32_t index)
{
    if (index < 0) {
        return NULL;
    }
    if (!(index & FJ_WEAK)) {
        return PyTuple_GET_ITEM(entry->objects, index);
    }
    PyObject *reference = PyTuple_GET_ITEM(entry->objects, index & ~FJ_WEAK);
    PyObject *object = ((PyWeakReference *)reference)->wr_object;
    /* While its finaliser runs it has no references, and may not be given any. */
    return object == Py_None || Py_REFCNT(object) == 0 ? (PyObject *)&fj_gone : object;
}

/* Return the global (then builtin) that the guard names: borrowed; NULL if there is none, or with an
 * exception. `a` of the guard is the place at which it was found last. */
PyObject *fj_find_global(const fj_entry *entry, fj_guard *guard);

/* Does one FETCH_* operation. The slot owns what it finds. */
int fj_fetch(const fj_entry *entry, fj_guard *guard, PyObject **slots);

#endif
