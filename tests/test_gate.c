/* SPDX-License-Identifier: MIT */
/* P2: what opens the engine, and what does not. */
#include "check.h"
#include "shim/gate.h"
#include "shim/note.h"

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define BITS(value) ((void *)(intptr_t)(value))
#define CHAT        "https://api.openai.com/v1/chat/completions"

enum {
    SETS = 4
};

struct set {
    CURLoption id;
    intptr_t value;
};

static const struct uns_real installed = {
    .curl_url_get = curl_url_get,
    .curl_free = curl_free,
};

static struct uns_app *new_app(const char *url)
{
    struct uns_app *app = uns_app_new(BITS(0x1000), &installed);

    assert_non_null(app);
    if (url)
        uns_note(app, CURLOPT_URL, BITS(url));
    return app;
}

static void test_gate_goes_by_the_method_set_last(void **state)
{
    static const struct {
        const char *row;
        struct set set[SETS];
        bool want;
    } rows[] = {
        {"nothing", {{0}}, false},
        {"POST", {{CURLOPT_POST, 1}}, true},
        {"POST, off", {{CURLOPT_POST, 1}, {CURLOPT_POST, 0}}, false},
        {"POSTFIELDS", {{CURLOPT_POSTFIELDS, (intptr_t) "{}"}}, true},
        {"POSTFIELDS of NULL", {{CURLOPT_POSTFIELDS, 0}}, true},
        {"COPYPOSTFIELDS", {{CURLOPT_COPYPOSTFIELDS, (intptr_t) "{}"}}, true},
        {"GET", {{CURLOPT_HTTPGET, 1}}, false},
        {"POST, then GET", {{CURLOPT_POST, 1}, {CURLOPT_HTTPGET, 1}}, false},
        {"GET, then POST", {{CURLOPT_HTTPGET, 1}, {CURLOPT_POST, 1}}, true},
        {"POST, GET off", {{CURLOPT_POST, 1}, {CURLOPT_HTTPGET, 0}}, true},
        {"POST, NOBODY off", {{CURLOPT_POST, 1}, {CURLOPT_NOBODY, 0}}, true},
        {"POST, then HEAD", {{CURLOPT_POST, 1}, {CURLOPT_NOBODY, 1}}, false},
        {"POST, HEAD, GET",
         {{CURLOPT_POST, 1}, {CURLOPT_NOBODY, 1}, {CURLOPT_NOBODY, 0}},
         false},
        {"POST, HEAD, POST",
         {{CURLOPT_POST, 1}, {CURLOPT_NOBODY, 1}, {CURLOPT_POST, 1}},
         true},
        {"HEAD, fields", {{CURLOPT_NOBODY, 1}, {CURLOPT_POSTFIELDS, 1}}, false},
        {"PUT", {{CURLOPT_UPLOAD, 1}}, false},
        {"PUT named POST",
         {{CURLOPT_UPLOAD, 1}, {CURLOPT_CUSTOMREQUEST, (intptr_t) "POST"}},
         true},
        {"POST named PATCH",
         {{CURLOPT_POST, 1}, {CURLOPT_CUSTOMREQUEST, (intptr_t) "PATCH"}},
         false},
        {"POST, name taken back",
         {{CURLOPT_CUSTOMREQUEST, (intptr_t) "GET"},
          {CURLOPT_POST, 1},
          {CURLOPT_CUSTOMREQUEST, 0}},
         true},
        {"a form", {{CURLOPT_MIMEPOST, 0x10}}, false},
        {"an old form", {{CURLOPT_HTTPPOST, 0x10}}, false},
        {"only a connection",
         {{CURLOPT_POST, 1}, {CURLOPT_CONNECT_ONLY, 1}},
         false},
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        struct uns_app *app = new_app(CHAT);

        for (int s = 0; s < SETS && rows[i].set[s].id; s++)
            uns_note(app, rows[i].set[s].id, BITS(rows[i].set[s].value));
        CHECK_INT(rows[i].row, uns_gate_is_call(app, NULL), rows[i].want);
        CHECK_INT(rows[i].row, app->dialect,
                  rows[i].want ? UNS_DIALECT_CHAT : UNS_DIALECT_NONE);
        uns_app_free(app);
    }
}

static void test_gate_goes_by_the_url(void **state)
{
    static const struct {
        const char *url, *extra;
        bool want;
    } rows[] = {
        {CHAT, NULL, true},
        {"http://127.0.0.1:8080/v1/chat/completions", NULL, true},
        {"https://example.com/index.html", NULL, false},
        {"https://example.com/ask", "chat=https://example.com/*", true},
        {CHAT, "!https://api.openai.com/*", false},
        {"file:///v1/chat/completions", NULL, false},
        {"", NULL, false},
        {NULL, NULL, false},
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        struct uns_app *app = new_app(rows[i].url);

        uns_note(app, CURLOPT_POST, BITS(1));
        CHECK_INT(rows[i].url ? rows[i].url : "no URL",
                  uns_gate_is_call(app, rows[i].extra), rows[i].want);
        uns_app_free(app);
    }
}

/* libcurl takes CURLOPT_CURLU before CURLOPT_URL, and reads it at the start of
 * each transfer. */
static void test_gate_reads_a_parsed_url_anew(void **state)
{
    struct uns_app *app = new_app("https://example.com/");
    CURLU *parsed = curl_url();

    (void)state;
    uns_note(app, CURLOPT_POST, BITS(1));
    uns_note(app, CURLOPT_CURLU, parsed);
    assert_false(uns_gate_is_call(app, NULL)); /* empty still */
    assert_int_equal(curl_url_set(parsed, CURLUPART_URL, CHAT, 0), CURLUE_OK);
    assert_true(uns_gate_is_call(app, NULL));
    assert_int_equal(curl_url_set(parsed, CURLUPART_PATH, "/x", 0), CURLUE_OK);
    assert_false(uns_gate_is_call(app, NULL));
    assert_int_equal(app->dialect, UNS_DIALECT_NONE);
    curl_url_cleanup(parsed);
    uns_app_free(app);
}

static void test_gate_lets_strangers_pass(void **state)
{
    struct uns_app *app = new_app(CHAT);

    (void)state;
    uns_note(app, CURLOPT_POST, BITS(1));
    assert_true(uns_gate_is_call(app, NULL));
    app->stranger = true;
    assert_false(uns_gate_is_call(app, NULL));
    uns_app_free(app);
}

/* The environment is read once in a process: this has one of its own, which
 * nothing was asked in before. */
static int any_differs(void)
{
    static const struct {
        const char *url;
        struct set set;
        enum uns_dialect want;
    } rows[] = {
        {"http://h/", {0}, UNS_DIALECT_CHAT},
        {"h:8080/x?y", {CURLOPT_NOBODY, 1}, UNS_DIALECT_CHAT},
        {"http://h/", {CURLOPT_UPLOAD, 1}, UNS_DIALECT_CHAT},
        {"http://h/", {CURLOPT_MIMEPOST, 0x10}, UNS_DIALECT_CHAT},
        {"http://h/v1/messages", {0}, UNS_DIALECT_ANTHROPIC},
        {"ftp://h/", {0}, UNS_DIALECT_NONE},
        {"http://h/", {CURLOPT_CONNECT_ONLY, 1}, UNS_DIALECT_NONE},
    };

    setenv("UNSTALL_TEST", "any", 1);
    for (size_t i = 0; i < ROWS(rows); i++) {
        struct uns_app *app = new_app(rows[i].url);

        if (rows[i].set.id)
            uns_note(app, rows[i].set.id, BITS(rows[i].set.value));
        if (uns_gate_is_call(app, NULL) != (rows[i].want != UNS_DIALECT_NONE) ||
            app->dialect != rows[i].want || !app->forced)
            return (int)i + 1;
        uns_app_free(app);
    }
    return 0;
}

static void test_gate_takes_any_transfer_when_told_so(void **state)
{
    pid_t pid = fork();
    int status = -1;

    (void)state;
    if (pid == 0)
        _exit(any_differs());
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(WEXITSTATUS(status), 0);
}

/* As any_differs: with UNSTALL_PLAN the engine is to see all, and nothing that
 * is an LLM call may pass without it. */
static int plan_differs(void)
{
    static const struct {
        const char *url, *extra;
        bool post, stranger, opens, held;
    } rows[] = {
        {CHAT, NULL, true, false, true, true},
        {CHAT, "!https://api.openai.com/*", true, false, true, true},
        {"https://example.com/ask", "chat=https://example.com/*", true, false,
         true, true},
        {"https://example.com/", NULL, true, false, true, false},
        {CHAT, NULL, false, false, true, false},
        {"ftp://example.com/", NULL, true, false, true, false},
        {CHAT, NULL, true, true, false, false},
    };

    setenv("UNSTALL_PLAN", "/tmp/plan", 1);
    for (size_t i = 0; i < ROWS(rows); i++) {
        struct uns_app *app = new_app(rows[i].url);

        uns_note(app, CURLOPT_POST, BITS(rows[i].post));
        app->stranger = rows[i].stranger;
        if (uns_gate_opens(app, rows[i].extra) != rows[i].opens ||
            uns_gate_is_held(app) != rows[i].held)
            return (int)i + 1;
        uns_app_free(app);
    }
    return 0;
}

/* Without one, what opens it is a call, and none is held. */
static int usual_differs(void)
{
    struct uns_app *app = new_app(CHAT);

    uns_note(app, CURLOPT_POST, BITS(1));
    if (!uns_gate_opens(app, NULL) || uns_gate_is_held(app))
        return 1;
    if (uns_gate_opens(app, "!https://api.openai.com/*"))
        return 2;
    uns_app_free(app);
    return 0;
}

static void test_gate_shows_everything_to_a_plan(void **state)
{
    static int (*const differ[])(void) = {plan_differs, usual_differs};

    (void)state;
    for (size_t i = 0; i < ROWS(differ); i++) {
        pid_t pid = fork();
        int status = -1;

        if (pid == 0)
            _exit(differ[i]());
        assert_int_equal(waitpid(pid, &status, 0), pid);
        CHECK_INT(i ? "usual" : "plan", WEXITSTATUS(status), 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gate_takes_any_transfer_when_told_so),
        cmocka_unit_test(test_gate_shows_everything_to_a_plan),
        cmocka_unit_test(test_gate_goes_by_the_method_set_last),
        cmocka_unit_test(test_gate_goes_by_the_url),
        cmocka_unit_test(test_gate_reads_a_parsed_url_anew),
        cmocka_unit_test(test_gate_lets_strangers_pass),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
