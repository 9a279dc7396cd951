/* SPDX-License-Identifier: MIT */
/* What dead processes have left becomes rows, once each (P4). */
#include "engine/flight_file.h"
#include "engine/recorder.h"
#include "engine/recover.h"

#include "flight_fixture.h"
#include "store_fixture.h"

#include <signal.h>

static struct place *here;

static int begin(void **state)
{
    char run[96];

    place_setup(state);
    here = *state;
    sprintf(run, "%s/run", here->dir);
    assert_int_equal(mkdir(run, 0700), 0);
    return setenv("XDG_RUNTIME_DIR", run, 1);
}

/* Two chunks, then silence for 3 s; the process dies by _exit. */
static void fly(const char *uuid, bool over)
{
    struct flight f;

    flight_open_in(&f, uns_recorder_slot(here->db));
    flight_publish(&f, uuid);
    flight_chunk(&f, 0, BEGIN + UNS_S);
    flight_chunk(&f, 0, BEGIN + 2 * UNS_S);
    uns_flight_beat(&f.pen, BEGIN + 5 * UNS_S);
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

static unsigned found;

static void count(void *arg, const char *path)
{
    (void)arg;
    (void)path;
    found++;
}

static unsigned files(void)
{
    found = 0;
    uns_flight_file_each(here->db, count, NULL);
    return found;
}

static void test_recover_takes_in_what_a_dead_process_left(void **state)
{
    (void)state;
    assert_int_equal(in_child(die_with_two, NULL), 0);
    CHECK_INT("left", files(), 1);
    CHECK_INT("taken", uns_recover(here->db, UNS_RECOVER_HOST), 2);
    CHECK_INT("gone", files(), 0);
    CHECK_INT("rows", ask(here->db, "SELECT count(*) FROM calls"), 2);
    CHECK_INT("killed",
              ask(here->db, "SELECT silent_ms FROM calls WHERE uuid ="
                            " 'in flight' AND outcome = 'killed'"),
              3000);
    CHECK_INT("finished",
              ask(here->db, "SELECT outcome IS NULL FROM calls WHERE uuid ="
                            " 'finished'"),
              1);
    CHECK_INT("chunks", ask(here->db, "SELECT sum(chunk_count) FROM attempts"),
              2);
    CHECK_INT("timelines",
              ask(here->db, "SELECT count(timeline) FROM attempts"), 2);
}

static void test_recover_does_it_once(void **state)
{
    (void)state;
    assert_int_equal(in_child(die_with_two, NULL), 0);
    uns_recover(here->db, UNS_RECOVER_COMMAND);
    CHECK_INT("again", uns_recover(here->db, UNS_RECOVER_COMMAND), 0);
    CHECK_INT("rows", ask(here->db, "SELECT count(*) FROM calls"), 2);
}

/* Killed between the store's commit and the slot's release. */
static void test_recover_leaves_alone_what_the_store_has(void **state)
{
    (void)state;
    write_ok(here->db, entry_named("finished"));
    assert_int_equal(in_child(die_with_two, NULL), 0);
    uns_recover(here->db, UNS_RECOVER_HOST);
    CHECK_INT("rows", ask(here->db, "SELECT count(*) FROM calls"), 2);
    CHECK_INT("file", files(), 0);
}

static void test_recover_leaves_what_the_store_cannot_take(void **state)
{
    sqlite3 *db;

    (void)state;
    write_ok(here->db, entry_named("before"));
    assert_int_equal(in_child(die_with_two, NULL), 0);
    assert_int_equal(sqlite3_open(here->db, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, "BEGIN IMMEDIATE", NULL, NULL, NULL), 0);
    CHECK_INT("locked", uns_recover(here->db, UNS_RECOVER_HOST), 0);
    CHECK_INT("still there", files(), 1);
    sqlite3_close(db);
    CHECK_INT("later", uns_recover(here->db, UNS_RECOVER_HOST), 2);
}

static void test_recover_of_another_store_is_not_ours(void **state)
{
    char other[160];

    (void)state;
    sprintf(other, "%s/other.db", here->dir);
    assert_int_equal(in_child(die_with_two, NULL), 0);
    CHECK_INT("other", uns_recover(other, UNS_RECOVER_COMMAND), 0);
    CHECK_INT("left", files(), 1);
    CHECK_INT("ours", uns_recover(here->db, UNS_RECOVER_COMMAND), 2);
}

/* --- processes that live --------------------------------------------------*/

static pid_t start_living(void)
{
    int ends[2];
    char byte = 0;
    pid_t pid;

    assert_int_equal(pipe(ends), 0);
    pid = fork();
    if (pid == 0) {
        die_with_two(NULL);
        (void)!write(ends[1], &byte, 1);
        pause();
        _exit(0);
    }
    assert_int_equal(read(ends[0], &byte, 1), 1);
    close(ends[0]);
    close(ends[1]);
    return pid;
}

static void end_it(pid_t pid)
{
    kill(pid, SIGKILL);
    assert_int_equal(waitpid(pid, NULL, 0), pid);
}

static void test_recover_leaves_a_living_process_its_calls(void **state)
{
    pid_t pid = start_living();

    (void)state;
    CHECK_INT("by a host", uns_recover(here->db, UNS_RECOVER_HOST), 0);
    CHECK_INT("finished ones", uns_recover(here->db, UNS_RECOVER_COMMAND), 1);
    CHECK_INT("rows", ask(here->db, "SELECT count(*) FROM calls"), 1);
    CHECK_INT("file", files(), 1);
    end_it(pid);
    uns_recover(here->db, UNS_RECOVER_HOST);
    CHECK_INT("all", ask(here->db, "SELECT count(*) FROM calls"), 2);
    CHECK_INT("taken", files(), 0);
}

/* Its own calls are its own to write. */
static int recovers_itself(void *arg)
{
    (void)arg;
    die_with_two(NULL);
    return (int)uns_recover(here->db, UNS_RECOVER_COMMAND);
}

static void test_recover_leaves_this_process_its_calls(void **state)
{
    (void)state;
    CHECK_INT("taken", in_child(recovers_itself, NULL), 0);
    CHECK_INT("left", files(), 1);
}

/* --- several at once ------------------------------------------------------*/

static int recover_now(void *arg)
{
    (void)arg;
    uns_recover(here->db, UNS_RECOVER_COMMAND);
    return 0;
}

static void test_recover_by_many_at_once_is_once(void **state)
{
    pid_t pid[6];

    (void)state;
    for (int i = 0; i < 5; i++)
        assert_int_equal(in_child(die_with_two, NULL), 0);
    for (int i = 0; i < 6; i++) {
        pid[i] = fork();
        if (pid[i] == 0)
            _exit(recover_now(NULL));
    }
    for (int i = 0; i < 6; i++)
        assert_int_equal(waitpid(pid[i], NULL, 0), pid[i]);
    uns_recover(here->db, UNS_RECOVER_COMMAND);
    /* five processes, but the same two names */
    CHECK_INT("rows", ask(here->db, "SELECT count(*) FROM calls"), 2);
    CHECK_INT("files", files(), 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, place_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_recover_takes_in_what_a_dead_process_left),
        TEST(test_recover_does_it_once),
        TEST(test_recover_leaves_alone_what_the_store_has),
        TEST(test_recover_leaves_what_the_store_cannot_take),
        TEST(test_recover_of_another_store_is_not_ours),
        TEST(test_recover_leaves_a_living_process_its_calls),
        TEST(test_recover_leaves_this_process_its_calls),
        TEST(test_recover_by_many_at_once_is_once),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
