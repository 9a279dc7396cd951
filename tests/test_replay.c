/* SPDX-License-Identifier: MIT */
/* One answer served again: the bytes that were captured, when they came, or so
 * many times as fast; and nothing before the request is whole. */
#include "check.h"
#include "core/ascii.h"

#include "cli/replay.h"

#include <stdlib.h>

#define GET    "GET /any HTTP/1.1\r\nHost: x\r\n\r\n"
#define POST   "POST /v1 HTTP/1.1\r\nContent-Length: 5\r\n\r\n"
#define HEADER "{\"unstall_capture\":1,\"status\":200,\"head_ns\":1000,"
#define TYPED  HEADER "\"headers\":{\"content-type\":\"t/e\"}}\n"
#define HEAD                                         \
    "HTTP/1.1 200 Replayed\r\ncontent-type: t/e\r\n" \
    "Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
#define PIECES "@2000 3\nabc\n@7000 2\nde\n"

struct lab {
    struct uns_tape_text tape;
    struct uns_replay replay;
    char *bytes;
    size_t len;
};

static void lab_open(struct lab *lab, const char *text, double speed)
{
    FILE *out;

    *lab = (struct lab){0};
    out = open_memstream(&lab->bytes, &lab->len);
    assert_non_null(out);
    assert_null(uns_tape_read(uns_slice_of(text), &lab->tape));
    uns_replay_init(&lab->replay, &lab->tape, speed, out);
}

static void lab_close(struct lab *lab)
{
    fclose(lab->replay.out);
    free(lab->bytes);
    uns_tape_read_done(&lab->tape);
}

static const char *said(struct lab *lab, uns_ns now_ns)
{
    uns_replay_pump(&lab->replay, now_ns);
    fflush(lab->replay.out);
    return lab->bytes;
}

static void test_replay_sends_each_piece_at_its_time(void **state)
{
    static const struct {
        uns_ns at_ns;
        const char *said;
        uns_ns next_ns;
    } rows[] = {
        {100, "", 1100},
        {1099, "", 1100},
        {1100, HEAD, 2100},
        {2100, HEAD "3\r\nabc\r\n", 7100},
        {7099, HEAD "3\r\nabc\r\n", 7100},
        {7100, HEAD "3\r\nabc\r\n2\r\nde\r\n", 9100},
        {20000, HEAD "3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n", UNS_NEVER},
    };
    struct lab lab;

    (void)state;
    lab_open(&lab, TYPED PIECES "@9000 end whole\n", 1);
    assert_true(uns_replay_take(&lab.replay, uns_slice_of(GET), 100));
    for (size_t i = 0; i < ROWS(rows); i++) {
        CHECK_TEXT("said", said(&lab, rows[i].at_ns), rows[i].said);
        CHECK_INT("next", uns_replay_deadline(&lab.replay), rows[i].next_ns);
    }
    assert_int_equal(lab.replay.state, UNS_REPLAY_OVER);
    lab_close(&lab);
}

static void test_replay_scales_time(void **state)
{
    static const struct {
        double speed;
        uns_ns head_ns;
    } rows[] = {
        {1, 1000},
        {10, 100},
        {0.5, 2000},
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        struct lab lab;

        lab_open(&lab, TYPED PIECES, rows[i].speed);
        assert_true(uns_replay_take(&lab.replay, uns_slice_of(GET), 0));
        CHECK_INT("head", uns_replay_deadline(&lab.replay), rows[i].head_ns);
        lab_close(&lab);
    }
}

static void test_replay_ends_as_the_answer_did(void **state)
{
    static const struct {
        const char *end, *said;
        enum uns_replay_state state;
    } rows[] = {
        {"@3000 end whole\n", HEAD "0\r\n\r\n", UNS_REPLAY_OVER},
        {"@3000 end lost 56\n", HEAD, UNS_REPLAY_OVER},
        {"@3000 end full\n", HEAD, UNS_REPLAY_OVER},
        {"@3000 end left 28\n", HEAD, UNS_REPLAY_ANSWERING},
        {"", HEAD, UNS_REPLAY_ANSWERING},
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        struct lab lab;
        char text[512];

        snprintf(text, sizeof text, "%s%s", TYPED, rows[i].end);
        lab_open(&lab, text, 1);
        assert_true(uns_replay_take(&lab.replay, uns_slice_of(GET), 0));
        CHECK_TEXT(rows[i].end, said(&lab, 1000000), rows[i].said);
        CHECK_INT(rows[i].end, lab.replay.state, rows[i].state);
        CHECK_INT(rows[i].end, uns_replay_deadline(&lab.replay), UNS_NEVER);
        lab_close(&lab);
    }
}

static void test_replay_of_no_answer_says_nothing(void **state)
{
    struct lab lab;

    (void)state;
    lab_open(&lab, "{\"unstall_capture\":1,\"status\":0}\n@50 end lost 7\n", 1);
    assert_true(uns_replay_take(&lab.replay, uns_slice_of(GET), 0));
    CHECK_TEXT("before", said(&lab, 49), "");
    assert_int_equal(lab.replay.state, UNS_REPLAY_ANSWERING);
    CHECK_TEXT("after", said(&lab, 50), "");
    assert_int_equal(lab.replay.state, UNS_REPLAY_OVER);
    lab_close(&lab);
}

/* Any split of the request. */
static void test_replay_waits_for_the_whole_request(void **state)
{
    static const char request[] = POST "12345";

    (void)state;
    for (size_t cut = 0; cut < sizeof request - 1; cut++) {
        struct lab lab;

        lab_open(&lab, TYPED, 1);
        assert_true(
            uns_replay_take(&lab.replay, (struct uns_slice){request, cut}, 0));
        CHECK_INT("half", lab.replay.state, UNS_REPLAY_READING);
        CHECK_TEXT("half", said(&lab, 99999), "");
        assert_true(uns_replay_take(
            &lab.replay,
            (struct uns_slice){request + cut, sizeof request - 1 - cut}, 0));
        CHECK_INT("whole", lab.replay.state, UNS_REPLAY_ANSWERING);
        lab_close(&lab);
    }
}

static void test_replay_asks_for_a_body_that_waits_to_be_asked(void **state)
{
    struct lab lab;

    (void)state;
    lab_open(&lab, TYPED, 1);
    assert_true(
        uns_replay_take(&lab.replay,
                        uns_slice_of("POST / HTTP/1.1\r\ncontent-length: 2\r\n"
                                     "Expect: 100-continue\r\n\r\n"),
                        0));
    CHECK_TEXT("asked", said(&lab, 0), "HTTP/1.1 100 Continue\r\n\r\n");
    assert_int_equal(lab.replay.state, UNS_REPLAY_READING);
    lab_close(&lab);
}

static void test_replay_refuses_what_is_no_request(void **state)
{
    static char long_one[UNS_REPLAY_REQUEST + 1];
    const char *const rows[] = {"EHLO x\r\n\r\n", "PUT / HTTP/1.1\r\n\r\n",
                                "\r\n\r\n", long_one};

    (void)state;
    memset(long_one, 'x', sizeof long_one - 1);
    for (size_t i = 0; i < ROWS(rows); i++) {
        struct lab lab;

        lab_open(&lab, TYPED, 1);
        if (uns_replay_take(&lab.replay, uns_slice_of(rows[i]), 0))
            fail_msg("%.20s: it was taken", rows[i]);
        lab_close(&lab);
    }
}

/* A header line in a header's value would be a header of its own. */
static void test_replay_sends_no_split_header(void **state)
{
    struct lab lab;

    (void)state;
    lab_open(&lab,
             HEADER "\"headers\":{\"content-type\":\"a\\r\\nx: y\","
                    "\"set-cookie\":\"s\"}}\n",
             1);
    assert_true(uns_replay_take(&lab.replay, uns_slice_of(GET), 0));
    CHECK_TEXT("head", said(&lab, 1000),
               "HTTP/1.1 200 Replayed\r\nTransfer-Encoding: chunked\r\n"
               "Connection: close\r\n\r\n");
    lab_close(&lab);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_replay_sends_each_piece_at_its_time),
        cmocka_unit_test(test_replay_scales_time),
        cmocka_unit_test(test_replay_ends_as_the_answer_did),
        cmocka_unit_test(test_replay_of_no_answer_says_nothing),
        cmocka_unit_test(test_replay_waits_for_the_whole_request),
        cmocka_unit_test(test_replay_asks_for_a_body_that_waits_to_be_asked),
        cmocka_unit_test(test_replay_refuses_what_is_no_request),
        cmocka_unit_test(test_replay_sends_no_split_header),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
