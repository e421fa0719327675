/* Validation of an entry's packed tables: see tables.c. */
#ifndef FRAMEJIT_READING_H
#define FRAMEJIT_READING_H

#include "fetch.h"

/* State of a slot; from 0 on it holds an array with that many axes. */
enum { EMPTY = -2, FILLED = -1 };

typedef struct {
    const fj_entry *entry;
    Py_ssize_t n_objects;
    int8_t *slots;
} fj_reading;

static inline int
inside(int64_t value, int64_t size)
{
    return value >= 0 && value < size;
}

/* `count` words from `first` on belong to the program. */
static inline int
words_hold(const fj_entry *entry, int64_t first, int64_t count)
{
    return first >= FJ_W_FIRST && first + count <= entry->n_words;
}

static inline int
is_filled(const fj_reading *reading, int64_t slot)
{
    return inside(slot, reading->entry->n_slots) && reading->slots[slot] != EMPTY;
}

/* 1 if the slot holds an array with this axis; axis -1 only asks for an array. */
static inline int
is_array(const fj_reading *reading, int64_t slot, int64_t axis)
{
    return inside(slot, reading->entry->n_slots) && reading->slots[slot] > axis;
}

/* 1 for slots behind the live-ins, which the launch owns; live-ins are borrowed. */
static inline int
is_own(const fj_reading *reading, int64_t slot)
{
    return slot >= reading->entry->n_live && slot < reading->entry->n_slots;
}

static inline int
is_object(const fj_reading *reading, int64_t index)
{
    return inside(index, reading->n_objects);
}

/* 1 for an index of an object that may be replaced by a weak reference. */
static inline int
is_object_or_weak(const fj_reading *reading, int64_t index)
{
    if (index < 0 || !(index & FJ_WEAK)) {
        return is_object(reading, index);
    }
    index &= ~(int64_t)FJ_WEAK;
    return is_object(reading, index) &&
           PyWeakref_CheckRefExact(PyTuple_GET_ITEM(reading->entry->objects, index));
}

static inline int
is_dict(const fj_reading *reading, int64_t index)
{
    return is_object(reading, index) &&
           PyDict_Check(PyTuple_GET_ITEM(reading->entry->objects, index));
}

/* 1 for a dtype whose items hold no references and take at most `room` bytes. */
static inline int
is_plain_dtype(const fj_reading *reading, int64_t index, int64_t room)
{
    if (!is_object(reading, index)) {
        return 0;
    }
    PyObject *object = PyTuple_GET_ITEM(reading->entry->objects, index);
    if (!PyObject_TypeCheck(object, &PyArrayDescr_Type)) {
        return 0;
    }
    PyArray_Descr *descr = (PyArray_Descr *)object;
    return !PyDataType_REFCHK(descr) && PyDataType_ELSIZE(descr) <= room;
}

static inline int
fills(fj_reading *reading, int64_t slot, int holds)
{
    if (holds) {
        reading->slots[slot] = FILLED;
    }
    return holds;
}

static inline int
is_object_or_none(const fj_reading *reading, int64_t index)
{
    return index == -1 || is_object(reading, index);
}

/* 1 if a row of the guards is valid, else 0. Marks the slots that it fills. */
int fj_guard_is_sound(fj_reading *reading, const fj_guard *guard);

#endif
