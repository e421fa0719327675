/* Forks this process, to capture in the copy while the program goes on.
 *
 * A capture needs the live arguments of a call, and takes longer than many programs can spare. A copy of the
 * process has them, and all the time; it stores the results on disk.
 *
 * The program must not notice. The copy is no child of it: an intermediate process makes it and ends, and
 * both are made without an exit signal, as in detached.c. No fork handlers run, neither Python's nor those of
 * pthread_atfork: they would be the program's, or stop threads of libraries. So the caller makes sure that no
 * other thread of the program exists, which might hold a lock; our own is stopped here, and those of a BLAS
 * wait for work, which the copy never gives them. The copy has no descriptor of the program open but the one
 * that it is given, no signal has a handler, and a timer ends it in any case. It ends by _exit: nothing is
 * flushed, no finaliser runs. */
#define _GNU_SOURCE /* dl_iterate_phdr */
#include "detached.h"
#include "ticker.h"
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { STANDARD = 3, SIGNALS = 64 };

/* ---- in the copy ---------------------------------------------------------------------------- */

/* Called for each loaded library; returns 0, to continue. Sets the number of its threads to 1: those that it
 * had are not in the copy. */
static int
give_up_threads(struct dl_phdr_info *info, size_t Py_UNUSED(size), void *Py_UNUSED(ignored))
{
    static const char *const names[] = {
        "scipy_openblas_set_num_threads64_", "scipy_openblas_set_num_threads",
        "openblas_set_num_threads64_",       "openblas_set_num_threads",
        "MKL_Set_Num_Threads",               "bli_thread_set_num_threads",
    };
    void *library = info->dlpi_name == NULL || info->dlpi_name[0] == '\0'
                        ? NULL
                        : dlopen(info->dlpi_name, RTLD_LAZY | RTLD_NOLOAD);
    for (size_t k = 0; library != NULL && k < sizeof names / sizeof *names; k++) {
        void (*set)(int) = (void (*)(int))(uintptr_t)dlsym(library, names[k]);
        if (set != NULL) {
            set(1);
        }
    }
    if (library != NULL) {
        dlclose(library);
    }
    return 0;
}

/* Reset all signal handlers, of CPython and of libraries. */
static void
forget_handlers(void)
{
    const struct sigaction by_default = {.sa_handler = SIG_DFL};
    for (int number = 1; number <= SIGNALS; number++) {
        sigaction(number, &by_default, NULL); /* fails for those that cannot be handled */
    }
    PyObject *signals = PyImport_ImportModule("_signal");
    PyObject *as_ever = signals == NULL ? NULL : PyObject_GetAttrString(signals, "SIG_DFL");
    for (int number = 1; as_ever != NULL && number <= SIGNALS; number++) {
        PyObject *done = PyObject_CallMethod(signals, "signal", "iO", number, as_ever);
        Py_XDECREF(done);
        PyErr_Clear(); /* SIGKILL and the like */
    }
    PyErr_Clear();
    Py_XDECREF(as_ever);
    Py_XDECREF(signals);
}

/* Start a session, close all descriptors but the given one, and limit the CPU time to so many seconds. */
static void
leave_program(int descriptor, int seconds)
{
    setsid();
    int nothing = open("/dev/null", O_RDWR);
    for (int standard = 0; nothing >= 0 && standard < STANDARD; standard++) {
        dup2(nothing, standard);
    }
    int given = dup2(descriptor, STANDARD);
    fj_close_from(STANDARD + 1);
    if (nothing < 0 || given < 0) {
        _exit(1);
    }
    const struct rlimit time = {(rlim_t)seconds, (rlim_t)seconds + 1};
    setrlimit(RLIMIT_CPU, &time);
    forget_handlers();
    fj_set_signal_mask(0, NULL);
    alarm(4 * (unsigned int)seconds); /* where it waits for a thread that is not there */
    dl_iterate_phdr(give_up_threads, NULL);
}

/* ---- in the program ------------------------------------------------------------------------- */

static long
copy(void)
{
    return syscall(SYS_clone, 0UL, NULL, NULL, NULL, NULL); /* no exit signal */
}

/* Fork: 1 in the copy, 0 in the program, -1 with errno on failure. */
static int
copied(void)
{
    long between = copy();
    if (between == 0) {
        long inner = copy();
        if (inner == 0) {
            return 1;
        }
        _exit(inner < 0);
    }
    int status = 0;
    while (between > 0 && waitpid((pid_t)between, &status, __WCLONE) < 0 && errno == EINTR) {
    }
    if (between > 0 && status != 0) {
        errno = EAGAIN;
    }
    return between < 0 || status != 0 ? -1 : 0;
}

/* A bool: a new reference, or NULL with an exception. */
static PyObject *
copy_process(PyObject *Py_UNUSED(module), PyObject *args)
{
    int descriptor, seconds;
    if (!PyArg_ParseTuple(args, "ii:copy_process", &descriptor, &seconds)) {
        return NULL;
    }
    if (PyErr_CheckSignals() < 0) {
        return NULL;
    }
    uint64_t before = 0;
    int ticks = fj_ticker_pause();
    fj_set_signal_mask(~(uint64_t)0, &before);
    int answer = copied(), error = errno;
    if (answer == 1) {
        leave_program(descriptor, seconds);
        Py_RETURN_TRUE;
    }
    fj_set_signal_mask(before, NULL);
    if (ticks) {
        fj_ticker_resume();
    }
    if (answer < 0) {
        errno = error;
        return PyErr_SetFromErrno(PyExc_OSError);
    }
    Py_RETURN_FALSE;
}

static PyMethodDef functions[] = {
    {"copy_process", copy_process, METH_VARARGS,
     "copy_process(descriptor, seconds) -> True in the copy, which has the descriptor as 3 and\n"
     "ends after so many seconds; False in the program. For the only thread of a program."},
    {NULL, NULL, 0, NULL},
};

int
fj_copying_init(PyObject *module)
{
    return PyModule_AddFunctions(module, functions);
}
