/* SPDX-License-Identifier: MIT */
/* The registry of handles.  Built with SANITIZE=thread, the last tests are
 * proofs that nothing races; built with HOSTILE=1, tables of two slots grow
 * at once. */
#include "check.h"
#include "shim/handle.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

/* Keys look like heap blocks; the registry never follows one. */
static CURL *key_of(size_t i)
{
    return (CURL *)(uintptr_t)(0x55550000u + i * 16);
}

static void test_handle_finds_nothing_before_put(void **state)
{
    (void)state;
    assert_null(uns_handle_get(NULL));
    assert_null(uns_handle_get(key_of(0)));
    assert_null(uns_handle_take(NULL));
    assert_null(uns_handle_take(key_of(0)));
}

static void test_handle_finds_what_was_put(void **state)
{
    static struct uns_app app;

    (void)state;
    app.easy = key_of(1);
    assert_true(uns_handle_put(&app));
    assert_ptr_equal(uns_handle_get(key_of(1)), &app);
    assert_null(uns_handle_get(key_of(2)));
    assert_ptr_equal(uns_handle_take(key_of(1)), &app);
    assert_null(uns_handle_get(key_of(1)));
    assert_null(uns_handle_take(key_of(1)));
}

/* libcurl gives the address of a cleaned-up handle out again. */
static void test_handle_takes_a_reused_address(void **state)
{
    static struct uns_app old, new;

    (void)state;
    old.easy = new.easy = key_of(3);
    for (int round = 0; round < 1000; round++) {
        assert_true(uns_handle_put(&old));
        assert_ptr_equal(uns_handle_take(key_of(3)), &old);
        assert_true(uns_handle_put(&new));
        assert_ptr_equal(uns_handle_get(key_of(3)), &new);
        assert_ptr_equal(uns_handle_take(key_of(3)), &new);
    }
}

static struct uns_app *new_apps(size_t count, size_t first_key)
{
    struct uns_app *apps = calloc(count, sizeof(*apps));

    assert_non_null(apps);
    for (size_t i = 0; i < count; i++)
        apps[i].easy = key_of(first_key + i);
    return apps;
}

/* Half go, and the rest are found still; then as many others come. */
static void test_handle_keeps_thousands(void **state)
{
    enum {
        COUNT = 4096
    };
    struct uns_app *apps = new_apps(COUNT, 100);
    struct uns_app *late = new_apps(COUNT, 100 + COUNT);

    (void)state;
    for (size_t i = 0; i < COUNT; i++)
        assert_true(uns_handle_put(&apps[i]));
    for (size_t i = 0; i < COUNT; i += 2)
        assert_ptr_equal(uns_handle_take(apps[i].easy), &apps[i]);
    for (size_t i = 0; i < COUNT; i++)
        assert_true(uns_handle_put(&late[i]));
    for (size_t i = 0; i < COUNT; i++) {
        assert_ptr_equal(uns_handle_get(apps[i].easy), i % 2 ? &apps[i] : NULL);
        assert_ptr_equal(uns_handle_get(late[i].easy), &late[i]);
    }
    for (size_t i = 0; i < COUNT; i++) {
        assert_ptr_equal(uns_handle_take(apps[i].easy),
                         i % 2 ? &apps[i] : NULL);
        assert_ptr_equal(uns_handle_take(late[i].easy), &late[i]);
    }
    free(apps);
    free(late);
}

enum {
    THREADS = 64,
    KEYS = 24,
    ROUNDS = 200
};

/* Each thread has handles of its own, as libcurl's rule wants it. */
static void *hammer(void *arg)
{
    size_t first = 100000 + (size_t)(uintptr_t)arg * KEYS;
    struct uns_app *apps = calloc(KEYS, sizeof(*apps));
    size_t wrong = apps ? 0 : 1;

    for (int round = 0; apps && round < ROUNDS; round++) {
        for (size_t i = 0; i < KEYS; i++) {
            apps[i].easy = key_of(first + i);
            wrong += !uns_handle_put(&apps[i]);
        }
        for (size_t i = 0; i < KEYS; i++)
            wrong += uns_handle_get(apps[i].easy) != &apps[i];
        for (size_t i = 0; i < KEYS; i++) {
            wrong += uns_handle_take(apps[i].easy) != &apps[i];
            wrong += uns_handle_get(apps[i].easy) != NULL;
        }
    }
    free(apps);
    return (void *)(uintptr_t)wrong;
}

static void test_handle_is_right_under_64_threads(void **state)
{
    pthread_t threads[THREADS];
    uintptr_t wrong = 0;

    (void)state;
    for (uintptr_t i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, hammer, (void *)i),
                         0);
    for (size_t i = 0; i < THREADS; i++) {
        void *result;

        assert_int_equal(pthread_join(threads[i], &result), 0);
        wrong += (uintptr_t)result;
    }
    CHECK_INT("64 threads", wrong, 0);
}

static void *take_over(void *arg)
{
    struct uns_app *app = arg;

    return uns_handle_take(app->easy) == app ? app : NULL;
}

/* A handle may be made by one thread and cleaned up by another. */
static void test_handle_moves_between_threads(void **state)
{
    static struct uns_app app;
    pthread_t thread;
    void *result;

    (void)state;
    app.easy = key_of(4);
    assert_true(uns_handle_put(&app));
    assert_int_equal(pthread_create(&thread, NULL, take_over, &app), 0);
    assert_int_equal(pthread_join(thread, &result), 0);
    assert_ptr_equal(result, &app);
    assert_null(uns_handle_get(app.easy));
}

static _Atomic bool stop;

static void *churn(void *arg)
{
    struct uns_app *app = arg;

    while (!stop) {
        (void)uns_handle_put(app);
        (void)uns_handle_take(app->easy);
    }
    return NULL;
}

static int child_works(void)
{
    static struct uns_app app;

    app.easy = key_of(6);
    return uns_handle_put(&app) && uns_handle_take(app.easy) == &app ? 0 : 1;
}

/* A fork in the middle of another thread's put leaves the child nothing to
 * wait for. */
static void test_handle_works_in_a_forked_child(void **state)
{
    static struct uns_app app;
    pthread_t thread;

    (void)state;
    app.easy = key_of(5);
    assert_int_equal(pthread_create(&thread, NULL, churn, &app), 0);
    for (int i = 0; i < 50; i++) {
        pid_t pid = fork();
        int status = -1;

        if (pid == 0)
            _exit(child_works());
        assert_int_equal(waitpid(pid, &status, 0), pid);
        CHECK_INT("child", status, 0);
    }
    stop = true;
    pthread_join(thread, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_handle_finds_nothing_before_put),
        cmocka_unit_test(test_handle_finds_what_was_put),
        cmocka_unit_test(test_handle_takes_a_reused_address),
        cmocka_unit_test(test_handle_keeps_thousands),
        cmocka_unit_test(test_handle_is_right_under_64_threads),
        cmocka_unit_test(test_handle_moves_between_threads),
        cmocka_unit_test(test_handle_works_in_a_forked_child),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
