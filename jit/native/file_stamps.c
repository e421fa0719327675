/* Stamps of the sources below a folder: a process that finds them unchanged need not read the files.
 * In Python a scan of the package's 650 files takes longer than loading an entry from disk. */
#include "core.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    LONGEST = 4096, /* bytes of a path below the folder, its end included */
    NANO = 1000000000,
};

static int list_folder(int folder, char *path, size_t length, PyObject *found);

/* 1 for the name of a module, in Python or in C. */
static int
is_source(const char *name)
{
    const char *ending = strrchr(name, '.');
    return ending != NULL && (strcmp(ending, ".py") == 0 || strcmp(ending, ".so") == 0);
}

static int
is_folder(int folder, const struct dirent *item)
{
    struct stat about;
    if (item->d_type != DT_UNKNOWN) {
        return item->d_type == DT_DIR;
    }
    return fstatat(folder, item->d_name, &about, AT_SYMLINK_NOFOLLOW) == 0 && S_ISDIR(about.st_mode);
}

/* Add the stamp of a file; 0, or -1 with an exception. The time of its last change of any kind is part of it:
 * images of machines may give all files one time of modification. */
static int
add_stamp(int folder, const char *name, const char *path, PyObject *found)
{
    struct stat about;
    if (fstatat(folder, name, &about, 0) < 0) {
        PyErr_SetFromErrno(PyExc_OSError);
        return -1;
    }
    PyObject *stamp = PyBytes_FromFormat(
        "%ld %ld %ld %lu %s", (long)about.st_size,
        (long)about.st_mtim.tv_sec * NANO + (long)about.st_mtim.tv_nsec,
        (long)about.st_ctim.tv_sec * NANO + (long)about.st_ctim.tv_nsec, (unsigned long)about.st_ino, path);
    int failed = stamp == NULL || PyList_Append(found, stamp) < 0;
    Py_XDECREF(stamp);
    return failed ? -1 : 0;
}

/* Add what an item of a folder stands for; 0, or -1 with an exception. */
static int
list_item(int folder, const struct dirent *item, char *path, size_t length, PyObject *found)
{
    size_t more = strlen(item->d_name);
    if (length + more + 2 > LONGEST) {
        errno = ENAMETOOLONG;
        PyErr_SetFromErrno(PyExc_OSError);
        return -1;
    }
    memcpy(path + length, item->d_name, more + 1);
    if (is_source(item->d_name)) {
        return add_stamp(folder, item->d_name, path, found);
    }
    if (item->d_name[0] == '.' || strcmp(item->d_name, "__pycache__") == 0 || !is_folder(folder, item)) {
        return 0;
    }
    int below = openat(folder, item->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (below < 0) {
        PyErr_SetFromErrno(PyExc_OSError);
        return -1;
    }
    path[length + more] = '/';
    return list_folder(below, path, length + more + 1, found);
}

/* Add the stamps of all sources below a folder, whose descriptor is closed; `path` is its own, `length` bytes
 * long. 0, or -1 with an exception. */
static int
list_folder(int folder, char *path, size_t length, PyObject *found)
{
    DIR *items = fdopendir(folder);
    if (items == NULL) {
        PyErr_SetFromErrno(PyExc_OSError);
        close(folder);
        return -1;
    }
    int failed = 0;
    while (!failed) {
        errno = 0;
        const struct dirent *item = readdir(items);
        if (item == NULL) {
            failed = errno != 0 ? -1 : 0;
            if (failed) {
                PyErr_SetFromErrno(PyExc_OSError);
            }
            break;
        }
        failed = list_item(folder, item, path, length, found);
    }
    closedir(items);
    return failed;
}

/* A new reference. */
static PyObject *
file_stamps(PyObject *Py_UNUSED(module), PyObject *folder)
{
    PyObject *name, *found = NULL;
    if (!PyUnicode_FSConverter(folder, &name)) {
        return NULL;
    }
    int descriptor = open(PyBytes_AS_STRING(name), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    Py_DECREF(name);
    if (descriptor < 0) {
        return PyErr_SetFromErrno(PyExc_OSError);
    }
    char path[LONGEST];
    if ((found = PyList_New(0)) == NULL) {
        close(descriptor);
    }
    else if (list_folder(descriptor, path, 0, found) < 0) {
        Py_CLEAR(found);
    }
    return found;
}

static PyMethodDef functions[] = {
    {"file_stamps", file_stamps, METH_O,
     "file_stamps(folder) -> for each .py and .so file below it b\"size modified changed inode path\",\n"
     "in any order: times in nanoseconds, the path relative to the folder."},
    {NULL, NULL, 0, NULL},
};

int
fj_file_stamps_init(PyObject *module)
{
    return PyModule_AddFunctions(module, functions);
}
