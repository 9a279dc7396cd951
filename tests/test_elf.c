/* SPDX-License-Identifier: MIT */
/* ELF files of both classes and byte orders; files that lie; real ones. */
#include "cli/elf.h"

#include "elf_craft.h"
#include "guard.h"

#include "cli/image.h"

#include <dlfcn.h>
#include <stdlib.h>

static struct uns_elf open_guarded(const void *bytes, size_t size)
{
    struct uns_slice copy = guard_copy(bytes, size);
    struct uns_elf elf;

    (void)!uns_elf_open(&elf, copy.data, copy.len);
    return elf;
}

static const struct {
    const char *name;
    bool wide, big, gnu_hash;
} shapes[] = {
    {"64 bit, little", true, false, true},
    {"64 bit, big", true, true, true},
    {"32 bit, little", false, false, true},
    {"32 bit, big", false, true, true},
    {"64 bit, DT_HASH", true, false, false},
    {"32 bit, DT_HASH", false, true, false},
};

static struct craft make(size_t shape)
{
    struct craft craft = {
        .wide = shapes[shape].wide,
        .big = shapes[shape].big,
        .gnu_hash = shapes[shape].gnu_hash,
        .machine = EM_AARCH64,
        .interpreter = "/lib/ld.so.1",
        .needed = {"libcurl.so.4", "libc.so.6"},
        .runpath = "$ORIGIN/../lib",
        .imported = {"curl_easy_perform", "dlopen"},
        .defined = {"main", "other"},
        .note = "Go",
    };

    craft_build(&craft);
    return craft;
}

static void test_elf_reads_every_class_and_byte_order(void **state)
{
    (void)state;
    for (size_t i = 0; i < ROWS(shapes); i++) {
        const char *row = shapes[i].name;
        struct craft craft = make(i);
        struct uns_elf elf = open_guarded(craft.bytes, craft.size);

        CHECK_INT(row, elf.wide, shapes[i].wide);
        CHECK_INT(row, elf.big, shapes[i].big);
        CHECK_INT(row, elf.machine, EM_AARCH64);
        CHECK_INT(row, elf.type, ET_EXEC);
        CHECK_TEXT(row, uns_elf_interpreter(&elf), "/lib/ld.so.1");
        CHECK_TEXT(row, uns_elf_dynamic(&elf, DT_NEEDED, 0), "libcurl.so.4");
        CHECK_TEXT(row, uns_elf_dynamic(&elf, DT_NEEDED, 1), "libc.so.6");
        CHECK_TEXT(row, uns_elf_dynamic(&elf, DT_NEEDED, 2), NULL);
        CHECK_TEXT(row, uns_elf_dynamic(&elf, DT_RUNPATH, 0), "$ORIGIN/../lib");
        CHECK_TEXT(row, uns_elf_dynamic(&elf, DT_RPATH, 0), NULL);
    }
}

static void test_elf_tells_what_is_imported_and_what_defined(void **state)
{
    static const struct {
        const char *name;
        enum uns_elf_symbol want;
    } rows[] = {
        {"curl_easy_perform", UNS_ELF_IMPORTED},
        {"dlopen", UNS_ELF_IMPORTED},
        {"main", UNS_ELF_DEFINED},
        {"other", UNS_ELF_DEFINED},
        {"curl_easy_performs", UNS_ELF_ABSENT},
        {"curl_easy_perfor", UNS_ELF_ABSENT},
        {"easy_perform", UNS_ELF_ABSENT},
        {"", UNS_ELF_ABSENT},
    };

    (void)state;
    for (size_t i = 0; i < ROWS(shapes); i++) {
        struct craft craft = make(i);
        struct uns_elf elf = open_guarded(craft.bytes, craft.size);

        for (size_t n = 0; n < ROWS(rows); n++)
            CHECK_INT(rows[n].name, uns_elf_symbol(&elf, rows[n].name),
                      rows[n].want);
    }
}

static void test_elf_knows_a_note_by_owner_and_type(void **state)
{
    (void)state;
    for (size_t i = 0; i < ROWS(shapes); i++) {
        const char *row = shapes[i].name;
        struct craft craft = make(i);
        struct uns_elf elf = open_guarded(craft.bytes, craft.size);

        CHECK_INT(row, uns_elf_has_note(&elf, "Go", 4), true);
        CHECK_INT(row, uns_elf_has_note(&elf, "Go", 3), false);
        CHECK_INT(row, uns_elf_has_note(&elf, "GNU", 4), false);
        CHECK_INT(row, uns_elf_has_note(&elf, "G", 4), false);
    }
}

static void test_elf_says_when_there_is_nothing(void **state)
{
    struct craft craft = {.wide = true, .machine = EM_X86_64};
    struct uns_elf elf;

    (void)state;
    craft_build(&craft);
    elf = open_guarded(craft.bytes, craft.size);
    CHECK_TEXT("static", uns_elf_interpreter(&elf), NULL);
    CHECK_TEXT("static", uns_elf_dynamic(&elf, DT_NEEDED, 0), NULL);
    CHECK_INT("static", uns_elf_symbol(&elf, "main"), UNS_ELF_ABSENT);
    CHECK_INT("static", uns_elf_has_note(&elf, "Go", 4), false);
}

static void test_elf_refuses_what_is_none(void **state)
{
    static const struct {
        const char *name;
        const char *bytes;
        size_t size;
    } rows[] = {
        {"nothing", "", 0},
        {"a script", "#!/bin/sh\nexit 0 # and more\n", 28},
        {"magic alone", "\177ELF", 4},
        {"no class", "\177ELF\0\1\1\0\0\0\0\0\0\0\0\0", 16},
        {"third class", "\177ELF\3\1\1\0\0\0\0\0\0\0\0\0", 16},
        {"third order", "\177ELF\2\3\1\0\0\0\0\0\0\0\0\0", 16},
        {"no header", "\177ELF\2\1\1\0\0\0\0\0\0\0\0\0", 16},
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        struct uns_slice copy = guard_copy(rows[i].bytes, rows[i].size);
        struct uns_elf elf;

        CHECK_INT(rows[i].name, uns_elf_open(&elf, copy.data, copy.len),
                  UNS_SYNTAX);
    }
}

/* Everything that can be asked; the answers lie in the file. */
static void ask_all(const struct uns_elf *elf)
{
    const char *texts[] = {
        uns_elf_interpreter(elf), uns_elf_dynamic(elf, DT_NEEDED, 0),
        uns_elf_dynamic(elf, DT_NEEDED, 1), uns_elf_dynamic(elf, DT_RUNPATH, 0),
        uns_elf_dynamic(elf, DT_RPATH, 0)};

    for (size_t i = 0; i < ROWS(texts); i++) {
        if (texts[i] == NULL)
            continue;
        assert_true(texts[i] >= elf->file.data);
        assert_true(texts[i] + strlen(texts[i]) <
                    elf->file.data + elf->file.len);
    }
    (void)uns_elf_symbol(elf, "other");
    (void)uns_elf_symbol(elf, "nothing of that name");
    (void)uns_elf_has_note(elf, "Go", 4);
    (void)uns_elf_has_note(elf, "nobody", 1);
}

static void test_elf_cut_anywhere_is_never_read_beyond(void **state)
{
    (void)state;
    for (size_t i = 0; i < ROWS(shapes); i++) {
        struct craft craft = make(i);

        for (size_t size = 0; size < craft.size; size++) {
            struct uns_slice copy = guard_copy(craft.bytes, size);
            struct uns_elf elf;

            if (uns_elf_open(&elf, copy.data, copy.len) == UNS_OK)
                ask_all(&elf);
        }
    }
}

/* Each field in turn leads to the end, beyond it, far away, or round and
 * round. */
static void test_elf_hostile_numbers_lead_nowhere(void **state)
{
    static const unsigned char values[] = {0x00, 0x01, 0x7f, 0x80, 0xff};

    (void)state;
    for (size_t i = 0; i < ROWS(shapes); i++) {
        struct craft craft = make(i);

        for (size_t at = EI_NIDENT; at < craft.size; at++)
            for (size_t n = 0; n < ROWS(values) * 2; n++) {
                unsigned width =
                    n < ROWS(values) || at + 8 > craft.size ? 1 : 8;
                struct uns_slice copy = guard_copy(craft.bytes, craft.size);
                struct uns_elf elf;

                memset((char *)(uintptr_t)copy.data + at,
                       values[n % ROWS(values)], width);
                if (uns_elf_open(&elf, copy.data, copy.len) == UNS_OK)
                    ask_all(&elf);
            }
    }
}

/* Seeded: the same files every time. */
static void test_elf_noise_behind_the_header_is_survived(void **state)
{
    struct craft craft = make(0);
    unsigned seed = 1;

    (void)state;
    for (int round = 0; round < 20000; round++) {
        struct uns_slice copy = guard_copy(craft.bytes, craft.size);
        char *bytes = (char *)(uintptr_t)copy.data;
        struct uns_elf elf;

        for (int n = 0; n < 8; n++) {
            seed = seed * 1103515245 + 12345;
            bytes[EI_NIDENT + (seed >> 8) % (craft.size - EI_NIDENT)] =
                (char)(seed >> 24);
        }
        if (uns_elf_open(&elf, copy.data, copy.len) == UNS_OK)
            ask_all(&elf);
    }
}

static void test_elf_text_without_an_end_is_none(void **state)
{
    struct craft craft = make(0);
    struct uns_elf elf;

    (void)state;
    craft.size = CRAFT_BYTES;
    memset(craft.bytes + 64 + 4 * 56, 'a', craft.size - (64 + 4 * 56));
    elf = open_guarded(craft.bytes, craft.size);
    CHECK_TEXT("no end", uns_elf_interpreter(&elf), NULL);
    craft.bytes[64 + 4 * 56 + UNS_ELF_TEXT] = 0;
    elf = open_guarded(craft.bytes, craft.size);
    CHECK_TEXT("too far", uns_elf_interpreter(&elf), NULL);
    craft.bytes[64 + 4 * 56 + UNS_ELF_TEXT - 1] = 0;
    elf = open_guarded(craft.bytes, craft.size);
    CHECK_INT("longest", strlen(uns_elf_interpreter(&elf)), UNS_ELF_TEXT - 1);
}

/* The loader's own word for what this process has loaded. */
static void test_elf_agrees_with_the_loader(void **state)
{
    struct uns_image image;
    Dl_info info;
    void (*function)(void) = (void (*)(void))malloc;
    bool needs_cmocka = false;

    (void)state;
    assert_true(dladdr(*(void **)&function, &info) != 0);
    assert_int_equal(uns_image_open(info.dli_fname, &image), UNS_OK);
    CHECK_INT("libc", uns_elf_symbol(&image.elf, "malloc"), UNS_ELF_DEFINED);
    CHECK_INT("libc", uns_elf_symbol(&image.elf, "curl_easy_perform"),
              UNS_ELF_ABSENT);
    uns_image_close(&image);
    assert_int_equal(uns_image_open("/proc/self/exe", &image), UNS_OK);
    CHECK_INT("self", image.elf.wide, sizeof(void *) == 8);
    CHECK_INT("self", uns_elf_symbol(&image.elf, "_cmocka_run_group_tests"),
              UNS_ELF_IMPORTED);
    for (unsigned i = 0; uns_elf_dynamic(&image.elf, DT_NEEDED, i); i++)
        needs_cmocka =
            needs_cmocka || strncmp(uns_elf_dynamic(&image.elf, DT_NEEDED, i),
                                    "libcmocka", 9) == 0;
    CHECK_INT("self", needs_cmocka, true);
    assert_non_null(uns_elf_interpreter(&image.elf));
    CHECK_INT("self", uns_elf_has_note(&image.elf, "GNU", NT_GNU_BUILD_ID),
              true);
    uns_image_close(&image);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_elf_reads_every_class_and_byte_order),
        cmocka_unit_test(test_elf_tells_what_is_imported_and_what_defined),
        cmocka_unit_test(test_elf_knows_a_note_by_owner_and_type),
        cmocka_unit_test(test_elf_says_when_there_is_nothing),
        cmocka_unit_test(test_elf_refuses_what_is_none),
        cmocka_unit_test(test_elf_cut_anywhere_is_never_read_beyond),
        cmocka_unit_test(test_elf_hostile_numbers_lead_nowhere),
        cmocka_unit_test(test_elf_noise_behind_the_header_is_survived),
        cmocka_unit_test(test_elf_text_without_an_end_is_none),
        cmocka_unit_test(test_elf_agrees_with_the_loader),
    };

    return cmocka_run_group_tests_name("elf", tests, NULL, NULL);
}
