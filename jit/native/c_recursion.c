/* Compensates for levels of C recursion, which 3.12 and 3.13 count: see c_recursion.h. */
#define FJ_INTERP_INSIDE
#include "c_recursion.h"

#if FJ_HOOK_SUPPORTED

#if FJ_COUNTS_C_RECURSION

#include <opcode.h>

int fj_c_recursion_of_eval;

static PyObject *
tell_remaining(PyObject *Py_UNUSED(self), PyObject *Py_UNUSED(ignored))
{
    return PyLong_FromLong(fj_c_recursion_remaining(PyThreadState_Get()));
}

/* Return the result of a call as a number, or -1 with an exception. */
static long
remaining_told(PyObject *callable, PyObject *argument)
{
    PyObject *told = PyObject_CallFunctionObjArgs(callable, argument, NULL);
    long levels = told == NULL ? -1 : PyLong_AsLong(told);
    Py_XDECREF(told);
    return levels;
}

/* Measure the levels that an evaluation takes by a call, as no header states them. */
int
fj_c_recursion_init(void)
{
    static PyMethodDef method = {"tell_remaining", tell_remaining, METH_NOARGS, NULL};
    PyObject *tell = PyCFunction_New(&method, NULL), *space = PyDict_New();
    PyObject *caller = tell == NULL || space == NULL
                           ? NULL
                           : PyRun_String("lambda tell: tell()", Py_eval_input, space, space);
    if (caller != NULL) {
        long direct = remaining_told(tell, NULL), evaluated = remaining_told(caller, tell);
        fj_c_recursion_of_eval = (int)(direct - evaluated);
    }
    Py_XDECREF(tell);
    Py_XDECREF(space);
    Py_XDECREF(caller);
    return PyErr_Occurred() ? -1 : 0;
}

/* The Python frame that runs in this thread, NULL when there is none. */
static const fj_frame *
caller_of(const PyThreadState *tstate)
{
    const fj_frame *frame = fj_frame_innermost(tstate);
    return frame == NULL || fj_frame_is_of_c(frame) ? NULL : frame;
}

static int
opcode_of(const fj_frame *frame)
{
    return fj_frame_at(frame)->op.code;
}

/* Return the stack of a frame up to its end, which includes unused words. */
static PyObject *const *
stack_of(const fj_frame *frame, PyObject *const **end)
{
    const PyCodeObject *code = fj_frame_code(frame);
    PyObject *const *first = fj_frame_slots(frame) + code->co_nlocalsplus;
    *end = first + code->co_stacksize;
    return first;
}

/* Return the location of this object on the stack of the frame, or NULL. Nothing is dereferenced. */
static PyObject *const *
find_on_stack(const fj_frame *frame, const PyObject *wanted)
{
    PyObject *const *end, *const *word = stack_of(frame, &end);
    while (word < end && *word != wanted) {
        word++;
    }
    return word < end ? word : NULL;
}

/* 1 if this frame calls the function of the fresh frame `called`. A stale word of its stack may be left from
 * an earlier call, as of map(f, xs); so one of the arguments must follow. */
static int
calls(const fj_frame *frame, const fj_frame *called)
{
    PyObject *const *end, *const *word = find_on_stack(frame, fj_frame_function(called));
    stack_of(frame, &end);
    Py_ssize_t count = fj_frame_argument_count(called);
    if (word == NULL || count == 0 || opcode_of(frame) == CALL_FUNCTION_EX) {
        return word != NULL;
    }
    PyObject *const *last = word + 3 < end ? word + 3 : end;
    while (++word < last) {
        for (Py_ssize_t k = 0; *word != NULL && k < count; k++) {
            if (fj_frame_arguments(called)[k] == *word) {
                return 1;
            }
        }
    }
    return 0;
}

/* 1 if the running frame calls `callable` itself, with the arguments on its stack, or with a star, which puts
 * them into a tuple. */
static int
calls_with(const fj_frame *frame, const PyObject *callable, PyObject *const *args)
{
    PyObject *const *end, *const *first = stack_of(frame, &end);
    if (args > first && args <= end) {
        return args[-1] == callable || (args[-1] == NULL && args - 1 > first && args[-2] == callable);
    }
    return opcode_of(frame) == CALL_FUNCTION_EX && find_on_stack(frame, callable) != NULL;
}

/* 1 if the instruction of this frame may enter code of that name without a call visible on the stack, else 0;
 * -1 for instructions that only call what is on the stack. */
static int
enters_unseen(const fj_frame *frame, const PyCodeObject *code, int generator)
{
    switch (opcode_of(frame)) {
    case FOR_ITER:
    case FOR_ITER_GEN:
    case SEND:
    case SEND_GEN:
        return generator;
    case BINARY_SUBSCR:
    case BINARY_SUBSCR_GETITEM:
        return !generator;
    case LOAD_ATTR:
    case LOAD_ATTR_PROPERTY:
    case LOAD_ATTR_GETATTRIBUTE_OVERRIDDEN:
        return !generator && PyUnicode_CompareWithASCIIString(code->co_name, "__getattr__") != 0;
    default:
        return generator ? 0 : -1;
    }
}

int
fj_frame_is_inlined(const PyThreadState *tstate, const fj_frame *frame)
{
    const fj_frame *caller = caller_of(tstate);
    if (caller == NULL || caller == frame) {
        return 0;
    }
    int enters = enters_unseen(caller, fj_frame_code(frame), fj_frame_is_generator(frame));
    return enters < 0 ? calls(caller, frame) : enters;
}

int
fj_c_recursion_credit(const PyThreadState *tstate, const PyObject *called, const PyObject *callee,
                      PyObject *const *args)
{
    const fj_frame *caller = caller_of(tstate);
    if (caller == NULL) {
        return 0;
    }
    const PyCodeObject *code = (const PyCodeObject *)PyFunction_GET_CODE(callee);
    int enters = enters_unseen(caller, code, 0);
    if (enters < 0) {
        enters = calls_with(caller, called, args);
    }
    return enters ? fj_c_recursion_of_eval : 0;
}

#else

/* 3.11 does not limit recursion in C, and 3.14 limits the stack by its addresses. */

int fj_c_recursion_of_eval;

int
fj_c_recursion_init(void)
{
    return 0;
}

int
fj_c_recursion_credit(const PyThreadState *tstate, const PyObject *called, const PyObject *callee,
                      PyObject *const *args)
{
    (void)tstate;
    (void)called;
    (void)callee;
    (void)args;
    return 0;
}

#endif

#endif
