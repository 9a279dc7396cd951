/* SPDX-License-Identifier: MIT */
/* Origins that want no more requests for now get none (R10, R11), whoever was
 * told.  Each play is a call: the primary's, then the rival's. */
#include "bench.h"

#include "check.h"
#include "engine/pushback.h"

#include <stdio.h>

#define HI DELTA("Hi") STOP DONE

static const struct fake_beat silent[] = {SILENCE};
static const struct fake_beat healthy[] = {HEAD(10, OK_HEAD), BODY(20, HI),
                                           END(40, CURLE_OK)};
static const struct fake_beat late[] = {HEAD(9000, OK_HEAD), BODY(9000, HI),
                                        END(9000, CURLE_OK)};
static const struct fake_beat breaks[] = {END(10, CURLE_RECV_ERROR)};
static const struct fake_beat quota[] = {
    HEAD(10, "HTTP/1.1 429 No\r\n\r\n"),
    BODY(20, "{\"error\":\"insuffinsufficient_qu"), BODY(30, "ota\"}}"),
    END(40, CURLE_OK)};
static const struct fake_beat too_many[] = {HEAD(10, "HTTP/1.1 429 No\r\n\r\n"),
                                            BODY(20, "slow down"),
                                            END(40, CURLE_OK)};

/* The rival is the primary's own endpoint, if there are no sources. */
static void open_with(unsigned sources)
{
    bench_open();
    if (sources)
        bench_sources(sources);
    bench.policy.hedge.after =
        (struct uns_delay){.how = UNS_DELAY_FIXED, .fixed_ns = UNS_S};
    bench.policy.hedge.failover.status[429] = true;
    bench.policy.hedge.failover.status[503] = true;
}

/* The call's hedge_reason; the next call's plays begin anew. */
static const char *reason(void)
{
    fake.requests = 0;
    return bench.entry->call.hedge_reason;
}

/* A server's answer of one header block and, when it is a 200, a text. */
static const struct fake_beat *answer(const char *head)
{
    static struct fake_beat beats[3];
    bool ok = strncmp(head, "HTTP/1.1 200", 12) == 0;

    beats[0] = (struct fake_beat)HEAD(10, head);
    beats[1] = (struct fake_beat)BODY(20, ok ? HI : "{}");
    beats[2] = (struct fake_beat)END(40, CURLE_OK);
    return beats;
}

#define SSE  "content-type: text/event-stream\r\n"
#define LEFT "x-ratelimit-remaining-requests: "
#define MOST "x-ratelimit-limit-requests: "

struct row {
    const char *name;
    const char *head; /* of the first call's answer */
    int then_ms;      /* and how much later the second call begins */
    const char *reason;
};

/* One call is answered so; is the next one, which is silent, hedged? */
static const struct row hedges[] = {
    {"nothing said", "HTTP/1.1 200 OK\r\n" SSE "\r\n", 0, "first_token"},
    {"none left", "HTTP/1.1 200 OK\r\n" SSE LEFT "0\r\n\r\n", 0, "pushback"},
    {"for a minute", "HTTP/1.1 200 OK\r\n" SSE LEFT "0\r\n\r\n", 58000,
     "pushback"},
    {"then again", "HTTP/1.1 200 OK\r\n" SSE LEFT "0\r\n\r\n", 61000,
     "first_token"},
    {"as it says",
     "HTTP/1.1 200 OK\r\n" SSE LEFT
     "0\r\nx-ratelimit-reset-requests: 5s\r\n\r\n",
     3000, "pushback"},
    {"and no longer",
     "HTTP/1.1 200 OK\r\n" SSE LEFT
     "0\r\nx-ratelimit-reset-requests: 5s\r\n\r\n",
     6000, "first_token"},
    {"below the share",
     "HTTP/1.1 200 OK\r\n" SSE LEFT "24\r\n" MOST "500\r\n\r\n", 0, "pushback"},
    {"not below it", "HTTP/1.1 200 OK\r\n" SSE LEFT "25\r\n" MOST "500\r\n\r\n",
     0, "first_token"},
    {"one of a few", "HTTP/1.1 200 OK\r\n" SSE LEFT "1\r\n" MOST "5\r\n\r\n", 0,
     "first_token"},
    {"one of unknown", "HTTP/1.1 200 OK\r\n" SSE LEFT "1\r\n\r\n", 0,
     "first_token"},
    {"anthropic",
     "HTTP/1.1 200 OK\r\n" SSE
     "anthropic-ratelimit-requests-remaining: 0\r\n\r\n",
     0, "pushback"},
    {"retry-after", "HTTP/1.1 429 No\r\nRetry-After: 30\r\n\r\n", 28000,
     "pushback"},
    {"it is over", "HTTP/1.1 429 No\r\nRetry-After: 30\r\n\r\n", 31000,
     "first_token"},
    {"in milliseconds", "HTTP/1.1 503 No\r\nretry-after-ms: 1500\r\n\r\n", 0,
     "pushback"},
    {"of a refusal", "HTTP/1.1 400 No\r\nRetry-After: 30\r\n\r\n", 0,
     "pushback"},
    {"not of a success", "HTTP/1.1 200 OK\r\n" SSE "Retry-After: 30\r\n\r\n", 0,
     "first_token"},
    {"no more than a day", "HTTP/1.1 503 No\r\nRetry-After: 999999999\r\n\r\n",
     86400000, "first_token"},
};

static void test_pushback_keeps_hedges_away(void **state)
{
    (void)state;
    for (size_t i = 0; i < ROWS(hedges); i++) {
        open_with(0);
        BENCH_RUN(answer(hedges[i].head));
        fake.requests = 0;
        fake_pass_ms(hedges[i].then_ms);
        BENCH_RUN(late, healthy);
        CHECK_TEXT(hedges[i].name, reason(), hedges[i].reason);
        bench_close(hedges[i].name);
    }
}

/* A failed call may move to an origin that has few requests left, but not to
 * one that has said no. */
static void test_pushback_lets_failures_move(void **state)
{
    static const struct row rows[] = {
        {"few left", "HTTP/1.1 200 OK\r\n" SSE LEFT "0\r\n\r\n", 0, "failure"},
        {"it said no", "HTTP/1.1 503 No\r\nRetry-After: 9\r\n\r\n", 0,
         "pushback"},
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        open_with(1);
        BENCH_RUN(late, answer(rows[i].head));
        fake.requests = 0;
        BENCH_RUN(breaks, healthy);
        CHECK_TEXT(rows[i].name, reason(), rows[i].reason);
        bench_close(rows[i].name);
    }
}

/* And a hedge goes to the source that has not. */
static void test_pushback_is_of_one_origin(void **state)
{
    const char *url;

    (void)state;
    open_with(2);
    bench.policy.hedge.max_attempts = 3;
    BENCH_RUN(late, answer("HTTP/1.1 503 No\r\nRetry-After: 99\r\n\r\n"),
              healthy);
    fake.requests = 0;
    BENCH_RUN(late, healthy);
    url = fake_opt(fake.request[1], CURLOPT_URL)->text;
    assert_non_null(strstr(url, "two.example"));
    bench_close("the other source");
}

/* Over 120 s: out of the call, however long that lasts.  The one that said so
 * would be the next again 150 s later. */
static void test_pushback_can_last_for_the_call(void **state)
{
    static const struct fake_beat very_late[] = {
        HEAD(400000, OK_HEAD), BODY(400000, HI), END(400000, CURLE_OK)};
    static const struct row rows[] = {
        {"119 s", "HTTP/1.1 503 No\r\nRetry-After: 119\r\n\r\n", 0, "one"},
        {"121 s", "HTTP/1.1 503 No\r\nRetry-After: 121\r\n\r\n", 0, "two"},
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        open_with(2);
        bench.policy.hedge.max_attempts = 4;
        bench.policy.hedge.after.fixed_ns = 150 * UNS_S;
        BENCH_RUN(very_late, answer(rows[i].head), silent, silent);
        CHECK_INT(rows[i].name, fake.requests, 4);
        assert_non_null(strstr(fake_opt(fake.request[3], CURLOPT_URL)->text,
                               rows[i].reason));
        bench_close(rows[i].name);
    }
}

/* Waiting does not fill a quota; an answer shows that somebody has. */
static void test_pushback_knows_a_quota_from_a_limit(void **state)
{
    (void)state;
    open_with(0);
    BENCH_RUN(too_many);
    fake.requests = 0;
    BENCH_RUN(late, healthy);
    CHECK_TEXT("a limit", reason(), "first_token");
    BENCH_RUN(quota);
    fake_pass_ms(1000000000);
    fake.requests = 0;
    BENCH_RUN(late, healthy);
    CHECK_TEXT("a quota", reason(), "pushback");
    BENCH_RUN(late, healthy);
    CHECK_TEXT("it answers", reason(), "first_token");
    bench_close("quota");
}

/* Only the last answer says how many are left. */
static void test_pushback_is_lifted_by_better_news(void **state)
{
    (void)state;
    open_with(0);
    BENCH_RUN(answer("HTTP/1.1 200 OK\r\n" SSE LEFT "0\r\n\r\n"));
    fake.requests = 0;
    BENCH_RUN(
        answer("HTTP/1.1 200 OK\r\n" SSE LEFT "90\r\n" MOST "100\r\n\r\n"));
    fake.requests = 0;
    BENCH_RUN(late, healthy);
    CHECK_TEXT("better", reason(), "first_token");
    bench_close("lifted");
}

/* More origins than there is room for: none is forgotten while it counts. */
static void test_pushback_has_room_for_sixty_four(void **state)
{
    char base[100][40];
    unsigned blocked = 0;
    struct uns_call call = {0};
    struct uns_source source = {.name = "s"};
    struct uns_attempt attempt = {.call = &call, .source = &source};

    (void)state;
    uns_pushback_forget();
    for (int round = 0; round < 2; round++)
        for (int i = 0; i < 100; i++) {
            sprintf(base[i], "https://h%d-%d.example/v1", round, i);
            source.base_url = base[i];
            attempt.head = (struct uns_head){
                .status = 503, .retry_ns = 10 * UNS_S, .left = UNS_NULL};
            uns_pushback_note(&attempt, round * 20 * UNS_S);
            blocked += uns_pushback_blocks(&call, &source, UNS_WHY_FAILURE,
                                           round * 20 * UNS_S + UNS_S);
        }
    CHECK_INT("in both rounds", blocked, 2 * 64);
    uns_pushback_forget();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pushback_keeps_hedges_away),
        cmocka_unit_test(test_pushback_lets_failures_move),
        cmocka_unit_test(test_pushback_is_of_one_origin),
        cmocka_unit_test(test_pushback_can_last_for_the_call),
        cmocka_unit_test(test_pushback_knows_a_quota_from_a_limit),
        cmocka_unit_test(test_pushback_is_lifted_by_better_news),
        cmocka_unit_test(test_pushback_has_room_for_sixty_four),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
