/* SPDX-License-Identifier: MIT */
/* Calls under the application's own limits on connections. */
#include "engine/grip.h"
#include "multi_bench.h"

static const struct fake_info connected[] = {
    {CURLINFO_NAMELOOKUP_TIME_T, {.o = 5}},
    {0},
};
static const struct fake_info reused[] = {
    {CURLINFO_PRETRANSFER_TIME_T, {.o = 5}},
    {0},
};
static const struct fake_beat *const plays[] = {silent, healthy};

static const struct limit {
    const char *name;
    CURLMoption id;
    long value;
    bool waits;
} limits[] = {
    {"none", 0, 0, false},
    {"taken back", CURLMOPT_MAX_TOTAL_CONNECTIONS, 0, false},
    {"in all", CURLMOPT_MAX_TOTAL_CONNECTIONS, 1, true},
    {"a host", CURLMOPT_MAX_HOST_CONNECTIONS, 2, true},
    {"another option", CURLMOPT_MAXCONNECTS, 1, false},
};

static void open_limited(const struct limit *limit)
{
    open_multi(2 * UNS_S);
    play(plays, 2);
    if (limit->id)
        multi_set(limit->id, (void *)(intptr_t)limit->value);
    add_call(bench.app);
}

static void perform_for_ms(int ms)
{
    for (int past = 0; past < ms; past += 100) {
        engine->perform(&multi, &seen.running);
        read_messages();
        fake_pass_ms(100);
    }
    engine->perform(&multi, &seen.running);
}

/* P5: no second request for one that was not sent yet. */
static void test_limit_a_call_that_waits_is_not_silent(void **state)
{
    (void)state;
    for (size_t i = 0; i < ROWS(limits); i++) {
        open_limited(&limits[i]);
        perform_for_ms(2500);
        CHECK_INT(limits[i].name, fake.requests, limits[i].waits ? 1 : 2);
        CHECK_INT(limits[i].name, seen.running, 1);
        close_multi(limits[i].name);
    }
}

/* R2: the delay counts from when it has a connection. */
static void test_limit_clocks_begin_with_the_connection(void **state)
{
    static const struct row {
        const char *name;
        const struct fake_info *info;
    } rows[] = {
        {"a new one", connected},
        {"one that there was", reused},
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        open_limited(&limits[2]);
        perform_for_ms(5000);
        fake.infos[0] = rows[i].info;
        perform_for_ms(1900);
        CHECK_INT(rows[i].name, fake.requests, 1);
        perform_for_ms(300);
        CHECK_INT(rows[i].name, fake.requests, 2);
        CHECK_INT(rows[i].name,
                  fake.request[1]->start_ns - fake.request[0]->start_ns,
                  7000 * UNS_MS);
        fake.infos[0] = NULL;
        close_multi(rows[i].name);
    }
}

static int on_socket(CURL *easy, curl_socket_t fd, int what, void *arg,
                     void *assigned)
{
    (void)easy, (void)fd, (void)what, (void)arg, (void)assigned;
    return 0;
}

/* In a loop of sockets nobody asks: the socket tells. */
static void test_limit_a_socket_is_a_connection(void **state)
{
    (void)state;
    open_limited(&limits[2]);
    multi_set(CURLMOPT_SOCKETFUNCTION, (void *)(intptr_t)on_socket);
    perform_for_ms(3000);
    fake_tell_socket(bench.app->easy, 5, CURL_POLL_OUT);
    perform_for_ms(1900);
    CHECK_INT("too early", fake.requests, 1);
    perform_for_ms(200);
    CHECK_INT("requests", fake.requests, 2);
    close_multi("socket");
}

/* A pause of the application's in the meantime is another matter. */
static void test_limit_a_pause_ends_no_waiting(void **state)
{
    (void)state;
    open_limited(&limits[2]);
    perform_for_ms(500);
    uns_grip_pause(bench.app, CURLPAUSE_RECV);
    perform_for_ms(500);
    uns_grip_pause(bench.app, CURLPAUSE_CONT);
    perform_for_ms(3000);
    CHECK_INT("waits", fake.requests, 1);
    fake.infos[0] = connected;
    perform_for_ms(2200);
    CHECK_INT("requests", fake.requests, 2);
    fake.infos[0] = NULL;
    close_multi("pause");
}

/* R9: its time runs while it waits. */
static void test_limit_the_time_is_up_while_it_waits(void **state)
{
    (void)state;
    open_multi(2 * UNS_S);
    play(plays, 1);
    bench_set(CURLOPT_TIMEOUT_MS, 1000L);
    multi_set(CURLMOPT_MAX_TOTAL_CONNECTIONS, (void *)1);
    add_call(bench.app);
    perform_for_ms(1300);
    read_messages();
    CHECK_INT("messages", seen.messages, 1);
    CHECK_INT("code", seen.code, CURLE_OPERATION_TIMEDOUT);
    close_multi("time");
}

/* With after_s 0 a rival goes with the call, not ahead of it. */
static void test_limit_a_tied_rival_waits_too(void **state)
{
    (void)state;
    open_multi(0);
    play(plays, 2);
    multi_set(CURLMOPT_MAX_TOTAL_CONNECTIONS, (void *)1);
    add_call(bench.app);
    perform_for_ms(500);
    CHECK_INT("waits", fake.requests, 1);
    fake.infos[0] = connected;
    perform_for_ms(100);
    CHECK_INT("tied", fake.requests, 2);
    fake.infos[0] = NULL;
    close_multi("tied");
}

/* The application's values, whatever was raised. */
static void test_limit_is_what_the_application_set(void **state)
{
    (void)state;
    open_limited(&limits[3]);
    fake.infos[0] = connected;
    perform_for_ms(2100);
    CHECK_INT("requests", fake.requests, 2);
    CHECK_INT("limit",
              (intptr_t)fake.multi_opt[CURLMOPT_MAX_HOST_CONNECTIONS % 10000],
              2);
    fake.infos[0] = NULL;
    close_multi("restored");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_limit_a_call_that_waits_is_not_silent),
        cmocka_unit_test(test_limit_clocks_begin_with_the_connection),
        cmocka_unit_test(test_limit_a_socket_is_a_connection),
        cmocka_unit_test(test_limit_a_pause_ends_no_waiting),
        cmocka_unit_test(test_limit_the_time_is_up_while_it_waits),
        cmocka_unit_test(test_limit_a_tied_rival_waits_too),
        cmocka_unit_test(test_limit_is_what_the_application_set),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
