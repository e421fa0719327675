/* Whether somebody hears of an object's end. */
#ifndef FRAMEJIT_ENDINGS_H
#define FRAMEJIT_ENDINGS_H

#include "core.h"

/* Whether somebody would hear of it when the last reference to `object` (borrowed) goes: a finaliser
 * runs, or the callback of a weak reference, its own or that of something that dies with it. Something
 * in it dies with it when it has no more references than `last`. Runs no Python code. */
int fj_is_heard_of(PyObject *object, Py_ssize_t last);

enum { FJ_HELD = 4 }; /* references that a capture itself may have to something it has looked at */

/* Exports is_heard_of(); 0, or -1 with an exception. */
int fj_endings_init(PyObject *module);

#endif
