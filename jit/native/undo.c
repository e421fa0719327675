/* The undo log of kernels: writes after which eager could not continue are undone by a bail. */
#include "parallel.h"
#include "released.h"
#include "undo.h"

/* Return a copy of an array: a new reference, or NULL with an exception. */
static PyArrayObject *
copy_of(const fj_entry *entry, PyArrayObject *array)
{
    int order = PyArray_FLAGS(array) & (NPY_ARRAY_C_CONTIGUOUS | NPY_ARRAY_F_CONTIGUOUS);
    if (order == 0 || PyDataType_REFCHK(PyArray_DESCR(array))) {
        return (PyArrayObject *)PyArray_NewCopy(array, NPY_KEEPORDER);
    }
    PyArrayObject *made = (PyArrayObject *)PyArray_NewLikeArray(array, NPY_KEEPORDER, NULL, 0);
    if (made != NULL) {
        fj_copy(entry, PyArray_DATA(made), PyArray_DATA(array), (size_t)PyArray_NBYTES(array));
    }
    return made;
}

/* Log the array in the slot, with a copy of its items, or a callable, which a bail calls without arguments. 0,
 * or FJ_KERNEL_BAIL if there is no memory for it. */
int64_t
fj_rt_undo(int64_t *words, int64_t slot)
{
    fj_needs_gil();
    fj_run *run = (fj_run *)(intptr_t)words[FJ_W_RUN];
    if (run->n_undo == run->room_undo) {
        Py_ssize_t room = run->room_undo ? 2 * run->room_undo : 4;
        fj_undo_item *grown = realloc(run->undo, (size_t)room * sizeof(fj_undo_item));
        if (grown == NULL) {
            return FJ_KERNEL_BAIL;
        }
        run->undo = grown;
        run->room_undo = room;
    }
    PyObject *object = run->slots[slot];
    PyArrayObject *before = NULL;
    if (PyArray_Check(object)) {
        before = copy_of(run->entry, (PyArrayObject *)object);
        if (before == NULL) {
            PyErr_Clear();
            return FJ_KERNEL_BAIL;
        }
    }
    fj_undo_item *item = &run->undo[run->n_undo++];
    item->object = Py_NewRef(object);
    item->before = before;
    if (before != NULL) {
        const PyArrayObject *array = (PyArrayObject *)object;
        item->data = PyArray_BYTES(array);
        memcpy(item->strides, PyArray_STRIDES(array), (size_t)PyArray_NDIM(array) * sizeof(npy_intp));
    }
    return 0;
}

int64_t
fj_rt_commit(int64_t *words, int64_t ignored)
{
    fj_needs_gil();
    (void)ignored;
    fj_run *run = (fj_run *)(intptr_t)words[FJ_W_RUN];
    fj_undo_drop(run);
    run->n_settled = run->n_log;
    return 0;
}

void
fj_undo_drop(fj_run *run)
{
    while (run->n_undo > 0) {
        fj_undo_item item = run->undo[--run->n_undo];
        Py_DECREF(item.object);
        Py_XDECREF(item.before);
    }
}

/* Write items back to where they were, even if another thread has reshaped the array since, or made it
 * read-only. Memory that it has moved is not touched. -1 with an exception. */
static int
write_back(const fj_undo_item *item)
{
    PyArrayObject *object = (PyArrayObject *)item->object, *before = item->before;
    if (PyArray_BYTES(object) != item->data || PyArray_NBYTES(object) != PyArray_NBYTES(before)) {
        return 0;
    }
    PyArray_Descr *descr = PyArray_DESCR(before);
    Py_INCREF(descr); /* the array that is made takes it over */
    PyArrayObject *place = (PyArrayObject *)PyArray_NewFromDescr(
        &PyArray_Type, descr, PyArray_NDIM(before), PyArray_DIMS(before), item->strides, item->data,
        NPY_ARRAY_WRITEABLE, NULL);
    int status = place == NULL ? -1 : PyArray_CopyInto(place, before);
    Py_XDECREF(place);
    return status;
}

/* Undo one item; fails only if there is no memory for it. */
static int
put_back(const fj_undo_item *item)
{
    if (item->before != NULL) {
        return write_back(item);
    }
    PyObject *result = PyObject_CallNoArgs(item->object);
    Py_XDECREF(result);
    return result == NULL ? -1 : 0;
}

void
fj_undo_restore(fj_run *run)
{
    if (run->n_undo == 0) {
        return;
    }
    PyObject *type, *value, *traceback;
    PyErr_Fetch(&type, &value, &traceback);
    for (Py_ssize_t k = run->n_undo - 1; k >= 0; k--) {
        if (put_back(&run->undo[k]) < 0) {
            PyErr_Clear();
        }
    }
    fj_undo_drop(run);
    PyErr_Restore(type, value, traceback);
}
