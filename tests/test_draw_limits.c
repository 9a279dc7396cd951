/* SPDX-License-Identifier: MIT */
/* Drawings at the edges: widths, ticks, colours, names from elsewhere, files
 * that are damaged. */
#include "draw_fixture.h"

static void test_draw_limits_need_something_to_draw(void **state)
{
    static const struct attempt unknown[] = {
        {"self", "", NONE, NONE, NONE, NONE, {{0, 0, 0, 0, 0}}},
    };
    struct uns_entry *entry = make(NONE, NULL, 0);

    (void)state;
    CHECK_TEXT("no attempt", draw(entry, 80, true, false), "");
    uns_entry_free(entry);
    entry = make(NONE, unknown, 1);
    CHECK_TEXT("no length", draw(entry, 80, true, false), "");
    uns_entry_free(entry);
}

static int longest_line(const char *text)
{
    int longest = 0;

    while (*text != '\0') {
        int len = (int)strcspn(text, "\n");

        longest = len > longest ? len : longest;
        text += len + 1;
    }
    return longest;
}

static void test_draw_limits_keep_to_the_width(void **state)
{
    static const struct {
        const char *name;
        int width, longest;
    } rows[] = {
        {"absurdly narrow", -1, 40}, {"narrow", 40, 40},
        {"usual", 80, 80},           {"odd", 97, 97},
        {"wide", 250, 250},          {"absurdly wide", 1000000, 500},
    };
    struct uns_entry *entry = make(1, hedged, 2);

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++)
        CHECK_INT(rows[i].name,
                  longest_line(draw(entry, rows[i].width, false, false)),
                  rows[i].longest);
    uns_entry_free(entry);
}

static void test_draw_limits_put_ticks_where_they_can_be_read(void **state)
{
    static const struct {
        int64_t wall_ms;
        const char *ticks;
    } rows[] = {
        {1, "0 ms"},
        {50, "0 ms            20 ms            40 ms"},
        {1000, "0.0 s                0.5 s"},
        {10000, "0 s                  5 s"},
        {300000, "0 m             2 m              4 m"},
        {7200000, "0 m       30 m       60 m      90 m"},
        {86400000, "0 h       6 h        12 h      18 h"},
        {INT64_MAX, "0 h       600 h      1200 h    1800 h"},
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        const struct attempt one[] = {
            {"self", "won", 0, rows[i].wall_ms, NONE, NONE, {{0, 0, 0, 0, 0}}},
        };
        struct uns_entry *entry = make(0, one, 1);
        char ticks[64];

        sscanf(draw(entry, 60, false, false), " %63[^\n]", ticks);
        CHECK_TEXT(rows[i].ticks, ticks, rows[i].ticks);
        uns_entry_free(entry);
    }
}

/* Names come from other programs. */
static void test_draw_limits_clean_the_name_of_a_source(void **state)
{
    static const struct attempt evil[] = {
        {"\x1b[2Jx\n", "won", 0, 1000, NONE, NONE, {{0, 0, 0, 0, 0}}},
    };
    struct uns_entry *entry = make(0, evil, 1);

    (void)state;
    assert_non_null(strstr(draw(entry, 60, true, false), "* 0 \\x1b[2Jx\\n "));
    assert_null(strchr(drawn, '\x1b'));
    uns_entry_free(entry);
}

static void remove_colors(char *text)
{
    char *to = text;

    while (*text != '\0') {
        if (*text == '\x1b')
            text += strcspn(text, "m") + 1;
        else
            *to++ = *text++;
    }
    *to = '\0';
}

static void test_draw_limits_colors_change_nothing_else(void **state)
{
    struct uns_entry *entry = make(1, hedged, 2);
    char plain[sizeof drawn];

    (void)state;
    strcpy(plain, draw(entry, 80, true, false));
    assert_null(strchr(plain, '\x1b'));
    draw(entry, 80, true, true);
    assert_non_null(strstr(drawn, "\x1b[31m~"));
    for (const char *end = drawn; (end = strchr(end, '\n')) != NULL; end++)
        CHECK_INT("reset before the end", end[-1], 'm');
    remove_colors(drawn);
    CHECK_TEXT("without colors", drawn, plain);
    uns_entry_free(entry);
}

/* Whatever a damaged file says. */
static void test_draw_limits_bear_absurd_records(void **state)
{
    static const int64_t absurd[] = {INT64_MIN, -1, 0, 1, INT64_MAX};
    const size_t count = ROWS(absurd);

    (void)state;
    for (size_t i = 0; i < count * count * count; i++) {
        const struct attempt one[] = {
            {"self",
             "failed",
             absurd[i % count],
             absurd[i / count % count],
             absurd[i / count / count],
             absurd[(i + 1) % count],
             {{0, 0, 0, 0, 0}}},
        };
        struct uns_entry *entry = make(absurd[i % count], one, 1);

        draw(entry, 80, true, false);
        uns_entry_free(entry);
    }
}

static void test_draw_limits_bear_damaged_timelines(void **state)
{
    struct uns_entry *entry = make(1, hedged, 2);
    uint8_t *blob = entry->timeline[0].data;

    (void)state;
    for (size_t i = 0; i < entry->timeline[0].len * 255; i++) {
        blob[i / 255] = (uint8_t)(blob[i / 255] + 1);
        draw(entry, 80, i & 1, i & 2);
    }
    uns_entry_free(entry);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_draw_limits_need_something_to_draw),
        cmocka_unit_test(test_draw_limits_keep_to_the_width),
        cmocka_unit_test(test_draw_limits_put_ticks_where_they_can_be_read),
        cmocka_unit_test(test_draw_limits_clean_the_name_of_a_source),
        cmocka_unit_test(test_draw_limits_colors_change_nothing_else),
        cmocka_unit_test(test_draw_limits_bear_absurd_records),
        cmocka_unit_test(test_draw_limits_bear_damaged_timelines),
    };

    return cmocka_run_group_tests_name("draw_limits", tests, NULL, NULL);
}
