/* SPDX-License-Identifier: MIT */
/* Reading what a library needs from its file, which may be anything. */
#include "elf_fixture.h"
#include "shim/needs.h"

#include <curl/curl.h>
#include <errno.h>
#include <sys/stat.h>

static bool needs(const struct elf_fixture *elf, size_t size)
{
    char path[32];
    bool found;

    elf_fixture_write(elf, size, path);
    found = uns_needs_libcurl(path);
    unlink(path);
    return found;
}

static void test_needs_knows_libcurl_by_its_names(void **state)
{
    static const struct {
        const char *needed;
        bool want;
    } rows[] = {
        {"libcurl.so.4", true},     {"libcurl-gnutls.so.4", true},
        {"libcurl-nss.so.4", true}, {"libcurl.so", true},
        {"libcurlpp.so.0", false},  {"libcurl", false},
        {"libcur.so.4", false},     {"xlibcurl.so.4", false},
        {"libssl.so.3", false},     {"", false},
    };
    struct elf_fixture elf;

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        elf_fixture_init(&elf, rows[i].needed);
        CHECK_INT(rows[i].needed, needs(&elf, sizeof(elf)), rows[i].want);
    }
}

/* A file that ends early is read as far as it goes; what is not there is not
 * libcurl. */
static void test_needs_takes_a_file_of_any_length(void **state)
{
    struct elf_fixture elf;
    size_t whole = offsetof(struct elf_fixture, strings) + 12 + 8;

    (void)state;
    elf_fixture_init(&elf, "libcurl.so.4");
    for (size_t size = 0; size <= sizeof(elf); size++)
        CHECK_INT("length", needs(&elf, size), size >= whole);
}

static void spoil_magic(struct elf_fixture *elf)
{
    elf->head.e_ident[1] = 'e';
}

static void spoil_class(struct elf_fixture *elf)
{
    elf->head.e_ident[EI_CLASS] ^= 3;
}

static void spoil_count(struct elf_fixture *elf)
{
    elf->head.e_phnum = 0xffff;
}

static void spoil_size(struct elf_fixture *elf)
{
    elf->head.e_phentsize++;
}

static void spoil_table(struct elf_fixture *elf)
{
    elf->head.e_phoff = (ElfW(Off)) - 1;
}

static void drop_dynamic(struct elf_fixture *elf)
{
    elf->segments[1].p_type = PT_NOTE;
}

static void lose_dynamic(struct elf_fixture *elf)
{
    elf->segments[1].p_offset = (ElfW(Off))1 << 62;
}

static void drop_strings(struct elf_fixture *elf)
{
    elf->dynamic[2].d_tag = DT_HASH;
}

static void lose_strings(struct elf_fixture *elf)
{
    elf->dynamic[2].d_un.d_ptr = FIXTURE_ADDRESS - 1;
}

static void lose_name(struct elf_fixture *elf)
{
    elf->dynamic[1].d_un.d_val = (ElfW(Xword)) - 1;
}

static void end_early(struct elf_fixture *elf)
{
    elf->dynamic[0].d_tag = DT_NULL;
}

static void test_needs_survives_nonsense(void **state)
{
    static const struct {
        const char *row;
        void (*spoil)(struct elf_fixture *);
    } rows[] = {
        {"no ELF", spoil_magic},
        {"another word size", spoil_class},
        {"too many segments", spoil_count},
        {"segments of odd size", spoil_size},
        {"segments nowhere", spoil_table},
        {"no dynamic section", drop_dynamic},
        {"dynamic section beyond", lose_dynamic},
        {"no strings", drop_strings},
        {"strings not mapped", lose_strings},
        {"a name beyond", lose_name},
        {"an end before", end_early},
    };
    struct elf_fixture elf;

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        elf_fixture_init(&elf, "libcurl.so.4");
        assert_true(needs(&elf, sizeof(elf)));
        rows[i].spoil(&elf);
        CHECK_INT(rows[i].row, needs(&elf, sizeof(elf)), false);
    }
}

/* Every single byte with every bit turned: no crash, no endless loop. */
static void test_needs_survives_turned_bits(void **state)
{
    struct elf_fixture elf;
    unsigned char *bytes = (unsigned char *)&elf;

    (void)state;
    elf_fixture_init(&elf, "libcurl.so.4");
    for (size_t i = 0; i < offsetof(struct elf_fixture, strings); i++) {
        bytes[i] ^= 0xff;
        (void)needs(&elf, sizeof(elf));
        bytes[i] ^= 0xff;
    }
    assert_true(needs(&elf, sizeof(elf)));
}

static void test_needs_opens_nothing_but_files(void **state)
{
    char fifo[] = "/tmp/uns-fifo-XXXXXX";
    int fd = mkstemp(fifo);

    (void)state;
    close(fd);
    unlink(fifo);
    assert_int_equal(mkfifo(fifo, 0600), 0);
    errno = 1234;
    CHECK_INT("none", uns_needs_libcurl("/nowhere/x.so"), false);
    CHECK_INT("a directory", uns_needs_libcurl("/tmp"), false);
    CHECK_INT("nobody at the other end", uns_needs_libcurl(fifo), false);
    CHECK_INT("a device", uns_needs_libcurl("/dev/zero"), false);
    CHECK_INT("errno", errno, 1234);
    unlink(fifo);
}

static void test_needs_leaves_no_descriptor(void **state)
{
    int before = open("/dev/null", O_RDONLY), after;

    (void)state;
    close(before);
    (void)uns_needs_libcurl("/proc/self/exe");
    after = open("/dev/null", O_RDONLY);
    close(after);
    assert_int_equal(after, before);
}

static void test_needs_reads_a_real_file(void **state)
{
    (void)state;
    assert_non_null(curl_version()); /* so we are linked with it */
    CHECK_INT("ourselves", uns_needs_libcurl("/proc/self/exe"), true);
    CHECK_INT("a shell", uns_needs_libcurl("/bin/sh"), false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_needs_knows_libcurl_by_its_names),
        cmocka_unit_test(test_needs_takes_a_file_of_any_length),
        cmocka_unit_test(test_needs_survives_nonsense),
        cmocka_unit_test(test_needs_survives_turned_bits),
        cmocka_unit_test(test_needs_opens_nothing_but_files),
        cmocka_unit_test(test_needs_leaves_no_descriptor),
        cmocka_unit_test(test_needs_reads_a_real_file),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
