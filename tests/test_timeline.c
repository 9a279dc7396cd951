/* SPDX-License-Identifier: MIT */
/* The blob of an attempt's moments: what is noted is read back; a full buffer
 * loses short gaps first and no chunk ever; damage reads as the end. */
#include "check.h"
#include "core/timeline.h"

#include <stdlib.h>

#define US ((uns_ns)1000)

struct sums {
    uint64_t entries, chunks, stalls;
    uns_ns end_ns, max_gap_ns;
};

/* Reads a blob from memory of exactly its size; times must not go back. */
static struct sums read_all(const uint8_t *blob, size_t len, uns_ns stall_ns)
{
    struct sums sums = {0};
    struct uns_moment moment = {.count = 0};
    uint8_t *copy = malloc(len ? len : 1);
    size_t at = 0;

    assert_non_null(copy);
    memcpy(copy, blob, len);
    while (uns_timeline_next(copy, len, &at, &moment)) {
        assert_true(at <= len);
        assert_true(moment.at_ns >= sums.end_ns && moment.span_ns >= 0);
        assert_true(moment.count >= 1 && moment.mark < UNS_MARK_COUNT);
        assert_true(moment.gap_ns >= 0 && moment.gap_ns <= moment.at_ns);
        sums.end_ns = moment.at_ns + moment.span_ns;
        sums.entries++;
        if (moment.mark == UNS_MARK_CHUNK)
            sums.chunks += moment.count;
        sums.stalls += moment.gap_ns > stall_ns;
        if (moment.gap_ns > sums.max_gap_ns)
            sums.max_gap_ns = moment.gap_ns;
    }
    free(copy);
    return sums;
}

static void test_timeline_reads_back_what_was_noted(void **state)
{
    static const struct uns_moment want[] = {
        {UNS_MARK_OTHER, 1, 0, 0, 0},
        {UNS_MARK_CHUNK, 1, 1 * UNS_MS, 0, 0},
        {UNS_MARK_CHUNK, 7, 1 * UNS_MS, 0, 0},
        {UNS_MARK_STRUCTURAL, 1, 2 * UNS_MS, 0, 0},
        {UNS_MARK_CHUNK, 1, 9 * UNS_MS, 0, 8 * UNS_MS},
        {UNS_MARK_PAUSE, 1, 10 * UNS_MS, 5 * UNS_S, 0},
        {UNS_MARK_CHUNK, 1, 6 * UNS_S, 0, 3 * US},
        {UNS_MARK_CHUNK, 4000000000u, 3600 * UNS_S, 0, 3594 * UNS_S},
        {UNS_MARK_CHUNK, 1, 24 * 3600 * UNS_S, 0, 23 * 3600 * UNS_S},
    };
    uint8_t buf[UNS_TIMELINE_MIN];
    struct uns_timeline timeline;
    struct uns_moment got;
    size_t at = 0, i = 0;

    (void)state;
    uns_timeline_init(&timeline, buf, sizeof buf, UNS_S);
    for (i = 0; i < ROWS(want); i++)
        uns_timeline_note(&timeline, &want[i]);
    for (i = 0; uns_timeline_next(buf, timeline.len, &at, &got); i++) {
        CHECK_INT("mark", got.mark, want[i].mark);
        CHECK_INT("count", got.count, want[i].count);
        CHECK_INT("at", got.at_ns, want[i].at_ns);
        CHECK_INT("span", got.span_ns, want[i].span_ns);
        CHECK_INT("gap", got.gap_ns, want[i].gap_ns);
    }
    CHECK_INT("entries", i, ROWS(want));
    CHECK_INT("chunks", (int64_t)timeline.chunks, 4000000011);
}

/* Whole microseconds; a gap is over a threshold exactly if it was. */
static void test_timeline_rounds_so_that_stalls_stay_stalls(void **state)
{
    /* clang-format off */
    static const struct {
        const char *name;
        uns_ns at_ns, gap_ns, got_at_ns, got_gap_ns;
    } rows[] = {
        {"whole", 5 * UNS_S, 2 * UNS_S, 5 * UNS_S, 2 * UNS_S},
        {"a ns over", 5 * UNS_S + 1, 2 * UNS_S + 1, 5 * UNS_S, 2 * UNS_S + US},
        {"a ns under", 5 * UNS_S - 1, 2 * UNS_S - 1, 5 * UNS_S - US,
         2 * UNS_S},
        {"a negative gap", 5 * UNS_S, -5, 5 * UNS_S, 0},
        {"before the start", -5, 0, 0, 0},
        {"longer than the attempt", UNS_S, 2 * UNS_S, UNS_S, UNS_S},
    };

    /* clang-format on */

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        uint8_t buf[UNS_TIMELINE_MIN];
        struct uns_timeline timeline;
        size_t at = 0;
        struct uns_moment moment = {.mark = UNS_MARK_CHUNK,
                                    .at_ns = rows[i].at_ns,
                                    .gap_ns = rows[i].gap_ns};
        uns_timeline_init(&timeline, buf, sizeof buf, UNS_S);
        uns_timeline_note(&timeline, &moment);
        assert_true(uns_timeline_next(buf, timeline.len, &at, &moment));
        CHECK_INT(rows[i].name, moment.at_ns, rows[i].got_at_ns);
        CHECK_INT(rows[i].name, moment.gap_ns, rows[i].got_gap_ns);
        CHECK_INT(rows[i].name, moment.count, 1);
    }
}

static void test_timeline_never_goes_back(void **state)
{
    static const uns_ns times[] = {5 * UNS_S, 3 * UNS_S, 5 * UNS_S, UNS_NEVER,
                                   UNS_NEVER};
    uint8_t buf[UNS_TIMELINE_MIN];
    struct uns_timeline timeline;

    (void)state;
    uns_timeline_init(&timeline, buf, sizeof buf, UNS_S);
    for (size_t i = 0; i < ROWS(times); i++)
        uns_timeline_note(&timeline,
                          &(struct uns_moment){.mark = UNS_MARK_CHUNK,
                                               .at_ns = times[i],
                                               .span_ns = UNS_NEVER});
    CHECK_INT("all read", (int64_t)read_all(buf, timeline.len, 0).chunks, 5);
}

/* A chunk each 20 ms, a 3 s stall every `stall_each`, a keepalive between. */
static struct sums stream(size_t cap, long chunks, long stall_each,
                          struct uns_timeline *timeline)
{
    uint8_t *buf = malloc(cap);
    struct sums sums;
    uns_ns now_ns = 0, gap_ns;

    assert_non_null(buf);
    uns_timeline_init(timeline, buf, cap, UNS_S);
    for (long i = 1; i <= chunks; i++) {
        gap_ns = i % stall_each ? 20 * UNS_MS : 3 * UNS_S;
        struct uns_moment moment = {.mark = UNS_MARK_OTHER,
                                    .at_ns = now_ns + gap_ns / 2};
        if (i % 10 == 0)
            uns_timeline_note(timeline, &moment);
        now_ns += gap_ns;
        moment = (struct uns_moment){.mark = UNS_MARK_CHUNK,
                                     .count = 1,
                                     .at_ns = now_ns,
                                     .gap_ns = gap_ns - 5 * US};
        uns_timeline_note(timeline, &moment);
        assert_true(timeline->len <= cap);
    }
    sums = read_all(buf, timeline->len, 2 * UNS_S);
    CHECK_INT("chunks noted", (int64_t)timeline->chunks, chunks);
    CHECK_INT("chunks read", (int64_t)sums.chunks, chunks);
    CHECK_INT("end", sums.end_ns, now_ns);
    free(buf);
    return sums;
}

static void test_timeline_keeps_a_usual_stream_whole(void **state)
{
    struct uns_timeline timeline;
    struct sums sums = stream(UNS_TIMELINE_BYTES, 1500, 500, &timeline);

    (void)state;
    CHECK_INT("thinned", timeline.effort, 0);
    CHECK_INT("every one is an entry", (int64_t)sums.entries, 1500 + 150);
    CHECK_INT("stalls", (int64_t)sums.stalls, 3);
}

static void test_timeline_thins_and_keeps_the_gaps(void **state)
{
    /* clang-format off */
    static const struct {
        const char *name;
        size_t cap;
        long chunks, stall_each, stalls, entries;
    } rows[] = {
        {"an hour", UNS_TIMELINE_BYTES, 180000, 1000, 180, 300},
        {"a million chunks", UNS_TIMELINE_BYTES, 1000000, 5000, 200, 300},
        {"the smallest buffer", UNS_TIMELINE_MIN, 5000, 500, 10, 15},
        {"nearly all that fits is gaps", UNS_TIMELINE_BYTES, 700, 1, 700, 700},
    };

    /* clang-format on */

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        struct uns_timeline timeline;
        struct sums sums =
            stream(rows[i].cap, rows[i].chunks, rows[i].stall_each, &timeline);
        CHECK_INT(rows[i].name, (int64_t)sums.stalls, rows[i].stalls);
        assert_true((long)sums.entries >= rows[i].entries);
    }
}

/* More long gaps than fit: the longest is the last to go. */
static void test_timeline_prefers_the_longer_gap(void **state)
{
    uint8_t buf[UNS_TIMELINE_MIN];
    struct uns_timeline timeline;
    uns_ns now_ns = 0;
    struct sums sums;

    (void)state;
    uns_timeline_init(&timeline, buf, sizeof buf, UNS_S);
    for (int i = 0; i < 2000; i++) {
        uns_ns gap_ns = i == 700 ? 3600 * UNS_S : 2 * UNS_S;
        now_ns += gap_ns;
        uns_timeline_note(&timeline,
                          &(struct uns_moment){.mark = UNS_MARK_CHUNK,
                                               .at_ns = now_ns,
                                               .gap_ns = gap_ns});
    }
    sums = read_all(buf, timeline.len, UNS_S);
    CHECK_INT("chunks", (int64_t)sums.chunks, 2000);
    CHECK_INT("longest", sums.max_gap_ns, 3600 * UNS_S);
}

/* Two entries of one byte are no shorter as one: such a pair stays a pair, or
 * writing would overtake reading. */
static void test_timeline_thins_entries_of_one_byte(void **state)
{
    uint8_t buf[UNS_TIMELINE_MIN];
    struct uns_timeline timeline;

    (void)state;
    uns_timeline_init(&timeline, buf, sizeof buf, UNS_S);
    for (int i = 0; i < 3000; i++) {
        struct uns_moment moment = {.mark = i % 3 ? UNS_MARK_CHUNK
                                                  : UNS_MARK_STRUCTURAL,
                                    .at_ns = i * US};
        uns_timeline_note(&timeline, &moment);
        CHECK_INT("chunks", (int64_t)read_all(buf, timeline.len, UNS_S).chunks,
                  (int64_t)timeline.chunks);
    }
}

static void test_timeline_keeps_pauses_apart(void **state)
{
    uint8_t buf[UNS_TIMELINE_MIN];
    struct uns_timeline timeline;
    struct uns_moment moment = {.count = 0};
    uns_ns paused_ns = 0;
    size_t at = 0;

    (void)state;
    uns_timeline_init(&timeline, buf, sizeof buf, UNS_S);
    for (int i = 0; i < 1000; i++) {
        struct uns_moment noted = {.mark = UNS_MARK_CHUNK,
                                   .at_ns = i * 20 * UNS_MS};
        if (i == 500 || i == 501)
            noted.mark = UNS_MARK_PAUSE, noted.span_ns = 5 * UNS_MS;
        uns_timeline_note(&timeline, &noted);
    }
    while (uns_timeline_next(buf, timeline.len, &at, &moment))
        paused_ns += moment.mark == UNS_MARK_PAUSE ? moment.span_ns : 0;
    CHECK_INT("thinned", timeline.effort > 0, true);
    CHECK_INT("paused", paused_ns, 10 * UNS_MS);
}

/* Counts of two entries that do not fit in one. */
static void test_timeline_does_not_wrap_a_count(void **state)
{
    uint8_t buf[UNS_TIMELINE_MIN];
    struct uns_timeline timeline;

    (void)state;
    uns_timeline_init(&timeline, buf, sizeof buf, UNS_S);
    for (int i = 0; i < 1000; i++)
        uns_timeline_note(
            &timeline, &(struct uns_moment){.mark = UNS_MARK_CHUNK,
                                            .count = i < 997 ? 1 : UINT32_MAX,
                                            .at_ns = i * UNS_MS});
    CHECK_INT("chunks", (int64_t)read_all(buf, timeline.len, UNS_S).chunks,
              997 + 3 * (int64_t)UINT32_MAX);
}

/* Nothing of a hostile mix makes it grow or lose count. */
static void test_timeline_survives_any_mix(void **state)
{
    (void)state;
    for (unsigned seed = 1; seed <= 40; seed++) {
        uint8_t buf[UNS_TIMELINE_MIN + 40];
        struct uns_timeline timeline;
        uint64_t random = seed * 0x9e3779b97f4a7c15u, chunks = 0;
        uns_ns now_ns = 0;
        uns_timeline_init(&timeline, buf, UNS_TIMELINE_MIN + seed,
                          seed % 3 * UNS_S);
        for (int i = 0; i < 5000; i++) {
            random = random * 6364136223846793005u + 1442695040888963407u;
            unsigned bits = (unsigned)(random >> 33);
            struct uns_moment moment = {
                .mark = (enum uns_mark)(bits & 3),
                .count = 1 + (bits >> 2 & 3),
                .at_ns = now_ns += (uns_ns)1 << (bits >> 4 & 31),
                .gap_ns = (uns_ns)1 << (bits >> 9 & 31),
                .span_ns =
                    (bits >> 14 & 7) ? 0 : (uns_ns)1 << (bits >> 17 & 31),
            };
            uns_timeline_note(&timeline, &moment);
            chunks += moment.mark == UNS_MARK_CHUNK ? moment.count : 0;
            assert_true(timeline.len <= timeline.cap);
        }
        CHECK_INT("noted", (int64_t)timeline.chunks, (int64_t)chunks);
        CHECK_INT("read", (int64_t)read_all(buf, timeline.len, 0).chunks,
                  (int64_t)chunks);
    }
}

static void test_timeline_reads_damage_as_the_end(void **state)
{
    /* clang-format off */
    static const struct {
        const char *name;
        size_t len;
        uint8_t blob[16];
        int64_t entries;
    } rows[] = {
        {"nothing", 0, {0}, 0},
        {"only a version", 1, {1}, 0},
        {"another version", 2, {2, 0}, 0},
        {"an entry", 2, {1, 0}, 1},
        {"cut in its head", 2, {1, 0x80}, 0},
        {"cut in its gap", 2, {1, 0x11}, 0},
        {"cut in its count", 2, {1, 0x12}, 0},
        {"cut in its span", 3, {1, 0x12, 0}, 0},
        {"a gap that is none", 3, {1, 0x11, 0x04}, 0},
        {"a gap before the start", 3, {1, 0x11, 0x01}, 0},
        {"a number without end", 13,
         {1, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0},
         0},
        {"a time beyond all", 11,
         {1, 0xf0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01}, 0},
        {"a count beyond 32 bits", 9,
         {1, 0x12, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01, 0}, 0},
        {"the entries before it are read", 4, {1, 0, 0, 0x80}, 2},
    };

    /* clang-format on */

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++)
        CHECK_INT(rows[i].name,
                  (int64_t)read_all(rows[i].blob, rows[i].len, 0).entries,
                  rows[i].entries);
}

/* Killed in the middle of a write: any prefix is a shorter blob. */
static void test_timeline_reads_every_prefix(void **state)
{
    uint8_t buf[UNS_TIMELINE_MIN];
    struct uns_timeline timeline;
    uint64_t entries = 0;

    (void)state;
    uns_timeline_init(&timeline, buf, sizeof buf, UNS_S);
    for (int i = 1; i < 30; i++)
        uns_timeline_note(&timeline,
                          &(struct uns_moment){.mark = UNS_MARK_CHUNK,
                                               .at_ns = i * UNS_S,
                                               .gap_ns = UNS_S - i * US});
    for (size_t len = 0; len <= timeline.len; len++) {
        uint64_t more = read_all(buf, len, 0).entries;
        assert_true(more == entries || more == entries + 1);
        entries = more;
    }
    CHECK_INT("all", (int64_t)entries, 29);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_timeline_reads_back_what_was_noted),
        cmocka_unit_test(test_timeline_rounds_so_that_stalls_stay_stalls),
        cmocka_unit_test(test_timeline_never_goes_back),
        cmocka_unit_test(test_timeline_keeps_a_usual_stream_whole),
        cmocka_unit_test(test_timeline_thins_and_keeps_the_gaps),
        cmocka_unit_test(test_timeline_prefers_the_longer_gap),
        cmocka_unit_test(test_timeline_thins_entries_of_one_byte),
        cmocka_unit_test(test_timeline_keeps_pauses_apart),
        cmocka_unit_test(test_timeline_does_not_wrap_a_count),
        cmocka_unit_test(test_timeline_survives_any_mix),
        cmocka_unit_test(test_timeline_reads_damage_as_the_end),
        cmocka_unit_test(test_timeline_reads_every_prefix),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
