/* SPDX-License-Identifier: MIT */
/* Symbols of objects that are mapped: real ones, and one made by hand. */
#include "check.h"
#include "shim/symbol.h"

#include <dlfcn.h>

static struct link_map *map_of(const char *file)
{
    void *handle = dlopen(file, RTLD_NOW);
    struct link_map *map = NULL;

    assert_non_null(handle);
    assert_int_equal(dlinfo(handle, RTLD_DI_LINKMAP, &map), 0);
    return map;
}

static void test_symbol_agrees_with_the_loader(void **state)
{
    static const struct {
        const char *file, *name;
    } rows[] = {
        {"libc.so.6", "dlsym"},
        {"libc.so.6", "dlopen"},
        {"libc.so.6", "printf"},
        {"libcurl.so.4", "curl_easy_init"},
        {"libcurl.so.4", "curl_easy_perform"},
        {"libcurl.so.4", "curl_mvsnprintf"},
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        const struct link_map *map = map_of(rows[i].file);
        void *handle = dlopen(rows[i].file, RTLD_NOW);
        uintptr_t want = (uintptr_t)dlsym(handle, rows[i].name);

        CHECK_INT(rows[i].name,
                  uns_symbol_find(map->l_addr, map->l_ld, rows[i].name), want);
    }
}

static void test_symbol_finds_only_functions_that_are_there(void **state)
{
    static const struct {
        const char *row, *file, *name;
    } rows[] = {
        {"nothing of the name", "libc.so.6", "no_such_function"},
        {"an empty name", "libc.so.6", ""},
        {"only used", "libcurl.so.4", "malloc"},
        {"a variable", "libc.so.6", "environ"},
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        const struct link_map *map = map_of(rows[i].file);

        CHECK_INT(rows[i].row,
                  uns_symbol_find(map->l_addr, map->l_ld, rows[i].name), 0);
    }
}

/* Two functions, one of them not here, and a variable: "one", "gone", "two".
 * All hashes fall into one bucket, but for the second of the GNU kind. */
static struct image {
    ElfW(Dyn) dynamic[4];
    ElfW(Sym) symbols[4];
    char strings[16];
    uint32_t sysv[2 + 1 + 4];
    uint32_t gnu[4 + 2 + 1 + 2];
} image;

#define OFFSET(member) offsetof(struct image, member)

static uint32_t gnu_hash(const char *name)
{
    uint32_t hash = 5381;

    while (*name)
        hash = hash * 33 + (unsigned char)*name++;
    return hash;
}

enum kind {
    NONE,
    SYSV,
    GNU
};

/* `base` is what addresses in the dynamic section count from. */
static void make_image(enum kind kind, uintptr_t base)
{
    static const ElfW(Dyn) tables[] = {
        [NONE] = {DT_NULL, {0}},
        [SYSV] = {DT_HASH, {OFFSET(sysv)}},
        [GNU] = {DT_GNU_HASH, {OFFSET(gnu)}},
    };
    uint32_t sysv[] = {1, 4, 3, 0, 0, 1, 2};
    uint32_t gnu[] = {
        1, 2, 1, 0, 0, 0, 2, gnu_hash("two") & ~1U, gnu_hash("one") | 1};

    image = (struct image){0};
    memcpy(image.strings, "\0one\0gone\0two", 14);
    image.symbols[1] = (ElfW(Sym)){.st_name = 5, .st_info = STT_FUNC};
    image.symbols[2] = (ElfW(Sym)){
        .st_name = 10, .st_info = STT_OBJECT, .st_shndx = 1, .st_value = 0x20};
    image.symbols[3] = (ElfW(Sym)){.st_name = 1,
                                   .st_info = STT_FUNC | STB_WEAK << 4,
                                   .st_shndx = 1,
                                   .st_value = 0x10};
    memcpy(image.sysv, sysv, sizeof(sysv));
    memcpy(image.gnu, gnu, sizeof(gnu));
    image.dynamic[0] = (ElfW(Dyn)){DT_SYMTAB, {base + OFFSET(symbols)}};
    image.dynamic[1] = (ElfW(Dyn)){DT_STRTAB, {base + OFFSET(strings)}};
    image.dynamic[2] = tables[kind];
    if (kind != NONE)
        image.dynamic[2].d_un.d_ptr += base;
}

static void test_symbol_reads_both_kinds_of_tables(void **state)
{
    const uintptr_t base = (uintptr_t)&image;

    const struct {
        const char *row;
        enum kind kind;
        uintptr_t counted_from;
        const char *name;
        uintptr_t want;
    } rows[] = {
        {"sysv", SYSV, base, "one", base + 0x10},
        {"sysv, relative", SYSV, 0, "one", base + 0x10},
        {"sysv, elsewhere", SYSV, base, "gone", 0},
        {"sysv, a variable", SYSV, base, "two", 0},
        {"sysv, another name", SYSV, base, "on", 0},
        {"gnu", GNU, base, "one", base + 0x10},
        {"gnu, relative", GNU, 0, "one", base + 0x10},
        {"gnu, elsewhere", GNU, base, "gone", 0},
        {"gnu, a variable", GNU, base, "two", 0},
        {"gnu, another name", GNU, base, "onee", 0},
        {"no table", NONE, base, "one", 0},
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        make_image(rows[i].kind, rows[i].counted_from);
        CHECK_INT(rows[i].row,
                  uns_symbol_find(base, image.dynamic, rows[i].name),
                  rows[i].want);
    }
}

static void test_symbol_takes_empty_tables(void **state)
{
    (void)state;
    make_image(SYSV, 0);
    image.sysv[0] = 0;
    CHECK_INT("sysv", uns_symbol_find((uintptr_t)&image, image.dynamic, "one"),
              0);
    make_image(GNU, 0);
    image.gnu[0] = 0;
    CHECK_INT("gnu", uns_symbol_find((uintptr_t)&image, image.dynamic, "one"),
              0);
    make_image(GNU, 0);
    image.gnu[6] = 0;
    CHECK_INT("bucket",
              uns_symbol_find((uintptr_t)&image, image.dynamic, "one"), 0);
    image.dynamic[0].d_tag = DT_NULL;
    CHECK_INT("nothing",
              uns_symbol_find((uintptr_t)&image, image.dynamic, "one"), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_symbol_agrees_with_the_loader),
        cmocka_unit_test(test_symbol_finds_only_functions_that_are_there),
        cmocka_unit_test(test_symbol_reads_both_kinds_of_tables),
        cmocka_unit_test(test_symbol_takes_empty_tables),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
