/* SPDX-License-Identifier: MIT */
/* Where frames end, in any pieces. */
#include "check.h"
#include "core/cut.h"

#include <stdio.h>

/* The frames of `bytes`, a bar behind each, fed `step` bytes at a time. */
static void cut(const char *bytes, size_t step, char *out)
{
    struct uns_cut cutter = {0};
    size_t len = strlen(bytes), have = 0, at = 0, n;

    *out = '\0';
    while (have < len) {
        have = have + step < len ? have + step : len;
        while ((n = uns_cut_next(&cutter,
                                 (struct uns_slice){bytes + at, have - at}))) {
            sprintf(out + strlen(out), "%.*s|", (int)n, bytes + at);
            at += n;
        }
    }
    strcat(out, bytes + at);
}

static void test_cut_ends_frames_in_any_pieces(void **state)
{
    static const struct {
        const char *name, *bytes, *frames;
    } rows[] = {
        {"events", "data: a\n\ndata: b\n\n", "data: a\n\n|data: b\n\n|"},
        {"one that is not complete", "data: a\n\ndata: b\n",
         "data: a\n\n|data: b\n"},
        {"CRLF", "data: a\r\n\r\ndata: b\r\n\r\nx",
         "data: a\r\n\r\n|data: b\r\n\r\n|x"},
        {"a CR that waits for its LF", "data: a\r\n\r", "data: a\r\n\r"},
        {"CR alone", "data: a\r\rdata: b\r\r:", "data: a\r\r|data: b\r\r|:"},
        {"mixed", "a: b\n\r\ndata: c\r\n\n", "a: b\n\r\n|data: c\r\n\n|"},
        {"comments", ": one\n\ndata: a\n\n", ": one\n\n|data: a\n\n|"},
        {"blank lines between", "data: a\n\n\ndata: b\n\n",
         "data: a\n\n|\n|data: b\n\n|"},
        {"a byte order mark",
         "\xef\xbb\xbf"
         "data: a\n\n:",
         "\xef\xbb\xbf"
         "data: a\n\n|:"},
        {"lines", "{\"a\":1}\n{\"b\":2}\n{", "{\"a\":1}\n|{\"b\":2}\n|{"},
        {"an array", "[{\"a\":\"}]{\"}\n,\r\n{\"b\":[{}]}\n]",
         "[{\"a\":\"}]{\"}|\n,\r\n{\"b\":[{}]}|\n]|"},
        {"strings in an array", "[{\"a\":\"\\\"}\"},{\"b\":1",
         "[{\"a\":\"\\\"}\"}|,{\"b\":1"},
        {"nothing", "", ""},
        {"blank", " \n", " \n"},
    };

    char out[256];

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++)
        for (size_t step = 1; step <= 40; step++) {
            cut(rows[i].bytes, step, out);
            CHECK_TEXT(rows[i].name, out, rows[i].frames);
        }
}

static void test_cut_looks_again(void **state)
{
    static const char line[] = "data: a\n\n";
    struct uns_cut cutter = {0};

    (void)state;
    assert_int_equal(uns_cut_next(&cutter, (struct uns_slice){line, 5}), 0);
    uns_cut_again(&cutter);
    assert_int_equal(cutter.kind, UNS_CUT_EVENTS);
    assert_int_equal(uns_cut_next(&cutter, (struct uns_slice){line, 9}), 9);
}

/* Read as lines, each in brackets. */
static void lines(const char *bytes, char *out)
{
    struct uns_slice rest = {bytes, strlen(bytes)};

    *out = '\0';
    while (rest.len > 0) {
        struct uns_slice line = uns_cut_line(&rest);

        sprintf(out + strlen(out), "[%.*s]", (int)line.len, line.data);
    }
}

static void test_cut_takes_lines_by_whatever_ends_them(void **state)
{
    static const struct {
        const char *name, *bytes, *lines;
    } rows[] = {
        {"LF", "a\nbc\n", "[a][bc]"},
        {"CR", "a\rbc\r", "[a][bc]"},
        {"CRLF leaves a blank line", "a\r\nb\r\n", "[a][][b][]"},
        {"a last line without an end", "a\nb", "[a][b]"},
        {"blank lines", "\n\n", "[][]"},
        {"nothing", "", ""},
    };

    char out[64];

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        lines(rows[i].bytes, out);
        CHECK_TEXT(rows[i].name, out, rows[i].lines);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cut_ends_frames_in_any_pieces),
        cmocka_unit_test(test_cut_looks_again),
        cmocka_unit_test(test_cut_takes_lines_by_whatever_ends_them),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
