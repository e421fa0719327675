/* Measures whether the rewritten code of a function pays.
 *
 * Rewritten code launches kernels from the middle of a Python frame. What a launch costs and what its
 * kernel saves is known for neither: loops whose turns launch kernels for a few numbers are slower
 * than plain Python at times. So once captures have come to an end some calls run the function as it
 * is, in turns with the others, and the faster side serves from then on. What is faster for small
 * arrays need not be so for large ones: calls that take much longer or shorter than those that were
 * measured bring another trial, and so do very many calls.
 *
 * Both sides give the same answers, so nothing but time can tell. All of this runs with the GIL. */
#include "core.h"
#include "trial.h"
#include <time.h>

enum {
    WARM = 4,         /* calls of new code that capture and compile */
    PAIRS = 3,        /* calls of each side that are measured */
    FAR = 8,          /* so many times longer or shorter is another kind of call */
    ODD = 3,          /* so many of those in a row bring a trial */
    MOST_TRIALS = 64, /* that they bring */
};
#define LONGEST_WAIT ((uint64_t)1 << 16)

static int enabled = 1;

static int64_t
now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static void
start_anew(fj_trial *trial, const void *rewritten)
{
    *trial = (fj_trial){.of = rewritten, .wait = WARM};
}

/* A call of a generator function only makes the generator. */
static int
can_be_measured(PyObject *function)
{
    int flags = ((PyCodeObject *)PyFunction_GET_CODE(function))->co_flags;
    return enabled && !(flags & (CO_GENERATOR | CO_COROUTINE | CO_ASYNC_GENERATOR));
}

int
fj_trial_begin(fj_trial *trial, PyObject *rewritten, fj_sample *sample)
{
    sample->began = 0;
    if (trial->running || !can_be_measured(rewritten)) {
        return trial->running ? trial->side : FJ_REWRITTEN;
    }
    if (trial->of != rewritten) {
        start_anew(trial, rewritten);
    }
    *sample = (fj_sample){.before = trial->side, .of = rewritten};
    sample->counts = trial->calls >= trial->wait;
    if (sample->counts) {
        trial->side = (trial->calls - trial->wait) % 2 == 0 ? FJ_REWRITTEN : FJ_PLAIN;
    }
    trial->calls++;
    trial->running = 1;
    sample->began = now();
    return trial->side;
}

/* The faster side by all that was measured; where the two measures differ it stays as it was. */
static int
faster(const fj_trial *trial, int before)
{
    int by_least = trial->least[FJ_PLAIN] < trial->least[FJ_REWRITTEN];
    int by_total = trial->total[FJ_PLAIN] < trial->total[FJ_REWRITTEN];
    return by_least == by_total ? by_least : before;
}

static void
finish_trial(fj_trial *trial, int before)
{
    trial->side = faster(trial, before);
    trial->usual = trial->least[trial->side];
    trial->trials++;
    trial->calls = trial->odd = 0;
    trial->wait = trial->wait * 8 < LONGEST_WAIT ? trial->wait * 8 : LONGEST_WAIT;
}

static void
measured(fj_trial *trial, int side, int before, int64_t took)
{
    uint64_t count = trial->calls - trial->wait; /* with this one */
    if (count <= 2 || took < trial->least[side]) {
        trial->least[side] = took;
    }
    trial->total[side] = count <= 2 ? took : trial->total[side] + took;
    if (count == 2 * PAIRS) {
        finish_trial(trial, before);
    }
}

/* Another kind of call may be faster on the other side. */
static void
watch(fj_trial *trial, int64_t took)
{
    int is_odd = trial->trials > 0 && (took / FAR > trial->usual || took < trial->usual / FAR);
    trial->odd = is_odd ? trial->odd + 1 : 0;
    if (trial->odd == ODD && trial->trials < MOST_TRIALS && trial->calls < trial->wait) {
        trial->calls = trial->wait;
    }
}

void
fj_trial_end(fj_trial *trial, const fj_sample *sample, int failed)
{
    if (sample->began == 0) {
        return;
    }
    int64_t took = now() - sample->began;
    int side = trial->side;
    trial->side = sample->before;
    trial->running = 0;
    if (trial->of != sample->of) {
        return; /* the code was rewritten meanwhile */
    }
    if (failed) {
        trial->calls -= sample->counts != 0; /* it does not count */
    }
    else if (sample->counts) {
        measured(trial, side, sample->before, took);
    }
    else {
        watch(trial, took);
    }
}

PyObject *
fj_trial_show(const fj_trial *trial)
{
    return Py_BuildValue("IiLL", trial->trials, trial->side, (long long)trial->least[FJ_REWRITTEN],
                         (long long)trial->least[FJ_PLAIN]);
}

static PyObject *
set_trials(PyObject *module, PyObject *value)
{
    (void)module;
    int now_enabled = PyObject_IsTrue(value);
    if (now_enabled < 0) {
        return NULL;
    }
    int before = enabled;
    enabled = now_enabled;
    return PyBool_FromLong(before);
}

static PyMethodDef functions[] = {
    {"set_trials", set_trials, METH_O,
     "set_trials(flag) -> whether rewritten code was measured against plain Python so far."},
    {NULL, NULL, 0, NULL},
};

int
fj_trial_init(PyObject *module)
{
    return PyModule_AddFunctions(module, functions);
}
