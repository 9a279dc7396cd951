/* SPDX-License-Identifier: MIT */
/* What is remembered of an application's options. */
#include "check.h"
#include "shim/note.h"

#include <errno.h>
#include <stdlib.h>

/* An option's value as the 64 bits that setopt gets. */
#define BITS(value) ((void *)(intptr_t)(value))

static struct uns_app *new_app(void)
{
    static const struct uns_real none;
    struct uns_app *app = uns_app_new(BITS(0x1000), &none);

    assert_non_null(app);
    return app;
}

static const char *text_of(const struct uns_app *app, CURLoption id)
{
    return uns_app_opt(app, id)->value.p;
}

static void test_note_starts_empty(void **state)
{
    struct uns_app *app = new_app();

    (void)state;
    assert_ptr_equal(app->easy, BITS(0x1000));
    assert_int_equal(uns_app_opt(app, CURLOPT_URL)->order, 0);
    assert_false(app->stranger || app->unknown || app->busy);
    uns_app_free(app);
    uns_app_free(NULL);
}

static void test_note_copies_strings(void **state)
{
    struct uns_app *app = new_app();
    char url[] = "http://a/";

    (void)state;
    uns_note(app, CURLOPT_URL, url);
    url[7] = 'b';
    CHECK_TEXT("copied", text_of(app, CURLOPT_URL), "http://a/");
    uns_note(app, CURLOPT_URL, url);
    CHECK_TEXT("replaced", text_of(app, CURLOPT_URL), "http://b/");
    uns_app_free(app);
}

static void test_note_keeps_pointers_and_callbacks_as_they_are(void **state)
{
    static const CURLoption rows[] = {
        CURLOPT_HTTPHEADER,  CURLOPT_WRITEDATA, CURLOPT_WRITEFUNCTION,
        CURLOPT_ERRORBUFFER, CURLOPT_SHARE,     CURLOPT_POSTFIELDS,
        CURLOPT_PRIVATE};
    struct uns_app *app = new_app();

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        uns_note(app, rows[i], BITS(0x1234560 + i));
        assert_ptr_equal(uns_app_opt(app, rows[i])->value.p,
                         BITS(0x1234560 + i));
    }
    uns_app_free(app);
}

/* Programs pass int where long is asked for; the real setopt reads 64 bits. */
static void test_note_keeps_all_64_bits(void **state)
{
    static const struct {
        const char *row;
        CURLoption id;
        long long bits;
    } rows[] = {
        {"long", CURLOPT_TIMEOUT, 30},
        {"negative", CURLOPT_POSTFIELDSIZE, -1},
        {"int of -1", CURLOPT_LOW_SPEED_LIMIT, 0xffffffff},
        {"off_t", CURLOPT_MAXFILESIZE_LARGE, 0x123456789abcdef0},
        {"garbage high", CURLOPT_VERBOSE, 0x7f0000000001},
    };
    struct uns_app *app = new_app();

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        uns_note(app, rows[i].id, BITS(rows[i].bits));
        CHECK_INT(rows[i].row, uns_app_opt(app, rows[i].id)->value.o,
                  rows[i].bits);
    }
    uns_app_free(app);
}

static void test_note_orders_the_sets(void **state)
{
    struct uns_app *app = new_app();

    (void)state;
    uns_note(app, CURLOPT_POST, BITS(1));
    uns_note(app, CURLOPT_HTTPGET, BITS(1));
    assert_true(uns_app_opt(app, CURLOPT_HTTPGET)->order >
                uns_app_opt(app, CURLOPT_POST)->order);
    uns_note(app, CURLOPT_POST, BITS(1));
    assert_true(uns_app_opt(app, CURLOPT_HTTPGET)->order <
                uns_app_opt(app, CURLOPT_POST)->order);
    uns_app_free(app);
}

static void test_note_keeps_what_was_set_back_to_null(void **state)
{
    struct uns_app *app = new_app();

    (void)state;
    uns_note(app, CURLOPT_USERAGENT, BITS("x"));
    uns_note(app, CURLOPT_USERAGENT, NULL);
    assert_null(text_of(app, CURLOPT_USERAGENT));
    assert_int_equal(uns_app_opt(app, CURLOPT_USERAGENT)->order, 2);
    uns_app_free(app);
}

static void test_note_confesses_an_option_it_does_not_know(void **state)
{
    struct uns_app *app = new_app();

    (void)state;
    uns_note(app, (CURLoption)10399, BITS("what?"));
    assert_true(app->unknown);
    uns_note_clear(app);
    assert_false(app->unknown);
    uns_note(app, (CURLoption)31234, BITS(7)); /* no slot at all */
    assert_true(app->unknown);
    uns_app_free(app);
}

/* After four billion sets on one handle the order is lost, and said to be. */
static void test_note_confesses_when_order_runs_out(void **state)
{
    struct uns_app *app = new_app();

    (void)state;
    app->order = UINT32_MAX - 1;
    uns_note(app, CURLOPT_POST, BITS(1));
    assert_false(app->unknown);
    uns_note(app, CURLOPT_HTTPGET, BITS(1));
    assert_true(app->unknown);
    assert_int_equal(app->order, UINT32_MAX);
    uns_app_free(app);
}

static void test_note_clear_forgets_everything(void **state)
{
    struct uns_app *app = new_app();

    (void)state;
    uns_note(app, CURLOPT_URL, BITS("http://a/"));
    uns_note(app, CURLOPT_COPYPOSTFIELDS, BITS("{}"));
    uns_note_clear(app);
    for (unsigned slot = 0; slot < UNS_OPT_SLOTS; slot++) {
        assert_int_equal(app->opt[slot].order, 0);
        assert_null(app->opt[slot].value.p);
    }
    assert_int_equal(app->order, 0);
    uns_app_free(app);
}

static void test_note_leaves_errno(void **state)
{
    struct uns_app *app = new_app();

    (void)state;
    errno = 1234;
    uns_note(app, CURLOPT_URL, BITS("http://a/"));
    uns_note(app, (CURLoption)10399, BITS("?"));
    assert_int_equal(errno, 1234);
    uns_app_free(app);
}

static void test_note_copies_blobs_by_their_flag(void **state)
{
    struct uns_app *app = new_app();
    char data[] = "key";
    struct curl_blob blob = {data, 3, CURL_BLOB_COPY};
    const struct curl_blob *kept;

    (void)state;
    uns_note(app, CURLOPT_SSLKEY_BLOB, &blob);
    blob.flags = CURL_BLOB_NOCOPY;
    uns_note(app, CURLOPT_SSLCERT_BLOB, &blob);
    data[0] = 'K';
    kept = uns_app_opt(app, CURLOPT_SSLKEY_BLOB)->value.p;
    assert_int_equal(kept->len, 3);
    assert_memory_equal(kept->data, "key", 3);
    kept = uns_app_opt(app, CURLOPT_SSLCERT_BLOB)->value.p;
    assert_ptr_not_equal(kept, &blob);
    assert_ptr_equal(kept->data, data);
    uns_app_free(app);
}

/* The copied body as libcurl has it, whatever comes before and after. */
static void test_note_copies_bodies_as_libcurl_does(void **state)
{
    static const struct {
        const char *row;
        long before; /* POSTFIELDSIZE; -2: not set */
        const char *body;
        long after; /* the same */
        const char *want;
        uint32_t want_size;
    } rows[] = {
        {"no size: its length", -2, "hello", -2, "hello", 5},
        {"-1: its length", -1, "hello", -2, "hello", 5},
        {"size", 3, "hello", -2, "hel", 3},
        {"size with a NUL", 4, "a\0b\0cd", -2, "a\0b\0cd", 4},
        {"size 0", 0, "hello", -2, "", 0},
        {"later no longer", 5, "hello", 5, "hello", 5},
        {"later shorter", 5, "hello", 2, "hello", 5},
        {"later longer: dropped", 3, "hello", 5, NULL, 0},
        {"later, no size: dropped", -2, "hello", 5, NULL, 0},
        {"later -1: kept", -2, "hello", -1, "hello", 5},
        {"NULL", 3, NULL, -2, NULL, 0},
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        struct uns_app *app = new_app();
        const struct uns_opt *opt = uns_app_opt(app, CURLOPT_COPYPOSTFIELDS);

        if (rows[i].before != -2)
            uns_note(app, CURLOPT_POSTFIELDSIZE, BITS(rows[i].before));
        uns_note(app, CURLOPT_COPYPOSTFIELDS, BITS(rows[i].body));
        if (rows[i].after != -2)
            uns_note(app, CURLOPT_POSTFIELDSIZE_LARGE, BITS(rows[i].after));
        CHECK_INT(rows[i].row, opt->value.p != NULL, rows[i].want != NULL);
        CHECK_INT(rows[i].row, opt->size, rows[i].want_size);
        if (rows[i].want)
            CHECK_INT(rows[i].row,
                      memcmp(opt->value.p, rows[i].want, rows[i].want_size), 0);
        uns_app_free(app);
    }
}

/* The size that was set last counts, of whichever type. */
static void test_note_goes_by_the_last_size(void **state)
{
    struct uns_app *app = new_app();

    (void)state;
    uns_note(app, CURLOPT_POSTFIELDSIZE_LARGE, BITS(2));
    uns_note(app, CURLOPT_POSTFIELDSIZE, BITS(4));
    uns_note(app, CURLOPT_COPYPOSTFIELDS, BITS("hello"));
    assert_int_equal(uns_app_opt(app, CURLOPT_COPYPOSTFIELDS)->size, 4);
    uns_note(app, CURLOPT_POSTFIELDSIZE_LARGE, BITS(3));
    uns_note(app, CURLOPT_COPYPOSTFIELDS, BITS("hello"));
    assert_int_equal(uns_app_opt(app, CURLOPT_COPYPOSTFIELDS)->size, 3);
    uns_app_free(app);
}

/* POSTFIELDS after it took its place: a size means that one. */
static void test_note_drops_no_body_that_is_not_in_use(void **state)
{
    struct uns_app *app = new_app();

    (void)state;
    uns_note(app, CURLOPT_COPYPOSTFIELDS, BITS("hello"));
    uns_note(app, CURLOPT_POSTFIELDS, BITS("other"));
    uns_note(app, CURLOPT_POSTFIELDSIZE, BITS(5));
    assert_non_null(text_of(app, CURLOPT_COPYPOSTFIELDS));
    assert_memory_equal(text_of(app, CURLOPT_COPYPOSTFIELDS), "hello", 5);
    uns_app_free(app);
}

static void test_note_keeps_no_huge_body(void **state)
{
    const size_t limit = (size_t)16 << 20;
    char *body = calloc(1, limit + 2);
    struct uns_app *app = new_app();
    const struct uns_opt *opt = uns_app_opt(app, CURLOPT_COPYPOSTFIELDS);

    (void)state;
    assert_non_null(body);
    memset(body, 'x', limit + 1);
    uns_note(app, CURLOPT_COPYPOSTFIELDS, body);
    assert_int_equal(opt->size, UINT32_MAX);
    assert_null(opt->value.p);
    assert_false(app->unknown);
    body[limit] = '\0';
    uns_note(app, CURLOPT_COPYPOSTFIELDS, body);
    assert_int_equal(opt->size, limit);
    assert_memory_equal(opt->value.p, body, limit);
    uns_app_free(app);
    free(body);
}

static void test_note_dup_is_deep(void **state)
{
    struct curl_blob blob = {BITS("key"), 3, CURL_BLOB_COPY};
    struct uns_app *app = new_app();
    struct uns_app *dup;

    (void)state;
    uns_note(app, CURLOPT_URL, BITS("http://a/"));
    uns_note(app, CURLOPT_POSTFIELDSIZE, BITS(3));
    uns_note(app, CURLOPT_COPYPOSTFIELDS, BITS("a\0b"));
    uns_note(app, CURLOPT_SSLKEY_BLOB, &blob);
    uns_note(app, CURLOPT_WRITEDATA, BITS(0x77));
    app->busy = true;
    app->inside = true;
    app->call = BITS(0x99);
    app->inbox = BITS(0x98);
    app->unknown = true;
    dup = uns_app_dup(app, BITS(0x2000));
    app->call = NULL;
    uns_app_free(app);

    assert_ptr_equal(dup->easy, BITS(0x2000));
    assert_false(dup->busy);
    assert_null(dup->call);
    assert_null(dup->inbox);
    assert_false(dup->inside);
    assert_true(dup->unknown);
    CHECK_TEXT("url", text_of(dup, CURLOPT_URL), "http://a/");
    assert_memory_equal(text_of(dup, CURLOPT_COPYPOSTFIELDS), "a\0b", 3);
    assert_int_equal(uns_app_opt(dup, CURLOPT_COPYPOSTFIELDS)->size, 3);
    assert_ptr_equal(uns_app_opt(dup, CURLOPT_WRITEDATA)->value.p, BITS(0x77));
    assert_memory_equal(
        ((const struct curl_blob *)uns_app_opt(dup, CURLOPT_SSLKEY_BLOB)
             ->value.p)
            ->data,
        "key", 3);
    assert_int_equal(uns_app_opt(dup, CURLOPT_WRITEDATA)->order, 5);
    uns_app_free(dup);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_note_starts_empty),
        cmocka_unit_test(test_note_copies_strings),
        cmocka_unit_test(test_note_keeps_pointers_and_callbacks_as_they_are),
        cmocka_unit_test(test_note_keeps_all_64_bits),
        cmocka_unit_test(test_note_orders_the_sets),
        cmocka_unit_test(test_note_keeps_what_was_set_back_to_null),
        cmocka_unit_test(test_note_confesses_an_option_it_does_not_know),
        cmocka_unit_test(test_note_confesses_when_order_runs_out),
        cmocka_unit_test(test_note_clear_forgets_everything),
        cmocka_unit_test(test_note_leaves_errno),
        cmocka_unit_test(test_note_copies_blobs_by_their_flag),
        cmocka_unit_test(test_note_copies_bodies_as_libcurl_does),
        cmocka_unit_test(test_note_goes_by_the_last_size),
        cmocka_unit_test(test_note_drops_no_body_that_is_not_in_use),
        cmocka_unit_test(test_note_keeps_no_huge_body),
        cmocka_unit_test(test_note_dup_is_deep),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
