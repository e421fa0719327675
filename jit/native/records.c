/* Records of code objects: the mark for the frame hook, its reason, and the number of frames seen.
 *
 * A record is attached to its code by co_extra, which the garbage collector does not traverse, so it owns
 * nothing that could lead back to a function. CPython tells when the code dies, and the record dies with it.
 * While a report is being recorded (keep_records) the sums of dead code are kept, merged by place and rule,
 * so that a program that makes functions in a loop does not fill the memory. */
#include "records.h"

static fj_record *first;  /* all records of living code */
static PyObject *dead;    /* owned: dict (place, mark, rule) -> (frames, deep); NULL: nothing is kept */
static Py_ssize_t keeping; /* keep_records(True) calls that are open */
static PyObject *body_rule; /* owned: the rule by which bodies of modules and classes are left alone */

fj_record *
fj_record_make(PyObject *code)
{
    fj_record *record = fj_record_find(code);
    if (record != NULL) {
        return record;
    }
    PyCodeObject *of = (PyCodeObject *)code;
    record = PyMem_Calloc(1, sizeof *record);
    if (record == NULL) {
        PyErr_NoMemory();
        return NULL;
    }
    record->place = Py_BuildValue("(OOi)", of->co_filename, of->co_qualname, of->co_firstlineno);
    if (record->place == NULL || fj_extra_set(code, record) < 0) {
        Py_XDECREF(record->place);
        PyMem_Free(record);
        return NULL;
    }
    PyObject_GC_UnTrack(record->place); /* strings and a number */
    record->code = code;
    record->next = first;
    if (first != NULL) {
        first->previous = record;
    }
    first = record;
    return record;
}

fj_record *
fj_record_at(const void *address)
{
    fj_record *record = first;
    while (record != NULL && record->code != address) {
        record = record->next;
    }
    return record;
}

/* Adds what a record counted to the sums of dead code; 0, or -1 with an exception. No garbage may be
 * collected meanwhile: more code would be buried in the middle of it. */
static int
bury(const fj_record *record)
{
    PyObject *key = Py_BuildValue("(OiO)", record->place, record->mark,
                                  record->rule == NULL ? Py_None : record->rule);
    PyObject *known = key == NULL ? NULL : PyDict_GetItemWithError(dead, key);
    unsigned long long frames = 0, deep = 0;
    if (known != NULL && !PyArg_ParseTuple(known, "KK", &frames, &deep)) {
        PyErr_Clear();
    }
    PyObject *sums = PyErr_Occurred()
                         ? NULL
                         : Py_BuildValue("(KK)", frames + (unsigned long long)record->frames,
                                         deep + (unsigned long long)record->deep);
    int status = sums == NULL ? -1 : PyDict_SetItem(dead, key, sums);
    Py_XDECREF(key);
    Py_XDECREF(sums);
    return status;
}

void
fj_record_free(void *extra)
{
    fj_record *record = extra;
    if (record == NULL) {
        return;
    }
    if (record->previous != NULL) {
        record->previous->next = record->next;
    }
    else {
        first = record->next;
    }
    if (record->next != NULL) {
        record->next->previous = record->previous;
    }
    if (dead != NULL && record->frames > 0) {
        fj_error error = fj_error_fetch(); /* code may die while an exception is on its way */
        int collecting = PyGC_Disable();
        if (bury(record) < 0) {
            PyErr_Clear(); /* no memory for it: the report lacks a line */
        }
        if (collecting) {
            PyGC_Enable();
        }
        fj_error_restore(error);
    }
    Py_XDECREF(record->rule);
    Py_XDECREF(record->place);
    Py_XDECREF(record->original);
    Py_XDECREF(record->settled);
    PyMem_Free(record);
}

/* ---- the module --------------------------------------------------------------------------- */

/* hook_mark(code, mark, rule=None): None, or NULL with an exception. Keeps the counts; borrows. */
static PyObject *
hook_mark(PyObject *Py_UNUSED(module), PyObject *args)
{
    PyObject *code, *rule = Py_None;
    int mark;
    if (!PyArg_ParseTuple(args, "O!i|O:hook_mark", &PyCode_Type, &code, &mark, &rule)) {
        return NULL;
    }
    if (mark < FJ_MARK_UNKNOWN || mark > FJ_MARK_HANDLE) {
        return PyErr_Format(PyExc_ValueError, "%d is no mark", mark);
    }
    if (rule != Py_None && !PyUnicode_CheckExact(rule)) {
        PyErr_SetString(PyExc_TypeError, "hook_mark: a rule is a string, or None");
        return NULL;
    }
    fj_record *record = fj_record_make(code);
    if (record == NULL) {
        return NULL;
    }
    record->mark = mark;
    Py_XSETREF(record->rule, rule == Py_None ? NULL : Py_NewRef(rule));
    Py_RETURN_NONE;
}

/* hook_get_mark(code): a new tuple (mark, count), or NULL with an exception. Borrows. */
static PyObject *
hook_get_mark(PyObject *Py_UNUSED(module), PyObject *args)
{
    PyObject *code;
    if (!PyArg_ParseTuple(args, "O!:hook_get_mark", &PyCode_Type, &code)) {
        return NULL;
    }
    const fj_record *record = fj_record_find(code);
    return record == NULL ? Py_BuildValue("(ii)", FJ_MARK_UNKNOWN, 0)
                          : Py_BuildValue("(iK)", record->mark, (unsigned long long)record->frames);
}

/* hook_get_rule(code): a new reference to the rule or None, or NULL with an exception. */
static PyObject *
hook_get_rule(PyObject *Py_UNUSED(module), PyObject *args)
{
    PyObject *code;
    if (!PyArg_ParseTuple(args, "O!:hook_get_rule", &PyCode_Type, &code)) {
        return NULL;
    }
    const fj_record *record = fj_record_find(code);
    return Py_NewRef(record == NULL || record->rule == NULL ? Py_None : record->rule);
}

/* count_function(code): how many functions of this code were adopted, with this one; a new reference,
 * or NULL with an exception. */
static PyObject *
count_function(PyObject *Py_UNUSED(module), PyObject *args)
{
    PyObject *code;
    if (!PyArg_ParseTuple(args, "O!:count_function", &PyCode_Type, &code)) {
        return NULL;
    }
    fj_record *record = fj_record_make(code);
    return record == NULL ? NULL : PyLong_FromLong(++record->functions);
}

/* Appends a new tuple (place, mark, rule, frames, deep): 0, or -1 with an exception. */
static int
append_living(PyObject *list, const fj_record *record)
{
    PyObject *one = Py_BuildValue("(OiOKK)", record->place, record->mark,
                                  record->rule == NULL ? Py_None : record->rule,
                                  (unsigned long long)record->frames,
                                  (unsigned long long)record->deep);
    int status = one == NULL ? -1 : PyList_Append(list, one);
    Py_XDECREF(one);
    return status;
}

/* Appends the sums of dead code: 0, or -1 with an exception. */
static int
append_dead(PyObject *list)
{
    PyObject *now = dead == NULL ? PyDict_New() : PyDict_Copy(dead), *key, *sums;
    Py_ssize_t at = 0;
    int status = now == NULL ? -1 : 0;
    while (status == 0 && PyDict_Next(now, &at, &key, &sums)) {
        PyObject *both = PySequence_Concat(key, sums);
        status = both == NULL ? -1 : PyList_Append(list, both);
        Py_XDECREF(both);
    }
    Py_XDECREF(now);
    return status;
}

/* records(): a new list of (place, mark, rule, frames, deep), or NULL with an exception. No garbage
 * may be collected meanwhile: code that dies in the middle would be told of twice, alive and dead. */
static PyObject *
records(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(ignored))
{
    int collecting = PyGC_Disable();
    PyObject *list = PyList_New(0);
    int status = list == NULL ? -1 : 0;
    for (const fj_record *record = first; status == 0 && record != NULL; record = record->next) {
        status = append_living(list, record);
    }
    if (status < 0 || append_dead(list) < 0) {
        Py_CLEAR(list);
    }
    if (collecting) {
        PyGC_Enable();
    }
    return list;
}

/* keep_records(on): None, or NULL with an exception. Calls nest. */
static PyObject *
keep_records(PyObject *Py_UNUSED(module), PyObject *on)
{
    int more = PyObject_IsTrue(on);
    if (more < 0 || (more && dead == NULL && (dead = PyDict_New()) == NULL)) {
        return NULL;
    }
    keeping += more ? 1 : -1;
    if (keeping <= 0) {
        keeping = 0;
        Py_CLEAR(dead);
    }
    Py_RETURN_NONE;
}

/* time_spent(code): a new reference to ns, or NULL with an exception. Borrows. */
static PyObject *
time_spent(PyObject *Py_UNUSED(module), PyObject *code)
{
    if (!PyCode_Check(code)) {
        PyErr_SetString(PyExc_TypeError, "time_spent: code is needed");
        return NULL;
    }
    const fj_record *record = fj_record_find(code);
    return PyLong_FromLongLong(record == NULL ? 0 : record->spent);
}

/* own_time(code): a new reference to ns, or NULL with an exception. Borrows. */
static PyObject *
own_time(PyObject *Py_UNUSED(module), PyObject *code)
{
    if (!PyCode_Check(code)) {
        PyErr_SetString(PyExc_TypeError, "own_time: code is needed");
        return NULL;
    }
    const fj_record *record = fj_record_find(code);
    return PyLong_FromLongLong(record == NULL ? 0 : record->own);
}

/* tell_at(code, spent): None, or NULL with an exception. Borrows. */
static PyObject *
tell_at(PyObject *Py_UNUSED(module), PyObject *args)
{
    PyObject *code, *spent;
    if (!PyArg_ParseTuple(args, "O!O:tell_at", &PyCode_Type, &code, &spent)) {
        return NULL;
    }
    fj_record *record = fj_record_make(code);
    long long due = record == NULL || spent == Py_None ? FJ_NEVER : PyLong_AsLongLong(spent);
    if (PyErr_Occurred()) {
        return NULL;
    }
    record->due = due < 1 ? 1 : due;
    Py_RETURN_NONE;
}

static PyMethodDef functions[] = {
    {"hook_mark", hook_mark, METH_VARARGS,
     "hook_mark(code, mark, rule=None): mark a code object UNKNOWN, SKIP or HANDLE, and say why."},
    {"hook_get_mark", hook_get_mark, METH_VARARGS,
     "hook_get_mark(code) -> (mark, frames that were seen of it since it had a mark)."},
    {"hook_get_rule", hook_get_rule, METH_VARARGS,
     "hook_get_rule(code) -> the rule by which it is skipped, or None."},
    {"count_function", count_function, METH_VARARGS,
     "count_function(code) -> functions of this code that were adopted, with one more."},
    {"records", records, METH_NOARGS,
     "records() -> list of ((file, name, line), mark, rule, frames, deep), dead code at its end."},
    {"keep_records", keep_records, METH_O,
     "keep_records(on): what code counted stays known when it dies. Nests."},
    {"time_spent", time_spent, METH_O,
     "time_spent(code) -> ns of CPU time in which it was seen on the stack of the main thread."},
    {"own_time", own_time, METH_O,
     "own_time(code) -> ns of that, without those in other code that the handler may hear of."},
    {"tell_at", tell_at, METH_VARARGS,
     "tell_at(code, ns): the handler is asked about the code again when so much is spent; None: never."},
    {NULL, NULL, 0, NULL},
};

void
fj_record_count_body(PyObject *code)
{
    fj_record *record = fj_record_make(code);
    if (record == NULL) {
        PyErr_Clear(); /* no memory for it: it is not counted */
        return;
    }
    if (record->rule == NULL) {
        record->mark = FJ_MARK_SKIP;
        record->rule = Py_NewRef(body_rule);
    }
    record->frames++;
}

int
fj_records_init(PyObject *module)
{
    if (body_rule == NULL) { /* else it is a second import in the same process */
        body_rule = PyUnicode_InternFromString("body");
    }
    if (body_rule == NULL) {
        return -1;
    }
    return PyModule_AddFunctions(module, functions);
}
