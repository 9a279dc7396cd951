/* SPDX-License-Identifier: MIT */
/* What `unstall top` says that a call is at. */
#include "cli/top_row.h"
#include "flight_fixture.h"

#define MS(n) (BEGIN + (n)*UNS_MS)

static struct uns_top_row row_at(struct flight *f, uns_ns now_ns)
{
    struct uns_top_row row;

    assert_true(uns_flight_read(f->slot, &f->view));
    uns_top_row(&f->view, now_ns, &row);
    return row;
}

static void asked(struct flight *f)
{
    (void)f;
}

static void looked_at(struct flight *f)
{
    uns_flight_beat(&f->pen, MS(1000));
}

static void connected(struct flight *f)
{
    f->attempt[0].flags = UNS_FLIGHT_CONNECTED;
    flight_note(f, 0);
    looked_at(f);
}

static void has_status(struct flight *f)
{
    f->attempt[0].status = 200;
    connected(f);
}

static void streams(struct flight *f)
{
    has_status(f);
    flight_chunk(f, 0, MS(1000));
}

static void is_paused(struct flight *f)
{
    streams(f);
    uns_meter_pause(&f->attempt[0].meter, MS(1100));
    flight_note(f, 0);
}

static void races(struct flight *f)
{
    connected(f);
    flight_send(f, MS(1000));
}

static void lost_one(struct flight *f)
{
    races(f);
    f->attempt[0].flags |= UNS_FLIGHT_ENDED | UNS_FLIGHT_FAILED;
    flight_note(f, 0);
    f->attempt[1].status = 200;
    flight_note(f, 1);
}

static void test_top_phases(void **state)
{
    static const struct {
        const char *name;
        void (*play)(struct flight *f);
        int at_ms;
        enum uns_top_phase phase;
    } rows[] = {
        {"just asked", asked, 500, UNS_TOP_CONNECTING},
        {"nobody looks", asked, 5000, UNS_TOP_HEADERS},
        {"looked at, no connection", looked_at, 5000, UNS_TOP_CONNECTING},
        {"connected", connected, 5000, UNS_TOP_HEADERS},
        {"a status", has_status, 5000, UNS_TOP_TOKEN},
        {"content", streams, 2000, UNS_TOP_STREAMING},
        {"exactly the threshold", streams, 3000, UNS_TOP_STREAMING},
        {"over it", streams, 3001, UNS_TOP_SILENT},
        {"paused, however long", is_paused, 9000, UNS_TOP_PAUSED},
        {"two requests", races, 5000, UNS_TOP_RACING},
        {"one of them failed", lost_one, 5000, UNS_TOP_TOKEN},
    };

    for (size_t i = 0; i < ROWS(rows); i++) {
        assert_int_equal(flight_setup(state), 0);
        rows[i].play(*state);
        CHECK_TEXT(rows[i].name,
                   uns_top_phase_name(row_at(*state, MS(rows[i].at_ms)).phase),
                   uns_top_phase_name(rows[i].phase));
        flight_teardown(state);
    }
}

static void test_top_counts_silence_and_rates(void **state)
{
    struct flight *f;
    struct uns_top_row row;

    assert_int_equal(flight_setup(state), 0);
    f = *state;
    row = row_at(f, MS(700));
    CHECK_INT("from the begin", row.silent_ns, 700 * UNS_MS);
    CHECK_INT("no rate", row.chunks_per_s < 0, true);
    for (int i = 0; i < 20; i++)
        flight_chunk(f, 0, MS(1000 + i * 50));
    row = row_at(f, MS(3000));
    CHECK_INT("elapsed", row.elapsed_ns, 3 * UNS_S);
    CHECK_INT("silent", row.silent_ns, 1050 * UNS_MS);
    CHECK_INT("chunks", row.chunks, 20);
    CHECK_INT("chunks/s", (int64_t)(row.chunks_per_s * 10), 100);
    CHECK_INT("tokens/s", (int64_t)(row.tokens_per_s * 10), 35);
    CHECK_INT("requests", row.requests, 1);
    row = row_at(f, MS(1300));
    CHECK_INT("too short for a rate", row.chunks_per_s < 0, true);
    flight_teardown(state);
}

static void test_top_hears_the_voice(void **state)
{
    struct flight *f;
    struct uns_top_row row;

    assert_int_equal(flight_setup(state), 0);
    f = *state;
    races(f);
    flight_chunk(f, 1, MS(2000));
    f->attempt[0].flags |= UNS_FLIGHT_CANCELLED;
    flight_note(f, 0);
    uns_flight_hear(&f->pen, 1, MS(2000));
    row = row_at(f, MS(2500));
    CHECK_INT("phase", row.phase, UNS_TOP_STREAMING);
    CHECK_INT("chunks", row.chunks, 1);
    flight_teardown(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_top_phases),
        cmocka_unit_test(test_top_counts_silence_and_rates),
        cmocka_unit_test(test_top_hears_the_voice),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
