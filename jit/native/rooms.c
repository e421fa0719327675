/* Memory of arrays that nobody needs as objects: small ones in the scratch, and those that iterations of shared
 * loops make in memory of their thread. */
#include "rooms.h"
#include <stdlib.h>

enum { ALIGNMENT = 64 };

/* Memory for one array of the entry, kept until the thread has done its part of the kernel. */
typedef struct room {
    struct room *next;
    int64_t index; /* of the array */
    size_t size;
    void *memory;
} room;

/* Sort the axes from the fastest on. NumPy's iterator sorts those of a fresh array by the steps of the
 * operands, from C order on; an axis of one item has no step there, and does not make others change places.
 * Copies and reductions keep the places of such axes, too. */
static void
sort_axes(const fj_array_spec *spec, const npy_intp *dims, int *sorted)
{
    int rank[FJ_MAX_NDIM], sorts = spec->base == FJ_SORTED;
    for (int k = 0; k < spec->ndim; k++) {
        rank[spec->order[k]] = k;
        sorted[k] = sorts ? spec->ndim - 1 - k : spec->order[spec->ndim - 1 - k];
    }
    for (int k = 1; sorts && k < spec->ndim; k++) {
        int axis = sorted[k], place = k;
        for (int before = k - 1; before >= 0; before--) {
            int other = sorted[before];
            if (dims[axis] == 1 || dims[other] == 1) {
                continue;
            }
            if (rank[other] > rank[axis]) {
                break;
            }
            place = before;
        }
        memmove(&sorted[place + 1], &sorted[place], (size_t)(k - place) * sizeof(int));
        sorted[place] = axis;
    }
}

/* The memory order of the spec for these dims, without gaps: strides in bytes. */
void
fj_packed_strides(const fj_array_spec *spec, const npy_intp *dims, npy_intp itemsize,
                  npy_intp *strides)
{
    int sorted[FJ_MAX_NDIM];
    sort_axes(spec, dims, sorted);
    npy_intp step = itemsize;
    for (int k = 0; k < spec->ndim; k++) {
        strides[sorted[k]] = step;
        step *= dims[sorted[k]] > 0 ? dims[sorted[k]] : 1;
    }
}

/* Read the lengths of an array from its words; return its bytes, or -1 if these are more than `most`. As NumPy
 * does where it looks for arrays that are too large, take an axis without items for one of one item. */
static npy_intp
read_dims(const int64_t *words, const fj_array_spec *spec, npy_intp itemsize, npy_intp most,
          npy_intp *dims)
{
    npy_intp size = itemsize;
    for (int axis = 0; axis < spec->ndim; axis++) {
        dims[axis] = (npy_intp)words[spec->word + 1 + axis];
        npy_intp length = dims[axis] == 0 ? 1 : dims[axis];
        size = size < 0 || length < 0 || size > most / length ? -1 : size * length;
    }
    return size;
}

/* Write where the array stands into its words. */
static void
place(int64_t *words, const fj_array_spec *spec, const npy_intp *dims, npy_intp itemsize,
      int64_t address)
{
    npy_intp strides[FJ_MAX_NDIM];
    fj_packed_strides(spec, dims, itemsize, strides);
    int64_t *word = &words[spec->word];
    word[0] = address;
    for (int axis = 0; axis < spec->ndim; axis++) {
        word[1 + spec->ndim + axis] = (int64_t)strides[axis];
    }
}

static npy_intp
itemsize_of(const fj_entry *entry, const fj_array_spec *spec)
{
    PyObject *descr = PyTuple_GET_ITEM(entry->objects, spec->object); /* borrowed */
    return PyDataType_ELSIZE((PyArray_Descr *)descr);
}

int
fj_small_room(int64_t *words, const fj_entry *entry, const fj_array_spec *spec, npy_intp *dims)
{
    npy_intp itemsize = itemsize_of(entry, spec);
    npy_intp size = read_dims(words, spec, itemsize, FJ_ROOM, dims);
    if (spec->room < 0 || size < 0) {
        return 0;
    }
    place(words, spec, dims, itemsize, words[FJ_W_SCRATCH] + spec->room);
    return 1;
}

/* Memory of at least `size` bytes that is this thread's for the array; NULL if there is none. */
static void *
room_for(int64_t *words, int64_t index, size_t size)
{
    room *found = (room *)(intptr_t)words[FJ_W_ROOMS];
    while (found != NULL && found->index != index) {
        found = found->next;
    }
    if (found == NULL) {
        found = calloc(1, sizeof(room));
        if (found == NULL) {
            return NULL;
        }
        found->index = index;
        found->next = (room *)(intptr_t)words[FJ_W_ROOMS];
        words[FJ_W_ROOMS] = (int64_t)(intptr_t)found;
    }
    if (found->size < size) {
        free(found->memory);
        size_t more = (size + size / 2 + ALIGNMENT) & ~(size_t)(ALIGNMENT - 1);
        found->memory = aligned_alloc(ALIGNMENT, more);
        found->size = found->memory != NULL ? more : 0;
    }
    return found->memory;
}

int64_t
fj_rt_room(int64_t *words, int64_t index)
{
    const fj_entry *entry = ((fj_run *)(intptr_t)words[FJ_W_RUN])->entry;
    const fj_array_spec *spec = &entry->arrays[index];
    npy_intp dims[FJ_MAX_NDIM];
    if (fj_small_room(words, entry, spec, dims)) {
        return 0;
    }
    npy_intp itemsize = itemsize_of(entry, spec);
    npy_intp size = read_dims(words, spec, itemsize, PY_SSIZE_T_MAX / 2, dims);
    void *memory = size < 0 ? NULL : room_for(words, index, (size_t)size);
    if (memory == NULL) {
        return FJ_KERNEL_BAIL;
    }
    place(words, spec, dims, itemsize, (int64_t)(intptr_t)memory);
    return 0;
}

void
fj_free_rooms(int64_t *words)
{
    room *first = (room *)(intptr_t)words[FJ_W_ROOMS];
    words[FJ_W_ROOMS] = 0;
    while (first != NULL) {
        room *next = first->next;
        free(first->memory);
        free(first);
        first = next;
    }
}
