/* SPDX-License-Identifier: MIT */
/* gaps - an entry of the timeline has a gap in front of it, and those between
 * the chunks that it stands for. */
#include "gaps.h"

struct uns_gaps uns_gaps_begin(const uint8_t *blob, size_t len)
{
    return (struct uns_gaps){.blob = blob, .len = len};
}

static bool next_chunk(struct uns_gaps *gaps)
{
    while (uns_timeline_next(gaps->blob, gaps->len, &gaps->at, &gaps->moment))
        if (gaps->moment.mark == UNS_MARK_CHUNK)
            return true;
    return false;
}

static bool take_inside(struct uns_gaps *gaps, struct uns_gap *ret_gap)
{
    const struct uns_moment *moment = &gaps->moment;

    gaps->inside = false;
    if (moment->count < 2)
        return false;
    ret_gap->count = moment->count - 1;
    ret_gap->length_ns = moment->span_ns / (moment->count - 1);
    ret_gap->merged = moment->span_ns > 0;
    return true;
}

bool uns_gaps_next(struct uns_gaps *gaps, struct uns_gap *ret_gap)
{
    for (;;) {
        if (gaps->inside && take_inside(gaps, ret_gap))
            return true;
        if (!next_chunk(gaps))
            return false;
        gaps->inside = true;
        if (gaps->begun)
            break;
        gaps->begun = true;
    }
    *ret_gap = (struct uns_gap){.length_ns = gaps->moment.gap_ns, .count = 1};
    return true;
}

struct uns_stalls uns_gaps_stalls(const uint8_t *blob, size_t len,
                                  uns_ns threshold_ns)
{
    struct uns_gaps gaps = uns_gaps_begin(blob, len);
    struct uns_gap gap;
    uns_ns sum_ns = 0;
    struct uns_stalls stalls = {0};

    while (uns_gaps_next(&gaps, &gap)) {
        if (gap.merged || gap.length_ns <= threshold_ns)
            continue;
        sum_ns += gap.length_ns;
        stalls.count++;
    }
    stalls.stall_ms = sum_ns / UNS_MS;
    return stalls;
}
