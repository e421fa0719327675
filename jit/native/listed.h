/* Lists of numbers as arrays: see listed.c. */
#ifndef FRAMEJIT_LISTED_H
#define FRAMEJIT_LISTED_H

#include "core.h"

/* Whether an exact list has nothing but exact arrays, of this type number, native byte order and the shape
 * of the first one; and at least one. */
int fj_holds_arrays(PyObject *list, int number);

/* A new array of doubles, or with `whole` of int64, of the items of an exact list: exact floats, or exact
 * ints that fit. NULL where they are not; with an exception set only where there is no memory. */
PyObject *fj_listed(PyObject *list, int whole);

#endif
