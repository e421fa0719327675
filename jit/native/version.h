/* Facts about versions of CPython, for all C files; others use these or the functions here and ask for no version.
 *
 * Functions touch no reference and cannot fail unless they say so. There are two headers, because CPython's
 * private headers need Py_BUILD_CORE, which changes the declarations of Python.h for the whole file, and do not
 * compile without warnings: version_frames.h includes them, for files that look into frames (FJ_INTERP_INSIDE in
 * interp.h). */
#ifndef FRAMEJIT_VERSION_H
#define FRAMEJIT_VERSION_H

#include <Python.h>
#include <stdint.h>

/* ---- facts -------------------------------------------------------------------------------- */

/* 1 for versions whose frames and thread states these files know. */
#define FJ_KNOWN_VERSION (PY_VERSION_HEX >= 0x030B0000 && PY_VERSION_HEX < 0x03100000)

/* 1 for versions on which framejit's tests pass; elsewhere eager runs. */
#define FJ_PROVED_VERSION (PY_VERSION_HEX >= 0x030B0000 && PY_VERSION_HEX < 0x03100000)

/* 1 for alpha and beta releases, whose frames may still change. */
#define FJ_IS_PRERELEASE (PY_MICRO_VERSION == 0 && PY_RELEASE_LEVEL < PY_RELEASE_LEVEL_GAMMA)

/* 1 where sys.monitoring exists. */
#define FJ_HAS_MONITORING (PY_VERSION_HEX >= 0x030C0000)

/* 1 where recursion in C is counted in levels: before, levels of Python and C are one number; since 3.14 it is
 * the address of the C stack that counts. */
#define FJ_COUNTS_C_RECURSION (PY_VERSION_HEX >= 0x030C0000 && PY_VERSION_HEX < 0x030E0000)

/* 1 where the address of the stack pointer is compared with bounds in the thread state. */
#define FJ_CHECKS_STACK (PY_VERSION_HEX >= 0x030E0000)

/* The C stack that a call from Python to Python takes under a hook, as measured: 400 to 530 bytes before 3.14, whose
 * interpreter keeps more in its C frame: 750 to 1,050. */
#define FJ_HOOKED_CALL_BYTES (FJ_CHECKS_STACK ? 1024 : 512)

/* 1 where whoever evaluates a frame clears and pops it; on 3.11 whoever asked for the evaluation does. */
#define FJ_EVALUATION_POPS (PY_VERSION_HEX >= 0x030C0000)

/* 1 where dicts tell their version by a number; later a watcher has to be told. */
#define FJ_DICTS_HAVE_VERSIONS (PY_VERSION_HEX < 0x030E0000)

/* The function that calls its callee, constant 0, with its parameter, without RESUME. */
#if PY_VERSION_HEX >= 0x030D0000
#define FJ_CALL_CONSTANT {LOAD_CONST, 0, PUSH_NULL, 0, LOAD_FAST, 0, CALL, 1, 0, 0, 0, 0, 0, 0, RETURN_VALUE, 0}
#elif PY_VERSION_HEX >= 0x030C0000
#define FJ_CALL_CONSTANT {PUSH_NULL, 0, LOAD_CONST, 0, LOAD_FAST, 0, CALL, 1, 0, 0, 0, 0, 0, 0, RETURN_VALUE, 0}
#else
#define FJ_CALL_CONSTANT {PUSH_NULL, 0, LOAD_CONST, 0, LOAD_FAST, 0, PRECALL, 1, 0, 0, CALL, 1, 0, 0, \
                          0, 0, 0, 0, 0, 0, RETURN_VALUE, 0}
#endif

/* ---- names that became public -------------------------------------------------------------- */

#if PY_VERSION_HEX >= 0x030C0000
#define fj_request_index PyUnstable_Eval_RequestCodeExtraIndex
#define fj_get_extra PyUnstable_Code_GetExtra
#define fj_set_extra PyUnstable_Code_SetExtra
#define fj_code_new PyUnstable_Code_New
#else
#define fj_request_index _PyEval_RequestCodeExtraIndex
#define fj_get_extra _PyCode_GetExtra
#define fj_set_extra _PyCode_SetExtra
#define fj_code_new PyCode_New
#endif

#if PY_VERSION_HEX >= 0x030D0000
#define fj_is_finalizing_now Py_IsFinalizing
#else
#define fj_is_finalizing_now _Py_IsFinalizing
#endif

/* The namespace of a type: a new reference, or NULL without an exception. Builtin types have theirs in the
 * interpreter since 3.12. */
static inline PyObject *
fj_type_namespace(PyTypeObject *type)
{
#if PY_VERSION_HEX >= 0x030C0000
    return PyType_GetDict(type);
#else
    return Py_XNewRef(type->tp_dict);
#endif
}

/* 1 if loops go through an object of this type by index, and have no iterator. */
static inline int
fj_iterates_by_index(const PyTypeObject *type)
{
#if PY_VERSION_HEX >= 0x030F0000
    return type->_tp_iteritem != NULL;
#else
    (void)type;
    return 0;
#endif
}

/* Call after replacing an item of a tuple: since 3.14 it caches its hash. */
static inline void
fj_tuple_changed(PyObject *tuple)
{
#if PY_VERSION_HEX >= 0x030E0000
    ((PyTupleObject *)tuple)->ob_hash = -1;
#else
    (void)tuple;
#endif
}

/* A pending exception. */
typedef struct {
    PyObject *type, *value, *traceback; /* owned; only `value` since 3.12 */
} fj_error;

/* Fetch the exception that is set, if any: owned. */
static inline fj_error
fj_error_take(void)
{
    fj_error error = {NULL, NULL, NULL};
#if PY_VERSION_HEX >= 0x030C0000
    error.value = PyErr_GetRaisedException();
#else
    PyErr_Fetch(&error.type, &error.value, &error.traceback);
#endif
    return error;
}

/* As fj_error_take, normalised and without a traceback. */
static inline fj_error
fj_error_take_bare(void)
{
    fj_error error = fj_error_take();
#if PY_VERSION_HEX < 0x030C0000
    PyErr_NormalizeException(&error.type, &error.value, &error.traceback);
    Py_CLEAR(error.traceback);
#endif
    if (error.value != NULL && PyExceptionInstance_Check(error.value)) {
        PyException_SetTraceback(error.value, Py_None);
    }
    return error;
}

/* Set it again; steals its references. */
static inline void
fj_error_give(fj_error error)
{
#if PY_VERSION_HEX >= 0x030C0000
    PyErr_SetRaisedException(error.value);
#else
    PyErr_Restore(error.type, error.value, error.traceback);
#endif
}

/* ---- slots of frames ------------------------------------------------------------------------ */

/* A slot is, since 3.14, a word with tags in its lowest bits: 1 for a reference that is not counted, alone
 * for NULL; 3 for an int that is no object, which only the interpreter's own stack items are. */
#if PY_VERSION_HEX >= 0x030E0000
typedef uintptr_t fj_slot;
#else
typedef PyObject *fj_slot;
#endif

/* The object in a variable of a frame: borrowed, NULL where nothing is bound. */
static inline PyObject *
fj_slot_object(fj_slot slot)
{
#if PY_VERSION_HEX >= 0x030E0000
    return (slot & 3) == 3 ? NULL : (PyObject *)(slot & ~(uintptr_t)1);
#else
    return slot;
#endif
}

/* ---- the thread state ----------------------------------------------------------------------- */

#if FJ_KNOWN_VERSION

/* Return the location of a thread's innermost frame. */
static inline struct _PyInterpreterFrame **
fj_innermost_place(const PyThreadState *tstate)
{
#if PY_VERSION_HEX >= 0x030D0000
    return (struct _PyInterpreterFrame **)&tstate->current_frame;
#else
    return (struct _PyInterpreterFrame **)&tstate->cframe->current_frame;
#endif
}

/* Return the frame found there when no Python frame runs: borrowed from the thread, or NULL. */
static inline struct _PyInterpreterFrame *
fj_outside_frame(const PyThreadState *tstate)
{
#if PY_VERSION_HEX >= 0x030F0000
    return tstate->base_frame;
#else
    (void)tstate;
    return NULL;
#endif
}

/* Return the counter of Python frames that a thread may still enter (on 3.11 including those that C code
 * enters), and the total. */
static inline int *
fj_frames_remaining(PyThreadState *tstate)
{
#if PY_VERSION_HEX >= 0x030C0000
    return &tstate->py_recursion_remaining;
#else
    return &tstate->recursion_remaining;
#endif
}

static inline int
fj_frames_limit(const PyThreadState *tstate)
{
#if PY_VERSION_HEX >= 0x030C0000
    return tstate->py_recursion_limit;
#else
    return tstate->recursion_limit;
#endif
}

/* Return the levels of C recursion that a thread has left; many if levels are not counted. */
static inline int
fj_c_recursion_remaining(const PyThreadState *tstate)
{
#if FJ_COUNTS_C_RECURSION
    return tstate->c_recursion_remaining;
#else
    (void)tstate;
    return INT32_MAX;
#endif
}

/* Add levels of C recursion to a thread; negative ones are taken back. */
static inline void
fj_c_recursion_add(PyThreadState *tstate, int levels)
{
#if FJ_COUNTS_C_RECURSION
    tstate->c_recursion_remaining += levels;
#else
    (void)tstate;
    (void)levels;
#endif
}

/* The version of a dict, which every change of it changes; 0 where none is told. The field is public, and
 * deprecated since 3.12 in favour of watchers, which are few in a process and are called at each change. */
static inline uint64_t
fj_dict_version(PyObject *dict)
{
#if FJ_DICTS_HAVE_VERSIONS
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
    return ((PyDictObject *)dict)->ma_version_tag;
#pragma GCC diagnostic pop
#else
    (void)dict;
    return 0;
#endif
}

#endif
#endif
