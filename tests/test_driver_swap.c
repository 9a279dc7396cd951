/* SPDX-License-Identifier: MIT */
/* P6: the application's own handle during a call and after it; its callbacks
 * that change, ask and call while it runs. */
#include "bench.h"

#include "check.h"
#include "engine/easy.h"
#include "engine/grip.h"
#include "engine/keep.h"
#include "shim/options.h"

#include <stdio.h>

#define HI DELTA("Hi") STOP DONE

static const struct fake_beat silent[] = {SILENCE};
static const struct fake_beat healthy[] = {
    HEAD(100, OK_HEAD), BODY(300, DELTA("Hi")), BODY(500, STOP),
    BODY(500, DONE),    END(600, CURLE_OK),
};
static const struct fake_beat breaks[] = {END(10, CURLE_RECV_ERROR)};

static void open_with(enum uns_mode mode)
{
    bench_open();
    bench_sources(1);
    bench.policy.mode = mode;
    bench.policy.hedge.after =
        (struct uns_delay){.how = UNS_DELAY_FIXED, .fixed_ns = 3 * UNS_S};
    bench.policy.hedge.failover.status[500] = true;
}

static int no_progress(void *arg, curl_off_t a, curl_off_t b, curl_off_t c,
                       curl_off_t d)
{
    (void)arg;
    return a + b + c + d > 1000000;
}

/* Each option as the application set it, or as libcurl has it by default. */
static void check_own_options(const char *name, const struct fake_opt *before)
{
    char row[80];

    for (unsigned slot = 0; slot < UNS_OPT_SLOTS; slot++) {
        const struct uns_option *option = &uns_options[slot];
        const struct uns_opt *noted = uns_app_opt(bench.app, option->id);
        const struct fake_opt *now = &fake.easy[0].opt[slot];

        if (!option->id || now->count == before[slot].count)
            continue;
        snprintf(row, sizeof row, "%s, option %d", name, (int)option->id);
        if (noted->order)
            assert_ptr_equal(now->value.p, noted->value.p);
        else if (option->id == CURLOPT_WRITEDATA)
            assert_ptr_equal(now->value.p, stdout);
        else if (option->id == CURLOPT_READDATA)
            assert_ptr_equal(now->value.p, stdin);
        else if (option->id == CURLOPT_TCP_KEEPIDLE ||
                 option->id == CURLOPT_TCP_KEEPINTVL)
            CHECK_INT(row, now->value.l, 60);
        else
            CHECK_INT(row, now->value.l, option->id == CURLOPT_NOPROGRESS);
    }
}

static void set_nothing(void)
{
}

static void set_watchers(void)
{
    bench_set(CURLOPT_XFERINFOFUNCTION, no_progress);
    bench_set(CURLOPT_XFERINFODATA, &bench);
    bench_set(CURLOPT_NOPROGRESS, 0L);
    bench_set(CURLOPT_FRESH_CONNECT, 1L);
}

static void set_keepalive(void)
{
    bench_set(CURLOPT_TCP_KEEPALIVE, 0L);
    bench_set(CURLOPT_TCP_KEEPIDLE, 11L);
    bench_set(CURLOPT_TCP_KEEPINTVL, 12L);
}

static void set_idle_alone(void)
{
    bench_set(CURLOPT_TCP_KEEPIDLE, 11L);
}

static void set_quick_exit(void)
{
    bench_set(CURLOPT_QUICK_EXIT, 1L);
}

static void unset_callbacks(void)
{
    bench_set(CURLOPT_HEADERFUNCTION, NULL);
    bench_set(CURLOPT_HEADERDATA, NULL);
}

static void test_driver_gives_every_option_back(void **state)
{
    static const struct row {
        const char *name;
        void (*set)(void);
    } rows[] = {
        {"nothing", set_nothing},       {"watchers", set_watchers},
        {"keepalive", set_keepalive},   {"idle", set_idle_alone},
        {"quick exit", set_quick_exit}, {"no header", unset_callbacks},
    };
    static const struct fake_beat *const firsts[] = {healthy, silent, breaks};
    static struct fake_opt before[UNS_OPT_SLOTS];

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++)
        for (size_t k = 0; k < 2 * ROWS(firsts); k++) {
            bool watched = k >= ROWS(firsts);

            if (watched && firsts[k - ROWS(firsts)] == silent)
                continue;
            open_with(watched ? UNS_MODE_OBSERVE : UNS_MODE_HEDGE);
            bench.policy.stream.tcp_keepalive_ns = 20 * UNS_S;
            rows[i].set();
            memcpy(before, fake.easy[0].opt, sizeof before);
            BENCH_RUN(firsts[k % ROWS(firsts)], healthy);
            check_own_options(rows[i].name, before);
            bench_close(rows[i].name);
        }
}

/* A setting of the source's: keepalive, unless the application has its own. */
static long idle_inside;

static size_t look_inside(enum uns_piece_kind kind, const char *bytes,
                          size_t len)
{
    (void)kind;
    (void)bytes;
    assert_true(bench.app->busy);
    idle_inside = fake_opt(&fake.easy[0], CURLOPT_TCP_KEEPIDLE)->value.l;
    return len;
}

static void test_driver_keeps_connections_alive(void **state)
{
    static const struct row {
        const char *name;
        void (*set)(void);
        long idle;
    } rows[] = {
        {"ours", set_nothing, 21},
        {"theirs", set_keepalive, 11},
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        open_with(UNS_MODE_HEDGE);
        bench.policy.stream.tcp_keepalive_ns = 20 * UNS_S + 1;
        rows[i].set();
        bench.taker = look_inside;
        BENCH_RUN(healthy);
        CHECK_INT(rows[i].name, idle_inside, rows[i].idle);
        bench_close(rows[i].name);
    }
}

/* After a stall on HTTP/2 that connection is not used again; once. */
static size_t look_at_fresh(enum uns_piece_kind kind, const char *bytes,
                            size_t len)
{
    (void)kind;
    (void)bytes;
    idle_inside = fake_opt(&fake.easy[0], CURLOPT_FRESH_CONNECT)->value.l;
    return len;
}

static void test_driver_leaves_a_stalled_http2_connection(void **state)
{
    static const struct row {
        const char *name;
        long version, fresh;
    } rows[] = {
        {"1.1", CURL_HTTP_VERSION_1_1, 0},
        {"2", CURL_HTTP_VERSION_2_0, 1},
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        const struct fake_info info[] = {
            {CURLINFO_HTTP_VERSION, {.l = rows[i].version}},
            {0, {.l = 0}},
        };

        open_with(UNS_MODE_HEDGE);
        bench.taker = look_at_fresh;
        fake.infos[0] = info;
        BENCH_RUN(silent, healthy);
        BENCH_RUN(silent, healthy, healthy);
        CHECK_INT(rows[i].name, idle_inside, rows[i].fresh);
        fake.infos[0] = NULL;
        BENCH_RUN(silent, healthy, healthy, healthy);
        CHECK_INT(rows[i].name, idle_inside, 0);
        bench_close(rows[i].name);
    }
}

static char second_body[4096];

static size_t second_writer(char *bytes, size_t size, size_t count, void *arg)
{
    assert_ptr_equal(arg, second_body);
    strncat(second_body, bytes, size * count);
    return size * count;
}

/* The application changes its write callback from inside it. */
static size_t change_writer(enum uns_piece_kind kind, const char *bytes,
                            size_t len)
{
    if (kind == UNS_PIECE_BODY && !strcmp(bytes, DELTA("Hi"))) {
        bench_set(CURLOPT_WRITEFUNCTION, second_writer);
        bench_set(CURLOPT_WRITEDATA, second_body);
    }
    return len;
}

static void test_driver_follows_a_changed_callback(void **state)
{
    (void)state;
    for (int rival = 0; rival < 2; rival++) {
        static struct fake_opt before[UNS_OPT_SLOTS];

        open_with(UNS_MODE_HEDGE);
        second_body[0] = '\0';
        bench.taker = change_writer;
        memcpy(before, fake.easy[0].opt, sizeof before);
        BENCH_RUN(rival ? silent : healthy, healthy);
        CHECK_TEXT("first", bench.body, DELTA("Hi"));
        CHECK_TEXT("second", second_body, STOP DONE);
        check_own_options("changed", before);
        bench_close("changed");
    }
}

/* Inside a callback nothing can be ended; busy says so. */
static size_t release_inside(enum uns_piece_kind kind, const char *bytes,
                             size_t len)
{
    (void)kind;
    (void)bytes;
    uns_grip_release(bench.app, true);
    assert_true(bench.app->busy);
    assert_non_null(bench.app->call);
    return len;
}

static void test_driver_cannot_be_released_inside(void **state)
{
    (void)state;
    open_with(UNS_MODE_HEDGE);
    bench.taker = release_inside;
    BENCH_RUN(silent, healthy);
    CHECK_INT("code", bench.code, CURLE_OK);
    CHECK_TEXT("body", bench.body, HI);
    bench_close("released");
}

/* P2: without a call the handle is its own. */
static void test_driver_has_nothing_on_a_handle_at_rest(void **state)
{
    (void)state;
    open_with(UNS_MODE_HEDGE);
    CHECK_INT("pause", uns_grip_pause(bench.app, CURLPAUSE_ALL),
              CURLE_BAD_FUNCTION_ARGUMENT);
    CHECK_INT("passed on", fake.pauses, 1);
    uns_grip_release(bench.app, true);
    uns_grip_release(bench.app, false);
    assert_null(bench.app->call);
    bench_close("rest");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_driver_gives_every_option_back),
        cmocka_unit_test(test_driver_keeps_connections_alive),
        cmocka_unit_test(test_driver_leaves_a_stalled_http2_connection),
        cmocka_unit_test(test_driver_follows_a_changed_callback),
        cmocka_unit_test(test_driver_cannot_be_released_inside),
        cmocka_unit_test(test_driver_has_nothing_on_a_handle_at_rest),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
