/* SPDX-License-Identifier: MIT */
/* The application's handles: each kind has its own records. */
#include "check.h"
#include "shim/handle.h"

static void *const address = (void *)(uintptr_t)0x55550010;

static void test_handle_knows_an_easy(void **state)
{
    static struct uns_app app;

    (void)state;
    app.easy = address;
    assert_null(uns_handle_get(address));
    assert_true(uns_handle_put(&app));
    assert_ptr_equal(uns_handle_get(address), &app);
    assert_ptr_equal(uns_handle_take(address), &app);
    assert_null(uns_handle_get(address));
}

static void test_handle_knows_a_multi(void **state)
{
    static struct uns_multi multi;

    (void)state;
    multi.multi = address;
    assert_null(uns_handle_get_multi(address));
    assert_true(uns_handle_put_multi(&multi));
    assert_ptr_equal(uns_handle_get_multi(address), &multi);
    assert_ptr_equal(uns_handle_take_multi(address), &multi);
    assert_null(uns_handle_get_multi(address));
}

/* An easy that was cleaned up unseen leaves its address to a multi. */
static void test_handle_takes_no_easy_for_a_multi(void **state)
{
    static struct uns_app app;
    static struct uns_multi multi;

    (void)state;
    app.easy = multi.multi = address;
    assert_true(uns_handle_put(&app));
    assert_null(uns_handle_get_multi(address));
    assert_null(uns_handle_take_multi(address));
    assert_true(uns_handle_put_multi(&multi));
    assert_ptr_equal(uns_handle_take(address), &app);
    assert_ptr_equal(uns_handle_take_multi(address), &multi);
}

static void test_handle_knows_no_null(void **state)
{
    (void)state;
    assert_null(uns_handle_get(NULL));
    assert_null(uns_handle_take(NULL));
    assert_null(uns_handle_get_multi(NULL));
    assert_null(uns_handle_take_multi(NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_handle_knows_an_easy),
        cmocka_unit_test(test_handle_knows_a_multi),
        cmocka_unit_test(test_handle_takes_no_easy_for_a_multi),
        cmocka_unit_test(test_handle_knows_no_null),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
