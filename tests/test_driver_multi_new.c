/* SPDX-License-Identifier: MIT */
/* Functions of a multi that Debian 12's libcurl does not have yet: the
 * descriptors to wait for (8.8), notifications (8.17). */
#include "multi_bench.h"

#include "engine/notices.h"

static const struct fake_beat *const hedged[] = {silent, healthy};

/* A call that has a rival by now. */
static struct fake_easy *open_hedged(void)
{
    open_multi(3 * UNS_S);
    play(hedged, ROWS(hedged));
    add_call(bench.app);
    for (int i = 0; i < 10 && fake.requests < 2; i++)
        turn();
    assert_int_equal(fake.requests, 2);
    return fake.request[1];
}

/* --- descriptors ----------------------------------------------------------*/

/* P6: ours is one of those to wait for; with too little room the application
 * hears how much it takes. */
static void test_multi_has_a_descriptor_to_wait_for(void **state)
{
    static const struct row {
        const char *name;
        bool list;
        unsigned size;
        CURLMcode code;
    } rows[] = {
        {"how many", false, 0, CURLM_OK},
        {"no room", true, 0, CURLM_OUT_OF_MEMORY},
        {"too little", true, 1, CURLM_OUT_OF_MEMORY},
        {"enough", true, 2, CURLM_OK},
        {"more", true, 4, CURLM_OK},
    };

    (void)state;
    (void)open_hedged();
    for (size_t i = 0; i < ROWS(rows); i++) {
        struct curl_waitfd fds[4] = {{.fd = -1}, {.fd = -1}, {.fd = -1}};
        unsigned count = 0;

        CHECK_INT(rows[i].name,
                  engine->waitfds(&multi, rows[i].list ? fds : NULL,
                                  rows[i].size, &count),
                  rows[i].code);
        CHECK_INT(rows[i].name, count, rows[i].size ? 2 : count);
        if (rows[i].code != CURLM_OK || !rows[i].list)
            continue;
        CHECK_INT(rows[i].name, fds[0].fd, FAKE_FD);
        CHECK_INT(rows[i].name, fds[1].fd >= 0 && fds[1].fd != FAKE_FD, true);
        CHECK_INT(rows[i].name, fds[1].events, CURL_WAIT_POLLIN);
        CHECK_INT(rows[i].name, fds[2].fd, -1);
    }
    close_multi("descriptors");
}

/* --- notifications --------------------------------------------------------*/

static struct {
    unsigned read, done;
    CURL *who;   /* of the last that was done */
    bool inside; /* what is told now comes out of libcurl's work */
} told;

static void on_notice(CURLM *handle, unsigned notice, CURL *easy, void *arg)
{
    assert_ptr_equal(handle, multi.multi);
    assert_ptr_equal(arg, &told);
    assert_false(told.inside);
    if (notice == UNS_NOTICE_INFO_READ) {
        told.read++;
        return;
    }
    told.done++;
    told.who = easy;
}

static void set_notices(void)
{
    memset(&told, 0, sizeof told);
    multi_set(UNS_MOPT_NOTIFYFUNCTION, (void *)(intptr_t)on_notice);
    multi_set(UNS_MOPT_NOTIFYDATA, &told);
    multi.notify = 1u << UNS_NOTICE_INFO_READ | 1u << UNS_NOTICE_EASY_DONE;
}

static void hear(CURL *easy)
{
    told.inside = true;
    fake_tell_notice(UNS_NOTICE_EASY_DONE, easy);
    told.inside = false;
}

/* P1, P6: the application hears of its own call's end, once, when there is a
 * message to read; a rival's is none of its business. */
static void test_multi_tells_of_the_end_of_a_call(void **state)
{
    struct fake_easy *rival;

    (void)state;
    rival = open_hedged();
    set_notices();
    hear(rival);
    turn();
    CHECK_INT("the rival's", told.done, 0);
    loop_of_poll();
    CHECK_INT("done", told.done, 1);
    assert_ptr_equal(told.who, bench.app->easy);
    CHECK_INT("read", told.read, 1);
    close_multi("end");
}

/* Another transfer in the same multi: at the turn's end, unless it has left. */
static void test_multi_tells_of_others_at_the_turns_end(void **state)
{
    CURL *other;

    (void)state;
    (void)open_hedged();
    set_notices();
    other = fake_real.curl_easy_init();
    fake_real.curl_multi_add_handle(multi.multi, other);
    hear(other);
    CHECK_INT("not yet", told.done, 0);
    turn();
    CHECK_INT("now", told.done, 1);
    assert_ptr_equal(told.who, other);
    hear(other);
    engine->remove(&multi, NULL, other);
    turn();
    CHECK_INT("gone", told.done, 1);
    fake_real.curl_easy_cleanup(other);
    close_multi("others");
}

/* What was not asked for is not told. */
static void test_multi_tells_what_is_enabled(void **state)
{
    (void)state;
    (void)open_hedged();
    set_notices();
    multi.notify = 1u << UNS_NOTICE_INFO_READ;
    loop_of_poll();
    CHECK_INT("done", told.done, 0);
    CHECK_INT("read", told.read, 1);
    close_multi("enabled");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_multi_has_a_descriptor_to_wait_for),
        cmocka_unit_test(test_multi_tells_of_the_end_of_a_call),
        cmocka_unit_test(test_multi_tells_of_others_at_the_turns_end),
        cmocka_unit_test(test_multi_tells_what_is_enabled),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
