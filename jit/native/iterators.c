/* Iterators that are objects.
 *
 * Since 3.15 a loop over a list, a tuple or a str keeps the iterable itself on the stack, with an index above it
 * that is no object, so no segment can be given it. Code that framejit writes calls `iterator_object` before
 * GET_ITER (frontends/bytecode/rewrite.py): then iter() of such an iterable is on the stack, with NULL above it,
 * as for every other iterator. A frame that goes over into such code brings its iterator along
 * (`fj_frame_settle_iterator`). Both go through the same items, also if the list changes meanwhile. */
#define FJ_INTERP_INSIDE
#include "iterators.h"
#include <stddef.h>

typedef struct {
    PyObject_HEAD
    vectorcallfunc vectorcall;
} fj_maker;

/* maker(iterable): its iterator if loops would go through it by index, else the same object; a new reference, or
 * NULL with an exception. */
static PyObject *
call(PyObject *Py_UNUSED(self), PyObject *const *args, size_t nargsf, PyObject *kwnames)
{
    if (PyVectorcall_NARGS(nargsf) != 1 || kwnames != NULL) {
        PyErr_SetString(PyExc_TypeError, "iterator_object takes one argument");
        return NULL;
    }
    return fj_iterates_by_index(Py_TYPE(args[0])) ? PyObject_GetIter(args[0]) : Py_NewRef(args[0]);
}

static void
dealloc(PyObject *self)
{
    PyObject_Free(self);
}

static PyTypeObject Maker_Type = {
    PyVarObject_HEAD_INIT(NULL, 0)
    .tp_name = "framejit.jit.native._core.IteratorObject",
    .tp_doc = "Called before GET_ITER: iter(iterable) where a loop would keep an index, else the iterable.",
    .tp_basicsize = sizeof(fj_maker),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_VECTORCALL,
    .tp_vectorcall_offset = offsetof(fj_maker, vectorcall),
    .tp_call = PyVectorcall_Call,
    .tp_dealloc = dealloc,
};

#if FJ_HOOK_SUPPORTED

int
fj_frame_settle_iterator(fj_frame *frame)
{
    Py_ssize_t index;
    PyObject *iterable = fj_frame_indexed(frame, &index); /* borrowed */
    if (iterable == NULL) {
        return 0;
    }
    PyObject *iterator = PyObject_GetIter(iterable);
    PyObject *set = iterator == NULL ? NULL : PyObject_CallMethod(iterator, "__setstate__", "n", index);
    if (set == NULL) {
        Py_XDECREF(iterator);
        PyErr_Clear();
        return -1;
    }
    Py_DECREF(set);
    fj_frame_exchange_indexed(frame, iterator);
    return 0;
}

#endif

int
fj_iterators_init(PyObject *module)
{
    if (PyType_Ready(&Maker_Type) < 0) {
        return -1;
    }
    fj_maker *made = PyObject_New(fj_maker, &Maker_Type);
    if (made == NULL) {
        return -1;
    }
    made->vectorcall = call;
    int status = PyModule_AddObjectRef(module, "iterator_object", (PyObject *)made);
    Py_DECREF(made);
    return status;
}
