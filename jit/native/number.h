/* Converts numbers of several types to the one that a kernel takes: see number.c. */
#ifndef FRAMEJIT_NUMBER_H
#define FRAMEJIT_NUMBER_H

#include "core.h"

enum { FJ_WHOLE = 1, FJ_EXACT = 2 };

/* A new Python float, or with FJ_WHOLE in `how` an int, of the same value as a number whose type is among
 * those of `kinds`; with FJ_EXACT an int is one that a double holds. NULL where it is not; with an
 * exception set only where there is no memory. */
PyObject *fj_number_of(PyObject *value, int64_t kinds, int how);

/* A new reference to `value`, if it is an exact array of doubles without gaps, aligned and in native byte order, as
 * long as the array `like` with one axis; or a new array of that length of a number whose type is among those of
 * `kinds`, which is no NaN. NULL as for fj_number_of. */
PyObject *fj_spread(PyObject *value, PyObject *like, int64_t kinds);

#endif
