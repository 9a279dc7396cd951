/* SPDX-License-Identifier: MIT */
/* What the environment overrides, where the file is looked for, and that every
 * value knows where it was said. */
#include "config_load.h"

#include <cjson/cJSON.h>

/* One variable over one file: what is said, or what a setting then is. */
static void check_dump(const struct loaded *loaded, const char *key,
                       const char *value, const char *origin)
{
    char *text = uns_config_dump(loaded->config);
    cJSON *list = cJSON_Parse(text);
    const cJSON *row;
    bool found = false;

    cJSON_ArrayForEach(row, list)
    {
        char *got;

        if (strcmp(cJSON_GetObjectItem(row, "key")->valuestring, key) != 0)
            continue;
        got = cJSON_PrintUnformatted(cJSON_GetObjectItem(row, "value"));
        CHECK_TEXT(key, got, value);
        CHECK_TEXT(key, cJSON_GetObjectItem(row, "origin")->valuestring,
                   origin);
        free(got);
        found = true;
    }
    CHECK_INT(key, found, true);
    cJSON_Delete(list);
    free(text);
}

static void test_config_lets_the_environment_override(void **state)
{
    static const struct {
        const char *variable;
        const char *key, *value, *origin;
    } rows[] = {
        {"UNSTALL__HEDGE__AFTER_S=3", "hedge.after_s", "3",
         "UNSTALL__HEDGE__AFTER_S"},
        {"UNSTALL__HEDGE__AFTER_S=p90", "hedge.after_s", "\"p90\"",
         "UNSTALL__HEDGE__AFTER_S"},
        {"UNSTALL__HEDGE__AFTER_S=null", "hedge.after_s", "null",
         "UNSTALL__HEDGE__AFTER_S"},
        {"UNSTALL__HEDGE__BUDGET__RATIO=0.5", "hedge.budget.ratio", "0.5",
         "UNSTALL__HEDGE__BUDGET__RATIO"},
        {"UNSTALL__MODE=hedge", "mode", "\"hedge\"", "UNSTALL__MODE"},
        {"UNSTALL__MODE=\"hedge\"", "mode", "\"hedge\"", "UNSTALL__MODE"},
        {"UNSTALL__STREAM__PROMOTE=true", "stream.promote", "true",
         "UNSTALL__STREAM__PROMOTE"},
        {"UNSTALL__EXPERIMENT__NAME=2026", "experiment.name", "\"2026\"",
         "UNSTALL__EXPERIMENT__NAME"},
        {"UNSTALL__STORE__PATH=/x=y", "store.path", "\"/x=y\"",
         "UNSTALL__STORE__PATH"},
        {"UNSTALL__HEDGE={\"max_attempts\":4}", "hedge.max_attempts", "4",
         "UNSTALL__HEDGE"},
        {"UNSTALL__HEDGE={\"max_attempts\":4}", "hedge.after_s", "1",
         "config.json:1"},
        {"UNSTALL__HEDGE__FAILOVER_ON=[500]", "hedge.failover_on", "[500]",
         "UNSTALL__HEDGE__FAILOVER_ON"},
        {"UNSTALL__SOURCES={\"b\":{\"base_url\":\"https://z\"}}",
         "sources.b.base_url", "\"https://z\"", "UNSTALL__SOURCES"},
        {"UNSTALL__SOURCES={\"c\":{\"base_url\":\"https://z\"}}",
         "sources.b.base_url", "\"https://b\"", "config.json:2"},
        {"UNSTALL__SOURCES__B__BASE_URL=https://z", "sources.b.base_url",
         "\"https://z\"", "UNSTALL__SOURCES__B__BASE_URL"},
        {"UNSTALL__ROUTES=[{\"match\":\"*\"}]", "routes.0.match", "\"*\"",
         "UNSTALL__ROUTES"},
        {"UNSTALL_MODE=off", "mode", "\"observe\"", "default"},
        {"UNSTALL__", "mode", "\"observe\"", "default"},
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        const char *environment[] = {"PATH=/bin", rows[i].variable, NULL};
        struct loaded loaded;

        load_text("{ \"hedge\": { \"after_s\": 1 },\n"
                  "\"sources\": { \"b\": { \"base_url\": \"https://b\" } } }",
                  environment, &loaded);
        CHECK_INT(rows[i].variable, loaded.err, UNS_OK);
        check_dump(&loaded, rows[i].key, rows[i].value, rows[i].origin);
        unload(&loaded);
    }
}

/* P3: a source that is given anew inherits no key from its namesake. */
static void test_config_replaces_a_source_as_a_whole(void **state)
{
    const char *environment[] = {
        "UNSTALL__SOURCES={\"b\":{\"base_url\":\"https://z\"}}", "K=v", NULL};
    struct loaded loaded;
    size_t count;
    const struct uns_source *source;

    (void)state;
    load_text("{\"sources\":{\"b\":{\"base_url\":\"https://b\","
              "\"api_key_env\":\"K\"}}}",
              environment, &loaded);
    source = uns_config_sources(loaded.config, &count);
    CHECK_TEXT("url", source[1].base_url, "https://z");
    CHECK_TEXT("key", source[1].api_key_env, NULL);
    unload(&loaded);
}

static void test_config_takes_narrow_variables_after_wide_ones(void **state)
{
    const char *environment[] = {
        "UNSTALL__HEDGE__MAX_ATTEMPTS=5",
        "UNSTALL__HEDGE={\"max_attempts\":3,\"floor_s\":1}", NULL};
    struct loaded loaded;

    (void)state;
    load_text(NULL, environment, &loaded);
    check_dump(&loaded, "hedge.max_attempts", "5",
               "UNSTALL__HEDGE__MAX_ATTEMPTS");
    check_dump(&loaded, "hedge.floor_s", "1", "UNSTALL__HEDGE");
    unload(&loaded);
}

static void test_config_lets_the_environment_override_routes(void **state)
{
    const char *environment[] = {"UNSTALL__HEDGE__AFTER_S=7",
                                 "UNSTALL__HEDGE__SOURCES=[\"self\"]", NULL};
    struct loaded loaded;
    const struct uns_policy *policy;

    (void)state;
    load_text("{\"sources\":{\"b\":{\"base_url\":\"https://b\"}},"
              "\"routes\":[{\"match\":\"*\",\"sources\":[\"b\"],"
              "\"hedge\":{\"after_s\":1,\"max_attempts\":3}}]}",
              environment, &loaded);
    policy = policy_at(&loaded, "https://h/");
    CHECK_INT("after_s", policy->hedge.after.fixed_ns, 7 * UNS_S);
    CHECK_INT("max_attempts", policy->hedge.max_attempts, 3);
    CHECK_TEXT("source", policy->sources[0]->name, "self");
    unload(&loaded);
}

static void test_config_names_the_variable_in_its_messages(void **state)
{
    static const struct {
        const char *variable;
        const char *said;
    } rows[] = {
        {"UNSTALL__MODE=on",
         "error UNSTALL__MODE: mode is \"on\", and must be one of \"off\", "
         "\"observe\", \"shadow\", \"hedge\"\n"},
        {"UNSTALL__HEDGE__AFTER=3",
         "error UNSTALL__HEDGE__AFTER: no setting is called hedge.after; did "
         "you mean hedge.after_s?\n"},
        {"UNSTALL__HEDGE__AFTER_S=4000",
         "error --after: hedge.after_s is 4000, and must be a number from 0 to "
         "3600 s, a quantile like \"p95\", \"auto\" or null\n"},
        {"UNSTALL__MODE__X=1",
         "error UNSTALL__MODE__X: mode is {\"x\":1}, and must be one of "
         "\"off\", \"observe\", \"shadow\", \"hedge\"\n"},
        {"UNSTALL__ROUTES__0=1",
         "error UNSTALL__ROUTES__0: routes must be a list: put [ ] around "
         "it\n"},
    };
    static const struct uns_pair labels[] = {
        {"UNSTALL__HEDGE__AFTER_S", "--after"}};

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        const char *environment[] = {rows[i].variable, NULL};
        struct uns_config_where where = {.environment =
                                             as_environment(environment),
                                         .labels = labels,
                                         .label_count = ROWS(labels)};
        struct loaded loaded;

        load_where(&where, &loaded);
        CHECK_TEXT(rows[i].variable, loaded.said, rows[i].said);
        CHECK_INT(rows[i].variable, loaded.err, UNS_CONFIG);
    }
}

/* A variable for something within what is no object; and one that is no key. */
static void test_config_has_nothing_in_a_word(void **state)
{
    static char long_name[200] = "UNSTALL__";
    const char *const environment[] = {"UNSTALL__MODE=off",
                                       "UNSTALL__MODE__X=1", long_name, NULL};
    struct loaded loaded;

    (void)state;
    memset(long_name + strlen(long_name), 'A', 150);
    memcpy(long_name + strlen(long_name), "=1", sizeof "=1");
    load_text(NULL, environment, &loaded);
    CHECK_TEXT("said", loaded.said,
               "error UNSTALL__MODE__X: there is nothing that has a x\n");
    assert_null(loaded.config);
}

static void test_config_finds_the_database(void **state)
{
    static const struct {
        const char *environment[3];
        const char *path;
    } rows[] = {
        {{"XDG_STATE_HOME=/s", "HOME=/h", NULL}, "/s/unstall/unstall.db"},
        {{"HOME=/h", NULL, NULL}, "/h/.local/state/unstall/unstall.db"},
        {{"XDG_STATE_HOME=", "HOME=/h", NULL},
         "/h/.local/state/unstall/unstall.db"},
        {{"XDG_STATE_HOME=relative", "HOME=/h", NULL},
         "/h/.local/state/unstall/unstall.db"},
        {{"UNSTALL__STORE__PATH=/x.db", "HOME=/h", NULL}, "/x.db"},
        {{"HOME=", NULL, NULL}, NULL},
        {{NULL, NULL, NULL}, NULL},
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        struct loaded loaded;

        load_text(NULL, rows[i].environment, &loaded);
        CHECK_TEXT("store", uns_config_store_path(loaded.config), rows[i].path);
        unload(&loaded);
    }
}

static enum uns_mode mode_of(const char *const *environment)
{
    struct loaded loaded;
    enum uns_mode mode;

    load_text(NULL, environment, &loaded);
    mode = policy_at(&loaded, "https://h/")->mode;
    unload(&loaded);
    return mode;
}

static void test_config_looks_in_the_usual_places_only(void **state)
{
    char home[200];
    char xdg[200];
    const char *by_home[] = {home, NULL};
    const char *by_xdg[] = {xdg, "HOME=/nowhere", NULL};
    const char *by_name[] = {"UNSTALL_CONFIG=config.json", NULL};
    const char *by_nothing[] = {NULL};

    (void)state;
    snprintf(home, sizeof home, "HOME=%s", config_dir);
    snprintf(xdg, sizeof xdg, "XDG_CONFIG_HOME=%s/.config", config_dir);
    write_file("config.json", "{\"mode\":\"off\"}");
    CHECK_INT("working directory", mode_of(by_nothing), UNS_MODE_OBSERVE);
    CHECK_INT("HOME without", mode_of(by_home), UNS_MODE_OBSERVE);
    CHECK_INT("UNSTALL_CONFIG", mode_of(by_name), UNS_MODE_OFF);
    assert_int_equal(mkdir(".config", 0700), 0);
    assert_int_equal(mkdir(".config/unstall", 0700), 0);
    assert_int_equal(rename("config.json", ".config/unstall/config.json"), 0);
    CHECK_INT("HOME", mode_of(by_home), UNS_MODE_OFF);
    CHECK_INT("XDG", mode_of(by_xdg), UNS_MODE_OFF);
    unlink(".config/unstall/config.json");
    rmdir(".config/unstall");
    rmdir(".config");
}

static void test_config_tells_the_file_that_was_read(void **state)
{
    static const struct {
        const char *name, *variable[3], *path, *usual;
    } rows[] = {
        {"named",
         {"UNSTALL_CONFIG=config.json", "HOME=/h", NULL},
         "config.json",
         NULL},
        {"none, by XDG",
         {"XDG_CONFIG_HOME=/nowhere/x", "HOME=/h", NULL},
         NULL,
         "/nowhere/x/unstall/config.json"},
        {"none, by HOME",
         {"HOME=/nowhere", NULL},
         NULL,
         "/nowhere/.config/unstall/config.json"},
        {"no place", {NULL}, NULL, NULL},
    };

    (void)state;
    write_file("config.json", "{}");
    for (size_t i = 0; i < ROWS(rows); i++) {
        struct loaded loaded;
        const char *usual;
        const char *path;

        load_text(NULL, rows[i].variable, &loaded);
        assert_non_null(loaded.config);
        path = uns_config_path(loaded.config, &usual);
        CHECK_TEXT(rows[i].name, path ? path : "-",
                   rows[i].path ? rows[i].path : "-");
        CHECK_TEXT(rows[i].name, usual ? usual : "-",
                   rows[i].usual ? rows[i].usual : "-");
        unload(&loaded);
    }
}

static void test_config_misses_a_file_that_was_named(void **state)
{
    static const struct {
        const char *path, *said;
    } rows[] = {
        {"nowhere.json", "error nowhere.json: cannot be read (No such file or "
                         "directory): name a file that can be\n"},
        {".", "error .: cannot be read (Is a directory): name a file that "
              "can be\n"},
        {"large.json", "error large.json: cannot be read (File too large): "
                       "name a file that can be\n"},
    };

    (void)state;
    write_file("large.json", "{}");
    assert_int_equal(truncate("large.json", 1 << 20), 0);
    for (size_t i = 0; i < ROWS(rows); i++) {
        struct uns_config_where where = {.path = rows[i].path};
        struct loaded loaded;

        load_where(&where, &loaded);
        CHECK_TEXT(rows[i].path, loaded.said, rows[i].said);
        CHECK_INT(rows[i].path, loaded.err, UNS_CONFIG);
    }
    unlink("large.json");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_config_lets_the_environment_override),
        cmocka_unit_test(test_config_replaces_a_source_as_a_whole),
        cmocka_unit_test(test_config_takes_narrow_variables_after_wide_ones),
        cmocka_unit_test(test_config_lets_the_environment_override_routes),
        cmocka_unit_test(test_config_names_the_variable_in_its_messages),
        cmocka_unit_test(test_config_has_nothing_in_a_word),
        cmocka_unit_test(test_config_finds_the_database),
        cmocka_unit_test(test_config_looks_in_the_usual_places_only),
        cmocka_unit_test(test_config_tells_the_file_that_was_read),
        cmocka_unit_test(test_config_misses_a_file_that_was_named),
    };

    return cmocka_run_group_tests(tests, config_enter, config_leave);
}
