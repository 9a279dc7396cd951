/* SPDX-License-Identifier: MIT */
#ifndef UNS_TESTS_JOURNAL_FIXTURE_H
#define UNS_TESTS_JOURNAL_FIXTURE_H

/* journal_fixture - the journal is one per process, so each test is a process;
 * its clock stands. */

#include "engine/journal.h"

#include "store_fixture.h"

/* The journal's clock: replaces the weak one. */
static uns_ns clock_ns = 1000 * UNS_S;

uns_ns uns_journal_now(void)
{
    return clock_ns;
}

static char *db_path; /* of the test that runs */

static inline void put(long number)
{
    uns_journal_put(db_path, entry_numbered(number), false);
}

static inline void put_many(long from, long count)
{
    for (long i = 0; i < count; i++)
        put(from + i);
}

static inline int64_t written(void)
{
    return ask(db_path, "SELECT count(*) FROM calls");
}

/* Runs `test` in a child, where the journal is empty; a failed assert there
 * is an exit code here. */
static inline void apart(void **state, int (*test)(void *))
{
    struct place *place = *state;

    db_path = place->db;
    fflush(NULL);
    assert_int_equal(in_child(test, NULL), 0);
}

#endif
