/* A call that sees no Python frame around it: what `python -m framejit run` makes of a program.
 *
 * `inspect.stack()`, `sys._getframe`, the stack levels of warnings and the recursion limit of the program
 * then begin where they begin under plain Python. Works without NumPy: a program may never load it. */
#include "../../jit/native/version.h"

#if FJ_KNOWN_VERSION

/* The frames around are out of sight, and no part of the depth that the recursion limit is about. */
typedef struct {
    struct _PyInterpreterFrame *frame;
    int depth;
} around;

static around
leave(PyThreadState *tstate)
{
    struct _PyInterpreterFrame **innermost = fj_innermost_place(tstate);
    int *remaining = fj_frames_remaining(tstate);
    around here = {*innermost, fj_frames_limit(tstate) - *remaining};
    *innermost = fj_outside_frame(tstate);
    *remaining += here.depth;
    return here;
}

static void
come_back(PyThreadState *tstate, around here)
{
    *fj_frames_remaining(tstate) -= here.depth;
    *fj_innermost_place(tstate) = here.frame;
}

#else

/* An unknown CPython: the frames stay where they are. */
typedef int around;
#define leave(tstate) 0
#define come_back(tstate, here) ((void)(here))

#endif

/* call(callable, *args): a new reference to its result, or NULL with its exception. */
static PyObject *
call(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t count)
{
    if (count < 1) {
        PyErr_SetString(PyExc_TypeError, "call: a callable is needed");
        return NULL;
    }
    PyThreadState *tstate = PyThreadState_Get();
    around here = leave(tstate);
    PyObject *result = PyObject_Vectorcall(args[0], args + 1, (size_t)(count - 1), NULL);
    come_back(tstate, here);
    return result;
}

/* execute(code, names): None, or NULL with the exception of the code. Not by `exec`: on 3.11 a call of
 * a builtin counts for the recursion limit. */
static PyObject *
execute(PyObject *Py_UNUSED(module), PyObject *args)
{
    PyObject *code, *names;
    if (!PyArg_ParseTuple(args, "O!O!:execute", &PyCode_Type, &code, &PyDict_Type, &names) ||
        PySys_Audit("exec", "O", code) < 0) {
        return NULL;
    }
    PyThreadState *tstate = PyThreadState_Get();
    around here = leave(tstate);
    PyObject *result = PyEval_EvalCode(code, names, names);
    come_back(tstate, here);
    return result;
}

static PyMethodDef functions[] = {
    {"call", (PyCFunction)(void (*)(void))call, METH_FASTCALL,
     "call(callable, *args): its result; no Python frame is around it."},
    {"execute", execute, METH_VARARGS, "execute(code, names): as exec does, with no frame around it."},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT,
    .m_name = "_outermost",
    .m_methods = functions,
};

PyMODINIT_FUNC
PyInit__outermost(void)
{
    return PyModuleDef_Init(&definition);
}
