/* Records of code objects, and objects owned by functions: see records.c and function_lifetime.c. */
#ifndef FRAMEJIT_RECORDS_H
#define FRAMEJIT_RECORDS_H

#include "interp.h"

#define FJ_NEVER INT64_MAX

/* Marks of a code object. */
enum { FJ_MARK_UNKNOWN = 0, FJ_MARK_SKIP = 1, FJ_MARK_HANDLE = 2 };

/* The record of a code object: made at its first mark, gone with it. It refers to strings and to
 * other code only, never to what could lead back to a function. */
typedef struct fj_record {
    struct fj_record *previous, *next;
    const void *code;   /* whose record it is: to be compared, never to be read */
    uint64_t frames;    /* seen since there is a mark */
    uint64_t deep;      /* of these, left alone for want of C stack or recursion depth */
    int mark;
    int functions;      /* made of this code and adopted */
    PyObject *rule;     /* owned: why it is skipped, or NULL */
    PyObject *place;    /* owned: (file, qualified name, first line) */
    PyObject *original; /* owned: the code that this one stands in for, or NULL */
    PyObject *settled;  /* owned: what to run in its place when it is skipped, or NULL */
    int64_t spent;      /* ns of CPU time in which the code was on the sampled stack */
    int64_t own;        /* of these, without those in other code of the program that it called */
    int64_t due;        /* at that much the sampler's handler is asked about the code; or FJ_NEVER */
    uint64_t sample;    /* the last sample that counted it: recursion counts once */
    int again;          /* it was called more than once, as far as samples show that */
} fj_record;

/* The record of a code object, NULL when it has none. Borrows; cannot fail. */
static inline fj_record *
fj_record_find(PyObject *code)
{
    return (fj_record *)fj_extra_get(code);
}

/* The record of the living code object at an address; NULL where there is none. */
fj_record *fj_record_at(const void *address);

/* The record of a code object, made when it has none; NULL with an exception. Borrows. */
fj_record *fj_record_make(PyObject *code);

/* Return the function's code as its user knows it; it may run a replacement. Borrows from the function. */
static inline PyObject *
fj_plain_code(PyObject *function)
{
    PyObject *code = PyFunction_GET_CODE(function);
    const fj_record *record = fj_record_find(code);
    return record == NULL || record->original == NULL ? code : record->original;
}

/* Count a frame of a module or class body with this code. Borrows; cannot fail. */
void fj_record_count_body(PyObject *code);

/* Free the record of code that dies; called by interpreters, accepts NULL. */
void fj_record_free(void *record);

int fj_records_init(PyObject *module);

/* function_lifetime.c: return the object that `function` owns: borrowed, NULL if there is none. Cannot fail. */
PyObject *fj_owned_find(PyObject *function);

/* Visit the references of a function (borrowed), without those to framejit's objects. */
int fj_owned_visit_function(PyObject *function, visitproc visit, void *arg);

int fj_function_lifetime_init(PyObject *module);

int fj_entrance_init(PyObject *module);

#endif
