/* A dispatcher looks like the function that it stands for: it binds, copies and pickles like one, and has its
 * attributes and class. */
#include "dispatcher.h"

/* Binds as a method, as functions do. */
PyObject *
fj_dispatcher_descr_get(PyObject *self, PyObject *instance, PyObject *type)
{
    (void)type;
    if (instance == NULL || instance == Py_None) {
        return Py_NewRef(self);
    }
    return PyMethod_New(self, instance);
}

/* Attributes missing here are looked up in the plain function: __code__, __defaults__, ... */
PyObject *
fj_dispatcher_getattro(PyObject *self, PyObject *name)
{
    PyObject *value = PyObject_GenericGetAttr(self, name);
    PyObject *function = ((fj_dispatcher *)self)->function;
    if (value == NULL && function != NULL && PyErr_ExceptionMatches(PyExc_AttributeError)) {
        PyErr_Clear();
        value = PyObject_GetAttr(function, name);
    }
    return value;
}

/* True for attributes that belong to the function: those that affect calls or describe it. */
static int
is_of_function(PyObject *name)
{
    static const char *const names[] = {"__code__", "__defaults__", "__kwdefaults__",
                                        "__annotations__", "__annotate__", "__type_params__"};
    for (size_t k = 0; k < Py_ARRAY_LENGTH(names); k++) {
        if (PyUnicode_Check(name) && PyUnicode_CompareWithASCIIString(name, names[k]) == 0) {
            return 1;
        }
    }
    return 0;
}

int
fj_dispatcher_setattro(PyObject *self, PyObject *name, PyObject *value)
{
    fj_dispatcher *dispatcher = (fj_dispatcher *)self;
    if (!is_of_function(name)) {
        return PyObject_GenericSetAttr(self, name, value);
    }
    /* An attribute that functools.update_wrapper has set here would hide the function's. */
    int hides = dispatcher->dict == NULL ? 0 : PyDict_Contains(dispatcher->dict, name);
    if (hides < 0 || (hides && PyDict_DelItem(dispatcher->dict, name) < 0)) {
        return -1;
    }
    return PyObject_SetAttr(dispatcher->function, name, value);
}

/* 1 if the running Python code is a pickler that takes functions apart. */
static int
is_asked_by_pickler(void)
{
    PyObject *globals = PyEval_GetGlobals(); /* borrowed */
    PyObject *name = globals == NULL ? NULL : PyDict_GetItemString(globals, "__name__");
    const char *text = name != NULL && PyUnicode_Check(name) ? PyUnicode_AsUTF8(name) : NULL;
    if (text == NULL) {
        PyErr_Clear();
    }
    return text != NULL && strstr(text, "cloudpickle") != NULL;
}

/* `inspect` and its users test isinstance(f, types.FunctionType), so this pretends to be one. cloudpickle
 * would make a plain function of it: for cloudpickle it is an object with a reduction. */
PyObject *
fj_dispatcher_get_class(PyObject *self, void *closure)
{
    (void)closure;
    return Py_NewRef(is_asked_by_pickler() ? (PyObject *)Py_TYPE(self)
                                           : (PyObject *)&PyFunction_Type);
}

/* __set_name__, called when the class is made. Python turns plain functions with these names into class
 * methods and a static method by their exact type, so it is done here. */
PyObject *
fj_dispatcher_set_name(PyObject *self, PyObject *args)
{
    PyObject *owner, *name;
    if (!PyArg_ParseTuple(args, "O!U:__set_name__", &PyType_Type, &owner, &name)) {
        return NULL;
    }
    PyObject *method;
    if (PyUnicode_CompareWithASCIIString(name, "__new__") == 0) {
        method = PyStaticMethod_New(self);
    } else if (PyUnicode_CompareWithASCIIString(name, "__init_subclass__") == 0 ||
               PyUnicode_CompareWithASCIIString(name, "__class_getitem__") == 0) {
        method = PyClassMethod_New(self);
    } else {
        Py_RETURN_NONE;
    }
    int failed = method == NULL || PyType_Type.tp_setattro(owner, name, method) < 0;
    Py_XDECREF(method);
    if (failed) {
        return NULL;
    }
    Py_RETURN_NONE;
}

/* copy.copy() returns the object itself, as for functions. */
PyObject *
fj_dispatcher_copy(PyObject *self, PyObject *ignored)
{
    (void)ignored;
    return Py_NewRef(self);
}

/* Pickled by reference to its qualified name, like a function; frontends/pickling.py knows more. */
PyObject *
fj_dispatcher_reduce(fj_dispatcher *self, PyObject *ignored)
{
    (void)ignored;
    return PyObject_GetAttrString(self->function, "__qualname__");
}
