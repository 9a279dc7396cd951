/* SPDX-License-Identifier: MIT */
/* Sources and routes that are there and never come to anything: each is a
 * warning with what to do, and what merely looks like it is none. */
#include "config_load.h"

struct row {
    const char *name, *text, *variable[3], *said;
};

static void check_rows(const struct row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct loaded loaded;

        load_text(rows[i].text, rows[i].variable, &loaded);
        CHECK_TEXT(rows[i].name, loaded.said, rows[i].said);
        CHECK_INT(rows[i].name, loaded.err, UNS_OK);
        unload(&loaded);
    }
}

#define SOURCE(name) "\"" name "\": {\"base_url\": \"https://" name "\"}"
#define A_AND_B      "\"sources\": {" SOURCE("a") ",\n" SOURCE("b") "}"
#define WARNING(at)  "warning config.json:" #at ": "
#define NEVER(name)                                              \
    "source " name " is never asked: name it in hedge.sources, " \
    "or in the \"sources\" of a route, or remove it\n"

static void test_config_warns_of_sources_that_nobody_names(void **state)
{
    static const struct row rows[] = {
        /* clang-format off */
        {"none", "{" A_AND_B "}", {NULL},
         WARNING(1) NEVER("a") WARNING(2) NEVER("b")},
        {"one at the top",
         "{\"mode\": \"hedge\", \"hedge\": {\"sources\": [\"a\"]}, " A_AND_B
         "}", {NULL}, WARNING(2) NEVER("b")},
        {"one in a route",
         "{" A_AND_B ", \"routes\": [{\"match\": \"*\", \"sources\": [\"b\"]}]}",
         {NULL}, WARNING(1) NEVER("a")},
        {"both", "{" A_AND_B ", \"routes\": [{\"match\": \"*\", "
         "\"sources\": [\"b\", \"a\"]}]}", {NULL}, ""},
        {"a list for one run leaves the file's alone", "{" A_AND_B "}",
         {"UNSTALL__HEDGE__SOURCES=[\"a\"]", "UNSTALL__MODE=hedge", NULL}, ""},
        {"a source of the environment, and a list, too", "{}",
         {"UNSTALL__HEDGE__SOURCES=[\"self\"]",
          "UNSTALL__SOURCES={" SOURCE("c") "}", NULL},
         "warning UNSTALL__SOURCES: " NEVER("c")
         "warning UNSTALL__HEDGE__SOURCES: hedge.sources has no effect in mode "
         "\"observe\": set mode to \"hedge\"\n"},
        /* clang-format on */
    };

    (void)state;
    check_rows(rows, ROWS(rows));
}

#define LIST(most, of)                                                \
    "{\"mode\": \"hedge\", \"hedge\": {\"max_attempts\": " most ",\n" \
    "\"sources\": " of "}, \"sources\": {"
#define CHAT "\"b\": {\"base_url\": \"https://b\", \"dialects\": [\"chat\"]}"
#define GEMINI \
    "\"a\": {\"base_url\": \"https://a\", \"dialects\": [\"gemini\"]}"
#define SOME "\"a\": {\"base_url\": \"https://a\", \"models\": {\"m\": \"n\"}}"
#define ANY  "\"a\": {\"base_url\": \"https://a\", \"models\": {\"*\": \"n\"}}"
#define LAST(name, most, todo)                                 \
    WARNING(2)                                                 \
    "source " name " is asked only when one before it cannot " \
    "be: hedge.max_attempts (" most ") is used up by then; " todo "\n"

/* P5: each request is one of max_attempts. */
static void test_config_warns_of_sources_beyond_max_attempts(void **state)
{
    static const struct row rows[] = {
        /* clang-format off */
        {"two and one rival",
         LIST("2", "[\"a\", \"b\"]") SOURCE("a") "," SOURCE("b") "}}", {NULL},
         LAST("b", "2", "raise it")},
        {"two and two rivals",
         LIST("3", "[\"a\", \"b\"]") SOURCE("a") "," SOURCE("b") "}}", {NULL},
         ""},
        {"self is one", LIST("2", "[\"self\", \"b\"]") SOURCE("b") "}}", {NULL},
         LAST("b", "2", "raise it")},
        {"for the models that the first has not",
         LIST("2", "[\"a\", \"b\"]") SOME "," SOURCE("b") "}}", {NULL}, ""},
        {"the first has any",
         LIST("2", "[\"a\", \"b\"]") ANY "," SOURCE("b") "}}", {NULL},
         LAST("b", "2", "raise it")},
        {"of another dialect",
         LIST("2", "[\"a\", \"b\"]") GEMINI "," CHAT "}}", {NULL}, ""},
        {"of more dialects",
         LIST("2", "[\"a\", \"b\"]") GEMINI "," SOURCE("b") "}}", {NULL}, ""},
        {"of fewer",
         LIST("2", "[\"a\", \"b\"]") SOURCE("a") "," CHAT "}}", {NULL},
         LAST("b", "2", "raise it")},
        {"no more can be",
         LIST("5", "[\"self\", \"self\", \"self\", \"self\", \"b\"]")
         SOURCE("b") "}}", {NULL}, LAST("b", "5", "it cannot be higher")},
        {"none is wanted",
         LIST("1", "[\"a\", \"b\"]") SOURCE("a") "," SOURCE("b") "}}", {NULL},
         ""},
        /* clang-format on */
    };

    (void)state;
    check_rows(rows, ROWS(rows));
}

#define ROUTE(match) "{\"routes\": [\n{\"match\": \"" match "\"}]}"

static void test_config_warns_of_routes_that_match_nothing(void **state)
{
    static const struct row rows[] = {
        /* clang-format off */
        {"a host", ROUTE("api.openai.com"), {NULL},
         WARNING(2) "match \"api.openai.com\" can match no URL: write it like "
         "\"https://api.openai.com/*\", or begin and end it with *\n"},
        {"an origin", ROUTE("https://h"), {NULL},
         WARNING(2) "match \"https://h\" can match no URL: write it like "
         "\"https://api.openai.com/*\", or begin and end it with *\n"},
        {"its paths", ROUTE("api.openai.com/*"), {NULL}, ""},
        {"all", ROUTE("*"), {NULL}, ""},
        /* clang-format on */
    };

    (void)state;
    check_rows(rows, ROWS(rows));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_config_warns_of_sources_that_nobody_names),
        cmocka_unit_test(test_config_warns_of_sources_beyond_max_attempts),
        cmocka_unit_test(test_config_warns_of_routes_that_match_nothing),
    };

    return cmocka_run_group_tests(tests, config_enter, config_leave);
}
