/* SPDX-License-Identifier: MIT */
/* P8: gaps and stalls of a timeline are those of the definitions. */
#include "cli/gaps.h"

#include "check.h"

#include <stdio.h>

#define MOMENTS 8

struct blob {
    uint8_t bytes[UNS_TIMELINE_BYTES];
    size_t len;
};

/* In milliseconds: {mark, count, at, span, gap}; ends with a count of 0. */
struct spot {
    enum uns_mark mark;
    uint32_t count;
    int64_t at, span, gap;
};

static struct blob blob_of(const struct spot *spots)
{
    static struct blob blob;
    struct uns_timeline timeline;

    uns_timeline_init(&timeline, blob.bytes, sizeof blob.bytes, UNS_S);
    for (; spots->count > 0; spots++)
        uns_timeline_note(&timeline, &(struct uns_moment){
                                         spots->mark,
                                         spots->count,
                                         spots->at * UNS_MS,
                                         spots->span * UNS_MS,
                                         spots->gap * UNS_MS,
                                     });
    blob.len = timeline.len;
    return blob;
}

/* "10x2 5x1~": lengths in ms and counts; ~ after what was merged. */
static const char *gaps_text(const struct blob *blob)
{
    static char text[256];
    struct uns_gaps gaps = uns_gaps_begin(blob->bytes, blob->len);
    struct uns_gap gap;
    size_t used = 0;

    text[0] = '\0';
    while (uns_gaps_next(&gaps, &gap))
        used += (size_t)snprintf(
            text + used, sizeof text - used, "%s%lldx%llu%s", used ? " " : "",
            (long long)(gap.length_ns / UNS_MS), (unsigned long long)gap.count,
            gap.merged ? "~" : "");
    return text;
}

static const struct {
    const char *name;
    struct spot spots[MOMENTS];
    const char *gaps;
    int64_t over_ms, stalls, stall_ms; /* by a threshold */
} rows[] = {
    {"nothing", {{0, 0, 0, 0, 0}}, "", 10, 0, 0},
    {"one chunk has no gap", {{UNS_MARK_CHUNK, 1, 500, 0, 0}}, "", 10, 0, 0},
    {"the wait for the first is none",
     {{UNS_MARK_OTHER, 1, 100, 0, 0}, {UNS_MARK_CHUNK, 1, 900, 0, 800}},
     "",
     10,
     0,
     0},
    {"two chunks have one",
     {{UNS_MARK_CHUNK, 1, 500, 0, 0}, {UNS_MARK_CHUNK, 1, 700, 0, 200}},
     "200x1",
     199,
     1,
     200},
    {"exactly the threshold is no stall",
     {{UNS_MARK_CHUNK, 1, 500, 0, 0}, {UNS_MARK_CHUNK, 1, 700, 0, 200}},
     "200x1",
     200,
     0,
     0},
    {"the program's time is none",
     {{UNS_MARK_CHUNK, 1, 500, 0, 0}, {UNS_MARK_CHUNK, 1, 700, 0, 50}},
     "50x1",
     40,
     1,
     50},
    {"of one piece: nothing between them",
     {{UNS_MARK_CHUNK, 3, 500, 0, 0}, {UNS_MARK_CHUNK, 2, 600, 0, 100}},
     "0x2 100x1 0x1",
     0,
     1,
     100},
    {"merged ones are equal, and never stalls",
     {{UNS_MARK_CHUNK, 1, 500, 0, 0}, {UNS_MARK_CHUNK, 5, 600, 400, 100}},
     "100x1 100x4~",
     50,
     1,
     100},
    {"keepalives end no gap",
     {{UNS_MARK_CHUNK, 1, 0, 0, 0},
      {UNS_MARK_OTHER, 4, 10, 80, 0},
      {UNS_MARK_STRUCTURAL, 1, 95, 0, 0},
      {UNS_MARK_CHUNK, 1, 100, 0, 100}},
     "100x1",
     50,
     1,
     100},
    {"stalls add up",
     {{UNS_MARK_CHUNK, 1, 0, 0, 0},
      {UNS_MARK_CHUNK, 1, 3000, 0, 3000},
      {UNS_MARK_CHUNK, 1, 3010, 0, 10},
      {UNS_MARK_PAUSE, 1, 3020, 500, 0},
      {UNS_MARK_CHUNK, 1, 8520, 0, 5000}},
     "3000x1 10x1 5000x1",
     2000,
     2,
     8000},
};

static void test_gaps_are_those_between_chunks(void **state)
{
    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        struct blob blob = blob_of(rows[i].spots);

        CHECK_TEXT(rows[i].name, gaps_text(&blob), rows[i].gaps);
    }
}

static void test_gaps_over_a_threshold_are_stalls(void **state)
{
    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        struct blob blob = blob_of(rows[i].spots);
        struct uns_stalls stalls =
            uns_gaps_stalls(blob.bytes, blob.len, rows[i].over_ms * UNS_MS);

        CHECK_INT(rows[i].name, stalls.count, rows[i].stalls);
        CHECK_INT(rows[i].name, stalls.stall_ms, rows[i].stall_ms);
    }
}

/* Damage reads as the end, at any place. */
static void test_gaps_bear_any_bytes(void **state)
{
    struct blob blob = blob_of(rows[ROWS(rows) - 1].spots);

    (void)state;
    for (size_t len = 0; len <= blob.len; len++) {
        struct blob cut = blob;

        cut.len = len;
        (void)gaps_text(&cut);
    }
    for (size_t at = 0; at < blob.len; at++) {
        struct blob bent = blob;

        bent.bytes[at] ^= 0xff;
        (void)gaps_text(&bent);
        (void)uns_gaps_stalls(bent.bytes, bent.len, 0);
    }
    assert_int_equal(uns_gaps_stalls(NULL, 0, 0).count, 0);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gaps_are_those_between_chunks),
        cmocka_unit_test(test_gaps_over_a_threshold_are_stalls),
        cmocka_unit_test(test_gaps_bear_any_bytes),
    };

    return cmocka_run_group_tests_name("gaps", tests, NULL, NULL);
}
