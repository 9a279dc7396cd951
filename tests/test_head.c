/* SPDX-License-Identifier: MIT */
#include "engine/head.h"

#include "check.h"

#include <stdbool.h>

struct head_case {
    const char *name;
    const char *lines[8];

    struct {
        int status;
        bool complete, encoded, location;
        const char *type;
    } want;
};

static const struct head_case cases[] = {
    {"a plain answer",
     {"HTTP/1.1 200 OK\r\n", "Content-Type: text/event-stream\r\n", "\r\n"},
     {200, true, false, false, "text/event-stream"}},
    {"http/2 has no reason phrase",
     {"HTTP/2 529 \r\n", "content-type:application/json\r\n", "\r\n"},
     {529, true, false, false, "application/json"}},
    {"a status line without a space after the digits",
     {"HTTP/2 204\r\n", "\r\n"},
     {204, true, false, false, ""}},
    {"headers still to come",
     {"HTTP/1.1 200 OK\r\n", "Content-Type: a/b\r\n"},
     {200, false, false, false, "a/b"}},
    {"the last block counts",
     {"HTTP/1.1 302 Found\r\n", "Location: /x\r\n", "Content-Type: x/y\r\n",
      "\r\n", "HTTP/1.1 200 OK\r\n", "\r\n"},
     {200, true, false, false, ""}},
    {"an interim answer comes first",
     {"HTTP/1.1 103 Early Hints\r\n", "Link: </s>\r\n", "\r\n",
      "HTTP/1.1 503 Busy\r\n", "\r\n"},
     {503, true, false, false, ""}},
    {"names have no case, values have no outer blanks",
     {"HTTP/1.1 200 OK\r\n", "CONTENT-TYPE: \t text/plain; a=b \t\r\n", "\r\n"},
     {200, true, false, false, "text/plain; a=b"}},
    {"a compressed body",
     {"HTTP/1.1 200 OK\r\n", "Content-Encoding: gzip\r\n", "\r\n"},
     {200, true, true, false, ""}},
    {"identity is no compression",
     {"HTTP/1.1 200 OK\r\n", "Content-Encoding: Identity\r\n", "\r\n"},
     {200, true, false, false, ""}},
    {"a redirect",
     {"HTTP/1.1 307 T\r\n", "Location: http://b/\r\n", "\r\n"},
     {307, true, false, true, ""}},
    {"a trailer changes nothing",
     {"HTTP/1.1 200 OK\r\n", "\r\n", "Content-Type: late/one\r\n",
      "Location: /x\r\n"},
     {200, true, false, false, ""}},
    {"nonsense is no status",
     {"HTTP/1.1 abc\r\n", "\r\n"},
     {0, true, false, false, ""}},
    {"bare line feeds",
     {"HTTP/1.0 200 OK\n", "Content-Type: a/b\n", "\n"},
     {200, true, false, false, "a/b"}},
    {"a line without a colon",
     {"HTTP/1.1 200 OK\r\n", "Content-Type\r\n", "\r\n"},
     {200, true, false, false, ""}},
};

static void test_head_reads_the_last_block(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct head_case *c = &cases[i];
        struct uns_head head = {0};

        for (size_t l = 0; l < 8 && c->lines[l]; l++)
            uns_head_line(&head, c->lines[l], strlen(c->lines[l]));
        if (head.status != c->want.status ||
            head.complete != c->want.complete ||
            head.encoded != c->want.encoded ||
            head.location != c->want.location ||
            strcmp(head.type, c->want.type) != 0)
            fail_msg("%s: status %d, complete %d, encoded %d, location %d, "
                     "type '%s'",
                     c->name, head.status, head.complete, head.encoded,
                     head.location, head.type);
    }
}

static void test_head_cuts_a_long_type(void **state)
{
    struct uns_head head = {0};
    char line[400] = "Content-Type: ";

    (void)state;
    memset(line + 14, 'a', 300);
    uns_head_line(&head, "HTTP/1.1 200 OK\r\n", 17);
    uns_head_line(&head, line, strlen(line));
    assert_int_equal(strlen(head.type), sizeof head.type - 1);
}

/* R10: what the server says of more requests. */
static void test_head_reads_limits(void **state)
{
    static const struct {
        const char *name;
        const char *lines[5];
        uns_ns retry_ns, reset_ns;
        int64_t left, limit;
    } rows[] = {
        {"nothing", {"Content-Type: a/b\r\n"}, 0, 0, UNS_NULL, UNS_NULL},
        {"seconds", {"Retry-After: 7\r\n"}, 7 * UNS_S, 0, UNS_NULL, UNS_NULL},
        {"a date gone by",
         {"Retry-After: Sun, 06 Nov 1994 08:49:37 GMT\r\n"},
         0,
         0,
         UNS_NULL,
         UNS_NULL},
        {"a date far off",
         {"Retry-After: Fri, 31 Dec 9999 23:59:59 GMT\r\n"},
         86400000 * UNS_S,
         0,
         UNS_NULL,
         UNS_NULL},
        {"milliseconds",
         {"retry-after-ms: 1500\r\n"},
         1500 * UNS_MS,
         0,
         UNS_NULL,
         UNS_NULL},
        {"the finer first",
         {"retry-after-ms: 1500\r\n", "retry-after: 2\r\n"},
         1500 * UNS_MS,
         0,
         UNS_NULL,
         UNS_NULL},
        {"the finer last",
         {"retry-after: 2\r\n", "retry-after-ms: 1500\r\n"},
         1500 * UNS_MS,
         0,
         UNS_NULL,
         UNS_NULL},
        {"nonsense",
         {"retry-after: soon\r\n", "retry-after-ms: x\r\n"},
         0,
         0,
         UNS_NULL,
         UNS_NULL},
        {"openai",
         {"x-ratelimit-limit-requests: 500\r\n",
          "x-ratelimit-remaining-requests: 0\r\n",
          "x-ratelimit-reset-requests: 6m0s\r\n"},
         0,
         360 * UNS_S,
         0,
         500},
        {"anthropic",
         {"Anthropic-Ratelimit-Requests-Limit: 50\r\n",
          "anthropic-ratelimit-requests-remaining: 49\r\n",
          "anthropic-ratelimit-requests-reset: 1994-11-06T08:49:37Z\r\n"},
         0,
         0,
         49,
         50},
        {"of an older block",
         {"retry-after: 2\r\n", "x-ratelimit-remaining-requests: 0\r\n", "\r\n",
          "HTTP/1.1 200 OK\r\n"},
         0,
         0,
         UNS_NULL,
         UNS_NULL},
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        struct uns_head head = {0};

        uns_head_line(&head, "HTTP/1.1 429 No\r\n", 17);
        for (size_t l = 0; l < 5 && rows[i].lines[l]; l++)
            uns_head_line(&head, rows[i].lines[l], strlen(rows[i].lines[l]));
        CHECK_INT(rows[i].name, head.retry_ns, rows[i].retry_ns);
        CHECK_INT(rows[i].name, head.reset_ns, rows[i].reset_ns);
        CHECK_INT(rows[i].name, head.left, rows[i].left);
        CHECK_INT(rows[i].name, head.limit, rows[i].limit);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_head_reads_limits),
        cmocka_unit_test(test_head_reads_the_last_block),
        cmocka_unit_test(test_head_cuts_a_long_type),
    };

    return cmocka_run_group_tests_name("head", tests, NULL, NULL);
}
