/* SPDX-License-Identifier: MIT */
/* The settings without memory: all of them hold or none does, and nobody is
 * told that something is wrong with a file that is right (P3: a route that
 * excludes a URL is never overlooked). */
#include "starve.h"

#include "config_load.h"

static const char right[] =
    "{ \"mode\": \"hedge\", // comments\n"
    "  \"hedge\": { \"after_s\": \"p95\", \"failover_on\": [429, \"busy\"] },\n"
    "  \"sources\": { \"backup\": { \"base_url\": \"https://b.example/v1\",\n"
    "    \"dialects\": [\"chat\"], \"models\": { \"m\": \"n\" },\n"
    "    \"headers\": { \"X-Title\": \"t\" } } },\n"
    "  \"routes\": [ { \"match\": \"https://secret.example/*\",\n"
    "                \"exclude\": true },\n"
    "    { \"match\": \"https://r.example/*\", \"dialect\": \"chat\",\n"
    "      \"sources\": [\"backup\", \"self\"] } ] }\n";

/* One fault of each kind that is told: a value, a key, a source, a route. */
static const char *const wrong[] = {
    "{ \"hedge\": { \"after_s\": -1 } }",
    "{ \"hedge\": { \"after\": 1 } }",
    "{ \"hedge\": { \"sources\": [\"nobody\"] } }",
    "{ \"sources\": { \"b\": { \"base_url\": 1 } } }",
    "{ \"routes\": [ { \"exclude\": true } ] }",
    "{ \"mode\": \"hedge\", \"mode\": \"off\" }",
    "{ \"mode\": \"hedge\", }",
    "[ 1 ]",
    "{ \"store\": { \"path\": \"here.db\" } }",
};

static const char *const variables[] = {
    "HOME=/home/u",
    "UNSTALL__MODE=shadow",
    "UNSTALL__HEDGE={\"stall_after_s\": 7, \"hold_s\": \"all\"}",
    "UNSTALL__HEDGE__SOURCES=[\"other\"]",
    "UNSTALL__SOURCES__OTHER__BASE_URL=https://o.example/v1",
    "UNSTALL__HEDGE__MAX_ATTEMPTS=3",
    NULL,
};

static struct loaded loaded; /* by the last run */
static const char *const *environment;
static const char *text;

static void nothing(void)
{
}

static void nothing_left(const char *row, enum uns_err err)
{
    (void)row;
    (void)err;
}

static enum uns_err load(void)
{
    const struct uns_config_where where = {
        .path = text ? "config.json" : NULL,
        .environment = as_environment(environment),
    };

    load_where(&where, &loaded);
    return loaded.err;
}

static const struct uns_policy *policy(const char *address)
{
    return policy_at(&loaded, address);
}

/* What `right` says, down to its last line. */
static enum uns_err load_right(void)
{
    if (load() == UNS_OK) {
        CHECK_INT("mode", policy("https://a/v1")->mode, UNS_MODE_HEDGE);
        CHECK_INT("excluded", !policy("https://secret.example/v1"), true);
        CHECK_INT("sources", policy("https://r.example/v1")->source_count, 2);
        CHECK_TEXT("store", uns_config_store_path(loaded.config),
                   "/home/u/.local/state/unstall/unstall.db");
    }
    CHECK_TEXT("said", loaded.said, "");
    unload(&loaded);
    return loaded.err;
}

/* What `variables` say. */
static enum uns_err load_environment(void)
{
    if (load() == UNS_OK) {
        const struct uns_policy *top = policy("https://a/v1");

        CHECK_INT("mode", top->mode, UNS_MODE_SHADOW);
        CHECK_INT("stall", top->hedge.stall_after_ns, 7 * UNS_S);
        CHECK_INT("hold", top->hedge.hold_ns, UNS_NEVER);
        CHECK_INT("attempts", top->hedge.max_attempts, 3);
        CHECK_TEXT("source", top->sources[0]->name, "other");
    }
    CHECK_TEXT("said", loaded.said, "");
    unload(&loaded);
    return loaded.err;
}

/* Never accepted.  To be told what is wrong with it is what is wanted. */
static enum uns_err load_wrong(void)
{
    enum uns_err err = load();

    CHECK_INT(text, loaded.config == NULL, true);
    CHECK_INT(text, err == UNS_CONFIG, loaded.said[0] != '\0');
    return err == UNS_CONFIG ? UNS_OK : err;
}

static enum uns_err print(char *(*printer)(const struct uns_config *),
                          const char *want)
{
    char *said = printer(loaded.config);

    if (said == NULL)
        return UNS_NOMEM;
    CHECK_INT(said, strstr(said, want) != NULL, true);
    free(said);
    return UNS_OK;
}

static enum uns_err print_match(void)
{
    return print(uns_config_match,
                 "!https://secret.example/* chat=https://r.example/*");
}

static enum uns_err print_dump(void)
{
    return print(uns_config_dump, "{\"key\":\"routes.1.sources\",\"value\":"
                                  "[\"backup\",\"self\"],\"origin\":"
                                  "\"config.json:9\"}]");
}

static void begin_with(const char *content, const char *const *with)
{
    text = content;
    environment = with;
    if (content)
        write_file("config.json", content);
}

static void test_config_holds_as_a_whole_without_memory(void **state)
{
    static const char *const home[] = {"HOME=/home/u", NULL};
    static const struct operation file = {"a file", nothing, load_right,
                                          nothing_left};
    static const struct operation others = {"variables", nothing,
                                            load_environment, nothing_left};

    (void)state;
    begin_with(right, home);
    starve_each(&file, 1);
    begin_with(NULL, variables);
    starve_each(&others, 1);
}

static void test_config_never_takes_what_is_wrong_without_memory(void **state)
{
    (void)state;
    for (size_t i = 0; i < ROWS(wrong); i++) {
        const struct operation op = {wrong[i], nothing, load_wrong,
                                     nothing_left};

        begin_with(wrong[i], NULL);
        starve_each(&op, 1);
    }
}

static void test_config_is_printed_whole_without_memory(void **state)
{
    static const struct operation ops[] = {
        {"match", nothing, print_match, nothing_left},
        {"dump", nothing, print_dump, nothing_left},
    };

    (void)state;
    begin_with(right, NULL);
    assert_int_equal(load(), UNS_OK);
    starve_each(ops, ROWS(ops));
    unload(&loaded);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_config_holds_as_a_whole_without_memory),
        cmocka_unit_test(test_config_never_takes_what_is_wrong_without_memory),
        cmocka_unit_test(test_config_is_printed_whole_without_memory),
    };

    fake_memory_json();
    return cmocka_run_group_tests(tests, config_enter, config_leave);
}
