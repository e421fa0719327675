/* Reports of a launch to the Python side of its entry. All return -1 with an exception if that raises; none
 * steals a reference. */
#ifndef FRAMEJIT_OWNER_H
#define FRAMEJIT_OWNER_H

#include "core.h"

/* Pass it the logged flags; it issues eager's warnings. */
int fj_owner_warn(fj_run *run);
/* Return 1 if the attributing kernel may run now, else 0. */
int fj_owner_may_attribute(fj_entry *entry);
/* Report why a launch bailed, and by which check; it may install an attributing kernel. */
int fj_owner_bailed(fj_entry *entry, const char *why, int flags, int64_t check);
/* Report that a loop was halted for other threads and its finished iterations count. */
int fj_owner_halted(fj_entry *entry);
/* Report that a loop that cannot be halted took long. */
int fj_owner_took_long(fj_entry *entry);
/* Report that its arrays have become so large that a kernel with shared loops is worth a capture. */
int fj_owner_grew(fj_entry *entry);
/* Count the work of a launch; report when launches have done too little to be worth their price. */
int fj_owner_weigh(fj_entry *entry, int64_t work);

#endif
