/* Measures if compiled code pays: kernels of whole calls, rewritten code, segments of functions that run
 * rewritten code themselves.
 *
 * The cost of a launch and the savings of its kernel are unknown: NumPy has loops that no kernel beats, and
 * Python loops that launch kernels for a few numbers may be slower than plain Python. So once captures have
 * ended some calls run as plain Python, alternating with the others, and the faster side serves from then on.
 * The fastest call of each side decides: any longer time is due to the machine or the garbage collector.
 * Results for small arrays need not hold for large ones: calls that take much longer or shorter than those
 * measured cause another trial.
 *
 * Trials are paid for: the time lost on the slower side is at most one part in SHARE of the time that the
 * faster one serves before the next. Pauses distort: a trial whose result is close, differs from the last, or
 * differs between its halves is repeated much sooner than one that confirms what was known.
 *
 * Code compiled early has hardly run as plain Python: CPython specialises it after some eight calls, and
 * until then it takes twice as long. Brief calls have longer rounds for that.
 *
 * Both sides give the same answers, so only time can tell. All of this runs with the GIL. */
#include "ab_timing.h"
#include <time.h>

enum {
    ROUND = 2,        /* calls in a row on one side: the first finds the caches as the other side left them */
    SHORT_ROUND = 4,  /* the same of short calls */
    BRIEF_ROUND = 8,  /* the same of brief ones: CPython specialises plain Python only after some calls */
    ROUNDS = 4,       /* of a trial; the sides take turns */
    SHORT = 200000,   /* nanoseconds: calls below are short */
    CLOCK = 60,       /* nanoseconds that it takes to time a call */
    LENGTHY = 10000000, /* nanoseconds: after a longer call the first trial begins at once */

    /* A trial ends early if plain Python takes so many times as long as compiled code: */
    CLEAR = 16,       /* its first call, if that is no longer a short one; */
    CLEAR_OF_TWO = 2, /* the faster of two calls, or the first if compiled calls are not short either; */
    COLD = 5,         /* the faster of two brief calls, since plain Python may not be specialised yet. */
    SPECIALISED = 11, /* After so many brief calls it is, and CLEAR_OF_TWO is enough. */

    FAR = 8,          /* a call so many times longer or shorter than usual is odd */
    ODD = 3,          /* so many odd calls in a row cause a trial */
    FREE_TRIALS = 4,  /* trials that they may cause before the last one is paid for */
    CLOSE = 16,       /* a difference below one part in so many says little */
    SHARE = 200,      /* trials may lose one part in so many of the time between them */
    MINOR = 20,       /* launches that take less than one part in so many of the time are not tried */
    SURE = 8,         /* a result that confirms the last one multiplies the wait for the next trial by this, */
    UNSURE = 2,       /* one that is close by this; one that differs from the last has the first wait again */
};
#define LONGEST_WAIT ((uint64_t)1 << 16) /* calls, unless the last trial is not paid for by then */

enum { OFF, ON, ALTERNATING }; /* ALTERNATING, for tests: nothing is timed, each side serves every other call */
static long mode = ON;

static long long stopped = -1; /* for tests: the time that fj_now() returns; if negative, the clock's */

int64_t
fj_now(void)
{
    if (stopped >= 0) {
        return stopped;
    }
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

/* 1 if compiled code has won by far. */
static int
is_clear(const fj_ab_timing *trial, int side)
{
    return side == FJ_COMPILED && trial->least[FJ_PLAIN] / CLEAR > trial->least[FJ_COMPILED];
}

static void
begin_trial(fj_ab_timing *trial)
{
    trial->least[0] = trial->least[1] = trial->half[0] = trial->half[1] = INT64_MAX;
    trial->counted[0] = trial->counted[1] = 0;
    trial->own = 0;
    trial->round = ROUND;
}

/* Start anew for another object. But if rewritten code was many times as fast as plain Python, it still is when
 * only its stubs have changed: the result stays until the next trial is due. */
static void
begin_anew(fj_ab_timing *trial, PyObject *holder, const void *of, uint64_t wait)
{
    if (holder != NULL && trial->trials > 0 && is_clear(trial, trial->decided)) {
        trial->of = of;
        return;
    }
    *trial = (fj_ab_timing){.of = of,
                        .patience = wait,
                        .wait = wait,
                        .most = trial->most,
                        .saves = trial->saves,
                        .usual = trial->usual,
                        .is_other = trial->is_other};
}

int
fj_ab_timing_begin(fj_ab_timing *trial, PyObject *holder, const void *of, uint64_t wait, fj_sample *sample)
{
    if (trial->running || mode == OFF) {
        return trial->running ? trial->side : FJ_COMPILED;
    }
    if (mode == ALTERNATING) {
        return trial->calls++ % 2 == 0 ? FJ_COMPILED : FJ_PLAIN;
    }
    if (trial->of != of) {
        begin_anew(trial, holder, of, wait);
    }
    int counts = trial->calls >= trial->wait, is_timed = fj_ab_timing_is_timed(trial);
    uint64_t call = trial->calls++;
    if (!is_timed) {
        trial->compiled += trial->side == FJ_COMPILED;
        return trial->side;
    }
    sample->before = trial->side;
    sample->of = of;
    sample->counts = counts;
    sample->trial = trial;
    sample->holder = Py_XNewRef(holder);
    if (counts) {
        if (call == trial->wait) {
            begin_trial(trial);
        }
        trial->side = (call - trial->wait) / trial->round % 2 == 0 ? FJ_COMPILED : FJ_PLAIN;
    }
    trial->compiled += trial->side == FJ_COMPILED;
    trial->running = 1;
    sample->began = fj_now();
    return trial->side;
}

/* 1 if the difference of the sides is small. */
static int
is_close(const int64_t *least)
{
    int64_t difference = least[FJ_COMPILED] - least[FJ_PLAIN];
    int64_t smaller = least[difference > 0];
    return (difference < 0 ? -difference : difference) < smaller / CLOSE;
}

/* Nanoseconds that the trial has cost: its slow calls, and looking at the clock. */
static double
loss(const fj_ab_timing *trial, int side)
{
    uint64_t slow = trial->counted[!side];
    int64_t more = slow == 0 ? 0 : trial->least[!side] - trial->least[side];
    double lost = more > 0 ? (double)slow * (double)more : 0.0;
    return lost + (double)CLOCK * (double)(trial->counted[0] + trial->counted[1]);
}

/* Return the number of calls of the faster side that pay for that loss. */
static uint64_t
price(const fj_ab_timing *trial, int side)
{
    int64_t usual = trial->least[side] > 0 ? trial->least[side] : 1;
    return (uint64_t)(loss(trial, side) * SHARE / (double)usual);
}

static int
is_far(const fj_ab_timing *trial, int64_t took)
{
    return took / FAR > trial->usual || took < trial->usual / FAR;
}

/* Record the usual time of calls; the first time, note if those of the previous kind took a very different
 * one. */
static void
note_usual(fj_ab_timing *trial, int64_t took)
{
    if (trial->trials == 0 && trial->usual > 0 && is_far(trial, took)) {
        trial->is_other = 1;
    }
    trial->usual = took;
}

static void
finish_trial(fj_ab_timing *trial)
{
    int side = trial->least[FJ_PLAIN] - trial->saves < trial->least[FJ_COMPILED];
    int is_news = side != trial->decided; /* the first trial is expected to choose compiled code */
    int is_whole = trial->counted[FJ_PLAIN] == ROUNDS / 2 * trial->round;
    int differ = is_whole && (trial->first != side || trial->second != side);
    int is_sure = trial->trials > 0 && !is_news && !differ && !(is_whole && is_close(trial->least));
    uint64_t wait = is_news ? trial->patience : trial->wait * (is_sure ? SURE : UNSURE);
    trial->due = price(trial, side) / (is_sure || is_clear(trial, side) ? 1 : SURE);
    wait = wait < LONGEST_WAIT ? wait : LONGEST_WAIT;
    trial->wait = wait > trial->due ? wait : trial->due;
    trial->side = trial->decided = side;
    note_usual(trial, trial->least[side]);
    trial->lost = (int64_t)loss(trial, side);
    trial->trials++;
    trial->calls = trial->odd = 0;
}

/* 1 if plain Python has lost before the end of the trial. */
static int
has_lost(const fj_ab_timing *trial)
{
    uint64_t plain = trial->counted[FJ_PLAIN];
    int64_t compiled = trial->least[FJ_COMPILED], as_it_is = trial->least[FJ_PLAIN];
    if (plain == 2 && trial->round == BRIEF_ROUND) {
        return as_it_is / COLD > compiled;
    }
    if (plain == 2 || plain == SPECIALISED || (plain == 1 && trial->round == ROUND && trial->own == 0)) {
        return as_it_is / CLEAR_OF_TWO > compiled;
    }
    /* The first call finds cold caches; and if calls are timed from one to the next, a single long one may be an
     * exception. */
    return plain == 1 && as_it_is >= SHORT && trial->own == 0 && as_it_is / CLEAR > compiled;
}

/* 1 if the trial ends before its first call of plain Python. */
static int
is_spared(const fj_ab_timing *trial)
{
    int64_t compiled = trial->least[FJ_COMPILED];
    int is_long = trial->most > 0 && compiled > trial->most;
    return is_long || (trial->own > 0 && trial->own < compiled / MINOR);
}

/* Record a call that counts for the trial, and end the trial if it decides. */
static void
measured(fj_ab_timing *trial, int side, int64_t took)
{
    uint64_t count = ++trial->counted[side] + trial->counted[!side];
    trial->least[side] = took < trial->least[side] ? took : trial->least[side];
    trial->half[side] = took < trial->half[side] ? took : trial->half[side];
    if (count == 1 && took < SHORT) {
        trial->round = took < FJ_BRIEF ? BRIEF_ROUND : SHORT_ROUND;
    }
    if (count % (2 * trial->round) == 0) {
        trial->first = trial->second;
        trial->second = trial->half[FJ_PLAIN] < trial->half[FJ_COMPILED];
        trial->half[0] = trial->half[1] = INT64_MAX;
    }
    if (count >= ROUNDS * trial->round || (side == FJ_PLAIN && has_lost(trial)) ||
        (count == trial->round && is_spared(trial))) {
        finish_trial(trial);
    }
}

/* Notice another kind of call, which may be faster on the other side. Before the first trial: long calls do
 * not wait for it, except those over single elements, for which plain Python might take a hundred times as
 * long. */
static void
watch(fj_ab_timing *trial, int64_t took)
{
    if (trial->trials == 0) {
        note_usual(trial, took);
    }
    if (trial->trials == 0 && took > LENGTHY && trial->most >= FJ_LONG_KERNEL) {
        trial->calls = trial->wait;
    }
    int is_odd = trial->trials > 0 && is_far(trial, took);
    trial->odd = is_odd ? trial->odd + 1 : 0;
    int may_try = trial->trials < FREE_TRIALS || trial->calls >= trial->due;
    if (trial->odd >= ODD && may_try && trial->calls < trial->wait) {
        trial->calls = trial->wait;
        trial->is_other = 1;
    }
}

void
fj_ab_timing_end(fj_sample *sample, int failed)
{
    fj_ab_timing *trial = sample->trial;
    if (trial == NULL) {
        return;
    }
    int64_t took = fj_now() - sample->began;
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
fj_ab_timing_show(const fj_ab_timing *trial)
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
    if (now_on < OFF || now_on > ALTERNATING) {
        return PyErr_Format(PyExc_ValueError, "set_trials: 0, 1 or 2 is needed, not %ld", now_on);
    }
    long before = mode;
    mode = now_on;
    return PyLong_FromLong(before);
}

/* stop_clock(nanoseconds): None, or NULL with an exception. */
static PyObject *
stop_clock(PyObject *Py_UNUSED(module), PyObject *value)
{
    long long at = PyLong_AsLongLong(value);
    if (at == -1 && PyErr_Occurred()) {
        return NULL;
    }
    stopped = at;
    Py_RETURN_NONE;
}

static PyMethodDef functions[] = {
    {"stop_clock", stop_clock, METH_O,
     "stop_clock(nanoseconds): for tests, the time at which the clock of trials stands still; -1: it goes on."},
    {"set_trials", set_trials, METH_O,
     "set_trials(mode) -> the mode so far. 1: compiled code is timed against plain Python; 0: it is not; 2, for\n"
     "tests: nothing is timed, each side serves every other call."},
    {NULL, NULL, 0, NULL},
};

int
fj_ab_timing_init(PyObject *module)
{
    return PyModule_AddFunctions(module, functions);
}
