/* SPDX-License-Identifier: MIT */
/* The journal in threads and in children of a fork. */
#include "journal_fixture.h"

#include <pthread.h>
#include <stdatomic.h>

static int child_of_fork(void *arg)
{
    (void)arg;
    NEED(uns_journal_state().waiting == 0);
    put(10);
    NEED(ask(db_path, "SELECT count(*) FROM calls WHERE uuid = '10'") == 1);
    NEED(written() == 2);
    exit(0);
}

static int forks_with_calls_waiting(void *arg)
{
    (void)arg;
    put_many(1, 3);
    fflush(NULL);
    NEED(in_child(child_of_fork, NULL) == 0);
    NEED(uns_journal_state().waiting == 2);
    uns_journal_flush();
    NEED(written() == 4);
    return 0;
}

static void test_journal_of_a_child_is_empty(void **state)
{
    apart(state, forks_with_calls_waiting);
}

static atomic_bool stop;

static void *put_until_stopped(void *arg)
{
    for (long i = 0; !atomic_load(&stop); i++)
        put(*(long *)arg + i);
    return NULL;
}

static int puts_one(void *arg)
{
    alarm(20);
    put(*(long *)arg);
    uns_journal_flush(); /* if the parent had the store locked */
    return uns_journal_state().waiting == 0 ? 0 : 1;
}

/* No child may find a lock taken by a thread that it does not have. */
static int forks_beside_a_thread(void *arg)
{
    long base = 1000000;
    pthread_t thread;

    (void)arg;
    alarm(60);
    pthread_create(&thread, NULL, put_until_stopped, &base);
    for (long i = 0; i < 100; i++)
        NEED(in_child(puts_one, &i) == 0);
    atomic_store(&stop, true);
    pthread_join(thread, NULL);
    uns_journal_flush();
    NEED(ask(db_path, "SELECT count(*) FROM calls"
                      " WHERE CAST(uuid AS INTEGER) < 100") == 100);
    return 0;
}

static void test_journal_survives_a_fork_beside_a_thread(void **state)
{
    if (!FORKS_BESIDE_THREADS)
        skip();
    apart(state, forks_beside_a_thread);
}

static void *put_200(void *arg)
{
    put_many(*(long *)arg, 200);
    return NULL;
}

static int takes_calls_from_threads(void *arg)
{
    static long bases[] = {1000, 2000, 3000, 4000};
    pthread_t threads[ROWS(bases)];

    (void)arg;
    for (size_t i = 0; i < ROWS(bases); i++)
        pthread_create(&threads[i], NULL, put_200, &bases[i]);
    for (size_t i = 0; i < ROWS(bases); i++)
        pthread_join(threads[i], NULL);
    uns_journal_flush();
    NEED(written() == 800);
    return 0;
}

static void test_journal_takes_calls_from_threads(void **state)
{
    apart(state, takes_calls_from_threads);
}

#define TEST(name) \
    cmocka_unit_test_setup_teardown(name, place_setup, place_teardown)

int main(void)
{
    static const struct CMUnitTest tests[] = {
        TEST(test_journal_of_a_child_is_empty),
        TEST(test_journal_survives_a_fork_beside_a_thread),
        TEST(test_journal_takes_calls_from_threads),
    };

    return cmocka_run_group_tests_name("journal_fork", tests, NULL, NULL);
}
