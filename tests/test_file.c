/* SPDX-License-Identifier: MIT */
/* A file for the user is there whole or not at all, and his alone. */
#include "cli/file.h"

#include "store_fixture.h"

#include <dirent.h>
#include <fcntl.h>

static int files_in(const char *dir)
{
    DIR *list = opendir(dir);
    int count = 0;

    assert_non_null(list);
    for (struct dirent *entry; (entry = readdir(list)) != NULL;)
        count += entry->d_name[0] != '.';
    closedir(list);
    return count;
}

static const char *path_in(const struct place *place)
{
    static char path[128];

    snprintf(path, sizeof path, "%s/page", place->dir);
    return path;
}

static void put(const char *path, const char *text)
{
    FILE *out = fopen(path, "w");

    fputs(text, out);
    fclose(out);
}

static const char *content(const char *path)
{
    static char text[64];
    FILE *in = fopen(path, "r");
    size_t len;

    if (in == NULL)
        return NULL;
    len = fread(text, 1, sizeof text - 1, in);
    text[len] = '\0';
    fclose(in);
    return text;
}

static void test_file_is_there_when_it_is_whole(void **state)
{
    const char *path = path_in(*state);
    struct uns_file *file;

    put(path, "old");
    file = uns_file_begin("test", path);
    assert_non_null(file);
    fputs("new", uns_file_stream(file));
    fflush(uns_file_stream(file));
    assert_string_equal(content(path), "old");
    assert_true(uns_file_end(file, true));
    assert_string_equal(content(path), "new");
    assert_int_equal(mode_of(path), 0600);
    assert_int_equal(files_in(((struct place *)*state)->dir), 1);
}

static void test_file_that_is_not_kept_leaves_no_trace(void **state)
{
    const char *path = path_in(*state);
    struct uns_file *file = uns_file_begin("test", path);

    fputs("new", uns_file_stream(file));
    assert_false(uns_file_end(file, false));
    assert_null(content(path));
    assert_int_equal(files_in(((struct place *)*state)->dir), 0);
}

static void test_file_that_cannot_be_written_is_told(void **state)
{
    const char *path = path_in(*state);
    struct uns_file *file = uns_file_begin("test", path);
    int full = open("/dev/full", O_WRONLY | O_CLOEXEC);

    put(path, "old");
    dup2(full, fileno(uns_file_stream(file)));
    close(full);
    fputs("new", uns_file_stream(file));
    assert_false(uns_file_end(file, true));
    assert_string_equal(content(path), "old");
    assert_int_equal(files_in(((struct place *)*state)->dir), 1);
}

static void test_file_needs_its_directory(void **state)
{
    (void)state;
    assert_null(uns_file_begin("test", "/nowhere/at/all"));
}

static struct uns_file *begun_with(const char *path, const char *text)
{
    struct uns_file *file = uns_file_begin("test", path);

    assert_non_null(file);
    fputs(text, uns_file_stream(file));
    return file;
}

static mode_t kind_of(const char *path)
{
    struct stat st;

    assert_int_equal(lstat(path, &st), 0);
    return st.st_mode & S_IFMT;
}

static const char *link_in(const struct place *place, const char *target)
{
    static char path[128];

    snprintf(path, sizeof path, "%s/link", place->dir);
    assert_int_equal(symlink(target, path), 0);
    return path;
}

static void test_file_leaves_a_link_a_link(void **state)
{
    const char *link = link_in(*state, "page");

    put(path_in(*state), "old");
    assert_true(uns_file_end(begun_with(link, "new"), true));
    assert_int_equal(kind_of(link), S_IFLNK);
    assert_int_equal(kind_of(path_in(*state)), S_IFREG);
    assert_string_equal(content(path_in(*state)), "new");
    assert_int_equal(files_in(((struct place *)*state)->dir), 2);
}

static void test_file_is_made_where_a_link_points(void **state)
{
    const char *link = link_in(*state, "page");

    assert_true(uns_file_end(begun_with(link, "new"), true));
    assert_int_equal(kind_of(link), S_IFLNK);
    assert_string_equal(content(path_in(*state)), "new");
    assert_int_equal(mode_of(path_in(*state)), 0600);
}

static void test_file_writes_into_a_fifo(void **state)
{
    const char *path = path_in(*state);
    char text[8] = "";
    int reader;

    assert_int_equal(mkfifo(path, 0600), 0);
    reader = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    assert_true(uns_file_end(begun_with(path, "new"), true));
    assert_int_equal(read(reader, text, sizeof text), 3);
    assert_string_equal(text, "new");
    close(reader);
    assert_int_equal(kind_of(path), S_IFIFO);
    assert_int_equal(files_in(((struct place *)*state)->dir), 1);
}

/* Root could rename over it, and the machine would have no null device. */
static void test_file_never_replaces_a_device(void **state)
{
    const char *link = link_in(*state, "/dev/null");

    assert_true(uns_file_end(begun_with(link, "new"), true));
    assert_int_equal(kind_of(link), S_IFLNK);
    assert_int_equal(kind_of("/dev/null"), S_IFCHR);
    assert_false(uns_file_end(begun_with("/dev/full", "new"), true));
    assert_int_equal(kind_of("/dev/full"), S_IFCHR);
}

static void test_file_knows_standard_output(void **state)
{
    struct uns_file *file = uns_file_begin("test", "-");

    (void)state;
    assert_true(uns_file_is_output(file));
    assert_ptr_equal(uns_file_stream(file), stdout);
    assert_true(uns_file_end(file, true));
    file = uns_file_begin("test", "/dev/stdout");
    assert_true(uns_file_is_output(file));
    assert_false(uns_file_end(file, false));
}

#define TEST(name) \
    cmocka_unit_test_setup_teardown(name, place_setup, place_teardown)

int main(void)
{
    static const struct CMUnitTest tests[] = {
        TEST(test_file_is_there_when_it_is_whole),
        TEST(test_file_that_is_not_kept_leaves_no_trace),
        TEST(test_file_that_cannot_be_written_is_told),
        TEST(test_file_needs_its_directory),
        TEST(test_file_leaves_a_link_a_link),
        TEST(test_file_is_made_where_a_link_points),
        TEST(test_file_writes_into_a_fifo),
        TEST(test_file_never_replaces_a_device),
        TEST(test_file_knows_standard_output),
    };

    return cmocka_run_group_tests_name("file", tests, NULL, NULL);
}
