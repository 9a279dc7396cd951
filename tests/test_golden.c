/* SPDX-License-Identifier: MIT */
/* Every recorded stream, cut in every way, says what golden/expected.json
 * says: P7's clocks rest on it. */
#include "golden.h"
#include "wire_watch.h"

#include "core/guess.h"

#include <stdio.h>
#include <stdlib.h>

static void as_expected(const char *row, const struct watch *got,
                        const cJSON *want)
{
    CHECK_INT(row, got->stream.bytes, golden_number(want, "bytes"));
    CHECK_INT(row, got->stream.content, golden_number(want, "content_chunks"));
    CHECK_INT(row, got->stream.structural, golden_number(want, "structural"));
    CHECK_INT(row, got->stream.keepalives, golden_number(want, "keepalives"));
    CHECK_INT(row, got->chunks[UNS_KIND_AUDIO],
              golden_number(want, "audio_chunks"));
    CHECK_TEXT(row, got->text[UNS_KIND_TEXT], golden_text(want, "text"));
    CHECK_TEXT(row, got->text[UNS_KIND_REASONING],
               golden_text(want, "reasoning"));
    CHECK_TEXT(row, got->text[UNS_KIND_TOOL_ARGS],
               golden_text(want, "tool_args"));
    CHECK_TEXT(row, got->text[UNS_KIND_REFUSAL], golden_text(want, "refusal"));
    CHECK_TEXT(row, got->stream.model, golden_text(want, "model"));
    CHECK_INT(row, got->stream.tokens_in, golden_number(want, "tokens_in"));
    CHECK_INT(row, got->stream.tokens_out, golden_number(want, "tokens_out"));
    CHECK_TEXT(row, got->stream.finish, golden_text(want, "finish"));
    CHECK_TEXT(row, watch_error(got), golden_text(want, "error"));
    CHECK_TEXT(row, watch_end_word(got), golden_text(want, "end"));
}

typedef void check_fn(const char *name, const struct watch_body *body,
                      const cJSON *want);

/* All but the binary one, which no table covers. */
static void for_each(check_fn *check)
{
    size_t len;
    char *text = golden_read("expected.json", &len);
    cJSON *all = cJSON_Parse(text);
    int count = 0;

    assert_non_null(all);
    for (cJSON *want = all->child; want != NULL; want = want->next) {
        const char *dialect = golden_text(want, "dialect");
        if (strcmp(dialect, "bedrock") == 0)
            continue;
        size_t size;
        char *bytes = golden_read(want->string, &size);
        struct watch_body body = {
            .bytes = bytes,
            .len = size,
            .dialect = uns_dialect_by_name(dialect, strlen(dialect)),
        };
        check(want->string, &body, want);
        free(bytes);
        count++;
    }
    assert_true(count > 50);
    cJSON_Delete(all);
    free(text);
}

static struct watch got, whole;

static void check_whole(const char *name, const struct watch_body *body,
                        const cJSON *want)
{
    watch_whole(&got, body);
    as_expected(name, &got, want);
}

static void test_golden_streams_say_what_is_expected(void **state)
{
    (void)state;
    for_each(check_whole);
}

/* The long one is cut near its ends, and here and there. */
static size_t next_cut(size_t cut, size_t len)
{
    return len > 10000 && cut > 400 && cut < len - 400 ? cut + 997 : cut + 1;
}

static void check_cuts(const char *name, const struct watch_body *body,
                       const cJSON *want)
{
    watch_whole(&whole, body);
    for (size_t cut = 0; cut <= body->len; cut = next_cut(cut, body->len)) {
        watch_pieces(&got, body, cut, body->len);
        watch_same(name, &got, &whole);
    }
    as_expected(name, &got, want);
}

static void test_golden_streams_do_not_care_where_they_are_cut(void **state)
{
    (void)state;
    for_each(check_cuts);
}

static void check_bytes(const char *name, const struct watch_body *body,
                        const cJSON *want)
{
    watch_whole(&whole, body);
    for (size_t step = 1; step <= 17; step += 4) {
        watch_pieces(&got, body, 0, step);
        watch_same(name, &got, &whole);
    }
    for (uint32_t seed = 1; seed <= 20; seed++) {
        watch_random(&got, body, seed, seed % 2 ? 9 : 300);
        watch_same(name, &got, &whole);
    }
    as_expected(name, &got, want);
}

static void test_golden_streams_come_byte_by_byte(void **state)
{
    (void)state;
    for_each(check_bytes);
}

static void check_guarded(const char *name, const struct watch_body *body,
                          const cJSON *want)
{
    for (size_t cut = 0; cut <= body->len; cut += 1 + body->len / 60) {
        watch_guarded(&got, body, cut);
        as_expected(name, &got, want);
    }
}

static void test_golden_streams_are_not_read_beyond_their_end(void **state)
{
    (void)state;
    for_each(check_guarded);
}

/* With its content type told a body is the same. */
static void check_told(const char *name, const struct watch_body *body,
                       const cJSON *want)
{
    struct watch_body told = *body;

    told.type = strstr(name, ".ndjson") != NULL ? "application/x-ndjson"
                : strstr(name, ".json") != NULL
                    ? "application/json; charset=UTF-8"
                    : "text/event-stream;charset=utf-8";
    watch_whole(&got, &told);
    as_expected(name, &got, want);
    told.type = "application/octet-stream";
    watch_whole(&got, &told);
    as_expected(name, &got, want);
}

static void test_golden_streams_have_a_content_type(void **state)
{
    (void)state;
    for_each(check_told);
}

static void check_guess(const char *name, const struct watch_body *body,
                        const cJSON *want)
{
    CHECK_TEXT(name, uns_dialect_long_name(uns_guess(body->bytes, body->len)),
               golden_text(want, "dialect"));
}

static void test_golden_streams_are_told_apart(void **state)
{
    (void)state;
    for_each(check_guess);
}

/* Without a sink the classes are the same. */
static void check_without_sink(const char *name, const struct watch_body *body,
                               const cJSON *want)
{
    static struct uns_stream stream;

    uns_stream_init(&stream, body->dialect, true, NULL);
    uns_stream_feed(&stream, body->bytes, body->len);
    uns_stream_end(&stream);
    CHECK_INT(name, stream.content, golden_number(want, "content_chunks"));
    CHECK_INT(name, stream.structural, golden_number(want, "structural"));
    CHECK_INT(name, stream.keepalives, golden_number(want, "keepalives"));
    CHECK_TEXT(name, stream.finish, golden_text(want, "finish"));
}

static void test_golden_streams_need_no_sink(void **state)
{
    (void)state;
    for_each(check_without_sink);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_golden_streams_say_what_is_expected),
        cmocka_unit_test(test_golden_streams_do_not_care_where_they_are_cut),
        cmocka_unit_test(test_golden_streams_come_byte_by_byte),
        cmocka_unit_test(test_golden_streams_are_not_read_beyond_their_end),
        cmocka_unit_test(test_golden_streams_have_a_content_type),
        cmocka_unit_test(test_golden_streams_are_told_apart),
        cmocka_unit_test(test_golden_streams_need_no_sink),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
