/* SPDX-License-Identifier: MIT */
/* The application's callbacks come back as it had set them. */
#include "check.h"
#include "shim/note.h"

#include <stdio.h>

#define BITS(value) ((void *)(intptr_t)(value))

enum {
    LIMIT = 32
};

/* What the fake libcurl below was told, in order. */
static struct {
    CURLoption id;
    void *value;
} told[LIMIT];

static unsigned told_count;

static CURLcode record(CURL *handle, CURLoption option, ...)
{
    va_list ap;

    assert_ptr_equal(handle, BITS(0x3000));
    assert_true(told_count < LIMIT);
    va_start(ap, option);
    told[told_count].id = option;
    told[told_count++].value = va_arg(ap, void *);
    va_end(ap);
    return CURLE_OK;
}

static const struct uns_real fake = {.curl_easy_setopt = record};

static int place_of(CURLoption id)
{
    for (unsigned i = 0; i < told_count; i++)
        if (told[i].id == id)
            return (int)i;
    return -1;
}

static void *value_of(CURLoption id)
{
    int place = place_of(id);

    assert_true(place >= 0);
    return told[place].value;
}

static int reset_told(void **state)
{
    (void)state;
    told_count = 0;
    return 0;
}

static void test_restore_gives_defaults_to_a_bare_handle(void **state)
{
    struct uns_app *app = uns_app_new(BITS(0x1000), &fake);

    (void)state;
    uns_note_restore(app, BITS(0x3000));
    assert_int_equal(told_count, 10);
    assert_ptr_equal(value_of(CURLOPT_WRITEDATA), stdout);
    assert_ptr_equal(value_of(CURLOPT_READDATA), stdin);
    assert_null(value_of(CURLOPT_WRITEFUNCTION));
    assert_null(value_of(CURLOPT_HEADERDATA));
    uns_app_free(app);
}

static void test_restore_gives_each_option_once(void **state)
{
    struct uns_app *app = uns_app_new(BITS(0x1000), &fake);

    (void)state;
    uns_note(app, CURLOPT_WRITEDATA, BITS(0x10));
    uns_note(app, CURLOPT_WRITEFUNCTION, BITS(0x20));
    uns_note(app, CURLOPT_URL, BITS("http://not/its/business"));
    uns_note_restore(app, BITS(0x3000));
    assert_int_equal(told_count, 10);
    assert_ptr_equal(value_of(CURLOPT_WRITEDATA), BITS(0x10));
    assert_ptr_equal(value_of(CURLOPT_WRITEFUNCTION), BITS(0x20));
    assert_int_equal(place_of(CURLOPT_URL), -1);
    uns_app_free(app);
}

/* Where they were lent, in the application's own order: what libcurl makes of
 * its meter hangs on the later one.  Else they are not touched. */
static void test_restore_gives_progress_back_as_it_was_set(void **state)
{
    static const struct {
        const char *name;
        CURLoption first, second; /* 0: not set */
        int newer, older;         /* places of the two; -1: not set */
    } rows[] = {
        {"neither", 0, 0, 0, -1},
        {"the newer", CURLOPT_XFERINFOFUNCTION, 0, 0, -1},
        {"the older", CURLOPT_PROGRESSFUNCTION, 0, 0, 1},
        {"older, newer", CURLOPT_PROGRESSFUNCTION, CURLOPT_XFERINFOFUNCTION, 1,
         0},
        {"newer, older", CURLOPT_XFERINFOFUNCTION, CURLOPT_PROGRESSFUNCTION, 0,
         1},
    };

    (void)state;
    for (size_t lent = 0; lent < 2; lent++)
        for (size_t i = 0; i < ROWS(rows); i++) {
            struct uns_app *app = uns_app_new(BITS(0x1000), &fake);
            bool set = rows[i].first;

            told_count = 0;
            app->lent = lent ? UNS_LENT_PROGRESS : 0;
            if (set)
                uns_note(app, rows[i].first, BITS(rows[i].first));
            if (rows[i].second)
                uns_note(app, rows[i].second, BITS(rows[i].second));
            if (set)
                uns_note(app, CURLOPT_NOPROGRESS, BITS(0));
            uns_note_restore(app, BITS(0x3000));
            CHECK_INT(rows[i].name, place_of(CURLOPT_XFERINFOFUNCTION),
                      lent ? rows[i].newer : -1);
            CHECK_INT(rows[i].name, place_of(CURLOPT_PROGRESSFUNCTION),
                      lent ? rows[i].older : -1);
            if (lent)
                assert_ptr_equal(value_of(CURLOPT_NOPROGRESS), BITS(!set));
            if (lent && rows[i].first == CURLOPT_PROGRESSFUNCTION)
                assert_ptr_equal(value_of(CURLOPT_PROGRESSFUNCTION),
                                 BITS(CURLOPT_PROGRESSFUNCTION));
            uns_app_free(app);
        }
}

/* What was lent for the time of a call, in the order that libcurl needs: it
 * copies as many bytes as the size says at that moment. */
static void test_restore_gives_a_lent_request_back(void **state)
{
    static const struct {
        const char *name;
        bool copied;
        long early, late; /* POSTFIELDSIZE before and after; 0: not set */
        int64_t kept, size;
    } rows[] = {
        {"a string", false, 0, 0, 0, -1},
        {"with its size", false, 5, 0, 0, 5},
        {"sized later", false, 0, 5, 0, 5},
        {"a copy of a string", true, 0, 0, -1, -1},
        {"a copy with its size", true, 5, 0, 5, 5},
        {"a copy cut later", true, 5, 3, 5, 3},
    };

    static char body[] = "tides";

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        struct uns_app *app = uns_app_new(BITS(0x1000), &fake);
        CURLoption id =
            rows[i].copied ? CURLOPT_COPYPOSTFIELDS : CURLOPT_POSTFIELDS;
        const char *back;
        int at;

        told_count = 0;
        uns_note(app, CURLOPT_URL, BITS("http://a/"));
        if (rows[i].early)
            uns_note(app, CURLOPT_POSTFIELDSIZE, BITS(rows[i].early));
        uns_note(app, id, body);
        if (rows[i].late)
            uns_note(app, CURLOPT_POSTFIELDSIZE, BITS(rows[i].late));
        app->lent = UNS_LENT_BODY | UNS_LENT_URL;
        uns_note_restore(app, BITS(0x3000));
        at = place_of(id);
        CHECK_INT(rows[i].name, at >= 0, true);
        back = told[at].value;
        CHECK_INT(rows[i].name, rows[i].copied || back == body, true);
        CHECK_INT(rows[i].name, memcmp(back, body, sizeof body), 0);
        if (rows[i].copied)
            CHECK_INT(rows[i].name, (intptr_t)told[at - 1].value, rows[i].kept);
        CHECK_INT(rows[i].name, told[at + 1].id, CURLOPT_POSTFIELDSIZE_LARGE);
        CHECK_INT(rows[i].name, (intptr_t)told[at + 1].value, rows[i].size);
        CHECK_TEXT(rows[i].name, value_of(CURLOPT_URL), "http://a/");
        uns_app_free(app);
    }
}

static void test_restore_leaves_what_was_not_lent(void **state)
{
    struct uns_app *app = uns_app_new(BITS(0x1000), &fake);

    (void)state;
    uns_note(app, CURLOPT_COPYPOSTFIELDS, BITS("tides"));
    uns_note(app, CURLOPT_URL, BITS("http://a/"));
    app->lent = UNS_LENT_BODY;
    uns_note_restore(app, BITS(0x3000));
    assert_int_equal(place_of(CURLOPT_URL), -1);
    told_count = 0;
    app->lent = UNS_LENT_URL;
    uns_note_restore(app, BITS(0x3000));
    assert_int_equal(place_of(CURLOPT_COPYPOSTFIELDS), -1);
    assert_int_equal(place_of(CURLOPT_POSTFIELDSIZE_LARGE), -1);
    uns_app_free(app);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_restore_gives_defaults_to_a_bare_handle,
                               reset_told),
        cmocka_unit_test_setup(test_restore_gives_each_option_once, reset_told),
        cmocka_unit_test_setup(test_restore_gives_progress_back_as_it_was_set,
                               reset_told),
        cmocka_unit_test_setup(test_restore_gives_a_lent_request_back,
                               reset_told),
        cmocka_unit_test_setup(test_restore_leaves_what_was_not_lent,
                               reset_told),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
