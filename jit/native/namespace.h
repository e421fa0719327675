/* What an object holds under names of its own. */
#ifndef FRAMEJIT_NAMESPACE_H
#define FRAMEJIT_NAMESPACE_H

#include "interp.h"

/* Exports own_names(); 0, or -1 with an exception. */
int fj_namespace_init(PyObject *module);

#endif
