/* SPDX-License-Identifier: MIT */
/* The table of options, against the installed libcurl's own list. */
#include "check.h"
#include "shim/options.h"

#include <stdio.h>

static enum uns_opt_kind kind_of(const struct curl_easyoption *option)
{
    static const enum uns_opt_kind kinds[] = {
        [CURLOT_LONG] = UNS_OPT_LONG,         [CURLOT_VALUES] = UNS_OPT_LONG,
        [CURLOT_OFF_T] = UNS_OPT_OFF_T,       [CURLOT_OBJECT] = UNS_OPT_POINTER,
        [CURLOT_STRING] = UNS_OPT_STRING,     [CURLOT_SLIST] = UNS_OPT_POINTER,
        [CURLOT_CBPTR] = UNS_OPT_POINTER,     [CURLOT_BLOB] = UNS_OPT_BLOB,
        [CURLOT_FUNCTION] = UNS_OPT_FUNCTION,
    };

    /* libcurl calls it an object, and copies it by the size. */
    return option->id == CURLOPT_COPYPOSTFIELDS ? UNS_OPT_BODY
                                                : kinds[option->type];
}

static void test_options_knows_all_of_libcurl(void **state)
{
    const struct curl_easyoption *option = NULL;
    int seen = 0;

    (void)state;
    while ((option = curl_easy_option_next(option))) {
        const struct uns_option *row = uns_option_find(option->id);

        CHECK_INT(option->name, row != NULL, true);
        CHECK_INT(option->name, row->id, option->id);
        CHECK_INT(option->name, row->kind, kind_of(option));
        seen++;
    }
    assert_true(seen > 250);
}

static void test_options_rows_are_sound(void **state)
{
    static const int bases[] = {
        [UNS_OPT_LONG] = CURLOPTTYPE_LONG,
        [UNS_OPT_OFF_T] = CURLOPTTYPE_OFF_T,
        [UNS_OPT_STRING] = CURLOPTTYPE_OBJECTPOINT,
        [UNS_OPT_POINTER] = CURLOPTTYPE_OBJECTPOINT,
        [UNS_OPT_FUNCTION] = CURLOPTTYPE_FUNCTIONPOINT,
        [UNS_OPT_BLOB] = CURLOPTTYPE_BLOB,
        [UNS_OPT_BODY] = CURLOPTTYPE_OBJECTPOINT,
    };

    (void)state;
    for (unsigned slot = 0; slot < UNS_OPT_SLOTS; slot++) {
        const struct uns_option *row = &uns_options[slot];
        char name[32];

        if (row->id == 0)
            continue;
        snprintf(name, sizeof(name), "option %d", row->id);
        CHECK_INT(name, row->id % 10000, slot);
        CHECK_INT(name, row->id - slot, bases[row->kind]);
        if (row->replaced)
            CHECK_INT(name, row->inherit, UNS_INHERIT_NEVER);
    }
}

static void test_options_finds_only_what_it_knows(void **state)
{
    (void)state;
    assert_non_null(uns_option_find(CURLOPT_URL));
    assert_null(uns_option_find((CURLoption)0));
    assert_null(uns_option_find((CURLoption)2));     /* URL is 10002 */
    assert_null(uns_option_find((CURLoption)10399)); /* nobody's yet */
    assert_null(uns_option_find((CURLoption)10400)); /* beyond the slots */
    assert_null(uns_option_find((CURLoption)-1));
}

static const struct heir {
    const char *row;
    CURLoption id;
} strangers_get[] = {

#define ROW(name)             \
    {                         \
#        name, CURLOPT_##name \
    }
    ROW(ACCEPT_ENCODING),
    ROW(HTTP_CONTENT_DECODING),
    ROW(HTTP_TRANSFER_DECODING),
    ROW(HEADER),
    ROW(BUFFERSIZE),
    ROW(MAXFILESIZE),
    ROW(MAXFILESIZE_LARGE),
    ROW(USERAGENT),
    ROW(HTTP_VERSION),
    ROW(PROTOCOLS),
    ROW(PROTOCOLS_STR),
    ROW(INTERFACE),
    ROW(NOPROXY),
    ROW(NOSIGNAL),
    ROW(PRE_PROXY),
    ROW(HTTPPROXYTUNNEL),
    ROW(SUPPRESS_CONNECT_HEADERS),
    ROW(SOCKS5_AUTH),
    ROW(SOCKS5_GSSAPI_NEC),
    ROW(SOCKS5_GSSAPI_SERVICE),
};

static bool in_list(CURLoption id)
{
    for (size_t i = 0; i < ROWS(strangers_get); i++)
        if (strangers_get[i].id == id)
            return true;
    return false;
}

/* P3: what goes to another origin is this list, and what the proxy itself is
 * told; every other option stays. */
static void test_options_give_another_origin_the_list_alone(void **state)
{
    const struct curl_easyoption *option = NULL;

    (void)state;
    while ((option = curl_easy_option_next(option))) {
        bool given = uns_option_find(option->id)->inherit == UNS_INHERIT_ALWAYS;
        bool proxy = strncmp(option->name, "PROXY", 5) == 0 &&
                     option->id != CURLOPT_PROXYHEADER &&
                     option->id != CURLOPT_PROXY_TRANSFER_MODE;

        CHECK_INT(option->name, given, proxy || in_list(option->id));
    }
}

/* P3 again, by name: these once sent a key to the wrong house. */
static void test_options_keep_secrets_and_trust_at_home(void **state)
{
    static const struct heir rows[] = {ROW(USERPWD),
                                       ROW(USERNAME),
                                       ROW(PASSWORD),
                                       ROW(XOAUTH2_BEARER),
                                       ROW(AWS_SIGV4),
                                       ROW(HTTPHEADER),
                                       ROW(COOKIE),
                                       ROW(COOKIEFILE),
                                       ROW(NETRC),
                                       ROW(SSLCERT),
                                       ROW(SSLKEY),
                                       ROW(SSLCERT_BLOB),
                                       ROW(CONNECT_TO),
                                       ROW(RESOLVE),
                                       ROW(UNIX_SOCKET_PATH),
                                       ROW(SSL_VERIFYPEER),
                                       ROW(SSL_VERIFYHOST),
                                       ROW(CAINFO),
                                       ROW(CAINFO_BLOB),
                                       ROW(SHARE),
                                       ROW(REFERER),
                                       ROW(FOLLOWLOCATION),
                                       ROW(SSL_CTX_DATA),
                                       ROW(SSL_CTX_FUNCTION),
                                       ROW(OPENSOCKETFUNCTION)};

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++)
        CHECK_INT(rows[i].row, uns_option_find(rows[i].id)->inherit,
                  UNS_INHERIT_SELF);
}

/* libcurl writes these files when a handle is cleaned up: a rival's would
 * overwrite the application's. */
static void test_options_let_no_rival_write_files(void **state)
{
    static const struct heir rows[] = {ROW(COOKIEJAR), ROW(COOKIELIST),
                                       ROW(ALTSVC)};

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++)
        CHECK_INT(rows[i].row, uns_option_find(rows[i].id)->inherit,
                  UNS_INHERIT_NEVER);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_options_knows_all_of_libcurl),
        cmocka_unit_test(test_options_rows_are_sound),
        cmocka_unit_test(test_options_finds_only_what_it_knows),
        cmocka_unit_test(test_options_give_another_origin_the_list_alone),
        cmocka_unit_test(test_options_keep_secrets_and_trust_at_home),
        cmocka_unit_test(test_options_let_no_rival_write_files),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
