/* What an object holds under names of its own. */
#ifndef FRAMEJIT_NAMESPACE_H
#define FRAMEJIT_NAMESPACE_H

#include "interp.h"

/* Whether the attributes of an object (borrowed) are its own: 0 when somebody else holds their dict, as
 * another object does that shares it. Cannot fail. */
int fj_names_are_own(PyObject *object);

/* Exports own_names() and its kin; 0, or -1 with an exception. */
int fj_namespace_init(PyObject *module);

#endif
