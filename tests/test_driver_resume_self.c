/* SPDX-License-Identifier: MIT */
/* R4: the application's own endpoint, asked to continue its answer: only where
 * a route says that it can, and never under headers of another body. */
#include "bench.h"

#include "check.h"

#define SAID(id, text)                                              \
    "data: {\"id\":\"" id "\",\"choices\":[{\"index\":0,\"delta\":" \
    "{\"content\":\"" text "\"}}]}\n\n"
#define BEGUN "The tide at noon is high. "
#define BODY_TEXT                                                    \
    "{\"model\":\"gpt-4o\",\"stream\":true,\"seed\":7,\"messages\":" \
    "[{\"role\":\"user\",\"content\":\"hi\"}]}"
#define TURN \
    ",{\"role\":\"assistant\",\"content\":\"The tide at noon is high.\""

static const struct fake_beat stalls[] = {
    HEAD(10, OK_HEAD),
    BODY(20, SAID("a", BEGUN)),
    SILENCE,
};
static const struct fake_beat writes_on[] = {
    HEAD(10, OK_HEAD), BODY(20, SAID("b", " Mind")),
    BODY(30, STOP),    BODY(30, DONE),
    END(40, CURLE_OK),
};
static const struct fake_beat anew[] = {
    HEAD(10, OK_HEAD),
    BODY(20, SAID("b", BEGUN)),
    BODY(30, SAID("b", "Mind")),
    BODY(40, STOP),
    BODY(40, DONE),
    END(50, CURLE_OK),
};

static void test_resume_asks_the_own_endpoint(void **state)
{
    static const struct {
        const char *name, *header;
        enum uns_prefill prefill;
        const struct fake_beat *second;
        const char *asked; /* in the second request */
    } rows[] = {
        {"not declared", "x: y", UNS_PREFILL_NONE, anew, BODY_TEXT},
        {"declared", "x: y", UNS_PREFILL_ASSISTANT, writes_on, TURN "}]}"},
        {"in its form", "x: y", UNS_PREFILL_PREFIX, writes_on,
         TURN ",\"prefix\":true}]}"},
        {"its length is said", "Content-Length: 87", UNS_PREFILL_ASSISTANT,
         anew, BODY_TEXT},
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        bench_open();
        bench_headers(&rows[i].header, 1);
        bench.policy.hedge.stall_after_ns = 3 * UNS_S;
        bench.policy.hedge.resume = UNS_RESUME_AUTO;
        bench.policy.hedge.self_prefill = rows[i].prefill;
        bench_set(CURLOPT_POSTFIELDS, BODY_TEXT);
        BENCH_RUN(stalls, rows[i].second);
        CHECK_INT(rows[i].name, bench_leaked(fake.request[1], rows[i].asked),
                  true);
        CHECK_TEXT(rows[i].name, bench.body,
                   SAID("a", BEGUN) SAID("a", "Mind") STOP DONE);
        CHECK_INT(rows[i].name, bench.entry->call.resumed, 1);
        bench_close(rows[i].name);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_resume_asks_the_own_endpoint),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
