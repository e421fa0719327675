/* Lists of numbers as arrays: see listed.c. */
#ifndef FRAMEJIT_LISTED_H
#define FRAMEJIT_LISTED_H

#include "core.h"

/* 1 if an exact list is not empty and all items are exact arrays of this type number, in native byte order,
 * with equal shapes. */
int fj_holds_arrays(PyObject *list, int number);

/* 1 for an exact `collections.deque`, 0 for other objects, -1 with an exception set. */
int fj_is_deque(PyObject *owner);

/* Parts of containers: items of lists, sets and deques, keys and values of dicts, the hash table of the items of a
 * set, or of the keys of a dict, that kernels look them up in (decompositions/sets.py), 0, 1, 2 ... for each item,
 * and the numbers in the lists that a list holds. */
enum { FJ_ITEMS, FJ_KEYS, FJ_VALUES, FJ_SLOTS, FJ_PLACES, FJ_ROWS };

/* The columns of FJ_ROWS: an array of two axes, for lists of equal length; else the numbers of all lists
 * one after the other, and where those of each list begin and end. */
enum { FJ_GRID, FJ_FLAT, FJ_STARTS, FJ_ENDS };

/* Slots of the smallest hash table. */
enum { FJ_FIRST_SLOTS = 32 };

/* The numbers of a container that an array is to hold. */
typedef struct {
    int whole; /* ints, not floats */
    int part;
    int width; /* each item is a tuple of as many ints; 0: it is a number */
    int column; /* of the tuples, or of FJ_ROWS */
    int numpy;  /* the numbers are np.int64 or np.float64, not int or float */
} fj_contents;

/* A new array of doubles or int64, of what an exact list, set, dict or deque holds: exact floats, exact ints that
 * fit, a column of tuples of such ints, or the numbers in exact lists. `code` has the fields of fj_contents, from
 * its lowest bit on 1, 3, 4, 4 and 1 bits; `longest` is the greatest length of a deque, -1 for none. NULL where the
 * items are others; with an exception set only where there is no memory. */
PyObject *fj_listed(PyObject *owner, int code, int64_t longest);

#endif
