/* SPDX-License-Identifier: MIT */
/* What reaches a rival's handle: P3, option by option. */
#include "bench.h"

#include "check.h"
#include "shim/options.h"

#include <stdio.h>

static const struct fake_beat silent[] = {SILENCE};
static const struct fake_beat healthy[] = {
    HEAD(10, OK_HEAD), BODY(20, DELTA("Hi")), BODY(30, STOP),
    BODY(30, DONE),    END(40, CURLE_OK),
};

static void open_with(bool self)
{
    bench_open();
    bench_sources(self ? 0 : 1);
    bench.policy.hedge.after =
        (struct uns_delay){.how = UNS_DELAY_FIXED, .fixed_ns = UNS_S};
}

static const struct fake_easy *hedge(void)
{
    BENCH_RUN(silent, healthy);
    assert_int_equal(fake.requests, 2);
    assert_non_null(strstr(bench.body, DELTA("Hi") STOP DONE));
    return fake.request[1];
}

/* A value of the option that nothing else has. */
static void *value_of(const struct uns_option *row)
{
    static char text[] = "app-value";
    static struct curl_slist list = {text, NULL};
    static struct curl_blob blob = {text, sizeof text, CURL_BLOB_NOCOPY};

    switch (row->kind) {
    case UNS_OPT_LONG:
    case UNS_OPT_OFF_T:
        return (void *)(intptr_t)98765;
    case UNS_OPT_BLOB:
        return &blob;
    case UNS_OPT_STRING:
    case UNS_OPT_BODY:
        return text;
    case UNS_OPT_POINTER:
    case UNS_OPT_FUNCTION:
        break;
    }
    return row->id == CURLOPT_HTTPHEADER ? (void *)&list : text;
}

/* Options that say whether, when or to whom a call is made at all; they have
 * their own tests. */
static bool is_the_call(CURLoption id)
{
    static const CURLoption those[] = {
        CURLOPT_URL,
        CURLOPT_CURLU,
        CURLOPT_POSTFIELDS,
        CURLOPT_COPYPOSTFIELDS,
        CURLOPT_POSTFIELDSIZE,
        CURLOPT_UPLOAD,
        CURLOPT_POSTFIELDSIZE_LARGE,
        CURLOPT_PUT,
        CURLOPT_HTTPPOST,
        CURLOPT_MIMEPOST,
        CURLOPT_HTTPGET,
        CURLOPT_NOBODY,
        CURLOPT_CUSTOMREQUEST,
        CURLOPT_ERRORBUFFER,
    };

    for (size_t i = 0; i < ROWS(those); i++)
        if (those[i] == id)
            return true;
    return false;
}

/* The option came over as the application set it. */
static bool came(const struct fake_easy *rival, const struct uns_option *row,
                 const void *value)
{
    const struct fake_opt *opt = fake_opt(rival, row->id);

    if (row->id == CURLOPT_HTTPHEADER)
        return rival->headers && strstr(rival->headers, "app-value");
    if (row->kind == UNS_OPT_STRING)
        return opt->text && !strcmp(opt->text, value);
    if (row->kind == UNS_OPT_BLOB)
        return opt->value.p && ((struct curl_blob *)opt->value.p)->data ==
                                   ((const struct curl_blob *)value)->data;
    return opt->value.p == value;
}

/* The engine's own word on an option that the table would let through; or it
 * was taken back at the end. */
static bool is_overruled(CURLoption id)
{
    return id == CURLOPT_FRESH_CONNECT || id == CURLOPT_SHARE;
}

static void check_option(const struct uns_option *row, bool self)
{
    void *value = value_of(row);
    const struct fake_easy *rival;
    bool wanted;
    char name[64];

    snprintf(name, sizeof name, "option %d at %s", (int)row->id,
             self ? "self" : "another origin");
    open_with(self);
    bench_set_slot(row->id, value);
    rival = hedge();
    wanted = (row->inherit == UNS_INHERIT_ALWAYS ||
              (self && row->inherit == UNS_INHERIT_SELF)) &&
             !is_overruled(row->id);
    CHECK_INT(name, came(rival, row, value), wanted);
    if (!wanted && row->kind == UNS_OPT_STRING)
        CHECK_INT(name, bench_leaked(rival, value), false);
    bench_close(name);
}

/* P3: for every option of libcurl, the table's column is what happens. */
static void test_rival_inherits_what_the_table_says(void **state)
{
    unsigned seen = 0;

    (void)state;
    for (unsigned slot = 0; slot < UNS_OPT_SLOTS; slot++) {
        const struct uns_option *row = &uns_options[slot];

        /* Not on a handle that runs: the test could not hear it. */
        if (!row->id || row->replaced || is_the_call(row->id))
            continue;
        if (row->id != CURLOPT_AWS_SIGV4) /* signed: it goes nowhere else */
            check_option(row, false);
        check_option(row, true);
        seen++;
    }
    assert_true(seen > 250);
}

/* P3: the application's secrets, wherever libcurl lets them stand. */
static void test_rival_elsewhere_has_no_secret_of_the_application(void **state)
{
    static const char *const headers[] = {
        "Authorization: Bearer app-secret",
        "x-api-key: app-secret",
        "API-KEY: app-secret",
        "Cookie: session=app-secret",
        "Referer: https://app-secret/",
        "X-Custom: app-secret",
        "Proxy-Authorization: app-secret",
        "Accept: text/event-stream\r\nAuthorization: app-secret",
        "Accept: text/event-stream\nAuthorization: app-secret",
        "Content-Type: application/json",
    };
    static const CURLoption strings[] = {
        CURLOPT_USERPWD,    CURLOPT_USERNAME, CURLOPT_PASSWORD,
        CURLOPT_REFERER,    CURLOPT_COOKIE,   CURLOPT_XOAUTH2_BEARER,
        CURLOPT_NETRC_FILE, CURLOPT_SSLKEY,   CURLOPT_KEYPASSWD,
    };
    const struct fake_easy *rival;

    (void)state;
    open_with(false);
    bench_headers(headers, ROWS(headers));
    for (size_t i = 0; i < ROWS(strings); i++)
        bench_set(strings[i], "app-secret");
    rival = hedge();
    CHECK_INT("secret", bench_leaked(rival, "app-secret"), false);
    CHECK_INT("query", bench_leaked(rival, "app-url-secret"), false);
    CHECK_INT("userinfo", bench_leaked(rival, "user:pass"), false);
    CHECK_INT("host", bench_leaked(rival, "app.example"), false);
    CHECK_TEXT("url", fake_opt(rival, CURLOPT_URL)->text,
               "https://one.example/v1/chat/completions?api-version=7");
    CHECK_TEXT("headers", rival->headers,
               "Accept: text/event-stream\nAccept: text/event-stream\n"
               "Content-Type: application/json\n"
               "Authorization: Bearer sk-one\nExpect:\n");
    bench_close("secrets");
}

/* P3: what could lead a rival's own key astray. */
static void test_rival_elsewhere_follows_nobody(void **state)
{
    const struct fake_easy *rival;

    (void)state;
    open_with(false);
    bench_set(CURLOPT_FOLLOWLOCATION, 1L);
    bench_set(CURLOPT_SSL_VERIFYPEER, 0L);
    bench_set(CURLOPT_CAINFO, "/app/ca.pem");
    bench.source[0].ca_file = "/source/ca.pem";
    rival = hedge();
    CHECK_INT("redirects", fake_opt(rival, CURLOPT_FOLLOWLOCATION)->value.l, 0);
    CHECK_INT("verify", fake_opt(rival, CURLOPT_SSL_VERIFYPEER)->count, 0);
    CHECK_TEXT("trust", fake_opt(rival, CURLOPT_CAINFO)->text,
               "/source/ca.pem");
    bench_close("astray");
}

/* The same request once more: where to, with which headers, and body. */
static void test_rival_at_home_repeats_the_request(void **state)
{
    static const char *const header = "Authorization: Bearer app-secret";
    const struct fake_easy *rival;

    (void)state;
    open_with(true);
    bench_headers(&header, 1);
    bench_set(CURLOPT_USERPWD, "me:app-secret");
    rival = hedge();
    CHECK_TEXT("url", fake_opt(rival, CURLOPT_URL)->text, APP_URL);
    CHECK_TEXT("headers", rival->headers, "Authorization: Bearer app-secret\n");
    CHECK_TEXT("user", fake_opt(rival, CURLOPT_USERPWD)->text, "me:app-secret");
    CHECK_TEXT("body", rival->body, APP_BODY);
    CHECK_INT("connection", fake_opt(rival, CURLOPT_FRESH_CONNECT)->value.l, 1);
    bench_close("at home");
}

/* Nothing of the application's is called or written by a rival. */
static void test_rival_has_its_own_callbacks(void **state)
{
    static const CURLoption own[] = {
        CURLOPT_WRITEFUNCTION, CURLOPT_WRITEDATA,   CURLOPT_HEADERFUNCTION,
        CURLOPT_HEADERDATA,    CURLOPT_ERRORBUFFER,
    };

    (void)state;
    for (int self = 0; self < 2; self++) {
        const struct fake_easy *rival;

        open_with(self);
        bench_set(CURLOPT_PRIVATE, "app-private");
        rival = hedge();
        for (size_t i = 0; i < ROWS(own); i++) {
            CHECK_INT("set", fake_opt(rival, own[i])->count, 1);
            assert_ptr_not_equal(fake_opt(rival, own[i])->value.p,
                                 uns_app_opt(bench.app, own[i])->value.p);
        }
        CHECK_INT("private", fake_opt(rival, CURLOPT_PRIVATE)->count, 0);
        bench_close("callbacks");
    }
}

/* libcurl ignores SIGPIPE where the application has not asked it to leave
 * signals alone: a rival's connection may break just as well. */
static void test_rival_treats_signals_as_the_application_wants(void **state)
{
    (void)state;
    for (long nosignal = 0; nosignal < 2; nosignal++) {
        const struct fake_easy *rival;

        open_with(false);
        bench_set(CURLOPT_NOSIGNAL, nosignal);
        rival = hedge();
        CHECK_INT("signals", fake_opt(rival, CURLOPT_NOSIGNAL)->value.l,
                  nosignal);
        bench_close("signals");
    }
}

/* The rival that won is kept for getinfo, but must not keep the share in
 * use: its owner may clean it up now. */
static void test_rival_at_home_gives_the_share_back(void **state)
{
    const struct fake_easy *rival;

    (void)state;
    open_with(true);
    bench_set(CURLOPT_SHARE, "app-share");
    rival = hedge();
    CHECK_INT("set and unset", fake_opt(rival, CURLOPT_SHARE)->count, 2);
    assert_null(fake_opt(rival, CURLOPT_SHARE)->value.p);
    bench_close("share");
}

/* The body is the application's but for the model's name. */
static void test_rival_elsewhere_changes_the_model_alone(void **state)
{
    static const struct uns_pair models[] = {{"gpt-4o", "vendor/gpt\"4"}};
    const struct fake_easy *rival;

    (void)state;
    open_with(false);
    bench.source[0].models = models;
    bench.source[0].model_count = 1;
    rival = hedge();
    CHECK_TEXT("body", rival->body,
               "{\"model\":\"vendor/gpt\\\"4\",\"stream\":true,"
               "\"messages\":[]}");
    bench_close("model");
}

/* R9: what is left of the application's own time. */
static void test_rival_has_the_time_that_is_left(void **state)
{
    static const struct row {
        const char *name;
        CURLoption id;
        long value, left_ms;
    } rows[] = {
        {"none", CURLOPT_MAXFILESIZE, 0, 0},
        {"seconds", CURLOPT_TIMEOUT, 30, 29000},
        {"ms", CURLOPT_TIMEOUT_MS, 4500, 3500},
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        const struct fake_easy *rival;

        open_with(false);
        bench_set(rows[i].id, rows[i].value);
        rival = hedge();
        CHECK_INT(rows[i].name, fake_opt(rival, CURLOPT_TIMEOUT_MS)->value.l,
                  rows[i].left_ms);
        bench_close(rows[i].name);
    }
}

static void test_rival_keeps_connections_alive_as_told(void **state)
{
    const struct fake_easy *rival;

    (void)state;
    open_with(false);
    bench.policy.stream.tcp_keepalive_ns = 20 * UNS_S;
    rival = hedge();
    CHECK_INT("on", fake_opt(rival, CURLOPT_TCP_KEEPALIVE)->value.l, 1);
    CHECK_INT("idle", fake_opt(rival, CURLOPT_TCP_KEEPIDLE)->value.l, 20);
    CHECK_INT("interval", fake_opt(rival, CURLOPT_TCP_KEEPINTVL)->value.l, 20);
    bench_close("keepalive");
}

/* Nothing is sent, and the call goes on without. */
static void test_rival_that_cannot_be_built_costs_nothing(void **state)
{
    static char endless[5000] = "https://one.example/";

    static const struct row {
        const char *name;
        unsigned init, add;
        const char *base_url;
    } rows[] = {
        {"no handle", 2, 0, "https://one.example"},
        {"not added", 0, 2, "https://one.example"},
        {"no room", 0, 0, endless},
    };
    static const struct fake_beat late[] = {
        HEAD(3000, OK_HEAD),
        BODY(3000, DELTA("Hi")),
        BODY(3000, DONE),
        END(3000, CURLE_OK),
    };

    (void)state;
    memset(endless + strlen(endless), 'x',
           sizeof endless - 1 - strlen(endless));
    for (size_t i = 0; i < ROWS(rows); i++) {
        open_with(false);
        fake.fail_init = rows[i].init;
        fake.fail_add = rows[i].add;
        bench.source[0].base_url = rows[i].base_url;
        BENCH_RUN(late, healthy);
        CHECK_TEXT(rows[i].name, bench.body, DELTA("Hi") DONE);
        CHECK_INT(rows[i].name, bench.code, CURLE_OK);
        CHECK_INT(rows[i].name, fake.requests, 1);
        CHECK_TEXT(rows[i].name, bench.entry->call.hedge_reason,
                   "launch_failed");
        bench_close(rows[i].name);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rival_inherits_what_the_table_says),
        cmocka_unit_test(test_rival_elsewhere_has_no_secret_of_the_application),
        cmocka_unit_test(test_rival_elsewhere_follows_nobody),
        cmocka_unit_test(test_rival_at_home_repeats_the_request),
        cmocka_unit_test(test_rival_has_its_own_callbacks),
        cmocka_unit_test(test_rival_treats_signals_as_the_application_wants),
        cmocka_unit_test(test_rival_at_home_gives_the_share_back),
        cmocka_unit_test(test_rival_elsewhere_changes_the_model_alone),
        cmocka_unit_test(test_rival_has_the_time_that_is_left),
        cmocka_unit_test(test_rival_keeps_connections_alive_as_told),
        cmocka_unit_test(test_rival_that_cannot_be_built_costs_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
