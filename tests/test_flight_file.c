/* SPDX-License-Identifier: MIT */
/* Where recorders lie, that only their owner reads them, and that each is
 * taken in by one process (P4). */
#include "engine/flight_file.h"
#include "engine/flight_place.h"
#include "scratch.h"

#include <fcntl.h>
#include <sys/wait.h>

/* A scratch directory with run/ and state/unstall/, and who we are. */
struct files {
    struct scratch *scratch;
    struct uns_flight_owner self;
    struct uns_flight_file file;
    char run[PATH_MAX], store[PATH_MAX], last[PATH_MAX];
    unsigned found;
};

static struct files files;

static int begin(void **state)
{
    void *scratch;

    (void)state;
    memset(&files, 0, sizeof files);
    if (scratch_begin(&scratch) != 0)
        return -1;
    files.scratch = scratch;
    scratch_mkdir(files.scratch, "run");
    snprintf(files.run, sizeof files.run, "%s", files.scratch->path);
    snprintf(files.store, sizeof files.store, "%s",
             scratch_path(files.scratch, "state/unstall/unstall.db"));
    setenv("XDG_RUNTIME_DIR", files.run, 1);
    return uns_flight_owner_self(&files.self) == UNS_OK ? 0 : -1;
}

static int end(void **state)
{
    void *scratch = files.scratch;

    (void)state;
    uns_flight_file_close(&files.file);
    return scratch_end(&scratch);
}

static void create(void)
{
    assert_int_equal(
        uns_flight_file_create(files.store, &files.self, 2, &files.file),
        UNS_OK);
}

static int mode_of(const char *path)
{
    struct stat st;

    assert_int_equal(lstat(path, &st), 0);
    return (int)(st.st_mode & 07777);
}

static void test_file_is_its_owners_alone_whatever_the_umask(void **state)
{
    static const mode_t masks[] = {0, 022, 0777};
    char dir[PATH_MAX];

    (void)state;
    for (size_t i = 0; i < ROWS(masks); i++) {
        mode_t before = umask(masks[i]);

        create();
        umask(before);
        snprintf(dir, sizeof dir, "%.*s",
                 (int)(strrchr(files.file.path, '/') - files.file.path),
                 files.file.path);
        CHECK_INT("file", mode_of(files.file.path), 0600);
        CHECK_INT("directory", mode_of(dir), 0700);
        assert_memory_equal(dir, files.run, strlen(files.run));
        uns_flight_file_close(&files.file);
    }
}

/* A hole would be a signal where the disk is full. */
static void test_file_has_all_its_blocks(void **state)
{
    struct stat st;

    (void)state;
    create();
    assert_int_equal(stat(files.file.path, &st), 0);
    CHECK_INT("size", st.st_size, files.file.bytes);
    CHECK_INT("blocks", st.st_blocks * 512 >= st.st_size, true);
}

static void without_runtime(void)
{
    unsetenv("XDG_RUNTIME_DIR");
}

static void runtime_is_relative(void)
{
    setenv("XDG_RUNTIME_DIR", "run", 1);
}

static void runtime_is_missing(void)
{
    setenv("XDG_RUNTIME_DIR", "/nowhere/at/all", 1);
}

static void runtime_is_somebody_elses(void)
{
    setenv("XDG_RUNTIME_DIR", "/proc", 1);
}

/* What another could have put there to have it written elsewhere. */
static void link_is_planted(void)
{
    scratch_mkdir(files.scratch, "elsewhere");
    assert_int_equal(
        symlink("../elsewhere", scratch_path(files.scratch, "run/unstall")), 0);
}

static void a_file_is_in_the_way(void)
{
    scratch_write(files.scratch, "run/unstall", "x", 0600);
}

static void others_may_write_there(void)
{
    scratch_mkdir(files.scratch, "run/unstall");
    assert_int_equal(chmod(files.scratch->path, 0777), 0);
}

static void test_file_lies_with_the_store_where_runtime_is_unfit(void **state)
{
    static const struct {
        const char *name;
        void (*spoil)(void);
    } rows[] = {
        {"no variable", without_runtime},
        {"relative", runtime_is_relative},
        {"missing", runtime_is_missing},
        {"somebody else's", runtime_is_somebody_elses},
        {"a link", link_is_planted},
        {"a file", a_file_is_in_the_way},
        {"open to others", others_may_write_there},
    };

    for (size_t i = 0; i < ROWS(rows); i++) {
        const char *dir;

        assert_int_equal(begin(state), 0);
        rows[i].spoil();
        create();
        dir = scratch_path(files.scratch, "state/unstall/");
        CHECK_INT(rows[i].name, strncmp(files.file.path, dir, strlen(dir)), 0);
        CHECK_INT(rows[i].name, mode_of(files.file.path), 0600);
        assert_int_equal(end(state), 0);
    }
}

static void test_file_without_any_place_is_an_error(void **state)
{
    (void)state;
    runtime_is_missing();
    CHECK_INT("no place",
              uns_flight_file_create("/proc/x/unstall.db", &files.self, 2,
                                     &files.file),
              UNS_IO);
    assert_null(files.file.head);
    memset(files.store, 'x', sizeof files.store - 1);
    CHECK_INT("too long",
              uns_flight_file_create(files.store, &files.self, 2, &files.file),
              UNS_TOOBIG);
}

/* --- reading --------------------------------------------------------------*/

static int open_again(void)
{
    struct uns_flight_file again = {0};
    int err = (int)uns_flight_file_open(files.file.path, &again);

    uns_flight_file_close(&again);
    return err;
}

static void test_file_is_read_by_others(void **state)
{
    struct uns_flight_file again;

    (void)state;
    create();
    assert_int_equal(uns_flight_file_open(files.file.path, &again), UNS_OK);
    CHECK_TEXT("store", again.head->store, files.store);
    CHECK_INT("pid", again.head->pid, getpid());
    CHECK_INT("slots", again.head->slots, 2);
    uns_flight_file_close(&again);
}

static void test_file_that_is_unsound_is_not_mapped(void **state)
{
    char target[PATH_MAX + 16];

    (void)state;
    create();
    CHECK_INT("sound", open_again(), UNS_OK);
    files.file.head->magic ^= 1;
    CHECK_INT("magic", open_again(), UNS_UNSUPPORTED);
    files.file.head->magic ^= 1;
    files.file.head->slots = 3;
    CHECK_INT("slots", open_again(), UNS_UNSUPPORTED);
    files.file.head->slots = 2;
    assert_int_equal(truncate(files.file.path, 1 << 20), 0);
    CHECK_INT("holes", open_again(), UNS_UNSUPPORTED);
    assert_int_equal(truncate(files.file.path, 4096), 0);
    CHECK_INT("short", open_again(), UNS_UNSUPPORTED);
    snprintf(target, sizeof target, "%s.moved", files.file.path);
    assert_int_equal(rename(files.file.path, target), 0);
    assert_int_equal(symlink(target, files.file.path), 0);
    CHECK_INT("link", open_again(), UNS_IO);
}

/* --- whose ----------------------------------------------------------------*/

static void test_file_is_an_orphan_when_its_writer_is_gone(void **state)
{
    struct uns_flight_head *head;

    (void)state;
    create();
    head = files.file.head;
    CHECK_INT("of an image before exec()",
              uns_flight_file_is_orphan(&files.file, &files.self, false), true);
    head->start--;
    CHECK_INT("its number was used again",
              uns_flight_file_is_orphan(&files.file, &files.self, false), true);
    head->pid_ns++;
    CHECK_INT("of another namespace",
              uns_flight_file_is_orphan(&files.file, &files.self, true), false);
    head->pid_ns--;
    head->boot[0] ^= 1;
    CHECK_INT("of another boot",
              uns_flight_file_is_orphan(&files.file, &files.self, true), false);
}

/* A process that lives, but has run exec() since. */
static void test_file_is_an_orphan_when_nobody_has_it_mapped(void **state)
{
    struct uns_flight_owner reader;

    (void)state;
    create();
    reader = files.self;
    reader.pid = 1; /* somebody else looks */
    CHECK_INT("mapped", uns_flight_file_is_orphan(&files.file, &reader, true),
              false);
    assert_int_equal(
        rename(files.file.path, scratch_path(files.scratch, "run/a.flight")),
        0);
    create();
    strcpy(files.file.path, scratch_path(files.scratch, "run/1-b.flight"));
    CHECK_INT("not mapped",
              uns_flight_file_is_orphan(&files.file, &reader, true), true);
    CHECK_INT("who does not look",
              uns_flight_file_is_orphan(&files.file, &reader, false), false);
}

static void count(void *arg, const char *path)
{
    (void)arg;
    files.found++;
    snprintf(files.last, sizeof files.last, "%s", path);
}

static void test_file_is_claimed_once_and_given_back(void **state)
{
    struct uns_flight_file first, second;

    (void)state;
    create();
    assert_int_equal(uns_flight_file_open(files.file.path, &first), UNS_OK);
    assert_int_equal(uns_flight_file_open(files.file.path, &second), UNS_OK);
    CHECK_INT("first", uns_flight_file_claim(&first, &files.self), true);
    CHECK_INT("second", uns_flight_file_claim(&second, &files.self), false);
    CHECK_INT("while its taker lives",
              uns_flight_file_is_orphan(&first, &files.self, true), false);
    uns_flight_file_unclaim(&first);
    CHECK_TEXT("given back", first.path, files.file.path);
    CHECK_INT("second now", uns_flight_file_claim(&second, &files.self), true);
    uns_flight_file_close(&first);
    uns_flight_file_close(&second);
}

/* P4: who claimed it was killed as well. */
static void test_file_of_a_dead_claimer_is_claimed_again(void **state)
{
    struct uns_flight_owner dead;

    (void)state;
    create();
    dead = files.self;
    dead.start--;
    files.file.head->start--;
    CHECK_INT("claimed", uns_flight_file_claim(&files.file, &dead), true);
    CHECK_INT("orphan",
              uns_flight_file_is_orphan(&files.file, &files.self, false), true);
    CHECK_INT("again", uns_flight_file_claim(&files.file, &files.self), true);
    uns_flight_file_each(files.store, count, NULL);
    CHECK_INT("one file", files.found, 1);
    CHECK_TEXT("one name", files.last, files.file.path);
    CHECK_INT("marked once",
              strstr(strstr(files.last, ".taken") + 1, ".taken") == NULL, true);
}

static void test_file_is_found_in_both_places(void **state)
{
    (void)state;
    create();
    uns_flight_file_close(&files.file);
    unsetenv("XDG_RUNTIME_DIR");
    create();
    setenv("XDG_RUNTIME_DIR", files.run, 1);
    scratch_write(files.scratch, "run/unstall/note", "x", 0600);
    uns_flight_file_each(files.store, count, NULL);
    CHECK_INT("found", files.found, 2);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_file_is_its_owners_alone_whatever_the_umask),
        TEST(test_file_has_all_its_blocks),
        cmocka_unit_test(test_file_lies_with_the_store_where_runtime_is_unfit),
        TEST(test_file_without_any_place_is_an_error),
        TEST(test_file_is_read_by_others),
        TEST(test_file_that_is_unsound_is_not_mapped),
        TEST(test_file_is_an_orphan_when_its_writer_is_gone),
        TEST(test_file_is_an_orphan_when_nobody_has_it_mapped),
        TEST(test_file_is_claimed_once_and_given_back),
        TEST(test_file_of_a_dead_claimer_is_claimed_again),
        TEST(test_file_is_found_in_both_places),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
