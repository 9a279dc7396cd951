/* SPDX-License-Identifier: MIT */
/* Libraries are found where the dynamic loader would find them. */
#include "cli/closure.h"

#include "elf_craft.h"
#include "scratch.h"

#include <dlfcn.h>
#include <link.h>

/* A file for this machine that needs `needed` (or NULL). */
static void craft_file(struct scratch *scratch, const char *name,
                       const char *needed, const char *runpath)
{
    struct craft craft = {.wide = true,
                          .gnu_hash = true,
                          .machine = EM_X86_64,
                          .needed = {needed},
                          .runpath = runpath,
                          .imported = {"f"}};

    craft_build(&craft);
    assert_int_equal(craft_write(&craft, scratch_path(scratch, name)), 0);
}

/* The path, below the directory, at which `name` was found; "" for nowhere,
 * NULL if it is not in the closure. */
static const char *found(struct scratch *scratch,
                         const struct uns_closure *closure, const char *name)
{
    for (size_t i = 1; i < closure->count; i++) {
        const char *path = closure->list[i].path;

        if (strcmp(closure->list[i].name, name) != 0)
            continue;
        if (path == NULL)
            return "";
        assert_int_equal(strncmp(path, scratch->dir, strlen(scratch->dir)), 0);
        return path + strlen(scratch->dir) + 1;
    }
    return NULL;
}

static void open_closure(struct scratch *scratch, struct uns_closure *closure,
                         const char *name, const char *library_path)
{
    assert_int_equal(
        uns_closure_open(closure, scratch_path(scratch, name), library_path),
        UNS_OK);
}

static void test_closure_follows_runpath_from_the_file(void **state)
{
    static const struct {
        const char *name;
        const char *runpath;
        const char *want;
    } rows[] = {
        {"none", NULL, ""},
        {"$ORIGIN", "$ORIGIN/lib", "lib/libours.so"},
        {"${ORIGIN}", "${ORIGIN}/lib", "lib/libours.so"},
        {"$LIB", "$ORIGIN/$LIB", "lib64/libours.so"},
        {"not ORIGINAL", "$NOTHING/lib", ""},
        {"second", "/nowhere:$ORIGIN/lib", "lib/libours.so"},
        {"first of two", "$ORIGIN/old:$ORIGIN/lib", "old/libours.so"},
        {"empty items", "::$ORIGIN/lib:", "lib/libours.so"},
        {"another machine is passed over", "$ORIGIN/arm:$ORIGIN/lib",
         "lib/libours.so"},
        {"what is no library is passed over", "$ORIGIN/text:$ORIGIN/lib",
         "lib/libours.so"},
    };
    struct scratch *scratch = *state;
    struct craft other = {.wide = true, .machine = EM_AARCH64};

    scratch_mkdir(scratch, "lib");
    scratch_mkdir(scratch, "lib64");
    scratch_mkdir(scratch, "old");
    scratch_mkdir(scratch, "arm");
    scratch_mkdir(scratch, "text");
    craft_file(scratch, "lib/libours.so", NULL, NULL);
    craft_file(scratch, "lib64/libours.so", NULL, NULL);
    craft_file(scratch, "old/libours.so", NULL, NULL);
    craft_build(&other);
    assert_int_equal(
        craft_write(&other, scratch_path(scratch, "arm/libours.so")), 0);
    scratch_write(scratch, "text/libours.so", "GROUP ( -lours )", 0644);
    for (size_t i = 0; i < ROWS(rows); i++) {
        struct uns_closure closure;

        craft_file(scratch, "program", "libours.so", rows[i].runpath);
        open_closure(scratch, &closure, "program", NULL);
        CHECK_TEXT(rows[i].name, found(scratch, &closure, "libours.so"),
                   rows[i].want);
        uns_closure_close(&closure);
    }
}

static void test_closure_looks_into_library_path_before_runpath(void **state)
{
    struct scratch *scratch = *state;
    struct uns_closure closure;
    char library_path[128];

    scratch_mkdir(scratch, "lib");
    scratch_mkdir(scratch, "mine");
    craft_file(scratch, "lib/libours.so", NULL, NULL);
    craft_file(scratch, "mine/libours.so", NULL, NULL);
    craft_file(scratch, "program", "libours.so", "$ORIGIN/lib");
    snprintf(library_path, sizeof library_path, "%s/mine", scratch->dir);
    open_closure(scratch, &closure, "program", library_path);
    CHECK_TEXT("LD_LIBRARY_PATH", found(scratch, &closure, "libours.so"),
               "mine/libours.so");
    uns_closure_close(&closure);
}

static void test_closure_goes_on_from_library_to_library(void **state)
{
    struct scratch *scratch = *state;
    struct uns_closure closure;
    size_t curl;

    craft_file(scratch, "libcurl-gnutls.so.4", "liba.so", NULL);
    craft_file(scratch, "libb.so", "libcurl-gnutls.so.4", "$ORIGIN");
    craft_file(scratch, "liba.so", "libb.so", "$ORIGIN");
    craft_file(scratch, "program", "liba.so", "$ORIGIN");
    open_closure(scratch, &closure, "program", NULL);
    CHECK_INT("each once, though they go round", closure.count, 4);
    curl = uns_closure_libcurl(&closure, 0);
    CHECK_INT("libcurl", curl, 3);
    CHECK_TEXT("asked for by", closure.list[closure.list[curl].by].name,
               "libb.so");
    CHECK_INT("no other", uns_closure_libcurl(&closure, curl + 1), 0);
    uns_closure_close(&closure);
}

/* A RUNPATH counts for the file that says it alone. */
static void test_closure_does_not_inherit_runpath(void **state)
{
    struct scratch *scratch = *state;
    struct uns_closure closure;

    scratch_mkdir(scratch, "lib");
    craft_file(scratch, "lib/libb.so", NULL, NULL);
    craft_file(scratch, "lib/liba.so", "libb.so", NULL);
    craft_file(scratch, "program", "liba.so", "$ORIGIN/lib");
    open_closure(scratch, &closure, "program", NULL);
    CHECK_TEXT("said", found(scratch, &closure, "liba.so"), "lib/liba.so");
    CHECK_TEXT("not said", found(scratch, &closure, "libb.so"), "");
    uns_closure_close(&closure);
}

static void test_closure_inherits_rpath_unless_there_is_a_runpath(void **state)
{
    static const struct {
        const char *name;
        const char *rpath, *runpath; /* of the library in the middle */
        const char *want;
    } rows[] = {
        {"the program's", NULL, NULL, "lib/libb.so"},
        {"its own comes first", "$ORIGIN/own", NULL, "lib/own/libb.so"},
        {"none beside a RUNPATH", "$ORIGIN/own", "/nowhere", ""},
        {"nor the program's", NULL, "/nowhere", ""},
    };
    struct scratch *scratch = *state;
    struct craft program = {.wide = true,
                            .machine = EM_X86_64,
                            .needed = {"liba.so"},
                            .rpath = "$ORIGIN/lib"};

    scratch_mkdir(scratch, "lib");
    scratch_mkdir(scratch, "lib/own");
    craft_file(scratch, "lib/libb.so", NULL, NULL);
    craft_file(scratch, "lib/own/libb.so", NULL, NULL);
    craft_build(&program);
    assert_int_equal(craft_write(&program, scratch_path(scratch, "program")),
                     0);
    for (size_t i = 0; i < ROWS(rows); i++) {
        struct uns_closure closure;
        struct craft middle = {.wide = true,
                               .machine = EM_X86_64,
                               .needed = {"libb.so"},
                               .rpath = rows[i].rpath,
                               .runpath = rows[i].runpath};

        craft_build(&middle);
        assert_int_equal(
            craft_write(&middle, scratch_path(scratch, "lib/liba.so")), 0);
        open_closure(scratch, &closure, "program", NULL);
        CHECK_TEXT(rows[i].name, found(scratch, &closure, "libb.so"),
                   rows[i].want);
        uns_closure_close(&closure);
    }
}

static void test_closure_takes_one_file_by_two_names_once(void **state)
{
    struct scratch *scratch = *state;
    struct uns_closure closure;
    char target[PATH_MAX];

    craft_file(scratch, "liba.so.1", "liba.so.1", "$ORIGIN");
    snprintf(target, sizeof target, "%s", scratch->path);
    assert_int_equal(symlink(target, scratch_path(scratch, "liba.so")), 0);
    craft_file(scratch, "libb.so", "liba.so", "$ORIGIN");
    craft_file(scratch, "program", "libb.so", "$ORIGIN");
    open_closure(scratch, &closure, "program", NULL);
    CHECK_INT("program, libb, liba", closure.count, 3);
    uns_closure_close(&closure);
}

static void test_closure_says_what_it_cannot_open(void **state)
{
    struct scratch *scratch = *state;
    struct uns_closure closure;

    CHECK_INT("nothing there",
              uns_closure_open(&closure, scratch_path(scratch, "no"), NULL),
              UNS_IO);
    uns_closure_close(&closure);
    CHECK_INT("a directory", uns_closure_open(&closure, scratch->dir, NULL),
              UNS_IO);
    uns_closure_close(&closure);
    scratch_write(scratch, "text", "hello", 0644);
    CHECK_INT("a text", uns_closure_open(&closure, scratch->path, NULL),
              UNS_SYNTAX);
    uns_closure_close(&closure);
    uns_closure_close(NULL);
}

/* The loader has brought in the same files for this very program. */
static void check_loaded(const struct uns_library *library)
{
    void *handle = dlopen(library->name, RTLD_LAZY | RTLD_NOLOAD);
    struct link_map *map = NULL;
    struct stat st;

    CHECK_INT(library->name, handle != NULL, true);
    assert_int_equal(dlinfo(handle, RTLD_DI_LINKMAP, &map), 0);
    assert_int_equal(stat(map->l_name, &st), 0);
    CHECK_INT(library->name, library->image.st.st_ino, st.st_ino);
    dlclose(handle);
}

static void test_closure_agrees_with_the_loader(void **state)
{
    struct uns_closure closure;

    (void)state;
    assert_int_equal(
        uns_closure_open(&closure, "/proc/self/exe", getenv("LD_LIBRARY_PATH")),
        UNS_OK);
    assert_true(closure.count > 2);
    for (size_t i = 1; i < closure.count; i++)
        check_loaded(&closure.list[i]);
    uns_closure_close(&closure);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(
            test_closure_follows_runpath_from_the_file, scratch_begin,
            scratch_end),
        cmocka_unit_test_setup_teardown(
            test_closure_looks_into_library_path_before_runpath, scratch_begin,
            scratch_end),
        cmocka_unit_test_setup_teardown(
            test_closure_goes_on_from_library_to_library, scratch_begin,
            scratch_end),
        cmocka_unit_test_setup_teardown(test_closure_does_not_inherit_runpath,
                                        scratch_begin, scratch_end),
        cmocka_unit_test_setup_teardown(
            test_closure_inherits_rpath_unless_there_is_a_runpath,
            scratch_begin, scratch_end),
        cmocka_unit_test_setup_teardown(
            test_closure_takes_one_file_by_two_names_once, scratch_begin,
            scratch_end),
        cmocka_unit_test_setup_teardown(test_closure_says_what_it_cannot_open,
                                        scratch_begin, scratch_end),
        cmocka_unit_test(test_closure_agrees_with_the_loader),
    };

    return cmocka_run_group_tests_name("closure", tests, NULL, NULL);
}
