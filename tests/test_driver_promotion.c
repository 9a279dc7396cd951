/* SPDX-License-Identifier: MIT */
/* A request that does not stream, sent as a stream: the application gets one
 * body, whole or not at all, and its handle back as it was.  (P1, P6, R3, R4)
 */
#include "promotion_play.h"

#include <stdio.h>
#include <stdlib.h>

#define SENT                                                        \
    "{\"stream\":true,\"stream_options\":{\"include_usage\":true}," \
    "\"model\":\"gpt-4o\",\"messages\":[]}"
#define GIVEN_HEAD(length)                                  \
    "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n" \
    "x-id: 7\r\n" length "\r\n"
#define FAILED     "data: {\"error\":{\"code\":\"server_error\"}}\n\n"
#define NO_STREAM  "{\"error\":{\"message\":\"verify to stream\"}}"
#define PLAIN_HEAD "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n"

static const struct fake_beat unfinished[] = {
    HEAD(10, STREAM_HEAD), BODY(20, ROLE DELTA("Al")), END(30, CURLE_OK)};
static const struct fake_beat fails[] = {
    HEAD(10, STREAM_HEAD), BODY(20, ROLE DELTA("Al")), BODY(30, FAILED),
    BODY(31, DONE), END(40, CURLE_OK)};
static const struct fake_beat broken[] = {
    HEAD(10, STREAM_HEAD), BODY(20, ROLE DELTA("Al") "data: {\"cho\n\n"),
    BODY(30, STOP DONE), END(40, CURLE_OK)};
static const struct fake_beat broken_silent[] = {
    HEAD(10, STREAM_HEAD), BODY(20, ROLE DELTA("Al") "data: {\"cho\n\n"),
    SILENCE};
static const struct fake_beat late_cut[] = {HEAD(10, STREAM_HEAD),
                                            BODY(20, ROLE DELTA("Tide") STOP),
                                            END(30, CURLE_RECV_ERROR)};
static const struct fake_beat spaced[] = {
    HEAD(10, STREAM_HEAD), BODY(20, "\n"),
    BODY(21, " \n"),       BODY(22, ROLE DELTA("Tide") STOP DONE "\n: bye\n\n"),
    BODY(30, "\n"),        END(40, CURLE_OK)};
static const struct fake_beat whole[] = {
    HEAD(10, PLAIN_HEAD), BODY(20, JSON("as it is")), END(30, CURLE_OK)};
static const struct fake_beat page[] = {
    HEAD(10, "HTTP/1.1 200 OK\r\ncontent-type: text/html\r\n\r\n"),
    BODY(20, "<html>"), END(30, CURLE_OK)};
static const struct fake_beat refuses[] = {
    HEAD(10, "HTTP/1.1 400 Bad Request\r\n\r\n"), BODY(20, NO_STREAM),
    END(30, CURLE_OK)};
static const struct fake_beat denies[] = {
    HEAD(10, "HTTP/1.1 401 Unauthorized\r\n\r\n"), BODY(20, "no"),
    END(30, CURLE_OK)};
static const struct fake_beat dislikes[] = {
    HEAD(10, "HTTP/1.1 400 Bad Request\r\n\r\n"), BODY(20, "too hot"),
    END(30, CURLE_OK)};
static const struct fake_beat opaque[] = {
    HEAD(10, "HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\n\r\n"),
    BODY(20, "\x1f\x8b..."), END(30, CURLE_OK)};

static void check_sent(const char *row, unsigned request, const char *body)
{
    const struct fake_easy *easy = fake.request[request];

    CHECK_SLICE(row, ((struct uns_slice){easy->body, easy->body_len}), body);
}

static void test_promotion_gives_one_body(void **state)
{
    static const struct row {
        const char *name;
        const struct fake_beat *first, *second;
        const char *body, *head;
        CURLcode code;
        unsigned requests;
        const char *outcome;
    } rows[] = {
        {"well", healthy, NULL, JSON("Tide"), NULL, CURLE_OK, 1, "ok"},
        {"a stall", stalls, healthy, JSON("Tide"), NULL, CURLE_OK, 2, "ok"},
        {"a cut", cut, healthy, JSON("Tide"), NULL, CURLE_OK, 2, "ok"},
        {"no finish", unfinished, healthy, JSON("Tide"), NULL, CURLE_OK, 2,
         "ok"},
        {"an error event", fails, healthy, JSON("Tide"), NULL, CURLE_OK, 2,
         "ok"},
        {"broken JSON", broken, healthy, JSON("Tide"), NULL, CURLE_OK, 2, "ok"},
        {"nobody better: a cut", cut, cut, "", GIVEN_HEAD(""), CURLE_RECV_ERROR,
         2, "failed"},
        {"nobody better: no finish", unfinished, denies, "", GIVEN_HEAD(""),
         CURLE_PARTIAL_FILE, 2, "failed"},
        {"nobody better: an error event", fails, denies, "", GIVEN_HEAD(""),
         CURLE_PARTIAL_FILE, 2, "failed"},
        {"nobody better: broken JSON", broken, denies, "", GIVEN_HEAD(""),
         CURLE_PARTIAL_FILE, 2, "failed"},
        {"nobody better: broken JSON, then silence", broken_silent, denies, "",
         GIVEN_HEAD(""), CURLE_PARTIAL_FILE, 2, "failed"},
        {"out of time", stalls, stalls, "", GIVEN_HEAD(""),
         CURLE_OPERATION_TIMEDOUT, 2, "timeout"},
        {"only the end is missing", late_cut, NULL, JSON("Tide"), NULL,
         CURLE_OK, 1, "ok"},
        {"bytes without meaning around it", spaced, NULL, JSON("Tide"), NULL,
         CURLE_OK, 1, "ok"},
        {"no stream", whole, NULL, JSON("as it is"), PLAIN_HEAD, CURLE_OK, 1,
         "ok"},
        {"a page", page, NULL, "<html>", page[0].text, CURLE_OK, 1, "failed"},
        {"a refusal", denies, NULL, "no", denies[0].text, CURLE_OK, 1,
         "refused"},
        {"another refusal", dislikes, NULL, "too hot", dislikes[0].text,
         CURLE_OK, 1, "refused"},
        {"nobody streams there", refuses, whole, JSON("as it is"), PLAIN_HEAD,
         CURLE_OK, 2, "ok"},
        {"nor answers at all", refuses, denies, NO_STREAM, refuses[0].text,
         CURLE_OK, 2, "failed"},
        {"compressed for nobody", opaque, healthy, JSON("Tide"), NULL, CURLE_OK,
         2, "ok"},
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        char head[200], length[40];

        open_asking();
        BENCH_RUN(rows[i].first, rows[i].second);
        snprintf(length, sizeof length, "Content-Length: %zu\r\n",
                 strlen(rows[i].body));
        snprintf(head, sizeof head, GIVEN_HEAD("%s"), length);
        CHECK_TEXT(rows[i].name, bench.body, rows[i].body);
        CHECK_TEXT(rows[i].name, bench.head,
                   rows[i].head ? rows[i].head : head);
        CHECK_INT(rows[i].name, bench.code, rows[i].code);
        CHECK_INT(rows[i].name, fake.requests, rows[i].requests);
        check_sent(rows[i].name, 0, SENT);
        CHECK_TEXT(rows[i].name, bench.entry->call.outcome, rows[i].outcome);
        CHECK_INT(rows[i].name, bench.entry->call.promoted, 1);
        bench_close(rows[i].name);
    }
}

static void test_promotion_asks_as_it_was_and_remembers(void **state)
{
    (void)state;
    open_asking();
    bench.broke = "budget_exhausted"; /* it costs nothing */
    BENCH_RUN(refuses, whole, whole);
    check_sent("asked as it was", 1, ASKED);
    assert_string_equal(fake_opt(fake.request[1], CURLOPT_URL)->text, APP_URL);
    assert_int_equal(bench.entry->call.winner, 1);
    BENCH_RUN(refuses, whole, whole);
    check_sent("asked so at once", 2, ASKED);
    assert_int_equal(bench.entry->call.promoted, 0);
    bench_close("remembered");
}

static void test_promotion_says_why_half_an_answer_is_none(void **state)
{
    (void)state;
    open_asking();
    BENCH_RUN(fails, denies);
    assert_string_equal(bench.error,
                        "unstall: stream.promote: the answer of source "
                        "primary broke off: server_error");
    bench_close("text");
}

/* P6: the handle is the application's, and says what it has set. */
static void test_promotion_gives_the_handle_back(void **state)
{
    static const struct {
        const char *name, *url, *body;
        enum uns_dialect dialect;
        bool copied;
    } rows[] = {
        {"fields", APP_URL, ASKED, UNS_DIALECT_CHAT, false},
        {"a copy", APP_URL, ASKED, UNS_DIALECT_CHAT, true},
        {"gemini", "https://g.example/models/m:generateContent?key=k",
         "{\"contents\":[]}", UNS_DIALECT_GEMINI, false},
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        const struct fake_easy *easy = &fake.easy[0];
        CURLoption id =
            rows[i].copied ? CURLOPT_COPYPOSTFIELDS : CURLOPT_POSTFIELDS;

        open_asking();
        bench.app->dialect = rows[i].dialect;
        bench_set(CURLOPT_URL, rows[i].url);
        bench_set(id, rows[i].body);
        BENCH_RUN(healthy);
        CHECK_INT(rows[i].name, bench.entry->call.promoted, 1);
        CHECK_TEXT(rows[i].name, fake_opt(easy, CURLOPT_URL)->text,
                   rows[i].url);
        CHECK_INT(rows[i].name,
                  strcmp(fake_opt(easy, id)->value.p, rows[i].body), 0);
        CHECK_INT(rows[i].name,
                  fake_opt(easy, CURLOPT_POSTFIELDSIZE_LARGE)->value.o,
                  rows[i].dialect == UNS_DIALECT_CHAT ? -1 : 0);
        CHECK_INT(rows[i].name, bench.app->lent, 0);
        bench_close(rows[i].name);
    }
}

static void test_promotion_leaves_others_alone(void **state)
{
    static const char *const bound[] = {"Content-Length: 34"};

    enum {
        OFF,
        OBSERVED,
        NO_FAILOVER,
        ALONE,
        STREAMS,
        SEVERAL,
        STATEFUL,
        HEADER,
        LIMITED,
        RANGE,
        STRANGER,
        CASES
    };

    (void)state;
    for (int i = 0; i < CASES; i++) {
        char name[20];

        snprintf(name, sizeof name, "case %d", i);
        open_asking();
        bench.policy.stream.promote = i != OFF;
        if (i == OBSERVED)
            bench.policy.mode = UNS_MODE_OBSERVE;
        if (i == NO_FAILOVER)
            bench.policy.hedge.failover.status[500] = false;
        if (i == ALONE)
            bench.policy.hedge.max_attempts = 1;
        if (i == STREAMS)
            bench_set(CURLOPT_POSTFIELDS, APP_BODY);
        if (i == SEVERAL)
            bench_set(CURLOPT_POSTFIELDS, "{\"n\":2,\"messages\":[]}");
        if (i == STATEFUL)
            bench_set(CURLOPT_POSTFIELDS,
                      "{\"background\":true,\"messages\":[]}");
        if (i == HEADER)
            bench_headers(bound, 1);
        if (i == LIMITED)
            bench_set(CURLOPT_MAXFILESIZE, 1000L);
        if (i == RANGE)
            bench_set(CURLOPT_RANGE, "0-99");
        bench.app->unknown = i == STRANGER;
        BENCH_RUN(whole);
        CHECK_TEXT(name, bench.body, JSON("as it is"));
        check_sent(name, 0,
                   uns_app_opt(bench.app, CURLOPT_POSTFIELDS)->value.p);
        if (bench.entry)
            CHECK_INT(name, bench.entry->call.promoted, 0);
        bench_close(name);
    }
}

static size_t take_none(enum uns_piece_kind kind, const char *bytes, size_t len)
{
    (void)bytes;
    return kind == UNS_PIECE_BODY ? 0 : len;
}

static size_t take_small(enum uns_piece_kind kind, const char *bytes,
                         size_t len)
{
    (void)kind;
    (void)bytes;
    assert_true(len <= CURL_MAX_WRITE_SIZE);
    return len;
}

/* P6: a short write ends the call. */
static void test_promotion_minds_a_short_write(void **state)
{
    (void)state;
    open_asking();
    bench.taker = take_none;
    BENCH_RUN(healthy);
    assert_int_equal(bench.code, CURLE_WRITE_ERROR);
    assert_string_equal(bench.entry->call.outcome, "aborted");
    bench_close("short");
}

static void test_promotion_gives_pieces_as_libcurl_does(void **state)
{
    static char event[40200];
    static const struct fake_beat large[] = {
        HEAD(10, STREAM_HEAD), BODY(20, event), BODY(30, STOP DONE),
        END(40, CURLE_OK)};
    char *word = malloc(40001);

    (void)state;
    memset(word, 'a', 40000);
    word[40000] = '\0';
    snprintf(event, sizeof event, DELTA("%s"), word);
    open_asking();
    bench.taker = take_small;
    BENCH_RUN(large);
    assert_int_equal(bench.code, CURLE_OK);
    assert_true(strlen(bench.body) > 40000);
    bench_close("pieces");
    open_asking();
    bench.policy.hedge.hold_limit_bytes = 20000;
    bench.taker = take_small;
    BENCH_RUN(large, denies);
    assert_int_equal(bench.code, CURLE_PARTIAL_FILE);
    assert_string_equal(bench.body, "");
    bench_close("beyond the limit");
    free(word);
}

/* Fail open: whichever allocation fails, it is one whole body or an error. */
static void test_promotion_survives_without_memory(void **state)
{
    (void)state;
    for (int all = 0; all < 2; all++) {
        for (unsigned n = 1;; n++) {
            char name[40];

            snprintf(name, sizeof name, "%s %u", all ? "from" : "only", n);
            open_asking();
            fake_memory_fail(n, all);
            BENCH_RUN(stalls, healthy);
            if (bench.code == CURLE_OK && bench.body[0] == '{')
                CHECK_TEXT(name, bench.body, JSON("Tide"));
            else if (strstr(fake.request[0]->body, "\"stream\":true"))
                CHECK_TEXT(name, bench.body, "");
            fake_memory_fail(0, false);
            if (fake_memory_asked() < n) {
                bench_close(name);
                break;
            }
            bench_close(name);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_promotion_gives_one_body),
        cmocka_unit_test(test_promotion_asks_as_it_was_and_remembers),
        cmocka_unit_test(test_promotion_says_why_half_an_answer_is_none),
        cmocka_unit_test(test_promotion_gives_the_handle_back),
        cmocka_unit_test(test_promotion_leaves_others_alone),
        cmocka_unit_test(test_promotion_minds_a_short_write),
        cmocka_unit_test(test_promotion_gives_pieces_as_libcurl_does),
        cmocka_unit_test(test_promotion_survives_without_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
