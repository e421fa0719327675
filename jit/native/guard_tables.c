/* Validates the rows of an entry's guards: see tables.c. */
#include "reading.h"

static int
order_is_sound(const fj_reading *reading, const fj_guard *guard)
{
    if (!is_array(reading, guard->slot, -1)) {
        return 0;
    }
    int64_t codes = guard->c;
    for (int k = 0; k < reading->slots[guard->slot]; k++, codes >>= 8) {
        if (((codes >> 4) & 3) != 3 && (codes & 0xf) >= reading->slots[guard->slot]) {
            return 0;
        }
    }
    return 1;
}

/* The namespaces and the name of a global, and the place where it is looked for first. */
static int
global_is_sound(const fj_reading *reading, const fj_guard *guard)
{
    return guard->a == 0 && is_dict(reading, guard->extra) && (guard->b == -1 || is_dict(reading, guard->b)) &&
           is_object(reading, guard->object);
}

static int
fetch_is_sound(fj_reading *reading, const fj_guard *guard)
{
    int holds = is_own(reading, guard->slot);
    switch (guard->op) {
    case FJ_G_FETCH_GLOBAL:
        holds &= global_is_sound(reading, guard);
        break;
    case FJ_G_FETCH_ATTR:
        holds &= is_filled(reading, guard->a) && is_object(reading, guard->object);
        break;
    case FJ_G_FETCH_CELL:
        holds &= guard->object >= 0 ? is_object(reading, guard->object)
                                    : is_filled(reading, guard->a);
        break;
    case FJ_G_FETCH_KEY:
        holds &= is_filled(reading, guard->a) && is_object(reading, guard->object);
        break;
    case FJ_G_FETCH_SUPER:
        holds &= is_filled(reading, guard->a) && is_object_or_weak(reading, guard->object) &&
                 is_object(reading, guard->extra);
        break;
    case FJ_G_FETCH_OBJECT:
        holds &= is_object_or_weak(reading, guard->object);
        break;
    case FJ_G_FETCH_DEFAULTS:
    case FJ_G_FETCH_REDUCED:
    case FJ_G_FETCH_NUMBER:
    case FJ_G_FETCH_LISTED:
    case FJ_G_FETCH_ITEM: /* below zero from the end */
    case FJ_G_FETCH_LENGTH:
        holds &= is_filled(reading, guard->a);
        break;
    case FJ_G_FETCH_INDEX_OF:
    case FJ_G_FETCH_SPREAD:
        holds &= is_filled(reading, guard->a) && is_filled(reading, guard->b);
        break;
    default: /* FETCH_CLOSURE */
        holds &= is_filled(reading, guard->a) && guard->c >= 0;
    }
    return fills(reading, guard->slot, holds);
}

static int
array_is_sound(fj_reading *reading, const fj_guard *guard)
{
    if (!is_filled(reading, guard->slot) || !inside(guard->b, FJ_MAX_NDIM + 1)) {
        return 0;
    }
    reading->slots[guard->slot] = (int8_t)guard->b;
    return 1;
}

int
fj_guard_is_sound(fj_reading *reading, const fj_guard *guard)
{
    switch (guard->op) {
    FJ_FETCH_OPS(FJ_CASE)
        return fetch_is_sound(reading, guard);
    case FJ_G_GLOBAL_IS:
        return guard->slot == 0 && global_is_sound(reading, guard) && is_object_or_weak(reading, guard->c);
    case FJ_G_LACKS:
    case FJ_G_QUIET:
        return guard->slot == 0 && is_dict(reading, guard->extra) &&
               is_object(reading, guard->object);
    case FJ_G_HOLDS:
        return guard->slot == 0 && is_dict(reading, guard->object) && is_dict(reading, guard->extra);
    case FJ_G_IS:
    case FJ_G_TYPE:
        return is_filled(reading, guard->slot) && is_object_or_weak(reading, guard->object);
    case FJ_G_EQUAL:
        return is_filled(reading, guard->slot) && is_object(reading, guard->object);
    case FJ_G_INT64:
    case FJ_G_INT_IS:
    case FJ_G_INT_SIGN:
    case FJ_G_INT_BELOW:
    case FJ_G_FLOAT_BITS:
    case FJ_G_LENGTH:
    case FJ_G_ARRAYS:
    case FJ_G_UNSHARED:
    case FJ_G_OWN_NAMES:
        return is_filled(reading, guard->slot);
    case FJ_G_ARRAY:
        return array_is_sound(reading, guard);
    case FJ_G_ORDER:
        return order_is_sound(reading, guard);
    case FJ_G_WRITEABLE:
    case FJ_G_OWNED:
        return is_array(reading, guard->slot, -1);
    case FJ_G_DIM_EQ:
        return guard->a >= 0 && guard->c >= 0 && is_array(reading, guard->slot, guard->a) &&
               is_array(reading, guard->b, guard->c);
    case FJ_G_DIM_IS:
        return guard->a >= 0 && is_array(reading, guard->slot, guard->a);
    case FJ_G_DISJOINT:
        return is_array(reading, guard->slot, -1) && is_array(reading, guard->a, -1);
    case FJ_G_FUNCTION:
        return is_filled(reading, guard->slot) && is_object_or_weak(reading, guard->object) &&
               is_object_or_none(reading, guard->extra) && is_object_or_none(reading, guard->b);
    case FJ_G_KEYS:
        return is_filled(reading, guard->slot) && is_object(reading, guard->object) &&
               PyTuple_CheckExact(PyTuple_GET_ITEM(reading->entry->objects, guard->object));
    case FJ_G_CLASS_ATTR:
        return is_filled(reading, guard->slot) && is_object(reading, guard->object) &&
               (guard->extra == -1 || is_object_or_weak(reading, guard->extra));
    case FJ_G_SUBCLASS:
        return guard->slot == 0 && is_object_or_weak(reading, guard->object) && is_object_or_weak(reading, guard->extra);
    case FJ_G_REGISTERED:
        return guard->slot == 0 && is_object(reading, guard->object) &&
               is_object(reading, guard->extra) &&
               PyCFunction_Check(PyTuple_GET_ITEM(reading->entry->objects, guard->object));
    case FJ_G_CLASS_HOLDS:
        return guard->slot == 0 && is_object_or_weak(reading, guard->object) && is_dict(reading, guard->extra) &&
               is_object(reading, guard->a) &&
               PyTuple_CheckExact(PyTuple_GET_ITEM(reading->entry->objects, guard->a));
    case FJ_G_METHOD:
        return is_filled(reading, guard->slot) && is_filled(reading, guard->a) &&
               (guard->object == -1 || is_object_or_weak(reading, guard->object));
    case FJ_G_SAME:
        return is_filled(reading, guard->slot) && is_filled(reading, guard->a);
    }
    return 0;
}
