/* SPDX-License-Identifier: MIT */
/* P8: what is made of one call is what figures.def says, NULL by NULL. */
#include "cli/figures.h"

#include "check.h"
#include "core/timeline.h"

#include <math.h>
#include <stdlib.h>

#define NONE UNS_NULL

/* A number in thousandths; NONE for NULL. */
static int64_t milli(double value)
{
    return isnan(value) ? NONE : llround(value * 1000);
}

static void test_figures_are_told_where_they_can_be(void **state)
{
    static const struct {
        const char *name;
        int64_t generation, active, stall, chunks, tokens;
        int64_t tpot, rate; /* in thousandths */
    } rows[] = {
        {"usage counts", 2000, 2000, 0, 50, 101, 20000, 50000},
        {"else chunks", 2000, 2000, 0, 51, NONE, 40000, 25000},
        {"stalls are in the one", 4000, 2000, 2000, 50, 101, 40000, 50000},
        {"more stalled than not", 4001, 2000, 2001, 50, 101, 40010, NONE},
        {"four chunks", 2000, 2000, 0, 4, 101, 20000, NONE},
        {"five chunks", 2000, 2000, 0, 5, 101, 20000, 50000},
        {"a mean gap of 1 ms", 49, 49, 0, 50, 50, 1000, 1000000},
        {"and of less", 48, 48, 0, 50, 50, 980, NONE},
        {"all at once", 0, 0, 0, 1, 101, 0, NONE},
        {"one token", 0, 0, 0, 1, 1, NONE, NONE},
        {"no stream", NONE, NONE, NONE, 1, 101, NONE, NONE},
        {"several answers", 2000, NONE, NONE, 50, 101, 20000, NONE},
        {"nothing came", NONE, NONE, NONE, 0, NONE, NONE, NONE},
        {"damage", 2000, 2000, 0, 50, INT64_MAX, NONE, NONE},
        {"damage below", 2000, 2000, 0, 50, -7, NONE, NONE},
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        struct uns_call_record call;

        uns_call_record_clear(&call);
        call.generation_ms = rows[i].generation;
        call.active_generation_ms = rows[i].active;
        call.stall_ms = rows[i].stall;
        call.chunk_count = rows[i].chunks;
        call.tokens_out = rows[i].tokens;
        CHECK_INT(rows[i].name, milli(uns_figures_tpot(&call)), rows[i].tpot);
        CHECK_INT(rows[i].name, milli(uns_figures_rate(&call)), rows[i].rate);
    }
}

static struct uns_entry *entry_of(int64_t winner, unsigned attempts)
{
    struct uns_entry *entry = uns_entry_new();

    assert_non_null(entry);
    entry->attempts = attempts;
    entry->call.winner = winner;
    for (unsigned i = 0; i < attempts; i++)
        entry->attempt[i].seq = i;
    return entry;
}

static void test_figures_tell_how_far_a_failure_came(void **state)
{
    static const struct {
        const char *name, *outcome, *origin;
        int64_t connect, tls, status, ttft;
        enum uns_phase want;
    } rows[] = {
        {"no connection", "failed", "https://a", NONE, NONE, NONE, NONE,
         UNS_PHASE_CONNECT},
        {"no handshake", "timeout", "https://a", 3, NONE, NONE, NONE,
         UNS_PHASE_TLS},
        {"none is needed", "timeout", "http://a", 3, NONE, NONE, NONE,
         UNS_PHASE_HEADERS},
        {"no status", "killed", "https://a", 3, 9, NONE, NONE,
         UNS_PHASE_HEADERS},
        {"early hints alone", "timeout", "https://a", 3, 9, 103, NONE,
         UNS_PHASE_HEADERS},
        {"refused", "refused", "https://a", 3, 9, 401, NONE, UNS_PHASE_STATUS},
        {"an error with a text", "failed", "https://a", 3, 9, 529, 20,
         UNS_PHASE_STATUS},
        {"no token", "timeout", "https://a", 3, 9, 200, NONE,
         UNS_PHASE_FIRST_TOKEN},
        {"of a connection that told nothing", "timeout", "https://a", NONE,
         NONE, 200, NONE, UNS_PHASE_FIRST_TOKEN},
        {"nobody could ask", "killed", "https://a", NONE, NONE, NONE, NONE,
         UNS_PHASE_UNKNOWN},
        {"cut", "truncated", "https://a", 3, 9, 200, 20, UNS_PHASE_STREAMING},
        {"ok is none", "ok", "https://a", 3, 9, 200, 20, UNS_PHASE_COUNT},
        {"nor is aborted", "aborted", "https://a", 3, 9, 200, 20,
         UNS_PHASE_COUNT},
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        struct uns_entry *entry = entry_of(NONE, 1);
        struct uns_attempt_record *attempt = entry->attempt;

        strcpy(entry->call.outcome, rows[i].outcome);
        strcpy(attempt->origin, rows[i].origin);
        attempt->connect_ms = rows[i].connect;
        attempt->tls_ms = rows[i].tls;
        attempt->http_status = rows[i].status;
        attempt->ttft_ms = rows[i].ttft;
        CHECK_INT(rows[i].name, uns_figures_phase(entry), rows[i].want);
        uns_entry_free(entry);
    }
}

/* Together with a stall these are what the condition of --stalled selects. */
static void test_figures_know_a_silence_that_nobody_broke(void **state)
{
    static const struct {
        const char *name, *outcome, *reason;
        int64_t stalls, silent, tail, wall, resumed;
        bool is;
    } rows[] = {
        {"a time limit", "timeout", "", NONE, NONE, NONE, 2001, 0, true},
        {"a short one", "timeout", "", NONE, NONE, NONE, 2000, 0, false},
        {"after content", "timeout", "", 0, NONE, 3000, 9000, 0, true},
        {"just after content", "timeout", "", 0, NONE, 5, 9000, 0, false},
        {"cut off", "truncated", "", 0, NONE, 3000, 9000, 0, true},
        {"killed in it", "killed", "", NONE, 3000, 5, 9000, 0, true},
        {"killed out of it", "killed", "", NONE, 3, 9000, 9000, 0, false},
        {"replaced", "ok", "stall", 0, NONE, 5, 9, 0, true},
        {"replaced for its first token", "ok", "first_token", 0, NONE, 5, 9, 0,
         false},
        {"taken over", "ok", "resume", 0, NONE, 5, 9, 1, true},
        {"a stall is one", "timeout", "stall", 1, NONE, 9000, 9000, 1, false},
        {"slow, and well", "ok", "", 0, NONE, 9000, 9000, 0, false},
        {"failed late", "failed", "", NONE, NONE, NONE, 9000, 0, false},
        {"of no length", "timeout", "", NONE, NONE, NONE, NONE, 0, false},
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        struct uns_entry *entry = entry_of(0, 1);
        struct uns_call_record *call = &entry->call;

        strcpy(call->outcome, rows[i].outcome);
        strcpy(call->hedge_reason, rows[i].reason);
        strcpy(entry->attempt[0].outcome, "hedge_cancelled");
        call->stall_count = rows[i].stalls;
        call->silent_ms = rows[i].silent;
        call->tail_ms = rows[i].tail;
        call->wall_ms = rows[i].wall;
        call->resumed = rows[i].resumed;
        CHECK_INT(rows[i].name, uns_figures_is_silent(entry, call), rows[i].is);
        uns_entry_free(entry);
    }
}

static void test_figures_say_why_a_hedge_was_wasted(void **state)
{
    static const struct {
        const char *name, *outcome, *origin;
        int64_t status, connect, tls, ttft;
        enum uns_loss loss;
    } rows[] = {
        {"stopped", "hedge_cancelled", "", NONE, NONE, NONE, NONE,
         UNS_LOSS_LATE},
        {"ended late, whatever it said", "lost", "", 401, 1, 1, 5,
         UNS_LOSS_LATE},
        {"another answer", "diverged", "", 200, 1, 1, 5, UNS_LOSS_DIVERGED},
        {"no key", "failed", "", 401, 1, 1, NONE, UNS_LOSS_UNAUTHORIZED},
        {"a key for less", "failed", "", 403, 1, 1, NONE,
         UNS_LOSS_UNAUTHORIZED},
        {"too many", "failed", "", 429, NONE, NONE, NONE,
         UNS_LOSS_RATE_LIMITED},
        {"no such model", "failed", "", 404, 1, 1, NONE, UNS_LOSS_STATUS},
        {"the first status of failure", "failed", "", 400, 1, 1, NONE,
         UNS_LOSS_STATUS},
        {"no port", "failed", "http://a", NONE, NONE, NONE, NONE,
         UNS_LOSS_CONNECT},
        {"no TLS", "failed", "https://a", NONE, 3, NONE, NONE,
         UNS_LOSS_CONNECT},
        {"silent", "failed", "http://a", NONE, 3, NONE, NONE, UNS_LOSS_BROKEN},
        {"silent, with TLS", "failed", "https://a", NONE, 3, 3, NONE,
         UNS_LOSS_BROKEN},
        {"broke off, of an old connection", "failed", "https://a", 200, NONE,
         NONE, 5, UNS_LOSS_BROKEN},
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        struct uns_entry *entry = entry_of(0, 1);
        struct uns_attempt_record *hedge = &entry->attempt[0];

        strcpy(hedge->outcome, rows[i].outcome);
        strcpy(hedge->origin, rows[i].origin);
        hedge->http_status = rows[i].status;
        hedge->connect_ms = rows[i].connect;
        hedge->tls_ms = rows[i].tls;
        hedge->ttft_ms = rows[i].ttft;
        CHECK_INT(rows[i].name, uns_figures_loss(hedge), rows[i].loss);
        uns_entry_free(entry);
    }
}

static void test_figures_ask_the_call_where_there_is_no_attempt(void **state)
{
    struct uns_entry *entry = entry_of(NONE, 0);

    (void)state;
    strcpy(entry->call.outcome, "failed");
    strcpy(entry->call.endpoint, "https://a/v1");
    assert_int_equal(uns_figures_phase(entry), UNS_PHASE_CONNECT);
    entry->call.connect_ms = 3;
    assert_int_equal(uns_figures_phase(entry), UNS_PHASE_TLS);
    assert_int_equal(uns_figures_answer(entry), UNS_RACE_ATTEMPTS);
    uns_entry_free(entry);
}

static void test_figures_find_the_answer(void **state)
{
    static const struct {
        const char *name;
        int64_t winner;
        unsigned attempts, want;
    } rows[] = {
        {"the winner", 1, 2, 1},
        {"nobody: the own request", NONE, 2, 0},
        {"it is not there", 3, 2, UNS_RACE_ATTEMPTS},
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        struct uns_entry *entry = entry_of(rows[i].winner, rows[i].attempts);

        CHECK_INT(rows[i].name, uns_figures_answer(entry), rows[i].want);
        uns_entry_free(entry);
    }
}

/* One gap of 500 ms. */
static void add_timeline(struct uns_entry *entry, unsigned i)
{
    struct uns_timeline timeline;

    entry->timeline[i].data = malloc(UNS_TIMELINE_MIN);
    uns_timeline_init(&timeline, entry->timeline[i].data, UNS_TIMELINE_MIN, 1);
    uns_timeline_note(
        &timeline, &(struct uns_moment){UNS_MARK_CHUNK, 1, 100 * UNS_MS, 0, 0});
    uns_timeline_note(
        &timeline,
        &(struct uns_moment){UNS_MARK_CHUNK, 1, 600 * UNS_MS, 0, 500 * UNS_MS});
    entry->timeline[i].len = timeline.len;
}

static void test_figures_follow_another_threshold(void **state)
{
    static const struct {
        const char *name;
        int64_t before, threshold_ms;
        bool timeline;
        int64_t stall, count, active, net;
    } rows[] = {
        {"now a stall", 0, 400, true, 500, 1, 100, 200},
        {"no more", 500, 500, true, 0, 0, 600, 700},
        {"not known without a timeline", 500, 400, false, NONE, NONE, NONE,
         700},
        {"never known", NONE, 400, true, NONE, NONE, 77, 88},
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        struct uns_entry *entry = entry_of(1, 2);
        struct uns_call_record *call = &entry->call;

        if (rows[i].timeline)
            add_timeline(entry, 1);
        call->stall_ms = rows[i].before;
        call->wall_ms = 700;
        call->generation_ms = 600;
        call->active_generation_ms = 77;
        call->net_ms = 88;
        uns_figures_set_threshold(entry, rows[i].threshold_ms * UNS_MS, call);
        CHECK_INT(rows[i].name, call->stall_ms, rows[i].stall);
        CHECK_INT(rows[i].name, call->stall_count, rows[i].count);
        CHECK_INT(rows[i].name, call->active_generation_ms, rows[i].active);
        CHECK_INT(rows[i].name, call->net_ms, rows[i].net);
        uns_entry_free(entry);
    }
}

static void test_figures_take_no_time_that_cannot_be(void **state)
{
    struct uns_call_record call;

    (void)state;
    uns_call_record_clear(&call);
    assert_true(uns_figures_began(&call) == NONE);
    call.started_at = 1785412525000000;
    assert_true(uns_figures_began(&call) == call.started_at);
    call.started_at = INT64_MAX;
    assert_true(uns_figures_began(&call) == NONE);
    call.started_at = -1;
    assert_true(uns_figures_began(&call) == NONE);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_figures_are_told_where_they_can_be),
        cmocka_unit_test(test_figures_tell_how_far_a_failure_came),
        cmocka_unit_test(test_figures_ask_the_call_where_there_is_no_attempt),
        cmocka_unit_test(test_figures_know_a_silence_that_nobody_broke),
        cmocka_unit_test(test_figures_say_why_a_hedge_was_wasted),
        cmocka_unit_test(test_figures_find_the_answer),
        cmocka_unit_test(test_figures_follow_another_threshold),
        cmocka_unit_test(test_figures_take_no_time_that_cannot_be),
    };

    return cmocka_run_group_tests_name("figures", tests, NULL, NULL);
}
