/* SPDX-License-Identifier: MIT */
/* Runs of bytes in memory that may fail. */
#include "check.h"
#include "core/heap.h"

#include <stdlib.h>

static int live;
static bool fails;

static void *resize(void *ctx, void *old, size_t size)
{
    (void)ctx;
    if (fails)
        return NULL;
    live += old == NULL;
    return realloc(old, size);
}

static void release(void *ctx, void *old)
{
    (void)ctx;
    live--;
    free(old);
}

static const struct uns_heap heap = {NULL, resize, release};

static void test_run_grows_and_drops(void **state)
{
    struct uns_run run = {0};

    (void)state;
    for (int i = 0; i < 1000; i++)
        assert_true(uns_run_add(&run, &heap, "0123456789", 10));
    assert_int_equal(run.len, 10000);
    uns_run_drop(&run, 9995);
    assert_int_equal(run.len, 5);
    assert_memory_equal(run.data, "56789", 5);
    uns_run_drop(&run, 5);
    assert_int_equal(run.len, 0);
    uns_run_free(&run, &heap);
    assert_null(run.data);
    assert_int_equal(live, 0);
}

static void test_run_needs_no_memory_for_nothing(void **state)
{
    struct uns_run run = {0};

    (void)state;
    assert_true(uns_run_add(&run, &heap, NULL, 0));
    assert_null(run.data);
    uns_run_drop(&run, 0);
    uns_run_free(&run, &heap);
    assert_int_equal(live, 0);
}

static void test_run_stays_as_it_is_without_memory(void **state)
{
    struct uns_run run = {0};
    char many[1000] = {0};

    (void)state;
    assert_true(uns_run_add(&run, &heap, "tide", 4));
    fails = true;
    assert_false(uns_run_add(&run, &heap, many, sizeof many));
    assert_true(uns_run_add(&run, &heap, "s", 1));
    fails = false;
    assert_int_equal(run.len, 5);
    assert_memory_equal(run.data, "tides", 5);
    assert_false(uns_run_add(&run, &heap, many, SIZE_MAX - 1));
    uns_run_free(&run, &heap);
    assert_int_equal(live, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_run_grows_and_drops),
        cmocka_unit_test(test_run_needs_no_memory_for_nothing),
        cmocka_unit_test(test_run_stays_as_it_is_without_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
