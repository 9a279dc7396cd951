/* SPDX-License-Identifier: MIT */
/* P5, P7, R4: an application that is late.  While one of its callbacks lasts
 * nobody looks at the sockets, so nobody is silent and nobody is asked. */
#include "multi_bench.h"

#include "engine/easy.h"
#include "engine/grip.h"
#include "shim/note.h"

#define LASTS_MS 3000

/* A token each half second; so does the guest's first piece come. */
#define STEADY(from)                                                      \
    HEAD(100, OK_HEAD), BODY((from), DELTA("a")),                         \
        BODY((from) + 500, DELTA("b")), BODY((from) + 1000, DELTA("c")),  \
        BODY((from) + 1500, DELTA("d")), BODY((from) + 2000, DELTA("e")), \
        BODY((from) + 2500, DELTA("f")), BODY((from) + 3000, DELTA("g")), \
        BODY((from) + 3500, DELTA("h")), BODY((from) + 4000, STOP DONE),  \
        END((from) + 4100, CURLE_OK)

static const struct fake_beat steady[] = {STEADY(500)};
static const struct fake_beat slow_start[] = {STEADY(2500)};
static const struct fake_beat stalls[] = {HEAD(100, OK_HEAD),
                                          BODY(500, DELTA("a")), SILENCE};
#define PLAIN(at)                                         \
    HEAD(100, OK_HEAD), BODY((at), DELTA("x") STOP DONE), \
        END((at) + 100, CURLE_OK)

static const struct fake_beat plain[] = {PLAIN(1200)};
static const struct fake_beat together[] = {PLAIN(500)};

static struct uns_app *guest;
static unsigned guest_pieces;

/* The first one that it gets lasts. */
static size_t on_guest(char *bytes, size_t size, size_t count, void *arg)
{
    (void)bytes;
    (void)arg;
    if (guest_pieces++ == 0)
        fake_pass_ms(LASTS_MS);
    return size * count;
}

static void set(CURLoption id, const void *value)
{
    void *slot = (void *)(uintptr_t)value;

    fake_real.curl_easy_setopt(guest->easy, id, slot);
    uns_note(guest, id, slot);
}

/* Its transfers come after the bench's own in every turn. */
static void open_beside(const struct fake_beat *const *plays, size_t count)
{
    open_multi(2 * UNS_S);
    play(plays, count);
    bench.policy.hedge.stall_after_ns = UNS_S;
    bench.policy.hedge.hold_ns = UNS_NEVER;
    bench.policy.stream.stall_threshold_ns = UNS_S;
    guest_pieces = 0;
    guest = uns_app_new(fake_real.curl_easy_init(), &fake_real);
    guest->dialect = UNS_DIALECT_CHAT;
    set(CURLOPT_URL, APP_URL);
    set(CURLOPT_POSTFIELDS, APP_BODY);
    set(CURLOPT_WRITEFUNCTION, (const void *)(intptr_t)on_guest);
}

static void close_beside(const char *row)
{
    engine->remove(&multi, guest, guest->easy);
    uns_grip_release(guest, true);
    fake_real.curl_easy_cleanup(guest->easy);
    uns_app_free(guest);
    close_multi(row);
}

static int on_timer(CURLM *handle, long ms, void *arg)
{
    (void)handle;
    (void)arg;
    seen.due_ns = ms < 0 ? UNS_NEVER : fake.now_ns + ms * UNS_MS;
    return 0;
}

/* Until both have ended. */
static void loop_both(bool timer)
{
    for (int i = 0; i < 100 && seen.messages < 2; i++) {
        if (!timer) {
            turn();
            continue;
        }
        assert_true(seen.due_ns != UNS_NEVER);
        if (seen.due_ns > fake.now_ns)
            fake.now_ns = seen.due_ns;
        seen.due_ns = UNS_NEVER;
        engine->socket_action(&multi, CURL_SOCKET_TIMEOUT, 0, &seen.running);
        read_messages();
    }
}

static void run_both(bool timer)
{
    if (timer)
        multi_set(CURLMOPT_TIMERFUNCTION, (void *)(intptr_t)on_timer);
    add_call(bench.app);
    add_call(guest);
    loop_both(timer);
}

/* P5, P7: what has arrived meanwhile is read before anybody is judged. */
static void test_late_callback_of_another_call_starts_nobody(void **state)
{
    static const struct {
        const char *name;
        const struct fake_beat *first, *guest;
        bool timer;
    } rows[] = {
        {"in the answer", steady, plain, false},
        {"in the answer, by timer", steady, plain, true},
        {"before it", slow_start, plain, false},
        {"before it, by timer", slow_start, plain, true},
        {"as it begins", steady, together, false},
        {"as it begins, by timer", steady, together, true},
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        const struct fake_beat *const plays[] = {rows[i].first, rows[i].guest,
                                                 silent};

        open_beside(plays, ROWS(plays));
        run_both(rows[i].timer);
        CHECK_INT(rows[i].name, seen.messages, 2);
        CHECK_INT(rows[i].name, fake.requests, 2);
        CHECK_INT(rows[i].name, bench.taken, 0);
        CHECK_INT(rows[i].name, bench.entry->call.attempts, 1);
        CHECK_INT(rows[i].name, bench.entry->call.stall_count, 0);
        CHECK_INT(rows[i].name, bench.entry->call.app_ms, LASTS_MS);
        close_beside(rows[i].name);
    }
}

/* R4: who is silent after that, too, is found in the very next turn. */
static void test_late_callback_hides_no_silence(void **state)
{
    static const struct fake_beat *const plays[] = {stalls, plain, healthy};

    (void)state;
    open_beside(plays, ROWS(plays));
    run_both(false);
    CHECK_INT("messages", seen.messages, 2);
    CHECK_INT("requests", fake.requests, 3);
    CHECK_INT("when", fake.request[2]->start_ns - fake.request[0]->start_ns,
              (1200 + LASTS_MS) * UNS_MS);
    CHECK_TEXT("body", bench.body, HI);
    close_beside("silent");
}

static size_t stop_later(enum uns_piece_kind kind, const char *bytes,
                         size_t len)
{
    if (kind == UNS_PIECE_BODY && !strncmp(bytes, DELTA("c"), len))
        fake.stop_ms = LASTS_MS;
    return len;
}

/* P7: a process that was stopped, as by SIGSTOP.  What its wait could last is
 * all that can have been silence. */
static void test_late_process_saw_no_silence(void **state)
{
    (void)state;
    bench_open();
    bench_sources(1);
    bench.policy.hedge.after =
        (struct uns_delay){.how = UNS_DELAY_FIXED, .fixed_ns = 2 * UNS_S};
    bench.policy.stream.stall_threshold_ns = UNS_S;
    bench.taker = stop_later;
    BENCH_RUN(steady, silent);
    CHECK_INT("requests", fake.requests, 1);
    CHECK_INT("stalls", bench.entry->call.stall_count, 0);
    CHECK_INT("gap", bench.entry->call.max_gap_ms <= 1000, true);
    CHECK_INT("app", bench.entry->call.app_ms >= LASTS_MS - 1000, true);
    bench_close("stopped");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_late_callback_of_another_call_starts_nobody),
        cmocka_unit_test(test_late_callback_hides_no_silence),
        cmocka_unit_test(test_late_process_saw_no_silence),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
