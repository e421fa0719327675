/* The socket between this process and its compile helper: no call blocks but wait_for_channel, which
 * does so without the GIL. A helper that has died makes no SIGPIPE, which the program may not ignore. */
#include "core.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdatomic.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

/* Programs rely on the numbers of descriptors that they open themselves, and daemons close those below some
 * number: ours are above. */
enum { LOWEST = 512 };
/* Bytes received at once. */
enum { PART = 1 << 16 };
/* ms between two checks of the flag that tells a waiting thread to stop. */
enum { TICK = 2 };

/* Moves a descriptor out of the way; -1 with errno, the old one is closed either way. */
static int
moved(int descriptor)
{
    int high = fcntl(descriptor, F_DUPFD_CLOEXEC, LOWEST);
    int error = errno;
    close(descriptor);
    errno = error;
    return high;
}

/* A new reference to a tuple of two descriptors, which the caller owns. */
static PyObject *
open_channel(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(ignored))
{
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) < 0) {
        return PyErr_SetFromErrno(PyExc_OSError);
    }
    ends[0] = moved(ends[0]);
    int error = errno;
    ends[1] = moved(ends[1]);
    if (ends[0] < 0 || ends[1] < 0) {
        errno = ends[0] < 0 ? error : errno;
        PyErr_SetFromErrno(PyExc_OSError);
        if (ends[0] >= 0) {
            close(ends[0]);
        }
        if (ends[1] >= 0) {
            close(ends[1]);
        }
        return NULL;
    }
    return Py_BuildValue("ii", ends[0], ends[1]);
}

/* A new reference: how many bytes were taken, 0 where there is no room. */
static PyObject *
send_some(PyObject *Py_UNUSED(module), PyObject *args)
{
    int descriptor;
    Py_buffer view;
    if (!PyArg_ParseTuple(args, "iy*:send_some", &descriptor, &view)) {
        return NULL;
    }
    ssize_t sent;
    do {
        sent = send(descriptor, view.buf, (size_t)view.len, MSG_NOSIGNAL | MSG_DONTWAIT);
    } while (sent < 0 && errno == EINTR);
    PyBuffer_Release(&view);
    if (sent < 0 && errno != EAGAIN && errno != EWOULDBLOCK) {
        return PyErr_SetFromErrno(PyExc_OSError);
    }
    return PyLong_FromSsize_t(sent < 0 ? 0 : sent);
}

/* A new reference: bytes, b"" at the end of the stream, None where there is nothing yet. */
static PyObject *
receive_some(PyObject *Py_UNUSED(module), PyObject *value)
{
    long descriptor = PyLong_AsLong(value);
    if (descriptor == -1 && PyErr_Occurred()) {
        return NULL;
    }
    PyObject *part = PyBytes_FromStringAndSize(NULL, PART);
    if (part == NULL) {
        return NULL;
    }
    ssize_t got;
    do {
        got = recv((int)descriptor, PyBytes_AS_STRING(part), PART, MSG_DONTWAIT);
    } while (got < 0 && errno == EINTR);
    if (got >= 0) {
        _PyBytes_Resize(&part, got); /* NULL with an exception where it fails */
        return part;
    }
    int error = errno;
    Py_DECREF(part);
    if (error == EAGAIN || error == EWOULDBLOCK) {
        Py_RETURN_NONE;
    }
    errno = error;
    return PyErr_SetFromErrno(PyExc_OSError);
}

static int64_t
milliseconds(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

/* Wait until something can be received, or sent if `events` say so, until the time is over or the flag is
 * set. The flag is polled every TICK: a descriptor that wakes us would be one more that the program could
 * close. */
static void
wait_until(int descriptor, short events, int64_t end, const atomic_uchar *flag)
{
    struct pollfd waited = {.fd = descriptor, .events = events};
    for (;;) {
        int64_t left = end - milliseconds();
        if (left <= 0 || (flag != NULL && atomic_load(flag))) {
            return;
        }
        int tick = flag == NULL || left < TICK ? (int)left : TICK;
        int ready = poll(&waited, 1, tick);
        if (ready != 0) {
            return; /* also where a signal came, or the descriptor is gone: the caller looks again */
        }
    }
}

/* None, or NULL with an exception. The flag's buffer is held meanwhile. */
static PyObject *
wait_for_channel(PyObject *Py_UNUSED(module), PyObject *args)
{
    int descriptor, sends, timeout;
    PyObject *flags; /* borrowed */
    Py_buffer flag = {.buf = NULL};
    if (!PyArg_ParseTuple(args, "ipiO:wait_for_channel", &descriptor, &sends, &timeout, &flags)) {
        return NULL;
    }
    if (flags != Py_None && PyObject_GetBuffer(flags, &flag, PyBUF_WRITABLE) < 0) {
        return NULL;
    }
    short events = sends ? POLLIN | POLLOUT : POLLIN;
    Py_BEGIN_ALLOW_THREADS
    wait_until(descriptor, events, milliseconds() + timeout, flag.buf);
    Py_END_ALLOW_THREADS
    PyBuffer_Release(&flag); /* nothing where there is none */
    Py_RETURN_NONE;
}

static PyMethodDef functions[] = {
    {"open_channel", open_channel, METH_NOARGS,
     "open_channel() -> two connected sockets, as descriptors from 512 on that execve closes."},
    {"send_some", send_some, METH_VARARGS, "send_some(descriptor, bytes) -> how many were taken."},
    {"receive_some", receive_some, METH_O,
     "receive_some(descriptor) -> bytes; b\"\" at the end, None where nothing has come."},
    {"wait_for_channel", wait_for_channel, METH_VARARGS,
     "wait_for_channel(descriptor, sends, milliseconds, flag): until something can be received, or sent;\n"
     "until the time is over, or until flag[0] is not 0, unless it is None."},
    {NULL, NULL, 0, NULL},
};

int
fj_channel_init(PyObject *module)
{
    return PyModule_AddFunctions(module, functions);
}
