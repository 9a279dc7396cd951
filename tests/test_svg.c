/* SPDX-License-Identifier: MIT */
/* What comes from outside shows as a text, whatever it is. */
#include "cli/svg.h"

#include "check.h"

#include <stdlib.h>

/* What is printed by `print`, until the next use. */
static const char *printed(void (*print)(FILE *out, const void *arg),
                           const void *arg)
{
    static char text[4096];
    FILE *out = fmemopen(text, sizeof text, "w");

    assert_non_null(out);
    print(out, arg);
    fclose(out);
    return text;
}

static void print_text(FILE *out, const void *text)
{
    uns_svg_text(out, text);
}

static void test_svg_text_ends_no_element(void **state)
{
    static const struct {
        const char *name, *text, *want;
    } rows[] = {
        {"nothing", "", ""},
        {"words", "gpt-4o at home", "gpt-4o at home"},
        {"an element", "</script><img onerror=\"x\">",
         "&lt;/script&gt;&lt;img onerror=&quot;x&quot;&gt;"},
        {"an attribute's end", "\" onload='a()'",
         "&quot; onload=&#39;a()&#39;"},
        {"an entity", "&lt;b&gt;", "&amp;lt;b&amp;gt;"},
        {"a comment", "<!-- x -->", "&lt;!-- x --&gt;"},
        {"control characters", "a\x1b[2J\n\x7f", "a\\x1b[2J\\n\\x7f"},
        {"what turns the direction",
         "a\xe2\x80\xae"
         "b",
         "a\\u{202e}b"},
        {"no UTF-8", "a\xff\xc3", "a\\xff\\xc3"},
        {"no character", "\xef\xbf\xbf", "\\u{ffff}"},
        {"other letters", "日本 é", "日本 é"},
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++)
        CHECK_TEXT(rows[i].name, printed(print_text, rows[i].text),
                   rows[i].want);
}

static void test_svg_text_bears_every_byte(void **state)
{
    (void)state;
    for (int byte = 1; byte < 256; byte++) {
        const char text[] = {(char)byte, '\0'};
        const char *got = printed(print_text, text);

        assert_null(strpbrk(got, "<>\"'"));
        for (; *got != '\0'; got++)
            assert_true((unsigned char)*got >= 0x20);
    }
}

static void print_rect(FILE *out, const void *title)
{
    uns_svg_rect(out, &(struct uns_svg_box){1.5, 2, 50, 4}, "good", title);
}

static void test_svg_rect_has_its_title_inside(void **state)
{
    (void)state;
    assert_string_equal(printed(print_rect, NULL),
                        "<rect x=\"1.50%\" y=\"2.0\" width=\"50.00%\""
                        " height=\"4.0\" class=\"good\"/>\n");
    assert_string_equal(printed(print_rect, "<5 s"),
                        "<rect x=\"1.50%\" y=\"2.0\" width=\"50.00%\""
                        " height=\"4.0\" class=\"good\"><title>&lt;5 s</title>"
                        "</rect>\n");
}

static void print_others(FILE *out, const void *text)
{
    uns_svg_rule(out, 10, 2, 8, "grid");
    uns_svg_label(out, 10, 2, "mid", text);
}

static void test_svg_rules_and_labels_stand_where_they_should(void **state)
{
    (void)state;
    assert_string_equal(printed(print_others, "a&b"),
                        "<line x1=\"10.00%\" x2=\"10.00%\" y1=\"2.0\""
                        " y2=\"10.0\" class=\"grid\"/>\n"
                        "<text x=\"10.00%\" y=\"2.0\" class=\"mid\">a&amp;b"
                        "</text>\n");
}

/* It stands in documents of XML as it is, and asks for nothing. */
static void test_svg_style_needs_no_escapes_and_no_network(void **state)
{
    (void)state;
    assert_null(strpbrk(uns_svg_style, "<&"));
    assert_null(strstr(uns_svg_style, "url("));
    assert_null(strstr(uns_svg_style, "@import"));
    assert_non_null(strstr(uns_svg_style, "prefers-color-scheme:dark"));
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_svg_text_ends_no_element),
        cmocka_unit_test(test_svg_text_bears_every_byte),
        cmocka_unit_test(test_svg_rect_has_its_title_inside),
        cmocka_unit_test(test_svg_rules_and_labels_stand_where_they_should),
        cmocka_unit_test(test_svg_style_needs_no_escapes_and_no_network),
    };

    return cmocka_run_group_tests_name("svg", tests, NULL, NULL);
}
