/* SPDX-License-Identifier: MIT */
/* URLs in pieces: as libcurl would, or not at all. */
#include "check.h"
#include "core/detect.h"

static struct uns_url split(const char *row, const char *url)
{
    struct uns_url out;

    CHECK_INT(row, uns_url_split(url, strlen(url), &out), true);
    return out;
}

static void test_url_splits_into_pieces(void **state)
{
    static const struct {
        const char *url, *scheme, *userinfo, *host;
        int port;
        const char *path, *query;
    } rows[] = {
        {"https://api.openai.com/v1/chat/completions", "https", "",
         "api.openai.com", 443, "/v1/chat/completions", ""},
        {"http://localhost:11434/api/chat", "http", "", "localhost", 11434,
         "/api/chat", ""},
        {"https://h/p?alt=sse&key=k#frag", "https", "", "h", 443, "/p",
         "alt=sse&key=k"},
        {"https://h?x=/y", "https", "", "h", 443, "", "x=/y"},
        {"https://h#a?b", "https", "", "h", 443, "", ""},
        {"https://h", "https", "", "h", 443, "", ""},
        {"HTTPS://H/P", "HTTPS", "", "H", 443, "/P", ""},
        {"http://u:p@h:8/p", "http", "u:p", "h", 8, "/p", ""},
        {"http://u@x:p@h/p", "http", "u@x:p", "h", 80, "/p", ""},
        {"http://@h/p", "http", "", "h", 80, "/p", ""},
        {"http://h/p@q:9", "http", "", "h", 80, "/p@q:9", ""},
        {"http://[::1]:8000/v1", "http", "", "::1", 8000, "/v1", ""},
        {"https://[fe80::1%25eth0]/v1", "https", "", "fe80::1%25eth0", 443,
         "/v1", ""},
        {"http://h:/p", "http", "", "h", 80, "/p", ""},
        {"http://h:65535/p", "http", "", "h", 65535, "/p", ""},
        {"http:/h/p", "http", "", "h", 80, "/p", ""},
        {"http:///h/p", "http", "", "h", 80, "/p", ""},
        /* no scheme: libcurl guesses http */
        {"api.x.ai/v1", "http", "", "api.x.ai", 80, "/v1", ""},
        {"localhost:8080/v1", "http", "", "localhost", 8080, "/v1", ""},
        {"ftpish.example/x", "http", "", "ftpish.example", 80, "/x", ""},
        {"u:p@h:1/x", "http", "u:p", "h", 1, "/x", ""},
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        struct uns_url url = split(rows[i].url, rows[i].url);

        CHECK_SLICE(rows[i].url, url.scheme, rows[i].scheme);
        CHECK_SLICE(rows[i].url, url.userinfo, rows[i].userinfo);
        CHECK_SLICE(rows[i].url, url.host, rows[i].host);
        CHECK_INT(rows[i].url, url.port, rows[i].port);
        CHECK_SLICE(rows[i].url, url.path, rows[i].path);
        CHECK_SLICE(rows[i].url, url.query, rows[i].query);
    }
}

static void test_url_refuses_what_is_not_http(void **state)
{
    static const char *const rows[] = {
        "",
        "/",
        "?",
        "ftp://h/x",
        "file:///etc/passwd",
        "ws://h/chat/completions",
        "httpss://h/x",
        "ftp.example.com/x",
        "FTP.example.com/x",
        "smtp.example.com",
        "http://",
        "http:////h/p",
        "http://:80/p",
        "http://u@/p",
        "http://h:65536/p",
        "http://h:8x/p",
        "http://h:-1/p",
        "http://h:99999999999999999999/p",
        "http://[::1/p",
        "http://[]/p",
        "http://[::1]8/p",
        "http://h/a\nb",
        "http://h/a\x7f",
        "\thttp://h/",
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        struct uns_url url = {.port = 7};

        CHECK_INT(rows[i], uns_url_split(rows[i], strlen(rows[i]), &url),
                  false);
        CHECK_INT(rows[i], url.port, 7);
    }
}

static void test_url_reads_no_byte_beyond_its_length(void **state)
{
    const char *text = "https://u:p@[::1]:8080/path?query#fragment";

    (void)state;
    for (size_t len = 0; len <= strlen(text); len++) {
        char *exact = test_malloc(len + (len == 0));
        struct uns_url url;

        memcpy(exact, text, len);
        if (uns_url_split(exact, len, &url))
            assert_true(url.host.data + url.host.len <= exact + len);
        test_free(exact);
    }
}

/* P3: what decides whether a credential may travel. */
static void test_url_origin_is_scheme_host_and_port(void **state)
{
    static const struct {
        const char *a, *b;
        bool same;
    } rows[] = {
        {"https://h/x", "https://h/y?z", true},
        {"https://h/x", "HTTPS://H/x", true},
        {"https://h/x", "https://h:443/x", true},
        {"http://h/x", "h:80/x", true},
        {"http://u:p@h/x", "http://h/x", true},
        {"https://h/x", "http://h/x", false},
        {"https://h/x", "http://h:443/x", false},
        {"https://h/x", "https://h:8443/x", false},
        {"https://h/x", "https://h.evil/x", false},
        {"https://h/x", "https://x.h/x", false},
        {"https://h/x", "https://h./x", false},
        {"http://[::1]/x", "http://[::2]/x", false},
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        struct uns_url a = split(rows[i].a, rows[i].a);
        struct uns_url b = split(rows[i].b, rows[i].b);

        CHECK_INT(rows[i].b, uns_url_same_origin(&a, &b), rows[i].same);
        CHECK_INT(rows[i].b, uns_url_same_origin(&b, &a), rows[i].same);
    }
}

static void test_url_matches_patterns(void **state)
{
    static const struct {
        const char *pattern, *url;
        bool matches;
    } rows[] = {
        {"https://api.openai.com/*", "https://api.openai.com/v1/x", true},
        {"https://api.openai.com/*", "https://api.openai.com", true},
        {"https://api.openai.com/*", "https://API.OpenAI.com/v1", true},
        {"https://API.openai.com/*", "https://api.openai.com/v1", true},
        {"https://api.openai.com/*", "https://api.openai.com:443/v1", true},
        {"https://api.openai.com:443/*", "https://api.openai.com/v1", true},
        {"https://api.openai.com/*", "https://api.openai.com:8443/v1", false},
        {"https://api.openai.com/*", "http://api.openai.com/v1", false},
        {"https://api.openai.com/*", "https://api.openai.com.evil/v1", false},
        {"https://api.openai.com/*", "https://u:p@api.openai.com/v1", true},
        {"https://h/v1/*", "https://evil/?https://h/v1/x", false},
        {"api.openai.com/*", "https://api.openai.com/v1", true},
        {"api.openai.com/*", "http://api.openai.com/v1", true},
        {"*://h/*", "http://h/v1", true},
        {"*", "https://h/p", true},
        {"*/chat/completions", "https://h/v1/chat/completions?x=1", true},
        {"*/chat/completions", "https://h/v1/chat/completions/", false},
        {"https://h/V1/*", "https://h/v1/x", false},
        {"https://*.azure.com/*/chat", "https://a.azure.com/x/y/chat", true},
        {"https://*.azure.com/*/chat", "https://a.azure.com/chat", false},
        {"http://[::1]:8080/*", "http://[::1]:8080/v1", true},
        {"http://localhost:*/v1/*", "http://localhost:8080/v1/x", true},
        {"https://h/exact", "https://h/exact", true},
        {"https://h/exact", "https://h/exactly", false},
        {"https://h/*a*b*c", "https://h/xxaxxbxxaxbxc", true},
        {"https://h/*a*b*c", "https://h/xxaxxbxxaxbx", false},
        {"**", "https://h/", true},
        {"", "https://h/", false},
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        struct uns_url url = split(rows[i].url, rows[i].url);
        struct uns_slice pattern = {rows[i].pattern, strlen(rows[i].pattern)};

        CHECK_INT(rows[i].pattern, uns_url_matches(pattern, &url),
                  rows[i].matches);
        if (rows[i].matches)
            CHECK_INT(rows[i].pattern, uns_url_can_match(pattern), true);
    }
}

static void test_url_knows_patterns_that_match_nothing(void **state)
{
    static const struct {
        const char *pattern;
        bool can;
    } rows[] = {
        {"", false},
        {"api.openai.com", false},
        {"localhost:8080", false},
        {"https://api.openai.com", false},
        {"https://api.openai.com:443", false},
        {"https://", false},
        {"https:///v1/*", false},
        {"/v1/chat/completions", false},
        {"ftp://h/*", false},
        {"htps://h/*", false},
        {"api.openai.com*", true},
        {"api.openai.com/", true},
        {"https://api.openai.com/", true},
        {"HTTPS://h/*", true},
        {"http*://h/*", true},
        {"*", true},
        {"*api.openai.com", true},
        {"[::1]:8080/*", true},
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++)
        CHECK_INT(rows[i].pattern,
                  uns_url_can_match((struct uns_slice){
                      rows[i].pattern, strlen(rows[i].pattern)}),
                  rows[i].can);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_url_splits_into_pieces),
        cmocka_unit_test(test_url_refuses_what_is_not_http),
        cmocka_unit_test(test_url_reads_no_byte_beyond_its_length),
        cmocka_unit_test(test_url_origin_is_scheme_host_and_port),
        cmocka_unit_test(test_url_matches_patterns),
        cmocka_unit_test(test_url_knows_patterns_that_match_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
