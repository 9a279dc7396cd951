/* SPDX-License-Identifier: MIT */
/* Where a request may go: every one beyond the application's passes here. */
#include "bench.h"

#include "check.h"

#include <stdio.h>
#include <stdlib.h>

static const struct fake_beat silent[] = {SILENCE};
static const struct fake_beat refuses[] = {
    HEAD(10, "HTTP/1.1 503 Service Unavailable\r\n\r\n"),
    END(20, CURLE_OK),
};
static const struct fake_beat breaks[] = {END(10, CURLE_RECV_ERROR)};
static const struct fake_beat late[] = {
    HEAD(9000, OK_HEAD),
    BODY(9000, DELTA("Hi")),
    BODY(9000, DONE),
    END(9000, CURLE_OK),
};

static void open_with(unsigned sources, uint8_t attempts)
{
    bench_open();
    bench_sources(sources);
    bench.policy.hedge.max_attempts = attempts;
    bench.policy.hedge.after =
        (struct uns_delay){.how = UNS_DELAY_FIXED, .fixed_ns = UNS_S};
    bench.policy.hedge.failover.status[503] = true;
}

/* The hosts that were asked, by their first letter: 'a' is the application's
 * own endpoint. */
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

static const struct uns_source own_endpoint = {.name = "self"};

/* P5, R2, R3: in order, then again from the first, max_attempts in all. */
static void test_source_takes_the_next_one(void **state)
{
    static const struct row {
        const char *name;
        unsigned sources;
        uint8_t attempts;
        const char *asked, *reason;
    } rows[] = {
        {"none: itself", 0, 2, "aa", "first_token"},
        {"none, often", 0, 5, "aaaaa", "first_token"},
        {"one", 1, 2, "ao", "first_token"},
        {"one, again and again", 1, 4, "aooo", "first_token"},
        {"two", 2, 3, "aot", "first_token"},
        {"two, from the first", 2, 5, "aotot", "first_token"},
        {"alone", 2, 1, "a", "max_attempts"},
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        open_with(rows[i].sources, rows[i].attempts);
        BENCH_RUN(late, silent, silent, silent, silent);
        CHECK_TEXT(rows[i].name, asked(), rows[i].asked);
        CHECK_INT(rows[i].name, bench.entry->call.attempts, fake.requests);
        CHECK_TEXT(rows[i].name, bench.entry->call.hedge_reason,
                   rows[i].reason);
        bench_close(rows[i].name);
    }
}

static void test_source_passes_over_what_cannot_be_used(void **state)
{
    (void)state;
    open_with(3, 5);
    unsetenv("KEY_ONE");
    bench.sources[1] = &own_endpoint;
    BENCH_RUN(late, silent, silent, silent, silent);
    CHECK_TEXT("asked", asked(), "aatat");
    bench_close("passed over");
}

struct trouble {
    const char *name;
    const char *body;
    void (*make)(void);
    const char *why;
};

static void lose_key(void)
{
    unsetenv("KEY_ONE");
}

static void narrow_dialects(void)
{
    bench.source[0].dialects = 1u << UNS_DIALECT_ANTHROPIC;
}

static void list_models(void)
{
    static const struct uns_pair models[] = {{"gpt-5", "gpt-5"}};

    bench.source[0].models = models;
    bench.source[0].model_count = 1;
}

static void sign(void)
{
    bench_set(CURLOPT_AWS_SIGV4, "aws:amz:eu-west-1:bedrock");
}

static void watch(void)
{
    bench.policy.stream.ttft_timeout_ns = 60 * UNS_S;
}

static void pass_away(void)
{
    bench.policy.source_count = 0;
    bench.app->unknown = true;
}

#define ASK(more) \
    "{\"model\":\"gpt-4o\",\"stream\":true,\"messages\":[]" more "}"

/* P3: what belongs to its origin stays there; and why is told. */
static void test_source_says_why_there_is_none(void **state)
{
    static const struct trouble rows[] = {
        {"key", ASK(""), lose_key, "no_key"},
        {"dialect", ASK(""), narrow_dialects, "not_movable"},
        {"model", ASK(""), list_models, "not_movable"},
        {"bound", ASK(",\"previous_response_id\":\"r1\""), NULL, "not_movable"},
        {"secret", ASK(",\"api_key\":\"sk\""), NULL, "not_movable"},
        {"sigv4", ASK(""), sign, "not_movable"},
        {"unknown", ASK(""), pass_away, "not_replayable"},
        {"several", ASK(",\"n\":2"), watch, "not_replayable"},
        {"stateful", ASK(",\"background\":true"), watch, "not_replayable"},
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        open_with(1, 2);
        bench_set(CURLOPT_POSTFIELDS, rows[i].body);
        if (rows[i].make)
            rows[i].make();
        BENCH_RUN(late, late);
        CHECK_TEXT(rows[i].name, asked(), "a");
        CHECK_TEXT(rows[i].name, bench.entry->call.hedge_reason, rows[i].why);
        CHECK_TEXT(rows[i].name, bench.entry->call.outcome, "ok");
        bench_close(rows[i].name);
    }
}

/* At its own origin a request may say what it likes. */
static void test_source_at_home_takes_what_cannot_be_moved(void **state)
{
    static const char *const bodies[] = {
        ASK(",\"previous_response_id\":\"r1\""),
        ASK(",\"api_key\":\"sk\""),
    };

    (void)state;
    for (size_t i = 0; i < ROWS(bodies); i++) {
        open_with(0, 2);
        bench_set(CURLOPT_POSTFIELDS, bodies[i]);
        sign();
        BENCH_RUN(silent, late);
        CHECK_TEXT(bodies[i], asked(), "aa");
        bench_close(bodies[i]);
    }
}

/* A model goes by the source's own list, or by any. */
static void test_source_knows_models_by_name(void **state)
{
    static const struct uns_pair any[] = {{"*", "other"}};

    (void)state;
    open_with(1, 2);
    bench.source[0].models = any;
    bench.source[0].model_count = 1;
    BENCH_RUN(silent, late);
    CHECK_TEXT("any", asked(), "ao");
    assert_non_null(strstr(fake.request[1]->body, "\"other\""));
    bench_close("any");
}

/* R3, R10: after an error status the same endpoint is not asked again; after
 * a connection that broke it may be. */
static void test_source_is_not_where_it_was_refused(void **state)
{
    static const struct row {
        const char *name;
        const struct fake_beat *first;
        unsigned sources;
        const char *asked;
        const char *why;
    } rows[] = {
        {"status, itself", refuses, 0, "a", "same_origin_failed"},
        {"status, elsewhere", refuses, 1, "ao", "failure"},
        {"broken, itself", breaks, 0, "aa", "failure"},
        {"broken, elsewhere", breaks, 1, "ao", "failure"},
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        open_with(rows[i].sources, 2);
        BENCH_RUN(rows[i].first, late);
        CHECK_TEXT(rows[i].name, asked(), rows[i].asked);
        CHECK_TEXT(rows[i].name, bench.entry->call.hedge_reason, rows[i].why);
        CHECK_TEXT(rows[i].name, bench.entry->call.outcome,
                   fake.requests == 2 ? "ok" : "failed");
        bench_close(rows[i].name);
    }
}

/* A key is read when it is needed, not when the settings are. */
static void test_source_reads_the_key_anew(void **state)
{
    (void)state;
    open_with(1, 2);
    setenv("KEY_ONE", "sk-new", 1);
    BENCH_RUN(silent, late);
    assert_non_null(strstr(fake.request[1]->headers, "Bearer sk-new"));
    bench_close("new key");
}

#define SENT (sizeof APP_BODY - 1)

static size_t read_at;
static bool read_fails;

static size_t read_body(char *to, size_t size, size_t count, void *arg)
{
    size_t room = size * count;
    size_t left = SENT - read_at;
    size_t len = left < room ? left : room;

    assert_ptr_equal(arg, &read_at);
    if (read_fails)
        return CURL_READFUNC_ABORT;
    memcpy(to, &APP_BODY[read_at], len);
    read_at += len;
    return len;
}

static void read_from_callback(void)
{
    bench_set(CURLOPT_POSTFIELDS, NULL);
    bench_set(CURLOPT_POST, 1L);
    bench_set(CURLOPT_POSTFIELDSIZE, (long)SENT);
    bench_set(CURLOPT_READFUNCTION, read_body);
    bench_set(CURLOPT_READDATA, &read_at);
    read_at = 0;
    read_fails = false;
}

/* A body from a read callback is recorded, and sent again as it was. */
static void test_source_replays_a_body_that_was_read(void **state)
{
    (void)state;
    open_with(1, 2);
    read_from_callback();
    BENCH_RUN(silent, late);
    CHECK_TEXT("asked", asked(), "ao");
    CHECK_TEXT("first", fake.request[0]->body, APP_BODY);
    CHECK_TEXT("again", fake.request[1]->body, APP_BODY);
    CHECK_TEXT("model", bench.entry->call.model, "gpt-4o");
    bench_close("read");
}

/* A rival that is due before the request has been read is sent when it has. */
static void test_source_waits_for_a_body_that_is_read(void **state)
{
    (void)state;
    open_with(1, 2);
    bench.policy.hedge.after.fixed_ns = 0;
    read_from_callback();
    BENCH_RUN(silent, late);
    CHECK_TEXT("asked", asked(), "ao");
    CHECK_TEXT("again", fake.request[1]->body, APP_BODY);
    CHECK_TEXT("reason", bench.entry->call.hedge_reason, "tied");
    bench_close("tied");
}

/* P6: its read callback can end the call, as ever. */
static void test_source_is_not_asked_after_a_read_abort(void **state)
{
    (void)state;
    open_with(1, 2);
    read_from_callback();
    read_fails = true;
    BENCH_RUN(silent, late);
    CHECK_TEXT("asked", asked(), "a");
    CHECK_INT("code", bench.code, CURLE_ABORTED_BY_CALLBACK);
    CHECK_TEXT("outcome", bench.entry->call.outcome, "aborted");
    bench_close("aborted");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_source_takes_the_next_one),
        cmocka_unit_test(test_source_passes_over_what_cannot_be_used),
        cmocka_unit_test(test_source_says_why_there_is_none),
        cmocka_unit_test(test_source_at_home_takes_what_cannot_be_moved),
        cmocka_unit_test(test_source_knows_models_by_name),
        cmocka_unit_test(test_source_is_not_where_it_was_refused),
        cmocka_unit_test(test_source_reads_the_key_anew),
        cmocka_unit_test(test_source_replays_a_body_that_was_read),
        cmocka_unit_test(test_source_waits_for_a_body_that_is_read),
        cmocka_unit_test(test_source_is_not_asked_after_a_read_abort),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
