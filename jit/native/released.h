/* Parts of a kernel that run without the GIL. */
#ifndef FRAMEJIT_RELEASED_H
#define FRAMEJIT_RELEASED_H

#include "core.h"

/* How the arrays of a launch stand: where their items are, how they are laid out, what may be done with them. */
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

/* Notes how the arrays in the slots of a launch stand, and keeps them alive until fj_forget. With `pin` NumPy
 * refuses to move or shrink their memory until then. -1, without an exception, where there is no memory:
 * nothing is noted. */
int fj_note(fj_noted *noted, const fj_run *run, int pin);

/* 1 if all of them stand as they did. */
int fj_stand(const fj_noted *noted);

/* Lets go of the arrays, which may run a finaliser. Keeps an exception that is set. */
void fj_forget(fj_noted *noted);

/* Lets go of the GIL: 1, or 0 where that is not possible. The kernel may then use memory of arrays, words and
 * scratch, and call nothing. */
int fj_release(fj_noted *noted, const fj_run *run);

/* Takes it back, and tells the launch whether its arrays stand as they did. */
void fj_take_back(fj_noted *noted, fj_run *run);

/* Set in tests: what needs the GIL looks if it is there. */
extern int fj_checks_gil;

/* At the begin of what a kernel may call only where it has the GIL: ends the process where it has not. */
static inline void
fj_needs_gil(void)
{
    if (fj_checks_gil && !PyGILState_Check()) {
        Py_FatalError("framejit: a kernel has asked the run time for something without the GIL");
    }
}

/* How many launches run without the GIL now: their kernels' memory must stay executable. */
int fj_released_launches(void);

/* 0, or -1 with an exception. */
int fj_released_init(void);

#endif
