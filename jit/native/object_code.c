/* ObjectCode: a kernel in memory, loaded from object code. Holders of the object may call it. */
#include "core.h"
#include "code_memory.h"
#include "object_file.h"
#include <stddef.h>
#include <string.h>
#include <strings.h>
#include <structmember.h>

typedef struct {
    PyObject_HEAD
    void *block; /* owned: a block of code_memory.c, or NULL */
    size_t size;
    unsigned long long address; /* of the function that is called */
    PyObject *weak;
} object_code;

static unsigned long long loaded; /* kernels so far */
static size_t alive;              /* those that are in memory */

/* Functions of the C library that LLVM makes of loops: each process has them. */
static const struct {
    const char *name;
    uintptr_t address;
} library[] = {
    {"bcmp", (uintptr_t)bcmp},
    {"memcmp", (uintptr_t)memcmp},
    {"memcpy", (uintptr_t)memcpy},
    {"memmove", (uintptr_t)memmove},
    {"memset", (uintptr_t)memset},
};

/* Looks in a dict, which is borrowed. */
static uintptr_t
find(const char *name, void *table)
{
    PyObject *key = PyUnicode_DecodeUTF8(name, (Py_ssize_t)strlen(name), "replace");
    PyObject *value = key == NULL ? NULL : PyDict_GetItemWithError((PyObject *)table, key); /* borrowed */
    uintptr_t found = value == NULL ? 0 : (uintptr_t)PyLong_AsVoidPtr(value);
    Py_XDECREF(key);
    return found;
}

static PyObject *
refused(const fj_elf *elf)
{
    return PyErr_Occurred() ? NULL : PyErr_Format(PyExc_ValueError, "object code: %s", elf->reason);
}

/* Writes the image into a fresh block of the object; -1 with an exception. */
static int
fill(object_code *self, fj_elf *elf, PyObject *addresses)
{
    unsigned char *buffer = PyMem_Malloc(elf->image);
    self->block = buffer == NULL ? NULL : fj_code_take(elf->image);
    self->size = elf->image;
    int status = -1;
    if (self->block == NULL) {
        PyErr_NoMemory();
    }
    else if (fj_elf_write(elf, buffer, (uintptr_t)self->block, find, addresses) < 0) {
        refused(elf);
    }
    else if (fj_code_write(self->block, buffer, elf->image) < 0) {
        PyErr_NoMemory();
    }
    else {
        self->address = (unsigned long long)(uintptr_t)self->block + elf->entry;
        status = 0;
    }
    PyMem_Free(buffer);
    return status;
}

/* ObjectCode(code, symbol, addresses): load the function `symbol`, linked with those of `addresses` that it
 * needs. */
static PyObject *
object_code_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"code", "symbol", "addresses", NULL};
    const char *symbol;
    PyObject *code, *addresses; /* borrowed */
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "SsO!:ObjectCode", names, &code, &symbol,
                                     &PyDict_Type, &addresses)) {
        return NULL;
    }
    object_code *self = (object_code *)type->tp_alloc(type, 0); /* all fields zero */
    fj_elf elf;
    if (self != NULL) {
        alive++;
        const unsigned char *bytes = (const unsigned char *)PyBytes_AS_STRING(code);
        if (fj_elf_open(&elf, bytes, (size_t)PyBytes_GET_SIZE(code), symbol) < 0) {
            refused(&elf);
            Py_CLEAR(self);
        }
        else if (fill(self, &elf, addresses) < 0) {
            Py_CLEAR(self);
        }
        else {
            loaded++;
        }
        fj_elf_close(&elf);
    }
    return (PyObject *)self;
}

static void
object_code_dealloc(object_code *self)
{
    if (self->weak != NULL) {
        PyObject_ClearWeakRefs((PyObject *)self);
    }
    if (self->block != NULL) {
        fj_code_give_back(self->block, self->size);
    }
    alive--;
    Py_TYPE(self)->tp_free((PyObject *)self);
}

static PyMemberDef members[] = {
    {"address", T_ULONGLONG, offsetof(object_code, address), READONLY, "of the function"},
    {"size", T_PYSSIZET, offsetof(object_code, size), READONLY, "bytes in memory"},
    {NULL, 0, 0, 0, NULL},
};

static PyTypeObject ObjectCode_Type = {
    PyVarObject_HEAD_INIT(NULL, 0)
    .tp_name = "framejit.jit.native._core.ObjectCode",
    .tp_doc = "ObjectCode(code, symbol, addresses): a function of object code, in memory.",
    .tp_basicsize = sizeof(object_code),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_new = object_code_new,
    .tp_dealloc = (destructor)object_code_dealloc,
    .tp_weaklistoffset = offsetof(object_code, weak),
    .tp_members = members,
};

/* code_memory() -> (kernels that were loaded, that are in memory, bytes of blocks, of mappings). */
static PyObject *
code_memory(PyObject *module, PyObject *ignored)
{
    (void)module;
    (void)ignored;
    fj_code_sums sums = fj_code_count();
    return Py_BuildValue("KnKK", loaded, (Py_ssize_t)alive, (unsigned long long)sums.taken,
                         (unsigned long long)sums.mapped);
}

/* library_addresses() -> dict: name -> address of functions of the C library. */
static PyObject *
library_addresses(PyObject *module, PyObject *ignored)
{
    (void)module;
    (void)ignored;
    PyObject *found = PyDict_New();
    for (size_t k = 0; found != NULL && k < sizeof(library) / sizeof(library[0]); k++) {
        PyObject *address = PyLong_FromVoidPtr((void *)library[k].address);
        if (address == NULL || PyDict_SetItemString(found, library[k].name, address) < 0) {
            Py_CLEAR(found);
        }
        Py_XDECREF(address);
    }
    return found;
}

static PyMethodDef functions[] = {
    {"code_memory", code_memory, METH_NOARGS,
     "code_memory() -> (kernels loaded so far, in memory, bytes that they take, of pages)."},
    {"library_addresses", library_addresses, METH_NOARGS,
     "library_addresses() -> the addresses of functions of the C library, by name."},
    {NULL, NULL, 0, NULL},
};

int
fj_object_code_init(PyObject *module)
{
    return PyModule_AddType(module, &ObjectCode_Type) < 0 ? -1
                                                          : PyModule_AddFunctions(module, functions);
}
