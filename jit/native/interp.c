/* Access to CPython's internals: see interp.h. */
#define FJ_INTERP_INSIDE
#include "interp.h"
#include "records.h"

static const char *why_unsupported =
#if FJ_HOOK_SUPPORTED
    "the frame hook was not initialised";
#else
    FJ_WHY_UNSUPPORTED;
#endif

/* Until the layout is checked, a tool is assumed to watch. */
static char anyone;
#define ANYONE ((PyObject *)&anyone) /* never read, only compared with NULL */
static PyObject *const unchecked_names[6] = {ANYONE, ANYONE, ANYONE, ANYONE, ANYONE, ANYONE};
PyObject *const *fj_tool_names = unchecked_names;
PyObject *fj_own_tool_name;

Py_ssize_t fj_extra_index = -1;

const char *
fj_unsupported(void)
{
    if (why_unsupported == NULL && PyInterpreterState_Get() != PyInterpreterState_Main()) {
        return "this is a subinterpreter";
    }
    return why_unsupported;
}

/* ---- data attached to code objects -------------------------------------------------------- */

void *
fj_extra_get(PyObject *code)
{
    void *value = NULL;
    if (fj_extra_index < 0 || fj_get_extra(code, fj_extra_index, &value) < 0) {
        PyErr_Clear();
    }
    return value;
}

int
fj_extra_set(PyObject *code, void *value)
{
    if (fj_extra_index < 0) {
        PyErr_SetString(PyExc_RuntimeError, "all places of co_extra are taken");
        return -1;
    }
    if (fj_set_extra(code, fj_extra_index, value) == 0) {
        return 0;
    }
    /* The interpreter reports a failed allocation without an exception. */
    if (!PyErr_Occurred()) {
        PyErr_NoMemory();
    }
    return -1;
}

PyObject *
fj_type_dict(PyTypeObject *type)
{
    return fj_type_namespace(type);
}

/* ---- exceptions --------------------------------------------------------------------------- */

fj_error
fj_error_fetch(void)
{
    return fj_error_take();
}

void
fj_error_restore(fj_error error)
{
    fj_error_give(error);
}

int
fj_is_finalizing(void)
{
    return fj_is_finalizing_now();
}

/* Owns the exception between fetching and restoring it. */
void
fj_strip_traceback(void)
{
    fj_error_give(fj_error_take_bare());
}

#if FJ_HOOK_SUPPORTED

#include <opcode.h>

void
fj_trace_no_more(void)
{
    fj_leave_code_untraced(PyThreadState_Get());
}

/* ---- the running frame -------------------------------------------------------------------- */

/* Borrowed; NULL when there is none. */
static const fj_frame *
running_frame(void)
{
    return fj_frame_innermost(PyThreadState_Get());
}

PyObject *
fj_running_function(const fj_slot **arguments, Py_ssize_t *count)
{
    const fj_frame *frame = running_frame();
    if (frame == NULL || fj_frame_function(frame) == NULL ||
        !PyFunction_Check(fj_frame_function(frame))) {
        return NULL;
    }
    *arguments = fj_frame_arguments(frame);
    *count = fj_frame_argument_count(frame);
    return fj_frame_function(frame);
}

/* Borrowed; NULL when the innermost one belongs to C code, too. */
static const fj_frame *
running_python_frame(void)
{
    const fj_frame *frame = running_frame();
    return frame == NULL || fj_frame_is_of_c(frame) ? NULL : frame;
}

const fj_slot *
fj_running_slots(void)
{
    const fj_frame *frame = running_python_frame();
    return frame == NULL ? NULL : fj_frame_slots(frame);
}

int
fj_running_frame_is_held(void)
{
    const fj_frame *frame = running_python_frame();
    const PyObject *object = frame == NULL ? NULL : (const PyObject *)frame->frame_obj;
    return object != NULL && Py_REFCNT(object) > 1;
}

int
fj_generator_rests_here(PyObject *generator)
{
    return fj_generator_rests((PyGenObject *)generator);
}

/* ---- ending a frame ----------------------------------------------------------------------- */

/* Owned for the life of the process: a code object that is a lone RETURN_VALUE. */
static PyCodeObject *return_code;

/* Makes return_code. It has no RESUME: to the interpreter its frame is one that has not begun,
 * which no traceback, no frame walk and no tool ever shows. 0, or -1 with an exception. */
static int
make_return_code(void)
{
    const char lone[2] = {(char)RETURN_VALUE, 0};
    PyObject *bytecode = PyBytes_FromStringAndSize(lone, 2);
    PyObject *nothing = PyBytes_FromStringAndSize(NULL, 0);
    PyObject *none = PyTuple_New(0);
    PyObject *name = PyUnicode_FromString("<framejit>");
    if (bytecode != NULL && nothing != NULL && none != NULL && name != NULL) {
        return_code = fj_code_new(
            0, 0, 0, 1, CO_OPTIMIZED | CO_NEWLOCALS, bytecode, none, none, none, none, none, name,
            name, name, 1, nothing, nothing);
    }
    Py_XDECREF(bytecode);
    Py_XDECREF(nothing);
    Py_XDECREF(none);
    Py_XDECREF(name);
    return return_code == NULL ? -1 : 0;
}

#if FJ_EVALUATION_POPS

/* 3.12 and later: the evaluator clears and pops a frame, with functions that are not exported. So the
 * interpreter gets a frame that just returns.
 *
 * An exception is parked meanwhile and the frame returns None. (Evaluating with throwflag=1 does the same
 * unless a tool starts while the replacement runs: if one does, sys.monitoring reports a throw, a raise and
 * an unwinding in a frame that it has never seen start; tried on 3.12.1 and 3.13.0.) No traceback entry is
 * made either way, since return_code has no RESUME; the replacement has to show what eager would have shown
 * of the body.
 *
 * The old code object is owned here until the frame is gone: releasing it may run Python. */
PyObject *
fj_frame_finish(PyThreadState *tstate, fj_frame *frame, PyObject *result)
{
    PyObject *raised = NULL;
    if (result == NULL) {
        raised = PyErr_GetRaisedException();
        result = Py_NewRef(Py_None);
    }
    PyCodeObject *code = fj_frame_exchange_code(frame, (PyCodeObject *)Py_NewRef(return_code));
    fj_frame_push(frame, result);
    /* The replacement has run: no recursion limit may take its result away. */
    tstate->py_recursion_remaining++;
    result = fj_frame_eval(tstate, frame, 0);
    tstate->py_recursion_remaining--;
    Py_DECREF(code);
    if (raised != NULL) {
        Py_XDECREF(result);
        PyErr_SetRaisedException(raised);
        return NULL;
    }
    return result;
}

#else

/* 3.11: the caller of the evaluation clears and pops the frame, with a result or an exception; nothing is
 * left to do, and a tracer that started meanwhile sees nothing. */
PyObject *
fj_frame_finish(PyThreadState *tstate, fj_frame *frame, PyObject *result)
{
    (void)tstate;
    (void)frame;
    return result;
}

#endif

/* ---- initialisation ----------------------------------------------------------------------- */

/* 1 when co_extra is laid out as fj_frame_extra takes it, 0 when not, -1 with an exception. */
static int
co_extra_is_known(void)
{
    const fj_record *sample = fj_record_make((PyObject *)return_code);
    if (sample == NULL) {
        return -1;
    }
    int known = fj_frame_extra(return_code) == (const void *)sample;
    return fj_extra_set((PyObject *)return_code, NULL) < 0 ? -1 : known; /* frees the sample */
}

#if FJ_TOOL_IDS > 0

/* Calls a function of sys.monitoring; a new reference, or NULL with an exception. */
static PyObject *
monitoring_call(const char *function, int id, PyObject *name)
{
    PyObject *monitoring = PySys_GetObject("monitoring"); /* borrowed */
    if (monitoring == NULL) {
        PyErr_SetString(PyExc_RuntimeError, "sys.monitoring is missing");
        return NULL;
    }
    Py_INCREF(monitoring);
    PyObject *result = name == NULL ? PyObject_CallMethod(monitoring, function, "i", id)
                                    : PyObject_CallMethod(monitoring, function, "iO", id, name);
    Py_DECREF(monitoring);
    return result;
}

/* 1 when a tool that comes and goes at a free id shows in the table, 0 when not, -1 with an
 * exception. */
static int
tool_shows(PyObject *const *names, int id)
{
    PyObject *name = PyUnicode_FromString("framejit looks at the layout");
    PyObject *used = name == NULL ? NULL : monitoring_call("use_tool_id", id, name);
    int shows = used != NULL && names[id] == name;
    PyObject *freed = used == NULL ? NULL : monitoring_call("free_tool_id", id, NULL);
    Py_XDECREF(name);
    Py_XDECREF(used);
    Py_XDECREF(freed);
    return freed == NULL ? -1 : shows && names[id] == NULL;
}

/* Find the table of tool names. PyInterpreterState is private and may grow in a patch release, so the content
 * at this offset is compared with the results of the public functions. As above. */
static int
tool_names_are_known(void)
{
    PyObject *const *names = PyInterpreterState_Main()->monitoring_tool_names;
    const int id = FJ_TOOL_IDS - 1;
    PyObject *told = monitoring_call("get_tool", id, NULL);
    if (told == NULL) {
        return -1;
    }
    int known = told == Py_None ? tool_shows(names, id) : told == names[id];
    Py_DECREF(told);
    if (known == 1) {
        fj_tool_names = names;
    }
    return known;
}

#else

static int
tool_names_are_known(void)
{
    return 1;
}

#endif

int
fj_interp_init(void)
{
    if (return_code != NULL) {
        return 0; /* a second import in the same process */
    }
    if (PyInterpreterState_Get() != PyInterpreterState_Main()) {
        why_unsupported = "it was first imported in a subinterpreter";
        return 0;
    }
    if (make_return_code() < 0 || fj_hook_chain_init() < 0) {
        return -1;
    }
    fj_extra_index = fj_request_index(fj_record_free);
    if (fj_extra_index < 0) {
        why_unsupported = "all places of co_extra are taken";
        return 0;
    }
    int extra = co_extra_is_known();
    int names = extra < 0 ? -1 : tool_names_are_known();
    if (names < 0) {
        return -1;
    }
    why_unsupported = extra == 0   ? "co_extra is not laid out as expected"
                      : names == 0 ? "the interpreter state is not laid out as expected"
                                   : NULL;
    return 0;
}

#else

PyObject *
fj_running_function(const fj_slot **arguments, Py_ssize_t *count)
{
    (void)arguments;
    (void)count;
    return NULL;
}

const fj_slot *
fj_running_slots(void)
{
    return NULL;
}

void
fj_trace_no_more(void)
{
}

int
fj_running_frame_is_held(void)
{
    return 0;
}

int
fj_generator_rests_here(PyObject *generator)
{
    (void)generator;
    return 0;
}

int
fj_interp_init(void)
{
    if (fj_extra_index < 0) {
        fj_extra_index = fj_request_index(fj_record_free);
    }
    return 0;
}

#endif
