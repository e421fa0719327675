/* Attributes of an object, read without creating its `__dict__`, and names in dicts. */
#ifndef FRAMEJIT_NAMESPACE_H
#define FRAMEJIT_NAMESPACE_H

#include "interp.h"

/* The dict of an object's attributes: borrowed, like the object. NULL while they are bare values, or when
 * it has none. Cannot fail. */
PyObject *fj_dict_of_names(PyObject *object);

/* Return the value of a name (an exact str) in a dict: borrowed; NULL if it lacks the name, or with an
 * exception. `*place` is where the name was found last, 0 at first: while it stands there, the dict is not
 * searched. */
PyObject *fj_dict_item(PyObject *dict, PyObject *name, int32_t *place);

/* Exports own_names() and its kin; 0, or -1 with an exception. */
int fj_namespace_init(PyObject *module);

#endif
