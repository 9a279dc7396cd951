/* SPDX-License-Identifier: MIT */
/* A configuration that is right: what it says is what holds. */
#include "config_load.h"

static const char *const no_environment[] = {NULL};

static void test_config_has_defaults_without_a_file(void **state)
{
    struct loaded loaded;
    const struct uns_policy *policy;

    (void)state;
    load_text(NULL, NULL, &loaded);
    CHECK_TEXT("said", loaded.said, "");
    policy = policy_at(&loaded, "https://h/v1");
    assert_int_equal(policy->mode, UNS_MODE_OBSERVE);
    assert_int_equal(policy->hedge.after.how, UNS_DELAY_OFF);
    assert_true(policy->hedge.stall_after_ns == UNS_NEVER);
    assert_true(policy->hedge.hold_ns == 0);
    assert_true(policy->hedge.hold_limit_bytes == 8388608);
    assert_int_equal(policy->hedge.resume, UNS_RESUME_AUTO);
    assert_false(policy->hedge.first_complete);
    assert_int_equal(policy->hedge.max_attempts, 2);
    assert_true(policy->hedge.floor_ns == UNS_S / 2);
    assert_true(policy->hedge.warmup_ns == 5 * UNS_S);
    assert_true(policy->hedge.budget_burst == 10);
    assert_true(policy->hedge.budget_ratio == 0.1);
    assert_true(policy->hedge.budget_per_hour == UNS_NULL);
    assert_true(policy->retry.max == 0);
    assert_true(policy->stream.stall_threshold_ns == 2 * UNS_S);
    assert_true(policy->stream.ttft_timeout_ns == UNS_NEVER);
    assert_true(policy->stream.stall_timeout_ns == UNS_NEVER);
    assert_false(policy->stream.liveness_bytes);
    assert_int_equal(policy->source_count, 1);
    CHECK_TEXT("source", policy->sources[0]->name, "self");
    assert_null(policy->sources[0]->base_url);
    assert_null(policy->route);
    assert_true(uns_config_store_timeline(loaded.config));
    assert_null(uns_config_store_path(loaded.config));
    assert_null(uns_config_experiment(loaded.config));
    unload(&loaded);
}

static void test_config_fails_over_on_the_documented_statuses(void **state)
{
    struct loaded loaded;
    const struct uns_failover *failover;
    static const int on[] = {408, 409, 429, 500, 503, 529, 599};
    static const int off[] = {100, 200, 301, 400, 401, 404, 499};

    (void)state;
    load_text(NULL, NULL, &loaded);
    failover = &policy_at(&loaded, "https://h/v1")->hedge.failover;
    for (size_t i = 0; i < ROWS(on); i++)
        CHECK_INT("on", failover->status[on[i]], true);
    for (size_t i = 0; i < ROWS(off); i++)
        CHECK_INT("off", failover->status[off[i]], false);
    CHECK_TEXT("code", failover->code[0], "context_length_exceeded");
    assert_null(failover->code[1]);
    unload(&loaded);
}

static const char whole[] =
    "// every setting\n"
    "{ \"mode\": \"hedge\",\n"
    "  \"hedge\": { \"after_s\": 2.5, \"stall_after_s\": 5, \"hold_s\": "
    "\"all\",\n"
    "    \"hold_limit_bytes\": 65536, \"resume\": \"verify\",\n"
    "    \"decide\": \"first_complete\", \"max_attempts\": 5,\n"
    "    \"failover_on\": [429, \"my_code\"], \"floor_s\": 0.25,\n"
    "    \"warmup_s\": 1, \"budget\": { \"burst\": 3, \"ratio\": 0.5,\n"
    "    \"per_hour\": 100, \"per_day\": 1000 } },\n"
    "  \"retry\": { \"max\": 2, \"backoff_s\": 0.1 },\n"
    "  /* clocks */\n"
    "  \"stream\": { \"stall_threshold_ms\": 1500, \"ttft_timeout_s\": 60,\n"
    "    \"stall_timeout_s\": 20, \"liveness\": \"bytes\", \"promote\": true,\n"
    "    \"tcp_keepalive_s\": 30 },\n"
    "  \"sources\": { \"backup\": { \"base_url\": \"https://b.example/v1\",\n"
    "    \"dialects\": [\"chat\", \"responses\"], \"auth\": \"api-key\",\n"
    "    \"models\": { \"m\": \"n\" }, \"headers\": { \"X-Title\": \"t\" },\n"
    "    \"ca_file\": null, \"prefill\": \"prefix\" } },\n"
    "  \"routes\": [ { \"match\": \"https://r.example/*\",\n"
    "    \"sources\": [\"backup\", \"self\"] } ],\n"
    "  \"experiment\": { \"name\": \"x\", \"treatment\": 1, \"unit\": "
    "\"process\" },\n"
    "  \"store\": { \"path\": \"/p/u.db\", \"timeline\": false,\n"
    "    \"retain_days\": null } }\n";

static void test_config_reads_every_setting(void **state)
{
    struct loaded loaded;
    const struct uns_policy *policy;

    (void)state;
    load_text(whole, no_environment, &loaded);
    assert_int_equal(loaded.err, UNS_OK);
    policy = policy_at(&loaded, "https://other.example/v1");
    assert_int_equal(policy->mode, UNS_MODE_HEDGE);
    assert_int_equal(policy->hedge.after.how, UNS_DELAY_FIXED);
    assert_true(policy->hedge.after.fixed_ns == 2500 * UNS_MS);
    assert_true(policy->hedge.stall_after_ns == 5 * UNS_S);
    assert_true(policy->hedge.hold_ns == UNS_NEVER);
    assert_true(policy->hedge.hold_limit_bytes == 65536);
    assert_int_equal(policy->hedge.resume, UNS_RESUME_VERIFY);
    assert_true(policy->hedge.first_complete);
    assert_int_equal(policy->hedge.max_attempts, 5);
    assert_true(policy->hedge.failover.status[429]);
    assert_false(policy->hedge.failover.status[500]);
    CHECK_TEXT("code", policy->hedge.failover.code[0], "my_code");
    assert_true(policy->hedge.floor_ns == 250 * UNS_MS);
    assert_true(policy->hedge.warmup_ns == UNS_S);
    assert_true(policy->hedge.budget_burst == 3);
    assert_true(policy->hedge.budget_ratio == 0.5);
    assert_true(policy->hedge.budget_per_hour == 100);
    assert_true(policy->hedge.budget_per_day == 1000);
    assert_int_equal(policy->retry.max, 2);
    assert_true(policy->retry.backoff_ns == 100 * UNS_MS);
    assert_true(policy->stream.stall_threshold_ns == 1500 * UNS_MS);
    assert_true(policy->stream.ttft_timeout_ns == 60 * UNS_S);
    assert_true(policy->stream.stall_timeout_ns == 20 * UNS_S);
    assert_true(policy->stream.liveness_bytes);
    assert_true(policy->stream.promote);
    assert_true(policy->stream.tcp_keepalive_ns == 30 * UNS_S);
    CHECK_TEXT("experiment", uns_config_experiment(loaded.config)->name, "x");
    assert_true(uns_config_experiment(loaded.config)->treatment == 1);
    assert_int_equal(uns_config_experiment(loaded.config)->unit,
                     UNS_UNIT_PROCESS);
    CHECK_TEXT("path", uns_config_store_path(loaded.config), "/p/u.db");
    assert_false(uns_config_store_timeline(loaded.config));
    unload(&loaded);
}

static void test_config_reads_a_source(void **state)
{
    struct loaded loaded;
    const struct uns_source *source;
    size_t count;

    (void)state;
    load_text(whole, no_environment, &loaded);
    source = uns_config_sources(loaded.config, &count);
    assert_int_equal(count, 2);
    CHECK_TEXT("name", source[1].name, "backup");
    CHECK_TEXT("base_url", source[1].base_url, "https://b.example/v1");
    CHECK_INT("dialects", source[1].dialects,
              1U << UNS_DIALECT_CHAT | 1U << UNS_DIALECT_RESPONSES);
    CHECK_INT("auth", source[1].auth, UNS_AUTH_API_KEY);
    CHECK_INT("models", source[1].model_count, 1);
    CHECK_TEXT("model", source[1].models[0].value, "n");
    CHECK_INT("headers", source[1].header_count, 1);
    CHECK_TEXT("header", source[1].headers[0].key, "X-Title");
    CHECK_TEXT("ca_file", source[1].ca_file, NULL);
    CHECK_INT("prefill", source[1].prefill, UNS_PREFILL_PREFIX);
    CHECK_INT("used", uns_config_uses(loaded.config, &source[1]), true);
    unload(&loaded);
}

static void test_config_reads_every_form_of_delay(void **state)
{
    static const struct {
        const char *value;
        int how;
        uns_ns fixed_ns;
        double quantile;
    } rows[] = {
        {"0", UNS_DELAY_FIXED, 0, 0},
        {"3", UNS_DELAY_FIXED, 3 * UNS_S, 0},
        {"0.001", UNS_DELAY_FIXED, UNS_MS, 0},
        {"\"p95\"", UNS_DELAY_QUANTILE, 0, 0.95},
        {"\"p99.9\"", UNS_DELAY_QUANTILE, 0, 0.999},
        {"\"auto\"", UNS_DELAY_AUTO, 0, 0},
        {"null", UNS_DELAY_OFF, 0, 0},
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        struct loaded loaded;
        char text[100];
        const struct uns_delay *delay;

        snprintf(text, sizeof text, "{\"hedge\":{\"after_s\":%s}}",
                 rows[i].value);
        load_text(text, no_environment, &loaded);
        delay = &policy_at(&loaded, "https://h/")->hedge.after;
        CHECK_INT(rows[i].value, delay->how, rows[i].how);
        if (rows[i].how == UNS_DELAY_FIXED)
            CHECK_INT(rows[i].value, delay->fixed_ns, rows[i].fixed_ns);
        if (rows[i].how == UNS_DELAY_QUANTILE)
            CHECK_INT(rows[i].value, delay->quantile * 1e6 + 0.5,
                      rows[i].quantile * 1e6 + 0.5);
        unload(&loaded);
    }
}

static void test_config_gives_each_route_its_policy(void **state)
{
    static const char text[] =
        "{ \"hedge\": { \"after_s\": 3 },\n"
        "  \"sources\": { \"b\": { \"base_url\": \"https://b/v1\" } },\n"
        "  \"routes\": [\n"
        "   { \"match\": \"https://one/*\", \"sources\": [\"b\", \"self\"],\n"
        "     \"mode\": \"hedge\", \"hedge\": { \"max_attempts\": 4 } },\n"
        "   { \"match\": \"https://two/private/*\", \"exclude\": true },\n"
        "   { \"match\": \"https://two/*\", \"dialect\": \"chat\",\n"
        "     \"stream\": { \"ttft_timeout_s\": 9 } },\n"
        "   { \"match\": \"*\", \"hedge\": { \"after_s\": null } } ] }\n";
    struct loaded loaded;
    const struct uns_policy *policy;
    char *match;

    (void)state;
    load_text(text, no_environment, &loaded);
    CHECK_TEXT("said", loaded.said, "");
    policy = policy_at(&loaded, "https://one/v1");
    CHECK_TEXT("route", policy->route, "https://one/*");
    CHECK_INT("one", policy->mode, UNS_MODE_HEDGE);
    CHECK_INT("one", policy->hedge.max_attempts, 4);
    CHECK_INT("one", policy->hedge.after.fixed_ns, 3 * UNS_S);
    CHECK_INT("one", policy->source_count, 2);
    CHECK_TEXT("one", policy->sources[0]->name, "b");
    CHECK_TEXT("one", policy->sources[1]->name, "self");
    assert_null(policy_at(&loaded, "https://two/private/x"));
    policy = policy_at(&loaded, "https://two/x");
    CHECK_INT("two", policy->stream.ttft_timeout_ns, 9 * UNS_S);
    CHECK_INT("two", policy->hedge.max_attempts, 2);
    CHECK_TEXT("two", policy->sources[0]->name, "self");
    policy = policy_at(&loaded, "http://other/");
    CHECK_INT("other", policy->hedge.after.how, UNS_DELAY_OFF);
    match = uns_config_match(loaded.config);
    CHECK_TEXT("match", match, "!https://two/private/* chat=https://two/*");
    free(match);
    unload(&loaded);
}

static void test_config_sends_nothing_where_no_policy_would(void **state)
{
    static const struct {
        const char *mode;
        bool uses;
    } rows[] = {
        {"off", false}, {"observe", false}, {"shadow", true}, {"hedge", true}};

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        struct loaded loaded;
        char text[256];
        size_t count;

        (void)snprintf(text, sizeof text,
                       "{\"sources\":{\"b\":{\"base_url\":\"https://b/v1\"}},"
                       "\"routes\":[{\"match\":\"*\",\"mode\":\"%s\","
                       "\"sources\":[\"b\"]}]}",
                       rows[i].mode);
        load_text(text, no_environment, &loaded);
        CHECK_INT(rows[i].mode,
                  uns_config_uses(loaded.config, &uns_config_sources(
                                                     loaded.config, &count)[1]),
                  rows[i].uses);
        unload(&loaded);
    }
}

static bool hedges(const struct uns_policy *policy)
{
    return policy->mode == UNS_MODE_HEDGE;
}

/* What holds for calls is asked for, wherever it is said. */
static void test_config_asks_every_policy_that_calls_have(void **state)
{
    static const struct {
        const char *text;
        bool any;
    } rows[] = {
        {"{}", false},
        {"{\"mode\":\"hedge\"}", true},
        {"{\"routes\":[{\"match\":\"*\"}]}", false},
        {"{\"routes\":[{\"match\":\"*\",\"mode\":\"hedge\"}]}", true},
        {"{\"mode\":\"hedge\",\"routes\":[{\"match\":\"*\","
         "\"mode\":\"off\"}]}",
         true},
        {"{\"routes\":[{\"match\":\"*\",\"mode\":\"hedge\","
         "\"exclude\":true}]}",
         false},
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        struct loaded loaded;

        load_text(rows[i].text, no_environment, &loaded);
        assert_non_null(loaded.config);
        CHECK_INT(rows[i].text, uns_config_any(loaded.config, hedges),
                  rows[i].any);
        unload(&loaded);
    }
}

static void test_config_knows_what_somebody_has_said(void **state)
{
    static const struct {
        const char *text;
        bool said;
    } rows[] = {
        {"{}", false},
        {"{\"hedge\":{\"after_s\":2}}", false},
        {"{\"hedge\":{\"max_attempts\":2}}", true},
        {"{\"routes\":[{\"match\":\"*\"}]}", false},
        {"{\"routes\":[{\"match\":\"*\","
         "\"hedge\":{\"max_attempts\":2}}]}",
         true},
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        struct loaded loaded;

        load_text(rows[i].text, no_environment, &loaded);
        assert_non_null(loaded.config);
        CHECK_INT(rows[i].text,
                  uns_config_said(loaded.config, "hedge.max_attempts"),
                  rows[i].said);
        unload(&loaded);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_config_has_defaults_without_a_file),
        cmocka_unit_test(test_config_fails_over_on_the_documented_statuses),
        cmocka_unit_test(test_config_reads_every_setting),
        cmocka_unit_test(test_config_reads_a_source),
        cmocka_unit_test(test_config_reads_every_form_of_delay),
        cmocka_unit_test(test_config_gives_each_route_its_policy),
        cmocka_unit_test(test_config_sends_nothing_where_no_policy_would),
        cmocka_unit_test(test_config_asks_every_policy_that_calls_have),
        cmocka_unit_test(test_config_knows_what_somebody_has_said),
    };

    return cmocka_run_group_tests(tests, config_enter, config_leave);
}
