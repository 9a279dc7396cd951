/* SPDX-License-Identifier: MIT */
/* What dlsym and dlopen are told.  This program is linked with a libcurl, and
 * has the others that are installed opened beside. */
#include "elf_fixture.h"
#include "flavours.h"
#include "shim/hook.h"
#include "shim/real.h"
#include "shim/slot.h"

#include <errno.h>

static struct uns_hook_step look_up(void *handle, const char *name)
{
    return uns_hook_dlsym(handle, name, (void *)(uintptr_t)look_up);
}

static void check_goes_on(const char *row, struct uns_hook_step step,
                          const char *name)
{
    CHECK_INT(row, (uintptr_t)step.go_on, (uintptr_t)dlsym);
    CHECK_INT(row, step.value, (uintptr_t)name);
}

static void test_hook_passes_on_what_is_none_of_its_business(void **state)
{
    void *libcurl = open_flavour(true);

    const struct {
        const char *row;
        void *handle;
        const char *name;
    } rows[] = {
        {"another function", libcurl, "malloc"},
        {"not exported by us", libcurl, "curl_easy_strerror"},
        {"no such function", libcurl, "curl_easy_nothing"},
        {"younger than libcurl", libcurl, "curl_multi_notify_enable"},
        {"anywhere", RTLD_DEFAULT, "curl_easy_init"},
        {"behind us", RTLD_NEXT, "curl_easy_init"},
        {"anywhere, another", RTLD_DEFAULT, "puts"},
        {"no name", libcurl, NULL},
    };

    (void)state;
    if (dlsym(libcurl, "curl_multi_notify_enable"))
        skip();
    for (size_t i = 0; i < ROWS(rows); i++)
        check_goes_on(rows[i].row, look_up(rows[i].handle, rows[i].name),
                      rows[i].name);
    dlclose(libcurl);
}

static void test_hook_gives_a_stub_for_a_handle(void **state)
{
    void *libcurl = open_flavour(true);
    const struct uns_real *real =
        uns_real_at((void *)(uintptr_t)curl_easy_init);
    struct uns_hook_step step;

    (void)state;
    (void)dlerror();
    errno = 1234;
    step = look_up(libcurl, "curl_easy_init");
    assert_null(step.go_on);
    assert_ptr_equal(step.value, uns_slot_stub(real, "curl_easy_init"));
    assert_null(dlerror());
    assert_int_equal(errno, 1234);
    dlclose(libcurl);
}

static void test_hook_keeps_libcurls_apart(void **state)
{
    void *one = open_flavour(true);
    void *other = open_flavour(false);

    (void)state;
    if (!other)
        skip();
    assert_ptr_equal(look_up(other, "curl_easy_init").value,
                     uns_slot_stub(uns_real_at(dlsym(other, "curl_easy_init")),
                                   "curl_easy_init"));
    assert_int_not_equal(look_up(other, "curl_easy_init").value,
                         look_up(one, "curl_easy_init").value);
    dlclose(other);
    dlclose(one);
}

static void check_mode(const char *row, const char *file, int mode, int want)
{
    struct uns_hook_step step = uns_hook_dlopen(file, (uintptr_t)mode);

    CHECK_INT(row, (uintptr_t)step.go_on, (uintptr_t)dlopen);
    CHECK_INT(row, step.value, want);
}

static void test_hook_binds_plugins_of_libcurl_as_others(void **state)
{
    const int deep = RTLD_NOW | RTLD_GLOBAL | RTLD_DEEPBIND;
    struct elf_fixture elf;
    char plugin[32], other[32];

    (void)state;
    elf_fixture_init(&elf, "libcurl.so.4");
    elf_fixture_write(&elf, sizeof(elf), plugin);
    elf_fixture_init(&elf, "libxml2.so.2");
    elf_fixture_write(&elf, sizeof(elf), other);
    errno = 1234;
    check_mode("linked with libcurl", plugin, deep, RTLD_NOW | RTLD_GLOBAL);
    check_mode("not deep", plugin, RTLD_LAZY, RTLD_LAZY);
    check_mode("linked without", other, deep, deep);
    check_mode("a bare name", "libcurl.so.4", deep, deep);
    check_mode("not there", "/nowhere/curl.so", deep, deep);
    check_mode("the program", NULL, deep, deep);
    CHECK_INT("errno", errno, 1234);
    unlink(plugin);
    unlink(other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hook_passes_on_what_is_none_of_its_business),
        cmocka_unit_test(test_hook_gives_a_stub_for_a_handle),
        cmocka_unit_test(test_hook_keeps_libcurls_apart),
        cmocka_unit_test(test_hook_binds_plugins_of_libcurl_as_others),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
