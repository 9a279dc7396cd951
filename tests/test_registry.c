/* SPDX-License-Identifier: MIT */
/* The registry.  Built with SANITIZE=thread, the last tests are
 * proofs that nothing races; built with HOSTILE=1, tables of two slots grow
 * at once. */
#include "check.h"
#include "shim/registry.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static struct uns_registry registry;

/* Keys look like heap blocks; the registry never follows one. */
static void *key_of(size_t i)
{
    return (void *)(uintptr_t)(0x55550000u + i * 16);
}

struct thing {
    void *key;
};

static struct thing *get(const void *key)
{
    return uns_registry_get(&registry, key);
}

static bool put(struct thing *thing)
{
    return uns_registry_put(&registry, thing->key, thing);
}

static struct thing *take(const void *key)
{
    return uns_registry_take(&registry, key);
}

static void test_registry_finds_nothing_before_put(void **state)
{
    (void)state;
    assert_null(get(NULL));
    assert_null(get(key_of(0)));
    assert_null(take(NULL));
    assert_null(take(key_of(0)));
}

static void test_registry_finds_what_was_put(void **state)
{
    static struct thing thing;

    (void)state;
    thing.key = key_of(1);
    assert_true(put(&thing));
    assert_ptr_equal(get(key_of(1)), &thing);
    assert_null(get(key_of(2)));
    assert_ptr_equal(take(key_of(1)), &thing);
    assert_null(get(key_of(1)));
    assert_null(take(key_of(1)));
}

/* libcurl gives the address of a cleaned-up handle out again. */
static void test_registry_takes_a_reused_address(void **state)
{
    static struct thing old, new;

    (void)state;
    old.key = new.key = key_of(3);
    for (int round = 0; round < 1000; round++) {
        assert_true(put(&old));
        assert_ptr_equal(take(key_of(3)), &old);
        assert_true(put(&new));
        assert_ptr_equal(get(key_of(3)), &new);
        assert_ptr_equal(take(key_of(3)), &new);
    }
}

/* One key may stand for different things in two of them. */
static void test_registry_keeps_to_itself(void **state)
{
    static struct uns_registry other;
    static struct thing ours, theirs;

    (void)state;
    ours.key = theirs.key = key_of(7);
    assert_true(put(&ours));
    assert_null(uns_registry_get(&other, key_of(7)));
    assert_true(uns_registry_put(&other, key_of(7), &theirs));
    assert_ptr_equal(get(key_of(7)), &ours);
    assert_ptr_equal(take(key_of(7)), &ours);
    assert_ptr_equal(uns_registry_take(&other, key_of(7)), &theirs);
}

static struct thing *new_things(size_t count, size_t first_key)
{
    struct thing *things = calloc(count, sizeof(*things));

    assert_non_null(things);
    for (size_t i = 0; i < count; i++)
        things[i].key = key_of(first_key + i);
    return things;
}

/* Half go, and the rest are found still; then as many others come. */
static void test_registry_keeps_thousands(void **state)
{
    enum {
        COUNT = 4096
    };
    struct thing *things = new_things(COUNT, 100);
    struct thing *late = new_things(COUNT, 100 + COUNT);

    (void)state;
    for (size_t i = 0; i < COUNT; i++)
        assert_true(put(&things[i]));
    for (size_t i = 0; i < COUNT; i += 2)
        assert_ptr_equal(take(things[i].key), &things[i]);
    for (size_t i = 0; i < COUNT; i++)
        assert_true(put(&late[i]));
    for (size_t i = 0; i < COUNT; i++) {
        assert_ptr_equal(get(things[i].key), i % 2 ? &things[i] : NULL);
        assert_ptr_equal(get(late[i].key), &late[i]);
    }
    for (size_t i = 0; i < COUNT; i++) {
        assert_ptr_equal(take(things[i].key), i % 2 ? &things[i] : NULL);
        assert_ptr_equal(take(late[i].key), &late[i]);
    }
    free(things);
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
    struct thing *things = calloc(KEYS, sizeof(*things));
    size_t wrong = things ? 0 : 1;

    for (int round = 0; things && round < ROUNDS; round++) {
        for (size_t i = 0; i < KEYS; i++) {
            things[i].key = key_of(first + i);
            wrong += !put(&things[i]);
        }
        for (size_t i = 0; i < KEYS; i++)
            wrong += get(things[i].key) != &things[i];
        for (size_t i = 0; i < KEYS; i++) {
            wrong += take(things[i].key) != &things[i];
            wrong += get(things[i].key) != NULL;
        }
    }
    free(things);
    return (void *)(uintptr_t)wrong;
}

static void test_registry_is_right_under_64_threads(void **state)
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
    struct thing *thing = arg;

    return take(thing->key) == thing ? thing : NULL;
}

/* A handle may be made by one thread and cleaned up by another. */
static void test_registry_moves_between_threads(void **state)
{
    static struct thing thing;
    pthread_t thread;
    void *result;

    (void)state;
    thing.key = key_of(4);
    assert_true(put(&thing));
    assert_int_equal(pthread_create(&thread, NULL, take_over, &thing), 0);
    assert_int_equal(pthread_join(thread, &result), 0);
    assert_ptr_equal(result, &thing);
    assert_null(get(thing.key));
}

static _Atomic bool stop;

static void *churn(void *arg)
{
    struct thing *thing = arg;

    while (!stop) {
        (void)put(thing);
        (void)take(thing->key);
    }
    return NULL;
}

static int child_works(void)
{
    static struct thing thing;

    thing.key = key_of(6);
    return put(&thing) && take(thing.key) == &thing ? 0 : 1;
}

/* A fork in the middle of another thread's put leaves the child nothing to
 * wait for. */
static void test_registry_works_in_a_forked_child(void **state)
{
    static struct thing thing;
    pthread_t thread;

    (void)state;
    thing.key = key_of(5);
    assert_int_equal(pthread_create(&thread, NULL, churn, &thing), 0);
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
        cmocka_unit_test(test_registry_finds_nothing_before_put),
        cmocka_unit_test(test_registry_finds_what_was_put),
        cmocka_unit_test(test_registry_takes_a_reused_address),
        cmocka_unit_test(test_registry_keeps_to_itself),
        cmocka_unit_test(test_registry_keeps_thousands),
        cmocka_unit_test(test_registry_is_right_under_64_threads),
        cmocka_unit_test(test_registry_moves_between_threads),
        cmocka_unit_test(test_registry_works_in_a_forked_child),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
