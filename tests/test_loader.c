/* SPDX-License-Identifier: MIT */
/* The engine that is not there, or not wanted: beside this program, where the
 * loader looks for it, there is none. */
#include "check.h"
#include "shim/loader.h"

#include <dlfcn.h>
#include <errno.h>

static void test_loader_has_nothing_before_it_is_asked(void **state)
{
    (void)state;
    assert_null(uns_loader_peek());
}

static void test_loader_takes_no_for_an_answer(void **state)
{
    (void)state;
    (void)dlerror();
    errno = 1234;
    assert_null(uns_loader_open());
    assert_null(uns_loader_open());
    assert_null(uns_loader_peek());
    assert_int_equal(errno, 1234);
    assert_null(dlerror());
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_loader_has_nothing_before_it_is_asked),
        cmocka_unit_test(test_loader_takes_no_for_an_answer),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
