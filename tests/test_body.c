/* SPDX-License-Identifier: MIT */
#include "engine/body.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* An application's handle as the preload would have noted it. */
static struct uns_app app;

static void set(CURLoption id, void *value)
{
    struct uns_opt *opt = &app.opt[(unsigned)id % 10000];

    opt->value.p = value;
    opt->order = ++app.order;
    opt->size = value ? 3 : 0;
}

static void set_size(CURLoption id, curl_off_t size)
{
    set(id, NULL);
    app.opt[(unsigned)id % 10000].value.o = size;
}

#define ON ((void *)1)

static char abc[] = "abcdef";

struct field_case {
    const char *name;
    CURLoption set[2];
    size_t len;
};

/* The application's buffer is as long as its string, libcurl's copy as long
 * as was noted; the one that was set later is sent. */
static const struct field_case fields[] = {
    {"borrowed", {CURLOPT_POSTFIELDS}, 6},
    {"copied", {CURLOPT_COPYPOSTFIELDS}, 3},
    {"copied, borrowed", {CURLOPT_COPYPOSTFIELDS, CURLOPT_POSTFIELDS}, 6},
    {"borrowed, copied", {CURLOPT_POSTFIELDS, CURLOPT_COPYPOSTFIELDS}, 3},
};

static void test_body_is_what_was_set_last(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        struct uns_body body;

        memset(&app, 0, sizeof app);
        for (size_t s = 0; s < 2 && fields[i].set[s]; s++)
            set(fields[i].set[s], abc);
        uns_body_init(&body, &app);
        if (!body.post || !body.complete || body.lost || body.reads ||
            body.len != fields[i].len)
            fail_msg("%s: post %d complete %d lost %d reads %d len %zu",
                     fields[i].name, body.post, body.complete, body.lost,
                     body.reads, body.len);
    }
}

static void test_body_without_fields_is_read(void **state)
{
    struct uns_body body;

    (void)state;
    memset(&app, 0, sizeof app);
    set(CURLOPT_POST, ON);
    set(CURLOPT_POSTFIELDS, NULL);
    uns_body_init(&body, &app);
    assert_true(body.post && body.reads);
    assert_false(body.complete || body.lost);
}

static void test_body_of_another_method_is_lost(void **state)
{
    struct uns_body body;

    (void)state;
    memset(&app, 0, sizeof app);
    set(CURLOPT_UPLOAD, ON);
    uns_body_init(&body, &app);
    assert_false(body.post || body.reads);
    assert_true(body.lost);
}

static void test_body_has_the_announced_size(void **state)
{
    struct uns_body body;

    (void)state;
    memset(&app, 0, sizeof app);
    set(CURLOPT_POSTFIELDS, abc);
    set_size(CURLOPT_POSTFIELDSIZE_LARGE, 4);
    uns_body_init(&body, &app);
    assert_int_equal(body.len, 4);
    assert_ptr_equal(body.data, abc);
    memset(&app, 0, sizeof app);
    set(CURLOPT_COPYPOSTFIELDS, abc);
    set_size(CURLOPT_POSTFIELDSIZE_LARGE, 2);
    uns_body_init(&body, &app);
    assert_int_equal(body.len, 2);
}

static void test_body_too_big_to_note_is_lost(void **state)
{
    struct uns_body body;

    (void)state;
    memset(&app, 0, sizeof app);
    set(CURLOPT_COPYPOSTFIELDS, NULL);
    app.opt[CURLOPT_COPYPOSTFIELDS % 10000].size = UINT32_MAX;
    uns_body_init(&body, &app);
    assert_true(body.post);
    assert_true(body.lost);
    assert_false(body.reads);
}

/* The application's reader: hands out a text in pieces of three bytes. */
struct text {
    const char *data;
    size_t at;
    size_t special; /* returned instead, once */
};

static size_t read_text(char *out, size_t size, size_t count, void *arg)
{
    struct text *text = arg;
    size_t left = strlen(text->data + text->at);
    size_t len = left < 3 ? left : 3;
    size_t special = text->special;

    (void)size;
    (void)count;
    text->special = 0;
    if (special)
        return special;
    memcpy(out, text->data + text->at, len);
    text->at += len;
    return len;
}

static int seek_text(void *arg, curl_off_t offset, int origin)
{
    struct text *text = arg;

    (void)origin;
    text->at = (size_t)offset;
    return CURL_SEEKFUNC_OK;
}

static void read_from(struct uns_body *body, struct text *text, curl_off_t size)
{
    memset(&app, 0, sizeof app);
    set(CURLOPT_POST, ON);
    set(CURLOPT_READFUNCTION, NULL);
    app.opt[CURLOPT_READFUNCTION % 10000].value.f = (void (*)(void))read_text;
    set(CURLOPT_READDATA, text);
    set(CURLOPT_SEEKFUNCTION, NULL);
    app.opt[CURLOPT_SEEKFUNCTION % 10000].value.f = (void (*)(void))seek_text;
    set(CURLOPT_SEEKDATA, text);
    if (size >= 0)
        set_size(CURLOPT_POSTFIELDSIZE_LARGE, size);
    uns_body_init(body, &app);
}

static void test_body_records_what_is_read(void **state)
{
    struct text text = {"{\"model\":1}", 0, 0};
    struct uns_body body;
    char out[16];

    (void)state;
    read_from(&body, &text, -1);
    while (uns_body_on_read(out, 1, sizeof out, &body) > 0)
        assert_false(body.complete);
    assert_true(body.complete);
    assert_int_equal(body.len, 11);
    assert_memory_equal(body.data, text.data, 11);
    uns_body_done(&body);
}

static void test_body_is_complete_at_the_announced_size(void **state)
{
    struct text text = {"abcdef", 0, 0};
    struct uns_body body;
    char out[16];

    (void)state;
    read_from(&body, &text, 6);
    (void)uns_body_on_read(out, 1, sizeof out, &body);
    assert_false(body.complete);
    (void)uns_body_on_read(out, 1, sizeof out, &body);
    assert_true(body.complete);
    uns_body_done(&body);
}

static void test_body_passes_pause_and_abort_on(void **state)
{
    static const size_t specials[] = {CURL_READFUNC_PAUSE, CURL_READFUNC_ABORT};
    struct uns_body body;
    char out[16];

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        struct text text = {"abc", 0, specials[i]};

        read_from(&body, &text, -1);
        assert_int_equal(uns_body_on_read(out, 1, sizeof out, &body),
                         specials[i]);
        assert_int_equal(body.len, 0);
        assert_false(body.complete);
        uns_body_done(&body);
    }
}

static void test_body_is_recorded_anew_after_a_rewind(void **state)
{
    struct text text = {"abcdef", 0, 0};
    struct uns_body body;
    char out[16];

    (void)state;
    read_from(&body, &text, -1);
    (void)uns_body_on_read(out, 1, sizeof out, &body);
    assert_int_equal(uns_body_on_seek(&body, 0, SEEK_SET), CURL_SEEKFUNC_OK);
    while (uns_body_on_read(out, 1, sizeof out, &body) > 0)
        ;
    assert_int_equal(body.len, 6);
    assert_memory_equal(body.data, "abcdef", 6);
    uns_body_done(&body);
}

static int cannot_seek(void *arg, curl_off_t offset, int origin)
{
    (void)arg;
    (void)offset;
    (void)origin;
    return CURL_SEEKFUNC_CANTSEEK;
}

/* What was read stays what was sent, unless nobody knows where it goes on. */
static void test_body_is_lost_with_its_place(void **state)
{
    static const struct row {
        const char *name;
        int (*seek)(void *arg, curl_off_t offset, int origin);
        curl_off_t offset;
        int origin, result;
        bool lost;
        size_t len;
    } rows[] = {
        {"no function", NULL, 0, SEEK_SET, CURL_SEEKFUNC_CANTSEEK, false, 3},
        {"refused", cannot_seek, 0, SEEK_SET, CURL_SEEKFUNC_CANTSEEK, false, 3},
        {"from the end", seek_text, 0, SEEK_END, CURL_SEEKFUNC_OK, true, 0},
        {"before", seek_text, -1, SEEK_SET, CURL_SEEKFUNC_OK, true, 0},
        {"beyond", seek_text, 4, SEEK_SET, CURL_SEEKFUNC_OK, true, 0},
        {"back", seek_text, 2, SEEK_SET, CURL_SEEKFUNC_OK, false, 2},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct row *row = &rows[i];
        struct text text = {"abcdef", 0, 0};
        struct uns_body body;
        char out[16];

        read_from(&body, &text, -1);
        app.opt[CURLOPT_SEEKFUNCTION % 10000].value.f =
            (void (*)(void))row->seek;
        (void)uns_body_on_read(out, 1, sizeof out, &body);
        if (uns_body_on_seek(&body, row->offset, row->origin) != row->result ||
            body.lost != row->lost || (!row->lost && body.len != row->len))
            fail_msg("%s: lost %d len %zu", row->name, body.lost, body.len);
        uns_body_done(&body);
    }
}

static curlioerr restart_text(CURL *easy, int command, void *arg)
{
    struct text *text = arg;

    (void)easy;
    if (command != CURLIOCMD_RESTARTREAD)
        return CURLIOE_UNKNOWNCMD;
    text->at = 0;
    return CURLIOE_OK;
}

/* The older way of it. */
static void test_body_is_recorded_anew_after_a_restart(void **state)
{
    struct text text = {"abcdef", 0, 0};
    struct uns_body body;
    char out[16];

    (void)state;
    read_from(&body, &text, -1);
    set(CURLOPT_IOCTLFUNCTION, NULL);
    app.opt[CURLOPT_IOCTLFUNCTION % 10000].value.f =
        (void (*)(void))restart_text;
    set(CURLOPT_IOCTLDATA, &text);
    (void)uns_body_on_read(out, 1, sizeof out, &body);
    assert_int_equal(uns_body_on_ioctl(NULL, CURLIOCMD_NOP, &body),
                     CURLIOE_UNKNOWNCMD);
    assert_int_equal(body.len, 3);
    assert_int_equal(uns_body_on_ioctl(NULL, CURLIOCMD_RESTARTREAD, &body),
                     CURLIOE_OK);
    while (uns_body_on_read(out, 1, sizeof out, &body) > 0)
        ;
    assert_int_equal(body.len, 6);
    assert_memory_equal(body.data, "abcdef", 6);
    uns_body_done(&body);
}

/* libcurl needs it again, and we have given up on it before. */
static void test_body_that_is_lost_is_sent_all_the_same(void **state)
{
    struct text text = {"abcdef", 0, 0};
    struct uns_body body;
    char out[16];

    (void)state;
    read_from(&body, &text, 2);
    (void)uns_body_on_read(out, 1, sizeof out, &body);
    assert_true(body.lost);
    assert_int_equal(uns_body_on_seek(&body, 0, SEEK_SET), CURL_SEEKFUNC_OK);
    assert_int_equal(uns_body_on_read(out, 1, sizeof out, &body), 3);
    assert_memory_equal(out, "abc", 3);
    assert_true(body.lost);
    uns_body_done(&body);
    uns_body_done(NULL);
}

static void test_body_read_behind_our_back_is_lost(void **state)
{
    struct text text = {"abcdefghi", 0, 0};
    struct uns_body body;
    char out[16];

    (void)state;
    read_from(&body, &text, 6);
    for (int i = 0; i < 3; i++)
        (void)uns_body_on_read(out, 1, sizeof out, &body);
    assert_true(body.lost);
    assert_null(body.data);
    uns_body_done(&body);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_body_is_what_was_set_last),
        cmocka_unit_test(test_body_without_fields_is_read),
        cmocka_unit_test(test_body_of_another_method_is_lost),
        cmocka_unit_test(test_body_has_the_announced_size),
        cmocka_unit_test(test_body_too_big_to_note_is_lost),
        cmocka_unit_test(test_body_records_what_is_read),
        cmocka_unit_test(test_body_is_complete_at_the_announced_size),
        cmocka_unit_test(test_body_passes_pause_and_abort_on),
        cmocka_unit_test(test_body_is_recorded_anew_after_a_rewind),
        cmocka_unit_test(test_body_is_recorded_anew_after_a_restart),
        cmocka_unit_test(test_body_is_lost_with_its_place),
        cmocka_unit_test(test_body_that_is_lost_is_sent_all_the_same),
        cmocka_unit_test(test_body_read_behind_our_back_is_lost),
    };

    return cmocka_run_group_tests_name("body", tests, NULL, NULL);
}
