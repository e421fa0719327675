/* Starts a process that is no child of this one and inherits nothing from its environment.
 *
 * A program may wait for any child (os.wait, waitpid(-1)), count its children or handle SIGCHLD: a child of
 * ours would interfere. So an intermediate process makes it and ends at once; the process then belongs to
 * init. The intermediate one must be invisible, too. Linux sends no signal for a child made with exit signal
 * 0, and an ordinary wait ignores it. execve resets that signal to SIGCHLD, so the intermediate one executes
 * nothing.
 *
 * Both share this process's memory and suspend the calling thread, as vfork does: nothing is copied, no
 * handler of pthread_atfork runs, and the code until execve may only call async-signal-safe functions.
 * Signals are blocked meanwhile, as a handler would run in the program's memory. */
#include "detached.h"
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* Bytes of the stack of each process until execve. */
enum { STACK = 64 * 1024 };
/* Number of the one descriptor of the new process. */
enum { GIVEN = 3 };
/* Number of descriptors closed one by one on kernels without close_range (before 5.9). */
enum { MOST_DESCRIPTORS = 1 << 16 };
/* The size of the kernel's set of signals, which the system call wants to be told. */
enum { SIGNALS = 64, MASK_BYTES = SIGNALS / 8 };

typedef struct {
    const char *path;
    char *const *argv;
    char *const *environment;
    int descriptor;
    int error; /* errno of what failed; 0 when the process runs, as far as this one can tell */
    char *inner_stack;
} start;

void
fj_set_signal_mask(uint64_t mask, uint64_t *before)
{
    syscall(SYS_rt_sigprocmask, SIG_SETMASK, &mask, before, (size_t)MASK_BYTES);
}

void
fj_close_from(unsigned int first)
{
#ifdef SYS_close_range
    if (syscall(SYS_close_range, first, ~0U, 0) == 0) {
        return;
    }
#endif
    struct rlimit limit = {.rlim_cur = MOST_DESCRIPTORS};
    getrlimit(RLIMIT_NOFILE, &limit);
    rlim_t end = limit.rlim_cur < MOST_DESCRIPTORS ? limit.rlim_cur : MOST_DESCRIPTORS;
    for (unsigned int descriptor = first; descriptor < end; descriptor++) {
        close((int)descriptor);
    }
}

/* Start a session, change to the root directory, and connect the standard streams to nothing but the one
 * descriptor. 0, or -1 with errno. */
static int
leave_surroundings(int descriptor)
{
    if (setsid() < 0 || chdir("/") < 0) {
        return -1;
    }
    int nothing = open("/dev/null", O_RDWR);
    if (nothing < 0) {
        return -1;
    }
    for (int standard = 0; standard < GIVEN; standard++) {
        if (dup2(nothing, standard) < 0) {
            return -1;
        }
    }
    if (dup2(descriptor, GIVEN) < 0) {
        return -1;
    }
    fj_close_from(GIVEN + 1);
    return 0;
}

/* The new process. execve resets its handlers, but ignored signals would stay ignored. */
static int
run_inner(void *argument)
{
    start *wanted = argument;
    const struct sigaction by_default = {.sa_handler = SIG_DFL};
    for (int number = 1; number <= SIGNALS; number++) {
        sigaction(number, &by_default, NULL); /* fails for those that cannot be handled */
    }
    if (leave_surroundings(wanted->descriptor) == 0) {
        fj_set_signal_mask(0, NULL);
        execve(wanted->path, wanted->argv, wanted->environment);
    }
    wanted->error = errno;
    _exit(127);
}

/* The intermediate process. */
static int
run_between(void *argument)
{
    start *wanted = argument;
    if (clone(run_inner, wanted->inner_stack + STACK, CLONE_VM | CLONE_VFORK, wanted) < 0) {
        wanted->error = errno;
    }
    _exit(0);
}

/* Starts it; 0, or an errno. Runs without the GIL. */
static int
start_detached(start *wanted, char *stacks)
{
    uint64_t before = 0;
    wanted->inner_stack = stacks + STACK;
    fj_set_signal_mask(~(uint64_t)0, &before);
    int between = clone(run_between, stacks + STACK, CLONE_VM | CLONE_VFORK, wanted);
    int error = between < 0 ? errno : 0;
    if (between > 0) {
        /* Fails only if the program waits for all children (__WALL), and has reaped it. */
        while (waitpid(between, NULL, __WCLONE) < 0 && errno == EINTR) {
        }
        error = wanted->error;
    }
    fj_set_signal_mask(before, NULL);
    return error;
}

/* The C strings of a tuple of bytes objects, ended by NULL; they are borrowed from these. NULL with an
 * exception. The caller frees the array. */
static char **
strings_of(PyObject *tuple)
{
    Py_ssize_t count = PyTuple_GET_SIZE(tuple);
    char **strings = PyMem_Calloc((size_t)count + 1, sizeof(char *));
    if (strings == NULL) {
        PyErr_NoMemory();
        return NULL;
    }
    for (Py_ssize_t k = 0; k < count; k++) {
        if (PyBytes_AsStringAndSize(PyTuple_GET_ITEM(tuple, k), &strings[k], NULL) < 0) {
            PyMem_Free(strings);
            return NULL;
        }
    }
    return strings;
}

/* None, or NULL with an exception. Takes over no reference; the arguments outlive the call. */
static PyObject *
spawn_detached(PyObject *Py_UNUSED(module), PyObject *args)
{
    PyObject *argv, *environment;
    int descriptor;
    if (!PyArg_ParseTuple(args, "O!O!i:spawn_detached", &PyTuple_Type, &argv, &PyTuple_Type,
                          &environment, &descriptor)) {
        return NULL;
    }
    if (PyTuple_GET_SIZE(argv) == 0) {
        PyErr_SetString(PyExc_ValueError, "spawn_detached: argv is empty");
        return NULL;
    }
    PyObject *result = NULL;
    char **words = strings_of(argv);
    char **variables = words == NULL ? NULL : strings_of(environment);
    char *stacks = variables == NULL ? NULL : PyMem_Malloc(2 * STACK);
    if (stacks == NULL) {
        if (!PyErr_Occurred()) {
            PyErr_NoMemory();
        }
        goto done;
    }
    start wanted = {
        .path = words[0], .argv = words, .environment = variables, .descriptor = descriptor};
    int error;
    Py_BEGIN_ALLOW_THREADS
    error = start_detached(&wanted, stacks);
    Py_END_ALLOW_THREADS
    if (error != 0) {
        errno = error;
        PyErr_SetFromErrno(PyExc_OSError);
        goto done;
    }
    result = Py_NewRef(Py_None);
done:
    PyMem_Free(stacks);
    PyMem_Free(variables);
    PyMem_Free(words);
    return result;
}

/* A new reference. */
static PyObject *
adopts_orphans(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(ignored))
{
    int subreaper = 0;
    prctl(PR_GET_CHILD_SUBREAPER, &subreaper);
    return PyBool_FromLong(getpid() == 1 || subreaper);
}

static PyMethodDef functions[] = {
    {"spawn_detached", spawn_detached, METH_VARARGS,
     "spawn_detached(argv, environment, descriptor): starts a process that is no child of this one. It\n"
     "has `descriptor` as 3, /dev/null for its standard streams, and a session of its own."},
    {"adopts_orphans", adopts_orphans, METH_NOARGS,
     "adopts_orphans() -> True if orphaned processes become children of this one."},
    {NULL, NULL, 0, NULL},
};

int
fj_detached_init(PyObject *module)
{
    return PyModule_AddFunctions(module, functions);
}
