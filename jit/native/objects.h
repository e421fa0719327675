/* Guards on Python objects that are no arrays: see objects.c. All borrow; 1 holds, 0 does not, -1
 * exception. */
#ifndef FRAMEJIT_OBJECTS_H
#define FRAMEJIT_OBJECTS_H

#include "core.h"

/* The allowed change of a class attribute: guards/objects.py's Alike. */
enum { FJ_SAME, FJ_VALUE, FJ_FUNCTION };

int fj_function_holds(const fj_entry *entry, const fj_guard *guard, PyObject *value);
int fj_equal_holds(PyObject *value, PyObject *expected);
int fj_keys_hold(PyObject *value, PyObject *expected);
int fj_class_attr_holds(const fj_entry *entry, const fj_guard *guard, PyObject *value);
int fj_class_holds(const fj_entry *entry, fj_guard *guard);
int fj_subclass_holds(const fj_entry *entry, const fj_guard *guard);
int fj_registered_holds(const fj_entry *entry, const fj_guard *guard);
int fj_method_holds(const fj_entry *entry, const fj_guard *guard, PyObject *const *slots);

#endif
