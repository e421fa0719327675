/* The callable behind @jit: dispatcher.c makes it and shows it, dispatch.c calls it. */
#ifndef FRAMEJIT_DISPATCHER_H
#define FRAMEJIT_DISPATCHER_H

#include "bind.h"
#include "kinds.h"

enum { STACK_ARGUMENTS = 16 }; /* of a call; with more, a call is no entry */

typedef struct {
    PyObject_HEAD
    vectorcallfunc vectorcall;
    fj_cache cache;
    fj_parameters parameters;
    PyObject *function; /* the user's function: what __wrapped__ is */
    PyObject *code;     /* what it ran when it was jitted: with other code in it, it runs as it is */
    PyObject *fallback; /* a function whose code has segments, or the user's own */
    PyObject *resume;   /* the segment at the entry of `resumed`, or NULL */
    PyObject *resumed;  /* `fallback` as it was when `resume` was set: others lack the segment */
    PyObject *manager;  /* the Python side: miss(options, live) -> bool, stats(), inspect() */
    PyObject *declined; /* options under which the function stays as it is, or NULL */
    PyObject *dict;
    PyObject *weakrefs;
    uint64_t calls;
    uint64_t hits;   /* calls that made no frame */
    uint64_t midway; /* calls that a kernel began, and that a frame ended */
    uint64_t plain;  /* calls that ran the function as it is although there was an entry */
    int bindable; /* the entries are worth trying: the signature is one that fj_bind serves */
    fj_kinds kinds;   /* of calls that run rewritten code */
    fj_rests rests;   /* kinds of calls that go by: all entries that take them are slower */
    int untimed;  /* rewritten code serves, be it slower than plain Python or not */
    uint64_t missed_kind; /* of the last calls that no entry has taken, */
    int missed;           /* and how many they are, as far as that matters */
    int rest;     /* so many calls go by, whatever their kind, before anything is looked at again */
    int unasked;  /* so many misses go to the fallback without a question for a capture */
    uint64_t captures_at; /* with this call captures go on that took too long in an earlier one; or 0 */
    int closed;   /* captures no more from here: a miss goes to the fallback at once */
    int launches; /* of its entries that are under way: their exits belong to `resume` as it is */
} fj_dispatcher;

/* The call; holds `callable` meanwhile. */
PyObject *fj_dispatcher_vectorcall(PyObject *callable, PyObject *const *args, size_t nargsf,
                                   PyObject *kwnames);

/* Tries the entries on arguments that are bound already, for a call of `function`, whose dispatcher
 * this is. New reference to the result, or to a CodeSwap with the rewritten code; NULL without an
 * exception when the function has to run as it is. Where a frame is to run, in whatever code, the sample
 * may have begun: whoever runs the frame ends it. */
PyObject *fj_dispatcher_attempt(PyObject *dispatcher, PyObject *function, PyObject *const *args,
                                Py_ssize_t count, fj_sample *sample);

/* looks.c: repr() and dir() of a dispatcher, for interactive sessions. New references, or NULL with an
 * exception. */
PyObject *fj_dispatcher_repr(PyObject *self);
PyObject *fj_dispatcher_dir(PyObject *self, PyObject *ignored);

/* like_function.c: a dispatcher binds, has attributes, and is copied and pickled like a function. New
 * references or 0, NULL or -1 with an exception. */
PyObject *fj_dispatcher_descr_get(PyObject *self, PyObject *instance, PyObject *type);
/* Have the manager capture a call with these arguments, borrowed: 1 if there is a new entry, else 0; -1 with an
 * exception. */
int fj_ask_for_capture(fj_dispatcher *self, PyObject *options, PyObject *const *bound);

/* Have the manager make segments once for a signature that fj_bind does not serve: 0, or -1 with an exception. */
int fj_ask_to_prepare(fj_dispatcher *self);

/* Tell the manager of changes before rewritten code runs: 0, or -1 with an exception. If calls now take much
 * more or less time than measured, it restores stubs that were slower than plain Python. Captures that took
 * too long in an earlier call continue. */
int fj_tell_of_changes(fj_dispatcher *self);

PyObject *fj_dispatcher_getattro(PyObject *self, PyObject *name);
int fj_dispatcher_setattro(PyObject *self, PyObject *name, PyObject *value);
PyObject *fj_dispatcher_get_class(PyObject *self, void *closure);
PyObject *fj_dispatcher_set_name(PyObject *self, PyObject *args);
PyObject *fj_dispatcher_copy(PyObject *self, PyObject *ignored);
PyObject *fj_dispatcher_reduce(fj_dispatcher *self, PyObject *ignored);

#endif
