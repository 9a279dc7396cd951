/* SPDX-License-Identifier: MIT */
/* The loader's functions: this program stands in front of none of them. */
#include "check.h"
#include "shim/dl.h"

static void test_dl_finds_the_real_functions(void **state)
{
    (void)state;
    assert_true(uns_dl_works());
    assert_ptr_equal(uns_dl_open(), dlopen);
    assert_ptr_equal(uns_dl_sym(), dlsym);
    assert_ptr_equal(uns_dl_sym(), dlsym);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_dl_finds_the_real_functions),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
