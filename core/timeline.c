/* SPDX-License-Identifier: MIT */

/*
 * timeline - a bounded list of moments, in varints.
 *
 *   blob  = version entry*
 *   entry = head [late] [count-1 span]
 *   head  = delta << 4 | mark << 2 | MANY << 1 | GAP
 *   late  = zigzag(delta - gap)              with GAP: the gap is not 0
 *
 * All times are microseconds.  delta counts from the last arrival of the entry
 * before, so an entry can be merged or moved without touching its neighbours.
 * gap is stored as what it falls short of delta: for an application that is
 * always ready that is next to nothing, and a chunk takes four bytes.
 *
 * Thinning rewrites the buffer in place, group by group.  A group is replaced
 * only if that makes it no longer, so writing never overtakes reading.
 */

#include "timeline.h"

#include <string.h>

#define US ((uns_ns)1000)

/* Beyond any real time (about 140 years), far from overflow. */
#define LIMIT_US ((uint64_t)1 << 52)

#define VERSION 1

enum {
    HAS_GAP = 1,
    HAS_MANY = 2,
    MARK_SHIFT = 2,
    DELTA_SHIFT = 4,
    VARINT_MAX = 10,
    ENTRY_MAX = 4 * VARINT_MAX
};

/* What thinning may do grows with the effort. */
enum {
    DROP_OTHER = 2,
    DROP_STRUCTURAL = 3,
    SWALLOW_GAPS = 9, /* from here on gaps of keep_ns and more go, too */
    EFFORT_MAX = 54   /* swallows all: a ms, doubled 45 times, is for ever */
};

#define FIRST_GRAIN (16 * UNS_MS) /* four times as long each time */

static size_t put_varint(uint8_t *out, uint64_t value)
{
    size_t len = 0;
    for (; value >= 0x80; value >>= 7)
        out[len++] = (uint8_t)(value | 0x80);
    out[len++] = (uint8_t)value;
    return len;
}

static bool get_varint(const uint8_t *blob, size_t len, size_t *at,
                       uint64_t *ret_value)
{
    uint64_t value = 0;
    for (unsigned shift = 0; *at < len && shift < 7 * VARINT_MAX; shift += 7) {
        uint8_t byte = blob[(*at)++];
        value |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80) {
            *ret_value = value;
            return true;
        }
    }
    return false;
}

/* Small numbers of either sign to small numbers. */
static uint64_t zigzag(int64_t value)
{
    return value < 0 ? ~((uint64_t)value << 1) : (uint64_t)value << 1;
}

static int64_t unzigzag(uint64_t value)
{
    return (int64_t)(value >> 1) ^ -(int64_t)(value & 1);
}

static uns_ns end_of(const struct uns_moment *moment)
{
    return moment->at_ns + moment->span_ns;
}

static size_t encode(uint8_t out[ENTRY_MAX], const struct uns_moment *moment,
                     uns_ns base_ns)
{
    int64_t delta = (moment->at_ns - base_ns) / US;
    bool many = moment->count > 1 || moment->span_ns > 0;
    bool gap = moment->gap_ns > 0;
    size_t len =
        put_varint(out, (uint64_t)delta << DELTA_SHIFT |
                            (unsigned)moment->mark << MARK_SHIFT |
                            (many ? HAS_MANY : 0u) | (gap ? HAS_GAP : 0u));

    if (gap)
        len += put_varint(out + len, zigzag(delta - moment->gap_ns / US));
    if (many) {
        len += put_varint(out + len, moment->count - 1);
        len += put_varint(out + len, (uint64_t)(moment->span_ns / US));
    }
    return len;
}

struct raw {
    uint64_t head, late, more, span; /* more: count - 1 */
};

static bool get_raw(const uint8_t *blob, size_t len, size_t *at,
                    struct raw *raw)
{
    *raw = (struct raw){0};
    return get_varint(blob, len, at, &raw->head) &&
           (!(raw->head & HAS_GAP) || get_varint(blob, len, at, &raw->late)) &&
           (!(raw->head & HAS_MANY) || (get_varint(blob, len, at, &raw->more) &&
                                        get_varint(blob, len, at, &raw->span)));
}

/* The entry at *at, counted from base_ns.  False: the end, or damage. */
static bool decode(const uint8_t *blob, size_t len, size_t *at, uns_ns base_ns,
                   struct uns_moment *ret_moment)
{
    struct raw raw;
    uint64_t base = (uint64_t)(base_ns / US);
    int64_t gap = 0;

    if (base > LIMIT_US || !get_raw(blob, len, at, &raw))
        return false;
    uint64_t delta = raw.head >> DELTA_SHIFT;
    if (delta > LIMIT_US - base || raw.span > LIMIT_US - base - delta ||
        raw.late > LIMIT_US * 2 || raw.more >= UINT32_MAX)
        return false;
    if (raw.head & HAS_GAP)
        gap = (int64_t)delta - unzigzag(raw.late);
    if (gap < 0 || gap > (int64_t)(base + delta))
        return false;
    *ret_moment = (struct uns_moment){
        .mark = (enum uns_mark)(raw.head >> MARK_SHIFT & 3),
        .count = (uint32_t)raw.more + 1,
        .at_ns = (uns_ns)(base + delta) * US,
        .span_ns = (uns_ns)raw.span * US,
        .gap_ns = gap * US,
    };
    return true;
}

bool uns_timeline_next(const uint8_t *blob, size_t len, size_t *ret_at,
                       struct uns_moment *moment)
{
    uns_ns base_ns = 0;
    if (*ret_at == 0) {
        if (len == 0 || blob[0] != VERSION)
            return false;
        *ret_at = 1;
    } else {
        base_ns = end_of(moment);
    }
    return decode(blob, len, ret_at, base_ns, moment);
}

void uns_timeline_init(struct uns_timeline *timeline, uint8_t *buf, size_t cap,
                       uns_ns keep_ns)
{
    memset(timeline, 0, sizeof *timeline);
    timeline->buf = buf;
    timeline->cap = cap;
    timeline->keep_ns = keep_ns;
    buf[0] = VERSION;
    timeline->len = 1;
}

/* Gaps below it can be swallowed. */
static uns_ns swallowed(const struct uns_timeline *timeline)
{
    uns_ns least = timeline->keep_ns > UNS_MS ? timeline->keep_ns : UNS_MS;
    int doublings = timeline->effort - SWALLOW_GAPS;
    if (doublings <= 0)
        return timeline->keep_ns;
    return least > UNS_NEVER >> doublings ? UNS_NEVER : least << doublings;
}

static bool droppable(const struct uns_timeline *timeline,
                      const struct uns_moment *moment)
{
    switch (moment->mark) {
    case UNS_MARK_OTHER:
        return timeline->effort >= DROP_OTHER;
    case UNS_MARK_STRUCTURAL:
        return timeline->effort >= DROP_STRUCTURAL;
    case UNS_MARK_PAUSE:
        return timeline->effort > SWALLOW_GAPS &&
               moment->span_ns < swallowed(timeline);
    case UNS_MARK_CHUNK:
    case UNS_MARK_COUNT:
        break;
    }
    return false;
}

static bool mergeable(const struct uns_timeline *timeline,
                      const struct uns_moment *first,
                      const struct uns_moment *next)
{
    return first->mark == next->mark && next->mark != UNS_MARK_PAUSE &&
           (next->gap_ns == 0 || next->gap_ns < swallowed(timeline)) &&
           end_of(next) - first->at_ns <= timeline->grain_ns &&
           next->count <= UINT32_MAX - first->count;
}

/* Can `next` be told together with `first`?  If so `first` tells both. */
static bool join(const struct uns_timeline *timeline, struct uns_moment *first,
                 const struct uns_moment *next)
{
    if (droppable(timeline, first)) {
        *first = *next;
        return true;
    }
    if (!mergeable(timeline, first, next))
        return false;
    first->count += next->count;
    first->span_ns = end_of(next) - first->at_ns;
    return true;
}

/* Take in the longest group of entries from *at on.  False: there is none. */
static bool get_group(const struct uns_timeline *timeline, size_t *at,
                      uns_ns base_ns, struct uns_moment *group, uns_ns *ret_end)
{
    struct uns_moment next;
    size_t ahead;

    if (!decode(timeline->buf, timeline->len, at, base_ns, group))
        return false;
    *ret_end = end_of(group);
    for (ahead = *at;
         decode(timeline->buf, timeline->len, &ahead, *ret_end, &next) &&
         join(timeline, group, &next);
         *at = ahead)
        *ret_end = end_of(&next);
    return true;
}

static void thin(struct uns_timeline *timeline)
{
    uint8_t entry[ENTRY_MAX];
    struct uns_moment group;
    size_t read = 1, write = 1, from = 1;
    uns_ns base_ns = 0, end_ns = 0;

    for (; get_group(timeline, &read, base_ns, &group, &end_ns); from = read) {
        size_t size = encode(entry, &group, base_ns);
        const uint8_t *source = entry;
        if (size > read - from) {
            size = read - from;
            source = timeline->buf + from;
        }
        memmove(timeline->buf + write, source, size);
        write += size;
        base_ns = end_ns;
    }
    timeline->thinnings++;
    timeline->len = write;
    timeline->last_at = write; /* the next one stands alone */
}

static void strain(struct uns_timeline *timeline)
{
    timeline->effort++;
    timeline->grain_ns = timeline->effort < SWALLOW_GAPS
                             ? FIRST_GRAIN << 2 * (timeline->effort - 1)
                             : UNS_NEVER;
}

/* Until a quarter is free, so that it is seldom done; what was enough the last
 * time may be so again.  The last effort leaves one entry of each kind. */
static void make_room(struct uns_timeline *timeline)
{
    size_t enough = timeline->cap - timeline->cap / 4;
    thin(timeline);
    while (timeline->len > enough && timeline->effort < EFFORT_MAX) {
        strain(timeline);
        thin(timeline);
    }
}

/* False: no room. */
static bool append(struct uns_timeline *timeline,
                   const struct uns_moment *moment)
{
    uint8_t entry[ENTRY_MAX];
    struct uns_moment whole;
    uns_ns base_ns = timeline->last_ns;
    size_t at = timeline->last_at;

    if (timeline->effort == 0 ||
        !decode(timeline->buf, timeline->len, &at, base_ns, &whole) ||
        !join(timeline, &whole, moment)) {
        whole = *moment;
        base_ns = timeline->end_ns;
        timeline->last_at = timeline->len;
    }
    size_t size = encode(entry, &whole, base_ns);
    if (size > timeline->cap - timeline->last_at)
        return false;
    memcpy(timeline->buf + timeline->last_at, entry, size);
    timeline->len = timeline->last_at + size;
    timeline->last_ns = base_ns;
    timeline->end_ns = end_of(&whole);
    return true;
}

static uns_ns within(uns_ns value, uns_ns least, uns_ns most)
{
    return value < least ? least : value > most ? most : value;
}

/* Whole microseconds, in order, within what an entry can hold. */
static struct uns_moment settle(const struct uns_timeline *timeline,
                                const struct uns_moment *moment)
{
    const uns_ns limit = (uns_ns)LIMIT_US * US;
    struct uns_moment settled = *moment;
    settled.at_ns = within(moment->at_ns / US * US, timeline->end_ns, limit);
    settled.span_ns = within(moment->span_ns, 0, limit - settled.at_ns);
    settled.gap_ns = within(moment->gap_ns, 0, settled.at_ns);
    settled.span_ns = settled.span_ns / US * US;
    settled.gap_ns = (settled.gap_ns + US - 1) / US * US;
    settled.count = moment->count ? moment->count : 1;
    return settled;
}

void uns_timeline_note(struct uns_timeline *timeline,
                       const struct uns_moment *moment)
{
    struct uns_moment settled = settle(timeline, moment);
    if (settled.mark == UNS_MARK_CHUNK)
        timeline->chunks += settled.count;
    if (append(timeline, &settled))
        return;
    make_room(timeline);
    (void)append(timeline, &settled);
}
