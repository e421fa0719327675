/* Memory of arrays that nobody needs as objects, see rooms.c. Needs no GIL: the entry stays as it is. */
#ifndef FRAMEJIT_ROOMS_H
#define FRAMEJIT_ROOMS_H

#include "core.h"

/* The memory order of the spec for these dims, without gaps: strides in bytes. */
void fj_packed_strides(const fj_array_spec *spec, const npy_intp *dims, npy_intp itemsize,
                       npy_intp *strides);

/* Place an array in the scratch if it is small and nobody needs it as an object: its address and strides are
 * written to its words. Return 0 if not. Reads the dims in any case. */
int fj_small_room(int64_t *words, const fj_entry *entry, const fj_array_spec *spec, npy_intp *dims);

/* Place an array that an iteration of a shared loop makes, and that nobody needs as an object, in memory of this
 * thread. FJ_KERNEL_BAIL if there is none. */
int64_t fj_rt_room(int64_t *words, int64_t index);

/* Free this thread's memory for arrays; its words must not be used afterwards. */
void fj_free_rooms(int64_t *words);

#endif
