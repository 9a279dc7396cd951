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
    assert_ptr_equal(value_of(CURLOPT_NOPROGRESS), BITS(1));
    assert_null(value_of(CURLOPT_XFERINFOFUNCTION));
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

/* libcurl's progress callbacks undo each other, the later one holds: they are
 * not touched where the application has ever set one. */
static void test_restore_leaves_progress_callbacks_alone(void **state)
{
    struct uns_app *app = uns_app_new(BITS(0x1000), &fake);

    (void)state;
    uns_note(app, CURLOPT_XFERINFOFUNCTION, BITS(2));
    uns_note(app, CURLOPT_PROGRESSFUNCTION, NULL);
    uns_note(app, CURLOPT_NOPROGRESS, BITS(0));
    uns_note_restore(app, BITS(0x3000));
    assert_int_equal(place_of(CURLOPT_XFERINFOFUNCTION), -1);
    assert_int_equal(place_of(CURLOPT_PROGRESSFUNCTION), -1);
    assert_int_equal(place_of(CURLOPT_NOPROGRESS), -1);
    uns_app_free(app);
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
        cmocka_unit_test_setup(test_restore_leaves_progress_callbacks_alone,
                               reset_told),
        cmocka_unit_test_setup(test_restore_gives_a_lent_request_back,
                               reset_told),
        cmocka_unit_test_setup(test_restore_leaves_what_was_not_lent,
                               reset_told),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
