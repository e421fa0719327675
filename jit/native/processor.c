/* Identifies this processor without LLVM: a key for cached object code, and the features that framejit itself
 * asks for.
 *
 * LLVM derives the name of a processor and its features from the same registers
 * (llvm/lib/TargetParser/Host.cpp), so object code of a processor with equal registers is valid here.
 * Features that the operating system does not save (XCR0) are off for LLVM, too. Numbers of single processors
 * of the machine are excluded. */
#include "core.h"
#include "processor.h"

#include <cpuid.h>

enum { EAX, EBX, ECX, EDX };

/* Leaves with features, and which registers have them. */
static const struct {
    unsigned int leaf, part;
    int registers[4];
} leaves[] = {
    {0x1, 0, {0, 0, 1, 1}},        {0x7, 0, {0, 1, 1, 1}}, {0x7, 1, {1, 1, 1, 1}},
    {0xd, 1, {1, 0, 0, 0}},        {0x14, 0, {0, 1, 0, 0}}, {0x19, 0, {0, 1, 0, 0}},
    {0x1e, 1, {1, 0, 0, 0}},       {0x24, 0, {0, 1, 0, 0}}, {0x80000001, 0, {0, 0, 1, 1}},
    {0x80000008, 0, {0, 1, 0, 0}},
};
enum { N_LEAVES = sizeof(leaves) / sizeof(leaves[0]) };

/* Features by name: a bit of a register, and bits of XCR0 that it requires. */
enum { AVX = 0x6, AVX512 = 0xe6 };
static const struct {
    const char *name;
    unsigned int leaf;
    int in;
    int bit;
    uint64_t saved;
} names[] = {
    {"+fma", 0x1, ECX, 12, AVX},      {"+avx", 0x1, ECX, 28, AVX},
    {"+avx2", 0x7, EBX, 5, AVX},      {"+avx512f", 0x7, EBX, 16, AVX512},
    {"+avx512dq", 0x7, EBX, 17, AVX512},
};

/* The registers of a leaf; zeros where the processor has none. */
static void
read_leaf(unsigned int leaf, unsigned int part, unsigned int *registers)
{
    memset(registers, 0, 4 * sizeof(*registers));
    if (__get_cpuid_max(leaf & 0x80000000, NULL) >= leaf) {
        __cpuid_count(leaf, part, registers[EAX], registers[EBX], registers[ECX], registers[EDX]);
    }
}

/* Return the register sets that the operating system saves. */
static uint64_t
read_saved(void)
{
    unsigned int registers[4], low = 0, high = 0;
    read_leaf(1, 0, registers);
    if (registers[ECX] & (1u << 27)) {
        __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    }
    return ((uint64_t)high << 32) | low;
}

/* The manufacturer, family and model, as 12 characters and a number without the stepping. */
static PyObject *
read_name(void)
{
    unsigned int registers[4];
    char maker[13] = {0};
    read_leaf(0, 0, registers);
    memcpy(maker, &registers[EBX], 4);
    memcpy(maker + 4, &registers[EDX], 4);
    memcpy(maker + 8, &registers[ECX], 4);
    read_leaf(1, 0, registers);
    unsigned int version = registers[EAX], family = version >> 8 & 0xf, model = version >> 4 & 0xf;
    if (family == 6 || family == 15) {
        model |= version >> 12 & 0xf0;
    }
    if (family == 15) {
        family += version >> 20 & 0xff;
    }
    return PyUnicode_FromFormat("%s family %u model %u", maker, family, model);
}

/* All registers with features, in hexadecimal digits. */
static PyObject *
read_registers(void)
{
    char text[N_LEAVES * 4 * 9 + 32], *end = text;
    end += sprintf(end, "%llx", (unsigned long long)read_saved());
    for (int k = 0; k < N_LEAVES; k++) {
        unsigned int registers[4];
        read_leaf(leaves[k].leaf, leaves[k].part, registers);
        for (int which = 0; which < 4; which++) {
            if (leaves[k].registers[which]) {
                end += sprintf(end, " %x", registers[which]);
            }
        }
    }
    return PyUnicode_FromStringAndSize(text, end - text);
}

/* New reference to a frozenset. */
static PyObject *
read_features(void)
{
    PyObject *found = PyFrozenSet_New(NULL);
    uint64_t saved = read_saved();
    for (size_t k = 0; found != NULL && k < sizeof(names) / sizeof(names[0]); k++) {
        unsigned int registers[4];
        read_leaf(names[k].leaf, 0, registers);
        if (!(registers[names[k].in] >> names[k].bit & 1) ||
            (saved & names[k].saved) != names[k].saved) {
            continue;
        }
        PyObject *name = PyUnicode_FromString(names[k].name);
        if (name == NULL || PySet_Add(found, name) < 0) {
            Py_CLEAR(found);
        }
        Py_XDECREF(name);
    }
    return found;
}

/* processor() -> (name, registers, features). */
static PyObject *
processor(PyObject *module, PyObject *ignored)
{
    (void)module;
    (void)ignored;
    PyObject *name = read_name(), *registers = read_registers(), *features = read_features();
    PyObject *all = name != NULL && registers != NULL && features != NULL
                        ? PyTuple_Pack(3, name, registers, features)
                        : NULL;
    Py_XDECREF(name);
    Py_XDECREF(registers);
    Py_XDECREF(features);
    return all;
}

static PyMethodDef functions[] = {
    {"processor", processor, METH_NOARGS,
     "processor() -> (its name, its registers with features, the features that framejit asks for)."},
    {NULL, NULL, 0, NULL},
};

int
fj_processor_init(PyObject *module)
{
    return PyModule_AddFunctions(module, functions);
}
