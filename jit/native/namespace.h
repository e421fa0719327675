/* Attributes of an object, read without creating its `__dict__`. */
#ifndef FRAMEJIT_NAMESPACE_H
#define FRAMEJIT_NAMESPACE_H

#include "interp.h"

/* The dict of an object's attributes: borrowed, like the object. NULL while they are bare values, or when
 * it has none. Cannot fail. */
PyObject *fj_dict_of_names(PyObject *object);

/* Exports own_names() and its kin; 0, or -1 with an exception. */
int fj_namespace_init(PyObject *module);

#endif
