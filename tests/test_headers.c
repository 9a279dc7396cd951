/* SPDX-License-Identifier: MIT */
/* P3: which header lines a rival at another origin has. */
#include "bench.h"

#include "check.h"
#include "engine/headers.h"

#include <stdio.h>
#include <stdlib.h>

static struct uns_source source;

/* The lines that a rival at `source` gets for the application's, joined. */
static const char *lines_for(const char *const *lines, size_t count,
                             enum uns_dialect dialect)
{
    static char text[16384];
    struct uns_call call = {.app = bench.app, .request.dialect = dialect};
    struct uns_attempt rival = {.call = &call, .source = &source};
    struct curl_slist *list;

    if (count)
        bench_headers(lines, count);
    list = uns_headers_for(&rival);
    if (!list)
        return NULL;
    text[0] = '\0';
    for (const struct curl_slist *at = list; at; at = at->next) {
        strcat(text, at->data);
        strcat(text, "\n");
    }
    uns_headers_free(list);
    return text;
}

static int open_source(void **state)
{
    (void)state;
    bench_open();
    setenv("KEY_ONE", "sk-one", 1);
    source = (struct uns_source){
        .name = "one",
        .base_url = "https://one.example/v1",
        .api_key_env = "KEY_ONE",
    };
    return 0;
}

static int close_source(void **state)
{
    (void)state;
    bench_close("headers");
    return 0;
}

#define KEY  "Authorization: Bearer sk-one\n"
#define LAST "Expect:\n"

/* The list by name, in any case and in each of libcurl's forms. */
static void test_headers_lets_the_list_through(void **state)
{
    static const struct row {
        const char *line;
        bool passes;
    } rows[] = {
        {"Content-Type: application/json", true},
        {"content-type: application/json", true},
        {"CONTENT-TYPE:application/json", true},
        {"Content-Type:", true},
        {"Content-Type;", true},
        {"Accept: text/event-stream", true},
        {"accept;", true},
        {"anthropic-version: 2023-06-01", true},
        {"Anthropic-Beta: tools", true},
        {"OpenAI-Beta: assistants=v2", true},
        {"X-DashScope-SSE: enable", true},
        {"X-DashScope-Data: x", false},
        {"Content-Type ", false},
        {"Content-Type : application/json", false},
        {"Content-Typ: x", false},
        {"Content-Type-X: x", false},
        {"X-Content-Type: x", false},
        {" Accept: x", false},
        {"Accept-Language: de", false},
        {"Authorization: Bearer app", false},
        {"authorization;", false},
        {"Authorization", false},
        {"x-api-key: app", false},
        {"api-key: app", false},
        {"x-goog-api-key: app", false},
        {"Cookie: a=b", false},
        {"Referer: https://app.example/", false},
        {"Host: app.example", false},
        {"OpenAI-Organization: org-1", false},
        {"OpenAI-Project: p", false},
        {"Proxy-Authorization: Basic x", false},
        {"User-Agent: app", false},
        {"X-Stainless-Lang: c", false},
        {"Transfer-Encoding: chunked", false},
        {"Content-Length: 12", false},
        {"Expect: 100-continue", false},
        {"", false},
        {":", false},
    };

    char wanted[200];

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        snprintf(wanted, sizeof wanted, "%s%s" KEY LAST,
                 rows[i].passes ? rows[i].line : "",
                 rows[i].passes ? "\n" : "");
        CHECK_TEXT(rows[i].line, lines_for(&rows[i].line, 1, UNS_DIALECT_CHAT),
                   wanted);
    }
}

/* What follows a line break would be sent as a header of its own. */
static void test_headers_ends_at_a_line_break(void **state)
{
    static const struct row {
        const char *line, *kept;
    } rows[] = {
        {"Accept: a\r\nAuthorization: app", "Accept: a\n"},
        {"Accept: a\nAuthorization: app", "Accept: a\n"},
        {"Accept: a\rAuthorization: app", "Accept: a\n"},
        {"Accept: a\r\n", "Accept: a\n"},
        {"Authorization: a\r\nAccept: a", ""},
    };

    char wanted[200];

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        snprintf(wanted, sizeof wanted, "%s" KEY LAST, rows[i].kept);
        CHECK_TEXT(rows[i].line, lines_for(&rows[i].line, 1, UNS_DIALECT_CHAT),
                   wanted);
    }
}

static void test_headers_adds_the_sources_own(void **state)
{
    static const struct uns_pair pairs[] = {
        {"X-Title", "unstall"},
        {"HTTP-Referer", "https://me.example"},
    };
    static const char *const line = "Accept: a";

    (void)state;
    source.headers = pairs;
    source.header_count = 2;
    CHECK_TEXT("own", lines_for(&line, 1, UNS_DIALECT_CHAT),
               "Accept: a\nX-Title: unstall\n"
               "HTTP-Referer: https://me.example\n" KEY LAST);
}

/* One of the source's own stands instead of the application's of that name:
 * two of a kind would be read as a list. */
static void test_headers_prefers_the_sources_own(void **state)
{
    static const struct uns_pair pairs[] = {
        {"Anthropic-Version", "2025-01-01"}};
    static const char *const lines[] = {
        "anthropic-version: 2023-06-01",
        "Accept: a",
    };

    (void)state;
    source.headers = pairs;
    source.header_count = 1;
    CHECK_TEXT("instead", lines_for(lines, 2, UNS_DIALECT_CHAT),
               "Accept: a\nAnthropic-Version: 2025-01-01\n" KEY LAST);
}

static void test_headers_has_the_key_in_the_sources_form(void **state)
{
    static const struct row {
        const char *name;
        enum uns_auth auth;
        enum uns_dialect dialect;
        const char *line;
    } rows[] = {
        {"auto", UNS_AUTH_AUTO, UNS_DIALECT_CHAT, KEY},
        {"anthropic", UNS_AUTH_AUTO, UNS_DIALECT_ANTHROPIC,
         "x-api-key: sk-one\n"},
        {"gemini", UNS_AUTH_AUTO, UNS_DIALECT_GEMINI,
         "x-goog-api-key: sk-one\n"},
        {"api-key", UNS_AUTH_API_KEY, UNS_DIALECT_CHAT, "api-key: sk-one\n"},
        {"none", UNS_AUTH_NONE, UNS_DIALECT_CHAT, ""},
    };

    char wanted[100];

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        source.auth = rows[i].auth;
        snprintf(wanted, sizeof wanted, "%s" LAST, rows[i].line);
        CHECK_TEXT(rows[i].name, lines_for(NULL, 0, rows[i].dialect), wanted);
    }
}

/* No key, no request. */
static void test_headers_has_no_list_without_a_key(void **state)
{
    (void)state;
    unsetenv("KEY_ONE");
    assert_null(lines_for(NULL, 0, UNS_DIALECT_CHAT));
    setenv("KEY_ONE", "sk\r\nX: y", 1);
    assert_null(lines_for(NULL, 0, UNS_DIALECT_CHAT));
}

static void test_headers_has_no_room_for_an_endless_one(void **state)
{
    static char value[2000];
    const struct uns_pair pair = {"X-Long", value};

    (void)state;
    memset(value, 'x', sizeof value - 1);
    source.headers = &pair;
    source.header_count = 1;
    assert_null(lines_for(NULL, 0, UNS_DIALECT_CHAT));
}

static void test_headers_takes_nothing_for_a_list(void **state)
{
    (void)state;
    uns_headers_free(NULL);
    bench_set(CURLOPT_HTTPHEADER, NULL);
    CHECK_TEXT("none", lines_for(NULL, 0, UNS_DIALECT_CHAT), KEY LAST);
}

/* With another body they would be wrong. */
static void test_headers_bind_a_body(void **state)
{
    static const struct {
        const char *line;
        bool binds;
    } rows[] = {
        {"Content-Type: application/json", false},
        {"Authorization: Bearer sk", false},
        {"X-Content-Length: 7", false},
        {"content-length: 7", true},
        {"Content-MD5: x", true},
        {"Content-Digest: x", true},
        {"Digest: x", true},
        {"Signature: x", true},
        {"X-Amz-Date: 20260101T000000Z", true},
        {"X-Amz-Content-SHA256: x", true},
    };

    (void)state;
    CHECK_INT("none", uns_headers_bind_body(bench.app), false);
    for (size_t i = 0; i < ROWS(rows); i++) {
        const char *const lines[] = {"Accept: a/b", rows[i].line};

        bench_headers(lines, 2);
        CHECK_INT(rows[i].line, uns_headers_bind_body(bench.app),
                  rows[i].binds);
    }
}

#define TEST(name) \
    cmocka_unit_test_setup_teardown(name, open_source, close_source)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_headers_lets_the_list_through),
        TEST(test_headers_ends_at_a_line_break),
        TEST(test_headers_adds_the_sources_own),
        TEST(test_headers_prefers_the_sources_own),
        TEST(test_headers_has_the_key_in_the_sources_form),
        TEST(test_headers_has_no_list_without_a_key),
        TEST(test_headers_has_no_room_for_an_endless_one),
        TEST(test_headers_takes_nothing_for_a_list),
        TEST(test_headers_bind_a_body),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
