/* SPDX-License-Identifier: MIT */
/* Where the store may lie, who may read it, and what happens when the place
 * or the file is not as it should be: an error, never a crash. */
#include "engine/store_path.h"

#include "store_fixture.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/resource.h>

#define NOBODY 65534

static enum uns_err try_write(const char *path)
{
    struct uns_entry *entry = entry_named("try");
    enum uns_err err = uns_store_write(path, entry, 0);

    uns_entry_free(entry);
    return err;
}

static void test_store_path_is_private_whatever_the_umask(void **state)
{
    static const mode_t masks[] = {0000, 0022, 0077, 0777};

    for (size_t i = 0; i < ROWS(masks); i++) {
        struct place *place = *state;
        char row[16], dir[128], db[160];
        mode_t before = umask(masks[i]);

        sprintf(row, "umask %03o", masks[i]);
        sprintf(dir, "%s/%zu/deep", place->dir, i);
        sprintf(db, "%s/u.db", dir);
        CHECK_INT(row, try_write(db), UNS_OK);
        umask(before);
        CHECK_INT(row, mode_of(dir), 0700);
        CHECK_INT(row, mode_of(db), 0600);
        CHECK_INT(row, mode_of(strcat(db, "-wal")), 0600);
        memcpy(db + strlen(db) - 3, "shm", 3);
        CHECK_INT(row, mode_of(db), 0600);
    }
}

static void test_store_path_leaves_an_existing_mode_alone(void **state)
{
    struct place *place = *state;

    assert_int_equal(try_write(place->db), UNS_OK);
    assert_int_equal(chmod(place->db, 0640), 0);
    assert_int_equal(chmod(place->state, 0750), 0);
    assert_int_equal(try_write(place->db), UNS_OK);
    assert_int_equal(mode_of(place->db), 0640);
    assert_int_equal(mode_of(place->state), 0750);
}

static void test_store_path_works_in_the_working_directory(void **state)
{
    struct place *place = *state;
    char before[PATH_MAX];

    assert_non_null(getcwd(before, sizeof before));
    assert_int_equal(chdir(place->dir), 0);
    assert_int_equal(try_write("here.db"), UNS_OK);
    assert_int_equal(access("here.db", R_OK), 0);
    assert_int_equal(chdir(before), 0);
}

/* A name that SQLite would take for a URI is a name all the same. */
static void test_store_path_takes_no_uri(void **state)
{
    struct place *place = *state;
    char before[PATH_MAX];

    assert_non_null(getcwd(before, sizeof before));
    assert_int_equal(chdir(place->dir), 0);
    assert_int_equal(try_write("file:x?mode=memory"), UNS_OK);
    assert_int_equal(access("file:x?mode=memory", R_OK), 0);
    assert_int_equal(chdir(before), 0);
}

static void test_store_path_refuses_names_that_are_none(void **state)
{
    struct place *place = *state;
    char path[PATH_MAX + 100];

    memset(path, 'x', sizeof path);
    path[sizeof path - 1] = '\0';
    memcpy(path, place->dir, strlen(place->dir));
    path[strlen(place->dir)] = '/';
    assert_int_equal(try_write(path), UNS_TOOBIG);
    sprintf(path, "%s/", place->dir);
    assert_int_equal(try_write(path), UNS_TOOBIG);
    assert_int_equal(try_write(""), UNS_TOOBIG);
}

/* Planted links: the victim stays as it is. */
static void test_store_path_follows_no_link(void **state)
{
    struct place *place = *state;
    char victim[128];

    sprintf(victim, "%s/victim", place->dir);
    assert_int_equal(try_write(victim), UNS_OK);
    assert_int_equal(try_write(place->db), UNS_OK);
    unlink(place->db);
    assert_int_equal(symlink(victim, place->db), 0);
    do_sql(victim, "DELETE FROM calls");
    assert_int_equal(try_write(place->db), UNS_UNSUPPORTED);
    assert_int_equal(ask(victim, "SELECT count(*) FROM calls"), 0);
    unlink(place->db);
    assert_int_equal(symlink("nowhere", place->db), 0);
    assert_int_equal(try_write(place->db), UNS_UNSUPPORTED);
}

static void test_store_path_follows_no_link_in_place_of_the_log(void **state)
{
    struct place *place = *state;
    const char *companions[] = {place->wal, place->shm};
    char victim[128];

    sprintf(victim, "%s/victim", place->dir);
    for (size_t i = 0; i < ROWS(companions); i++) {
        struct stat st;
        int fd = open(victim, O_WRONLY | O_CREAT | O_TRUNC, 0600);

        close(fd);
        assert_int_equal(try_write(place->db), UNS_OK);
        unlink(companions[i]);
        assert_int_equal(symlink(victim, companions[i]), 0);
        CHECK_INT(companions[i], try_write(place->db), UNS_IO);
        assert_int_equal(stat(victim, &st), 0);
        CHECK_INT(companions[i], st.st_size, 0);
        unlink(companions[i]);
    }
}

/* The user's own links above the directory are the user's affair. */
static void test_store_path_goes_through_linked_directories(void **state)
{
    struct place *place = *state;
    char link[128], through[PATH_MAX];

    assert_int_equal(try_write(place->db), UNS_OK);
    sprintf(link, "%s/link", place->dir);
    assert_int_equal(symlink(place->state, link), 0);
    sprintf(through, "%s/other.db", link);
    assert_int_equal(try_write(through), UNS_OK);
}

static void test_store_path_takes_plain_files_alone(void **state)
{
    struct place *place = *state;

    assert_int_equal(try_write(place->db), UNS_OK);
    unlink(place->db);
    assert_int_equal(mkfifo(place->db, 0600), 0);
    assert_int_equal(try_write(place->db), UNS_UNSUPPORTED);
    unlink(place->db);
    assert_int_equal(mkdir(place->db, 0700), 0);
    assert_int_equal(try_write(place->db), UNS_UNSUPPORTED);
}

/* In a child that is an ordinary user, whoever runs the tests. */
static int write_as_nobody(void *path)
{
    if (geteuid() == 0 && seteuid(NOBODY) != 0)
        return 100;
    return (int)try_write(path);
}

static void test_store_path_refuses_the_directory_of_another(void **state)
{
    struct place *place = *state;
    char path[128];

    sprintf(path, "%s/x.db", place->dir);
    assert_int_equal(chmod(place->dir, 0777), 0);
    if (geteuid() != 0)
        strcpy(path, "/tmp/unstall-x.db");
    assert_int_equal(in_child(write_as_nobody, path), UNS_UNSUPPORTED);
    assert_int_not_equal(access(path, F_OK), 0);
}

static void test_store_path_reports_a_directory_without_write_access(void **s)
{
    struct place *place = *s;
    char path[128];

    sprintf(path, "%s/x.db", place->dir);
    if (geteuid() == 0)
        assert_int_equal(chown(place->dir, NOBODY, NOBODY), 0);
    assert_int_equal(chmod(place->dir, 0500), 0);
    assert_int_equal(in_child(write_as_nobody, path), UNS_IO);
    assert_int_equal(in_child(write_as_nobody, place->db), UNS_IO);
    chmod(place->dir, 0700);
}

static void test_store_path_reports_a_file_without_write_access(void **state)
{
    struct place *place = *state;
    char path[128];

    sprintf(path, "%s/x.db", place->dir);
    if (geteuid() == 0)
        assert_int_equal(chown(place->dir, NOBODY, NOBODY), 0);
    assert_int_equal(in_child(write_as_nobody, path), UNS_OK);
    assert_int_equal(chmod(path, 0400), 0);
    assert_int_equal(in_child(write_as_nobody, path), UNS_IO);
}

static void fill_file(const char *path, const char *text, size_t times)
{
    FILE *file = fopen(path, "w");

    assert_non_null(file);
    while (times-- > 0)
        fputs(text, file);
    fclose(file);
}

static void test_store_path_reports_what_is_no_database(void **state)
{
    struct place *place = *state;
    char path[128];
    sqlite3 *db;

    sprintf(path, "%s/letter", place->dir);
    fill_file(path, "this is not a database, but a letter. ", 300);
    assert_int_equal(try_write(path), UNS_CORRUPT);
    assert_int_equal(uns_store_open(path, &db), UNS_CORRUPT);
}

/* Somebody else's tables under our names. */
static void test_store_path_reports_a_foreign_schema(void **state)
{
    struct place *place = *state;
    char path[128];

    sprintf(path, "%s/foreign.db", place->dir);
    do_sql(path, "CREATE VIEW calls AS SELECT 1 AS x");
    chmod(path, 0600);
    assert_int_equal(try_write(path), UNS_FOREIGN);
    assert_int_equal(ask(path, "SELECT count(*) FROM main.sqlite_schema"), 1);
}

static void test_store_path_says_when_there_is_no_file(void **state)
{
    struct place *place = *state;
    char path[200];
    sqlite3 *db;

    assert_int_equal(uns_store_open(place->db, &db), UNS_NOTFOUND);
    assert_int_not_equal(access(place->state, F_OK), 0);
    assert_int_equal(try_write(place->db), UNS_OK);
    sprintf(path, "%s/below", place->db);
    assert_int_equal(uns_store_open(path, &db), UNS_NOTFOUND);
    assert_int_equal(uns_store_open(place->dir, &db), UNS_UNSUPPORTED);
}

/* Priority 1: SIGXFSZ would kill the host. */
static int write_beyond_the_limit(void *path)
{
    const struct rlimit limit = {20000, 20000};
    sigset_t pending;
    enum uns_err err;

    setrlimit(RLIMIT_FSIZE, &limit);
    err = try_write(path);
    sigpending(&pending);
    return sigismember(&pending, SIGXFSZ) ? 100 : (int)err;
}

static void test_store_path_survives_a_file_size_limit(void **state)
{
    struct place *place = *state;

    assert_int_equal(in_child(write_beyond_the_limit, place->db), UNS_IO);
    assert_int_equal(try_write(place->db), UNS_OK);
}

static int descriptors(void)
{
    int count = 0;

    for (int fd = 0; fd < 100; fd++)
        count += fcntl(fd, F_GETFD) != -1;
    return count;
}

/* A host without standard streams gets none from us. */
static int write_without_stdio(void *path)
{
    close(0);
    close(1);
    close(2);
    if (try_write(path) != UNS_OK)
        return 1;
    return fcntl(0, F_GETFD) != -1 || fcntl(1, F_GETFD) != -1 ||
           fcntl(2, F_GETFD) != -1;
}

static void test_store_path_leaves_no_descriptor(void **state)
{
    struct place *place = *state;
    int before = descriptors();

    assert_int_equal(try_write(place->db), UNS_OK);
    assert_int_equal(try_write(place->dir), UNS_UNSUPPORTED);
    assert_int_equal(descriptors(), before);
    assert_int_equal(in_child(write_without_stdio, place->db), 0);
}

static void test_store_path_keeps_errno(void **state)
{
    struct place *place = *state;

    errno = 4711;
    assert_int_equal(try_write(place->db), UNS_OK);
    assert_int_equal(errno, 4711);
    assert_int_equal(try_write("/proc/no/such.db"), UNS_IO);
    assert_int_equal(errno, 4711);
}

#define TEST(name) \
    cmocka_unit_test_setup_teardown(name, place_setup, place_teardown)

int main(void)
{
    static const struct CMUnitTest tests[] = {
        TEST(test_store_path_is_private_whatever_the_umask),
        TEST(test_store_path_leaves_an_existing_mode_alone),
        TEST(test_store_path_works_in_the_working_directory),
        TEST(test_store_path_takes_no_uri),
        TEST(test_store_path_refuses_names_that_are_none),
        TEST(test_store_path_follows_no_link),
        TEST(test_store_path_follows_no_link_in_place_of_the_log),
        TEST(test_store_path_goes_through_linked_directories),
        TEST(test_store_path_takes_plain_files_alone),
        TEST(test_store_path_refuses_the_directory_of_another),
        TEST(test_store_path_reports_a_directory_without_write_access),
        TEST(test_store_path_reports_a_file_without_write_access),
        TEST(test_store_path_reports_what_is_no_database),
        TEST(test_store_path_reports_a_foreign_schema),
        TEST(test_store_path_says_when_there_is_no_file),
        TEST(test_store_path_survives_a_file_size_limit),
        TEST(test_store_path_leaves_no_descriptor),
        TEST(test_store_path_keeps_errno),
    };

    return cmocka_run_group_tests_name("store_path", tests, NULL, NULL);
}
