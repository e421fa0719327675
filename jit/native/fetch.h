/* Fetches of the guard program: see fetch.c. */
#ifndef FRAMEJIT_FETCH_H
#define FRAMEJIT_FETCH_H

#include "core.h"

/* An object of the entry: borrowed, NULL for -1. */
static inline PyObject *
fj_entry_object(const fj_entry *entry, int32_t index)
{
    return index < 0 ? NULL : PyTuple_GET_ITEM(entry->objects, index);
}

/* 1 when the global (then builtin) that the guard names is in the dictionaries, with a new reference
 * in *value; 0 when missing; -1 with an exception. Borrows everything else. */
int fj_find_global(const fj_entry *entry, const fj_guard *guard, PyObject **value);

/* Does one FETCH_* operation. The slot owns what it finds. */
int fj_fetch(const fj_entry *entry, const fj_guard *guard, PyObject **slots);

#endif
