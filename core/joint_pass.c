/* SPDX-License-Identifier: MIT */

/*
 * Copies a frame and replaces values on the way.  What was told of a text is
 * cut off between two characters, so nothing is escaped anew.
 */

#include "joint_frame.h"

#include "ascii.h"

#include <string.h>

/* A frame on its way out. */
struct copy {
    struct uns_joint *joint;
    struct uns_slice frame;
    size_t done; /* of the frame */
    bool good;
};

static void put(struct copy *copy, struct uns_slice bytes)
{
    copy->good =
        copy->good && uns_run_add(&copy->joint->out, copy->joint->told->heap,
                                  bytes.data, bytes.len);
}

static void copy_to(struct copy *copy, size_t at)
{
    if (at <= copy->done)
        return;
    put(copy,
        (struct uns_slice){copy->frame.data + copy->done, at - copy->done});
    copy->done = at;
}

/* Instead of the frame's bytes [at, end). */
static void replace(struct copy *copy, size_t at, size_t end,
                    struct uns_slice by)
{
    copy_to(copy, at);
    put(copy, by);
    copy->done = end;
}

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* Of two commas around it one goes, too: the one behind it, or for the last
 * member the one before, which is the end of what was copied. */
static void leave_out(struct copy *copy, const struct uns_part *part)
{
    size_t end = part->at + part->len;
    struct uns_run *out = &copy->joint->out;

    if (part->key_at == SIZE_MAX)
        return;
    copy_to(copy, part->key_at);
    copy->done = end;
    while (end < copy->frame.len && is_space(copy->frame.data[end]))
        end++;
    if (end < copy->frame.len && copy->frame.data[end] == ',') {
        copy->done = end + 1;
        return;
    }
    while (out->len && is_space(out->data[out->len - 1]))
        out->len--;
    if (out->len && out->data[out->len - 1] == ',')
        out->len--;
}

static void put_number(struct copy *copy, const struct uns_part *part,
                       uint64_t number)
{
    char room[UNS_DECIMAL_BYTES];

    replace(copy, part->at, part->at + part->len, uns_decimal(number, room));
}

static void put_text(struct copy *copy, const struct uns_part *part,
                     size_t skip, struct uns_slice left)
{
    if (skip)
        replace(copy, part->at + 1, part->at + 1 + skip, left);
}

static void put_part(struct copy *copy, const struct uns_joint_frame *frame,
                     unsigned i)
{
    struct uns_joint *joint = copy->joint;
    const struct uns_joint_cut *cut = &frame->cut;
    const struct uns_part *part = &frame->parts.part[i];
    struct uns_slice word = uns_told_word(joint->told, part->key);
    struct uns_slice left = {cut->left, cut->across == i ? cut->left_len : 0};

    switch (part->verb) {
    case UNS_PART_TEXT:
        put_text(copy, part, cut->skip[i], left);
        break;
    case UNS_PART_SWAP:
        if (word.data)
            replace(copy, part->at, part->at + part->len, word);
        break;
    case UNS_PART_ONCE:
    case UNS_PART_SAME:
        if (word.data)
            leave_out(copy, part);
        break;
    case UNS_PART_SERIAL:
        put_number(copy, part, ++joint->serial);
        break;
    case UNS_PART_BLOCK:
        if (joint->shift)
            put_number(copy, part, frame->parts.block);
        break;
    default:
        break;
    }
}

/* An element of an array brings no separator of its own: what the application
 * has seen last decides about the first. */
static void begin_element(struct copy *copy, size_t at, bool first)
{
    const struct uns_run *tail = &copy->joint->told->tail;

    copy->done = at;
    if (!first || !tail->len || !memchr(tail->data, ',', tail->len))
        put(copy, (struct uns_slice){",\r\n", 3});
}

/* Hand over what stands in `out`. */
static bool hand_over(struct uns_joint *joint)
{
    struct uns_slice out = uns_run_slice(&joint->out);
    bool good = out.len == 0 || joint->pass(joint->ctx, out);

    if (good && out.len)
        (void)uns_told_hear(joint->told, out.data, out.len);
    joint->out.len = 0;
    return good;
}

static bool is_middle(char c)
{
    return ((unsigned char)c & 0xc0) == 0x80;
}

/* The bytes behind the joint that belong to a character before it. */
static struct uns_slice take_middle(struct uns_joint_frame *frame)
{
    struct uns_joint_cut *cut = &frame->cut;
    struct uns_slice raw, middle = {0};
    size_t *skip;

    if (cut->across == UNS_PARTS)
        return middle;
    raw = uns_part_text(&frame->parts.part[cut->across], frame->bytes.data);
    skip = &cut->skip[cut->across];
    middle.data = raw.data + *skip;
    while (*skip < raw.len && is_middle(raw.data[*skip])) {
        (*skip)++;
        middle.len++;
    }
    return middle;
}

/* The frame that was cut off is completed first; it gets the rest of a
 * character that was cut, too. */
static bool mend(struct uns_joint *joint, struct uns_joint_frame *frame)
{
    struct uns_joint_cut *cut = &frame->cut;
    struct uns_slice rest = {cut->left, cut->left_len};

    joint->mended = true;
    if (!uns_told_in_text(joint->told))
        rest.len = 0;
    else if (!rest.len)
        rest = take_middle(frame);
    if (!uns_told_mend(joint->told, rest, &joint->out))
        return false;
    if (rest.len)
        cut->left_len = 0;
    return hand_over(joint);
}

/* What stands in `out` has to begin like the tail, which is not said twice. */
static bool match_tail(struct uns_joint *joint)
{
    struct uns_slice tail = uns_run_slice(&joint->told->tail);

    while (tail.len && uns_told_is_blank((struct uns_slice){tail.data, 1})) {
        tail.data++;
        tail.len--;
    }
    if (joint->out.len < tail.len ||
        memcmp(joint->out.data, tail.data, tail.len) != 0)
        return false;
    uns_run_drop(&joint->out, tail.len);
    return true;
}

/* The first frame, where the one that was cut could not be mended: it is the
 * same frame, or this is another answer. */
static bool hand_over_matched(struct uns_joint *joint)
{
    joint->mended = match_tail(joint);
    if (joint->mended)
        return hand_over(joint);
    joint->state = UNS_JOINT_DIVERGED;
    joint->out.len = 0;
    return true;
}

bool uns_joint_put(struct uns_joint *joint, struct uns_joint_frame *frame)
{
    struct copy copy = {.joint = joint, .frame = frame->bytes, .good = true};
    bool first = !joint->mended;
    bool match = first && joint->told->match;

    if (first && !match && !mend(joint, frame))
        return false;
    if (first)
        joint->serial = joint->told->serial;
    if (joint->cut.kind == UNS_CUT_ARRAY && frame->parts.json)
        begin_element(&copy, frame->parts.at, first);
    for (unsigned i = 0; i < frame->parts.count; i++)
        put_part(&copy, frame, i);
    copy_to(&copy, frame->bytes.len);
    if (!copy.good)
        return false;
    return match ? hand_over_matched(joint) : hand_over(joint);
}
