/* SPDX-License-Identifier: MIT */
/* R10 on the driver: the application's own endpoint is asked again after the
 * pause that it asked for, or the next source at once. */
#include "bench.h"

#include "check.h"

#include <stdio.h>
#include <stdlib.h>

#define BUSY(code, field) "HTTP/1.1 " code " No\r\n" field "\r\n"

static const struct fake_beat silent[] = {SILENCE};
static const struct fake_beat healthy[] = {
    HEAD(10, OK_HEAD), BODY(20, DELTA("Hi") STOP DONE), END(40, CURLE_OK)};

/* Refuses after 10 ms. */
#define REFUSES(name, head, body)            \
    static const struct fake_beat name[] = { \
        HEAD(10, head),                      \
        BODY(10, body),                      \
        END(20, CURLE_OK),                   \
    }

REFUSES(busy, BUSY("503", ""), "busy");
REFUSES(pushes, BUSY("429", "retry-after: 1\r\n"), "slow down");
REFUSES(pushes_ms, BUSY("429", "retry-after-ms: 250\r\n"), "slow down");
REFUSES(pushes_long, BUSY("429", "retry-after: 30\r\n"), "slow down");
REFUSES(forbids, BUSY("503", "x-should-retry: false\r\n"), "busy");
REFUSES(broke, BUSY("429", ""), "{\"code\":\"insufficient_quota\"}");
REFUSES(unknown, BUSY("400", ""), "{\"code\":\"context_length_exceeded\"}");
REFUSES(unlisted, BUSY("401", ""), "who are you?");

static void open_with(unsigned sources, uint8_t retries)
{
    bench_open();
    bench_sources(sources);
    bench.policy.hedge.max_attempts = 4;
    bench.policy.hedge.failover.status[429] = true;
    bench.policy.hedge.failover.status[503] = true;
    bench.policy.hedge.failover.code[0] = "context_length_exceeded";
    bench.policy.retry =
        (struct uns_retry){.max = retries, .backoff_ns = 800 * UNS_MS};
}

/* Who was asked: 'a' is the application's own endpoint. */
static const char *asked(void)
{
    static char hosts[FAKE_EASIES + 1];

    for (unsigned i = 0; i < fake.requests; i++) {
        const char *url = fake_opt(fake.request[i], CURLOPT_URL)->text;

        hosts[i] = strstr(url, "app.example") ? 'a' : url[strlen("https://")];
    }
    hosts[fake.requests] = '\0';
    return hosts;
}

static int64_t sent_ms(unsigned i)
{
    return bench.entry->attempt[i].started_ms;
}

struct row {
    const char *name;
    unsigned sources;
    uint8_t retries;
    const struct fake_beat *plays[4];
    const char *asked, *reason, *outcome;
    int from_ms, to_ms; /* when the second request was sent */
};

static void run(const struct row *row)
{
    size_t count = 0;

    while (count < ROWS(row->plays) && row->plays[count])
        count++;
    bench_run(row->plays, count);
    CHECK_TEXT(row->name, asked(), row->asked);
    CHECK_TEXT(row->name, bench.entry->call.hedge_reason, row->reason);
    CHECK_TEXT(row->name, bench.entry->call.outcome, row->outcome);
    if (fake.requests < 2)
        return;
    CHECK_INT(row->name, sent_ms(1) >= row->from_ms, true);
    CHECK_INT(row->name, sent_ms(1) <= row->to_ms, true);
}

static void test_retry_waits_as_long_as_the_server_asks(void **state)
{
    /* clang-format off */
    static const struct row rows[] = {
        {"backoff, half to whole", 1, 1, {busy, healthy}, "aa", "retry", "ok",
         410, 811},
        {"Retry-After", 1, 1, {pushes, healthy}, "aa", "retry", "ok",
         1010, 1011},
        {"in milliseconds", 1, 1, {pushes_ms, healthy}, "aa", "retry", "ok",
         260, 261},
        {"without another source", 0, 1, {busy, healthy}, "aa", "retry", "ok",
         410, 811},
        {"then elsewhere", 1, 1, {busy, busy, healthy}, "aao", "retry", "ok",
         410, 811},
        {"twice", 1, 2, {pushes_ms, pushes_ms, healthy}, "aaa", "retry", "ok",
         260, 261},
    };
    /* clang-format on */

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        open_with(rows[i].sources, rows[i].retries);
        run(&rows[i]);
        bench_close(rows[i].name);
    }
}

static void test_retry_leaves_it_where_waiting_is_no_use(void **state)
{
    /* clang-format off */
    static const struct row rows[] = {
        {"off", 1, 0, {busy, healthy}, "ao", "failure", "ok", 10, 10},
        {"too long", 1, 1, {pushes_long, healthy}, "ao", "failure", "ok",
         10, 10},
        {"too long, nobody else", 0, 1, {pushes_long}, "a",
         "same_origin_failed", "failed", 0, 0},
        {"forbidden", 1, 1, {forbids, healthy}, "ao", "failure", "ok",
         10, 10},
        {"the quota is used up", 1, 1, {broke, healthy}, "ao", "failure", "ok",
         10, 10},
        {"a code of the body", 1, 1, {unknown, healthy}, "ao", "failure",
         "ok", 20, 20},
        {"a refusal", 1, 1, {unlisted}, "a", "", "refused", 0, 0},
    };
    /* clang-format on */

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        open_with(rows[i].sources, rows[i].retries);
        run(&rows[i]);
        bench_close(rows[i].name);
    }
}

/* The second wait is up to twice the first one. */
static void test_retry_doubles_the_backoff(void **state)
{
    int64_t waited;

    (void)state;
    open_with(0, 2);
    BENCH_RUN(busy, busy, healthy);
    waited = sent_ms(2) - sent_ms(1) - 10;
    CHECK_INT("at least half", waited >= 800, true);
    CHECK_INT("at most the whole", waited <= 1601, true);
    bench_close("doubled");
}

/* R11, P5: each costs a token, and none is sent without one. */
static void test_retry_costs_a_token(void **state)
{
    (void)state;
    open_with(1, 2);
    BENCH_RUN(pushes_ms, pushes_ms, healthy);
    CHECK_INT("tokens", bench.taken, 2);
    bench_close("tokens");
    open_with(1, 2);
    bench.broke = "budget_exhausted";
    BENCH_RUN(pushes_ms, healthy);
    CHECK_TEXT("elsewhere, which is free", asked(), "ao");
    CHECK_INT("after the wait", sent_ms(1) >= 260, true);
    bench_close("broke");
    open_with(1, 2);
    bench.policy.hedge.max_attempts = 2;
    BENCH_RUN(busy, busy);
    CHECK_TEXT("max_attempts", asked(), "aa");
    CHECK_TEXT("its own answer (R7)", bench.body, "busy");
    bench_close("attempts");
}

/* A pushback of this very process is minded, whoever got it. */
static void test_retry_minds_the_pushback_of_others(void **state)
{
    (void)state;
    open_with(1, 1);
    BENCH_RUN(pushes_long, healthy);
    BENCH_RUN(pushes_long, healthy, busy, healthy);
    CHECK_TEXT("asked", asked(), "aoao");
    bench_close("others");
}

/* The next source has its time, whatever the retry waits for. */
static void test_retry_does_not_delay_the_next_source(void **state)
{
    (void)state;
    open_with(1, 1);
    bench.policy.hedge.after =
        (struct uns_delay){.how = UNS_DELAY_FIXED, .fixed_ns = 1005 * UNS_MS};
    BENCH_RUN(pushes, healthy);
    CHECK_TEXT("asked", asked(), "ao");
    CHECK_TEXT("why", bench.entry->call.hedge_reason, "first_token");
    bench_close("next");
}

/* What the application tries again by itself is not multiplied. */
static void test_retry_leaves_repetitions_to_the_application(void **state)
{
    static const struct {
        const char *name, *header, *asked;
    } rows[] = {
        {"first try", "x-stainless-retry-count: 0", "aa"},
        {"second try", "X-Stainless-Retry-Count: 1", "ao"},
        {"no number", "x-stainless-retry-count: once", "aa"},
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        open_with(1, 1);
        bench_headers(&rows[i].header, 1);
        BENCH_RUN(busy, healthy);
        CHECK_TEXT(rows[i].name, asked(), rows[i].asked);
        bench_close(rows[i].name);
    }
}

/* As curl --retry does it: the same request, after a failure. */
static void test_retry_knows_a_repeated_request(void **state)
{
    (void)state;
    open_with(0, 1);
    BENCH_RUN(busy, busy);
    CHECK_TEXT("the first time", asked(), "aa");
    BENCH_RUN(busy, busy, busy);
    CHECK_TEXT("the second", asked(), "aaa");
    bench_set(CURLOPT_POSTFIELDS,
              "{\"model\":\"m\",\"stream\":true,\"messages\":[1]}");
    BENCH_RUN(busy, busy, busy, busy, healthy);
    CHECK_TEXT("another request", asked(), "aaaaa");
    bench_close("repeated");
}

/* Not for ever, and not once it was answered. */
static void test_retry_forgets_a_failure(void **state)
{
    (void)state;
    open_with(0, 1);
    BENCH_RUN(busy, busy);
    fake_pass_ms(119000);
    BENCH_RUN(busy, busy, busy);
    CHECK_TEXT("remembered", asked(), "aaa");
    fake_pass_ms(121000);
    BENCH_RUN(busy, busy, busy, busy, healthy);
    CHECK_TEXT("forgotten", asked(), "aaaaa");
    BENCH_RUN(busy, busy, busy, busy, healthy, busy, healthy);
    CHECK_TEXT("answered", asked(), "aaaaaaa");
    bench_close("forgets");
}

/* More failures than there is room for: the oldest is forgotten. */
static void test_retry_remembers_the_latest_failures(void **state)
{
    char body[64];

    (void)state;
    open_with(0, 1);
    bench.policy.hedge.max_attempts = 1;
    for (unsigned i = 0; i < 17; i++) {
        fake.requests = 0;
        snprintf(body, sizeof body, "{\"stream\":true,\"messages\":[%u]}", i);
        bench_set(CURLOPT_POSTFIELDS, body);
        BENCH_RUN(busy);
        fake_pass_ms(10);
    }
    bench.policy.hedge.max_attempts = 2;
    fake.requests = 0;
    BENCH_RUN(busy);
    CHECK_TEXT("the latest", asked(), "a");
    bench_set(CURLOPT_POSTFIELDS, "{\"stream\":true,\"messages\":[0]}");
    fake.requests = 0;
    BENCH_RUN(busy, healthy);
    CHECK_TEXT("the oldest", asked(), "aa");
    bench_close("latest");
}

static int stop(void *arg, curl_off_t a, curl_off_t b, curl_off_t c,
                curl_off_t d)
{
    (void)arg;
    (void)a;
    (void)b;
    (void)c;
    (void)d;
    bench.progress_calls++;
    return 1;
}

/* P6: while nothing is in flight its progress callback is called all the
 * same, and can end the call. */
static void test_retry_wait_can_be_aborted(void **state)
{
    (void)state;
    open_with(0, 1);
    bench_set(CURLOPT_XFERINFOFUNCTION, stop);
    bench_set(CURLOPT_NOPROGRESS, 0L);
    BENCH_RUN(pushes, silent);
    CHECK_TEXT("asked", asked(), "a");
    CHECK_INT("code", bench.code, CURLE_ABORTED_BY_CALLBACK);
    CHECK_TEXT("outcome", bench.entry->call.outcome, "aborted");
    CHECK_INT("once", bench.progress_calls, 1);
    bench_close("aborted");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_retry_waits_as_long_as_the_server_asks),
        cmocka_unit_test(test_retry_leaves_it_where_waiting_is_no_use),
        cmocka_unit_test(test_retry_doubles_the_backoff),
        cmocka_unit_test(test_retry_costs_a_token),
        cmocka_unit_test(test_retry_minds_the_pushback_of_others),
        cmocka_unit_test(test_retry_does_not_delay_the_next_source),
        cmocka_unit_test(test_retry_leaves_repetitions_to_the_application),
        cmocka_unit_test(test_retry_knows_a_repeated_request),
        cmocka_unit_test(test_retry_forgets_a_failure),
        cmocka_unit_test(test_retry_remembers_the_latest_failures),
        cmocka_unit_test(test_retry_wait_can_be_aborted),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
