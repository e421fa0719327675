/* Hostile modes: decline, bail, count. All zero, and one test on the way, in real use. */
#include "hostile.h"

fj_hostile_state fj_hostile;

/* The first launch of an entry bails at the first checkpoint, the next one at the second, up to this many. */
enum { CHECKPOINTS = 12 };

int
fj_hostile_declines(void)
{
    if (!fj_hostile.exit0) {
        return 0;
    }
    fj_hostile.random ^= fj_hostile.random << 13; /* xorshift64, G. Marsaglia 2003 */
    fj_hostile.random ^= fj_hostile.random >> 7;
    fj_hostile.random ^= fj_hostile.random << 17;
    int declines = (int)(fj_hostile.random & 1);
    fj_hostile.declined += (uint64_t)declines;
    return declines;
}

int
fj_hostile_bails(fj_run *run, int end)
{
    if (!fj_hostile.bail) {
        return 0;
    }
    int bails = end || run->checkpoints++ == run->entry->next_bail % CHECKPOINTS;
    if (bails) {
        run->entry->next_bail++;
        fj_hostile.bails++;
    }
    return bails;
}

/* set_hostile(exit0_seed, bail): a seed of 0 leaves the first mode off. */
static PyObject *
set_hostile(PyObject *module, PyObject *args)
{
    (void)module;
    unsigned long long seed;
    int bail;
    if (!PyArg_ParseTuple(args, "Kp:set_hostile", &seed, &bail)) {
        return NULL;
    }
    fj_hostile.exit0 = seed != 0;
    fj_hostile.random = seed;
    fj_hostile.bail = bail;
    Py_RETURN_NONE;
}

static PyObject *
hostile_counts(PyObject *module, PyObject *ignored)
{
    (void)module;
    (void)ignored;
    return Py_BuildValue("{s:K,s:K,s:K,s:K}", "stubs", (unsigned long long)fj_hostile.stubs,
                         "exits", (unsigned long long)fj_hostile.exits, "declined",
                         (unsigned long long)fj_hostile.declined, "bails",
                         (unsigned long long)fj_hostile.bails);
}

/* count_bail(): the numpy backend has bailed at a checkpoint. */
static PyObject *
count_bail(PyObject *module, PyObject *ignored)
{
    (void)module;
    (void)ignored;
    fj_hostile.bails++;
    Py_RETURN_NONE;
}

static PyMethodDef functions[] = {
    {"set_hostile", set_hostile, METH_VARARGS,
     "set_hostile(exit0_seed, bail): hostile modes of the test suite; 0 and False: off."},
    {"hostile_counts", hostile_counts, METH_NOARGS,
     "hostile_counts() -> dict: stubs called, exits taken, calls declined, bails forced."},
    {"count_bail", count_bail, METH_NOARGS, "count_bail(): a Python kernel was made to bail."},
    {NULL, NULL, 0, NULL},
};

int
fj_hostile_init(PyObject *module)
{
    return PyModule_AddFunctions(module, functions);
}
