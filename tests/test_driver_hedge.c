/* SPDX-License-Identifier: MIT */
/* The driver's first deeds: who is sent when, who is heard, who goes. */
#include "bench.h"

#include "check.h"

static const struct fake_beat healthy[] = {
    HEAD(100, OK_HEAD),     BODY(200, ROLE), BODY(300, DELTA("Hel")),
    BODY(400, DELTA("lo")), BODY(500, STOP), BODY(500, DONE),
    END(600, CURLE_OK),
};
static const struct fake_beat silent[] = {SILENCE};

static void test_driver_sends_one_request_when_all_is_well(void **state)
{
    (void)state;
    bench_open();
    bench_sources(1);
    bench.policy.hedge.after =
        (struct uns_delay){.how = UNS_DELAY_FIXED, .fixed_ns = 3 * UNS_S};
    BENCH_RUN(healthy);
    assert_int_equal(bench.code, CURLE_OK);
    assert_true(bench.ours);
    CHECK_TEXT("body", bench.body, ROLE DELTA("Hel") DELTA("lo") STOP DONE);
    CHECK_TEXT("head", bench.head, OK_HEAD);
    CHECK_INT("requests", fake.requests, 1);
    CHECK_TEXT("outcome", bench.entry->call.outcome, "ok");
    bench_close("healthy");
}

static void test_driver_hedges(void **state)
{
    (void)state;
    bench_open();
    bench_sources(1);
    bench.policy.hedge.after =
        (struct uns_delay){.how = UNS_DELAY_FIXED, .fixed_ns = 3 * UNS_S};
    BENCH_RUN(silent, healthy);
    assert_int_equal(bench.code, CURLE_OK);
    CHECK_TEXT("body", bench.body, ROLE DELTA("Hel") DELTA("lo") STOP DONE);
    CHECK_INT("requests", fake.requests, 2);
    CHECK_INT("launched", fake.request[1]->start_ns,
              fake.request[0]->start_ns + 3 * UNS_S);
    CHECK_TEXT("outcome", bench.entry->call.outcome, "ok");
    bench_close("hedged");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_driver_sends_one_request_when_all_is_well),
        cmocka_unit_test(test_driver_hedges),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
