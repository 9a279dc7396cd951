/* SPDX-License-Identifier: MIT */
/* P6: while an answer is resumed the application stays in charge: it pauses,
 * aborts, and its own time ends the call. */
#include "resume_play.h"

#include "engine/grip.h"

static struct {
    unsigned at, pieces; /* pause or abort at this piece */
    bool abort;
    uns_ns until_ns;
} plan;

static size_t interfere(enum uns_piece_kind kind, const char *bytes, size_t len)
{
    (void)bytes;
    if (kind != UNS_PIECE_BODY || ++plan.pieces != plan.at)
        return len;
    plan.until_ns = fake.now_ns + 5 * UNS_S;
    return plan.abort ? 0 : CURL_WRITEFUNC_PAUSE;
}

static int go_on(void *arg, curl_off_t a, curl_off_t b, curl_off_t c,
                 curl_off_t d)
{
    (void)arg;
    (void)a;
    (void)b;
    (void)c;
    (void)d;
    if (plan.until_ns && fake.now_ns >= plan.until_ns) {
        plan.until_ns = 0;
        uns_grip_pause(bench.app, CURLPAUSE_CONT);
    }
    return 0;
}

/* P6: at any piece, the first source's and the rival's. */
static void test_resume_bears_a_pause(void **state)
{
    static const struct fake_beat *const firsts[] = {stalls, fails, cut,
                                                     unfinished};

    (void)state;
    for (size_t i = 0; i < ROWS(firsts); i++)
        for (unsigned at = 1; at <= 7; at++) {
            open_with(UNS_RESUME_VERIFY, SEEDED);
            memset(&plan, 0, sizeof plan);
            plan.at = at;
            bench.taker = interfere;
            bench_set(CURLOPT_XFERINFOFUNCTION, go_on);
            bench_set(CURLOPT_NOPROGRESS, 0L);
            BENCH_RUN(firsts[i], same);
            CHECK_INT("resumed", bench.entry->call.resumed, 1);
            CHECK_TEXT("body", bench.body, WHOLE);
            bench_close("pause");
        }
}

/* R9: nobody is asked for a program that never goes on, and its own time ends
 * the call. */
static void test_resume_waits_within_the_programs_time(void **state)
{
    static const struct fake_beat *const firsts[] = {fails, cut, unfinished};

    (void)state;
    for (size_t i = 0; i < ROWS(firsts); i++) {
        open_with(UNS_RESUME_VERIFY, SEEDED);
        memset(&plan, 0, sizeof plan);
        plan.at = i ? 2 : 1;
        bench.taker = interfere;
        BENCH_RUN(firsts[i], same);
        CHECK_INT("requests", fake.requests, 1);
        CHECK_INT("code", bench.code, CURLE_OPERATION_TIMEDOUT);
        CHECK_INT("wall_ms", bench.entry->call.wall_ms, 60000);
        bench_close("never goes on");
    }
}

static void test_resume_bears_an_abort(void **state)
{
    (void)state;
    for (unsigned at = 1; at <= 6; at++) {
        open_with(UNS_RESUME_VERIFY, SEEDED);
        memset(&plan, 0, sizeof plan);
        plan.at = at;
        plan.abort = true;
        bench.taker = interfere;
        BENCH_RUN(stalls, same);
        CHECK_INT("code", bench.code, CURLE_WRITE_ERROR);
        CHECK_TEXT("outcome", bench.entry->call.outcome, "aborted");
        CHECK_INT("nothing more", plan.pieces, at);
        bench_close("abort");
    }
}

/* With CURLOPT_HEADER the headers are in the same pieces. */
static void test_resume_tells_headers_from_the_body(void **state)
{
    (void)state;
    open_with(UNS_RESUME_VERIFY, SEEDED);
    bench_set(CURLOPT_HEADER, 1L);
    BENCH_RUN(stalls, same);
    CHECK_TEXT("body", bench.body, OK_HEAD WHOLE);
    bench_close("header");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_resume_bears_a_pause),
        cmocka_unit_test(test_resume_waits_within_the_programs_time),
        cmocka_unit_test(test_resume_bears_an_abort),
        cmocka_unit_test(test_resume_tells_headers_from_the_body),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
