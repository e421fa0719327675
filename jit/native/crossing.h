/* Gates: see crossing.c. */
#ifndef FRAMEJIT_CROSSING_H
#define FRAMEJIT_CROSSING_H

#include "interp.h"

/* Adds the type of gates and their functions to the module: 0, or -1 with an exception. */
int fj_crossing_init(PyObject *module);

#endif
