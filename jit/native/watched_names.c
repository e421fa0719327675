/* Watches names that framejit relies on. They are compared only if their namespace has changed since.
 *
 * There are two sorts. The builtins that the engine's own Python code looks up: while a program has deleted or
 * replaced one of them eager runs, as the engine would fail, or run code of the user's. And the globals of
 * NumPy's modules whose Python is captured: one guard tests all of them. */
#include "watched_names.h"
#include "core.h"
#include "interp.h"

static PyObject *watched;  /* owned: name -> object; NULL until watch_builtins() is called */
static PyObject *builtins; /* owned: their namespace */
static uint64_t seen;      /* the version of the namespace for which `exchanged` was found; 0: none */
static int exchanged;

/* Return a number that differs after each change of the dict, once `tells_changes` has returned 1; it is
 * compared instead of the names. If dicts have no versions it is one number for all dicts that are watched:
 * these dicts change seldom. */
#if FJ_DICTS_HAVE_VERSIONS || !FJ_HOOK_SUPPORTED

static uint64_t
version_of(PyObject *dict)
{
#if FJ_HOOK_SUPPORTED
    return fj_dict_version(dict);
#else /* eager runs, and relies on no name */
    (void)dict;
    return 0;
#endif
}

static int
tells_changes(PyObject *Py_UNUSED(dict))
{
    return 1;
}

#else

enum { UNASKED = -2, NONE_LEFT = -1 };
static int watcher = UNASKED; /* our number among the few watchers of the process */
static uint64_t changes = 1;

/* Called before each change of a dict that is watched. */
static int
note_change(PyDict_WatchEvent Py_UNUSED(event), PyObject *Py_UNUSED(dict), PyObject *Py_UNUSED(key),
            PyObject *Py_UNUSED(value))
{
    changes++;
    return 0;
}

static uint64_t
version_of(PyObject *Py_UNUSED(dict))
{
    return changes;
}

/* Watch the dict: 1, or 0 without an exception if all watchers of the process are taken. */
static int
tells_changes(PyObject *dict)
{
    if (watcher == UNASKED) {
        watcher = PyDict_AddWatcher(note_change);
    }
    if (watcher < 0 || PyDict_Watch(watcher, dict) < 0) {
        PyErr_Clear();
        watcher = watcher < 0 ? NONE_LEFT : watcher;
        return 0;
    }
    return 1;
}

#endif

/* Compare by iteration, as a look-up would call __eq__ of keys of the user's own types. */
static int
all_there(PyObject *home, PyObject *names)
{
    PyObject *key, *value;
    Py_ssize_t place = 0, found = 0;
    while (PyDict_Next(home, &place, &key, &value)) {
        if (!PyUnicode_CheckExact(key)) {
            return 0;
        }
        PyObject *ours = PyDict_GetItemWithError(names, key); /* borrowed */
        if (ours != NULL && ours != value) {
            return 0;
        }
        found += ours != NULL;
    }
    return found == PyDict_GET_SIZE(names);
}

int
fj_names_hold(PyObject *home, PyObject *names, int64_t *seen)
{
    int64_t version = (int64_t)version_of(home);
    if (version == *seen) {
        return 1;
    }
    int tells = tells_changes(home);
    if (!all_there(home, names)) {
        return 0;
    }
    *seen = tells ? version : 0;
    return 1;
}

int
fj_builtins_exchanged(void)
{
    if (watched == NULL) {
        return 0;
    }
    uint64_t version = version_of(builtins);
    if (version != seen) {
        seen = tells_changes(builtins) ? version : 0;
        exchanged = !all_there(builtins, watched);
    }
    return exchanged;
}

/* watch_builtins(names): framejit steps aside while builtins differ from this dict of names and objects. */
static PyObject *
watch_builtins(PyObject *module, PyObject *names)
{
    (void)module;
    if (!PyDict_CheckExact(names)) {
        PyErr_SetString(PyExc_TypeError, "watch_builtins: a dict is needed");
        return NULL;
    }
    PyObject *home = PyImport_ImportModule("builtins");
    if (home == NULL) {
        return NULL;
    }
    Py_XSETREF(builtins, Py_NewRef(PyModule_GetDict(home)));
    Py_XSETREF(watched, Py_NewRef(names));
    Py_DECREF(home);
    seen = 0;
    exchanged = !all_there(builtins, watched);
    Py_RETURN_NONE;
}

/* exchanged_builtins(): a new list of the watched names that are deleted or replaced. */
static PyObject *
exchanged_builtins(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(ignored))
{
    PyObject *names = PyList_New(0);
    if (names == NULL || !fj_builtins_exchanged()) {
        return names;
    }
    PyObject *name, *ours;
    Py_ssize_t place = 0;
    while (PyDict_Next(watched, &place, &name, &ours)) {
        PyObject *key, *value;
        Py_ssize_t at = 0;
        int same = 0;
        while (!same && PyDict_Next(builtins, &at, &key, &value)) {
            same = value == ours && PyUnicode_CheckExact(key) && PyUnicode_Compare(key, name) == 0;
        }
        if (!same && PyList_Append(names, name) < 0) {
            Py_DECREF(names);
            return NULL;
        }
    }
    return names;
}

static PyMethodDef functions[] = {
    {"watch_builtins", watch_builtins, METH_O,
     "watch_builtins(names): eager runs while one of these builtins is deleted or replaced."},
    {"exchanged_builtins", exchanged_builtins, METH_NOARGS,
     "exchanged_builtins() -> the watched builtins that are deleted or replaced now."},
    {NULL, NULL, 0, NULL},
};

int
fj_watched_names_init(PyObject *module)
{
    return PyModule_AddFunctions(module, functions);
}
