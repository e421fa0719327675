/* Measures whether what was compiled of a function pays: kernels of whole calls, rewritten code.
 *
 * What a launch costs and what its kernel saves is known for neither: NumPy has loops that no kernel
 * beats, and loops of Python's whose turns launch kernels for a few numbers are slower than plain
 * Python at times. So once captures have come to an end some calls run the function as it is, in turns
 * with the others, and the faster side serves from then on. The fastest call of each side decides: all
 * else that a call takes, the machine or the garbage collector has taken. What is faster for small
 * arrays need not be so for large ones: calls that take much longer or shorter than those that were
 * measured bring another trial, and so do very many calls.
 *
 * Both sides give the same answers, so nothing but time can tell. All of this runs with the GIL. */
#include "trial.h"
#include <time.h>

enum {
    ROUND = 2,        /* calls in a row on one side: the first finds the caches as the other left them */
    SHORT_ROUND = 4,  /* of short ones */
    ROUNDS = 4,       /* of a trial, in turns */
    SHORT = 200000,   /* nanoseconds */
    BRIEF = 10000,    /* nanoseconds: two looks at the clock take a hundredth of it at most */
    SPARSE = 16,      /* of brief calls one in so many is looked at */
    CLEAR = 16,       /* plain Python that takes so many times as long has lost by one call, */
    CLEAR_OF_TWO = 2, /* or by two */
    FAR = 8,          /* so many times longer or shorter is another kind of call */
    ODD = 3,          /* so many of those in a row bring a trial */
    MOST_TRIALS = 64, /* that they bring */
};
#define LONGEST_WAIT ((uint64_t)1 << 16)

enum { OFF, ON, IN_TURNS }; /* IN_TURNS measures nothing: each side has every other call, for tests */
static long mode = ON;

static int64_t
now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

/* Whether a call between trials is measured, so that another kind of call is noticed. */
static int
is_looked_at(const fj_trial *trial, uint64_t call)
{
    return trial->trials > 0 && (trial->usual > BRIEF || trial->odd > 0 || call % SPARSE == 0);
}

int
fj_trial_begin(fj_trial *trial, PyObject *holder, const void *of, uint64_t wait, fj_sample *sample)
{
    if (trial->running || mode == OFF) {
        return trial->running ? trial->side : FJ_COMPILED;
    }
    if (mode == IN_TURNS) {
        return trial->calls++ % 2 == 0 ? FJ_COMPILED : FJ_PLAIN;
    }
    if (trial->of != of) {
        *trial = (fj_trial){.of = of, .wait = wait, .most = trial->most};
    }
    int counts = trial->calls >= trial->wait;
    uint64_t call = trial->calls++;
    if (!counts && !is_looked_at(trial, call)) {
        return trial->side;
    }
    *sample = (fj_sample){.before = trial->side, .of = of, .counts = counts, .trial = trial};
    sample->holder = Py_NewRef(holder);
    if (counts) {
        if (call == trial->wait) {
            trial->least[FJ_COMPILED] = trial->least[FJ_PLAIN] = INT64_MAX;
            trial->round = ROUND;
        }
        trial->side = (call - trial->wait) / trial->round % 2 == 0 ? FJ_COMPILED : FJ_PLAIN;
    }
    trial->running = 1;
    sample->began = now();
    return trial->side;
}

static void
finish_trial(fj_trial *trial)
{
    trial->side = trial->least[FJ_PLAIN] < trial->least[FJ_COMPILED];
    trial->usual = trial->least[trial->side];
    trial->trials++;
    trial->calls = trial->odd = 0;
    trial->wait = trial->wait * 8 < LONGEST_WAIT ? trial->wait * 8 : LONGEST_WAIT;
}

static void
measured(fj_trial *trial, int side, int64_t took)
{
    uint64_t count = trial->calls - trial->wait; /* with this one */
    if (took < trial->least[side]) {
        trial->least[side] = took;
    }
    if (count == 1 && took < SHORT) {
        trial->round = SHORT_ROUND;
    }
    uint64_t plain = count - trial->round; /* calls of plain Python, in its first round */
    int64_t compiled = trial->least[FJ_COMPILED], as_it_is = trial->least[FJ_PLAIN];
    int is_clear = (plain == 1 && trial->round == ROUND && as_it_is / CLEAR > compiled) ||
                   (plain == 2 && as_it_is / CLEAR_OF_TWO > compiled);
    int is_long = count == trial->round && trial->most > 0 && compiled > trial->most;
    if (count >= ROUNDS * trial->round || is_clear || is_long) {
        finish_trial(trial);
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
fj_trial_end(fj_sample *sample, int failed)
{
    fj_trial *trial = sample->trial;
    if (trial == NULL) {
        return;
    }
    int64_t took = now() - sample->began;
    int side = trial->side;
    trial->side = sample->before;
    trial->running = 0;
    if (trial->of != sample->of) {
        /* the code was rewritten meanwhile */
    }
    else if (failed) {
        trial->calls -= sample->counts != 0; /* it does not count */
    }
    else if (sample->counts) {
        measured(trial, side, took);
    }
    else {
        watch(trial, took);
    }
    sample->trial = NULL;
    Py_CLEAR(sample->holder);
}

PyObject *
fj_trial_show(const fj_trial *trial)
{
    return Py_BuildValue("IiLL", trial->trials, trial->side, (long long)trial->least[FJ_COMPILED],
                         (long long)trial->least[FJ_PLAIN]);
}

static PyObject *
set_trials(PyObject *module, PyObject *value)
{
    (void)module;
    long now_on = PyLong_AsLong(value);
    if (now_on == -1 && PyErr_Occurred()) {
        return NULL;
    }
    if (now_on < OFF || now_on > IN_TURNS) {
        return PyErr_Format(PyExc_ValueError, "set_trials: 0, 1 or 2 is needed, not %ld", now_on);
    }
    long before = mode;
    mode = now_on;
    return PyLong_FromLong(before);
}

static PyMethodDef functions[] = {
    {"set_trials", set_trials, METH_O,
     "set_trials(mode) -> the mode so far: 1 where compiled code is measured against plain Python, 0 where\n"
     "it is not, 2 where both sides have calls in turns and nothing is measured, for tests."},
    {NULL, NULL, 0, NULL},
};

int
fj_trial_init(PyObject *module)
{
    return PyModule_AddFunctions(module, functions);
}
