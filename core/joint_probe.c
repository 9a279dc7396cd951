/* SPDX-License-Identifier: MIT */

/* joint_probe - whether a rival that was given the answer so far repeats it, as
 * some servers do, writes on, or writes another one from the beginning. */

#include "joint_frame.h"

#include <string.h>

/* One that agrees for a while and then does not has begun anew. */
static enum uns_joint_probe probe_text(struct uns_joint *joint,
                                       struct uns_slice raw)
{
    const struct uns_strand *answer = uns_told_answer(joint->told);
    char c[UNS_CHARS_BYTES];
    size_t at = 0, len;

    while ((len = uns_chars_next(raw, &at, c))) {
        size_t left = joint->soft - joint->echoed;

        if (len > left ||
            memcmp(answer->text.data + joint->echoed, c, len) != 0)
            return joint->echoed < UNS_JOINT_ECHO_BYTES ? UNS_PROBE_WRITES_ON
                                                        : UNS_PROBE_NEITHER;
        joint->echoed += len;
        if (joint->echoed == joint->soft)
            return UNS_PROBE_REPEATS;
    }
    return UNS_PROBE_MORE;
}

static enum uns_joint_probe probe_part(struct uns_joint *joint,
                                       const struct uns_joint_frame *frame,
                                       const struct uns_part *part)
{
    switch (part->verb) {
    case UNS_PART_TEXT:
        return part->answer
                   ? probe_text(joint, uns_part_text(part, frame->bytes.data))
                   : UNS_PROBE_NEITHER; /* it thinks anew */
    case UNS_PART_RAW:
        return UNS_PROBE_WRITES_ON;
    default:
        return UNS_PROBE_MORE;
    }
}

enum uns_joint_probe uns_joint_probe(struct uns_joint *joint,
                                     const struct uns_joint_frame *frame)
{
    enum uns_joint_probe found = UNS_PROBE_MORE;

    for (unsigned i = 0; i < frame->parts.count && found == UNS_PROBE_MORE; i++)
        found = probe_part(joint, frame, &frame->parts.part[i]);
    if (found == UNS_PROBE_MORE &&
        frame->news & (UNS_NEWS_FINISH | UNS_NEWS_END))
        return UNS_PROBE_WRITES_ON;
    return found;
}
