/* The Python side of an entry, which a launch tells what happens. All give -1 with an exception where
 * it raises; none takes a reference over. */
#ifndef FRAMEJIT_OWNER_H
#define FRAMEJIT_OWNER_H

#include "core.h"

/* Hands it the logged flags: it issues eager's warnings. */
int fj_owner_warn(fj_run *run);
/* 1 when the attributing kernel may run now, 0 when not. */
int fj_owner_may_attribute(fj_entry *entry);
/* Why a launch bailed, and by which check; it may install an attributing kernel. */
int fj_owner_bailed(fj_entry *entry, const char *why, int flags, int64_t check);
/* A loop has been halted for others: the turns before count. */
int fj_owner_halted(fj_entry *entry);
/* A loop took long which could not be halted. */
int fj_owner_took_long(fj_entry *entry);
/* Its arrays got so large that another kernel, whose loops threads share, is worth a capture. */
int fj_owner_grew(fj_entry *entry);
/* Counts the work of a launch, and tells when it is not worth its price. */
int fj_owner_weigh(fj_entry *entry, int64_t work);

#endif
