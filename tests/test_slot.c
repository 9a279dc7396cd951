/* SPDX-License-Identifier: MIT */
/* Stubs.  Those of this program jump to the libcurl it is linked with. */
#include "check.h"
#include "shim/caller.h"

#include <string.h>

static struct uns_real libcurls[UNS_SLOTS + 1];

static void test_slot_serves_what_is_exported(void **state)
{
    static const struct {
        const char *name;
        bool want;
    } rows[] = {
        {"curl_easy_init", true},
        {"curl_easy_cleanup", true},
        {"curl_multi_waitfds", true},
        {"curl_easy_strerror", false},
        {"curl_easy_ini", false},
        {"curl_easy_init2", false},
        {"curl_", false},
        {"curl", false},
        {"", false},
        {"dlsym", false},
        {"xcurl_easy_init", false},
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++)
        CHECK_INT(rows[i].name, uns_slot_serves(rows[i].name), rows[i].want);
}

static void test_slot_stubs_differ_by_libcurl_and_name(void **state)
{
    const void *init = uns_slot_stub(&libcurls[0], "curl_easy_init");

    (void)state;
    assert_non_null(init);
    assert_ptr_equal(uns_slot_stub(&libcurls[0], "curl_easy_init"), init);
    assert_ptr_not_equal(uns_slot_stub(&libcurls[1], "curl_easy_init"), init);
    assert_ptr_not_equal(uns_slot_stub(&libcurls[0], "curl_multi_init"), init);
    assert_null(uns_slot_stub(&libcurls[0], "curl_easy_strerror"));
}

static void *stub(size_t libcurl, const char *name)
{
    return uns_slot_stub(&libcurls[libcurl], name);
}

/* The function is the right one, with its arguments, and learns of its slot
 * once. */
static void test_slot_stub_tells_its_libcurl(void **state)
{
    CURL *(*init)(void) =
        (CURL * (*)(void))(uintptr_t)stub(1, "curl_easy_init");
    CURLcode (*set)(CURL *, CURLoption, ...) = (CURLcode(*)(
        CURL *, CURLoption, ...))(uintptr_t)stub(0, "curl_easy_setopt");
    CURLcode (*get)(CURL *, CURLINFO, ...) = (CURLcode(*)(
        CURL *, CURLINFO, ...))(uintptr_t)stub(1, "curl_easy_getinfo");
    int target = 0;
    char *kept = NULL;
    CURL *easy;

    (void)state;
    assert_null(uns_caller_enter(NULL).bound);
    easy = init();
    assert_non_null(easy);
    assert_ptr_equal(uns_caller_enter(NULL).bound, &libcurls[1]);
    assert_null(uns_caller_enter(NULL).bound);
    assert_int_equal(set(easy, CURLOPT_PRIVATE, &target), CURLE_OK);
    assert_ptr_equal(uns_caller_enter(NULL).bound, &libcurls[0]);
    assert_int_equal(get(easy, CURLINFO_PRIVATE, &kept), CURLE_OK);
    assert_ptr_equal(kept, &target);
    assert_ptr_equal(uns_caller_enter(NULL).bound, &libcurls[1]);
    curl_easy_cleanup(easy);
}

static void test_slot_bound_goes_before_the_caller(void **state)
{
    struct uns_caller nowhere = {NULL, &libcurls[1]};

    (void)state;
    assert_ptr_equal(uns_caller_real(nowhere), &libcurls[1]);
    nowhere.bound = NULL;
    assert_ptr_equal(uns_caller_real(nowhere), uns_real_find(NULL));
}

static void test_slot_leaves_the_ninth_libcurl_alone(void **state)
{
    (void)state;
    for (size_t i = 0; i < UNS_SLOTS; i++)
        assert_non_null(stub(i, "curl_easy_perform"));
    assert_null(stub(UNS_SLOTS, "curl_easy_perform"));
    assert_non_null(stub(UNS_SLOTS - 1, "curl_easy_perform"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_slot_serves_what_is_exported),
        cmocka_unit_test(test_slot_stubs_differ_by_libcurl_and_name),
        cmocka_unit_test(test_slot_stub_tells_its_libcurl),
        cmocka_unit_test(test_slot_bound_goes_before_the_caller),
        cmocka_unit_test(test_slot_leaves_the_ninth_libcurl_alone),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
