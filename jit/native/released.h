/* Parts of a kernel that run without the GIL. */
#ifndef FRAMEJIT_RELEASED_H
#define FRAMEJIT_RELEASED_H

#include "core.h"

/* State of a launch's arrays: where their items are, their layout, and whether they are writable. */
typedef struct {
    PyArrayObject *array; /* owned */
    PyObject *pin;        /* owned: a weak reference to the owner of the memory, or NULL */
    PyArray_Descr *descr; /* borrowed, only compared */
    char *data;
    int flags, ndim;
    npy_intp axes[2 * FJ_MAX_NDIM]; /* lengths, then strides */
} fj_standing;

typedef struct {
    fj_standing *arrays; /* owned */
    Py_ssize_t count;
    PyThreadState *thread;
} fj_noted;

/* Record the state of the arrays in the slots of a launch, and keep them alive until fj_forget. With `pin`
 * NumPy refuses to move or shrink their memory until then. -1, without an exception and with nothing
 * recorded, if there is no memory. */
int fj_note(fj_noted *noted, const fj_run *run, int pin);

/* 1 if all of them are in the recorded state. */
int fj_stand(const fj_noted *noted);

/* Release the arrays, which may run a finaliser. A set exception is kept. */
void fj_forget(fj_noted *noted);

/* Release the GIL: 1, or 0 if that is impossible. The kernel may then use memory of arrays, words and
 * scratch, and call nothing. */
int fj_release(fj_noted *noted, const fj_run *run);

/* Take it back, and tell the launch if its arrays have changed. */
void fj_take_back(fj_noted *noted, fj_run *run);

/* Set in tests: functions that need the GIL check for it. */
extern int fj_checks_gil;

/* Called first in functions that a kernel may only call with the GIL: aborts the process without it. */
static inline void
fj_needs_gil(void)
{
    if (fj_checks_gil && !PyGILState_Check()) {
        Py_FatalError("framejit: a kernel has asked the run time for something without the GIL");
    }
}

/* Return the number of launches that run without the GIL now: their kernels' memory must stay executable. */
int fj_released_launches(void);

/* 0, or -1 with an exception. */
int fj_released_init(void);

#endif
