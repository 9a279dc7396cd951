/* SPDX-License-Identifier: MIT */

/*
 * Whether a frame is the end, an error or progress at all is the stream's to
 * say (stream.h), as for every other stream; here is only where it stands
 * against what was told.
 */

#include "joint_frame.h"

#include <string.h>

size_t uns_joint_trimmed(struct uns_slice text)
{
    while (text.len && memchr(" \t\r\n", text.data[text.len - 1], 4))
        text.len--;
    return text.len;
}

/* UTF-8: the last character is complete. */
static bool ends_whole(struct uns_slice text)
{
    size_t middle = 0;
    unsigned char lead;

    while (middle < text.len && middle < 3 &&
           ((unsigned char)text.data[text.len - 1 - middle] & 0xc0) == 0x80)
        middle++;
    if (middle == text.len)
        return false;
    lead = (unsigned char)text.data[text.len - 1 - middle];
    return middle == (lead < 0xc0   ? 0u
                      : lead < 0xe0 ? 1u
                      : lead < 0xf0 ? 2u
                                    : 3u);
}

bool uns_joint_can_prefill(struct uns_told *told)
{
    const struct uns_strand *answer = uns_told_answer(told);

    return answer && !told->proven && told->answering &&
           ends_whole(uns_run_slice(&answer->text)) &&
           uns_joint_trimmed(uns_run_slice(&answer->text)) >=
               UNS_JOINT_ECHO_BYTES;
}

void uns_joint_init(struct uns_joint *joint, struct uns_told *told,
                    enum uns_joint_how how)
{
    const struct uns_strand *answer = uns_told_answer(told);

    memset(joint, 0, sizeof *joint);
    joint->told = told;
    joint->soft = SIZE_MAX;
    joint->words = told->words;
    for (unsigned i = 0; i < told->words; i++)
        joint->heard[i] = !told->word[i].same;
    joint->marks = told->marks;
    for (unsigned i = 0; i < told->marks; i++)
        joint->owed[i] = told->mark[i].count;
    uns_stream_init(&joint->stream, told->dialect, true, NULL);
    if (how != UNS_JOINT_PREFILL || !answer)
        return;
    joint->probing = true;
    joint->shift = told->block;
    joint->soft = uns_joint_trimmed(uns_run_slice(&answer->text));
}

void uns_joint_to(struct uns_joint *joint, uns_joint_pass *pass, void *ctx)
{
    joint->pass = pass;
    joint->ctx = ctx;
}

void uns_joint_done(struct uns_joint *joint)
{
    uns_run_free(&joint->rest, joint->told->heap);
    uns_run_free(&joint->early, joint->told->heap);
    uns_run_free(&joint->out, joint->told->heap);
}

/* --- frames --------------------------------------------------------------- */

static bool is_over(const struct uns_joint *joint)
{
    return joint->state == UNS_JOINT_DIVERGED ||
           joint->state == UNS_JOINT_FAILED;
}

static void put(struct uns_joint *joint, struct uns_joint_frame *frame)
{
    if (!is_over(joint) && !uns_joint_put(joint, frame))
        joint->state = UNS_JOINT_FAILED;
}

static void read_parts(const struct uns_joint *joint,
                       struct uns_joint_frame *frame)
{
    memset(&frame->cut, 0, sizeof frame->cut);
    frame->cut.across = UNS_PARTS;
    uns_parts_read(&frame->parts, joint->told->dialect, frame->bytes,
                   joint->shift);
}

/* False: nothing more comes of it. */
static bool read_frame(struct uns_joint *joint, struct uns_joint_frame *frame)
{
    if (is_over(joint))
        return false;
    frame->news =
        uns_stream_feed(&joint->stream, frame->bytes.data, frame->bytes.len);
    if (frame->last)
        frame->news |= uns_stream_end(&joint->stream);
    if (frame->news & UNS_NEWS_ERROR) {
        joint->state = UNS_JOINT_FAILED;
        return false;
    }
    read_parts(joint, frame);
    return true;
}

static void keep(struct uns_joint *joint, struct uns_slice bytes)
{
    if (!uns_run_add(&joint->early, joint->told->heap, bytes.data, bytes.len))
        joint->state = UNS_JOINT_FAILED;
}

typedef void taker(struct uns_joint *joint, struct uns_joint_frame *frame);

/* Take the frames that were kept, and forget them. */
static void replay(struct uns_joint *joint, taker *take)
{
    struct uns_run early = joint->early;
    struct uns_cut cut = {.kind = joint->cut.kind};
    size_t at = 0, len;

    joint->early = (struct uns_run){0};
    while (at < early.len) {
        struct uns_joint_frame frame = {
            .bytes = {early.data + at, early.len - at}
        };

        len = uns_cut_next(&cut, frame.bytes);
        if (len == 0)
            break;
        frame.bytes.len = len;
        take(joint, &frame);
        at += len;
    }
    uns_run_free(&early, joint->told->heap);
}

static void put_early(struct uns_joint *joint, struct uns_joint_frame *frame)
{
    read_parts(joint, frame);
    put(joint, frame);
}

static void join(struct uns_joint *joint, struct uns_joint_frame *frame)
{
    joint->state = UNS_JOINT_BEYOND;
    uns_told_rejoin(joint->told);
    replay(joint, put_early);
    put(joint, frame);
}

static void take_before(struct uns_joint *joint, struct uns_joint_frame *frame)
{
    switch (uns_joint_meet(joint, frame)) {
    case UNS_JOINT_ANOTHER:
        joint->state = UNS_JOINT_DIVERGED;
        break;
    case UNS_JOINT_NEWS:
        join(joint, frame);
        break;
    case UNS_JOINT_EARLY:
        keep(joint, frame->bytes);
        break;
    case UNS_JOINT_TOLD:
        break;
    }
}

static void take_known(struct uns_joint *joint, struct uns_joint_frame *frame)
{
    if (joint->state != UNS_JOINT_BEYOND)
        take_before(joint, frame);
    else if (!uns_parts_are_marked(&frame->parts) ||
             !uns_joint_meet_mark(joint, &frame->parts))
        put(joint, frame);
}

static void take_again(struct uns_joint *joint, struct uns_joint_frame *frame)
{
    if (read_frame(joint, frame))
        take_known(joint, frame);
}

/* All was told but the answer from `from` on. */
static void decide(struct uns_joint *joint, size_t from)
{
    for (unsigned i = 0; i < joint->told->strands; i++) {
        const struct uns_strand *strand = &joint->told->strand[i];

        joint->met[i] = strand->answer ? from : strand->text.len;
    }
    memset(joint->heard, true, sizeof joint->heard);
    joint->probing = false;
    uns_stream_init(&joint->stream, joint->told->dialect, true, NULL);
    replay(joint, take_again);
}

static void take_probed(struct uns_joint *joint, struct uns_joint_frame *frame)
{
    keep(joint, frame->bytes);
    switch (uns_joint_probe(joint, frame)) {
    case UNS_PROBE_NEITHER:
        joint->state = UNS_JOINT_DIVERGED;
        break;
    case UNS_PROBE_REPEATS:
        decide(joint, 0);
        break;
    case UNS_PROBE_WRITES_ON:
        decide(joint, joint->soft);
        break;
    case UNS_PROBE_MORE:
        break;
    }
}

/* --- bytes ---------------------------------------------------------------- */

/* One that keeps silent in so many bytes joins no more.  What is passed on
 * already may have frames of any length. */
static bool is_too_long(const struct uns_joint *joint)
{
    return joint->state == UNS_JOINT_MEETS &&
           joint->rest.len + joint->early.len > joint->told->limit;
}

static void take(struct uns_joint *joint, struct uns_slice bytes, bool last)
{
    struct uns_joint_frame frame = {.bytes = bytes, .last = last};

    if (!read_frame(joint, &frame))
        return;
    (joint->probing ? take_probed : take_known)(joint, &frame);
}

enum uns_joint_state uns_joint_feed(struct uns_joint *joint, const char *bytes,
                                    size_t len)
{
    size_t at = 0;

    if (!uns_run_add(&joint->rest, joint->told->heap, bytes, len))
        joint->state = UNS_JOINT_FAILED;
    while (!is_over(joint) && at < joint->rest.len) {
        struct uns_slice rest = {joint->rest.data + at, joint->rest.len - at};

        rest.len = uns_cut_next(&joint->cut, rest);
        if (rest.len == 0)
            break;
        take(joint, rest, false);
        at += is_over(joint) ? 0 : rest.len;
    }
    uns_run_drop(&joint->rest, at);
    if (is_too_long(joint))
        joint->state = UNS_JOINT_FAILED;
    return joint->state;
}

/* A last frame without its end is one all the same. */
enum uns_joint_state uns_joint_end(struct uns_joint *joint)
{
    if (!is_over(joint) && joint->rest.len)
        take(joint, uns_run_slice(&joint->rest), true);
    if (!is_over(joint))
        joint->rest.len = 0;
    if (joint->state == UNS_JOINT_MEETS)
        joint->state = UNS_JOINT_DIVERGED;
    return joint->state;
}
