/* SPDX-License-Identifier: MIT */
/* Several calls at once in one multi, and what a lack of memory does there. */
#include "multi_bench.h"

#include "engine/grip.h"
#include "shim/note.h"

#include <stdio.h>

static const struct fake_beat breaks[] = {END(10, CURLE_RECV_ERROR)};
static const struct fake_beat quick[] = {
    HEAD(10, OK_HEAD),
    BODY(20, DELTA("quick")),
    BODY(30, DONE),
    END(40, CURLE_OK),
};

/* The first is hedged, the second well, the third moves at once: requests are
 * sent in the order 0, 1, 2, then the rivals of 2 and of 0. */
static const struct fake_beat *const plays[] = {
    silent, quick, breaks, quick, healthy,
};

/* One more handle of the application's, with a body of its own. */
struct guest {
    struct uns_app *app;
    char body[1024];
    unsigned messages;
    CURLcode code;
};

#define GUESTS 3

static struct guest guests[GUESTS];

static size_t on_guest_body(char *bytes, size_t size, size_t count, void *arg)
{
    struct guest *guest = arg;

    assert_true(strlen(guest->body) + size * count < sizeof guest->body);
    strncat(guest->body, bytes, size * count);
    return size * count;
}

static void set(struct guest *guest, CURLoption id, const void *value)
{
    void *slot = (void *)(uintptr_t)value;

    fake_real.curl_easy_setopt(guest->app->easy, id, slot);
    uns_note(guest->app, id, slot);
}

static void open_guests(void)
{
    open_multi(3 * UNS_S);
    play(plays, ROWS(plays));
    bench.policy.hedge.failover.status[500] = true;
    memset(guests, 0, sizeof guests);
    for (size_t i = 0; i < GUESTS; i++) {
        struct guest *guest = &guests[i];

        guest->app = uns_app_new(fake_real.curl_easy_init(), &fake_real);
        guest->app->dialect = UNS_DIALECT_CHAT;
        set(guest, CURLOPT_URL, APP_URL);
        set(guest, CURLOPT_POSTFIELDS, APP_BODY);
        set(guest, CURLOPT_WRITEFUNCTION,
            (const void *)(intptr_t)on_guest_body);
        set(guest, CURLOPT_WRITEDATA, guest);
        add_call(guest->app);
    }
}

static void close_guest(struct guest *guest)
{
    if (!guest->app)
        return;
    engine->remove(&multi, guest->app, guest->app->easy);
    uns_grip_release(guest->app, true);
    fake_real.curl_easy_cleanup(guest->app->easy);
    uns_app_free(guest->app);
    guest->app = NULL;
}

static void close_guests(const char *row)
{
    for (size_t i = 0; i < GUESTS; i++)
        close_guest(&guests[i]);
    close_multi(row);
}

static void turn_of_guests(void)
{
    const struct uns_multi_wait how = {.timeout_ms = 1000, .poll = true};
    CURLMsg *message;
    int left;

    engine->perform(&multi, &seen.running);
    while ((message = engine->info_read(&multi, &left)))
        for (size_t i = 0; i < GUESTS; i++)
            if (guests[i].app && guests[i].app->easy == message->easy_handle) {
                guests[i].messages++;
                guests[i].code = message->data.result;
                seen.messages++;
            }
    engine->wait(&multi, &how);
}

/* Each has its own end, message and answer. */
static void test_multi_runs_calls_side_by_side(void **state)
{
    (void)state;
    open_guests();
    engine->perform(&multi, &seen.running);
    CHECK_INT("running", seen.running, 3);
    for (int i = 0; i < 60 && seen.messages < GUESTS; i++)
        turn_of_guests();
    for (size_t i = 0; i < GUESTS; i++) {
        CHECK_INT("messages", guests[i].messages, 1);
        CHECK_INT("code", guests[i].code, CURLE_OK);
    }
    CHECK_TEXT("hedged", guests[0].body, HI);
    CHECK_TEXT("well", guests[1].body, DELTA("quick") DONE);
    CHECK_TEXT("moved", guests[2].body, DELTA("quick") DONE);
    CHECK_INT("requests", fake.requests, 5);
    CHECK_INT("entries", bench.entries, GUESTS);
    close_guests("side by side");
}

/* One that leaves, at any turn, takes nothing from the others. */
static void test_multi_goes_on_when_one_leaves(void **state)
{
    (void)state;
    for (unsigned who = 0; who < GUESTS; who++)
        for (int when = 0; when < 10; when++) {
            char row[40];

            snprintf(row, sizeof row, "%u leaves at turn %d", who, when);
            open_guests();
            for (int i = 0; i < 60; i++) {
                if (i == when)
                    close_guest(&guests[who]);
                turn_of_guests();
            }
            for (unsigned i = 0; i < GUESTS; i++)
                if (i != who)
                    CHECK_INT(row, guests[i].messages, 1);
            CHECK_INT(row, seen.running, 0);
            close_guests(row);
        }
}

static unsigned run_without(unsigned n, bool all)
{
    static const struct fake_beat *const two[] = {silent, healthy};
    CURLMcode code;
    unsigned asked;
    char row[40];
    bool ours;

    snprintf(row, sizeof row, "allocation %u%s", n, all ? " and later" : "");
    open_multi(3 * UNS_S);
    bench_set(CURLOPT_TIMEOUT, 30L);
    play(two, 2);
    fake_memory_count(true);
    fake_memory_fail(n, all);
    ours = engine->add(&multi, bench.app, &code);
    if (ours) {
        CHECK_INT(row, code, CURLM_OK);
        loop_of_poll();
        CHECK_INT(row, seen.messages, all ? seen.messages : 1);
        if (seen.messages && seen.code == CURLE_OK)
            CHECK_TEXT(row, bench.body, HI);
        else
            CHECK_TEXT(row, bench.body, seen.messages ? "" : bench.body);
    } else {
        CHECK_INT(row, fake.requests, 0);
        assert_false(bench.app->busy);
    }
    asked = fake_memory_asked();
    fake_memory_count(false);
    close_multi(row);
    return asked;
}

/* Fail open: the call ends, told once; or libcurl has it. */
static void test_multi_survives_any_failed_allocation(void **state)
{
    unsigned count;

    (void)state;
    count = run_without(0, false);
    assert_true(count > 10);
    for (unsigned n = 1; n <= count; n++) {
        run_without(n, false);
        run_without(n, true);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_multi_runs_calls_side_by_side),
        cmocka_unit_test(test_multi_goes_on_when_one_leaves),
        cmocka_unit_test(test_multi_survives_any_failed_allocation),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
