/* The threads in which the frame hook acts, and for how long.
 *
 * Each thread counts its hook_enable() calls. While the count is above zero, the thread's state dict holds a
 * token; the process counts tokens, and the hook is the interpreter's evaluation function while there is one.
 * A thread that ends, or is gone after a fork, drops its token, so nobody has to remember to disable.
 *
 * Other hooks: the previous one gets every frame that we do not answer. One installed on top of ours is never
 * removed: the last hook_disable() then leaves us in the chain, where every frame passes through, and
 * enabling reuses that place. We install anew only if the function that we had replaced is back, since then
 * nobody can lead to us any more. All state here is guarded by the GIL; builds without one are not supported. */
#define FJ_INTERP_INSIDE
#include "hook_threads.h"

static _PyFrameEvalFunction installed; /* what fj_hook_threads_init got */
static Py_ssize_t tokens;              /* threads that are enabled */

#if FJ_HOOK_SUPPORTED

_Thread_local fj_thread fj_this_thread;

static const char token_name[] = "framejit.jit.native.hook_token";
static PyObject *token_key; /* owned: the name; a key made at need could fail where nothing may */

/* 0, or -1 with an exception. */
static int
token_init(void)
{
    if (token_key == NULL) {
        token_key = PyUnicode_InternFromString(token_name);
    }
    return token_key == NULL ? -1 : 0;
}

/* A token is let go of: by the last hook_disable() of its thread, by the end of the thread, or in
 * the child after a fork by the end of the threads that are not there. Borrows the token. */
static void
token_dropped(PyObject *Py_UNUSED(token))
{
    if (--tokens == 0) {
        fj_hook_remove();
    }
}

/* Gives this thread a token; 0, or -1 with an exception. The thread's dict owns it. */
static int
token_take(void)
{
    PyObject *dict = PyThreadState_GetDict(); /* borrowed */
    if (dict == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    PyObject *token = PyCapsule_New(&tokens, token_name, token_dropped);
    if (token == NULL) {
        return -1;
    }
    tokens++;
    int status = PyDict_SetItem(dict, token_key, token);
    Py_DECREF(token);
    return status;
}

/* Hooks this thread once more; 0, or -1 with an exception. */
static int
thread_enable(void)
{
    fj_thread *here = &fj_this_thread;
    PyThreadState *tstate = PyThreadState_Get();
    if (here->owner != tstate->id) {
        here->owner = tstate->id;
        here->depth = 0;
    }
    if (here->depth == 0) {
        if (token_take() < 0) {
            return -1;
        }
        here->window = fj_stack_measure((uintptr_t)__builtin_frame_address(0));
        fj_hook_install(installed);
    }
    here->depth++;
    return 0;
}

/* Hooks this thread, whose depth is not 0, once less; 0, or -1 with an exception, once less as well.
 * An exception that is set already stays. */
static int
thread_disable(void)
{
    if (--fj_this_thread.depth > 0) {
        return 0;
    }
    PyObject *dict = PyThreadState_GetDict(); /* borrowed; NULL while the thread ends */
    return dict == NULL ? 0 : PyDict_DelItem(dict, token_key);
}

Py_ssize_t
fj_hook_depth(void)
{
    return fj_this_thread.owner == PyThreadState_Get()->id ? fj_this_thread.depth : 0;
}

void
fj_engine_work(int more)
{
    fj_this_thread.deciding += more;
}

int
fj_engine_works(void)
{
    return fj_this_thread.deciding > 0;
}

PyObject *
fj_hook_pass_by(PyObject *function)
{
    PyObject *before = fj_this_thread.passed;
    fj_this_thread.passed = function;
    return before;
}

#else

void fj_engine_work(int more) { (void)more; }
int fj_engine_works(void) { return 0; }
PyObject *fj_hook_pass_by(PyObject *function) { return (void)function, NULL; }
static int token_init(void) { return 0; }
static int thread_enable(void) { return 0; }
static int thread_disable(void) { return 0; }
Py_ssize_t fj_hook_depth(void) { return 0; }

#endif

int
fj_frame_hook_enter(void)
{
    return fj_unsupported() != NULL ? 1 : thread_enable();
}

int
fj_frame_hook_leave(void)
{
    return thread_disable();
}

Py_ssize_t
fj_hooked_threads(void)
{
    return tokens;
}

/* ---- the module --------------------------------------------------------------------------- */

/* hook_enable(): None, or NULL with an exception. */
static PyObject *
hook_enable(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(ignored))
{
    const char *why = fj_unsupported();
    if (why != NULL) {
        return PyErr_Format(PyExc_RuntimeError, "frames cannot be hooked: %s", why);
    }
    if (thread_enable() < 0) {
        return NULL;
    }
    Py_RETURN_NONE;
}

/* hook_disable(): None, or NULL with an exception. */
static PyObject *
hook_disable(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(ignored))
{
    if (fj_hook_depth() == 0) {
        PyErr_SetString(PyExc_RuntimeError, "hook_disable() without hook_enable()");
        return NULL;
    }
    if (thread_disable() < 0) {
        return NULL;
    }
    Py_RETURN_NONE;
}

/* engine_enter(), engine_leave(): None. What this thread runs in between is the engine's own work. */
static PyObject *
engine_enter(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(ignored))
{
    fj_engine_work(1);
    Py_RETURN_NONE;
}

static PyObject *
engine_leave(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(ignored))
{
    fj_engine_work(-1);
    Py_RETURN_NONE;
}

static PyMethodDef functions[] = {
    {"engine_enter", engine_enter, METH_NOARGS,
     "engine_enter(): frames of this thread are the engine's own until engine_leave(). Nests."},
    {"engine_leave", engine_leave, METH_NOARGS, "engine_leave(): undo one engine_enter()."},
    {"hook_enable", hook_enable, METH_NOARGS,
     "hook_enable(): hook the frames of this thread. Nests. RuntimeError where it cannot be."},
    {"hook_disable", hook_disable, METH_NOARGS, "hook_disable(): undo one hook_enable()."},
    {NULL, NULL, 0, NULL},
};

int
fj_hook_threads_init(PyObject *module, _PyFrameEvalFunction hook)
{
    installed = hook;
    return token_init() < 0 ? -1 : PyModule_AddFunctions(module, functions);
}
