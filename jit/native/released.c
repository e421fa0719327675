/* Releases the GIL while a long loop of a kernel runs.
 *
 * Such a loop touches no object and does not call the run time, so other threads may do what they like, as
 * during a loop of NumPy's. The kernel continues with the shapes, names and numbers that it was given, as if
 * other threads' changes came after its segment: the segment waits for nobody, so nobody can tell. A loop of
 * the program may wait; at its polls it checks again, and is told here of arrays that have changed.
 *
 * `a.resize(n, refcheck=False)` would free the memory in which the loop works, and NumPy's own loops have
 * that fault. Here NumPy refuses, since it resizes no array to which there is a weak reference. */
#include "released.h"
#include <pthread.h>

static int launches; /* that run without the GIL; changed and read with it */

int fj_checks_gil;

enum { WATCHED_FLAGS = NPY_ARRAY_WRITEABLE | NPY_ARRAY_ALIGNED };

/* Return the array at the end of the chain of bases, or NULL if another object owns the memory. Borrows. */
static PyArrayObject *
owner_of(PyArrayObject *array)
{
    PyObject *base = PyArray_BASE(array);
    while (base != NULL && PyArray_Check(base)) {
        array = (PyArrayObject *)base;
        base = PyArray_BASE(array);
    }
    return base == NULL ? array : NULL;
}

/* Takes references of its own. 0, or -1 without an exception. */
static int
note_one(fj_standing *made, PyArrayObject *array, int pin)
{
    PyArrayObject *owner = pin ? owner_of(array) : NULL;
    made->pin = owner == NULL ? NULL : PyWeakref_NewRef((PyObject *)owner, NULL);
    if (owner != NULL && made->pin == NULL) {
        PyErr_Clear();
        return -1;
    }
    made->array = (PyArrayObject *)Py_NewRef(array);
    made->descr = PyArray_DESCR(array);
    made->data = PyArray_BYTES(array);
    made->flags = PyArray_FLAGS(array) & WATCHED_FLAGS;
    made->ndim = PyArray_NDIM(array);
    size_t size = (size_t)made->ndim * sizeof(npy_intp);
    memcpy(made->axes, PyArray_DIMS(array), size);
    memcpy(made->axes + FJ_MAX_NDIM, PyArray_STRIDES(array), size);
    return 0;
}

int
fj_note(fj_noted *noted, const fj_run *run, int pin)
{
    Py_ssize_t room = run->entry->n_slots;
    noted->count = 0;
    noted->arrays = malloc(((size_t)room + 1) * sizeof(fj_standing));
    if (noted->arrays == NULL) {
        return -1;
    }
    for (Py_ssize_t k = 0; k < room; k++) {
        PyObject *object = run->slots[k];
        if (object == NULL || !PyArray_Check(object) ||
            PyArray_NDIM((PyArrayObject *)object) > FJ_MAX_NDIM) {
            continue; /* kernels compute with no such array */
        }
        if (note_one(&noted->arrays[noted->count], (PyArrayObject *)object, pin) < 0) {
            fj_forget(noted);
            return -1;
        }
        noted->count++;
    }
    return 0;
}

int
fj_stand(const fj_noted *noted)
{
    for (Py_ssize_t k = 0; k < noted->count; k++) {
        const fj_standing *one = &noted->arrays[k];
        size_t size = (size_t)one->ndim * sizeof(npy_intp);
        if (PyArray_BYTES(one->array) != one->data || PyArray_DESCR(one->array) != one->descr ||
            (PyArray_FLAGS(one->array) & WATCHED_FLAGS) != one->flags ||
            PyArray_NDIM(one->array) != one->ndim ||
            memcmp(PyArray_DIMS(one->array), one->axes, size) != 0 ||
            memcmp(PyArray_STRIDES(one->array), one->axes + FJ_MAX_NDIM, size) != 0) {
            return 0;
        }
    }
    return 1;
}

void
fj_forget(fj_noted *noted)
{
    PyObject *type, *value, *traceback;
    PyErr_Fetch(&type, &value, &traceback);
    while (noted->count > 0) {
        fj_standing one = noted->arrays[--noted->count];
        Py_XDECREF(one.pin);
        Py_DECREF(one.array);
    }
    free(noted->arrays);
    noted->arrays = NULL;
    PyErr_Restore(type, value, traceback);
}

int
fj_release(fj_noted *noted, const fj_run *run)
{
    if (fj_note(noted, run, 1) < 0) {
        return 0;
    }
    launches++;
    noted->thread = PyEval_SaveThread();
    return 1;
}

void
fj_take_back(fj_noted *noted, fj_run *run)
{
    PyEval_RestoreThread(noted->thread);
    launches--;
    run->changed |= !fj_stand(noted);
    fj_forget(noted);
}

int
fj_released_launches(void)
{
    return launches;
}

/* A forked child has none of the threads in which they run. */
static void
begin_child(void)
{
    launches = 0;
}

int
fj_released_init(void)
{
    if (pthread_atfork(NULL, NULL, begin_child) != 0) {
        PyErr_NoMemory();
        return -1;
    }
    return 0;
}
