/* SPDX-License-Identifier: MIT */
/* A request's body that libcurl would read from a FILE. */
#include "engine/body.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static struct uns_app app;

static void set(CURLoption id, void *value)
{
    struct uns_opt *opt = &app.opt[(unsigned)id % 10000];

    opt->value.p = value;
    opt->order = ++app.order;
}

static void open_body(struct uns_body *body, FILE *file)
{
    memset(&app, 0, sizeof app);
    set(CURLOPT_POST, (void *)1);
    set(CURLOPT_READDATA, file);
    uns_body_init(body, &app);
}

/* Without functions libcurl reads a FILE, and rewinds it, to its beginning. */
static void test_body_file_is_rewound_like_one(void **state)
{
    static char text[] = "abcdef";
    struct uns_body body;
    char out[16];

    (void)state;
    for (int named = 0; named < 2; named++) {
        FILE *file = fmemopen(text, 6, "r");

        open_body(&body, file);
        if (named)
            app.opt[CURLOPT_READFUNCTION % 10000].value.f =
                (void (*)(void))fread;
        assert_true(uns_body_is_file(&body));
        assert_int_equal(uns_body_on_read(out, 1, 4, &body), 4);
        assert_int_equal(uns_body_on_seek(&body, 2, SEEK_SET),
                         CURL_SEEKFUNC_CANTSEEK);
        assert_int_equal(uns_body_on_seek(&body, 0, SEEK_SET),
                         CURL_SEEKFUNC_OK);
        while (uns_body_on_read(out, 1, sizeof out, &body) > 0)
            ;
        assert_int_equal(body.len, 6);
        assert_memory_equal(body.data, "abcdef", 6);
        uns_body_done(&body);
        fclose(file);
    }
}

static void test_body_file_that_is_a_pipe_is_not(void **state)
{
    int ends[2];
    struct uns_body body;
    FILE *file;

    (void)state;
    assert_int_equal(pipe(ends), 0);
    file = fdopen(ends[0], "r");
    open_body(&body, file);
    errno = 7;
    assert_false(uns_body_is_file(&body));
    assert_int_equal(errno, 7);
    fclose(file);
    close(ends[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_body_file_is_rewound_like_one),
        cmocka_unit_test(test_body_file_that_is_a_pipe_is_not),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
