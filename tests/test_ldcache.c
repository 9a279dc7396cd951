/* SPDX-License-Identifier: MIT */
/* The loader's cache: entries in order, and files that lie. */
#include "cli/ldcache.h"

#include "guard.h"

#define HEADER 48
#define ENTRY  24
#define MAGIC  "glibc-ld.so.cache1.1"

static const char texts[] = "libcurl.so.4\0/lib/libcurl.so.4\0"
                            "libcurl.so.4\0/opt/libcurl.so.4\0"
                            "libz.so.1\0/lib/libz.so.1";

/* The five places of `texts`. */
enum {
    CURL = 0,
    CURL_PATH = 13,
    OPT_PATH = 44,
    Z = 62,
    Z_PATH = 72
};

struct cache {
    unsigned char bytes[1024];
    size_t size;
};

static void put(struct cache *cache, size_t at, uint32_t value)
{
    memcpy(cache->bytes + at, &value, sizeof value);
}

/* `before` bytes of another format come first. */
static struct cache make(size_t before)
{
    static const uint32_t places[][2] = {
        {CURL, CURL_PATH},
        {CURL, OPT_PATH},
        {Z, Z_PATH},
    };
    struct cache cache = {.size = before + HEADER};

    memcpy(cache.bytes + before, MAGIC, sizeof MAGIC - 1);
    put(&cache, before + 20, ROWS(places));
    put(&cache, before + 24, sizeof texts);
    for (size_t i = 0; i < ROWS(places); i++) {
        size_t text = HEADER + ROWS(places) * ENTRY;

        put(&cache, cache.size, 0x303);
        put(&cache, cache.size + 4, (uint32_t)text + places[i][0]);
        put(&cache, cache.size + 8, (uint32_t)text + places[i][1]);
        cache.size += ENTRY;
    }
    memcpy(cache.bytes + cache.size, texts, sizeof texts);
    cache.size += sizeof texts;
    return cache;
}

static void expect(const char *row, const struct cache *cache,
                   const char *const *want)
{
    struct uns_slice file = guard_copy(cache->bytes, cache->size);
    struct uns_ldcache_entry entry;
    size_t at = 0;

    for (; *want != NULL; want += 2) {
        CHECK_INT(row, uns_ldcache_next(file, &at, &entry), true);
        CHECK_TEXT(row, entry.name, want[0]);
        CHECK_TEXT(row, entry.path, want[1]);
    }
    CHECK_INT(row, uns_ldcache_next(file, &at, &entry), false);
    CHECK_INT(row, uns_ldcache_next(file, &at, &entry), false);
}

static void test_ldcache_gives_every_entry_in_order(void **state)
{
    static const char *const want[] = {"libcurl.so.4",
                                       "/lib/libcurl.so.4",
                                       "libcurl.so.4",
                                       "/opt/libcurl.so.4",
                                       "libz.so.1",
                                       "/lib/libz.so.1",
                                       NULL};
    struct cache cache = make(0);

    (void)state;
    expect("alone", &cache, want);
    cache = make(120);
    expect("behind an older format", &cache, want);
}

static void test_ldcache_passes_over_entries_that_lead_out(void **state)
{
    static const char *const want[] = {"libcurl.so.4", "/opt/libcurl.so.4",
                                       NULL};
    struct cache cache = make(0);

    (void)state;
    put(&cache, HEADER + 8, 0xffffffff);
    put(&cache, HEADER + 2 * ENTRY + 4, (uint32_t)cache.size);
    expect("two of three", &cache, want);
}

static void test_ldcache_is_empty_when_it_is_none(void **state)
{
    static const char *const want[] = {NULL};
    struct cache cache = {.size = 0};

    (void)state;
    expect("empty", &cache, want);
    cache.size = 1000;
    expect("zeros", &cache, want);
    cache = make(0);
    cache.bytes[17] = '9';
    expect("another version", &cache, want);
}

static void test_ldcache_cut_anywhere_is_never_read_beyond(void **state)
{
    struct cache cache = make(8);

    (void)state;
    for (size_t size = 0; size < cache.size; size++) {
        struct uns_slice file = guard_copy(cache.bytes, size);
        struct uns_ldcache_entry entry;

        for (size_t at = 0; uns_ldcache_next(file, &at, &entry);)
            assert_true(strlen(entry.name) + strlen(entry.path) < size);
    }
}

static void test_ldcache_counts_no_further_than_the_file(void **state)
{
    struct cache cache = make(0);
    struct uns_slice file;
    struct uns_ldcache_entry entry;
    size_t at = 0;

    (void)state;
    put(&cache, 20, 0xffffffff);
    file = guard_copy(cache.bytes, cache.size);
    while (uns_ldcache_next(file, &at, &entry))
        assert_true(at <= cache.size / ENTRY);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ldcache_gives_every_entry_in_order),
        cmocka_unit_test(test_ldcache_passes_over_entries_that_lead_out),
        cmocka_unit_test(test_ldcache_is_empty_when_it_is_none),
        cmocka_unit_test(test_ldcache_cut_anywhere_is_never_read_beyond),
        cmocka_unit_test(test_ldcache_counts_no_further_than_the_file),
    };

    return cmocka_run_group_tests_name("ldcache", tests, NULL, NULL);
}
