/* The packed tables of an entry, as Python hands them over: guards, loads, arrays, calls, recipes. */
#ifndef FRAMEJIT_TABLES_H
#define FRAMEJIT_TABLES_H

#include <stdint.h>

/* An array of more axes than this is never captured: eager serves it. */
#define FJ_MAX_NDIM 8

/* ---- guard program ------------------------------------------------------------------------ */

/* Order is the ABI between guards/program.py and guard.c; exported to Python as GUARD_OPS. */
#define FJ_FETCH_OPS(X) \
    X(FETCH_GLOBAL)     \
    X(FETCH_ATTR)       \
    X(FETCH_CELL)       \
    X(FETCH_ITEM)       \
    X(FETCH_LENGTH)     \
    X(FETCH_KEY)        \
    X(FETCH_CLOSURE)    \
    X(FETCH_DEFAULTS)   \
    X(FETCH_SUPER)      \
    X(FETCH_OBJECT)     \
    X(FETCH_REDUCED)    \
    X(FETCH_NUMBER)     \
    X(FETCH_LISTED)     \
    X(FETCH_INDEX_OF)   \
    X(FETCH_SPREAD)

#define FJ_GUARD_OPS(X) \
    FJ_FETCH_OPS(X)     \
    X(GLOBAL_IS)        \
    X(LACKS)            \
    X(QUIET)            \
    X(HOLDS)            \
    X(IS)               \
    X(TYPE)             \
    X(INT64)            \
    X(INT_IS)           \
    X(INT_SIGN)         \
    X(INT_BELOW)        \
    X(FLOAT_BITS)       \
    X(EQUAL)            \
    X(ARRAY)            \
    X(ORDER)            \
    X(WRITEABLE)        \
    X(OWNED)            \
    X(UNSHARED)         \
    X(DIM_EQ)           \
    X(DIM_IS)           \
    X(DISJOINT)         \
    X(FUNCTION)         \
    X(LENGTH)           \
    X(ARRAYS)           \
    X(KEYS)             \
    X(CLASS_ATTR)       \
    X(CLASS_HOLDS)      \
    X(SUBCLASS)         \
    X(REGISTERED)       \
    X(METHOD)           \
    X(OWN_NAMES)        \
    X(SAME)

enum {
#define X(name) FJ_G_##name,
    FJ_GUARD_OPS(X)
#undef X
    FJ_G_COUNT
};

/* In a switch, `FJ_FETCH_OPS(FJ_CASE)` is the labels of all ops that fill a slot. */
#define FJ_CASE(name) case FJ_G_##name:

typedef struct {
    int32_t op;
    int32_t slot;
    int32_t a;
    int32_t b;
    int64_t c;
    int32_t object; /* index into the entry's objects, or -1 */
    int32_t extra;  /* likewise */
} fj_guard;

/* ---- launching ---------------------------------------------------------------------------- */

enum { FJ_LOAD_ARRAY, FJ_LOAD_INT, FJ_LOAD_FLOAT, FJ_LOAD_COMPLEX, FJ_LOAD_SCALAR };

typedef struct {
    int32_t kind;
    int32_t slot;
    int32_t word; /* first word: arrays data, dims, strides; scalars their value */
    int32_t ndim;
} fj_load;

/* Values for `base`: own memory, with the axis order of the spec; or in the order in which NumPy's iterator
 * sorts the operands' axes. */
enum { FJ_FRESH = -1, FJ_SORTED = -2 };

/* Maximum bytes of a small array that is placed in the scratch instead of a NumPy array. */
enum { FJ_ROOM = 2048 };

/* An array that a kernel allocates: dims are read from words, address and strides written back. */
typedef struct {
    int32_t slot;
    int32_t word;
    int32_t ndim;
    int32_t object; /* the dtype, index into objects */
    int32_t base;   /* slot whose memory this is a view of, or FJ_FRESH, or FJ_SORTED */
    int32_t room;   /* nobody needs it as an object: where in the scratch it stands if it takes no
                     * more than FJ_ROOM bytes; or -1 */
    int8_t order[FJ_MAX_NDIM]; /* axes from slowest to fastest */
} fj_array_spec;

/* An opaque call: one recipe makes the call and gives its result, which goes into `slot`, has to
 * pass the guards and is then loaded into words (`load`: index into loads, or -1). */
typedef struct {
    int32_t recipe;
    int32_t slot;
    int32_t load;
    int32_t first_guard;
    int32_t n_guards;
    int32_t looks; /* 0: the callee asks for no np.errstate and leaves nothing that it would report */
} fj_call;

/* ---- recipes ------------------------------------------------------------------------------ */

/* Postfix code that builds one object; each instruction is (op, a, b). Exported as RECIPE_OPS. */
#define FJ_RECIPE_OPS(X)                                                    \
    X(SLOT)    /* the object in slot a */                                   \
    X(CONST)   /* objects[a] */                                             \
    X(INT)     /* Python int from word a */                                 \
    X(FLOAT)   /* Python float from word a */                               \
    X(BOOL)    /* Python bool from word a */                                \
    X(COMPLEX) /* Python complex from words a, a + 1 */                     \
    X(SCALAR)  /* NumPy scalar of dtype objects[b] from word a */           \
    X(TUPLE)   /* the last a objects */                                     \
    X(LIST)    /* the last a objects */                                     \
    X(DICT)    /* the last a (key, value) pairs */                          \
    X(CALL)    /* a callable and its last a positional arguments */          \
    X(KEEP)    /* the last object goes into slot a as well */               \
    X(ORIGIN)  /* the object of slot (word a) - 1, where the last one goes if there is none; a word \
                * of 0: the last one */                                     \
    X(DROP)    /* the last object is let go of */

enum {
#define X(name) FJ_R_##name,
    FJ_RECIPE_OPS(X)
#undef X
    FJ_R_COUNT
};

typedef struct {
    int32_t op;
    int32_t a;
    int32_t b;
} fj_step;

typedef struct {
    int32_t start; /* in steps */
    int32_t length;
} fj_recipe;

#endif
