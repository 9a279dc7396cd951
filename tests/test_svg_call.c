/* SPDX-License-Identifier: MIT */
/* A call as SVG: every attempt and every stall is in it, in its place. */
#include "cli/svg_call.h"

#include "cli/draw_row.h"
#include "draw_fixture.h"

static char *svg;
static size_t svg_len;

static const char *drawing(const struct uns_entry *entry, bool document)
{
    FILE *out;

    free(svg);
    out = open_memstream(&svg, &svg_len);
    assert_true(document ? uns_svg_call_document(entry, "a <call>", out)
                         : uns_svg_call(entry, "a <call>", out));
    fclose(out);
    return svg;
}

static int count(const char *text, const char *word)
{
    int found = 0;

    for (; (text = strstr(text, word)) != NULL; text += strlen(word))
        found++;
    return found;
}

/* In per mille of the width; -1: there is none. */
static int x_of(const char *text, const char *look)
{
    char want[64];
    const char *at;
    double x = 0;

    snprintf(want, sizeof want, "class=\"%s\"", look);
    at = strstr(text, want);
    if (at == NULL)
        return -1;
    while (at > text && *at != '<')
        at--;
    assert_int_equal(sscanf(at, "<rect x=\"%lf%%", &x), 1);
    return (int)(x * 10 + 0.5);
}

/* The lead, 8.4 s long, stalled from 1.0 s to 5.5 s; the rival ended after
 * 8.8 s. */
static void test_svg_call_has_stalls_by_their_moments(void **state)
{
    struct uns_entry *entry = make(1, hedged, 2);
    const char *text = drawing(entry, false);

    (void)state;
    assert_int_equal(count(text, "<title>stall of 4.50 s</title>"), 1);
    assert_int_equal(count(text, ">4.50 s</text>"), 1);
    assert_int_equal(x_of(text, "stall"), (1000 * 10 + 44) / 88);
    uns_entry_free(entry);
}

static void test_svg_call_names_each_attempt(void **state)
{
    struct uns_entry *entry = make(1, hedged, 2);
    const char *text = drawing(entry, false);

    (void)state;
    assert_non_null(strstr(
        text, ">0 self: hedge_cancelled, first token after 500 ms</text>"));
    assert_non_null(
        strstr(text, ">* 1 backup: won, first token after 700 ms</text>"));
    assert_int_equal(count(text, "class=\"end-warn\""), 1);
    assert_int_equal(count(text, "<svg"), 1);
    assert_int_equal(count(text, "</svg>"), 1);
    assert_non_null(strstr(text, "aria-label=\"a &lt;call&gt;\""));
    uns_entry_free(entry);
}

static void test_svg_call_shows_no_stall_below_its_threshold(void **state)
{
    struct uns_entry *entry = make(1, hedged, 2);

    (void)state;
    entry->stall_threshold_ns = 4500 * UNS_MS;
    assert_int_equal(x_of(drawing(entry, false), "stall"), -1);
    entry->stall_threshold_ns--;
    assert_true(x_of(drawing(entry, false), "stall") > 0);
    uns_entry_free(entry);
}

static void test_svg_call_shows_what_was_silent_to_the_end(void **state)
{
    struct uns_entry *entry = make(1, hedged, 2);

    (void)state;
    assert_true(x_of(drawing(entry, false), "silent") > 600);
    uns_entry_free(entry);
}

static void test_svg_call_document_stands_alone(void **state)
{
    struct uns_entry *entry = make(1, hedged, 2);
    const char *text = drawing(entry, true);

    (void)state;
    assert_int_equal(
        strncmp(text, "<svg xmlns=\"http://www.w3.org/2000/svg\"", 39), 0);
    assert_non_null(strstr(text, "<title>a &lt;call&gt;</title>"));
    assert_non_null(strstr(text, "<style>"));
    assert_int_equal(count(text, "<svg"), count(text, "</svg>"));
    for (size_t i = 0; uns_svg_call_meanings[i].look != NULL; i++)
        assert_non_null(strstr(text, uns_svg_call_meanings[i].meaning));
    uns_entry_free(entry);
}

static void test_svg_call_bears_calls_without_anything(void **state)
{
    static const struct attempt attempts[] = {
        {"self", "", UNS_NULL, UNS_NULL, UNS_NULL, UNS_NULL, {{0}}},
        {"</svg>&\x1b", "won", -5, 100, 50, 10, {{0}}},
    };
    struct uns_entry *entry = make(UNS_NULL, attempts, 1);
    const char *text;

    (void)state;
    assert_int_equal(count(drawing(entry, false), "<rect"), 0);
    uns_entry_free(entry);
    entry = make(0, attempts, 0);
    assert_int_equal(count(drawing(entry, true), "class=\"end-good\""), 0);
    uns_entry_free(entry);
    entry = make(0, attempts, 2);
    text = drawing(entry, false);
    assert_int_equal(count(text, "</svg>"), 1);
    assert_non_null(strstr(text, "1 &lt;/svg&gt;&amp;\\x1b: won"));
    assert_int_equal(count(text, "class=\"unseen\""), 1);
    uns_entry_free(entry);
}

/* Places lie within the picture, and lengths are not negative. */
static void test_svg_call_bears_any_timeline(void **state)
{
    struct uns_entry *entry = make(1, hedged, 2);
    size_t len = entry->timeline[0].len;

    (void)state;
    entry->stall_threshold_ns = 0;
    for (size_t at = 1; at < len; at++)
        for (int bit = 0; bit < 8; bit++) {
            const char *text;

            entry->timeline[0].data[at] ^= (uint8_t)(1 << bit);
            text = drawing(entry, false);
            assert_null(strstr(text, "width=\"-"));
            assert_null(strstr(text, "nan"));
            assert_null(strstr(text, "inf"));
            entry->timeline[0].data[at] ^= (uint8_t)(1 << bit);
        }
    uns_entry_free(entry);
}

static int teardown(void **state)
{
    (void)state;
    free(svg);
    return 0;
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_svg_call_has_stalls_by_their_moments),
        cmocka_unit_test(test_svg_call_names_each_attempt),
        cmocka_unit_test(test_svg_call_shows_no_stall_below_its_threshold),
        cmocka_unit_test(test_svg_call_shows_what_was_silent_to_the_end),
        cmocka_unit_test(test_svg_call_document_stands_alone),
        cmocka_unit_test(test_svg_call_bears_calls_without_anything),
        cmocka_unit_test(test_svg_call_bears_any_timeline),
    };

    return cmocka_run_group_tests_name("svg_call", tests, NULL, teardown);
}
