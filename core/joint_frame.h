/* SPDX-License-Identifier: MIT */
#ifndef UNS_JOINT_FRAME_H
#define UNS_JOINT_FRAME_H

/* joint_frame - one frame of the rival's, compared and passed on.  Private to
 * joint*.c. */

#include "chars.h"
#include "joint.h"

/* What of a frame's texts was told before. */
struct uns_joint_cut {
    size_t skip[UNS_PARTS]; /* bytes of each raw text */
    unsigned across;        /* the text that the joint lies in, and what
                               is left of a character that it divides */
    char left[UNS_CHARS_BYTES];
    size_t left_len;
};

struct uns_joint_frame {
    struct uns_slice bytes;
    bool last; /* the body has ended */
    unsigned news;
    struct uns_parts parts;
    struct uns_joint_cut cut;
};

enum uns_joint_verdict {
    UNS_JOINT_TOLD,   /* all of it was told, or it says nothing */
    UNS_JOINT_EARLY,  /* it says where what comes belongs */
    UNS_JOINT_NEWS,   /* some of it is new, and all before was told */
    UNS_JOINT_ANOTHER /* it is of another answer */
};

/* Does it repeat the answer that it was given, or write on? */
enum uns_joint_probe {
    UNS_PROBE_MORE, /* not known yet */
    UNS_PROBE_REPEATS,
    UNS_PROBE_WRITES_ON,
    UNS_PROBE_NEITHER
};

/* Compare a frame; says in its `cut` what of it was told. */
enum uns_joint_verdict uns_joint_meet(struct uns_joint *joint,
                                      struct uns_joint_frame *frame);

/* A frame of that type and place is still to be met: it counts as met. */
bool uns_joint_meet_mark(struct uns_joint *joint,
                         const struct uns_parts *parts);

enum uns_joint_probe uns_joint_probe(struct uns_joint *joint,
                                     const struct uns_joint_frame *frame);

/* Pass a frame on, as one of the first stream.  False: no memory. */
bool uns_joint_put(struct uns_joint *joint, struct uns_joint_frame *frame);

#endif
