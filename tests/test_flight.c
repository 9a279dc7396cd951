/* SPDX-License-Identifier: MIT */
/* A slot of the flight recorder (P4): whatever the writer was doing when it
 * died, and whenever somebody looks, there is one whole state. */
#include "flight_fixture.h"

#include <pthread.h>

static void test_flight_slot_has_one_owner(void **state)
{
    struct flight *f = *state;

    assert_false(uns_flight_take(f->slot));
    uns_flight_release(f->slot);
    assert_true(uns_flight_take(f->slot));
    assert_false(uns_flight_take(f->slot));
}

static void test_flight_call_is_seen_from_begin_to_release(void **state)
{
    struct flight *f = *state;

    CHECK_INT("in flight", uns_flight_read(f->slot, &f->view), true);
    CHECK_INT("not over", f->view.done, false);
    CHECK_TEXT("uuid", f->view.facts.call.uuid, "call");
    uns_flight_finish(&f->pen);
    CHECK_INT("over", uns_flight_read(f->slot, &f->view), true);
    CHECK_INT("done", f->view.done, true);
    uns_flight_release(f->slot);
    CHECK_INT("released", uns_flight_read(f->slot, &f->view), false);
}

static void test_flight_slot_that_is_only_taken_shows_nothing(void **state)
{
    struct flight *f = *state;

    flight_chunk(f, 0, BEGIN + UNS_S);
    uns_flight_release(f->slot);
    assert_true(uns_flight_take(f->slot));
    CHECK_INT("taken", uns_flight_read(f->slot, &f->view), false);
    uns_flight_begin(&f->pen, f->slot);
    CHECK_INT("begun", uns_flight_read(f->slot, &f->view), false);
}

static void test_flight_second_call_has_nothing_of_the_first(void **state)
{
    struct flight *f = *state;

    flight_send(f, BEGIN + UNS_S);
    flight_chunk(f, 1, BEGIN + 2 * UNS_S);
    uns_flight_hear(&f->pen, 1, BEGIN + 2 * UNS_S);
    uns_flight_release(f->slot);
    assert_true(uns_flight_take(f->slot));
    flight_open_in(f, f->slot);
    assert_true(uns_flight_read(f->slot, &f->view));
    CHECK_INT("attempts", f->view.facts.attempts, 1);
    CHECK_INT("voice", f->view.voice, UNS_RACE_ATTEMPTS);
    CHECK_INT("deliver", f->view.deliver_ns, UNS_NEVER);
    CHECK_INT("chunks", f->view.live[0].meter.chunks, 0);
    CHECK_INT("chunks", flight_sum(&f->view, 0).chunks, 0);
}

/* Also when the timeline outgrew its slot, and gaps among the chunks. */
static void test_flight_timeline_is_the_writers(void **state)
{
    static const int counts[] = {0, 1, 2, 20, 500, 2500, 20000};
    struct flight *f = *state;

    for (size_t i = 0; i < ROWS(counts); i++) {
        const struct flown *flown = &f->attempt[0];
        uns_ns now = BEGIN;

        uns_flight_release(f->slot);
        assert_true(uns_flight_take(f->slot));
        flight_open_in(f, f->slot);
        for (int n = 1; n <= counts[i]; n++)
            flight_chunk(f, 0, now += n % 100 == 50 ? 3 * UNS_S : 5 * UNS_MS);
        assert_true(uns_flight_read(f->slot, &f->view));
        CHECK_INT("len", f->view.timeline[0].len, flown->timeline.len);
        assert_memory_equal(f->view.timeline[0].blob, flown->moments,
                            flown->timeline.len);
        CHECK_INT("chunks", flight_sum(&f->view, 0).chunks, counts[i]);
        CHECK_INT("gaps", flight_sum(&f->view, 0).stalls,
                  (counts[i] + 50) / 100);
        CHECK_INT("meter", f->view.live[0].meter.chunks, counts[i]);
    }
}

static void test_flight_fourth_attempt_keeps_its_clocks(void **state)
{
    struct flight *f = *state;

    for (unsigned a = 1; a < UNS_RACE_ATTEMPTS; a++)
        flight_send(f, BEGIN + UNS_S);
    for (unsigned a = 0; a < UNS_RACE_ATTEMPTS; a++)
        flight_chunk(f, a, BEGIN + 2 * UNS_S);
    assert_true(uns_flight_read(f->slot, &f->view));
    for (unsigned a = 0; a < UNS_RACE_ATTEMPTS; a++) {
        bool kept = a < UNS_FLIGHT_TIMELINES;

        CHECK_INT("chunks", f->view.live[a].meter.chunks, 1);
        CHECK_INT("timeline", f->view.timeline[a].len > 0, kept);
    }
}

/* Thinning moves a timeline into the spare buffer; all attempts share it. */
static void test_flight_attempts_do_not_mix_their_timelines(void **state)
{
    struct flight *f = *state;
    uns_ns now = BEGIN;

    flight_send(f, BEGIN);
    flight_send(f, BEGIN);
    for (int n = 0; n < 9000; n++)
        flight_chunk(f, (unsigned)n % 3, now += UNS_MS);
    assert_true(uns_flight_read(f->slot, &f->view));
    for (unsigned a = 0; a < 3; a++) {
        assert_memory_equal(f->view.timeline[a].blob, f->attempt[a].moments,
                            f->attempt[a].timeline.len);
        CHECK_INT("chunks", flight_sum(&f->view, a).chunks, 3000);
    }
}

/* --- killed in the middle -------------------------------------------------*/

static uint32_t dice = 1;

static bool toss(void)
{
    dice = dice * 1664525 + 1013904223;
    return dice >> 31;
}

/* Some of what was written between `before` and now, but for the word that
 * publishes it: the writer may have died after any of its stores. */
static void tear(struct uns_flight_slot *torn,
                 const struct uns_flight_slot *before,
                 const struct uns_flight_slot *after, unsigned a)
{
    const uint8_t *old = (const void *)before, *new = (const void *)after;
    uint8_t *out = (void *)torn;

    for (size_t i = 0; i < sizeof *torn; i++)
        out[i] = old[i] == new[i] || toss() ? old[i] : new[i];
    torn->turn = before->turn;
    torn->live[a].turn = before->live[a].turn;
}

static void check_same(const struct uns_flight_view *got,
                       const struct uns_flight_view *want)
{
    CHECK_INT("facts", got->facts.sum, want->facts.sum);
    CHECK_TEXT("uuid", got->facts.call.uuid, want->facts.call.uuid);
    CHECK_INT("chunks", got->live[0].meter.chunks, want->live[0].meter.chunks);
    CHECK_INT("len", got->timeline[0].len, want->timeline[0].len);
    assert_memory_equal(got->timeline[0].blob, want->timeline[0].blob,
                        want->timeline[0].len);
}

/* P4: through growth, merging and thinning alike. */
static void test_flight_killed_in_a_note_leaves_the_one_before(void **state)
{
    struct flight *f = *state;
    struct uns_flight_slot *before = malloc(sizeof *before);
    struct uns_flight_slot *torn = malloc(sizeof *torn);
    struct uns_flight_view *old = malloc(sizeof *old);
    uns_ns now = BEGIN;

    for (int n = 0; n < 6000; n++) {
        bool look = n < 20 || n % 37 == 0 ||
                    f->attempt[0].timeline.len > UNS_TIMELINE_BYTES - 24;

        if (look)
            *before = *f->slot;
        flight_chunk(f, 0, now += n % 50 ? UNS_MS : 3 * UNS_S);
        if (!look)
            continue;
        assert_true(uns_flight_read(before, old));
        tear(torn, before, f->slot, 0);
        assert_true(uns_flight_read(torn, &f->view));
        check_same(&f->view, old);
    }
    CHECK_INT("was thinned", f->attempt[0].timeline.thinnings > 1, true);
    free(before);
    free(torn);
    free(old);
}

static void test_flight_killed_while_facts_change_leaves_the_old(void **state)
{
    struct flight *f = *state;
    struct uns_flight_slot *before = malloc(sizeof *before);
    struct uns_flight_slot *torn = malloc(sizeof *torn);

    for (int n = 0; n < 20; n++) {
        *before = *f->slot;
        flight_publish(f, n % 2 ? "another call" : "one more");
        tear(torn, before, f->slot, 0);
        assert_true(uns_flight_read(torn, &f->view));
        CHECK_TEXT("old", f->view.facts.call.uuid,
                   n == 0  ? "call"
                   : n % 2 ? "one more"
                           : "another call");
    }
    free(before);
    free(torn);
}

/* --- damage ---------------------------------------------------------------*/

static void test_flight_damaged_facts_are_no_call(void **state)
{
    struct flight *f = *state;
    uint8_t *bytes = (void *)&f->slot->facts[f->slot->turn & 1];

    for (size_t i = 0; i < sizeof f->slot->facts[0]; i += 61) {
        bytes[i] ^= 0x10;
        CHECK_INT("damaged", uns_flight_read(f->slot, &f->view), false);
        bytes[i] ^= 0x10;
    }
    CHECK_INT("mended", uns_flight_read(f->slot, &f->view), true);
}

static void test_flight_senseless_places_are_not_followed(void **state)
{
    struct flight *f = *state;
    struct uns_flight_live *live =
        &f->slot->live[0].copy[f->slot->live[0].turn & 1];
    struct uns_flight_live good = *live;

    live->buffer = UNS_FLIGHT_BUFFERS;
    assert_true(uns_flight_read(f->slot, &f->view));
    CHECK_INT("buffer", f->view.timeline[0].len, 0);
    *live = good;
    live->len = UNS_TIMELINE_BYTES + 1;
    assert_true(uns_flight_read(f->slot, &f->view));
    CHECK_INT("len", f->view.timeline[0].len, 0);
    *live = good;
    live->tail_len = UNS_FLIGHT_TAIL + 1;
    assert_true(uns_flight_read(f->slot, &f->view));
    CHECK_INT("tail", f->view.timeline[0].len, 0);
    f->slot->voice = 77;
    assert_true(uns_flight_read(f->slot, &f->view));
    CHECK_INT("voice", f->view.voice, UNS_RACE_ATTEMPTS);
}

static void test_flight_head_of_another_kind_is_refused(void **state)
{
    const uint64_t bytes =
        UNS_FLIGHT_HEAD_BYTES + 2 * sizeof(struct uns_flight_slot);
    struct uns_flight_head good, head;

    (void)state;
    uns_flight_head_init(&good, 2);
    good.pid = 1;
    CHECK_INT("good", uns_flight_head_ok(&good, bytes), true);
    CHECK_INT("short", uns_flight_head_ok(&good, bytes - 1), false);
    CHECK_INT("nothing", uns_flight_head_ok(&good, 0), false);
    head = good;
    head.magic++;
    CHECK_INT("magic", uns_flight_head_ok(&head, bytes), false);
    head = good;
    head.layout++;
    CHECK_INT("layout", uns_flight_head_ok(&head, bytes), false);
    head = good;
    head.pid = 0;
    CHECK_INT("pid", uns_flight_head_ok(&head, bytes), false);
    head = good;
    head.slots = UINT32_MAX;
    CHECK_INT("slots", uns_flight_head_ok(&head, bytes), false);
    head = good;
    memset(head.store, 'x', sizeof head.store);
    CHECK_INT("store", uns_flight_head_ok(&head, bytes), false);
}

/* --- read while it is written ---------------------------------------------*/

static void *fly(void *arg)
{
    struct flight *f = arg;
    uns_ns now = BEGIN;

    for (int n = 0; n < 200000; n++)
        flight_chunk(f, 0, now += UNS_MS);
    uns_flight_finish(&f->pen);
    return NULL;
}

static void test_flight_reader_sees_one_moment(void **state)
{
    struct flight *f = *state;
    pthread_t writer;
    int64_t last = 0;
    bool over = false;

    assert_int_equal(pthread_create(&writer, NULL, fly, f), 0);
    while (!over) {
        const struct uns_meter *meter = &f->view.live[0].meter;

        if (!uns_flight_read(f->slot, &f->view))
            continue; /* it changes all the time */
        over = f->view.done;
        CHECK_INT("bytes", meter->bytes, meter->chunks * 10);
        CHECK_INT("timeline", flight_sum(&f->view, 0).chunks, meter->chunks);
        CHECK_INT("forward", meter->chunks >= last, true);
        last = meter->chunks;
    }
    CHECK_INT("all", last, 200000);
    pthread_join(writer, NULL);
}

#define TEST(name) \
    cmocka_unit_test_setup_teardown(name, flight_setup, flight_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_flight_slot_has_one_owner),
        TEST(test_flight_call_is_seen_from_begin_to_release),
        TEST(test_flight_slot_that_is_only_taken_shows_nothing),
        TEST(test_flight_second_call_has_nothing_of_the_first),
        TEST(test_flight_timeline_is_the_writers),
        TEST(test_flight_fourth_attempt_keeps_its_clocks),
        TEST(test_flight_attempts_do_not_mix_their_timelines),
        TEST(test_flight_killed_in_a_note_leaves_the_one_before),
        TEST(test_flight_killed_while_facts_change_leaves_the_old),
        TEST(test_flight_damaged_facts_are_no_call),
        TEST(test_flight_senseless_places_are_not_followed),
        TEST(test_flight_head_of_another_kind_is_refused),
        TEST(test_flight_reader_sees_one_moment),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
