/* Laps of an explained call, see laps.c. */
#ifndef FRAMEJIT_LAPS_H
#define FRAMEJIT_LAPS_H

#include <Python.h>

extern PyTypeObject FjLaps_Type, FjLap_Type;

/* Begin this lap; does nothing if the object is no lap. */
void fj_lap_begin(PyObject *lap);

int fj_laps_init(PyObject *module);

#endif
