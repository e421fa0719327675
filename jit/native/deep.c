/* Calls of Python code from C in deep recursion: see deep.h.
 *
 * A function that is decorated is called by way of C, so a recursion of it recurses in C, which plain
 * functions do not. Three things keep that from showing. The level that 3.12 and 3.13 count for it is
 * given back. A call that finds the C stack short goes on on another stack, which is mapped for it:
 * so it gets as deep as memory and the recursion limit allow, and a thread with a small stack can
 * compile. And what stands too near to a limit is left to eager (fj_depth_is_short in interp.h). */
#define _GNU_SOURCE
#define FJ_INTERP_INSIDE
#include "deep.h"

/* Calls one function for us, wherever the stack is. */
typedef struct {
    PyObject *callee;
    PyObject *const *args;
    size_t nargsf;
    PyObject *kwnames;
    PyObject *result;
} fj_job;

static void
work_off(void *given)
{
    fj_job *job = given;
    job->result = PyObject_Vectorcall(job->callee, job->args, job->nargsf, job->kwnames);
}

#if FJ_HOOK_SUPPORTED

#include <opcode.h>
#include <pthread.h>
#include <sys/mman.h>

/* ---- stacks ------------------------------------------------------------------------------- */

/* A stack of ours; pages that nobody touches cost nothing. */
#define STACK_SIZE ((uintptr_t)64 << 20)
#define GUARD ((uintptr_t)64 << 10)
/* What a compiler, BLAS or the program's own C code may need on top of our calls. */
#define SPARE ((uintptr_t)6 << 20)
/* What the engine's own work needs: LLVM recurses. */
#define ENGINE_NEEDS ((uintptr_t)3 << 20)
/* Of a stack of the system's, this part is for calls that make calls. */
#define STACK_SHARE 4

/* The stack that this thread runs on: calls are made at once at addresses from `low` to `end`. */
typedef struct {
    uintptr_t bottom, low, end;
} fj_room;

static _Thread_local fj_room room;

static fj_room
room_at(uintptr_t here)
{
    const fj_stack stack = fj_stack_of_thread(here);
    uintptr_t low = stack.end - (stack.end - stack.bottom) / STACK_SHARE;
    return (fj_room){.bottom = stack.bottom, .low = low, .end = stack.end};
}

/* A thread keeps one stack, which goes with it. */
static pthread_key_t kept;

static void
let_go(void *stack)
{
    munmap(stack, STACK_SIZE);
}

/* The bottom of a stack, or NULL. */
static char *
take_stack(void)
{
    char *stack = pthread_getspecific(kept);
    if (stack != NULL) {
        pthread_setspecific(kept, NULL);
        return stack;
    }
    stack = mmap(NULL, STACK_SIZE, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    if (stack == MAP_FAILED) {
        return NULL;
    }
    madvise(stack, STACK_SIZE, MADV_NOHUGEPAGE);
    mprotect(stack, GUARD, PROT_NONE);
    return stack;
}

static void
keep_stack(char *stack)
{
    if (pthread_getspecific(kept) != NULL || pthread_setspecific(kept, stack) != 0) {
        let_go(stack);
    }
}

/* fj_run_at(top, work, data): work(data) with the stack at `top`. It has a frame pointer, so whoever
 * unwinds the stack (pthread_exit, a debugger) finds the way back. */
void fj_run_at(char *top, void (*work)(void *), void *data);
__asm__(".text\n"
        ".local fj_run_at\n"
        ".type fj_run_at, @function\n"
        "fj_run_at:\n"
        ".cfi_startproc\n"
        "pushq %rbp\n"
        ".cfi_def_cfa_offset 16\n"
        ".cfi_offset 6, -16\n"
        "movq %rsp, %rbp\n"
        ".cfi_def_cfa_register 6\n"
        "movq %rdi, %rsp\n"
        "movq %rdx, %rdi\n"
        "callq *%rsi\n"
        "leave\n"
        ".cfi_def_cfa 7, 8\n"
        "ret\n"
        ".cfi_endproc\n"
        ".size fj_run_at, .-fj_run_at\n");

/* work(data) on a stack of ours: 0, or -1 when there is no memory for one. */
static Py_NO_INLINE int
run_elsewhere(void (*work)(void *), void *data)
{
    char *stack = take_stack();
    if (stack == NULL) {
        return -1;
    }
    const fj_room before = room;
    uintptr_t bottom = (uintptr_t)stack + GUARD, end = (uintptr_t)stack + STACK_SIZE;
    room = (fj_room){.bottom = bottom, .low = bottom + SPARE, .end = end};
    fj_run_at(stack + STACK_SIZE, work, data);
    room = before;
    keep_stack(stack);
    return 0;
}

/* Whether this many bytes are free, or with 0 whether a call may be made here that makes others. */
static Py_NO_INLINE int
is_roomy(uintptr_t here, uintptr_t need)
{
    if (here < room.bottom || here >= room.end) {
        room = room_at(here); /* first call, or a stack that somebody else switched to */
    }
    return need ? here - room.bottom >= need : here >= room.low;
}

/* ---- levels ------------------------------------------------------------------------------- */

int fj_eval_levels;

#if PY_VERSION_HEX >= 0x030C0000

static PyObject *
tell_levels(PyObject *Py_UNUSED(self), PyObject *Py_UNUSED(ignored))
{
    return PyLong_FromLong(PyThreadState_Get()->c_recursion_remaining);
}

/* What a call tells, or -1 with an exception. */
static long
levels_told(PyObject *callable, PyObject *argument)
{
    PyObject *told = PyObject_CallFunctionObjArgs(callable, argument, NULL);
    long levels = told == NULL ? -1 : PyLong_AsLong(told);
    Py_XDECREF(told);
    return levels;
}

/* Finds out what an evaluation costs, which no header says: 0, or -1 with an exception. */
static int
count_eval_levels(void)
{
    static PyMethodDef method = {"tell_levels", tell_levels, METH_NOARGS, NULL};
    PyObject *tell = PyCFunction_New(&method, NULL), *space = PyDict_New();
    PyObject *caller = tell == NULL || space == NULL
                           ? NULL
                           : PyRun_String("lambda tell: tell()", Py_eval_input, space, space);
    if (caller != NULL) {
        long direct = levels_told(tell, NULL), evaluated = levels_told(caller, tell);
        fj_eval_levels = (int)(direct - evaluated);
    }
    Py_XDECREF(tell);
    Py_XDECREF(space);
    Py_XDECREF(caller);
    return PyErr_Occurred() ? -1 : 0;
}

/* The Python frame that runs in this thread, NULL when there is none. */
static const fj_frame *
caller_of(const PyThreadState *tstate)
{
#if PY_VERSION_HEX >= 0x030D0000
    const fj_frame *frame = tstate->current_frame;
#else
    const fj_frame *frame = tstate->cframe->current_frame;
#endif
    return frame == NULL || frame->owner == FRAME_OWNED_BY_CSTACK ? NULL : frame;
}

static int
opcode_of(const fj_frame *frame)
{
#if PY_VERSION_HEX >= 0x030D0000
    return frame->instr_ptr->op.code;
#else
    return frame->prev_instr->op.code;
#endif
}

/* The stack of a frame: from here to the end, words that nobody uses among them. */
static PyObject *const *
stack_of(const fj_frame *frame, PyObject *const **end)
{
    const PyCodeObject *code = fj_frame_code(frame);
    PyObject *const *first = frame->localsplus + code->co_nlocalsplus;
    *end = first + code->co_stacksize;
    return first;
}

/* Where this very object is on the stack of the frame, or NULL. Nothing is read through. */
static PyObject *const *
find_on_stack(const fj_frame *frame, const PyObject *wanted)
{
    PyObject *const *end, *const *word = stack_of(frame, &end);
    while (word < end && *word != wanted) {
        word++;
    }
    return word < end ? word : NULL;
}

/* Whether this frame calls the function of the fresh frame `called`. A word of its stack may be left from
 * an earlier call, as of map(f, xs); so one of the arguments must follow. */
static int
calls(const fj_frame *frame, const fj_frame *called)
{
    PyObject *const *end, *const *word = find_on_stack(frame, fj_frame_function(called));
    stack_of(frame, &end);
    Py_ssize_t count = fj_frame_argument_count(called);
    if (word == NULL || count == 0 || opcode_of(frame) == CALL_FUNCTION_EX) {
        return word != NULL;
    }
    PyObject *const *last = word + 3 < end ? word + 3 : end;
    while (++word < last) {
        for (Py_ssize_t k = 0; *word != NULL && k < count; k++) {
            if (fj_frame_arguments(called)[k] == *word) {
                return 1;
            }
        }
    }
    return 0;
}

/* Whether the running frame calls `callable` itself, with its arguments where they are; or with a star,
 * which leaves them in a tuple. */
static int
calls_with(const fj_frame *frame, const PyObject *callable, PyObject *const *args)
{
    PyObject *const *end, *const *first = stack_of(frame, &end);
    if (args > first && args <= end) {
        return args[-1] == callable || (args[-1] == NULL && args - 1 > first && args[-2] == callable);
    }
    return opcode_of(frame) == CALL_FUNCTION_EX && find_on_stack(frame, callable) != NULL;
}

/* Whether the instruction of this frame enters code of that name without a call that can be seen on the
 * stack: 1 or 0, and -1 for instructions that call nothing else than what is on the stack. In doubt 1. */
static int
enters_unseen(const fj_frame *frame, const PyCodeObject *code, int generator)
{
    switch (opcode_of(frame)) {
    case FOR_ITER:
    case FOR_ITER_GEN:
    case SEND:
    case SEND_GEN:
        return generator;
    case BINARY_SUBSCR:
    case BINARY_SUBSCR_GETITEM:
        return !generator;
    case LOAD_ATTR:
    case LOAD_ATTR_PROPERTY:
    case LOAD_ATTR_GETATTRIBUTE_OVERRIDDEN:
        return !generator && PyUnicode_CompareWithASCIIString(code->co_name, "__getattr__") != 0;
    default:
        return generator ? 0 : -1;
    }
}

int
fj_frame_is_inlined(const PyThreadState *tstate, const fj_frame *frame)
{
    const fj_frame *caller = caller_of(tstate);
    if (caller == NULL || caller == frame) {
        return 0;
    }
    int enters = enters_unseen(caller, fj_frame_code(frame), fj_frame_is_generator(frame));
    return enters < 0 ? calls(caller, frame) : enters;
}

/* C levels that a call of ours is given, so that none shows. */
static int
levels_of(const PyThreadState *tstate, const PyObject *standing, const PyObject *callee,
          PyObject *const *args)
{
    const fj_frame *caller = caller_of(tstate);
    if (caller == NULL) {
        return 0;
    }
    const PyCodeObject *code = (const PyCodeObject *)PyFunction_GET_CODE(callee);
    int enters = enters_unseen(caller, code, 0);
    if (enters < 0) {
        enters = calls_with(caller, standing, args);
    }
    return enters ? fj_eval_levels : 0;
}

static void
give_levels(PyThreadState *tstate, int levels)
{
    tstate->c_recursion_remaining += levels;
}

#else

/* 3.11 counts no levels of C. */

static int
count_eval_levels(void)
{
    return 0;
}

static int
levels_of(const PyThreadState *tstate, const PyObject *standing, const PyObject *callee,
          PyObject *const *args)
{
    (void)tstate;
    (void)standing;
    (void)callee;
    (void)args;
    return 0;
}

static void
give_levels(PyThreadState *tstate, int levels)
{
    (void)tstate;
    (void)levels;
}

#endif

int
fj_deep_init(void)
{
    static int done;
    if (!done && pthread_key_create(&kept, let_go) != 0) {
        PyErr_NoMemory();
        return -1;
    }
    done = 1;
    return count_eval_levels();
}

/* ---- calls -------------------------------------------------------------------------------- */

PyObject *
fj_call_standing(PyObject *standing, PyObject *callee, PyObject *const *args, size_t nargsf,
                 PyObject *kwnames)
{
    PyThreadState *tstate = PyThreadState_Get();
    uintptr_t here = (uintptr_t)__builtin_frame_address(0);
    int levels = levels_of(tstate, standing, callee, args);
    fj_job job = {callee, args, nargsf, kwnames, NULL};
    give_levels(tstate, levels);
    if (here - room.low < room.end - room.low || is_roomy(here, 0)) {
        work_off(&job);
    }
    else if (run_elsewhere(work_off, &job) < 0) {
        PyErr_SetString(PyExc_RecursionError, "maximum recursion depth exceeded: no memory left");
    }
    give_levels(tstate, -levels);
    return job.result;
}

/* Without a stack of its own it runs on what there is. */
static void
run_roomy(void (*work)(void *), void *data)
{
    if (is_roomy((uintptr_t)__builtin_frame_address(0), ENGINE_NEEDS) ||
        run_elsewhere(work, data) < 0) {
        work(data);
    }
}

#else

int
fj_deep_init(void)
{
    return 0;
}

PyObject *
fj_call_standing(PyObject *standing, PyObject *callee, PyObject *const *args, size_t nargsf,
                 PyObject *kwnames)
{
    (void)standing;
    return PyObject_Vectorcall(callee, args, nargsf, kwnames);
}

static void
run_roomy(void (*work)(void *), void *data)
{
    work(data);
}

#endif

PyObject *
fj_engine_call(PyObject *receiver, const char *name, PyObject *one, PyObject *two, PyObject *three)
{
    PyObject *args[] = {receiver, one, two, three};
    PyObject *callee = name == NULL ? Py_NewRef(receiver) : PyObject_GetAttrString(receiver, name);
    if (callee == NULL) {
        return NULL;
    }
    size_t count = 0;
    while (count < 3 && args[count + 1] != NULL) {
        count++;
    }
    fj_job job = {callee, args + 1, count | PY_VECTORCALL_ARGUMENTS_OFFSET, NULL, NULL};
    fj_engine_enter();
    run_roomy(work_off, &job);
    fj_engine_leave();
    Py_DECREF(callee);
    return job.result;
}
