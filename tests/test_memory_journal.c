/* SPDX-License-Identifier: MIT */
/* P4: calls on their way into the store, and those of dead processes, when
 * there is no memory to write them: they stay where they are, whole, and are
 * written once as soon as they can be. */
#include "starve.h"
#include "store_fixture.h"

#include "engine/flight_file.h"
#include "engine/journal.h"
#include "engine/recorder.h"
#include "engine/recover.h"
#include "flight_fixture.h"

static struct place *here;
static uns_ns clock_ns;

/* The journal's clock: replaces the weak one.  Each call is due at once. */
uns_ns uns_journal_now(void)
{
    return clock_ns += UNS_S;
}

static void no_calls(void)
{
    do_sql(here->db, "DELETE FROM calls; DELETE FROM attempts;"
                     "DELETE FROM stalls");
}

static int64_t count(const char *sql)
{
    sqlite3 *db = NULL;
    int64_t value = -1;

    assert_int_equal(sqlite3_open(here->db, &db), SQLITE_OK);
    assert_int_equal(uns_sql_int(db, sql, &value), UNS_OK);
    sqlite3_close(db);
    return value;
}

/* --- the journal ----------------------------------------------------------*/

/* The call waits, in its slot as well, until the store has it. */
static enum uns_err put(void)
{
    struct uns_flight_slot *slot;
    struct uns_entry *entry;
    size_t waiting;

    fake_memory_count(false);
    entry = entry_named("call");
    entry->slot = slot = uns_recorder_slot(here->db);
    assert_non_null(slot);
    fake_memory_count(true);
    uns_journal_put(here->db, entry, true);
    fake_memory_count(false);
    waiting = uns_journal_state().waiting;
    CHECK_INT("slot", slot->state,
              waiting ? UNS_FLIGHT_TAKEN : UNS_FLIGHT_FREE);
    uns_journal_flush();
    CHECK_INT("slot", slot->state, UNS_FLIGHT_FREE);
    return waiting ? UNS_NOMEM : UNS_OK;
}

static void one_call(const char *row, enum uns_err err)
{
    (void)err;
    CHECK_INT(row, uns_journal_state().waiting, 0);
    CHECK_INT(row, uns_journal_state().dropped, 0);
    CHECK_INT(row, count("SELECT count(*) FROM calls"), 1);
}

static void test_journal_keeps_what_it_cannot_write(void **state)
{
    static const struct operation op = {"put", no_calls, put, one_call};

    (void)state;
    starve_each(&op, 1);
}

/* --- the flight recorder --------------------------------------------------*/

static void fly(const char *uuid, bool over)
{
    struct flight f;

    flight_open_in(&f, uns_recorder_slot(here->db));
    flight_publish(&f, uuid);
    flight_chunk(&f, 0, BEGIN + UNS_S);
    flight_chunk(&f, 0, BEGIN + 6 * UNS_S);
    uns_flight_beat(&f.pen, BEGIN + 9 * UNS_S);
    if (over)
        uns_flight_finish(&f.pen);
}

static int die_with_two(void *arg)
{
    (void)arg;
    fly("finished", true);
    fly("in flight", false);
    return 0;
}

static void find(void *arg, const char *path)
{
    *(unsigned *)arg += !uns_recorder_is_own(path);
}

/* Of others, claimed or not. */
static unsigned files(void)
{
    unsigned found = 0;

    uns_flight_file_each(here->db, find, &found);
    return found;
}

static void a_dead_process(void)
{
    no_calls();
    assert_int_equal(in_child(die_with_two, NULL), 0);
    assert_int_equal(files(), 1);
}

static enum uns_err recover(void)
{
    uns_recover(here->db, UNS_RECOVER_HOST);
    fake_memory_count(false);
    return files() == 0 ? UNS_OK : UNS_NOMEM;
}

/* All of both is in the store, or they are still in their file. */
static void two_calls(const char *row, enum uns_err err)
{
    if (err != UNS_OK)
        return;
    CHECK_INT(row, count("SELECT count(*) FROM calls"), 2);
    CHECK_INT(row, count("SELECT count(timeline) FROM attempts"), 2);
    CHECK_INT(row, count("SELECT count(*) FROM stalls"), 2);
}

static void test_recover_leaves_what_it_cannot_take(void **state)
{
    static const struct operation op = {"recover", a_dead_process, recover,
                                        two_calls};

    (void)state;
    starve_each(&op, 1);
}

static int enter(void **state)
{
    char run[96];

    place_setup(state);
    here = *state;
    sprintf(run, "%s/run", here->dir);
    assert_int_equal(mkdir(run, 0700), 0);
    write_ok(here->db, entry_named("before"));
    return setenv("XDG_RUNTIME_DIR", run, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_journal_keeps_what_it_cannot_write),
        cmocka_unit_test(test_recover_leaves_what_it_cannot_take),
    };

    return cmocka_run_group_tests(tests, enter, place_teardown);
}
