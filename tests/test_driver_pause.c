/* SPDX-License-Identifier: MIT */
/* P6, P7: an application that is slow, or pauses, is nobody's stall. */
#include "bench.h"

#include "check.h"
#include "engine/grip.h"

#include <stdio.h>

static const struct fake_beat silent[] = {SILENCE};
static const struct fake_beat healthy[] = {
    HEAD(100, OK_HEAD),     BODY(200, ROLE), BODY(300, DELTA("Hel")),
    BODY(400, DELTA("lo")), BODY(500, STOP), BODY(500, DONE),
    END(600, CURLE_OK),
};
static const struct fake_beat stalls[] = {
    HEAD(10, OK_HEAD),
    BODY(20, DELTA("Hal")),
    SILENCE,
};

static struct {
    bool pending;   /* paused, and not unpaused yet */
    int pieces, at; /* pauses at that piece */
    int away_ms;    /* for so long */
    bool transfer_paused;
} plan;

static size_t pause_at(enum uns_piece_kind kind, const char *bytes, size_t len)
{
    (void)kind;
    (void)bytes;
    if (++plan.pieces != plan.at)
        return len;
    plan.pending = true;
    return CURL_WRITEFUNC_PAUSE;
}

static int come_back(void *arg, curl_off_t a, curl_off_t b, curl_off_t c,
                     curl_off_t d)
{
    (void)arg;
    (void)a;
    (void)b;
    (void)c;
    (void)d;
    bench.progress_calls++;
    if (plan.pending) {
        plan.pending = false;
        plan.transfer_paused = fake.request[fake.requests - 1]->paused;
        fake_pass_ms(plan.away_ms);
        uns_grip_pause(bench.app, CURLPAUSE_CONT);
    }
    return 0;
}

static void open_with(int at, int away_ms)
{
    bench_open();
    bench_sources(1);
    bench.policy.hedge.after =
        (struct uns_delay){.how = UNS_DELAY_FIXED, .fixed_ns = 3 * UNS_S};
    memset(&plan, 0, sizeof plan);
    plan.at = at;
    plan.away_ms = away_ms;
    bench.taker = pause_at;
    bench_set(CURLOPT_XFERINFOFUNCTION, come_back);
    bench_set(CURLOPT_NOPROGRESS, 0L);
}

/* R8: the watchdog stands still meanwhile; afterwards it has its full time.
 * (The progress callback is called, and unpauses, once a second.) */
static void test_pause_stops_the_watchdog(void **state)
{
    static const struct row {
        const char *name;
        const struct fake_beat *first;
        CURLcode code;
        int wall_ms, app_ms;
    } rows[] = {
        {"goes on", healthy, CURLE_OK, 11000, 10700},
        {"stalls", stalls, CURLE_OPERATION_TIMEDOUT, 15000, 10980},
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        open_with(i ? 4 : 5, 10000);
        bench.policy.stream.stall_timeout_ns = 4 * UNS_S;
        BENCH_RUN(rows[i].first, silent);
        CHECK_INT(rows[i].name, bench.code, rows[i].code);
        CHECK_INT(rows[i].name, fake.requests, 1);
        CHECK_INT(rows[i].name, bench.entry->call.wall_ms, rows[i].wall_ms);
        CHECK_INT(rows[i].name, bench.entry->call.app_ms, rows[i].app_ms);
        bench_close(rows[i].name);
    }
}

/* R2: before anybody is heard the application can pause, too: nobody is
 * asked for what it does not want yet, and nothing is lost. */
static int pause_first(void *arg, curl_off_t a, curl_off_t b, curl_off_t c,
                       curl_off_t d)
{
    (void)arg;
    (void)a;
    (void)b;
    (void)c;
    (void)d;
    if (++bench.progress_calls == 1)
        uns_grip_pause(bench.app, CURLPAUSE_RECV);
    else if (fake.now_ns >= fake.request[0]->start_ns + 20 * UNS_S)
        uns_grip_pause(bench.app, CURLPAUSE_CONT);
    return 0;
}

static void test_pause_before_the_first_byte(void **state)
{
    (void)state;
    open_with(0, 0);
    bench_set(CURLOPT_XFERINFOFUNCTION, pause_first);
    BENCH_RUN(healthy, healthy);
    CHECK_INT("requests", fake.requests, 1);
    CHECK_INT("code", bench.code, CURLE_OK);
    CHECK_TEXT("body", bench.body, ROLE DELTA("Hel") DELTA("lo") STOP DONE);
    CHECK_INT("delivered", bench.entry->call.delivered_ms >= 20000, true);
    bench_close("first");
}

/* What is given by the clock comes from outside the transfer: that has to
 * stop by hand, or it would go on filling memory. */
static void test_pause_outside_stops_the_transfer(void **state)
{
    (void)state;
    open_with(5, 700);
    bench.policy.hedge.hold_ns = 50 * UNS_MS;
    bench.policy.hedge.stall_after_ns = UNS_S;
    BENCH_RUN(healthy, silent);
    CHECK_INT("stopped", plan.transfer_paused, true);
    CHECK_TEXT("body", bench.body, ROLE DELTA("Hel") DELTA("lo") STOP DONE);
    bench_close("outside");
}

/* A transfer's progress is told once a turn, whoever works beside it. */
static void test_pause_progress_is_told_once(void **state)
{
    (void)state;
    open_with(0, 0);
    BENCH_RUN(silent, healthy);
    CHECK_INT("told", bench.progress_calls > 3, true);
    CHECK_INT("once", bench.progress_calls <= fake.performs, true);
    bench_close("once");
}

/* The older callback has the same pointer, and doubles. */
static double seen_now;

static int old_progress(void *arg, double dltotal, double dlnow, double ultotal,
                        double ulnow)
{
    assert_ptr_equal(arg, &plan);
    seen_now = dlnow + dltotal * 0 + ultotal * 0 + ulnow * 0;
    return 0;
}

static void test_pause_older_progress_callback(void **state)
{
    static const struct fake_beat breaks[] = {END(10, CURLE_RECV_ERROR)};

    (void)state;
    open_with(0, 0);
    bench.policy.hedge.failover.status[500] = true;
    bench_set(CURLOPT_XFERINFOFUNCTION, NULL);
    bench_set(CURLOPT_PROGRESSFUNCTION, old_progress);
    bench_set(CURLOPT_PROGRESSDATA, &plan);
    seen_now = 0;
    BENCH_RUN(breaks, healthy);
    CHECK_INT("seen", (long long)seen_now > 0, true);
    bench_close("older");
}

/* P7: time inside the application's callbacks is its own. */
static size_t dawdle(enum uns_piece_kind kind, const char *bytes, size_t len)
{
    if (kind == UNS_PIECE_BODY && !strcmp(bytes, DELTA("Hel")))
        fake_pass_ms(5000);
    return len;
}

static void test_pause_a_slow_callback_is_no_stall(void **state)
{
    static const struct row {
        const char *name;
        enum uns_mode mode;
    } rows[] = {
        {"hedge", UNS_MODE_HEDGE},
        {"observe", UNS_MODE_OBSERVE},
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        open_with(0, 0);
        bench.policy.mode = rows[i].mode;
        bench.taker = dawdle;
        BENCH_RUN(healthy, silent);
        CHECK_INT(rows[i].name, bench.entry->call.app_ms, 5000);
        CHECK_INT(rows[i].name, bench.entry->call.stall_count, 0);
        CHECK_INT(rows[i].name, bench.entry->call.max_gap_ms, 0);
        CHECK_INT(rows[i].name, fake.requests, 1);
        bench_close(rows[i].name);
    }
}

/* Only who races holds back: what no rival can replace is given as it comes,
 * with a watchdog, too. */
static void test_pause_waits_only_where_another_could_speak(void **state)
{
    static const struct row {
        const char *name;
        enum uns_mode mode;
        bool triggers;
        const char *body;
        int64_t delivered_ms;
    } rows[] = {
        {"hedged", UNS_MODE_HEDGE, true, APP_BODY, 300},
        {"observed", UNS_MODE_OBSERVE, true, APP_BODY, 100},
        {"no trigger", UNS_MODE_HEDGE, false, APP_BODY, 100},
        {"not to be doubled", UNS_MODE_HEDGE, true,
         "{\"model\":\"m\",\"stream\":true,\"messages\":[],\"n\":2}", 100},
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        open_with(0, 0);
        bench.policy.mode = rows[i].mode;
        bench.policy.stream.ttft_timeout_ns = 9 * UNS_S;
        if (!rows[i].triggers)
            bench.policy.hedge.after.how = UNS_DELAY_OFF;
        memset(&bench.policy.hedge.failover, 0,
               sizeof bench.policy.hedge.failover);
        bench_set(CURLOPT_POSTFIELDS, rows[i].body);
        BENCH_RUN(healthy);
        CHECK_INT(rows[i].name, bench.entry->call.delivered_ms,
                  rows[i].delivered_ms);
        bench_close(rows[i].name);
    }
}

/* As libcurl 8.14 does, which goes on after a pause from a callback. */
static size_t pause_in_vain(enum uns_piece_kind kind, const char *bytes,
                            size_t len)
{
    (void)kind;
    (void)bytes;
    if (++plan.pieces == 4) {
        uns_grip_pause(bench.app, CURLPAUSE_RECV);
        fake.request[0]->paused = false;
    }
    return len;
}

/* What libcurl gives in spite of it is given. */
static void test_pause_is_libcurls_where_it_is_watched(void **state)
{
    (void)state;
    open_with(0, 0);
    bench.policy.mode = UNS_MODE_OBSERVE;
    bench.taker = pause_in_vain;
    BENCH_RUN(healthy);
    CHECK_INT("pieces", plan.pieces, 8);
    CHECK_INT("code", bench.code, CURLE_OK);
    bench_close("watched");
}

static size_t wait_for_answer(char *out, size_t size, size_t count, void *arg)
{
    (void)out;
    (void)size;
    (void)count;
    (void)arg;
    return CURL_READFUNC_PAUSE;
}

/* An application may send on only when it has seen an answer, which must not
 * wait for the end of the request. */
static void test_pause_of_the_request_until_there_is_an_answer(void **state)
{
    static const struct fake_beat busy[] = {
        HEAD(100, "HTTP/1.1 503 Service Unavailable\r\n\r\n"),
        BODY(200, "busy"),
        END(300, CURLE_OK),
    };

    static const struct row {
        const char *name;
        const struct fake_beat *answer;
    } rows[] = {
        {"an answer", healthy},
        {"a failure", busy},
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        open_with(0, 0);
        bench.policy.hedge.hold_ns = UNS_NEVER;
        bench.policy.hedge.failover.status[503] = true;
        bench_set(CURLOPT_POSTFIELDS, NULL);
        bench_set(CURLOPT_READFUNCTION, wait_for_answer);
        BENCH_RUN(rows[i].answer, silent);
        CHECK_INT(rows[i].name, bench.entry->call.delivered_ms, 100);
        CHECK_INT(rows[i].name, fake.requests, 1);
        bench_close(rows[i].name);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pause_stops_the_watchdog),
        cmocka_unit_test(test_pause_before_the_first_byte),
        cmocka_unit_test(test_pause_outside_stops_the_transfer),
        cmocka_unit_test(test_pause_progress_is_told_once),
        cmocka_unit_test(test_pause_older_progress_callback),
        cmocka_unit_test(test_pause_a_slow_callback_is_no_stall),
        cmocka_unit_test(test_pause_is_libcurls_where_it_is_watched),
        cmocka_unit_test(test_pause_waits_only_where_another_could_speak),
        cmocka_unit_test(test_pause_of_the_request_until_there_is_an_answer),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
