/* SPDX-License-Identifier: MIT */
/* P3: a source's credential: where it may come from, and the form it takes. */
#include "config_load.h"
#include "engine/key.h"

static char line[UNS_KEY_BYTES];

static enum uns_err header(enum uns_auth auth, enum uns_dialect dialect)
{
    struct uns_source source = {
        .name = "b", .auth = auth, .api_key_env = "UNSTALL_TEST_KEY"};

    return uns_key_header(&source, dialect, line);
}

static void test_key_takes_the_form_that_the_source_wants(void **state)
{
    static const struct {
        enum uns_auth auth;
        enum uns_dialect dialect;
        const char *line;
    } rows[] = {
        {UNS_AUTH_AUTO, UNS_DIALECT_CHAT, "Authorization: Bearer k"},
        {UNS_AUTH_AUTO, UNS_DIALECT_RESPONSES, "Authorization: Bearer k"},
        {UNS_AUTH_AUTO, UNS_DIALECT_OLLAMA, "Authorization: Bearer k"},
        {UNS_AUTH_AUTO, UNS_DIALECT_ANTHROPIC, "x-api-key: k"},
        {UNS_AUTH_AUTO, UNS_DIALECT_GEMINI, "x-goog-api-key: k"},
        {UNS_AUTH_BEARER, UNS_DIALECT_ANTHROPIC, "Authorization: Bearer k"},
        {UNS_AUTH_X_API_KEY, UNS_DIALECT_CHAT, "x-api-key: k"},
        {UNS_AUTH_API_KEY, UNS_DIALECT_CHAT, "api-key: k"},
        {UNS_AUTH_X_GOOG_API_KEY, UNS_DIALECT_CHAT, "x-goog-api-key: k"},
        {UNS_AUTH_NONE, UNS_DIALECT_CHAT, ""},
    };

    (void)state;
    setenv("UNSTALL_TEST_KEY", "k", 1);
    for (size_t i = 0; i < ROWS(rows); i++) {
        CHECK_INT(rows[i].line, header(rows[i].auth, rows[i].dialect), UNS_OK);
        CHECK_TEXT("line", line, rows[i].line);
    }
}

static void test_key_is_refused_when_it_is_none(void **state)
{
    static const struct {
        const char *value;
        enum uns_err err;
    } rows[] = {
        {"k", UNS_OK},
        {"k \n", UNS_OK},
        {NULL, UNS_NOTFOUND},
        {"", UNS_NOTFOUND},
        {" \t\r\n", UNS_NOTFOUND},
        {"a\nX-Evil: b", UNS_SYNTAX},
        {"a\rb", UNS_SYNTAX},
        {"a\x7f", UNS_SYNTAX},
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        if (rows[i].value == NULL)
            unsetenv("UNSTALL_TEST_KEY");
        else
            setenv("UNSTALL_TEST_KEY", rows[i].value, 1);
        CHECK_INT(rows[i].value, header(UNS_AUTH_BEARER, UNS_DIALECT_CHAT),
                  rows[i].err);
        CHECK_TEXT(rows[i].value, line,
                   rows[i].err ? "" : "Authorization: Bearer k");
    }
}

static void test_key_fits_or_says_so(void **state)
{
    static char value[UNS_KEY_BYTES + 2];
    size_t room = UNS_KEY_BYTES - strlen("api-key: ") - 1;

    (void)state;
    for (size_t len = room - 1; len <= room + 2; len++) {
        memset(value, 'k', len);
        value[len] = '\0';
        setenv("UNSTALL_TEST_KEY", value, 1);
        CHECK_INT("variable", header(UNS_AUTH_API_KEY, UNS_DIALECT_CHAT),
                  len <= room ? UNS_OK : UNS_TOOBIG);
        CHECK_INT("line", strlen(line), len <= room ? len + 9 : 0);
    }
}

static enum uns_err from_file(const char *path)
{
    struct uns_source source = {.name = "b", .api_key_file = path};

    return uns_key_header(&source, UNS_DIALECT_CHAT, line);
}

static void test_key_is_read_from_a_private_file(void **state)
{
    (void)state;
    write_file("key", "k\n");
    assert_int_equal(chmod("key", 0600), 0);
    assert_int_equal(from_file("key"), UNS_OK);
    CHECK_TEXT("line", line, "Authorization: Bearer k");
    assert_int_equal(chmod("key", 0400), 0);
    assert_int_equal(from_file("key"), UNS_OK);
    assert_int_equal(chmod("key", 0640), 0);
    assert_int_equal(from_file("key"), UNS_UNSUPPORTED);
    assert_int_equal(chmod("key", 0604), 0);
    assert_int_equal(from_file("key"), UNS_UNSUPPORTED);
    CHECK_TEXT("line", line, "");
    assert_int_equal(from_file("/nowhere"), UNS_NOTFOUND);
    assert_int_equal(from_file("."), UNS_UNSUPPORTED);
    assert_int_equal(from_file("/dev/null"), UNS_UNSUPPORTED);
}

static void test_key_sees_a_change_at_the_next_use(void **state)
{
    (void)state;
    setenv("UNSTALL_TEST_KEY", "one", 1);
    assert_int_equal(header(UNS_AUTH_API_KEY, UNS_DIALECT_CHAT), UNS_OK);
    setenv("UNSTALL_TEST_KEY", "two", 1);
    assert_int_equal(header(UNS_AUTH_API_KEY, UNS_DIALECT_CHAT), UNS_OK);
    CHECK_TEXT("line", line, "api-key: two");
}

static void test_key_is_forgotten(void **state)
{
    (void)state;
    setenv("UNSTALL_TEST_KEY", "secret", 1);
    assert_int_equal(header(UNS_AUTH_API_KEY, UNS_DIALECT_CHAT), UNS_OK);
    uns_key_wipe(line);
    for (size_t i = 0; i < sizeof line; i++)
        assert_int_equal(line[i], 0);
}

static void test_key_is_not_asked_for_without_a_place(void **state)
{
    struct uns_source source = {.name = "b", .auth = UNS_AUTH_BEARER};

    (void)state;
    assert_int_equal(uns_key_header(&source, UNS_DIALECT_CHAT, line), UNS_OK);
    CHECK_TEXT("line", line, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_key_takes_the_form_that_the_source_wants),
        cmocka_unit_test(test_key_is_refused_when_it_is_none),
        cmocka_unit_test(test_key_fits_or_says_so),
        cmocka_unit_test(test_key_is_read_from_a_private_file),
        cmocka_unit_test(test_key_sees_a_change_at_the_next_use),
        cmocka_unit_test(test_key_is_forgotten),
        cmocka_unit_test(test_key_is_not_asked_for_without_a_place),
    };

    return cmocka_run_group_tests(tests, config_enter, config_leave);
}
