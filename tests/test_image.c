/* SPDX-License-Identifier: MIT */
/* What a file is, and which libcurl is in it. */
#include "cli/image.h"

#include "scratch.h"

#include <errno.h>

static void test_image_knows_libcurl_by_its_name(void **state)
{
    static const struct {
        const char *name;
        bool want;
    } rows[] = {
        {"libcurl.so.4", true},
        {"libcurl.so", true},
        {"libcurl-gnutls.so.4", true},
        {"libcurl-nss.so.4", true},
        {"/opt/pycurl.libs/libcurl-7f.so.4.8", true},
        {"libcurlpp.so.1", false},
        {"libcurl.a", false},
        {"libcurl", false},
        {"curl.so", false},
        {"/libcurl.so/other.so", false},
        {"", false},
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++)
        CHECK_INT(rows[i].name, uns_image_is_libcurl(rows[i].name),
                  rows[i].want);
}

static void test_image_finds_the_version_of_a_libcurl_inside(void **state)
{
    static const struct {
        const char *name, *text;
        const char *want; /* NULL: none */
    } rows[] = {
        {"a version", "xx libcurl/7.88.1 yy", "7.88.1"},
        {"at the end", "xx libcurl/8.5.0", "8.5.0"},
        {"a format", "agent libcurl/%s end of it", NULL},
        {"behind a format", "libcurl/%s libcurl/8.23.0-DEV", "8.23.0"},
        {"a number alone", "libcurl/7 and no more of it", NULL},
        {"the agent of others", "libcurl-agent/1.0 and more", NULL},
        {"curl itself", "curl/7.88.1 and no library", NULL},
        {"in one place only", "libcurl/ 7.81H CLIENT libcurl 7.81.0", "7.81.0"},
        {"cut off", "libcurl/", NULL},
        {"nothing", "", NULL},
    };
    struct scratch *scratch = *state;

    for (size_t i = 0; i < ROWS(rows); i++) {
        char version[UNS_IMAGE_VERSION] = "none";
        struct uns_image image;

        scratch_write(scratch, "file", rows[i].text, 0644);
        CHECK_INT(rows[i].name, uns_image_open(scratch->path, &image),
                  UNS_SYNTAX);
        CHECK_INT(rows[i].name, uns_image_curl(&image, version),
                  rows[i].want != NULL);
        CHECK_TEXT(rows[i].name, version, rows[i].want ? rows[i].want : "none");
        uns_image_close(&image);
    }
}

static void test_image_maps_plain_files_alone(void **state)
{
    struct scratch *scratch = *state;
    struct uns_image image;

    errno = 0;
    CHECK_INT("missing", uns_image_open(scratch_path(scratch, "no"), &image),
              UNS_IO);
    CHECK_INT("missing", errno, ENOENT);
    uns_image_close(&image);
    CHECK_INT("directory", uns_image_open(scratch->dir, &image), UNS_IO);
    CHECK_INT("directory", errno, EISDIR);
    uns_image_close(&image);
    CHECK_INT("device", uns_image_open("/dev/zero", &image), UNS_IO);
    uns_image_close(&image);
    assert_int_equal(mkfifo(scratch_path(scratch, "fifo"), 0600), 0);
    CHECK_INT("a pipe is not waited for", uns_image_open(scratch->path, &image),
              UNS_IO);
    uns_image_close(&image);
    scratch_write(scratch, "empty", "", 0644);
    CHECK_INT("empty", uns_image_open(scratch->path, &image), UNS_SYNTAX);
    assert_null(uns_image_find(&image, "x"));
    uns_image_close(&image);
    uns_image_close(&image);
    uns_image_close(NULL);
}

static void test_image_base_is_behind_the_last_slash(void **state)
{
    (void)state;
    CHECK_TEXT("path", uns_image_base("/usr/bin/curl"), "curl");
    CHECK_TEXT("name", uns_image_base("curl"), "curl");
    CHECK_TEXT("directory", uns_image_base("/usr/"), "");
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_image_knows_libcurl_by_its_name),
        cmocka_unit_test_setup_teardown(
            test_image_finds_the_version_of_a_libcurl_inside, scratch_begin,
            scratch_end),
        cmocka_unit_test_setup_teardown(test_image_maps_plain_files_alone,
                                        scratch_begin, scratch_end),
        cmocka_unit_test(test_image_base_is_behind_the_last_slash),
    };

    return cmocka_run_group_tests_name("image", tests, NULL, NULL);
}
