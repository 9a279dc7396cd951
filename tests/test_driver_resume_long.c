/* SPDX-License-Identifier: MIT */
/* R4: an answer of any length can be resumed, and what is kept of it while it
 * streams is its text, not its bytes. */
#include "bench.h"

#include "check.h"
#include "engine/keep.h"
#include "engine/resume.h"

#include <stdio.h>
#include <stdlib.h>

#define SAID(id, text)                                              \
    "data: {\"id\":\"" id "\",\"choices\":[{\"index\":0,\"delta\":" \
    "{\"content\":\"" text "\"}}]}\n\n"
#define SEEDED                                                       \
    "{\"model\":\"gpt-4o\",\"stream\":true,\"seed\":7,\"messages\":" \
    "[{\"role\":\"user\",\"content\":\"hi\"}]}"

enum {
    PIECES = 60,
    FRAMES = 16 /* in a piece */
};

/* What both servers say, a piece a millisecond. */
static char said[2][PIECES][FRAMES * 96];
static struct fake_beat lead[PIECES + 3], rival[PIECES + 4];

static void write_pieces(void)
{
    for (unsigned i = 0; i < PIECES * FRAMES; i++)
        for (unsigned who = 0; who < 2; who++) {
            char *piece = said[who][i / FRAMES];
            char *end = i % FRAMES ? piece + strlen(piece) : piece;

            (void)sprintf(end, who ? SAID("b", "%u ") : SAID("a", "%u "), i);
        }
}

/* The lead stops behind so many pieces, the last one cut in the middle. */
static void write_plays(unsigned stop)
{
    write_pieces();
    said[0][stop - 1][strlen(said[0][stop - 1]) - 30] = '\0';
    lead[0] = (struct fake_beat)HEAD(10, OK_HEAD);
    rival[0] = lead[0];
    for (unsigned i = 0; i < PIECES; i++) {
        lead[i + 1] = (struct fake_beat)BODY(20 + (int)i, said[0][i]);
        rival[i + 1] = (struct fake_beat)BODY(20 + (int)i, said[1][i]);
    }
    lead[stop + 1] = (struct fake_beat)SILENCE;
    rival[PIECES + 1] = (struct fake_beat)BODY(90, STOP);
    rival[PIECES + 2] = (struct fake_beat)BODY(90, DONE);
    rival[PIECES + 3] = (struct fake_beat)END(99, CURLE_OK);
}

static void open_seeded(void)
{
    bench_open();
    bench_sources(2);
    bench.policy.hedge.stall_after_ns = 3 * UNS_S;
    bench.policy.hedge.resume = UNS_RESUME_VERIFY;
    bench_set(CURLOPT_TIMEOUT, 60L);
    bench_set(CURLOPT_POSTFIELDS, SEEDED);
}

/* The numbers that were said, from 0 on. */
static unsigned count_said(void)
{
    static const char before[] = "{\"content\":\"";
    unsigned next = 0;

    for (const char *at = bench.body; (at = strstr(at, before));) {
        at += sizeof before - 1;
        if (*at != '"')
            CHECK_INT("in order", atoi(at), next++);
    }
    return next;
}

static void test_resume_goes_on_with_a_long_answer(void **state)
{
    static const unsigned stops[] = {1, 20, 24, 25, 45, 60};

    (void)state;
    for (size_t i = 0; i < ROWS(stops); i++) {
        open_seeded();
        write_plays(stops[i]);
        BENCH_RUN(lead, rival);
        CHECK_INT("said", count_said(), PIECES * FRAMES);
        CHECK_INT("resumed", bench.entry->call.resumed, 1);
        CHECK_INT("names", strstr(bench.body, "\"b\"") == NULL, true);
        bench_close("long");
    }
}

static size_t most_kept, last_kept;

static size_t memory_of(const struct uns_resume_state *resume)
{
    size_t size = sizeof *resume + resume->given.cap + resume->told.tail.cap +
                  resume->told.bytes.cap + resume->told.pattern.bytes.cap;

    for (unsigned i = 0; i < resume->told.strands; i++)
        size += resume->told.strand[i].text.cap;
    return size;
}

static size_t look(enum uns_piece_kind kind, const char *bytes, size_t len)
{
    const struct uns_keep *keep = bench.app->call;
    const struct uns_resume_state *resume = keep->call->resume;

    (void)kind;
    (void)bytes;
    last_kept = resume ? memory_of(resume) : 0;
    if (last_kept > most_kept)
        most_kept = last_kept;
    return len;
}

static void test_resume_keeps_little_of_a_long_answer(void **state)
{
    (void)state;
    open_seeded();
    write_plays(PIECES);
    bench.taker = look;
    BENCH_RUN(lead, rival);
    CHECK_INT("long", strlen(bench.body) > 65536, true);
    CHECK_INT("kept", most_kept > 32768, true);
    CHECK_INT("little", most_kept < 65536, true);
    CHECK_INT("as text", last_kept < 32768, true);
    bench_close("memory");
}

/* What cannot be resumed any more is not remembered any more. */
static void test_resume_forgets_what_it_gave_up(void **state)
{
    (void)state;
    most_kept = 0;
    open_seeded();
    bench.policy.hedge.hold_limit_bytes = 2000;
    write_plays(PIECES);
    bench.taker = look;
    BENCH_RUN(lead, rival);
    CHECK_INT("kept", most_kept > sizeof(struct uns_resume_state) + 2000, true);
    CHECK_INT("left", last_kept, sizeof(struct uns_resume_state));
    CHECK_INT("requests", fake.requests, 1);
    CHECK_TEXT("reason", bench.entry->call.hedge_reason, "too_long");
    bench_close("given up");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_resume_goes_on_with_a_long_answer),
        cmocka_unit_test(test_resume_keeps_little_of_a_long_answer),
        cmocka_unit_test(test_resume_forgets_what_it_gave_up),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
