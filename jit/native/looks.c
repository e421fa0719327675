/* repr() and dir() of a jitted function, for interactive sessions. */
#include "dispatcher.h"

static const char *const own[] = {"stats", "inspect", "trace"};

PyObject *
fj_dispatcher_repr(PyObject *self)
{
    const fj_dispatcher *dispatcher = (fj_dispatcher *)self;
    PyObject *function = Py_NewRef(dispatcher->function); /* the manager runs Python code */
    PyObject *manager = Py_NewRef(dispatcher->manager);
    PyObject *tier = manager == Py_None ? PyUnicode_FromString("plain Python")
                                        : PyObject_CallMethod(manager, "tier", NULL);
    PyObject *text = tier == NULL ? NULL
                                  : PyUnicode_FromFormat("<framejit.jit %R: %S; see .stats(), .inspect(what), "
                                                         ".trace(*args)>",
                                                         function, tier);
    Py_XDECREF(tier);
    Py_DECREF(manager);
    Py_DECREF(function);
    return text;
}

/* Puts the items of an iterable into a set; steals it. 0, or -1 with an exception, also where it is NULL. */
static int
add_all(PyObject *names, PyObject *more)
{
    PyObject *done = more == NULL ? NULL : PyObject_CallMethod(names, "update", "O", more);
    Py_XDECREF(more);
    Py_XDECREF(done);
    return done == NULL ? -1 : 0;
}

PyObject *
fj_dispatcher_dir(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    const fj_dispatcher *dispatcher = (fj_dispatcher *)self;
    PyObject *names = PySet_New(NULL);
    if (names == NULL || add_all(names, PyObject_Dir(dispatcher->function)) < 0 ||
        (dispatcher->dict != NULL && add_all(names, Py_NewRef(dispatcher->dict)) < 0)) {
        Py_XDECREF(names);
        return NULL;
    }
    for (size_t k = 0; k < Py_ARRAY_LENGTH(own); k++) {
        PyObject *name = PyUnicode_FromString(own[k]);
        if (name == NULL || PySet_Add(names, name) < 0) {
            Py_XDECREF(name);
            Py_DECREF(names);
            return NULL;
        }
        Py_DECREF(name);
    }
    return names;
}
