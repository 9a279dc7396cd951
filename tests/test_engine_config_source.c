/* SPDX-License-Identifier: MIT */
/* Sources: what makes one usable, and that keys stay where they belong. */
#include "config_load.h"

#define AT "error config.json:2: "

static void check(const char *source, const char *said)
{
    const char *environment[] = {"SET=value", "EMPTY=", NULL};
    char text[400];
    struct loaded loaded;

    snprintf(text, sizeof text,
             "{ \"sources\": {\n%s }, \"routes\": [ { \"match\": \"*\", "
             "\"sources\": [\"%s\"] } ] }",
             source, source[1] == 'b' ? "b" : "self");
    load_text(text, environment, &loaded);
    CHECK_TEXT(source, loaded.said, said);
    CHECK_INT(source, loaded.err, strstr(said, "error") ? UNS_CONFIG : UNS_OK);
    unload(&loaded);
}

static void test_config_tells_mistakes_in_sources(void **state)
{
    static const struct {
        const char *source, *said;
    } rows[] = {
        {"\"b\": {\"base_url\": \"https://b\"}", ""},
        {"\"b\": {\"base_url\": \"http://[::1]:8080/v1?x=1\"}", ""},
        {"\"b\": {}", AT "source b has no base_url: add one like "
                         "\"https://api.openai.com/v1\"\n"},
        {"\"b\": 7", AT "source b must be an object\n"},
        {"\"self\": {\"base_url\": \"https://b\"}",
         AT "\"self\" is the program's own endpoint: choose another name (how "
            "it continues an answer is hedge.self_prefill)\n"},
        {"\"b\": {\"base_url\": \"b.example/v1\"}",
         AT "source b: base_url must be an http:// or https:// URL\n"},
        {"\"b\": {\"base_url\": \"ftp://b\"}",
         AT "source b: base_url must be an http:// or https:// URL\n"},
        {"\"b\": {\"base_url\": \"\"}",
         AT "source b: base_url must be a string or null\n" AT
            "source b has no base_url: add one like "
            "\"https://api.openai.com/v1\"\n"},
        {"\"b\": {\"base_url\": \"https://u:p@b/\"}",
         AT "source b: base_url has a user name in it: use api_key_env or "
            "api_key_file\n"},
        {"\"b\": {\"base_url\": \"https://b\", \"modles\": {}}",
         AT "source b: no source has \"modles\"; did you mean models?\n"},
        {"\"b\": {\"base_url\": \"https://b\", \"qqqqqqq\": {}}",
         AT "source b: no source has \"qqqqqqq\": remove it\n"},
        {"\"b\": {\"base_url\": \"https://b\", \"auth\": \"basic\"}",
         AT "source b: auth must be one of \"auto\", \"bearer\", "
            "\"x-api-key\", \"api-key\", \"x-goog-api-key\", \"none\"\n"},
        {"\"b\": {\"base_url\": \"https://b\", \"dialects\": [\"chta\"]}",
         AT "source b: dialects must be a list of dialects like "
            "[\"chat\"]\n"},
        {"\"b\": {\"base_url\": \"https://b\", \"dialects\": \"chat\"}",
         AT "source b: dialects must be a list of dialects like "
            "[\"chat\"]\n"},
        {"\"b\": {\"base_url\": \"https://b\", \"models\": [\"m\"]}",
         AT "source b: models must be an object of names and texts\n"},
        {"\"b\": {\"base_url\": \"https://b\", \"models\": {\"m\": 1}}",
         AT "source b: models must be an object of names and texts\n"},
        {"\"b\": {\"base_url\": \"https://b\", \"headers\": "
         "{\"A\": \"x\\r\\nB: y\"}}",
         AT "source b: headers must be without line breaks\n"},
        {"\"b\": {\"base_url\": \"https://b\", \"prefill\": \"x\"}",
         AT "source b: prefill must be one of \"assistant\", \"prefix\", "
            "\"partial\", \"continue_final_message\", or null\n"},
        {"\"b\": {\"base_url\": \"https://b\", \"ca_file\": \"/nowhere\"}",
         AT "source b: ca_file /nowhere cannot be read (No such file or "
            "directory): name a file that can be read\n"},
        {"\"b\": {\"base_url\": \"https://b\", \"ca_file\": \"~/ca\"}",
         AT "source b: ca_file ~/ca cannot be read (No such file or "
            "directory): ~ is not expanded here; write the whole path\n"},
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++)
        check(rows[i].source, rows[i].said);
}

/* A list of them has no names. */
static void test_config_wants_sources_by_name(void **state)
{
    struct loaded loaded;

    (void)state;
    load_text("{ \"sources\": [ ] }", NULL, &loaded);
    CHECK_TEXT("list", loaded.said,
               "error config.json:1: sources must be an object of sources by "
               "name\n");
    assert_null(loaded.config);
}

static void test_config_checks_that_keys_are_there(void **state)
{
    static const struct {
        const char *key, *said;
    } rows[] = {
        {"\"api_key_env\": \"SET\"", ""},
        {"\"api_key_env\": \"UNSET\"",
         "warning config.json:2: source b cannot be used: UNSET is not set in "
         "the environment\n"},
        {"\"api_key_env\": \"EMPTY\"",
         "warning config.json:2: source b cannot be used: EMPTY is not set in "
         "the environment\n"},
        {"\"api_key_env\": \"UNSET\", \"auth\": \"none\"", ""},
        {"\"api_key_env\": \"SET\", \"api_key_file\": \"key\"",
         AT "source b has both api_key_env and api_key_file: remove one\n"},
        {"\"api_key_file\": \"key\"",
         "warning config.json:2: source b: api_key_file key is not an absolute "
         "path: a program in another directory will not find it; give the "
         "whole path\n"},
        {"\"api_key_file\": \"/nowhere\"",
         AT "source b: api_key_file /nowhere cannot be read (No such file or "
            "directory): name a file that can be read\n"},
        {"\"api_key_file\": \"~/key\"",
         AT "source b: api_key_file ~/key cannot be read (No such file or "
            "directory): ~ is not expanded here; write the whole path\n"},
    };

    char source[200];

    (void)state;
    write_file("key", "secret\n");
    assert_int_equal(chmod("key", 0600), 0);
    for (size_t i = 0; i < ROWS(rows); i++) {
        snprintf(source, sizeof source,
                 "\"b\": {\"base_url\": \"https://b\", %s}", rows[i].key);
        check(source, rows[i].said);
    }
}

static void test_config_takes_an_absolute_key_file(void **state)
{
    char source[200];
    char dir[64];

    (void)state;
    write_file("key", "secret\n");
    assert_int_equal(chmod("key", 0600), 0);
    assert_non_null(getcwd(dir, sizeof dir));
    snprintf(source, sizeof source,
             "\"b\": {\"base_url\": \"https://b\", "
             "\"api_key_file\": \"%s/key\"}",
             dir);
    check(source, "");
}

/* P3: messages are kept in journals, and a key is easily pasted in the place
 * of its name. */
static void test_config_never_repeats_a_key_that_was_pasted(void **state)
{
    static const struct {
        const char *member, *value;
    } rows[] = {
        {"api_key", "sk-abcdef0123456789"},
        {"API-Key", "sk-abcdef0123456789"},
        {"token", "hf_abcdefghij0123456789"},
        {"key", "abc"},
        {"api_key_env", "sk-abcdef0123456789"},
        {"api_key_env", "sk-a"},
        {"api_key_env", "1abc"},
        {"api_key_env", "hf_abcdefghij0123456789"},
        {"api_key_file", "sk-abcdef0123456789"},
    };

    char text[300];

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        const char *environment[] = {NULL};
        struct loaded loaded;

        snprintf(text, sizeof text,
                 "{\"sources\": {\"b\": {\"base_url\": \"https://b\", "
                 "\"%s\": \"%s\"}}}",
                 rows[i].member, rows[i].value);
        load_text(text, environment, &loaded);
        CHECK_INT(text, strstr(loaded.said, "source b") != NULL, true);
        CHECK_INT(text, strstr(loaded.said, rows[i].value) == NULL, true);
        unload(&loaded);
    }
}

static void test_config_says_where_a_key_belongs(void **state)
{
    (void)state;
    check("\"b\": {\"base_url\": \"https://b\", \"api_key\": \"sk-1\"}",
          AT "source b: no source has \"api_key\": keep the key in a variable "
             "and name that in api_key_env, or in a file for api_key_file\n");
    check("\"b\": {\"base_url\": \"https://b\", "
          "\"api_key_env\": \"sk-1\"}",
          AT "source b: api_key_env takes the name of a variable, and this is "
             "none; was it the key? Put that into a variable, and name it "
             "here\n");
}

/* P3: a key that others can read is nobody's secret. */
static void test_config_refuses_key_files_of_others(void **state)
{
    static const mode_t modes[] = {0640, 0604, 0660, 0610, 0666};

    (void)state;
    write_file("key", "secret\n");
    for (size_t i = 0; i < ROWS(modes); i++) {
        assert_int_equal(chmod("key", modes[i]), 0);
        check("\"b\": {\"base_url\": \"https://b\", \"api_key_file\": "
              "\"key\"}",
              AT "source b: api_key_file key can be read by others: chmod 600 "
                 "it\n");
    }
}

/* Root may read it, and is not meant. */
static void test_config_refuses_a_key_file_that_is_anothers(void **state)
{
    (void)state;
    if (geteuid() != 0)
        skip();
    write_file("key", "secret\n");
    assert_int_equal(chmod("key", 0600), 0);
    assert_int_equal(chown("key", 65534, 65534), 0);
    check("\"b\": {\"base_url\": \"https://b\", \"api_key_file\": \"key\"}",
          AT "source b: api_key_file key belongs to somebody else: use a file "
             "of your own\n");
    unlink("key");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_config_tells_mistakes_in_sources),
        cmocka_unit_test(test_config_wants_sources_by_name),
        cmocka_unit_test(test_config_checks_that_keys_are_there),
        cmocka_unit_test(test_config_takes_an_absolute_key_file),
        cmocka_unit_test(test_config_never_repeats_a_key_that_was_pasted),
        cmocka_unit_test(test_config_says_where_a_key_belongs),
        cmocka_unit_test(test_config_refuses_key_files_of_others),
        cmocka_unit_test(test_config_refuses_a_key_file_that_is_anothers),
    };

    return cmocka_run_group_tests(tests, config_enter, config_leave);
}
