/* Calls Python code from C, on another stack if the C stack runs short: see stack_switch.h.
 *
 * A decorated function is called through C: if it calls itself, C recurses, which it does not for plain
 * functions. Three mechanisms hide that. The level of C recursion that 3.12 and 3.13 count for each call is
 * given back (c_recursion.c). A call that finds the C stack short continues on another stack, mapped for it:
 * the recursion gets as deep as memory and the recursion limit allow, and a thread with a small stack can
 * compile. Calls too near to a limit are left to eager (fj_depth_is_short in allowance.h). */
#define _GNU_SOURCE
#define FJ_INTERP_INSIDE
#include "allowance.h"
#include "stack_switch.h"
#include "c_recursion.h"

/* One call, made on whichever stack has room. */
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

#include <pthread.h>
#include <sys/mman.h>

/* ---- stacks ------------------------------------------------------------------------------- */

/* Size of our own stacks; untouched pages cost nothing. */
#define STACK_SIZE ((uintptr_t)64 << 20)
#define GUARD ((uintptr_t)64 << 10)
/* Stack that a compiler, BLAS or the program's C code may need on top of our calls. */
#define SPARE ((uintptr_t)6 << 20)
/* Stack that the engine's own work needs: LLVM recurses. */
#define ENGINE_NEEDS ((uintptr_t)3 << 20)
/* Calls are made on a system stack while more than its lowest (STACK_SHARE - 1) / STACK_SHARE are free. */
#define STACK_SHARE 4

/* The stack that this thread runs on. A call made at an address from `low` to `end` stays on it. */
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

/* Each thread keeps one stack until it ends. */
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

/* Run work(data) on a stack of ours: 0, or -1 if there is no memory for one. */
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
    PyThreadState *tstate = PyThreadState_Get();
    const fj_stack_bounds bounds = fj_stack_bounds_exchange(tstate, fj_stack_bounds_of(bottom, end));
    fj_run_at(stack + STACK_SIZE, work, data);
    fj_stack_bounds_exchange(tstate, bounds);
    room = before;
    keep_stack(stack);
    return 0;
}

/* 1 if `need` bytes are free on the present stack; with 0, if a call of a function may be made on it. */
static Py_NO_INLINE int
is_roomy(uintptr_t here, uintptr_t need)
{
    if (here < room.bottom || here >= room.end) {
        room = room_at(here); /* first call, or a stack that somebody else switched to */
    }
    return need ? here - room.bottom >= need : here >= room.low;
}

int
fj_stack_switch_init(void)
{
    static int done;
    if (!done && pthread_key_create(&kept, let_go) != 0) {
        PyErr_NoMemory();
        return -1;
    }
    done = 1;
    return fj_c_recursion_init();
}

/* ---- calls -------------------------------------------------------------------------------- */

PyObject *
fj_call_in_place_of(PyObject *called, PyObject *callee, PyObject *const *args, size_t nargsf,
                    PyObject *kwnames)
{
    PyThreadState *tstate = PyThreadState_Get();
    uintptr_t here = (uintptr_t)__builtin_frame_address(0);
    int levels = fj_c_recursion_credit(tstate, called, callee, args);
    fj_job job = {callee, args, nargsf, kwnames, NULL};
    fj_c_recursion_add(tstate, levels);
    if (here - room.low < room.end - room.low || is_roomy(here, 0)) {
        work_off(&job);
    }
    else if (run_elsewhere(work_off, &job) < 0) {
        PyErr_SetString(PyExc_RecursionError, "maximum recursion depth exceeded: no memory left");
    }
    fj_c_recursion_add(tstate, -levels);
    return job.result;
}

/* Run work(data) where the engine has the stack that it needs, or here if there is no memory for that. */
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
fj_stack_switch_init(void)
{
    return 0;
}

PyObject *
fj_call_in_place_of(PyObject *called, PyObject *callee, PyObject *const *args, size_t nargsf,
                    PyObject *kwnames)
{
    (void)called;
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
