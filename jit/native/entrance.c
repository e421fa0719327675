/* Finds and enters undecorated functions under `python -m framejit run`.
 *
 * An evaluation function of our own would cost each Python call 30 to 40 ns. So functions are reported once:
 * on 3.12 and later by an event of sys.monitoring at their start, on 3.11 by a call inserted at the begin of
 * their code. Both call `arrive`, which finds the function in the frame that has just begun and asks the
 * policy, until that has decided. From then on the code runs at full speed.
 *
 * A function worth capturing gets rewritten code, with stubs, in place of its own: it runs in its own frame,
 * however called, and is inlined by the interpreter as before. `__code__` still returns the user's code. */
#include "stack_switch.h"
#include "hook_threads.h"
#include "records.h"
#include "watched_names.h"
#include <opcode.h>

static PyObject *policy;      /* owned: arrived(function, arguments) -> true if decided */
static PyObject *never_again; /* owned: what `arrive` returns then; sys.monitoring.DISABLE */
static getter plain_get;      /* of function.__code__ */

/* Return a new tuple of the parameters' values, None for unbound ones, or NULL with an exception. Cells are
 * returned as such. */
static PyObject *
tuple_of(const fj_slot *arguments, Py_ssize_t count)
{
    PyObject *tuple = PyTuple_New(count);
    for (Py_ssize_t k = 0; tuple != NULL && k < count; k++) {
        PyObject *held = fj_slot_object(arguments[k]);
        PyTuple_SET_ITEM(tuple, k, Py_NewRef(held == NULL ? Py_None : held));
    }
    return tuple;
}

/* Gives a function other code by its own setter: 0, or -1 with an exception. An audit hook of the
 * program is told, and may be this very function. */
static int
give_code(PyObject *function, PyObject *code)
{
    fj_engine_work(1);
    int failed = PyObject_SetAttrString(function, "__code__", code);
    fj_engine_work(-1);
    return failed;
}

/* Asks the policy: 1 when it need not be asked again, 0 when it must, -1 with an exception. An error of
 * the engine is reported to sys.unraisablehook; only what is no Exception (Ctrl-C) is the user's. */
static int
ask_policy(PyObject *function, const fj_slot *arguments, Py_ssize_t count)
{
    PyObject *asked = Py_NewRef(policy);
    PyObject *given = tuple_of(arguments, count);
    fj_engine_work(1);
    PyObject *answer =
        given == NULL ? NULL : fj_engine_call(asked, NULL, function, given, NULL);
    fj_engine_work(-1);
    int settled = answer == NULL ? -1 : PyObject_IsTrue(answer);
    Py_XDECREF(answer);
    Py_XDECREF(given);
    if (settled < 0 && PyErr_ExceptionMatches(PyExc_Exception)) {
        PyErr_WriteUnraisable(asked);
        settled = 1;
    }
    else if (settled < 0) {
        fj_strip_traceback();
    }
    Py_DECREF(asked);
    return settled;
}

/* arrive(*ignored): called in the frame of a function that begins. DISABLE, or None to be called again
 * the next time; NULL with an exception that is the user's. */
static PyObject *
arrive(PyObject *Py_UNUSED(module), PyObject *const *Py_UNUSED(args), Py_ssize_t Py_UNUSED(nargs))
{
    const fj_slot *arguments;
    Py_ssize_t count;
    PyObject *function = fj_running_function(&arguments, &count);
    if (function == NULL || policy == NULL || fj_engine_works()) {
        return Py_NewRef(policy == NULL || function == NULL ? never_again : Py_None);
    }
    if (fj_builtins_exchanged()) {
        Py_RETURN_NONE; /* the policy is Python code that would use them */
    }
    fj_record *record = fj_record_find(PyFunction_GET_CODE(function));
    Py_INCREF(function); /* the frame's may go when Python runs */
    PyObject *code = Py_NewRef(PyFunction_GET_CODE(function));
    int settled = record != NULL && record->mark == FJ_MARK_SKIP
                      ? 1
                      : ask_policy(function, arguments, count);
    record = fj_record_find(code);
    if (record != NULL) {
        record->frames++;
    }
    if (settled == 1 && record != NULL && record->settled != NULL &&
        PyFunction_GET_CODE(function) == code && give_code(function, record->settled) < 0) {
        settled = -1;
    }
    Py_DECREF(code);
    Py_DECREF(function);
    return settled < 0 ? NULL : Py_NewRef(settled ? never_again : Py_None);
}

/* function.__code__: the user's code. New reference, or NULL with an exception. */
static PyObject *
get_code(PyObject *function, void *closure)
{
    PyObject *code = plain_get(function, closure);
    const fj_record *record = code == NULL ? NULL : fj_record_find(code);
    if (record != NULL && record->original != NULL) {
        Py_SETREF(code, Py_NewRef(record->original));
    }
    return code;
}

/* ---- the module --------------------------------------------------------------------------- */

/* set_policy(arrived, never_again): None, or NULL with an exception. */
static PyObject *
set_policy(PyObject *Py_UNUSED(module), PyObject *args)
{
    PyObject *arrived, *disable;
    if (!PyArg_ParseTuple(args, "OO:set_policy", &arrived, &disable)) {
        return NULL;
    }
    Py_XSETREF(policy, arrived == Py_None ? NULL : Py_NewRef(arrived));
    Py_XSETREF(never_again, Py_NewRef(disable));
    Py_RETURN_NONE;
}

/* own_tool(name): None, or NULL with an exception. The name of framejit's own monitoring tool, as it
 * was given to sys.monitoring: that very object. */
static PyObject *
own_tool(PyObject *Py_UNUSED(module), PyObject *name)
{
    Py_XSETREF(fj_own_tool_name, name == Py_None ? NULL : Py_NewRef(name));
    Py_RETURN_NONE;
}

/* stand_in(code, original, settled=None): None, or NULL with an exception. `code` stands in for
 * `original`; when it is skipped, its functions run `settled`. */
static PyObject *
stand_in(PyObject *Py_UNUSED(module), PyObject *args)
{
    PyObject *code, *original, *settled = Py_None;
    if (!PyArg_ParseTuple(args, "O!O!|O:stand_in", &PyCode_Type, &code, &PyCode_Type, &original,
                          &settled)) {
        return NULL;
    }
    fj_record *record = fj_record_make(code);
    if (record == NULL) {
        return NULL;
    }
    fj_trace_no_more();
    Py_XSETREF(record->original, Py_NewRef(original));
    Py_XSETREF(record->settled, settled == Py_None ? NULL : Py_NewRef(settled));
    Py_RETURN_NONE;
}

/* running_code(function): a new reference to the code that a function actually runs. */
static PyObject *
running_code(PyObject *Py_UNUSED(module), PyObject *function)
{
    if (!PyFunction_Check(function)) {
        PyErr_SetString(PyExc_TypeError, "running_code: a function is needed");
        return NULL;
    }
    return Py_NewRef(PyFunction_GET_CODE(function));
}

/* A method that calls another and passes its result to a function: `bound` is a tuple of the two. It has no
 * Python frame, so no traceback shows it. New reference, or NULL with an exception. */
static PyObject *
call_both(PyObject *bound, PyObject *args)
{
    PyObject *result = PyObject_CallObject(PyTuple_GET_ITEM(bound, 0), args);
    if (result == NULL) {
        return NULL;
    }
    PyObject *after = PyObject_CallOneArg(PyTuple_GET_ITEM(bound, 1), result);
    Py_DECREF(result);
    return after;
}

static PyMethodDef both = {"get_code", call_both, METH_VARARGS, NULL};

/* and_then(method, function): a new method, or NULL with an exception. */
static PyObject *
and_then(PyObject *Py_UNUSED(module), PyObject *pair)
{
    PyObject *made = PyTuple_GET_SIZE(pair) != 2 ? NULL : PyCFunction_New(&both, pair);
    if (made == NULL && !PyErr_Occurred()) {
        PyErr_SetString(PyExc_TypeError, "and_then: a method and a function are needed");
    }
    PyObject *method = made == NULL ? NULL : PyInstanceMethod_New(made);
    Py_XDECREF(made);
    return method;
}

/* replace_const(code, index, value): None, or NULL with an exception. The code may be running: its
 * constants are read from this very tuple. */
static PyObject *
replace_const(PyObject *Py_UNUSED(module), PyObject *args)
{
    PyObject *code, *value;
    Py_ssize_t index;
    if (!PyArg_ParseTuple(args, "O!nO:replace_const", &PyCode_Type, &code, &index, &value)) {
        return NULL;
    }
    PyObject *consts = ((PyCodeObject *)code)->co_consts;
    if (index < 0 || index >= PyTuple_GET_SIZE(consts)) {
        PyErr_SetString(PyExc_IndexError, "replace_const: there is no such constant");
        return NULL;
    }
    PyObject *before = PyTuple_GET_ITEM(consts, index);
    PyTuple_SET_ITEM(consts, index, Py_NewRef(value));
    fj_tuple_changed(consts);
    Py_DECREF(before);
    Py_RETURN_NONE;
}

/* 1 if an argument of so many units fits there, else 0 with an exception. */
static int
has_room(PyObject *code, Py_ssize_t unit, Py_ssize_t width, unsigned long argument)
{
    if (width < 1 || width > 4 || unit >= Py_SIZE(code) || unit - width + 1 < 0 ||
        (width < 4 && argument >> (8 * width) != 0)) {
        PyErr_SetString(PyExc_IndexError, "exchange: there is no room for it");
        return 0;
    }
    return 1;
}

/* 1 if CPython has replaced the instruction by a trace: its argument is the number of that. */
static int
is_traced(const unsigned char *units, Py_ssize_t unit)
{
#ifdef ENTER_EXECUTOR
    return units[2 * unit] == ENTER_EXECUTOR;
#else
    (void)units;
    (void)unit;
    return 0;
#endif
}

/* exchange(code, consts, arguments): True, or False with nothing changed if CPython has replaced one of the
 * instructions; NULL with an exception and nothing changed. The code may be running: each instruction is read
 * whole while the GIL is held, and its opcode stays. No other thread sees a partial change. */
static PyObject *
exchange(PyObject *Py_UNUSED(module), PyObject *args)
{
    PyObject *code, *consts, *arguments, *value;
    Py_ssize_t unit, width, index;
    unsigned long argument;
    if (!PyArg_ParseTuple(args, "O!O!O!:exchange", &PyCode_Type, &code, &PyTuple_Type, &consts,
                          &PyTuple_Type, &arguments)) {
        return NULL;
    }
    PyObject *held = ((PyCodeObject *)code)->co_consts;
    unsigned char *units = (unsigned char *)((PyCodeObject *)code)->co_code_adaptive;
    for (Py_ssize_t k = 0; k < PyTuple_GET_SIZE(consts); k++) {
        if (!PyArg_ParseTuple(PyTuple_GET_ITEM(consts, k), "nO:exchange", &index, &value)) {
            return NULL;
        }
        if (index < 0 || index >= PyTuple_GET_SIZE(held)) {
            PyErr_SetString(PyExc_IndexError, "exchange: there is no such constant");
            return NULL;
        }
    }
    for (Py_ssize_t k = 0; k < PyTuple_GET_SIZE(arguments); k++) {
        if (!PyArg_ParseTuple(PyTuple_GET_ITEM(arguments, k), "nnk:exchange", &unit, &width, &argument) ||
            !has_room(code, unit, width, argument)) {
            return NULL;
        }
        if (is_traced(units, unit)) {
            Py_RETURN_FALSE;
        }
    }
    PyObject *before = PyTuple_New(PyTuple_GET_SIZE(consts)); /* let go of once all is exchanged */
    if (before == NULL) {
        return NULL;
    }
    for (Py_ssize_t k = 0; k < PyTuple_GET_SIZE(arguments); k++) {
        PyArg_ParseTuple(PyTuple_GET_ITEM(arguments, k), "nnk:exchange", &unit, &width, &argument);
        for (; width > 0; width--, unit--, argument >>= 8) {
            units[2 * unit + 1] = (unsigned char)argument;
        }
    }
    for (Py_ssize_t k = 0; k < PyTuple_GET_SIZE(consts); k++) {
        PyArg_ParseTuple(PyTuple_GET_ITEM(consts, k), "nO:exchange", &index, &value);
        PyTuple_SET_ITEM(before, k, PyTuple_GET_ITEM(held, index));
        PyTuple_SET_ITEM(held, index, Py_NewRef(value));
    }
    fj_tuple_changed(held);
    Py_DECREF(before);
    Py_RETURN_TRUE;
}

static PyMethodDef functions[] = {
    {"and_then", and_then, METH_VARARGS,
     "and_then(method, function) -> a method whose result is function(the result of method)."},
    {"replace_const", replace_const, METH_VARARGS,
     "replace_const(code, index, value): other constants for code that may be running."},
    {"exchange", exchange, METH_VARARGS,
     "exchange(code, consts, arguments) -> whether code that may be running has other constants, pairs of\n"
     "an index and a value, and other arguments: triples of the unit where the opcode stands, how many\n"
     "units the argument has, and the argument."},
    {"arrive", (PyCFunction)(void (*)(void))arrive, METH_FASTCALL,
     "arrive(*ignored): a function begins; called in its frame."},
    {"set_policy", set_policy, METH_VARARGS,
     "set_policy(arrived, never_again): whom arrive() asks, and what it returns when that is\n"
     "settled. None for nobody."},
    {"own_tool", own_tool, METH_O, "own_tool(name): this monitoring tool is framejit itself."},
    {"stand_in", stand_in, METH_VARARGS,
     "stand_in(code, original, settled=None): functions of `code` show `original`."},
    {"running_code", running_code, METH_O, "running_code(function) -> the code that it runs."},
    {NULL, NULL, 0, NULL},
};

int
fj_entrance_init(PyObject *module)
{
    if (plain_get == NULL) { /* else it is a second import in the same process */
        PyObject *found = PyObject_GetAttrString((PyObject *)&PyFunction_Type, "__code__");
        if (found == NULL || !Py_IS_TYPE(found, &PyGetSetDescr_Type)) {
            Py_XDECREF(found);
            PyErr_SetString(PyExc_SystemError, "function.__code__ is not as expected");
            return -1;
        }
        PyGetSetDef *slot = ((PyGetSetDescrObject *)found)->d_getset;
        plain_get = slot->get;
        slot->get = get_code;
        Py_DECREF(found); /* its type owns it */
        never_again = Py_NewRef(Py_None);
    }
    return PyModule_AddFunctions(module, functions);
}
