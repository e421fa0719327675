/* Recipes: postfix programs that build the Python objects that a launch returns, and that perform its effects
 * on other objects. tables.c has checked that operands exist and that one object is left. */
#include "core.h"

enum { STACK_DEPTH = 32 };

/* The last `count` objects become one container; they are consumed (stolen). New reference, NULL
 * on error with the objects still owned by the caller's stack. */
static PyObject *
collect(int32_t op, PyObject **items, int32_t count)
{
    PyObject *built = op == FJ_R_TUPLE ? PyTuple_New(count) : PyList_New(count);
    if (built == NULL) {
        return NULL;
    }
    for (int32_t k = 0; k < count; k++) {
        if (op == FJ_R_TUPLE) {
            PyTuple_SET_ITEM(built, k, items[k]);
        }
        else {
            PyList_SET_ITEM(built, k, items[k]);
        }
        items[k] = NULL;
    }
    return built;
}

/* `pairs` times key, value on the stack; borrows them. New reference. */
static PyObject *
make_dict(PyObject **items, int32_t pairs)
{
    PyObject *built = PyDict_New();
    for (int32_t k = 0; built != NULL && k < pairs; k++) {
        if (PyDict_SetItem(built, items[2 * k], items[2 * k + 1]) < 0) {
            Py_CLEAR(built);
        }
    }
    return built;
}

/* A leaf of the recipe: new reference, NULL with an exception. */
static PyObject *
make_leaf(fj_run *run, const fj_step *step)
{
    PyObject *objects = run->entry->objects;
    int64_t *word = &run->words[step->a];
    switch (step->op) {
    case FJ_R_SLOT:
        if (run->slots[step->a] == NULL) {
            PyErr_SetString(PyExc_SystemError, "framejit: a recipe wants an object never made");
            return NULL;
        }
        return Py_NewRef(run->slots[step->a]);
    case FJ_R_CONST:
        return Py_NewRef(PyTuple_GET_ITEM(objects, step->a));
    case FJ_R_INT:
        return PyLong_FromLongLong(*word);
    case FJ_R_FLOAT: {
        double value;
        memcpy(&value, word, sizeof value);
        return PyFloat_FromDouble(value);
    }
    case FJ_R_BOOL:
        return PyBool_FromLong(*word & 1);
    case FJ_R_COMPLEX: {
        Py_complex value;
        memcpy(&value, word, sizeof value);
        return PyComplex_FromCComplex(value);
    }
    case FJ_R_SCALAR:
        return PyArray_Scalar(word, (PyArray_Descr *)PyTuple_GET_ITEM(objects, step->b), NULL);
    }
    PyErr_Format(PyExc_SystemError, "framejit: unknown recipe operation %d", step->op);
    return NULL;
}

/* Return the number of objects that the step takes from the stack. */
static int32_t
operands(const fj_step *step)
{
    switch (step->op) {
    case FJ_R_TUPLE:
    case FJ_R_LIST:
        return step->a;
    case FJ_R_DICT:
        return 2 * step->a;
    case FJ_R_CALL:
        return step->a + 1;
    case FJ_R_KEEP:
    case FJ_R_ORIGIN:
    case FJ_R_DROP:
        return 1;
    }
    return 0;
}

/* Return the object that a number was before paths merged: the kernel has stored in the word which one it is.
 * Borrows `number`, which is equal to it. New reference, NULL with an exception. */
static PyObject *
object_of_number(fj_run *run, int64_t origin, PyObject *number)
{
    if (origin == 0) {
        return Py_NewRef(number);
    }
    if (origin < 0 || origin > run->entry->n_slots) {
        PyErr_SetString(PyExc_SystemError, "framejit: a number from a slot that is not there");
        return NULL;
    }
    PyObject **slot = &run->slots[origin - 1];
    if (*slot == NULL) {
        *slot = Py_NewRef(number);
    }
    return Py_NewRef(*slot);
}

/* Borrows its operands, or steals and clears them (`collect`). New reference, NULL on error. */
static PyObject *
make_node(fj_run *run, const fj_step *step, PyObject **items)
{
    if (step->op == FJ_R_KEEP) {
        Py_XSETREF(run->slots[step->a], Py_NewRef(items[0]));
        return Py_NewRef(items[0]);
    }
    if (step->op == FJ_R_ORIGIN) {
        return object_of_number(run, run->words[step->a], items[0]);
    }
    if (step->op == FJ_R_CALL) {
        return PyObject_Vectorcall(items[0], items + 1, (size_t)step->a, NULL);
    }
    if (step->op == FJ_R_DICT) {
        return make_dict(items, step->a);
    }
    return collect(step->op, items, step->a);
}

/* Runs the steps over an empty stack that is deep enough. New reference, NULL with an exception;
 * either way the stack owns nothing any more. */
static PyObject *
run_steps(fj_run *run, const fj_recipe *recipe, PyObject **stack)
{
    const fj_step *step = &run->entry->steps[recipe->start];
    int32_t depth = 0;
    for (int32_t k = 0; k < recipe->length; k++, step++) {
        int32_t taken = operands(step);
        PyObject **items = &stack[depth - taken];
        if (step->op == FJ_R_DROP) {
            Py_DECREF(stack[--depth]);
            continue;
        }
        PyObject *made = step->op < FJ_R_TUPLE ? make_leaf(run, step) : make_node(run, step, items);
        if (made == NULL) {
            while (depth > 0) {
                Py_XDECREF(stack[--depth]);
            }
            return NULL;
        }
        for (int32_t item = 0; item < taken; item++) {
            Py_XDECREF(items[item]);
        }
        depth -= taken;
        stack[depth++] = made;
    }
    return stack[0];
}

PyObject *
fj_recipe_build(fj_run *run, Py_ssize_t index)
{
    const fj_entry *entry = run->entry;
    const fj_recipe *recipe = &entry->recipes[index];
    if (recipe->length == 1 && entry->steps[recipe->start].op < FJ_R_TUPLE) {
        return make_leaf(run, &entry->steps[recipe->start]); /* by far the most frequent */
    }
    if (entry->depth <= STACK_DEPTH) {
        PyObject *stack[STACK_DEPTH];
        return run_steps(run, recipe, stack);
    }
    PyObject **stack = PyMem_New(PyObject *, entry->depth);
    if (stack == NULL) {
        return PyErr_NoMemory();
    }
    PyObject *built = run_steps(run, recipe, stack);
    PyMem_Free(stack);
    return built;
}
