/* SPDX-License-Identifier: MIT */
/* What is kept of an answer, with its timing: all of its body, nothing of the
 * request, and never at the cost of the call. */
#include "bench.h"

#include "cli/tape_read.h"
#include "engine/tape.h"
#include "scratch.h"

#include <dirent.h>
#include <fcntl.h>

#define HEAD_OF(extra)                                       \
    "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n" \
    "Set-Cookie: session=cookie-secret\r\n" extra "\r\n"

static const struct fake_beat healthy[] = {
    HEAD(10, HEAD_OF("")), BODY(20, DELTA("Ti")), BODY(1500, DELTA("de")),
    BODY(1510, STOP DONE), END(1600, CURLE_OK),
};
static const struct fake_beat cut[] = {
    HEAD(10, HEAD_OF("")), BODY(20, DELTA("Ti")), END(300, CURLE_RECV_ERROR)};
static const struct fake_beat stalls[] = {HEAD(10, OK_HEAD),
                                          BODY(20, DELTA("Ti")), SILENCE};
static const struct fake_beat busy[] = {
    HEAD(10, "HTTP/1.1 429 Too Many\r\nRetry-After: 3\r\n"
             "x-request-id: 77\r\n\r\n"),
    BODY(20, "{\"error\":{}}"), END(30, CURLE_OK)};
static const struct fake_beat refused[] = {END(30, CURLE_COULDNT_CONNECT)};

struct kept {
    char *bytes;
    struct uns_tape_text tape;
};

static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

static int is_capture(const struct dirent *entry)
{
    return strstr(entry->d_name, ".capture") != NULL;
}

/* The i-th of the files, by name; `ret_count`: how many there are. */
static struct kept kept_at(struct scratch *scratch, int i, int *ret_count)
{
    struct kept kept = {0};
    struct dirent **list = NULL;
    struct stat st;
    int fd;

    *ret_count = scandir(scratch->dir, &list, is_capture, by_name);
    if (i < *ret_count) {
        fd = open(scratch_path(scratch, list[i]->d_name), O_RDONLY);
        assert_true(fd >= 0);
        assert_int_equal(fstat(fd, &st), 0);
        assert_int_equal(st.st_mode & 07777, 0600);
        kept.bytes = test_malloc((size_t)st.st_size + 1);
        assert_int_equal(read(fd, kept.bytes, (size_t)st.st_size), st.st_size);
        kept.bytes[st.st_size] = '\0';
        close(fd);
        assert_null(uns_tape_read(
            (struct uns_slice){kept.bytes, (size_t)st.st_size}, &kept.tape));
    }
    for (int k = 0; k < *ret_count; k++)
        free(list[k]);
    free(list);
    return kept;
}

static void kept_done(struct kept *kept)
{
    uns_tape_read_done(&kept->tape);
    test_free(kept->bytes);
}

static void play(struct scratch *scratch, const struct fake_beat *beats)
{
    bench_open();
    bench.capture = scratch->dir;
    BENCH_RUN(beats);
}

static void test_tape_has_each_piece_at_its_time(void **state)
{
    static const uns_ns times[] = {20, 1500, 1510};
    int count;
    struct kept kept;
    char name[sizeof bench.entry->call.uuid];

    play(*state, healthy);
    memcpy(name, bench.entry->call.uuid, sizeof name);
    bench_close("healthy");
    kept = kept_at(*state, 0, &count);
    assert_int_equal(count, 1);
    assert_true(*name != '\0');
    CHECK_TEXT("whose", uns_tape_read_word(&kept.tape, "call"), name);
    assert_int_equal(kept.tape.status, 200);
    assert_int_equal(kept.tape.pieces, 3);
    for (size_t i = 0; i < 3; i++)
        CHECK_INT("piece", kept.tape.piece[i].at_ns, times[i] * UNS_MS);
    CHECK_SLICE("first", kept.tape.piece[0].bytes, DELTA("Ti"));
    assert_int_equal(kept.tape.how, UNS_TAPE_WHOLE);
    assert_int_equal(kept.tape.end_ns, 1600 * UNS_MS);
    assert_int_equal(kept.tape.head_ns, 10 * UNS_MS);
    CHECK_TEXT("where", uns_tape_read_word(&kept.tape, "path"),
               "/v1/chat/completions");
    CHECK_TEXT("what", uns_tape_read_word(&kept.tape, "model"), "gpt-4o");
    kept_done(&kept);
}

/* P3: a capture is handed to others. */
static void test_tape_keeps_no_secret(void **state)
{
    static const char *const secrets[] = {
        "secret", "user", "pass", "messages", "Set-Cookie", "cookie",
    };
    int count;
    struct kept kept;

    play(*state, healthy);
    bench_close("healthy");
    kept = kept_at(*state, 0, &count);
    for (size_t i = 0; i < ROWS(secrets); i++)
        if (strstr(kept.bytes, secrets[i]) != NULL)
            fail_msg("it has %s", secrets[i]);
    kept_done(&kept);
}

static void test_tape_tells_how_it_ended(void **state)
{
    static const struct {
        const char *name;
        const struct fake_beat *beats;
        int status;
        size_t pieces;
        enum uns_tape_how how;
    } rows[] = {
        {"whole", healthy, 200, 3, UNS_TAPE_WHOLE},
        {"lost", cut, 200, 1, UNS_TAPE_LOST},
        {"busy", busy, 429, 1, UNS_TAPE_WHOLE},
        {"no head", refused, 0, 0, UNS_TAPE_LOST},
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        struct scratch *scratch = NULL;
        struct kept kept;
        int count;

        assert_int_equal(scratch_begin((void **)&scratch), 0);
        play(scratch, rows[i].beats);
        bench_close(rows[i].name);
        kept = kept_at(scratch, 0, &count);
        CHECK_INT(rows[i].name, count, 1);
        CHECK_INT(rows[i].name, kept.tape.status, rows[i].status);
        CHECK_INT(rows[i].name, kept.tape.pieces, rows[i].pieces);
        CHECK_INT(rows[i].name, kept.tape.how, rows[i].how);
        if (rows[i].status == 429)
            CHECK_TEXT(rows[i].name,
                       uns_tape_read_header(&kept.tape, "retry-after"), "3");
        kept_done(&kept);
        assert_int_equal(scratch_end((void **)&scratch), 0);
    }
}

static void test_tape_of_a_rival_is_its_own(void **state)
{
    struct kept kept;
    int count;

    bench_open();
    bench.capture = ((struct scratch *)*state)->dir;
    bench.policy.hedge.stall_after_ns = 500 * UNS_MS;
    bench.policy.hedge.hold_ns = UNS_NEVER;
    bench_sources(1);
    BENCH_RUN(stalls, healthy);
    bench_close("rival");
    kept = kept_at(*state, 0, &count);
    assert_int_equal(count, 2);
    assert_int_equal(kept.tape.how, UNS_TAPE_LEFT);
    kept_done(&kept);
    kept = kept_at(*state, 1, &count);
    assert_int_equal(kept.tape.how, UNS_TAPE_WHOLE);
    assert_int_equal(kept.tape.pieces, 3);
    kept_done(&kept);
}

/* No harm: the call is what it would have been. */
static void test_tape_that_cannot_be_made_costs_nothing(void **state)
{
    static const char *const places[] = {"/nowhere/at/all", "/proc",
                                         "/etc/passwd"};

    (void)state;
    for (size_t i = 0; i < ROWS(places); i++) {
        bench_open();
        bench.capture = places[i];
        BENCH_RUN(healthy);
        CHECK_INT(places[i], bench.code, CURLE_OK);
        assert_non_null(strstr(bench.body, "[DONE]"));
        bench_close(places[i]);
    }
}

static void test_tape_ends_where_a_directory_is_full(void **state)
{
    struct scratch *scratch = *state;
    char name[32];
    int count;

    for (int i = 0; i < UNS_TAPE_FILES; i++) {
        snprintf(name, sizeof name, "%d.capture", i);
        scratch_write(scratch, name, "{\"unstall_capture\":1}\n", 0600);
    }
    play(scratch, healthy);
    assert_int_equal(bench.code, CURLE_OK);
    bench_close("full");
    (void)kept_at(scratch, INT_MAX, &count);
    assert_int_equal(count, UNS_TAPE_FILES);
}

static void test_tape_is_not_made_unasked(void **state)
{
    int count;

    bench_open();
    BENCH_RUN(healthy);
    bench_close("off");
    (void)kept_at(*state, INT_MAX, &count);
    assert_int_equal(count, 0);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, scratch_begin, scratch_end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_tape_has_each_piece_at_its_time),
        TEST(test_tape_keeps_no_secret),
        cmocka_unit_test(test_tape_tells_how_it_ended),
        TEST(test_tape_of_a_rival_is_its_own),
        cmocka_unit_test(test_tape_that_cannot_be_made_costs_nothing),
        TEST(test_tape_ends_where_a_directory_is_full),
        TEST(test_tape_is_not_made_unasked),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
