/* Lists of numbers as arrays: see listed.c. */
#ifndef FRAMEJIT_LISTED_H
#define FRAMEJIT_LISTED_H

#include "core.h"

/* 1 if an exact list is not empty and all items are exact arrays of this type number, in native byte order,
 * with equal shapes. */
int fj_holds_arrays(PyObject *list, int number);

/* A new array of doubles, or with `whole` of int64, of the items of an exact list: exact floats, or exact
 * ints that fit. NULL where they are not; with an exception set only where there is no memory. */
PyObject *fj_listed(PyObject *list, int whole);

#endif
