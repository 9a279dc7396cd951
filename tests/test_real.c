/* SPDX-License-Identifier: MIT */
/* Finding libcurl: this program is linked with one, and opens a second. */
#include "flavours.h"
#include "shim/real.h"

#include <errno.h>
#include <pthread.h>

#define CODE(function) ((const void *)(uintptr_t)(function))

static void test_real_finds_the_main_programs_libcurl(void **state)
{
    const struct uns_real *real = uns_real_find(CODE(uns_real_find));

    (void)state;
    assert_non_null(real);
    assert_true(real->complete);
    assert_ptr_equal(real->curl_easy_init, curl_easy_init);
#if LIBCURL_VERSION_NUM >= 0x075300
    assert_ptr_equal(real->curl_easy_header, curl_easy_header);
#endif
    assert_ptr_equal(real->curl_url_get, curl_url_get);
    /* made once */
    assert_ptr_equal(
        uns_real_find(CODE(test_real_finds_the_main_programs_libcurl)), real);
}

static void test_real_knows_libcurl_calling_itself(void **state)
{
    const struct uns_real *real = uns_real_find(CODE(uns_real_find));

    (void)state;
    assert_true(uns_real_inside(real, CODE(real->curl_easy_perform)));
    assert_false(uns_real_inside(real, CODE(uns_real_find)));
    assert_false(uns_real_inside(real, NULL));
    assert_ptr_equal(uns_real_find(CODE(real->curl_easy_perform)), real);
}

/* Code that was made at run time belongs to no object; with one libcurl in
 * the process there is no doubt. */
static void test_real_serves_a_caller_from_nowhere(void **state)
{
    static const char heap[16];

    (void)state;
    assert_ptr_equal(uns_real_find(heap), uns_real_find(CODE(uns_real_find)));
    assert_ptr_equal(uns_real_find(NULL), uns_real_find(CODE(uns_real_find)));
}

static void test_real_leaves_errno_and_dlerror(void **state)
{
    (void)state;
    (void)dlerror();
    errno = 1234;
    (void)uns_real_find(NULL);
    assert_int_equal(errno, 1234);
    assert_null(dlerror());
}

static void test_real_keeps_an_error_that_is_pending(void **state)
{
    const char *text;

    (void)state;
    assert_null(dlsym(RTLD_DEFAULT, "no_such_symbol"));
    (void)uns_real_find(NULL);
    text = dlerror();
    assert_non_null(text);
    assert_non_null(strstr(text, "no_such_symbol"));
    assert_null(dlerror());
}

static pthread_barrier_t start;

static void *ask_for(void *code)
{
    pthread_barrier_wait(&start);
    return (void *)(uintptr_t)uns_real_at(code);
}

/* Nobody has asked for this libcurl before. */
static void test_real_makes_one_table_for_all_threads(void **state)
{
    void *other = open_flavour(false);
    pthread_t threads[16];
    void *code;

    (void)state;
    if (!other)
        skip();
    code = dlsym(other, "curl_easy_init");
    pthread_barrier_init(&start, NULL, ROWS(threads));
    for (size_t i = 0; i < ROWS(threads); i++)
        assert_int_equal(pthread_create(&threads[i], NULL, ask_for, code), 0);
    for (size_t i = 0; i < ROWS(threads); i++) {
        void *found;

        pthread_join(threads[i], &found);
        assert_ptr_equal(found, uns_real_at(code));
    }
    pthread_barrier_destroy(&start);
    dlclose(other);
}

/* Two flavours at once: each caller gets its own, and closing the plugin's
 * does not take it from under a handle. */
static void test_real_tells_two_libcurls_apart(void **state)
{
    const struct uns_real *ours = uns_real_find(CODE(uns_real_find));
    void *other = open_flavour(false);
    const struct uns_real *theirs;
    const void *init;

    (void)state;
    if (!other)
        skip();
    init = dlsym(other, "curl_easy_init");
    theirs = uns_real_find(init);
    assert_non_null(theirs);
    assert_ptr_not_equal(theirs, ours);
    assert_ptr_equal(CODE(theirs->curl_easy_init), init);
    assert_true(uns_real_inside(theirs, CODE(theirs->curl_easy_perform)));
    dlclose(other);
    assert_non_null(theirs->curl_easy_strerror(CURLE_OK));
    assert_ptr_equal(uns_real_find(CODE(uns_real_find)), ours);
}

static void test_real_tells_whose_function_it_is(void **state)
{
    void *other = open_flavour(false);
    const struct uns_real *ours = uns_real_find(CODE(uns_real_find));

    (void)state;
    assert_ptr_equal(uns_real_at(CODE(curl_easy_init)), ours);
    assert_ptr_equal(uns_real_at(CODE(curl_multi_init)), ours);
    assert_null(uns_real_at(NULL));
    if (!other)
        skip();
    assert_ptr_equal(uns_real_at(dlsym(other, "curl_easy_init")),
                     uns_real_at(dlsym(other, "curl_multi_init")));
    assert_ptr_not_equal(uns_real_at(dlsym(other, "curl_easy_init")), ours);
    dlclose(other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_real_finds_the_main_programs_libcurl),
        cmocka_unit_test(test_real_knows_libcurl_calling_itself),
        cmocka_unit_test(test_real_serves_a_caller_from_nowhere),
        cmocka_unit_test(test_real_leaves_errno_and_dlerror),
        cmocka_unit_test(test_real_keeps_an_error_that_is_pending),
        cmocka_unit_test(test_real_makes_one_table_for_all_threads),
        cmocka_unit_test(test_real_tells_two_libcurls_apart),
        cmocka_unit_test(test_real_tells_whose_function_it_is),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
