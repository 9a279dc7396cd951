/* SPDX-License-Identifier: MIT */
/* P1, P6: what the application hears, and how it stops hearing. */
#include "bench.h"

#include "check.h"
#include "engine/easy.h"
#include "engine/grip.h"
#include "engine/keep.h"

#include <stdio.h>

#define ANSWER ROLE DELTA("Hel") DELTA("lo") STOP DONE

static const struct fake_beat silent[] = {SILENCE};
static const struct fake_beat healthy[] = {
    HEAD(100, OK_HEAD),     BODY(200, ROLE), BODY(300, DELTA("Hel")),
    BODY(400, DELTA("lo")), BODY(500, STOP), BODY(500, DONE),
    END(600, CURLE_OK),
};
/* The end of the connection alone says that it is complete: what is held is
 * given when no transfer is left. */
static const struct fake_beat unmarked[] = {
    HEAD(100, OK_HEAD), BODY(300, DELTA("Hi")), BODY(400, DELTA("!")),
    BODY(500, STOP),    END(600, CURLE_OK),
};
/* Content at once, then nothing more. */
static const struct fake_beat stalls[] = {
    HEAD(10, OK_HEAD),
    BODY(20, DELTA("Hal")),
    SILENCE,
};

static void open_with(uns_ns after_ns, uns_ns hold_ns)
{
    bench_open();
    bench_sources(1);
    bench.policy.hedge.after =
        (struct uns_delay){.how = UNS_DELAY_FIXED, .fixed_ns = after_ns};
    bench.policy.hedge.hold_ns = hold_ns;
    bench.policy.hedge.stall_after_ns = 2 * UNS_S;
}

/* The same pieces, in the same order, headers before the body. */
static void test_voice_gives_the_pieces_as_they_came(void **state)
{
    static const struct row {
        const char *name;
        const struct fake_beat *first;
        uns_ns hold_ns;
    } rows[] = {
        {"primary", healthy, 0},
        {"primary, held", healthy, UNS_NEVER},
        {"primary, a while", healthy, 150 * UNS_MS},
        {"rival", silent, 0},
        {"rival, held", silent, UNS_NEVER},
        {"rival after stall", stalls, UNS_NEVER},
    };

    char pieces[100];

    (void)state;
    snprintf(pieces, sizeof pieces, "h17 h33 h2 b%zu b%zu b%zu b%zu b%zu ",
             strlen(ROLE), strlen(DELTA("Hel")), strlen(DELTA("lo")),
             strlen(STOP), strlen(DONE));
    for (size_t i = 0; i < ROWS(rows); i++) {
        open_with(3 * UNS_S, rows[i].hold_ns);
        BENCH_RUN(rows[i].first, healthy);
        CHECK_TEXT(rows[i].name, bench.body, ANSWER);
        CHECK_TEXT(rows[i].name, bench.head, OK_HEAD);
        CHECK_TEXT(rows[i].name, bench.pieces, pieces);
        CHECK_INT(rows[i].name, bench.code, CURLE_OK);
        bench_close(rows[i].name);
    }
}

/* With CURLOPT_HEADER the headers come to the write callback first. */
static void test_voice_gives_inline_headers_in_order(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        open_with(3 * UNS_S, UNS_NEVER);
        bench_set(CURLOPT_HEADER, 1L);
        BENCH_RUN(i ? silent : healthy, healthy);
        CHECK_TEXT("body", bench.body, OK_HEAD ANSWER);
        CHECK_TEXT("head", bench.head, OK_HEAD);
        assert_memory_equal(bench.pieces, "b17 h17 b33 h33 b2 h2 ", 22);
        CHECK_INT("chunks", bench.entry->call.chunk_count, 2);
        bench_close("inline");
    }
}

static int refuse_at, piece_count;
static size_t refuse_with;

static size_t refuse_nth(enum uns_piece_kind kind, const char *bytes,
                         size_t len)
{
    (void)kind;
    (void)bytes;
    return ++piece_count == refuse_at ? refuse_with : len;
}

/* P6: a short write ends the call with libcurl's own code, whoever answers
 * and whether the piece was held or not; nothing is given afterwards. */
static void test_voice_aborts_on_a_short_write(void **state)
{
    static const struct row {
        const char *name;
        const struct fake_beat *first;
        uns_ns hold_ns;
        int at; /* of eight pieces */
    } rows[] = {
        {"primary, header", healthy, 0, 1},
        {"primary, first chunk", healthy, 0, 5},
        {"primary, passing", healthy, 0, 6},
        {"primary, held", healthy, UNS_NEVER, 5},
        {"primary, last", healthy, UNS_NEVER, 8},
        {"rival, header", silent, 0, 2},
        {"rival, passing", silent, 0, 7},
        {"rival, held", silent, UNS_NEVER, 5},
        {"primary, given by the clock", healthy, 150 * UNS_MS, 5},
        {"rival, given by the clock", silent, 150 * UNS_MS, 5},
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        open_with(3 * UNS_S, rows[i].hold_ns);
        refuse_at = rows[i].at;
        refuse_with = 0;
        piece_count = 0;
        bench.taker = refuse_nth;
        BENCH_RUN(rows[i].first, healthy);
        CHECK_INT(rows[i].name, bench.code, CURLE_WRITE_ERROR);
        CHECK_INT(rows[i].name, piece_count, rows[i].at);
        CHECK_INT(rows[i].name, bench.error[0] != '\0', true);
        CHECK_TEXT(rows[i].name, bench.entry->call.outcome, "aborted");
        bench_close(rows[i].name);
    }
}

/* P6: CURL_WRITEFUNC_PAUSE at any piece, unpaused from the progress callback
 * some time later: the same bytes, none twice, none lost. */
static int pause_at;

static size_t pause_once(enum uns_piece_kind kind, const char *bytes,
                         size_t len)
{
    (void)kind;
    (void)bytes;
    if (++piece_count != pause_at)
        return len;
    return CURL_WRITEFUNC_PAUSE;
}

static int unpause_soon(void *arg, curl_off_t a, curl_off_t b, curl_off_t c,
                        curl_off_t d)
{
    const struct uns_keep *keep = bench.app->call;

    (void)arg;
    (void)a;
    (void)b;
    (void)c;
    (void)d;
    bench.progress_calls++;
    if (keep->call && keep->call->paused) {
        fake_pass_ms(700);
        assert_int_equal(uns_grip_pause(bench.app, CURLPAUSE_CONT), CURLE_OK);
    }
    return bench.progress;
}

static void watch_progress(void)
{
    bench_set(CURLOPT_XFERINFOFUNCTION, unpause_soon);
    bench_set(CURLOPT_NOPROGRESS, 0L);
}

static void test_voice_pauses_anywhere(void **state)
{
    static const struct row {
        const char *name;
        const struct fake_beat *first;
        uns_ns hold_ns;
    } rows[] = {
        {"primary", healthy, 0},
        {"primary, held", healthy, UNS_NEVER},
        {"rival", silent, 0},
        {"rival, held", silent, UNS_NEVER},
        {"primary, a while", healthy, 150 * UNS_MS},
        {"rival, a while", silent, 150 * UNS_MS},
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++)
        for (pause_at = 1; pause_at <= 8; pause_at++) {
            open_with(3 * UNS_S, rows[i].hold_ns);
            bench.taker = pause_once;
            piece_count = 0;
            watch_progress();
            BENCH_RUN(rows[i].first, healthy);
            CHECK_TEXT(rows[i].name, bench.body, ANSWER);
            CHECK_TEXT(rows[i].name, bench.head, OK_HEAD);
            CHECK_INT(rows[i].name, piece_count, 9);
            CHECK_INT(rows[i].name, bench.code, CURLE_OK);
            CHECK_INT(rows[i].name, bench.entry->call.chunk_count, 2);
            CHECK_INT(rows[i].name, bench.entry->call.app_ms >= 700, true);
            CHECK_INT(rows[i].name, bench.entry->call.stall_count, 0);
            bench_close(rows[i].name);
        }
}

/* R2, P7: while the application is paused its clocks stand still; nobody is
 * asked for what it does not want to hear. */
static void test_voice_that_is_paused_is_no_stall(void **state)
{
    (void)state;
    open_with(3 * UNS_S, 0);
    bench.taker = pause_once;
    pause_at = 6;
    piece_count = 0;
    watch_progress();
    BENCH_RUN(healthy, healthy);
    CHECK_INT("requests", fake.requests, 1);
    bench_close("paused");
}

/* P6: the progress callback aborts, before and after the voice is known, and
 * when a rival alone is left. */
static void test_voice_ends_at_the_progress_callback(void **state)
{
    static const struct fake_beat breaks[] = {END(10, CURLE_RECV_ERROR)};

    static const struct row {
        const char *name;
        const struct fake_beat *first, *second;
        unsigned requests;
    } rows[] = {
        {"silence", silent, healthy, 1},
        {"rival is left", breaks, silent, 2},
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        open_with(3 * UNS_S, 0);
        bench.policy.hedge.failover.status[500] = true;
        watch_progress();
        bench.progress = i == 0;
        if (i == 1)
            bench_set(CURLOPT_TIMEOUT, 20L);
        BENCH_RUN(rows[i].first, rows[i].second);
        CHECK_INT(rows[i].name, fake.requests, rows[i].requests);
        if (i == 0)
            CHECK_INT(rows[i].name, bench.code, CURLE_ABORTED_BY_CALLBACK);
        CHECK_INT(rows[i].name, bench.progress_calls > 0, true);
        bench_close(rows[i].name);
    }
}

/* libcurl takes CURL_PROGRESSFUNC_CONTINUE for "go on". */
static void test_voice_goes_on_when_progress_says_continue(void **state)
{
    (void)state;
    open_with(3 * UNS_S, UNS_NEVER);
    bench.taker = pause_once;
    pause_at = 5;
    piece_count = 0;
    bench.progress = CURL_PROGRESSFUNC_CONTINUE;
    watch_progress();
    BENCH_RUN(silent, unmarked);
    CHECK_INT("code", bench.code, CURLE_OK);
    CHECK_TEXT("body", bench.body, DELTA("Hi") DELTA("!") STOP);
    bench_close("continue");
}

/* P6: all is here, the application has paused, and its progress callback
 * wants no more. */
static int abort_when_paused(void *arg, curl_off_t a, curl_off_t b,
                             curl_off_t c, curl_off_t d)
{
    const struct uns_keep *keep = bench.app->call;

    (void)arg;
    (void)a;
    (void)b;
    (void)c;
    (void)d;
    return keep->call && keep->call->paused;
}

static void test_voice_that_is_paused_can_be_ended(void **state)
{
    static const struct fake_beat *const first[] = {unmarked, silent};

    (void)state;
    for (size_t i = 0; i < ROWS(first); i++) {
        open_with(3 * UNS_S, UNS_NEVER);
        bench.taker = pause_once;
        pause_at = 5;
        piece_count = 0;
        bench_set(CURLOPT_XFERINFOFUNCTION, abort_when_paused);
        bench_set(CURLOPT_NOPROGRESS, 0L);
        BENCH_RUN(first[i], unmarked);
        CHECK_INT("code", bench.code, CURLE_ABORTED_BY_CALLBACK);
        CHECK_TEXT("body", bench.body, DELTA("Hi"));
        CHECK_TEXT("outcome", bench.entry->call.outcome, "aborted");
        bench_close("ended");
    }
}

/* R9: all is here, the application has paused for good: its own time limit
 * still holds, as it would have without us. */
static void test_voice_that_is_paused_times_out(void **state)
{
    static const struct row {
        const char *name;
        const struct fake_beat *first, *second;
    } rows[] = {
        {"primary", unmarked, silent},
        {"rival", silent, unmarked},
        {"primary, unfinished", healthy, silent},
        {"rival, unfinished", silent, healthy},
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        open_with(3 * UNS_S, UNS_NEVER);
        bench.taker = pause_once;
        pause_at = 5;
        piece_count = 0;
        bench_set(CURLOPT_TIMEOUT, 20L);
        BENCH_RUN(rows[i].first, rows[i].second);
        CHECK_INT(rows[i].name, bench.code, CURLE_OPERATION_TIMEDOUT);
        CHECK_INT(rows[i].name, piece_count, 5);
        CHECK_INT(rows[i].name, bench.entry->call.wall_ms / 100, 200);
        CHECK_INT(rows[i].name, bench.error[0] != '\0', true);
        bench_close(rows[i].name);
    }
}

/* Without a callback libcurl writes to WRITEDATA as a file. */
static void test_voice_writes_to_a_file_without_a_callback(void **state)
{
    char text[sizeof ANSWER + 10] = "";
    FILE *file = tmpfile();

    (void)state;
    assert_non_null(file);
    open_with(3 * UNS_S, 0);
    bench_set(CURLOPT_WRITEFUNCTION, NULL);
    bench_set(CURLOPT_WRITEDATA, file);
    bench_set(CURLOPT_HEADERFUNCTION, NULL);
    bench_set(CURLOPT_HEADERDATA, NULL);
    BENCH_RUN(silent, healthy);
    rewind(file);
    assert_int_equal(fread(text, 1, sizeof text, file), strlen(ANSWER));
    CHECK_TEXT("file", text, ANSWER);
    bench_close("file");
    fclose(file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_voice_gives_the_pieces_as_they_came),
        cmocka_unit_test(test_voice_gives_inline_headers_in_order),
        cmocka_unit_test(test_voice_aborts_on_a_short_write),
        cmocka_unit_test(test_voice_pauses_anywhere),
        cmocka_unit_test(test_voice_that_is_paused_is_no_stall),
        cmocka_unit_test(test_voice_ends_at_the_progress_callback),
        cmocka_unit_test(test_voice_goes_on_when_progress_says_continue),
        cmocka_unit_test(test_voice_that_is_paused_can_be_ended),
        cmocka_unit_test(test_voice_that_is_paused_times_out),
        cmocka_unit_test(test_voice_writes_to_a_file_without_a_callback),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
