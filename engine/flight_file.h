/* SPDX-License-Identifier: MIT */
#ifndef UNS_ENGINE_FLIGHT_FILE_H
#define UNS_ENGINE_FLIGHT_FILE_H

/*
 * flight_file - one file of a flight recorder: where it lies, made, mapped,
 * found by others, claimed.
 *
 *   $XDG_RUNTIME_DIR/unstall/PID-TIME.flight     or beside the database
 *                            PID-TIME.flight.PID-START.taken   claimed
 *
 * Directories are 0700, files 0600 and their owner's; no link is followed.  A
 * file has all its blocks before it is mapped, so that a full disk is an error
 * here and not a signal in the host; its descriptor is closed again at once.
 */

#include "flight_owner.h"

#include <limits.h>

struct uns_flight_file {
    struct uns_flight_head *head; /* mapped; NULL: not open */
    struct uns_flight_slot *slots;
    size_t bytes;
    char path[PATH_MAX];
};

/* A new file of this process, for calls that go into the database `store`.
 * IO: no place, no space, or not allowed. */
UNS_MUST_USE enum uns_err
uns_flight_file_create(const char *store, const struct uns_flight_owner *self,
                       uint32_t slots, struct uns_flight_file *ret_file);

/* Somebody's file, to be read only.  UNSUPPORTED: no file of ours, of another
 * version, or of another user. */
UNS_MUST_USE enum uns_err
uns_flight_file_open(const char *path, struct uns_flight_file *ret_file);

/* Unmap; takes one that is not open. */
void uns_flight_file_close(struct uns_flight_file *file);

/* Can its writer be asked for, from here, and is it gone?  A file of this very
 * process counts as one from before an exec().  `thorough`: exec()
 * is noticed, too, at the price of reading a list of mappings. */
bool uns_flight_file_is_orphan(const struct uns_flight_file *file,
                               const struct uns_flight_owner *self,
                               bool thorough);

/* Does its writer live, and can that be told from here?  (After an exec() it
 * may not write any more: see above.) */
bool uns_flight_file_is_alive(const struct uns_flight_file *file,
                              const struct uns_flight_owner *self);

/* Take it for this process alone; its path is another one afterwards.  False:
 * somebody else has taken it. */
bool uns_flight_file_claim(struct uns_flight_file *file,
                           const struct uns_flight_owner *self);

/* Give it back to whoever comes next. */
void uns_flight_file_unclaim(struct uns_flight_file *file);

/* Call `each` with the path of every file that may belong to `store`. */
typedef void uns_flight_file_fn(void *arg, const char *path);
void uns_flight_file_each(const char *store, uns_flight_file_fn *each,
                          void *arg);

#endif
