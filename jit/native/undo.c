/* Arrays that a kernel writes to in a place where eager could not go on: a bail puts them back. */
#include "core.h"

/* Keeps a copy of the array in the slot. 0, or FJ_KERNEL_BAIL when there is no memory for it. */
int64_t
fj_rt_undo(int64_t *words, int64_t slot)
{
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
    PyArrayObject *array = (PyArrayObject *)run->slots[slot];
    PyArrayObject *before = (PyArrayObject *)PyArray_NewCopy(array, NPY_KEEPORDER);
    if (before == NULL) {
        PyErr_Clear();
        return FJ_KERNEL_BAIL;
    }
    Py_INCREF(array);
    run->undo[run->n_undo++] = (fj_undo_item){array, before};
    return 0;
}

int64_t
fj_rt_commit(int64_t *words, int64_t ignored)
{
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
        Py_DECREF(item.array);
        Py_DECREF(item.before);
    }
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
        /* Same dtype and shape, and the kernel has written to it: this cannot fail. */
        if (PyArray_CopyInto(run->undo[k].array, run->undo[k].before) < 0) {
            PyErr_Clear();
        }
    }
    fj_undo_drop(run);
    PyErr_Restore(type, value, traceback);
}
