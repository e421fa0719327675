/* The options in force in this context. */
#include "core.h"
#include "interp.h"
#include "watched_names.h"

static PyObject *context_options; /* owned: ContextVar, unset where no config() is active */
static PyObject *default_options; /* owned: what holds where the variable is not set */
static int overridden; /* the variable has been set somewhere; a copied context may still hold it */

PyObject *
fj_options_now(PyThreadState *tstate)
{
    PyObject *options = NULL;
    if (fj_tools_active(tstate) || fj_builtins_exchanged()) {
        return NULL;
    }
    if (fj_is_finalizing()) { /* modules lose what is in them, the engine's too */
        return NULL;
    }
    if (overridden && PyContextVar_Get(context_options, default_options, &options) < 0) {
        PyErr_Clear(); /* eager serves this call */
        return NULL;
    }
    if (!overridden) {
        options = Py_NewRef(default_options);
    }
    if (options == Py_None) {
        Py_CLEAR(options);
    }
    return options;
}

/* set_default_options(options): None switches framejit off. */
static PyObject *
set_default_options(PyObject *module, PyObject *options)
{
    (void)module;
    Py_XSETREF(default_options, Py_NewRef(options));
    Py_RETURN_NONE;
}

/* push_options(options) -> token for pop_options(); None switches framejit off in this context. */
static PyObject *
push_options(PyObject *module, PyObject *options)
{
    (void)module;
    overridden = 1;
    return PyContextVar_Set(context_options, options);
}

static PyObject *
pop_options(PyObject *module, PyObject *token)
{
    (void)module;
    if (PyContextVar_Reset(context_options, token) < 0) {
        return NULL;
    }
    Py_RETURN_NONE;
}

/* options_now() -> the options in force in this context, None when switched off. */
static PyObject *
options_now(PyObject *module, PyObject *ignored)
{
    (void)module;
    (void)ignored;
    PyObject *options = fj_options_now(PyThreadState_Get());
    return options == NULL ? Py_NewRef(Py_None) : options;
}

static PyMethodDef functions[] = {
    {"set_default_options", set_default_options, METH_O,
     "set_default_options(options): the options where no config() is active; None: off."},
    {"push_options", push_options, METH_O,
     "push_options(options) -> token: options of this context; None: off."},
    {"pop_options", pop_options, METH_O, "pop_options(token): undo a push_options()."},
    {"options_now", options_now, METH_NOARGS,
     "options_now() -> the options in force here, None when framejit is off."},
    {NULL, NULL, 0, NULL},
};

int
fj_options_init(PyObject *module)
{
    default_options = Py_NewRef(Py_None);
    context_options = PyContextVar_New("framejit_options", NULL);
    if (context_options == NULL) {
        return -1;
    }
    return PyModule_AddFunctions(module, functions);
}
