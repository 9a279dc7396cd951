/* SPDX-License-Identifier: MIT */
/* JSON seen value by value: order, paths, places, and what is refused. */
#include "check.h"
#include "core/walk.h"

#include <stdio.h>

/* All values of a text as "depth kind key=text" words; "!" if malformed. */
static void describe(const char *text, size_t len, bool comments, char *out,
                     size_t size)
{
    static const char kinds[] = "OASNTF0";
    struct uns_walk walk;
    struct uns_walk_value value;
    size_t used = 0;

    out[0] = '\0';
    uns_walk_init(&walk, text, len, comments);
    while (uns_walk_next(&walk, &value))
        used += (size_t)snprintf(out + used, size - used, "%u%c%.*s=%.*s ",
                                 value.depth, kinds[value.kind],
                                 (int)value.key.len, value.key.data,
                                 (int)value.text.len, value.text.data);
    if (!walk.ok)
        snprintf(out + used, size - used, "!");
    assert_true(walk.at <= len);
}

static void test_walk_yields_values_in_order(void **state)
{
    static const struct {
        const char *text, *values;
        bool comments;
    } rows[] = {
        {"{}", "0O={ ", false},
        {" [ ] \n", "0A=[ ", false},
        {"\"a\"", "0S=a ", false},
        {"-0.5e+10", "0N=-0.5e+10 ", false},
        {"{\"a\":1,\"b\":[true,false,null]}",
         "0O={ 1Na=1 1Ab=[ 2T=true 2F=false 20=null ", false},
        {"[[[1]],2]", "0A=[ 1A=[ 2A=[ 3N=1 1N=2 ", false},
        {"{\"a\":{\"b\":{}},\"c\":\"\"}", "0O={ 1Oa={ 2Ob={ 1Sc= ", false},
        {"{\"a\\\"b\":\"\\u00e9\\\\\"}", "0O={ 1Sa\\\"b=\\u00e9\\\\ ", false},
        {"// c\n{ /* x */ \"a\" /**/ : // y\n 1 } // z", "0O={ 1Na=1 ", true},
        {"{\"a\":\"// no comment /* */\"}", "0O={ 1Sa=// no comment /* */ ",
         true},
        {"1 /* never closed", "0N=1 ", true},
    };

    char out[400];

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        describe(rows[i].text, strlen(rows[i].text), rows[i].comments, out,
                 sizeof out);
        CHECK_TEXT(rows[i].text, out, rows[i].values);
    }
}

static void test_walk_refuses_what_is_not_json(void **state)
{
    static const char *const rows[] = {
        "",
        " ",
        "{",
        "}",
        "[",
        "]",
        "[1",
        "[1,",
        "[1,]",
        "[,1]",
        "[1 2]",
        "{\"a\"}",
        "{\"a\":}",
        "{\"a\":1,}",
        "{a:1}",
        "{1:1}",
        "[1}",
        "{\"a\":1]",
        "1 2",
        "{} {}",
        "tru",
        "truex",
        "nul",
        "'a'",
        "\"a",
        "\"\\x\"",
        "\"\\u12\"",
        "\"\\u12g4\"",
        "\"a\nb\"",
        "01",
        "1.",
        ".5",
        "-",
        "1e",
        "1e+",
        "+1",
        "0x1",
        "NaN",
        "[1]//",
        "/**/1",
        "\xef\xbb\xbf{}",
    };
    char out[400];

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        describe(rows[i], strlen(rows[i]), false, out, sizeof out);
        CHECK_INT(rows[i], strchr(out, '!') != NULL, true);
    }
}

static void test_walk_reads_no_byte_beyond_its_length(void **state)
{
    const char *text = "{\"a\":[1.5e3,\"\\u1234\",true],/*x*/\"b\":null}//";
    char out[400];

    (void)state;
    for (size_t len = 0; len <= strlen(text); len++) {
        char *exact = test_malloc(len + (len == 0));

        memcpy(exact, text, len);
        describe(exact, len, true, out, sizeof out);
        test_free(exact);
    }
    assert_null(strchr(out, '!'));
}

static void test_walk_has_a_depth_limit(void **state)
{
    char text[2 * UNS_WALK_DEPTH + 2];
    struct uns_walk walk;
    struct uns_walk_value value;

    (void)state;
    for (size_t depth = UNS_WALK_DEPTH; depth < UNS_WALK_DEPTH + 2; depth++) {
        memset(text, '[', depth);
        memset(text + depth, ']', depth);
        uns_walk_init(&walk, text, 2 * depth, false);
        while (uns_walk_next(&walk, &value))
            ;
        CHECK_INT("depth", walk.ok, depth == UNS_WALK_DEPTH);
    }
}

static void test_walk_knows_the_path_of_a_value(void **state)
{
    static const char text[] = "{\"a\":{\"b\":[{\"c\":7}]},\"a.b\":8,\"x\":"
                               "{\"1\":{\"2\":{\"3\":{\"4\":{\"5\":{\"6\":"
                               "{\"7\":{\"8\":9}}}}}}}}}";

    static const struct {
        const char *path, *text;
    } rows[] = {
        {"a.b.*.c", "7"},
        {"a.*.*.c", "7"},
        {"*.b.*.c", "7"},
        {"a.b", "["},
        {"a", "{"},
        {"x.1.2.3.4.5.6", "{"},
        {"a.b.c", NULL},
        {"a.b.*.d", NULL},
        {"", NULL},
        {"a.b.x.c", NULL},
        {"x.1.2.3.4.5.6.7.8", NULL},
        {"b", NULL},
        {"a.b.*.c.", NULL},
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        struct uns_walk walk;
        struct uns_walk_value value;
        const char *found = NULL;

        uns_walk_init(&walk, text, strlen(text), false);
        while (uns_walk_next(&walk, &value)) {
            if (!uns_walk_is_at(&walk, &value, rows[i].path))
                continue;
            assert_null(found);
            found = value.text.data;
            CHECK_SLICE(rows[i].path, value.text,
                        rows[i].text ? rows[i].text : "(nothing)");
        }
        CHECK_INT(rows[i].path, found != NULL, rows[i].text != NULL);
    }
}

static void test_walk_finds_where_a_value_ends(void **state)
{
    static const struct {
        const char *name, *text;
        size_t at, behind;
    } rows[] = {
        {"empty", "{}", 0, 2},
        {"the inner one", "[[1], 2]", 1, 4},
        {"the outer one", "[[1], 2] ", 0, 8},
        {"brackets in texts", "{\"a]}\": \"}\\\"]\"}", 0, 15},
        {"not closed", "{\"a\": [1}", 0, 9},
        {"cut behind a backslash", "{\"a\\", 0, 4},
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        struct uns_slice text = {rows[i].text, strlen(rows[i].text)};

        CHECK_INT(rows[i].name, uns_walk_behind(text, rows[i].at),
                  rows[i].behind);
    }
}

static void test_walk_decodes_strings(void **state)
{
    static const struct {
        const char *raw, *text; /* NULL: it cannot be */
    } rows[] = {
        {"", ""},
        {"gpt-4o", "gpt-4o"},
        {"openai\\/gpt-4o", "openai/gpt-4o"},
        {"\\\"\\\\\\b\\f\\n\\r\\t", "\"\\\b\f\n\r\t"},
        {"\\u0041\\u00e9\\u20AC", "A\xc3\xa9\xe2\x82\xac"},
        {"\\ud83d\\ude00", "\xf0\x9f\x98\x80"},
        {"\\ud83d", NULL},
        {"\\ud83d\\u0041", NULL},
        {"\\ude00\\ud83d", NULL},
        {"a\\u0000b", NULL},
        {"\\u12", NULL},
        {"\\uzzzz", NULL},
        {"0123456789012345678", "0123456789012345678"},
        {"01234567890123456789", NULL},
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        struct uns_slice raw = {rows[i].raw, strlen(rows[i].raw)};
        char out[20] = "";

        CHECK_INT(rows[i].raw, uns_walk_decode(raw, out, sizeof out),
                  rows[i].text != NULL);
        if (rows[i].text != NULL)
            CHECK_TEXT(rows[i].raw, out, rows[i].text);
    }
    assert_false(uns_walk_decode((struct uns_slice){"", 0}, NULL, 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_walk_yields_values_in_order),
        cmocka_unit_test(test_walk_refuses_what_is_not_json),
        cmocka_unit_test(test_walk_reads_no_byte_beyond_its_length),
        cmocka_unit_test(test_walk_has_a_depth_limit),
        cmocka_unit_test(test_walk_knows_the_path_of_a_value),
        cmocka_unit_test(test_walk_finds_where_a_value_ends),
        cmocka_unit_test(test_walk_decodes_strings),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
