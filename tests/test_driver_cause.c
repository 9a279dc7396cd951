/* SPDX-License-Identifier: MIT */
/* R3, P6: what libcurl's results, and statuses, mean for the race. */
#include "bench.h"

#include "check.h"

#include <stdio.h>

static const struct fake_beat silent[] = {SILENCE};
static const struct fake_beat healthy[] = {
    HEAD(100, OK_HEAD), BODY(300, DELTA("Hi")), BODY(500, STOP),
    BODY(500, DONE),    END(600, CURLE_OK),
};

static void open_with(void)
{
    bench_open();
    bench_sources(1);
    bench.policy.hedge.after =
        (struct uns_delay){.how = UNS_DELAY_FIXED, .fixed_ns = 3 * UNS_S};
    bench.policy.hedge.failover.status[503] = true;
    bench.policy.hedge.max_attempts = 2;
}

/* Would another source do better? */
static const struct cause {
    const char *name;
    CURLcode code;

    enum {
        ASKS,   /* the next one is asked, and answers */
        ANSWER, /* it is the application's answer */
        ABORTED /* it is, and by its own doing */
    } what;
} causes[] = {
    {"protocol", CURLE_UNSUPPORTED_PROTOCOL, ANSWER},
    {"URL", CURLE_URL_MALFORMAT, ANSWER},
    {"not built in", CURLE_NOT_BUILT_IN, ANSWER},
    {"proxy name", CURLE_COULDNT_RESOLVE_PROXY, ASKS},
    {"host name", CURLE_COULDNT_RESOLVE_HOST, ASKS},
    {"connect", CURLE_COULDNT_CONNECT, ASKS},
    {"HTTP/2", CURLE_HTTP2, ASKS},
    {"HTTP/2 stream", CURLE_HTTP2_STREAM, ASKS},
    {"partial", CURLE_PARTIAL_FILE, ASKS},
    {"too slow", CURLE_OPERATION_TIMEDOUT, ASKS},
    {"TLS", CURLE_SSL_CONNECT_ERROR, ASKS},
    {"nothing", CURLE_GOT_NOTHING, ASKS},
    {"send", CURLE_SEND_ERROR, ASKS},
    {"receive", CURLE_RECV_ERROR, ASKS},
    {"certificate", CURLE_PEER_FAILED_VERIFICATION, ASKS},
    {"encoding", CURLE_BAD_CONTENT_ENCODING, ASKS},
    {"QUIC", CURLE_QUIC_CONNECT_ERROR, ASKS},
    {"own cert", CURLE_SSL_CERTPROBLEM, ANSWER},
    {"own cipher", CURLE_SSL_CIPHER, ANSWER},
    {"own CA file", CURLE_SSL_CACERT_BADFILE, ANSWER},
    {"memory", CURLE_OUT_OF_MEMORY, ANSWER},
    {"redirects", CURLE_TOO_MANY_REDIRECTS, ANSWER},
    {"too large", CURLE_FILESIZE_EXCEEDED, ANSWER},
    {"login", CURLE_LOGIN_DENIED, ANSWER},
    {"rewind", CURLE_SEND_FAIL_REWIND, ANSWER},
    {"argument", CURLE_BAD_FUNCTION_ARGUMENT, ANSWER},
    {"write", CURLE_WRITE_ERROR, ABORTED},
    {"read", CURLE_READ_ERROR, ABORTED},
    {"callback", CURLE_ABORTED_BY_CALLBACK, ABORTED},
};

static void test_driver_knows_what_results_mean(void **state)
{
    (void)state;
    for (size_t i = 0; i < ROWS(causes); i++) {
        const struct fake_beat ends[] = {END(10, causes[i].code)};
        bool asks = causes[i].what == ASKS;

        open_with();
        BENCH_RUN(ends, healthy);
        CHECK_INT(causes[i].name, fake.requests, asks ? 2 : 1);
        CHECK_INT(causes[i].name, bench.code, asks ? CURLE_OK : causes[i].code);
        CHECK_INT(causes[i].name, bench.error[0] != '\0', !asks);
        if (causes[i].what == ABORTED)
            CHECK_TEXT(causes[i].name, bench.entry->call.outcome, "aborted");
        bench_close(causes[i].name);
    }
}

/* A rival's end is never the application's: attempt 0 has time yet. */
static void test_driver_outlives_a_rivals_end(void **state)
{
    static const struct fake_beat late[] = {
        HEAD(9000, OK_HEAD),
        BODY(9000, DELTA("Hi")),
        BODY(9000, DONE),
        END(9000, CURLE_OK),
    };

    (void)state;
    for (size_t i = 0; i < ROWS(causes); i++) {
        const struct fake_beat ends[] = {END(10, causes[i].code)};

        if (causes[i].what == ABORTED)
            continue;
        open_with();
        BENCH_RUN(late, ends);
        CHECK_INT(causes[i].name, bench.code, CURLE_OK);
        CHECK_TEXT(causes[i].name, bench.body, DELTA("Hi") DONE);
        CHECK_INT(causes[i].name, bench.entry->call.winner, 0);
        CHECK_TEXT(causes[i].name, bench.entry->attempt[1].outcome, "failed");
        bench_close(causes[i].name);
    }
}

/* CURLOPT_FAILONERROR: the code says that there is a status. */
static void test_driver_reads_the_status_of_a_fail_on_error(void **state)
{
    static const struct row {
        const char *name, *head;
        unsigned requests;
    } rows[] = {
        {"listed", "HTTP/1.1 503 Service Unavailable\r\n\r\n", 2},
        {"other", "HTTP/1.1 404 Not Found\r\n\r\n", 1},
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        const struct fake_beat fails[] = {
            HEAD(10, rows[i].head),
            END(10, CURLE_HTTP_RETURNED_ERROR),
        };

        open_with();
        bench_set(CURLOPT_FAILONERROR, 1L);
        BENCH_RUN(fails, healthy);
        CHECK_INT(rows[i].name, fake.requests, rows[i].requests);
        CHECK_INT(rows[i].name, bench.code,
                  rows[i].requests == 2 ? CURLE_OK : CURLE_HTTP_RETURNED_ERROR);
        bench_close(rows[i].name);
    }
}

/* The proxy's yes is not the server's: the status is the last block's. */
static void test_driver_looks_behind_a_proxys_answer(void **state)
{
    static const struct fake_beat behind[] = {
        HEAD(10, "HTTP/1.1 200 Connection established\r\n\r\n"),
        HEAD(20, "HTTP/1.1 503 Service Unavailable\r\n\r\n"),
        BODY(30, "busy"),
        END(40, CURLE_OK),
    };

    (void)state;
    open_with();
    BENCH_RUN(behind, healthy);
    CHECK_INT("requests", fake.requests, 2);
    CHECK_TEXT("body", bench.body, DELTA("Hi") STOP DONE);
    CHECK_TEXT("head", bench.head, OK_HEAD);
    bench_close("proxy");
}

/* A 2xx without a body is complete; so is a document by its end. */
static void test_driver_takes_an_empty_answer(void **state)
{
    static const struct fake_beat empty[] = {
        HEAD(10, "HTTP/1.1 204 No Content\r\n\r\n"),
        END(20, CURLE_OK),
    };

    (void)state;
    open_with();
    BENCH_RUN(empty, healthy);
    CHECK_INT("requests", fake.requests, 1);
    CHECK_INT("code", bench.code, CURLE_OK);
    CHECK_TEXT("outcome", bench.entry->call.outcome, "ok");
    bench_close("empty");
}

/* An answer that was finished is whole, however its connection ends. */
static void test_driver_takes_a_finished_answer(void **state)
{
    static const struct fake_beat torn[] = {
        HEAD(10, OK_HEAD),
        BODY(20, DELTA("Hi")),
        BODY(30, STOP),
        END(40, CURLE_RECV_ERROR),
    };

    (void)state;
    for (int held = 0; held < 2; held++) {
        open_with();
        bench.policy.hedge.hold_ns = held ? UNS_NEVER : 0;
        BENCH_RUN(torn, silent);
        CHECK_INT("requests", fake.requests, 1);
        CHECK_TEXT("body", bench.body, DELTA("Hi") STOP);
        CHECK_INT("code", bench.code, CURLE_RECV_ERROR);
        bench_close("finished");
    }
}

/* R3: a refusal is searched so far, and then it is the answer. */
static void test_driver_searches_a_refusal_so_far(void **state)
{
    static char much[UNS_CALL_SEARCH_BYTES + 2];
    static const struct fake_beat endless[] = {
        HEAD(10, "HTTP/1.1 400 Bad Request\r\n\r\n"),
        BODY(20, much),
        BODY(30, "context_length_exceeded"),
        END(9000, CURLE_OK),
    };

    (void)state;
    memset(much, '.', sizeof much - 1);
    open_with();
    bench.policy.hedge.failover.code[0] = "context_length_exceeded";
    BENCH_RUN(endless, healthy);
    CHECK_INT("requests", fake.requests, 1);
    CHECK_INT("delivered", bench.entry->call.delivered_ms, 20);
    CHECK_TEXT("outcome", bench.entry->call.outcome, "refused");
    bench_close("so far");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_driver_knows_what_results_mean),
        cmocka_unit_test(test_driver_outlives_a_rivals_end),
        cmocka_unit_test(test_driver_reads_the_status_of_a_fail_on_error),
        cmocka_unit_test(test_driver_looks_behind_a_proxys_answer),
        cmocka_unit_test(test_driver_takes_an_empty_answer),
        cmocka_unit_test(test_driver_takes_a_finished_answer),
        cmocka_unit_test(test_driver_searches_a_refusal_so_far),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
