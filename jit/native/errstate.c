/* The state of np.errstate for floating point flags in this context.
 *
 * NumPy keeps it in a context variable that holds a capsule; its first members are the int mask that
 * np.geterr() decodes and the size of np.getbufsize(). That layout is private to NumPy, so it is only used
 * after a self-check at import; else np.geterr() is called, at a cost of a microsecond for calls that raised
 * a flag. */
#include "core.h"
#include "processor.h"

/* The flag of the processor and the shift of NumPy's three-bit mode for each kind, as np.seterr documents them. */
static const struct {
    int flag;
    int shift;
    const char *name;
} kinds[] = {{FJ_FP_DIVIDE, 0, "divide"},
             {FJ_FP_OVER, 3, "over"},
             {FJ_FP_UNDER, 6, "under"},
             {FJ_FP_INVALID, 9, "invalid"}};
enum { N_KINDS = 4 };

static PyObject *extobj_var;  /* owned; NULL when the capsule is not to be believed */
static PyObject *geterr;      /* owned: numpy.geterr */
static PyObject *make_extobj; /* owned: NumPy's maker of such capsules, or NULL */
static PyObject *raising;     /* owned: dict of (mask, size) -> capsule, see raising_capsule */

/* The first members of NumPy's struct. */
typedef struct {
    int mask;
    npy_intp bufsize;
} fj_extobj;

/* Return the mask from the capsule; -1 without an exception if unknown. `bufsize` is NULL, or receives the
 * size of ufunc buffers. */
static int
capsule_mask(npy_intp *bufsize)
{
    PyObject *capsule;
    if (extobj_var == NULL || PyContextVar_Get(extobj_var, NULL, &capsule) < 0) {
        PyErr_Clear();
        return -1;
    }
    if (capsule == NULL) {
        return -1;
    }
    const fj_extobj *state = PyCapsule_GetPointer(capsule, "numpy.ufunc.extobj");
    int mask = state != NULL ? state->mask : -1;
    if (state == NULL) {
        PyErr_Clear();
    }
    else if (bufsize != NULL) {
        *bufsize = state->bufsize;
    }
    Py_DECREF(capsule);
    return mask;
}

/* The mask from np.geterr(): 0 for each kind that is ignored, 1 for any other; -1 on error. */
static int
public_mask(void)
{
    PyObject *modes = PyObject_CallNoArgs(geterr);
    if (modes == NULL) {
        return -1;
    }
    int mask = 0;
    for (int k = 0; k < N_KINDS; k++) {
        PyObject *mode = PyMapping_GetItemString(modes, kinds[k].name);
        if (mode == NULL) {
            Py_DECREF(modes);
            return -1;
        }
        int ignored = PyUnicode_CompareWithASCIIString(mode, "ignore") == 0;
        mask |= !ignored << kinds[k].shift;
        Py_DECREF(mode);
    }
    Py_DECREF(modes);
    return mask;
}

int
fj_errstate_mask(void)
{
    return capsule_mask(NULL);
}

int
fj_errstate_reported(int raised)
{
    int mask = capsule_mask(NULL);
    if (mask < 0 && (mask = public_mask()) < 0) {
        return -1;
    }
    int reported = 0;
    for (int k = 0; k < N_KINDS; k++) {
        if ((mask >> kinds[k].shift) & 7) {
            reported |= raised & kinds[k].flag;
        }
    }
    return reported;
}

/* A capsule in which every kind that `mask` does not ignore raises, with ufunc buffers of the size in
 * force; borrowed, NULL on error. Made by NumPy itself and kept for the life of the process, so that
 * it must not hold the user's np.seterrcall. */
static PyObject *
raising_capsule(int mask, npy_intp bufsize)
{
    static int last_mask = -1;
    static npy_intp last_size;
    static PyObject *last; /* borrowed from `raising`, which never lets go of one */
    if (mask == last_mask && bufsize == last_size) {
        return last;
    }
    PyObject *key = Py_BuildValue("(in)", mask, (Py_ssize_t)bufsize);
    if (key == NULL) {
        return NULL;
    }
    PyObject *capsule = PyDict_GetItemWithError(raising, key);
    if (capsule == NULL && !PyErr_Occurred()) {
        PyObject *empty = PyTuple_New(0), *modes = PyDict_New();
        for (int k = 0; empty != NULL && modes != NULL && k < N_KINDS; k++) {
            const char *mode = (mask >> kinds[k].shift) & 7 ? "raise" : "ignore";
            PyObject *text = PyUnicode_FromString(mode);
            if (text == NULL || PyDict_SetItemString(modes, kinds[k].name, text) < 0) {
                Py_CLEAR(modes);
            }
            Py_XDECREF(text);
        }
        if (modes != NULL && PyDict_SetItemString(modes, "call", Py_None) < 0) {
            Py_CLEAR(modes);
        }
        PyObject *made =
            empty != NULL && modes != NULL ? PyObject_Call(make_extobj, empty, modes) : NULL;
        if (made != NULL && PyDict_SetItem(raising, key, made) == 0) {
            capsule = made; /* the dictionary holds it now */
        }
        Py_XDECREF(made);
        Py_XDECREF(empty);
        Py_XDECREF(modes);
    }
    Py_DECREF(key);
    if (capsule != NULL) {
        last_mask = mask;
        last_size = bufsize;
        last = capsule;
    }
    return capsule;
}

int
fj_errstate_raise(PyObject **token)
{
    *token = NULL;
    npy_intp bufsize;
    int mask = capsule_mask(&bufsize);
    if (mask == 0) {
        return 0;
    }
    PyObject *capsule = mask > 0 && make_extobj != NULL ? raising_capsule(mask, bufsize) : NULL;
    if (capsule == NULL) {
        PyErr_Clear();
        return -1;
    }
    *token = PyContextVar_Set(extobj_var, capsule);
    if (*token == NULL) {
        PyErr_Clear();
        return -1;
    }
    return 0;
}

void
fj_errstate_restore(PyObject *token)
{
    if (token == NULL) {
        return;
    }
    PyObject *type, *value, *traceback;
    PyErr_Fetch(&type, &value, &traceback);
    if (PyContextVar_Reset(extobj_var, token) < 0) {
        PyErr_WriteUnraisable(extobj_var);
    }
    Py_DECREF(token);
    PyErr_Restore(type, value, traceback);
}

/* Sets one errstate and looks whether the capsule shows it: 1 yes, 0 no, -1 error. */
static int
capsule_shows(PyObject *seterr, const char *over, int expected)
{
    PyObject *empty = PyTuple_New(0);
    PyObject *kwargs = Py_BuildValue("{s:s,s:s,s:s,s:s}", "divide", "ignore", "over", over,
                                     "under", "ignore", "invalid", "ignore");
    PyObject *old = NULL, *done = NULL;
    int shown = -1;
    if (empty != NULL && kwargs != NULL &&
        (old = PyObject_Call(seterr, empty, kwargs)) != NULL) {
        shown = capsule_mask(NULL) == expected;
        done = PyObject_Call(seterr, empty, old);
        if (done == NULL) {
            shown = -1;
        }
    }
    Py_XDECREF(empty);
    Py_XDECREF(kwargs);
    Py_XDECREF(old);
    Py_XDECREF(done);
    return shown;
}

/* Tell if the capsule shows the size of ufunc buffers, by setting one that nobody uses: 1 yes, 0 no, -1
 * error. */
static int
capsule_shows_size(PyObject *numpy)
{
    enum { SIZE = 8192 + 16 };
    npy_intp size = 0;
    PyObject *old = PyObject_CallMethod(numpy, "setbufsize", "i", SIZE);
    if (old == NULL) {
        return -1;
    }
    int shown = capsule_mask(&size) >= 0 && size == SIZE;
    PyObject *done = PyObject_CallMethod(numpy, "setbufsize", "O", old);
    Py_DECREF(old);
    Py_XDECREF(done);
    return done == NULL ? -1 : shown;
}

/* Check in a separate context: the variable stays unset in the caller's, where each look-up of NumPy's would
 * find it. 1 yes, 0 no, -1 error. */
static int
capsule_is_believed(PyObject *numpy, PyObject *seterr)
{
    PyObject *context = PyContext_New();
    if (context == NULL || PyContext_Enter(context) < 0) {
        Py_XDECREF(context);
        return -1;
    }
    int believed = capsule_shows(seterr, "raise", 2 << 3);
    if (believed > 0) {
        believed = capsule_shows(seterr, "warn", 1 << 3);
    }
    if (believed > 0) {
        believed = capsule_shows_size(numpy);
    }
    if (PyContext_Exit(context) < 0) {
        believed = -1;
    }
    Py_DECREF(context);
    return believed;
}

int
fj_errstate_init(void)
{
    PyObject *numpy = PyImport_ImportModule("numpy");
    PyObject *umath = PyImport_ImportModule("numpy._core._multiarray_umath");
    PyObject *seterr = NULL;
    int status = -1;
    if (umath == NULL) {
        PyErr_Clear();
    }
    if (numpy == NULL || (geterr = PyObject_GetAttrString(numpy, "geterr")) == NULL ||
        (seterr = PyObject_GetAttrString(numpy, "seterr")) == NULL) {
        goto done;
    }
    extobj_var = umath ? PyObject_GetAttrString(umath, "_extobj_contextvar") : NULL;
    if (extobj_var == NULL) {
        PyErr_Clear();
        status = 0;
        goto done;
    }
    make_extobj = PyObject_GetAttrString(umath, "_make_extobj");
    if (make_extobj == NULL) {
        PyErr_Clear();
    }
    raising = PyDict_New();
    if (raising == NULL) {
        goto done;
    }
    int believed = capsule_is_believed(numpy, seterr);
    if (believed <= 0) {
        Py_CLEAR(extobj_var);
    }
    status = believed < 0 ? -1 : 0;
done:
    Py_XDECREF(numpy);
    Py_XDECREF(umath);
    Py_XDECREF(seterr);
    return status;
}
