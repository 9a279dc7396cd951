/* SPDX-License-Identifier: MIT */
/* P6: what the application does inside its callbacks, and what its error
 * buffer says, then and afterwards. */
#include "bench.h"

#include "check.h"
#include "engine/easy.h"
#include "engine/grip.h"
#include "engine/keep.h"
#include "engine/rules.h"

#define FAILS     "fake: error 56"
#define NO_HEADER "Failed writing header"
#define NO_WRITE  "Failure writing output to destination"
#define IN_USE    "easy handle already used in multi handle"

static const struct fake_beat silent[] = {SILENCE};
static const struct fake_beat breaks[] = {END(10, CURLE_RECV_ERROR)};
static const struct fake_beat healthy[] = {
    HEAD(100, OK_HEAD),     BODY(200, ROLE), BODY(300, DELTA("Hel")),
    BODY(400, DELTA("lo")), BODY(500, STOP), BODY(500, DONE),
    END(600, CURLE_OK),
};
/* The last of it says nothing about the end: it is given after the end. */
static const struct fake_beat cut[] = {
    HEAD(100, OK_HEAD),
    BODY(300, DELTA("Hal")),
    END(400, CURLE_PARTIAL_FILE),
};

static int piece_count, act_at, progress_count;
static CURLcode answer;
static bool answered;
static char seen[CURL_ERROR_SIZE];

static void open_with(uns_ns hold_ns)
{
    bench_open();
    bench_sources(1);
    bench.policy.hedge.after =
        (struct uns_delay){.how = UNS_DELAY_FIXED, .fixed_ns = 3 * UNS_S};
    bench.policy.hedge.hold_ns = hold_ns;
    bench.policy.hedge.failover.status[500] = true;
    piece_count = progress_count = 0;
    answered = false;
    seen[0] = '\0';
}

static size_t refuse_nth(enum uns_piece_kind kind, const char *bytes,
                         size_t len)
{
    (void)kind;
    (void)bytes;
    return ++piece_count == act_at ? 0 : len;
}

/* A short write of a held piece is told in libcurl's words for its kind; one
 * that passes through by libcurl itself (here: the fake). */
static void test_inside_short_write_has_libcurls_words(void **state)
{
    static const struct row {
        const char *name;
        const struct fake_beat *first, *second;
        uns_ns hold_ns;
        int at; /* of eight pieces, three of them header lines */
        const char *text;
    } rows[] = {
        {"held header", healthy, silent, 0, 2, NO_HEADER},
        {"held piece", healthy, silent, 0, 4, NO_WRITE},
        {"all held", healthy, silent, UNS_NEVER, 7, NO_WRITE},
        {"rival, held header", silent, healthy, 0, 1, NO_HEADER},
        {"rival, held piece", silent, healthy, UNS_NEVER, 5, NO_WRITE},
        {"passing", healthy, silent, 0, 7, "fake: error 23"},
        {"rival, passing", silent, healthy, 0, 7, "fake: error 23"},
        {"cut before it is given", cut, cut, UNS_NEVER, 4, NO_WRITE},
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        open_with(rows[i].hold_ns);
        act_at = rows[i].at;
        bench.taker = refuse_nth;
        BENCH_RUN(rows[i].first, rows[i].second);
        CHECK_INT(rows[i].name, bench.code, CURLE_WRITE_ERROR);
        CHECK_INT(rows[i].name, piece_count, rows[i].at);
        CHECK_TEXT(rows[i].name, bench.error, rows[i].text);
        bench_close(rows[i].name);
    }
}

static size_t taken_of_fifth;

static size_t misread_fifth(enum uns_piece_kind kind, const char *bytes,
                            size_t len)
{
    (void)kind;
    (void)bytes;
    return ++piece_count == 5 ? taken_of_fifth : len;
}

static void test_inside_words_are_of_that_libcurls_version(void **state)
{
    static const struct row {
        const char *name;
        unsigned version;
        size_t taken;
        const char *text;
    } rows[] = {
        {"8.6", 0x080600, 1, NO_WRITE},
        {"8.7", 0x080700, 1, NO_WRITE ", passed 59 returned 1"},
        {"8.7, error", 0x080700, CURL_WRITEFUNC_ERROR,
         NO_WRITE ", passed 59 returned 4294967295"},
        {"8.8", 0x080800, 1, NO_WRITE ", passed 59 returned 1"},
        {"8.8, error", 0x080800, CURL_WRITEFUNC_ERROR,
         "client returned ERROR on write of 59 bytes"},
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        open_with(UNS_NEVER);
        fake.version = rows[i].version;
        taken_of_fifth = rows[i].taken;
        bench.taker = misread_fifth;
        BENCH_RUN(healthy, silent);
        CHECK_INT(rows[i].name, bench.code, CURLE_WRITE_ERROR);
        CHECK_TEXT(rows[i].name, bench.error, rows[i].text);
        bench_close(rows[i].name);
    }
}

static size_t look_at_error(enum uns_piece_kind kind, const char *bytes,
                            size_t len)
{
    (void)kind;
    (void)bytes;
    memcpy(seen, bench.error, sizeof seen);
    piece_count++;
    return len;
}

/* While the backup answers, the buffer says nothing of the primary's failure;
 * when nobody does it says that, and nothing of the backup's. */
static void test_inside_error_buffer_is_the_answers(void **state)
{
    static const struct row {
        const char *name;
        const struct fake_beat *second;
        CURLcode code;
        const char *text;
    } rows[] = {
        {"backup answers", healthy, CURLE_OK, ""},
        {"both fail", breaks, CURLE_RECV_ERROR, FAILS},
        {"only watched", NULL, CURLE_RECV_ERROR, FAILS},
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        open_with(0);
        if (!rows[i].second)
            bench.policy.mode = UNS_MODE_OBSERVE;
        bench.taker = look_at_error;
        BENCH_RUN(breaks, rows[i].second);
        CHECK_INT(rows[i].name, bench.code, rows[i].code);
        CHECK_INT(rows[i].name, piece_count > 0, rows[i].code == CURLE_OK);
        CHECK_TEXT(rows[i].name, seen, "");
        CHECK_TEXT(rows[i].name, bench.error, rows[i].text);
        bench_close(rows[i].name);
    }
}

static size_t perform_again(enum uns_piece_kind kind, const char *bytes,
                            size_t len)
{
    (void)kind;
    (void)bytes;
    if (++piece_count == act_at)
        answered = uns_easy_perform(bench.app, &answer);
    return len;
}

/* libcurl refuses a perform inside a callback, for the handle is in a multi.
 * Once it has left that, in favour of a rival, the engine refuses. */
static void test_inside_perform_is_refused(void **state)
{
    static const struct row {
        const char *name;
        const struct fake_beat *first;
        int at;
        bool by_engine;
    } rows[] = {
        {"primary, header", healthy, 1, false},
        {"primary, later", healthy, 7, false},
        {"rival, later", silent, 7, true},
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        open_with(0);
        act_at = rows[i].at;
        bench.taker = perform_again;
        BENCH_RUN(rows[i].first, healthy);
        CHECK_INT(rows[i].name, bench.code, CURLE_OK);
        CHECK_INT(rows[i].name, answered, rows[i].by_engine);
        if (rows[i].by_engine)
            CHECK_INT(rows[i].name, answer, CURLE_FAILED_INIT);
        CHECK_TEXT(rows[i].name, bench.error, rows[i].by_engine ? IN_USE : "");
        CHECK_INT(rows[i].name, fake.requests, i < 2 ? 1 : 2);
        bench_close(rows[i].name);
    }
}

/* The application stops listening before there is anything to hear, and
 * listens again when all has come. */
static int pause_early(void *arg, curl_off_t a, curl_off_t b, curl_off_t c,
                       curl_off_t d)
{
    (void)arg;
    (void)a;
    (void)b;
    (void)c;
    (void)d;
    progress_count++;
    if (progress_count == act_at)
        answer = uns_grip_pause(bench.app, CURLPAUSE_RECV);
    if (progress_count > act_at && piece_count == 0 && !answered) {
        fake_pass_ms(900);
        answered = uns_grip_pause(bench.app, CURLPAUSE_CONT) == CURLE_OK;
    }
    return 0;
}

static void test_inside_pause_before_anything_came(void **state)
{
    static const struct row {
        const char *name;
        const struct fake_beat *first;
        uns_ns hold_ns;
        int at; /* which progress call */
    } rows[] = {
        {"primary", healthy, 0, 1},
        {"primary, held", healthy, UNS_NEVER, 1},
        {"rival after a failure", breaks, 0, 2},
        {"rival, held", breaks, UNS_NEVER, 2},
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        open_with(rows[i].hold_ns);
        act_at = rows[i].at;
        answer = CURLE_AGAIN;
        bench_set(CURLOPT_XFERINFOFUNCTION, pause_early);
        bench_set(CURLOPT_NOPROGRESS, 0L);
        bench.taker = look_at_error;
        BENCH_RUN(rows[i].first, healthy);
        CHECK_INT(rows[i].name, answer, CURLE_OK);
        CHECK_INT(rows[i].name, answered, true);
        CHECK_INT(rows[i].name, bench.code, CURLE_OK);
        CHECK_INT(rows[i].name, piece_count, 8);
        bench_close(rows[i].name);
    }
}

/* The primary has failed, and the backup is silent: the progress callback is
 * called all the same. */
static int stop_when_left(void *arg, curl_off_t a, curl_off_t b, curl_off_t c,
                          curl_off_t d)
{
    const struct uns_keep *keep = bench.app->call;

    (void)arg;
    (void)a;
    (void)b;
    (void)c;
    (void)d;
    return keep->call->attempt[0]->ended;
}

static void test_inside_progress_goes_on_without_the_primary(void **state)
{
    (void)state;
    open_with(0);
    bench_set(CURLOPT_XFERINFOFUNCTION, stop_when_left);
    bench_set(CURLOPT_NOPROGRESS, 0L);
    bench_set(CURLOPT_TIMEOUT, 20L);
    BENCH_RUN(breaks, silent);
    CHECK_INT("requests", fake.requests, 2);
    CHECK_INT("code", bench.code, CURLE_ABORTED_BY_CALLBACK);
    CHECK_TEXT("text", bench.error, "fake: error 42");
    bench_close("left");
}

/* After a pause libcurl gives the header lines that came meanwhile in one
 * piece. */
static void test_inside_header_lines_may_come_together(void **state)
{
    char lines[] = "HTTP/1.1 200 OK\r\nX: y\r\n"
                   "content-type: text/event-stream\r\n\r\n";
    struct uns_attempt *attempt;
    struct uns_call *call;

    (void)state;
    open_with(0);
    call = uns_keep_make(bench.app);
    attempt = uns_attempt_new(call, bench.app->easy, NULL);
    uns_rules_start(call, 0);
    CHECK_INT("taken",
              uns_attempt_on_header(lines, 1, sizeof lines - 1, attempt),
              sizeof lines - 1);
    CHECK_INT("status", attempt->head.status, 200);
    CHECK_INT("complete", attempt->head.complete, true);
    CHECK_INT("answered", attempt->answered, true);
    CHECK_TEXT("type", attempt->head.type, "text/event-stream");
    uns_keep_unmake(call, NULL);
    bench_close("lines");
}

static uns_ns aborts_at;

static int abort_late(void *arg, curl_off_t a, curl_off_t b, curl_off_t c,
                      curl_off_t d)
{
    (void)arg;
    (void)a;
    (void)b;
    (void)c;
    (void)d;
    progress_count++;
    return fake.now_ns >= aborts_at;
}

/* P6: who looks once a second does so, whatever wakes us for rivals. */
static void test_inside_progress_keeps_libcurls_pace(void **state)
{
    static const struct row {
        const char *name;
        int after_ms;
        unsigned rivals;
    } rows[] = {
        {"alone", 5000, 0},
        {"a rival", 600, 1},
        {"rivals all the time", 240, 4},
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        uns_ns begin;

        open_with(0);
        bench.policy.hedge.after.fixed_ns = rows[i].after_ms * UNS_MS;
        bench.policy.hedge.max_attempts = 5;
        bench_set(CURLOPT_XFERINFOFUNCTION, abort_late);
        bench_set(CURLOPT_NOPROGRESS, 0L);
        begin = fake.now_ns;
        aborts_at = begin + 990 * UNS_MS;
        BENCH_RUN(silent, silent, silent, silent, silent);
        CHECK_INT(rows[i].name, bench.code, CURLE_ABORTED_BY_CALLBACK);
        CHECK_INT(rows[i].name, fake.requests, rows[i].rivals + 1);
        CHECK_INT(rows[i].name, (fake.now_ns - begin) / UNS_MS, 1000);
        CHECK_INT(rows[i].name, progress_count <= 12, true);
        bench_close(rows[i].name);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_inside_short_write_has_libcurls_words),
        cmocka_unit_test(test_inside_words_are_of_that_libcurls_version),
        cmocka_unit_test(test_inside_error_buffer_is_the_answers),
        cmocka_unit_test(test_inside_perform_is_refused),
        cmocka_unit_test(test_inside_pause_before_anything_came),
        cmocka_unit_test(test_inside_progress_goes_on_without_the_primary),
        cmocka_unit_test(test_inside_progress_keeps_libcurls_pace),
        cmocka_unit_test(test_inside_header_lines_may_come_together),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
