/* The entries of one dispatcher or segment, most recently used first. */
#include "core.h"
#include "hostile.h"

/* The entry at `index` becomes the first. */
static void
move_to_front(fj_cache *cache, Py_ssize_t index)
{
    fj_entry *entry = cache->items[index];
    memmove(cache->items + 1, cache->items, (size_t)index * sizeof(fj_entry *));
    cache->items[0] = entry;
}

/* An entry that waits for its kernel, and whose guards copy what containers hold, has them checked in calls 1, 2, 4,
 * 8 and so on, and then in each of so many. */
enum { FJ_CHECKED_WAIT = 1024 };

/* 1 if eager answers before the guards are checked: there is no kernel yet, they held at first, no other entry
 * could serve, and copying what a container holds may take longer than the call. */
static int
waits_unchecked(const fj_cache *cache, fj_entry *entry)
{
    int waits = entry->kernel == NULL && entry->python_kernel == NULL && !entry->asks;
    if (!entry->converts || !waits || cache->count > 1) {
        return 0;
    }
    uint64_t waited = entry->waited;
    if ((waited & (waited - 1)) == 0 || waited % FJ_CHECKED_WAIT == 0) {
        return 0;
    }
    entry->waited++;
    return 1;
}

/* Borrows everything; the caller holds the owner of the cache. Entries for another number of live-ins are
 * skipped. */
fj_outcome
fj_cache_run(fj_cache *cache, PyObject *options, PyObject *const *live, Py_ssize_t count,
             fj_sample *sample, PyObject **result, Py_ssize_t *exit)
{
    for (Py_ssize_t k = 0; k < cache->count; k++) {
        fj_entry *entry = cache->items[k];
        if (entry->options != options || entry->n_live != count) {
            continue;
        }
        if (waits_unchecked(cache, entry)) {
            return FJ_LATER;
        }
        fj_outcome outcome = fj_launch(entry, live, sample, result, exit);
        if (outcome != FJ_MISS) {
            /* An opaque call may have changed the cache under us. */
            if (k > 0 && k < cache->count && cache->items[k] == entry) {
                move_to_front(cache, k);
            }
            return outcome;
        }
    }
    return FJ_MISS;
}

/* 1 if plain Python serves calls of this kind instead of the entry: the entry is slower and not being
 * measured, keeps bailing, or only other kinds have come to it. 0 for an entry without any trial. */
static int
leaves_to_plain(const fj_entry *entry, uint64_t kind)
{
    if (!fj_hostile.bail && entry->bails_in_row >= FJ_MAX_BAILS_IN_ROW) {
        return 1;
    }
    const fj_ab_timing *trial = fj_kinds_peek(&entry->kinds, kind);
    if (trial == NULL) {
        return entry->kinds.count > 0;
    }
    return trial->side == FJ_PLAIN && !trial->running && trial->calls < trial->wait;
}

/* 1 if each of the entries leaves calls of this kind to plain Python. */
int
fj_cache_rests(const fj_cache *cache, uint64_t kind)
{
    for (Py_ssize_t k = 0; k < cache->count; k++) {
        if (!leaves_to_plain(cache->items[k], kind)) {
            return 0;
        }
    }
    return cache->count > 0;
}

/* add(entry) of dispatchers and segments. Takes a new reference to the entry; new reference to None, or
 * NULL with an exception. */
PyObject *
fj_cache_add(fj_cache *cache, PyObject *entry)
{
    if (!PyObject_TypeCheck(entry, &FjEntry_Type)) {
        PyErr_Format(PyExc_TypeError, "add: an Entry is needed, not %.100s",
                     Py_TYPE(entry)->tp_name);
        return NULL;
    }
    size_t size = (size_t)(cache->count + 1) * sizeof(fj_entry *);
    fj_entry **grown = PyMem_Realloc(cache->items, size); /* PyMem_Resize would lose the items */
    if (grown == NULL) {
        return PyErr_NoMemory();
    }
    cache->items = grown;
    memmove(grown + 1, grown, (size_t)cache->count * sizeof(fj_entry *));
    grown[0] = (fj_entry *)Py_NewRef(entry);
    cache->count++;
    Py_RETURN_NONE;
}

void
fj_cache_clear(fj_cache *cache)
{
    fj_entry **items = cache->items;
    Py_ssize_t count = cache->count;
    cache->items = NULL;
    cache->count = 0;
    for (Py_ssize_t k = 0; k < count; k++) {
        Py_DECREF(items[k]);
    }
    PyMem_Free(items);
}

/* New list of the entries. */
PyObject *
fj_cache_list(const fj_cache *cache)
{
    PyObject *list = PyList_New(cache->count);
    for (Py_ssize_t k = 0; list != NULL && k < cache->count; k++) {
        PyList_SET_ITEM(list, k, Py_NewRef((PyObject *)cache->items[k]));
    }
    return list;
}

int
fj_cache_traverse(const fj_cache *cache, visitproc visit, void *arg)
{
    for (Py_ssize_t k = 0; k < cache->count; k++) {
        Py_VISIT(cache->items[k]);
    }
    return 0;
}
