/* Reads the attributes of an object without creating its `__dict__`.
 *
 * CPython keeps the attributes of most objects as bare values beside the names that their class shares, and
 * creates a dict of them on request. That is observable: the garbage collector counts the dict, and on 3.11
 * and 3.12 attribute access is slower from then on. */
#define FJ_INTERP_INSIDE
#include "namespace.h"

#if FJ_HOOK_SUPPORTED

/* Return a new dict of the bare values of `object` (borrowed); NULL with an exception. */
static PyObject *
names_of_values(PyObject *object, PyObject **values)
{
    PyDictKeysObject *keys = ((PyHeapTypeObject *)Py_TYPE(object))->ht_cached_keys;
    PyObject *names = PyDict_New();
    for (Py_ssize_t i = 0; names != NULL && i < keys->dk_nentries; i++) {
        PyObject *key = DK_UNICODE_ENTRIES(keys)[i].me_key;
        if (values[i] != NULL && PyDict_SetItem(names, key, values[i]) < 0) {
            Py_CLEAR(names);
        }
    }
    return names;
}

#endif

PyObject *
fj_dict_of_names(PyObject *object)
{
#if FJ_HOOK_SUPPORTED
    if (fj_bare_values(object) != NULL) {
        return NULL;
    }
#endif
    PyObject **place = _PyObject_GetDictPtr(object);
    return place == NULL ? NULL : *place;
}

#if FJ_HOOK_SUPPORTED

enum { NO_PLACE = INT32_MAX }; /* of a name that equals the key of the dict, and is another object */

/* Return the entries of a dict that holds all its keys, str, beside their values; NULL for other dicts. */
static const PyDictUnicodeEntry *
entries_of(PyObject *dict, Py_ssize_t *count)
{
    const PyDictObject *names = (PyDictObject *)dict;
    PyDictKeysObject *keys = names->ma_keys;
    if (names->ma_values != NULL || !DK_IS_UNICODE(keys)) {
        return NULL;
    }
    *count = keys->dk_nentries;
    return DK_UNICODE_ENTRIES(keys);
}

/* Return the place of a name that the dict has. It is searched from the place before on: a name that was
 * deleted and assigned again stands behind it. */
static int32_t
place_of(PyObject *dict, PyObject *name, int32_t before)
{
    Py_ssize_t count;
    const PyDictUnicodeEntry *entries = entries_of(dict, &count);
    if (entries == NULL || before == NO_PLACE || count >= NO_PLACE) {
        return before;
    }
    for (Py_ssize_t k = 0; k < count; k++) {
        Py_ssize_t place = (before + k) % count;
        if (entries[place].me_key == name) {
            return (int32_t)place;
        }
    }
    return NO_PLACE;
}

#endif

/* The key and the value of an entry are unset together, and a dict has a key once: so the name that stands at a
 * place has its value there. */
PyObject *
fj_dict_item(PyObject *dict, PyObject *name, int32_t *place)
{
#if FJ_HOOK_SUPPORTED
    Py_ssize_t count;
    const PyDictUnicodeEntry *entries = entries_of(dict, &count);
    if (entries != NULL && *place < count && entries[*place].me_key == name) {
        return entries[*place].me_value;
    }
#endif
    PyObject *found = PyDict_GetItemWithError(dict, name);
#if FJ_HOOK_SUPPORTED
    if (found != NULL) {
        *place = place_of(dict, name, *place);
    }
#else
    (void)place;
#endif
    return found;
}

/* A new dict with the names that are in one of a derived class (borrowed), whose methods may be anything;
 * NULL with an exception. */
static PyObject *
plain_copy(PyObject *derived)
{
    PyObject *key, *value, *names = PyDict_New();
    Py_ssize_t position = 0;
    while (names != NULL && PyDict_Next(derived, &position, &key, &value)) {
        if (PyUnicode_CheckExact(key) && PyDict_SetItem(names, key, value) < 0) {
            Py_CLEAR(names);
        }
    }
    return names;
}

/* own_names(object): a new reference to its dict, or to one with the same names and values; an empty
 * dict for an object that cannot have any. Runs no Python code. NULL with an exception. */
static PyObject *
own_names(PyObject *Py_UNUSED(module), PyObject *object)
{
#if FJ_HOOK_SUPPORTED
    PyObject **values = fj_bare_values(object);
    if (values != NULL) {
        return names_of_values(object, values);
    }
#endif
    PyObject **place = _PyObject_GetDictPtr(object);
    if (place == NULL || *place == NULL || !PyDict_Check(*place)) {
        return PyDict_New();
    }
    return PyDict_CheckExact(*place) ? Py_NewRef(*place) : plain_copy(*place);
}

/* names_are_own(object) -> bool: true if nobody else holds the dict of its attributes. */
static PyObject *
names_are_own(PyObject *Py_UNUSED(module), PyObject *object)
{
    const PyObject *names = fj_dict_of_names(object);
    return PyBool_FromLong(names == NULL || Py_REFCNT(names) == 1);
}

/* plain_attributes(type): a new reference to (reads, sets): true if attributes of its objects are read, and
 * set and deleted, as `object` does. NULL with an exception. */
static PyObject *
plain_attributes(PyObject *Py_UNUSED(module), PyObject *type)
{
    if (!PyType_Check(type)) {
        return PyErr_Format(PyExc_TypeError, "plain_attributes() takes a type, not %R", type);
    }
    PyTypeObject *kind = (PyTypeObject *)type;
    PyObject *reads = kind->tp_getattro == PyObject_GenericGetAttr ? Py_True : Py_False;
    PyObject *sets = kind->tp_setattro == PyObject_GenericSetAttr ? Py_True : Py_False;
    return PyTuple_Pack(2, reads, sets);
}

static PyMethodDef functions[] = {
    {"own_names", own_names, METH_O,
     "own_names(object) -> what it holds under names of its own: its dict, if it has one already."},
    {"names_are_own", names_are_own, METH_O,
     "names_are_own(object) -> whether nobody else holds the dict of its attributes."},
    {"plain_attributes", plain_attributes, METH_O,
     "plain_attributes(type) -> (reads, sets): whether `object` itself looks up and sets attributes."},
    {NULL, NULL, 0, NULL},
};

int
fj_namespace_init(PyObject *module)
{
    return PyModule_AddFunctions(module, functions);
}
