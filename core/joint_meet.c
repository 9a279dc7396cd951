/* SPDX-License-Identifier: MIT */

/* joint_meet - a frame against what was told, text by text, by what they say
 * and not by how it is escaped. */

#include "joint_frame.h"

#include <string.h>

static bool is_met(const struct uns_joint *joint, unsigned i)
{
    const struct uns_strand *strand = &joint->told->strand[i];

    return joint->met[i] >= strand->text.len ||
           (strand->answer && joint->met[i] >= joint->soft);
}

static bool all_met(const struct uns_joint *joint)
{
    for (unsigned i = 0; i < joint->told->strands; i++)
        if (!is_met(joint, i))
            return false;
    for (unsigned i = 0; i < joint->words; i++)
        if (!joint->heard[i])
            return false;
    return true;
}

/* Compare one character with what comes next of a text.  NEWS: `ret_met` bytes
 * of it were told, and no more was. */
static enum uns_joint_verdict meet_char(struct uns_joint *joint, unsigned s,
                                        struct uns_slice c, size_t *ret_met)
{
    const struct uns_strand *strand = &joint->told->strand[s];
    size_t left = strand->text.len - joint->met[s];
    size_t len = c.len < left ? c.len : left;

    *ret_met = 0;
    if (left == 0)
        return UNS_JOINT_NEWS;
    if (memcmp(strand->text.data + joint->met[s], c.data, len) != 0) {
        if (!strand->answer || joint->met[s] < joint->soft)
            return UNS_JOINT_ANOTHER;
        joint->met[s] = strand->text.len;
        return UNS_JOINT_NEWS;
    }
    joint->met[s] += len;
    *ret_met = len;
    return len < c.len ? UNS_JOINT_NEWS : UNS_JOINT_TOLD;
}

/* The joint lies in this text, behind `at` raw bytes. */
static void cut_text(struct uns_joint_cut *cut, unsigned i, size_t at,
                     struct uns_slice left)
{
    cut->skip[i] = at;
    if (cut->across != UNS_PARTS)
        return;
    cut->across = i;
    cut->left_len = left.len;
    memcpy(cut->left, left.data, left.len);
}

static enum uns_joint_verdict
meet_text(struct uns_joint *joint, struct uns_joint_frame *frame, unsigned i)
{
    const struct uns_part *part = &frame->parts.part[i];
    struct uns_strand *strand = uns_told_strand(joint->told, part->key);
    struct uns_slice raw = uns_part_text(part, frame->bytes.data);
    enum uns_joint_verdict verdict = strand ? UNS_JOINT_TOLD : UNS_JOINT_NEWS;
    char c[UNS_CHARS_BYTES];
    size_t at = 0, from = 0, len, met;

    while (strand && verdict == UNS_JOINT_TOLD &&
           (len = uns_chars_next(raw, &at, c))) {
        verdict = meet_char(joint, (unsigned)(strand - joint->told->strand),
                            (struct uns_slice){c, len}, &met);
        if (verdict == UNS_JOINT_NEWS)
            cut_text(&frame->cut, i, met ? at : from,
                     (struct uns_slice){c + met, met ? len - met : 0});
        from = at;
    }
    if (verdict == UNS_JOINT_TOLD)
        frame->cut.skip[i] = raw.len;
    return verdict;
}

/* A value that comes whole: told, or new, but never in part. */
static enum uns_joint_verdict
meet_raw(struct uns_joint *joint, struct uns_joint_frame *frame, unsigned i)
{
    const struct uns_part *part = &frame->parts.part[i];
    struct uns_strand *strand = uns_told_strand(joint->told, part->key);
    size_t s, left;

    if (!strand)
        return UNS_JOINT_NEWS;
    s = (size_t)(strand - joint->told->strand);
    left = strand->text.len - joint->met[s];
    if (left == 0)
        return UNS_JOINT_NEWS;
    if (left < part->len ||
        memcmp(strand->text.data + joint->met[s], frame->bytes.data + part->at,
               part->len) != 0)
        return UNS_JOINT_ANOTHER;
    joint->met[s] += part->len;
    return UNS_JOINT_TOLD;
}

static bool proves(const struct uns_joint_frame *frame)
{
    return frame->news & UNS_NEWS_STRUCTURAL;
}

static void hear_word(struct uns_joint *joint, uint64_t key)
{
    for (unsigned i = 0; i < joint->words; i++)
        if (joint->told->word[i].key == key)
            joint->heard[i] = true;
}

static enum uns_joint_verdict meet_word(struct uns_joint *joint,
                                        const struct uns_joint_frame *frame,
                                        unsigned i)
{
    const struct uns_part *part = &frame->parts.part[i];
    struct uns_slice said = uns_told_word(joint->told, part->key);

    if (!said.data)
        return proves(frame) ? UNS_JOINT_NEWS : UNS_JOINT_TOLD;
    if (part->verb == UNS_PART_ONCE)
        return UNS_JOINT_TOLD;
    hear_word(joint, part->key);
    return said.len == part->len &&
                   !memcmp(said.data, frame->bytes.data + part->at, said.len)
               ? UNS_JOINT_TOLD
               : UNS_JOINT_ANOTHER;
}

static enum uns_joint_verdict
meet_part(struct uns_joint *joint, struct uns_joint_frame *frame, unsigned i)
{
    switch (frame->parts.part[i].verb) {
    case UNS_PART_TEXT:
        return meet_text(joint, frame, i);
    case UNS_PART_RAW:
        return meet_raw(joint, frame, i);
    case UNS_PART_ONCE:
    case UNS_PART_SAME:
        return meet_word(joint, frame, i);
    default:
        return UNS_JOINT_TOLD;
    }
}

bool uns_joint_meet_mark(struct uns_joint *joint, const struct uns_parts *parts)
{
    for (unsigned i = 0; i < joint->marks; i++)
        if (joint->told->mark[i].key == parts->mark && joint->owed[i]) {
            joint->owed[i]--;
            return true;
        }
    return false;
}

enum uns_joint_verdict uns_joint_meet(struct uns_joint *joint,
                                      struct uns_joint_frame *frame)
{
    const struct uns_parts *parts = &frame->parts;
    bool marks = uns_parts_are_marked(parts);
    bool marked = marks && uns_joint_meet_mark(joint, parts);
    bool news = frame->news & (UNS_NEWS_FINISH | UNS_NEWS_END);
    bool twice = false; /* it cannot be passed on without saying it again */

    if (uns_told_is_opaque(parts, frame->news))
        return UNS_JOINT_ANOTHER;
    news |= marks && !marked && proves(frame);
    for (unsigned i = 0; i < parts->count; i++) {
        enum uns_joint_verdict verdict = meet_part(joint, frame, i);

        if (verdict == UNS_JOINT_ANOTHER)
            return UNS_JOINT_ANOTHER;
        news |= verdict == UNS_JOINT_NEWS;
        twice |=
            verdict == UNS_JOINT_TOLD && parts->part[i].verb == UNS_PART_RAW;
    }
    twice |= marked && parts->opens;
    if (news)
        return all_met(joint) && !twice ? UNS_JOINT_NEWS : UNS_JOINT_ANOTHER;
    return marks && !marked && all_met(joint) ? UNS_JOINT_EARLY
                                              : UNS_JOINT_TOLD;
}
