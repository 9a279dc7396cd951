/* SPDX-License-Identifier: MIT */
/* Calls in the application's own multi and event loop. */
#include "multi_bench.h"

static const struct fake_beat late[] = {
    HEAD(9000, OK_HEAD), BODY(9000, DELTA("Hi")), BODY(9000, STOP),
    BODY(9000, DONE),    END(9000, CURLE_OK),
};

/* The application asks how long it may sleep, and sleeps by itself. */
static void loop_of_timeout(void)
{
    for (int i = 0; i < 100 && !seen.messages; i++) {
        long ms = -1;

        assert_int_equal(engine->timeout(&multi, &ms), CURLM_OK);
        fake_pass_ms(ms < 0 || ms > 1000 ? 1000 : (int)ms);
        engine->perform(&multi, &seen.running);
        read_messages();
    }
}

static int on_timer(CURLM *handle, long ms, void *arg)
{
    assert_ptr_equal(handle, multi.multi);
    assert_ptr_equal(arg, &seen);
    seen.timers++;
    seen.due_ns = ms < 0 ? UNS_NEVER : fake.now_ns + ms * UNS_MS;
    return 0;
}

/* The application does nothing but what its timer callback was told. */
static void loop_of_timer(void)
{
    for (int i = 0; i < 100 && !seen.messages; i++) {
        assert_true(seen.due_ns != UNS_NEVER);
        if (seen.due_ns > fake.now_ns)
            fake.now_ns = seen.due_ns;
        seen.due_ns = UNS_NEVER;
        engine->socket_action(&multi, CURL_SOCKET_TIMEOUT, 0, &seen.running);
        read_messages();
    }
}

static void set_timer(void)
{
    multi_set(CURLMOPT_TIMERFUNCTION, (void *)(intptr_t)on_timer);
    multi_set(CURLMOPT_TIMERDATA, &seen);
}

static const struct loop {
    const char *name;
    void (*run)(void);
    bool timer, late; /* set the timer once the call is in */
} loops[] = {
    {"poll", loop_of_poll, false, false},
    {"timeout", loop_of_timeout, false, false},
    {"timer", loop_of_timer, true, false},
    {"timer set late", loop_of_timer, true, true},
};

static void begin(const struct loop *loop)
{
    if (loop->timer && !loop->late)
        set_timer();
    add_call(bench.app);
    if (loop->timer && loop->late)
        set_timer();
}

/* R2, R6: in each kind of loop, at the same moments as in a perform. */
static void test_multi_hedges_in_every_kind_of_loop(void **state)
{
    static const struct fake_beat *const plays[] = {silent, healthy};

    (void)state;
    for (size_t i = 0; i < ROWS(loops) - 1; i++) {
        open_multi(2500 * UNS_MS);
        play(plays, 2);
        begin(&loops[i]);
        loops[i].run();
        CHECK_INT(loops[i].name, seen.messages, 1);
        CHECK_INT(loops[i].name, seen.code, CURLE_OK);
        assert_ptr_equal(seen.easy, bench.app->easy);
        CHECK_INT(loops[i].name, seen.running, 0);
        CHECK_TEXT(loops[i].name, bench.body, HI);
        CHECK_INT(loops[i].name, fake.requests, 2);
        CHECK_INT(loops[i].name,
                  fake.request[1]->start_ns - fake.request[0]->start_ns,
                  2500 * UNS_MS);
        CHECK_INT(loops[i].name, bench.entry->call.wall_ms, 3100);
        CHECK_INT(loops[i].name, bench.taken, 1);
        CHECK_INT(loops[i].name, bench.patience_ms, 0); /* it is their loop */
        CHECK_TEXT(loops[i].name, bench.entry->call.outcome, "ok");
        CHECK_INT(loops[i].name, fake.request[1]->in_multi, false);
        assert_false(bench.app->busy);
        close_multi(loops[i].name);
    }
}

/* Coarse timers fire early: what is still to come is told again. */
static void test_multi_tells_again_what_has_not_come(void **state)
{
    static const struct fake_beat *const plays[] = {silent, healthy};

    (void)state;
    open_multi(3 * UNS_S);
    play(plays, 2);
    begin(&loops[2]);
    engine->socket_action(&multi, CURL_SOCKET_TIMEOUT, 0, &seen.running);
    fake.now_ns = seen.due_ns - UNS_MS;
    seen.due_ns = UNS_NEVER;
    engine->socket_action(&multi, CURL_SOCKET_TIMEOUT, 0, &seen.running);
    CHECK_INT("due", seen.due_ns, fake.now_ns + UNS_MS);
    loop_of_timer();
    CHECK_TEXT("body", bench.body, HI);
    close_multi("again");
}

/* The handle stays where the application has put it, until it is removed. */
static void test_multi_keeps_a_finished_handle(void **state)
{
    static const struct fake_beat *const plays[] = {healthy};

    (void)state;
    for (int watched = 0; watched < 2; watched++) {
        open_multi(3 * UNS_S);
        bench.policy.mode = watched ? UNS_MODE_OBSERVE : UNS_MODE_HEDGE;
        play(plays, 1);
        add_call(bench.app);
        loop_of_poll();
        CHECK_INT("in", fake.easy[0].in_multi, true);
        engine->remove(&multi, bench.app, bench.app->easy);
        CHECK_INT("out", fake.easy[0].in_multi, false);
        close_multi("finished");
    }
}

/* A callback that is set while the call runs hears of what is to come. */
static void test_multi_tells_a_timer_that_is_set_late(void **state)
{
    static const struct fake_beat *const plays[] = {silent, healthy};
    int running;

    (void)state;
    open_multi(3 * UNS_S);
    play(plays, 2);
    begin(&loops[3]);
    engine->socket_action(&multi, CURL_SOCKET_TIMEOUT, 0, &running);
    CHECK_INT("due", seen.due_ns, fake.now_ns + 3 * UNS_S);
    loop_of_timer();
    CHECK_TEXT("body", bench.body, HI);
    close_multi("late");
}

/* P4: inside an event loop nobody waits for a lock. */
static void test_multi_waits_for_no_lock(void **state)
{
    static const struct fake_beat *const plays[] = {healthy};

    (void)state;
    open_multi(3 * UNS_S);
    play(plays, 1);
    add_call(bench.app);
    loop_of_poll();
    CHECK_INT("entries", bench.entries, 1);
    CHECK_INT("may wait", bench.may_wait, false);
    close_multi("lock");

    open_multi(3 * UNS_S);
    BENCH_RUN(healthy);
    CHECK_INT("easy may wait", bench.may_wait, true);
    close_multi("easy");
}

static unsigned refused;

static size_t meddle(enum uns_piece_kind kind, const char *bytes, size_t len)
{
    int left;

    (void)kind;
    (void)bytes;
    refused = 0;
    refused += engine->remove(&multi, bench.app, bench.app->easy) ==
               CURLM_RECURSIVE_API_CALL;
    refused += engine->perform(&multi, &left) == CURLM_RECURSIVE_API_CALL;
    refused += engine->is_inside(&multi); /* nothing may be added */
    refused += !engine->cleanup(&multi);
    refused += !engine->info_read(&multi, &left);
    return len;
}

/* As libcurl refuses them: whether a piece comes from inside it or was held. */
static void test_multi_refuses_calls_from_callbacks(void **state)
{
    static const struct fake_beat *const plays[] = {healthy};

    (void)state;
    for (int held = 0; held < 2; held++) {
        open_multi(3 * UNS_S);
        bench.policy.hedge.hold_ns = held ? 50 * UNS_MS : 0;
        bench.policy.hedge.stall_after_ns = UNS_S;
        play(plays, 1);
        bench.taker = meddle;
        add_call(bench.app);
        loop_of_poll();
        CHECK_INT("refused", refused, 5);
        CHECK_TEXT("body", bench.body, HI);
        close_multi("meddling");
    }
}

/* Another transfer of the application's in the same multi: its message and
 * its place in the count are its own. */
static void test_multi_leaves_others_alone(void **state)
{
    static const struct fake_beat *const plays[] = {late, healthy, silent};
    CURL *other;

    (void)state;
    open_multi(3 * UNS_S);
    play(plays, 3);
    add_call(bench.app);
    other = fake_real.curl_easy_init();
    fake_real.curl_easy_setopt(other, CURLOPT_URL, "https://other.example/");
    fake_real.curl_multi_add_handle(multi.multi, other);
    turn();
    CHECK_INT("both", seen.running, 2);
    loop_of_poll();
    assert_ptr_equal(seen.easy, other);
    CHECK_INT("one", seen.running, 1);
    seen.messages = 0;
    loop_of_poll();
    assert_ptr_equal(seen.easy, bench.app->easy);
    CHECK_TEXT("body", bench.body, HI);
    engine->remove(&multi, NULL, other);
    fake_real.curl_easy_cleanup(other);
    close_multi("others");
}

/* What is only watched runs in the same multi, as itself. */
static void test_multi_watches(void **state)
{
    static const struct fake_beat *const plays[] = {late};

    (void)state;
    open_multi(3 * UNS_S);
    bench.policy.mode = UNS_MODE_OBSERVE;
    play(plays, 1);
    add_call(bench.app);
    loop_of_poll();
    CHECK_INT("requests", fake.requests, 1);
    CHECK_INT("messages", seen.messages, 1);
    CHECK_TEXT("mode", bench.entry->call.mode, "observe");
    CHECK_TEXT("body", bench.body, HI);
    close_multi("watched");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_multi_hedges_in_every_kind_of_loop),
        cmocka_unit_test(test_multi_tells_again_what_has_not_come),
        cmocka_unit_test(test_multi_keeps_a_finished_handle),
        cmocka_unit_test(test_multi_tells_a_timer_that_is_set_late),
        cmocka_unit_test(test_multi_waits_for_no_lock),
        cmocka_unit_test(test_multi_refuses_calls_from_callbacks),
        cmocka_unit_test(test_multi_leaves_others_alone),
        cmocka_unit_test(test_multi_watches),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
