/* The module: types, constants that Python packs with, functions. */
#define FRAMEJIT_IMPORT_ARRAY
#include "core.h"
#include "crossing.h"
#include "stack_switch.h"
#include "finalisation.h"
#include "fpstatus.h"
#include "frame_hook.h"
#include "hostile.h"
#include "code_swap.h"
#include "iterators.h"
#include "laps.h"
#include "namespace.h"
#include "recycle.h"
#include "watched_names.h"
#include "sampler.h"
#include "parallel.h"
#include "released.h"
#include "scratch.h"
#include "stretch.h"
#include "outermost.h"
#include "ab_timing.h"

/* Adds a dict of name -> number; 0, or -1 with an exception. */
static int
add_numbers(PyObject *module, const char *name, const char *const *keys, int count)
{
    PyObject *numbers = PyDict_New();
    for (int k = 0; numbers != NULL && k < count; k++) {
        PyObject *number = PyLong_FromLong(k);
        if (number == NULL || PyDict_SetItemString(numbers, keys[k], number) < 0) {
            Py_CLEAR(numbers);
        }
        Py_XDECREF(number);
    }
    int status = numbers == NULL ? -1 : PyModule_AddObjectRef(module, name, numbers);
    Py_XDECREF(numbers);
    return status;
}

static int
add_constants(PyObject *module)
{
#define X(name) #name,
    static const char *const guard_ops[] = {FJ_GUARD_OPS(X)};
    static const char *const recipe_ops[] = {FJ_RECIPE_OPS(X)};
    static const char *const words[] = {FJ_WORDS(X)};
#undef X
    static const char *const loads[] = {"ARRAY", "INT", "FLOAT", "COMPLEX", "SCALAR"};
    if (add_numbers(module, "GUARD_OPS", guard_ops, FJ_G_COUNT) < 0 ||
        add_numbers(module, "RECIPE_OPS", recipe_ops, FJ_R_COUNT) < 0 ||
        add_numbers(module, "LOADS", loads, FJ_LOAD_SCALAR + 1) < 0 ||
        add_numbers(module, "WORDS", words, FJ_W_FIRST + 1) < 0) {
        return -1;
    }
    if (PyModule_AddIntConstant(module, "MAX_NDIM", FJ_MAX_NDIM) < 0 ||
        PyModule_AddIntConstant(module, "KERNEL_BAIL", FJ_KERNEL_BAIL) < 0 ||
        PyModule_AddIntConstant(module, "HALT", FJ_HALT) < 0 ||
        PyModule_AddIntConstant(module, "HALTED", FJ_HALTED) < 0 ||
        PyModule_AddIntConstant(module, "BETWEEN", FJ_BETWEEN) < 0 ||
        PyModule_AddIntConstant(module, "KERNEL_ERROR", FJ_KERNEL_ERROR) < 0 ||
        PyModule_AddIntConstant(module, "MAX_BAILS_IN_ROW", FJ_MAX_BAILS_IN_ROW) < 0 ||
        PyModule_AddIntConstant(module, "ROOM", FJ_ROOM) < 0 ||
        PyModule_AddIntConstant(module, "FP_FLAGS", FJ_FP_FLAGS) < 0) {
        return -1;
    }
    return 0;
}

static PyObject *
fp_raised(PyObject *module, PyObject *ignored)
{
    (void)module;
    (void)ignored;
    return PyLong_FromLong(fj_fp_raised());
}

static PyObject *
fp_clear(PyObject *module, PyObject *ignored)
{
    (void)module;
    (void)ignored;
    fj_fp_clear();
    Py_RETURN_NONE;
}

static PyObject *
reads_errstate(PyObject *module, PyObject *ignored)
{
    (void)module;
    (void)ignored;
    return PyBool_FromLong(fj_errstate_mask() >= 0);
}

static PyMethodDef functions[] = {
    {"reads_errstate", reads_errstate, METH_NOARGS,
     "reads_errstate() -> whether NumPy keeps the state of np.errstate where it was expected."},
    {"fp_raised", fp_raised, METH_NOARGS, "fp_raised() -> floating point flags that are up in this thread."},
    {"fp_clear", fp_clear, METH_NOARGS, "fp_clear(): lower the floating point flags."},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT,
    .m_name = "framejit.jit.native._core",
    .m_doc = "The C core: guard programs, dispatcher, segments, launcher, frame hook.",
    .m_size = -1,
    .m_methods = functions,
};

PyMODINIT_FUNC
PyInit__core(void)
{
    import_array();
    PyObject *module = PyModule_Create(&definition);
    if (module == NULL) {
        return NULL;
    }
    if (fj_stack_switch_init() < 0 || PyModule_AddType(module, &FjEntry_Type) < 0 ||
        PyModule_AddType(module, &FjDispatcher_Type) < 0 ||
        PyModule_AddType(module, &FjSegment_Type) < 0 ||
        PyModule_AddType(module, &FjTiming_Type) < 0 ||
        PyModule_AddType(module, &FjHookHandler_Type) < 0 ||
        PyModule_AddType(module, &FjCodeSwap_Type) < 0 || add_constants(module) < 0 ||
        fj_scratch_init() < 0 || fj_options_init(module) < 0 || fj_errstate_init() < 0 ||
        fj_loud_init() < 0 ||
        fj_ufunc_init(module) < 0 || fj_hostile_init(module) < 0 ||
        fj_frame_hook_init(module) < 0 || fj_records_init(module) < 0 ||
        fj_function_lifetime_init(module) < 0 || fj_entrance_init(module) < 0 ||
        fj_watched_names_init(module) < 0 ||
        fj_finalisation_init(module) < 0 || fj_namespace_init(module) < 0 ||
        fj_interrupt_init(module) < 0 || fj_recycle_init(module) < 0 || fj_ab_timing_init(module) < 0 ||
        fj_crossing_init(module) < 0 || fj_iterators_init(module) < 0 || fj_exits_init(module) < 0 ||
        fj_sampler_init(module) < 0 || fj_outermost_init(module) < 0 ||
        fj_detached_init(module) < 0 || fj_copying_init(module) < 0 || fj_channel_init(module) < 0 ||
        fj_object_code_init(module) < 0 || fj_processor_init(module) < 0 ||
        fj_file_stamps_init(module) < 0 ||
        fj_laps_init(module) < 0 || fj_parallel_init(module) < 0 ||
        fj_released_init() < 0) {
        Py_DECREF(module);
        return NULL;
    }
    return module;
}
