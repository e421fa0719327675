/* A sampling profiler: see sampler.c. */
#ifndef FRAMEJIT_SAMPLER_H
#define FRAMEJIT_SAMPLER_H

#include "interp.h"

int fj_sampler_init(PyObject *module);

#endif
