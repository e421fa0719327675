/* Fills a new entry from the tables that Python packed: the arguments of `Entry(...)`. */
#include "core.h"
#include "parallel.h"
#include "rooms.h"

/* Copies a bytes object into a fresh array of `item` byte structs; borrows `packed`. -1 on error. */
static int
unpack(PyObject *packed, size_t item, const char *name, void *target, Py_ssize_t *count)
{
    Py_ssize_t size = PyBytes_GET_SIZE(packed);
    if (size % (Py_ssize_t)item != 0) {
        PyErr_Format(PyExc_ValueError, "Entry: %s holds %zd bytes, not a multiple of %zd", name,
                     size, (Py_ssize_t)item);
        return -1;
    }
    void *memory = PyMem_Malloc(size > 0 ? (size_t)size : 1);
    if (memory == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    memcpy(memory, PyBytes_AS_STRING(packed), (size_t)size);
    *(void **)target = memory;
    *count = size / (Py_ssize_t)item;
    return 0;
}

static PyObject *
optional(PyObject *value) /* new reference, NULL for None */
{
    return value == Py_None ? NULL : Py_NewRef(value);
}

int
fj_fill_entry(fj_entry *entry, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"objects", "guards",  "n_guards", "loads",  "n_loads",
                            "arrays",  "calls",   "recipes",  "steps",  "words",
                            "n_live",  "n_slots", "n_exits",  "scratch", "reports",
                            "kernel",  "keepalive", "python_kernel", "owner", "options",
                            "bails",   NULL};
    PyObject *objects, *guards, *loads, *arrays, *calls, *recipes, *steps, *words;
    PyObject *keepalive, *python_kernel, *owner, *options, *bails;
    Py_ssize_t n_guards, n_loads, n_bails;
    unsigned long long kernel;
    if (!PyArg_ParseTupleAndKeywords(
            args, kwargs, "$O!SnSnSSSSSnnnniKOOOOS:Entry", names, &PyTuple_Type, &objects, &guards,
            &n_guards, &loads, &n_loads, &arrays, &calls, &recipes, &steps, &words, &entry->n_live,
            &entry->n_slots, &entry->n_exits, &entry->scratch, &entry->reports, &kernel,
            &keepalive, &python_kernel, &owner, &options, &bails)) {
        return -1;
    }
    entry->objects = Py_NewRef(objects);
    entry->keepalive = optional(keepalive);
    entry->python_kernel = optional(python_kernel);
    entry->owner = Py_NewRef(owner);
    entry->options = Py_NewRef(options);
    entry->kernel = (fj_kernel)(uintptr_t)kernel;
    if (unpack(guards, sizeof(fj_guard), "guards", &entry->guards, &entry->n_guards) < 0 ||
        unpack(loads, sizeof(fj_load), "loads", &entry->loads, &entry->n_loads) < 0 ||
        unpack(arrays, sizeof(fj_array_spec), "arrays", &entry->arrays, &entry->n_arrays) < 0 ||
        unpack(calls, sizeof(fj_call), "calls", &entry->calls, &entry->n_calls) < 0 ||
        unpack(recipes, sizeof(fj_recipe), "recipes", &entry->recipes, &entry->n_recipes) < 0 ||
        unpack(steps, sizeof(fj_step), "steps", &entry->steps, &entry->n_steps) < 0 ||
        unpack(words, sizeof(int64_t), "words", &entry->words, &entry->n_words) < 0 ||
        unpack(bails, 1, "bails", &entry->bail_exits, &n_bails) < 0) {
        return -1;
    }
    if (fj_tables_hold(entry, n_guards, n_loads) < 0) {
        return -1;
    }
    if (n_bails != entry->n_exits) {
        PyErr_SetString(PyExc_ValueError, "Entry: each exit is a checkpoint or is not");
        return -1;
    }
    for (Py_ssize_t k = 0; k < n_bails; k++) {
        entry->n_bail_exits += entry->bail_exits[k] != 0;
    }
    /* Guards and loads beyond these counts belong to results of opaque calls. */
    entry->n_guards = n_guards;
    entry->converts = fj_converts(entry->guards, n_guards);
    entry->n_loads = n_loads;
    entry->kinds.most = FJ_LONG_KERNEL;
    entry->kinds.saves = FJ_GUARDS;
    entry->words[FJ_W_ALLOC] = (int64_t)(intptr_t)fj_rt_alloc;
    entry->words[FJ_W_CALL] = (int64_t)(intptr_t)fj_rt_call;
    entry->words[FJ_W_FLAGS] = (int64_t)(intptr_t)fj_rt_flags;
    entry->words[FJ_W_DUE] = (int64_t)(intptr_t)fj_rt_due;
    entry->words[FJ_W_KEEP] = (int64_t)(intptr_t)fj_rt_keep;
    entry->words[FJ_W_SWAP] = (int64_t)(intptr_t)fj_rt_swap;
    entry->words[FJ_W_UNDO] = (int64_t)(intptr_t)fj_rt_undo;
    entry->words[FJ_W_POLL] = (int64_t)(intptr_t)fj_rt_poll;
    entry->words[FJ_W_COMMIT] = (int64_t)(intptr_t)fj_rt_commit;
    entry->words[FJ_W_LOG] = (int64_t)(intptr_t)fj_rt_log;
    entry->words[FJ_W_LOUD] = (int64_t)(intptr_t)fj_rt_loud;
    entry->words[FJ_W_ROOM] = (int64_t)(intptr_t)fj_rt_room;
    entry->words[FJ_W_PARALLEL] = (int64_t)(intptr_t)fj_rt_parallel;
    return 0;
}
