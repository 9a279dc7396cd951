/* SPDX-License-Identifier: MIT */
#ifndef UNS_ENGINE_STORE_H
#define UNS_ENGINE_STORE_H

/*
 * store - the SQLite file with every call.  Opened for one batch, closed
 * again: no descriptor of ours lives in a host that may close or fork.
 */

#include "core/err.h"
#include "core/record.h"

struct sqlite3;
struct uns_flight_slot;

/* One finished call with its attempts; owns the timeline blobs. */
struct uns_entry {
    struct uns_call_record call;
    unsigned attempts;
    struct uns_attempt_record attempt[UNS_RACE_ATTEMPTS];

    struct {
        uint8_t *data; /* malloc'd, or NULL */
        size_t len;
    } timeline[UNS_RACE_ATTEMPTS];

    uns_ns stall_threshold_ns;    /* for the rows of `stalls` */
    const struct uns_hedge *pays; /* its budget gets the finished call's share
                                     (R11); NULL: none does */
    int64_t retain_days; /* calls older than that go, a few with each batch
                            that may wait; 0 or UNS_NULL: none */
    struct uns_flight_slot *slot; /* where it lies until it is written
                                     (recorder.h); NULL: nowhere else */
    struct uns_entry *next;
};

struct uns_entry *uns_entry_new(void); /* NULL: no memory; records cleared */
void uns_entry_free(struct uns_entry *entry);

/* Write the list in one transaction; creates file (0600), directory (0700) and
 * schema when missing.  Waits at most wait_ms for locks, of other processes
 * and of other threads.  All or nothing: BUSY, IO, CORRUPT leave the list to
 * the caller; so does UNSUPPORTED: a later version's file, or a place that is
 * somebody else's.  A damaged file is set aside (store_aside.h) and a new one
 * begun; CORRUPT: that was not possible.  A call whose uuid is there already is
 * not written again, so a batch that may or may not have been written can be
 * tried once more. errno is kept. */
UNS_MUST_USE enum uns_err
uns_store_write(const char *path, const struct uns_entry *list, int wait_ms);

/* What is done with the database while it is open.  It may be called a second
 * time, after all was taken back. */
typedef enum uns_err uns_store_work(struct sqlite3 *db, void *arg);

/* Any other change, by the same rules: `work` is one transaction.  When it
 * returns FOREIGN it is called once more, with the tables brought up to date:
 * a column may have been missing. */
UNS_MUST_USE enum uns_err uns_store_change(const char *path,
                                           uns_store_work *work, void *arg,
                                           int wait_ms);

/* Reading inside a host.  NOTFOUND: there is no such file.  The tables are as
 * the file has them. */
UNS_MUST_USE enum uns_err uns_store_read(const char *path, uns_store_work *work,
                                         void *arg, int wait_ms);

/* The same by the command line, with the right to write: for what cannot be
 * done inside a transaction.  UNSUPPORTED: it is of a later version. */
UNS_MUST_USE enum uns_err uns_store_maintain(const char *path,
                                             uns_store_work *work, void *arg,
                                             int wait_ms);

/* Open for reading by the command line; NOTFOUND: there is no such file.
 * Tables and columns that an older file lacks are there, empty or NULL; of a
 * newer one, what is known.  Closed by sqlite3_close().  Inside a host it has
 * to be opened and closed under the lock of store_lock.h. */
UNS_MUST_USE enum uns_err uns_store_open(const char *path,
                                         struct sqlite3 **ret_db);

#endif
