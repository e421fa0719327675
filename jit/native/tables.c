/* Validates the packed tables of an entry: every index is inside its table and nothing is read before it is
 * written. A wrong index would cause a crash far from its origin, so everything is checked once, when the
 * entry is made; guards, launches and recipes then trust it.
 *
 * In: an entry with unpacked tables. Out: nothing, or a ValueError that names the row. */
#include "reading.h"

static int
load_is_sound(const fj_reading *reading, const fj_load *load)
{
    int64_t ndim = load->ndim;
    switch (load->kind) {
    case FJ_LOAD_ARRAY:
        return is_array(reading, load->slot, -1) && reading->slots[load->slot] == ndim &&
               words_hold(reading->entry, load->word, 1 + 2 * ndim);
    case FJ_LOAD_INT:
    case FJ_LOAD_FLOAT:
        return is_filled(reading, load->slot) && words_hold(reading->entry, load->word, 1);
    case FJ_LOAD_COMPLEX:
    case FJ_LOAD_SCALAR:
        return is_filled(reading, load->slot) && words_hold(reading->entry, load->word, 2);
    }
    return 0;
}

static int
room_holds(const fj_entry *entry, const fj_array_spec *spec)
{
    return spec->room == -1 ||
           (spec->base < 0 && spec->room >= 0 && spec->room % 64 == 0 &&
            (int64_t)spec->room + FJ_ROOM <= entry->scratch);
}

static int
spec_is_sound(fj_reading *reading, const fj_array_spec *spec)
{
    int64_t ndim = spec->ndim;
    unsigned seen = 0;
    if (!is_own(reading, spec->slot) || !inside(ndim, FJ_MAX_NDIM + 1) ||
        !words_hold(reading->entry, spec->word, 1 + 2 * ndim) ||
        !is_plain_dtype(reading, spec->object, INT32_MAX) || spec->base == spec->slot ||
        spec->base < FJ_SORTED || !room_holds(reading->entry, spec) ||
        (spec->base >= 0 && !inside(spec->base, reading->entry->n_slots))) {
        return 0;
    }
    for (int k = 0; k < spec->ndim; k++) {
        if (!inside(spec->order[k], ndim)) {
            return 0;
        }
        seen |= 1u << spec->order[k];
    }
    if (spec->room < 0) { /* else it may never be an object */
        reading->slots[spec->slot] = (int8_t)spec->ndim;
    }
    return seen == (1u << spec->ndim) - 1; /* each axis once */
}

/* Guards of a call may read its result, and whatever is known before it. */
static int
call_is_sound(fj_reading *reading, const fj_call *call)
{
    const fj_entry *entry = reading->entry;
    if (!fills(reading, call->slot, is_own(reading, call->slot)) ||
        !inside(call->recipe, entry->n_recipes) || call->n_guards < 0 || call->first_guard < 0 ||
        (int64_t)call->first_guard + call->n_guards > entry->n_guards) {
        return 0;
    }
    for (int32_t k = 0; k < call->n_guards; k++) {
        if (!fj_guard_is_sound(reading, &entry->guards[call->first_guard + k])) {
            return 0;
        }
    }
    if (call->load == -1) {
        return 1;
    }
    return inside(call->load, entry->n_loads) && entry->loads[call->load].slot == call->slot &&
           load_is_sound(reading, &entry->loads[call->load]);
}

/* Return the number of objects that the step pops; -1 if one of its operands is invalid. Each step pushes
 * one, except DROP. */
static int64_t
step_takes(const fj_reading *reading, const fj_step *step)
{
    const fj_entry *entry = reading->entry;
    int holds = 1;
    switch (step->op) {
    case FJ_R_SLOT:
        holds = inside(step->a, entry->n_slots);
        break;
    case FJ_R_CONST:
        holds = is_object(reading, step->a);
        break;
    case FJ_R_INT:
    case FJ_R_FLOAT:
    case FJ_R_BOOL:
        holds = words_hold(entry, step->a, 1);
        break;
    case FJ_R_COMPLEX:
        holds = words_hold(entry, step->a, 2);
        break;
    case FJ_R_SCALAR:
        holds = words_hold(entry, step->a, 1) &&
                is_plain_dtype(reading, step->b, 8 * (entry->n_words - (int64_t)step->a));
        break;
    case FJ_R_KEEP:
        return is_own(reading, step->a) ? 1 : -1;
    case FJ_R_ORIGIN:
        return words_hold(entry, step->a, 1) ? 1 : -1;
    case FJ_R_DROP:
        return 1;
    default:
        if (step->a < 0) {
            return -1;
        }
        return step->op == FJ_R_TUPLE || step->op == FJ_R_LIST ? step->a
               : step->op == FJ_R_DICT                         ? 2 * (int64_t)step->a
               : step->op == FJ_R_CALL                         ? (int64_t)step->a + 1
                                                               : -1;
    }
    return holds ? 0 : -1;
}

/* 1 if the recipe leaves one object; *deepest grows to the depth of its stack. */
static int
recipe_is_sound(const fj_reading *reading, const fj_recipe *recipe, Py_ssize_t *deepest)
{
    const fj_entry *entry = reading->entry;
    Py_ssize_t depth = 0;
    if (recipe->start < 0 || recipe->length < 1 ||
        (int64_t)recipe->start + recipe->length > entry->n_steps) {
        return 0;
    }
    for (int32_t k = 0; k < recipe->length; k++) {
        const fj_step *step = &entry->steps[recipe->start + k];
        int64_t takes = step_takes(reading, step);
        if (takes < 0 || takes > depth) {
            return 0;
        }
        depth += (step->op != FJ_R_DROP) - (Py_ssize_t)takes;
        *deepest = depth > *deepest ? depth : *deepest;
    }
    return depth == 1;
}

static int
counts_hold(const fj_entry *entry, Py_ssize_t n_guards, Py_ssize_t n_loads)
{
    return inside(n_guards, entry->n_guards + 1) && inside(n_loads, entry->n_loads + 1) &&
           inside(entry->n_live, entry->n_slots + 1) && entry->n_slots <= INT32_MAX &&
           entry->n_exits >= 1 && entry->n_words >= FJ_W_FIRST && entry->scratch >= 0 &&
           entry->scratch <= PY_SSIZE_T_MAX - 64 &&
           (entry->python_kernel != NULL || entry->n_exits <= entry->n_recipes);
}

static int
refuse(const char *table, Py_ssize_t row)
{
    PyErr_Format(PyExc_ValueError, "Entry: row %zd of %s points outside of what it may use", row,
                 table);
    return -1;
}

/* Validate the tables in the order in which a launch uses them. */
static int
read_tables(fj_reading *reading, fj_entry *entry, Py_ssize_t n_guards, Py_ssize_t n_loads)
{
    for (Py_ssize_t k = 0; k < n_guards; k++) {
        if (!fj_guard_is_sound(reading, &entry->guards[k])) {
            return refuse("guards", k);
        }
    }
    for (Py_ssize_t k = 0; k < n_loads; k++) {
        if (!load_is_sound(reading, &entry->loads[k])) {
            return refuse("loads", k);
        }
    }
    /* A Python kernel is handed every slot. */
    for (Py_ssize_t k = 0; entry->python_kernel != NULL && k < entry->n_slots; k++) {
        if (reading->slots[k] == EMPTY) {
            return refuse("slots", k);
        }
    }
    for (Py_ssize_t k = 0; k < entry->n_arrays; k++) {
        if (!spec_is_sound(reading, &entry->arrays[k])) {
            return refuse("arrays", k);
        }
    }
    for (Py_ssize_t k = 0; k < entry->n_calls; k++) {
        if (!call_is_sound(reading, &entry->calls[k])) {
            return refuse("calls", k);
        }
    }
    for (Py_ssize_t k = 0; k < entry->n_recipes; k++) {
        if (!recipe_is_sound(reading, &entry->recipes[k], &entry->depth)) {
            return refuse("recipes", k);
        }
    }
    return 0;
}

int
fj_tables_hold(fj_entry *entry, Py_ssize_t n_guards, Py_ssize_t n_loads)
{
    if (!counts_hold(entry, n_guards, n_loads)) {
        PyErr_SetString(PyExc_ValueError, "Entry: a count does not fit the tables");
        return -1;
    }
    fj_reading reading = {entry, PyTuple_GET_SIZE(entry->objects), NULL};
    reading.slots = PyMem_Malloc((size_t)entry->n_slots + 1);
    if (reading.slots == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    memset(reading.slots, EMPTY, (size_t)entry->n_slots);
    memset(reading.slots, FILLED, (size_t)entry->n_live);
    int status = read_tables(&reading, entry, n_guards, n_loads);
    PyMem_Free(reading.slots);
    return status;
}
