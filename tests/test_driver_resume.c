/* SPDX-License-Identifier: MIT */
/* R4, R3 after the commit: an answer that stops is continued by a rival, or
 * ends as it would have; the application gets one answer (P1). */
#include "resume_play.h"

static const struct fake_beat healthy[] = {
    HEAD(10, OK_HEAD),    BODY(20, A("The ")), BODY(30, A("tide ")),
    BODY(40, A("rises")), BODY(50, STOP),      BODY(50, DONE),
    END(60, CURLE_OK),
};
static const struct fake_beat comes_back[] = {
    HEAD(10, OK_HEAD),   BODY(20, A("The ")), BODY(30, A("ti")),
    BODY(3080, A("de")), BODY(3090, STOP),    BODY(3090, DONE),
    END(3100, CURLE_OK),
};
/* Its first event was held until it said something. */
static const struct fake_beat fails_soon[] = {
    HEAD(10, OK_HEAD),
    BODY(20, ROLE),
    BODY(30, A("The ") A("ti") FAILED),
    END(40, CURLE_OK),
};
static const struct fake_beat slow[] = {
    HEAD(500, OK_HEAD),    BODY(600, B("The ")),   BODY(700, B("t")),
    BODY(2500, B("ide ")), BODY(2600, B("rises")), BODY(2700, STOP DONE),
    END(2800, CURLE_OK),
};
static const struct fake_beat other[] = {
    HEAD(10, OK_HEAD), BODY(20, B("The wind ")), BODY(30, STOP),
    BODY(30, DONE),    END(40, CURLE_OK),
};
static const struct fake_beat breaks[] = {
    HEAD(10, OK_HEAD),
    BODY(20, B("The tide ")),
    END(30, CURLE_RECV_ERROR),
};
static const struct fake_beat refuses[] = {
    HEAD(10, "HTTP/1.1 400 Bad Request\r\n\r\n"),
    BODY(20, "{\"error\":{\"message\":\"no prefill\"}}"),
    END(30, CURLE_OK),
};

static void test_resume_goes_on_with_an_answer(void **state)
{
    static const struct row {
        const char *name;
        const struct fake_beat *first, *second;
        const char *body;
        CURLcode code;
        int wall_ms;
        const char *outcomes; /* of the attempts */
        bool resumed;
    } rows[] = {
        {"well", healthy, NULL, A("The ") A("tide ") A("rises") STOP DONE,
         CURLE_OK, 60, "won", false},
        {"a stall", stalls, same, WHOLE, CURLE_OK, 3090, "hedge_cancelled won",
         true},
        {"a cut in a text", cut, same, WHOLE, CURLE_OK, 100, "failed won",
         true},
        {"an error event", fails, same, WHOLE, CURLE_OK, 80, "failed won",
         true},
        {"an error event behind the first word", fails_soon, same, ROLE WHOLE,
         CURLE_OK, 90, "failed won", true},
        {"an end without a finish", unfinished, same, WHOLE, CURLE_OK, 100,
         "failed won", true},
        {"the first one comes back before", comes_back, slow,
         BEGUN A("de") STOP DONE, CURLE_OK, 3100, "won hedge_cancelled", false},
        {"another answer, a stall", comes_back, other, BEGUN A("de") STOP DONE,
         CURLE_OK, 3100, "won diverged", false},
        {"another answer, an error event", fails, other, BEGUN FAILED DONE,
         CURLE_OK, 40, "won diverged", false},
        {"another answer, no finish", unfinished, other, BEGUN, CURLE_OK, 60,
         "won diverged", false},
        {"another answer, a cut", cut, other,
         A("The ") "data: {\"id\":\"a\",\"choices\":[{\"index\":0,\"delta\":"
                   "{\"content\":\"ti",
         CURLE_RECV_ERROR, 60, "won diverged", false},
        {"a refusal is never the answer", fails, refuses, BEGUN FAILED DONE,
         CURLE_OK, 40, "won failed", false},
        {"joined, and broken off itself", stalls, breaks, BEGUN A("de "),
         CURLE_RECV_ERROR, 3060, "hedge_cancelled won", true},
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        char outcomes[64] = "";

        open_with(UNS_RESUME_VERIFY, SEEDED);
        BENCH_RUN(rows[i].first, rows[i].second);
        for (unsigned a = 0; a < bench.entry->attempts; a++) {
            strcat(outcomes, a ? " " : "");
            strcat(outcomes, bench.entry->attempt[a].outcome);
        }
        CHECK_TEXT(rows[i].name, bench.body, rows[i].body);
        CHECK_INT(rows[i].name, bench.code, rows[i].code);
        CHECK_INT(rows[i].name, bench.entry->call.wall_ms, rows[i].wall_ms);
        CHECK_INT(rows[i].name, bench.entry->call.resumed, rows[i].resumed);
        CHECK_TEXT(rows[i].name, outcomes, rows[i].outcomes);
        CHECK_TEXT(rows[i].name, bench.head, OK_HEAD);
        bench_close(rows[i].name);
    }
}

/* Nothing is sent where nothing can be won. */
static void test_resume_asks_where_it_can_win(void **state)
{
    static const char plain[] = "{\"model\":\"gpt-4o\",\"stream\":true,"
                                "\"messages\":[{\"role\":\"user\"}]}";

    static const struct row {
        const char *name;
        enum uns_resume resume;
        const char *body;
        const struct fake_beat *first;
        unsigned requests;
        const char *reason;
    } rows[] = {
        {"auto: a seed", UNS_RESUME_AUTO, SEEDED, stalls, 2, "resume"},
        {"auto: no seed", UNS_RESUME_AUTO, plain, comes_back, 1,
         "not_resumable"},
        {"auto: no seed, but lost anyway", UNS_RESUME_AUTO, plain, fails, 2,
         "resume"},
        {"verify: any request", UNS_RESUME_VERIFY, plain, stalls, 2, "resume"},
        {"prefill: none declared", UNS_RESUME_PREFILL, SEEDED, comes_back, 1,
         "not_resumable"},
        {"off", UNS_RESUME_OFF, SEEDED, comes_back, 1, ""},
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        open_with(rows[i].resume, rows[i].body);
        BENCH_RUN(rows[i].first, same);
        CHECK_INT(rows[i].name, fake.requests, rows[i].requests);
        CHECK_TEXT(rows[i].name, bench.entry->call.hedge_reason,
                   rows[i].reason);
        CHECK_INT(rows[i].name, bench.code, CURLE_OK);
        bench_close(rows[i].name);
    }
}

static const struct fake_beat long_stall[] = {
    HEAD(10, OK_HEAD),
    BODY(20, A("The tide at noon is high. ")),
    SILENCE,
};
static const struct fake_beat writes_on[] = {
    HEAD(10, OK_HEAD), BODY(20, B(" Mind")), BODY(30, STOP),
    BODY(30, DONE),    END(40, CURLE_OK),
};

static void test_resume_asks_to_continue(void **state)
{
    (void)state;
    open_with(UNS_RESUME_AUTO, SEEDED);
    bench.source[0].prefill = UNS_PREFILL_PREFIX;
    BENCH_RUN(long_stall, writes_on);
    CHECK_TEXT("body", bench.body,
               A("The tide at noon is high. ") A("Mind") STOP DONE);
    CHECK_INT("asked so",
              bench_leaked(fake.request[1],
                           ",{\"role\":\"assistant\",\"content\":\"The tide at "
                           "noon is high.\",\"prefix\":true}]}"),
              true);
    CHECK_INT("resumed", bench.entry->call.resumed, 1);
    bench_close("prefill");
}

static void test_resume_verifies_after_a_refusal(void **state)
{
    static const struct fake_beat anew[] = {
        HEAD(10, OK_HEAD),
        BODY(20, B("The tide at noon is high. Mind")),
        BODY(30, STOP DONE),
        END(40, CURLE_OK),
    };

    (void)state;
    open_with(UNS_RESUME_AUTO, SEEDED);
    bench.policy.source_count = 1;
    bench.policy.hedge.max_attempts = 3;
    bench.source[0].prefill = UNS_PREFILL_ASSISTANT;
    BENCH_RUN(long_stall, refuses, anew);
    CHECK_TEXT("body", bench.body,
               A("The tide at noon is high. ") A("Mind") STOP DONE);
    CHECK_INT("as it was", fake.request[2]->body_len, strlen(SEEDED));
    CHECK_INT("winner", bench.entry->call.winner, 2);
    bench_close("refused");
}

/* R8, R9: the first one's watchdog loses it, and names the end if nobody can
 * go on; the program's own time bounds all. */
static void test_resume_within_its_time(void **state)
{
    (void)state;
    open_with(UNS_RESUME_VERIFY, SEEDED);
    bench.policy.stream.stall_timeout_ns = 4 * UNS_S;
    BENCH_RUN(stalls, slow);
    CHECK_TEXT("watchdog", bench.body, WHOLE);
    bench_close("watchdog");

    open_with(UNS_RESUME_VERIFY, SEEDED);
    bench.policy.stream.stall_timeout_ns = 4 * UNS_S;
    BENCH_RUN(stalls, other);
    CHECK_TEXT("named", bench.body, BEGUN);
    CHECK_INT("named", bench.code, CURLE_OPERATION_TIMEDOUT);
    CHECK_INT("named", strstr(bench.error, "stall_timeout_s") != NULL, true);
    bench_close("named");

    open_with(UNS_RESUME_VERIFY, SEEDED);
    bench_set(CURLOPT_TIMEOUT, 4L);
    BENCH_RUN(stalls, slow);
    CHECK_TEXT("total", bench.body, BEGUN);
    CHECK_INT("total", bench.code, CURLE_OPERATION_TIMEDOUT);
    bench_close("total");
}

/* What cannot be kept is not resumed. */
static void test_resume_keeps_to_its_limit(void **state)
{
    (void)state;
    open_with(UNS_RESUME_VERIFY, SEEDED);
    bench.policy.hedge.hold_limit_bytes = strlen("The ") + 1;
    BENCH_RUN(comes_back, same);
    CHECK_INT("requests", fake.requests, 1);
    CHECK_TEXT("reason", bench.entry->call.hedge_reason, "too_long");
    CHECK_TEXT("body", bench.body, BEGUN A("de") STOP DONE);
    bench_close("limit");
}

/* A third source goes on where the second one stopped. */
static void test_resume_goes_on_twice(void **state)
{
    (void)state;
    open_with(UNS_RESUME_VERIFY, SEEDED);
    bench.policy.hedge.max_attempts = 3;
    BENCH_RUN(cut, breaks, same);
    CHECK_TEXT("body", bench.body, WHOLE);
    CHECK_INT("winner", bench.entry->call.winner, 2);
    bench_close("twice");
}

/* Whichever allocation fails: one answer, whole or cut at its end. */
static void test_resume_bears_a_lack_of_memory(void **state)
{
    static const struct fake_beat *const firsts[] = {stalls, fails, cut};

    (void)state;
    for (size_t i = 0; i < ROWS(firsts); i++)
        for (unsigned n = 1, asked = 1; n <= asked; n++) {
            open_with(UNS_RESUME_VERIFY, SEEDED);
            fake_memory_fail(n, false);
            BENCH_RUN(firsts[i], same);
            asked = fake_memory_asked();
            CHECK_INT("begins as it should",
                      strncmp(bench.body, WHOLE, strlen(bench.body)) == 0 ||
                          strncmp(bench.body, A("The "), strlen(A("The "))) ==
                              0 ||
                          bench.body[0] == '\0' || !bench.ours,
                      true);
            fake_memory_fail(0, false);
            bench_close("memory");
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_resume_goes_on_with_an_answer),
        cmocka_unit_test(test_resume_asks_where_it_can_win),
        cmocka_unit_test(test_resume_asks_to_continue),
        cmocka_unit_test(test_resume_verifies_after_a_refusal),
        cmocka_unit_test(test_resume_within_its_time),
        cmocka_unit_test(test_resume_keeps_to_its_limit),
        cmocka_unit_test(test_resume_goes_on_twice),
        cmocka_unit_test(test_resume_bears_a_lack_of_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
