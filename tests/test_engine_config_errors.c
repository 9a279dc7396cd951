/* SPDX-License-Identifier: MIT */
/* A configuration that is wrong: every mistake is told with its place, and
 * nothing of it holds. */
#include "config_load.h"

static const char *const no_environment[] = {NULL};

struct row {
    const char *text, *said;
};

/* Errors: the load fails, and says exactly this. */
static void check_rows(const struct row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct loaded loaded;

        load_text(rows[i].text, no_environment, &loaded);
        CHECK_TEXT(rows[i].text, loaded.said, rows[i].said);
        CHECK_INT(rows[i].text, loaded.err, UNS_CONFIG);
        CHECK_INT(rows[i].text, loaded.config == NULL, true);
    }
}

#define AT(line) "error config.json:" #line ": "
#define BAD_JSON                                                           \
    "this is not valid JSON: check quotes, commas and brackets (comments " \
    "are allowed)\n"

static void test_config_tells_the_line_of_broken_json(void **state)
{
    static const struct row rows[] = {
        /* clang-format off */
        {"", AT(1) BAD_JSON},
        {"{", AT(1) BAD_JSON},
        {"{\n \"mode\": \"off\"\n \"store\": {}\n}", AT(3) BAD_JSON},
        {"{\n\n \"mode\": off }", AT(3) BAD_JSON},
        {"{ /* a\n comment */ \"mode\": 'off' }", AT(2) BAD_JSON},
        {"{\n \"routes\": [ {}, ]\n}",
         AT(2) "there is a comma after the last item: remove it\n"},
        {"{\n \"mode\": \"off\",\n}",
         AT(3) "there is a comma after the last item: remove it\n"},
        {"[]", AT(1) "the file must hold one object: put { } around it\n"},
        {"{ \"mode\": \"off\",\n \"mode\": \"off\" }",
         AT(2) "mode is given twice, first in line 1: remove one\n"},
        /* clang-format on */
    };

    (void)state;
    check_rows(rows, ROWS(rows));
}

static void test_config_tells_unknown_keys_and_what_was_meant(void **state)
{
    static const struct row rows[] = {
        /* clang-format off */
        {"{\n \"hedge\": {\n \"stall_after\": 3 } }",
         AT(3) "no setting is called hedge.stall_after; did you mean "
               "hedge.stall_after_s?\n"},
        {"{ \"after_s\": 3 }",
         AT(1) "no setting is called after_s; did you mean hedge.after_s?\n"},
        {"{ \"hedge\": { \"stall_timeout_s\": 3 } }",
         AT(1) "no setting is called hedge.stall_timeout_s; did you mean "
               "stream.stall_timeout_s?\n"},
        {"{ \"qqqqqqqqqqqq\": 3 }",
         AT(1) "no setting is called qqqqqqqqqqqq: remove it, or see "
               "`unstall config show` for those that exist\n"},
        {"{ \"hedge.after_s\": 3, \"x\": { \"y\": { } } }",
         AT(1) "no setting is called x: remove it, or see `unstall config "
               "show` for those that exist\n"},
        {"{ \"hedge\": 3 }",
         AT(1) "hedge must be an object: put { } around its settings\n"},
        {"{ \"hedge\": { \"budget\": null } }",
         AT(1) "hedge.budget must be an object: put { } around its "
               "settings\n"},
        {"{ \"store\": { \"path\": \"x.db\" } }",
         AT(1) "store.path must begin with a slash: give the whole path\n"},
        /* clang-format on */
    };

    (void)state;
    check_rows(rows, ROWS(rows));
}

/* One wrong value per setting and kind of wrongness. */
static void test_config_refuses_values_of_wrong_type_or_range(void **state)
{
    static const struct {
        const char *group, *name, *value;
    } rows[] = {
        /* clang-format off */
        {"hedge", "after_s", "-1"},
        {"hedge", "after_s", "3601"},
        {"hedge", "after_s", "true"},
        {"hedge", "after_s", "\"p0\""},
        {"hedge", "after_s", "\"p100\""},
        {"hedge", "after_s", "\"p95x\""},
        {"hedge", "after_s", "\"p\""},
        {"hedge", "after_s", "\"3\""},
        {"hedge", "stall_after_s", "0"},
        {"hedge", "stall_after_s", "\"all\""},
        {"hedge", "hold_s", "null"},
        {"hedge", "hold_s", "\"most\""},
        {"hedge", "hold_limit_bytes", "1"},
        {"hedge", "hold_limit_bytes", "4096.5"},
        {"hedge", "resume", "\"maybe\""},
        {"hedge", "resume", "0"},
        {"hedge", "decide", "\"first\""},
        {"hedge", "max_attempts", "0"},
        {"hedge", "max_attempts", "6"},
        {"hedge", "max_attempts", "1.5"},
        {"hedge", "failover_on", "429"},
        {"hedge", "failover_on", "[99]"},
        {"hedge", "failover_on", "[600]"},
        {"hedge", "failover_on", "[\"\"]"},
        {"hedge", "failover_on", "[[429]]"},
        {"hedge", "failover_on",
         "[\"a\",\"b\",\"c\",\"d\",\"e\",\"f\",\"g\",\"h\",\"i\",\"j\",\"k\","
         "\"l\",\"m\",\"n\",\"o\",\"p\",\"q\"]"},
        {"hedge", "sources", "\"self\""},
        {"hedge", "sources", "[1]"},
        {"hedge", "floor_s", "null"},
        {"retry", "max", "5"},
        {"retry", "backoff_s", "0"},
        {"stream", "stall_threshold_ms", "0"},
        {"stream", "ttft_timeout_s", "0"},
        {"stream", "liveness", "\"byte\""},
        {"stream", "promote", "1"},
        {"experiment", "treatment", "1.1"},
        {"experiment", "unit", "\"day\""},
        {"experiment", "name", "7"},
        {"store", "timeline", "\"yes\""},
        {"store", "retain_days", "0"},
        /* clang-format on */
    };

    char text[300];
    char wanted[300];

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        struct loaded loaded;

        snprintf(text, sizeof text, "{\n\"%s\": { \"%s\": %s } }",
                 rows[i].group, rows[i].name, rows[i].value);
        snprintf(wanted, sizeof wanted, AT(2) "%s.%s is %.60s, and must be ",
                 rows[i].group, rows[i].name, rows[i].value);
        load_text(text, no_environment, &loaded);
        CHECK_INT(text, loaded.err, UNS_CONFIG);
        loaded.said[strlen(wanted)] = '\0';
        CHECK_TEXT(text, loaded.said, wanted);
    }
}

static void test_config_tells_what_a_value_must_be(void **state)
{
    static const struct row rows[] = {
        /* clang-format off */
        {"{\"mode\": \"on\"}",
         AT(1) "mode is \"on\", and must be one of \"off\", \"observe\", "
               "\"shadow\", \"hedge\"\n"},
        {"{\"hedge\": {\"hold_s\": -1}}",
         AT(1) "hedge.hold_s is -1, and must be a number from 0 to 3600 s, or "
               "\"all\"\n"},
        {"{\"stream\": {\"stall_threshold_ms\": 0}}",
         AT(1) "stream.stall_threshold_ms is 0, and must be a number from 1 to "
               "3600000 ms\n"},
        /* clang-format on */
    };

    (void)state;
    check_rows(rows, ROWS(rows));
}

static void test_config_refuses_what_could_never_fire(void **state)
{
    static const struct row rows[] = {
        /* clang-format off */
        {"{ \"hedge\": {\n \"stall_after_s\": 30, \"hold_s\": \"all\" },\n"
         " \"stream\": { \"stall_timeout_s\": 20 } }",
         AT(2) "hedge.stall_after_s (30) is not below stream.stall_timeout_s "
               "(20): it could never fire; raise the one or lower the "
               "other\n"},
        {"{ \"hedge\": { \"after_s\": 5 },\n"
         " \"stream\": { \"ttft_timeout_s\": 5 } }",
         AT(1) "hedge.after_s (5) is not below stream.ttft_timeout_s (5): it "
               "could never fire; raise the one or lower the other\n"},
        {"{ \"hedge\": { \"stall_after_s\": 5, \"hold_s\": 5,\n"
         " \"resume\": \"off\" } }",
         AT(1) "hedge.hold_s is not above hedge.stall_after_s and hedge.resume "
               "is \"off\": the stall could never be answered; raise "
               "hedge.hold_s\n"},
        {"{ \"hedge\": { \"decide\": \"first_complete\" } }",
         AT(1) "hedge.decide \"first_complete\" needs hedge.hold_s \"all\": "
               "set it, or decide by \"first_content\"\n"},
        {"{ \"retry\": { \"max\": 1 },\n"
         " \"hedge\": { \"after_s\": 0 } }",
         AT(1) "retry.max (1) could never act with hedge.after_s 0: the other "
               "request is there already; set one of them\n"},
        {"{ \"stream\": { \"ttft_timeout_s\": 2 },\n"
         " \"routes\": [ { \"match\": \"*\",\n"
         " \"hedge\": { \"after_s\": 3 } } ] }",
         AT(3) "hedge.after_s (3) is not below stream.ttft_timeout_s (2): it "
               "could never fire; raise the one or lower the other\n"},
        /* clang-format on */
    };

    (void)state;
    check_rows(rows, ROWS(rows));
}

static void test_config_tells_mistakes_in_routes(void **state)
{
    static const struct row rows[] = {
        /* clang-format off */
        {"{ \"routes\": {} }",
         AT(1) "routes must be a list: put [ ] around it\n"},
        {"{ \"routes\": [ 1 ] }", AT(1) "a route must be an object\n"},
        {"{ \"routes\": [ { } ] }",
         AT(1) "a route needs \"match\", a URL pattern like "
               "\"https://api.openai.com/*\"\n"},
        {"{ \"routes\": [ { \"match\": \"a b\" } ] }",
         AT(1) "match must have no space in it\n"},
        {"{ \"routes\": [ { \"match\": \"*\", \"exclude\": 1 } ] }",
         AT(1) "exclude must be true or false\n"},
        {"{ \"routes\": [ { \"match\": \"*\", \"dialect\": \"x\" } ] }",
         AT(1) "dialect must be the name of one, like \"chat\", \"anthropic\", "
               "\"gemini\" or \"ollama\"\n"},
        {"{ \"routes\": [ { \"match\": \"*\",\n\"sources\": [\"slef\"] } ] }",
         AT(2) "no source is called slef; did you mean self?\n"},
        {"{ \"routes\": [ { \"match\": \"*\",\n\"sources\": [\"qqqq\"] } ] }",
         AT(2) "no source is called qqqq: add it to \"sources\"\n"},
        {"{ \"hedge\": { \"sources\": [\"qqqq\"] } }",
         AT(1) "no source is called qqqq: add it to \"sources\"\n"},
        {"{ \"routes\": [ { \"match\": \"*\",\n"
         " \"store\": { \"path\": \"/x\" } } ] }",
         AT(2) "store.path cannot differ between routes: move it to the "
               "top\n"},
        {"{ \"match\": \"*\" }",
         AT(1) "no setting is called match: remove it, or see `unstall config "
               "show` for those that exist\n"},
        /* clang-format on */
    };

    (void)state;
    check_rows(rows, ROWS(rows));
}

#define HEDGES "\"mode\": \"hedge\", "

static void test_config_warns_of_what_has_no_effect(void **state)
{
    static const struct row rows[] = {
        /* clang-format off */
        {"{ " HEDGES "\"hedge\": { \"stall_after_s\": 5 } }",
         ""},
        {"{ " HEDGES
         "\"hedge\": { \"stall_after_s\": 5, \"resume\": \"prefill\" } }",
         "warning config.json:1: hedge.stall_after_s cannot act with "
         "hedge.resume \"prefill\": no source declares one; declare it, or set "
         "hedge.resume to \"auto\"\n"},
        {"{ " HEDGES
         "\"hedge\": { \"stall_after_s\": 5, \"resume\": \"prefill\", "
         "\"sources\": [\"a\"] }, \"sources\": { \"a\": { \"base_url\": "
         "\"https://a.example\", \"prefill\": \"prefix\" } } }",
         ""},
        {"{ " HEDGES "\"hedge\": { \"stall_after_s\": 5, \"resume\": \"off\" } }",
         "warning config.json:1: hedge.stall_after_s cannot act with "
         "hedge.hold_s 0 and hedge.resume \"off\": set hedge.hold_s above it, "
         "or to \"all\"\n"},
        {"{ " HEDGES "\"hedge\": { \"stall_after_s\": 5, \"hold_s\": 6 } }", ""},
        {"{ " HEDGES "\"hedge\": { \"after_s\": \"p95\" } }",
         ""},
        {"{ \"mode\": \"shadow\" }", ""},
        {"{ \"mode\": \"shadow\", \"hedge\": { \"max_attempts\": 1 } }",
         "warning config.json:1: mode \"shadow\" cannot act with "
         "hedge.max_attempts 1: the second request needs a 2\n"},
        {"{ \"mode\": \"hedge\", \"retry\": { \"max\": 0 } }", ""},
        {"{ " HEDGES "\"retry\": { \"max\": 1 } }", ""},
        {"{ " HEDGES "\"retry\": { \"max\": 2 } }",
         "warning config.json:1: retry.max (2) is not below "
         "hedge.max_attempts (2): a call has no more requests than that; "
         "raise hedge.max_attempts\n"},
        {"{ " HEDGES "\"retry\": { \"max\": 2 },\n"
         " \"hedge\": { \"max_attempts\": 3 } }", ""},
        {"{ " HEDGES "\"hedge\": { \"budget\": { \"ratio\": 1 } } }",
         ""},
        {"{ " HEDGES "\"hedge\": { \"after_s\": 3 }, "
         "\"stream\": { \"promote\": true } }",
         ""},
        {"{ \"experiment\": { \"name\": \"e\" },\n"
         " \"routes\": [ { \"match\": \"*\" } ] }",
         "warning config.json:1: experiment.name has no effect: its arms are "
         "\"mode\" and observing, and mode is \"hedge\" or \"shadow\" nowhere; "
         "set it\n"},
        {"{ \"experiment\": { \"name\": \"e\" },\n"
         " \"routes\": [ { \"match\": \"*\", \"mode\": \"shadow\" } ] }",
         ""},
        {"{ " HEDGES "\"experiment\": { \"name\": \"e\" }, "
         "\"hedge\": { \"after_s\": 3 } }",
         ""},
        /* clang-format on */
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        struct loaded loaded;

        load_text(rows[i].text, no_environment, &loaded);
        CHECK_TEXT(rows[i].text, loaded.said, rows[i].said);
        CHECK_INT(rows[i].text, loaded.err, UNS_OK);
        unload(&loaded);
    }
}

#define NO_EFFECT(origin, key, mode)                            \
    "warning " origin ": " key " has no effect in mode \"" mode \
    "\": set mode to \"hedge\"\n"

/* Of two words the nearer one counts: a "mode" in the file is meant, until the
 * environment asks for more. */
static void test_config_warns_of_hedging_without_the_mode(void **state)
{
    static const struct {
        const char *text, *variable[3], *said;
    } rows[] = {
        /* clang-format off */
        {"{ \"hedge\": {\n \"after_s\": 1 } }", {NULL},
         NO_EFFECT("config.json:2", "hedge.after_s", "observe")},
        {"{ \"retry\": { \"max\": 1 } }", {NULL},
         NO_EFFECT("config.json:1", "retry.max", "observe")},
        {"{}", {"UNSTALL__HEDGE__STALL_AFTER_S=1"},
         NO_EFFECT("UNSTALL__HEDGE__STALL_AFTER_S", "hedge.stall_after_s",
                   "observe")},
        {"{}", {"UNSTALL__HEDGE__AFTER_S=1", "UNSTALL__MODE=hedge"}, ""},
        {"{}", {"UNSTALL__HEDGE__AFTER_S=1", "UNSTALL__MODE=observe"}, ""},
        {"{ \"mode\": \"observe\", \"hedge\": { \"after_s\": 1 } }", {NULL},
         ""},
        {"{ \"mode\": \"off\" }", {"UNSTALL__HEDGE__AFTER_S=1"},
         NO_EFFECT("UNSTALL__HEDGE__AFTER_S", "hedge.after_s", "off")},
        {"{ \"mode\": \"hedge\" }", {"UNSTALL__HEDGE__AFTER_S=1"}, ""},
        {"{ \"hedge\": { \"after_s\": 1 },\n"
         " \"routes\": [ { \"match\": \"*\", \"mode\": \"hedge\" } ] }", {NULL},
         ""},
        {"{ \"mode\": \"hedge\" }", {NULL},
         "warning config.json:1: mode \"hedge\" alone asks again only after a "
         "failure: set hedge.after_s against slow beginnings, "
         "hedge.stall_after_s with hedge.hold_s \"all\" against stalls\n"},
        {"{ \"mode\": \"hedge\", \"retry\": { \"max\": 1 } }", {NULL}, ""},
        /* clang-format on */
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        struct loaded loaded;

        load_text(rows[i].text, rows[i].variable, &loaded);
        CHECK_TEXT(rows[i].text, loaded.said, rows[i].said);
        CHECK_INT(rows[i].text, loaded.err, UNS_OK);
        unload(&loaded);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_config_tells_the_line_of_broken_json),
        cmocka_unit_test(test_config_tells_unknown_keys_and_what_was_meant),
        cmocka_unit_test(test_config_refuses_values_of_wrong_type_or_range),
        cmocka_unit_test(test_config_tells_what_a_value_must_be),
        cmocka_unit_test(test_config_refuses_what_could_never_fire),
        cmocka_unit_test(test_config_tells_mistakes_in_routes),
        cmocka_unit_test(test_config_warns_of_what_has_no_effect),
        cmocka_unit_test(test_config_warns_of_hedging_without_the_mode),
    };

    return cmocka_run_group_tests(tests, config_enter, config_leave);
}
