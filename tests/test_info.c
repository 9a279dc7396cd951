/* SPDX-License-Identifier: MIT */
/* getinfo and headers: of whoever answers, timed from the application's
 * call. */
#include "bench.h"

#include "check.h"
#include "engine/easy.h"
#include "engine/grip.h"
#include "engine/info.h"
#include "engine/keep.h"

#include <math.h>

static const struct fake_beat silent[] = {SILENCE};
static const struct fake_beat healthy[] = {
    HEAD(100, OK_HEAD), BODY(300, DELTA("Hi")), BODY(500, STOP),
    BODY(500, DONE),    END(600, CURLE_OK),
};

/* What the rival's handle says of itself. */
static const struct fake_info rivals_own[] = {
    {CURLINFO_TOTAL_TIME, {.d = 0.6}},
    {CURLINFO_TOTAL_TIME_T, {.o = 600000}},
    {CURLINFO_STARTTRANSFER_TIME, {.d = 0.1}},
    {CURLINFO_STARTTRANSFER_TIME_T, {.o = 100000}},
    {CURLINFO_APPCONNECT_TIME, {.d = 0}},
    {CURLINFO_APPCONNECT_TIME_T, {.o = 0}},
    {CURLINFO_SIZE_DOWNLOAD_T, {.o = 7200}},
    {CURLINFO_SPEED_DOWNLOAD, {.d = 12000}},
    {CURLINFO_SPEED_DOWNLOAD_T, {.o = 12000}},
    {0, {.l = 0}},
};

static void open_hedged(void)
{
    bench_open();
    bench_sources(1);
    bench.policy.hedge.after =
        (struct uns_delay){.how = UNS_DELAY_FIXED, .fixed_ns = 3 * UNS_S};
    bench_set(CURLOPT_PRIVATE, "app-private");
    fake.infos[1] = rivals_own;
}

static double real_of(CURLINFO info)
{
    double value = -1;

    assert_int_equal(uns_info_get(bench.app, info, &value), CURLE_OK);
    return value;
}

static curl_off_t whole_of(CURLINFO info)
{
    curl_off_t value = -1;

    assert_int_equal(uns_info_get(bench.app, info, &value), CURLE_OK);
    return value;
}

static void check_real(const char *row, double got, double wanted)
{
    if (fabs(got - wanted) > 1e-9)
        fail_msg("%s is %f, not %f", row, got, wanted);
}

/* The rival began 3 s after the call. */
static void check_all(void)
{
    char *private = NULL;
    long status = 0;

    check_real("total", real_of(CURLINFO_TOTAL_TIME), 3.6);
    CHECK_INT("total", whole_of(CURLINFO_TOTAL_TIME_T), 3600000);
    check_real("first byte", real_of(CURLINFO_STARTTRANSFER_TIME), 3.1);
    CHECK_INT("first byte", whole_of(CURLINFO_STARTTRANSFER_TIME_T), 3100000);
    check_real("no TLS", real_of(CURLINFO_APPCONNECT_TIME), 0);
    CHECK_INT("no TLS", whole_of(CURLINFO_APPCONNECT_TIME_T), 0);
    check_real("speed", real_of(CURLINFO_SPEED_DOWNLOAD), 2000);
    CHECK_INT("speed", whole_of(CURLINFO_SPEED_DOWNLOAD_T), 2000);
    CHECK_INT("size", whole_of(CURLINFO_SIZE_DOWNLOAD_T), 7200);
    uns_info_get(bench.app, CURLINFO_RESPONSE_CODE, &status);
    CHECK_INT("status", status, 200);
    uns_info_get(bench.app, CURLINFO_PRIVATE, &private);
    CHECK_TEXT("private", private, "app-private");
}

static void test_info_counts_from_the_applications_call(void **state)
{
    (void)state;
    open_hedged();
    BENCH_RUN(silent, healthy);
    check_all();
    bench_close("after");
}

static size_t ask_inside(enum uns_piece_kind kind, const char *bytes,
                         size_t len)
{
    (void)bytes;
    if (kind == UNS_PIECE_BODY)
        check_all();
    return len;
}

/* curl(1) asks inside its callbacks. */
static void test_info_answers_inside_callbacks(void **state)
{
    (void)state;
    open_hedged();
    bench.taker = ask_inside;
    BENCH_RUN(silent, healthy);
    assert_true(bench.body[0]);
    bench_close("inside");
}

static const struct fake_easy *asked_for_header(void)
{
    struct curl_header *header;

    fake.header_asked = NULL;
    uns_info_header(bench.app, "content-type", 0, CURLH_HEADER, -1, &header);
    assert_non_null(fake.header_asked);
    uns_info_nextheader(bench.app, CURLH_HEADER, -1, NULL);
    return fake.header_asked;
}

static void test_info_headers_are_of_whoever_answers(void **state)
{
    (void)state;
    for (int rival = 0; rival < 2; rival++) {
        open_hedged();
        BENCH_RUN(rival ? silent : healthy, healthy);
        assert_ptr_equal(asked_for_header(), fake.request[rival]);
        bench_close("headers");
    }
}

/* The application's own handle, when it answered or before any call. */
static void test_info_passes_to_the_own_handle(void **state)
{
    (void)state;
    open_hedged();
    fake.infos[0] = rivals_own;
    check_real("before", real_of(CURLINFO_TOTAL_TIME), 0);
    BENCH_RUN(healthy, silent);
    check_real("total", real_of(CURLINFO_TOTAL_TIME), 0.6);
    CHECK_INT("speed", whole_of(CURLINFO_SPEED_DOWNLOAD_T), 12000);
    bench_close("own");
}

/* A released handle, and the next call, know nothing of the last rival. */
static void test_info_forgets_the_rival(void **state)
{
    (void)state;
    open_hedged();
    BENCH_RUN(silent, healthy);
    assert_ptr_equal(asked_for_header(), fake.request[1]);
    uns_grip_release(bench.app, false);
    assert_ptr_equal(asked_for_header(), fake.request[0]);
    CHECK_INT("freed", fake.request[1]->cleaned, true);
    bench_close("released");

    open_hedged();
    BENCH_RUN(silent, healthy);
    BENCH_RUN(silent, silent, healthy);
    CHECK_INT("freed", fake.request[1]->cleaned, true);
    assert_ptr_equal(asked_for_header(), fake.request[2]);
    bench_close("next call");
}

/* P3: a key is not kept longer than its request lives. */
static void test_info_keeps_no_key(void **state)
{
    (void)state;
    open_hedged();
    BENCH_RUN(silent, healthy);
    assert_null(fake_opt(fake.request[1], CURLOPT_HTTPHEADER)->value.p);
    bench_close("key");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_info_counts_from_the_applications_call),
        cmocka_unit_test(test_info_answers_inside_callbacks),
        cmocka_unit_test(test_info_headers_are_of_whoever_answers),
        cmocka_unit_test(test_info_passes_to_the_own_handle),
        cmocka_unit_test(test_info_forgets_the_rival),
        cmocka_unit_test(test_info_keeps_no_key),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
