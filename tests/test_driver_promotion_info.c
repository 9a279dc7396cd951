/* SPDX-License-Identifier: MIT */
/* What libcurl says of a promoted call, and of its headers, is said of the body
 * that the application was given (P6). */
#include "promotion_play.h"

#include "engine/info.h"
#include "engine/promotion.h"

#include <stdlib.h>

static double asked_double(CURLINFO info)
{
    double value = 7;

    assert_int_equal(uns_info_get(bench.app, info, &value), CURLE_OK);
    return value;
}

static long long asked_number(CURLINFO info)
{
    curl_off_t value = 7;

    assert_int_equal(uns_info_get(bench.app, info, &value), CURLE_OK);
    return (long long)value;
}

static void test_promotion_answers_for_the_body(void **state)
{
    const char *type = NULL;
    struct curl_header *header = NULL;
    long long size = (long long)strlen(JSON("Tide"));

    (void)state;
    open_asking();
    BENCH_RUN(stalls, healthy);
    assert_int_equal(uns_info_get(bench.app, CURLINFO_CONTENT_TYPE, &type), 0);
    assert_string_equal(type, "application/json");
    CHECK_INT("length", asked_number(CURLINFO_CONTENT_LENGTH_DOWNLOAD_T), size);
    CHECK_INT("size", asked_number(CURLINFO_SIZE_DOWNLOAD_T), size);
    CHECK_INT("double", asked_double((CURLINFO)(CURLINFO_DOUBLE + 8)), size);
    CHECK_INT("double", asked_double((CURLINFO)(CURLINFO_DOUBLE + 15)), size);
    assert_int_equal(uns_info_header(bench.app, "Content-Length", 0,
                                     CURLH_HEADER, -1, &header),
                     CURLHE_OK);
    CHECK_INT("header", atoll(header->value), size);
    header = uns_info_nextheader(bench.app, CURLH_HEADER, -1, NULL);
    assert_string_equal(header->name, "content-length");
    assert_null(uns_info_nextheader(bench.app, CURLH_HEADER, -1, header));
    BENCH_RUN(cut, cut, cut, cut);
    CHECK_INT("none", asked_number(CURLINFO_CONTENT_LENGTH_DOWNLOAD_T), -1);
    CHECK_INT("none", asked_number(CURLINFO_SIZE_DOWNLOAD_T), 0);
    bench_close("info");
}

static void test_promotion_changes_what_headers_say(void **state)
{
    static char type[] = "Content-Type", coding[] = "Transfer-Encoding",
                other[] = "x-id", value[] = "v";
    /* libcurl sets a bit beside it, that nobody compares the whole. */
    struct curl_header header = {.value = value,
                                 .origin = CURLH_HEADER | 1u << 27};

    (void)state;
    open_asking();
    BENCH_RUN(healthy);
    header.name = type;
    assert_string_equal(uns_promotion_header(bench.app, &header)->value,
                        "application/json");
    header.name = other;
    assert_ptr_equal(uns_promotion_header(bench.app, &header), &header);
    header.name = coding;
    assert_null(uns_promotion_header(bench.app, &header));
    header.origin = CURLH_TRAILER;
    assert_ptr_equal(uns_promotion_header(bench.app, &header), &header);
    bench_close("headers");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_promotion_answers_for_the_body),
        cmocka_unit_test(test_promotion_changes_what_headers_say),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
