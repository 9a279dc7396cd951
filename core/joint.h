/* SPDX-License-Identifier: MIT */
#ifndef UNS_JOINT_H
#define UNS_JOINT_H

/*
 * joint - a rival's stream, brought up to what an application has been told by
 * another one, and then passed on as if it were the same stream.
 *
 *   told      role  In  the  Lof|
 *   rival     role  In  the  Lofoten  and  ...  finish  end
 *                               |---------------------------> passed on
 *
 * Frames before the joint are compared and swallowed.  The one across it loses
 * what was told of its text.  All that are passed on keep their own bytes, but
 * for the values that name the stream, which are the first stream's.  At the
 * first difference it is over: two answers are never mixed.
 *
 * A rival that was asked to continue (PREFILL) writes on at once, or repeats
 * the text and then writes on; which of the two its first bytes tell.
 */

#include "told.h"

enum uns_joint_how {
    UNS_JOINT_VERIFY, /* the rival writes the answer anew */
    UNS_JOINT_PREFILL /* it was given the answer so far, without the white
                         space at its end */
};

enum uns_joint_state {
    UNS_JOINT_MEETS,    /* nothing new yet */
    UNS_JOINT_BEYOND,   /* what comes is passed on */
    UNS_JOINT_DIVERGED, /* another answer, or one that cannot be compared */
    UNS_JOINT_FAILED    /* an error; beyond: from `rest` on nothing was passed
                           on */
};

/* Texts shorter than this cannot be told from the begin of another one. */
#define UNS_JOINT_ECHO_BYTES 16

/* Takes what is passed on, frame by frame.  False: no memory. */
typedef bool uns_joint_pass(void *ctx, struct uns_slice frame);

/* Must not be copied or moved once initialised. */
struct uns_joint {
    enum uns_joint_state state; /* for reading */
    struct uns_run rest;        /* bytes of frames that are not complete */

    /* ---- */
    struct uns_told *told;
    uns_joint_pass *pass;
    void *ctx;
    struct uns_cut cut;
    struct uns_stream stream;
    struct uns_run early;          /* frames that go along, if it joins */
    struct uns_run out;            /* the frame that is being passed on */
    bool probing;                  /* it repeats, or writes on: not known yet */
    size_t echoed;                 /* of the answer, while it is probed */
    size_t soft;                   /* the answer without its last spaces */
    unsigned shift;                /* its blocks have lower numbers by this */
    bool mended;                   /* something was passed on */
    uint64_t serial;               /* of the last frame passed on */
    size_t met[UNS_TOLD_STRANDS];  /* of each text */
    unsigned words;                /* that were told */
    bool heard[UNS_TOLD_WORDS];    /* each of them, from the rival */
    unsigned marks;                /* that were told */
    unsigned owed[UNS_TOLD_MARKS]; /* of each: those that are to be met */
};

/* Begin.  `told`, which was found ready, is borrowed, and hears what is
 * passed on. */
void uns_joint_init(struct uns_joint *joint, struct uns_told *told,
                    enum uns_joint_how how);
void uns_joint_done(struct uns_joint *joint);

/* Where to pass on to; before the first bytes. */
void uns_joint_to(struct uns_joint *joint, uns_joint_pass *pass, void *ctx);

/* The next bytes of the rival's body; its clean end. */
enum uns_joint_state uns_joint_feed(struct uns_joint *joint, const char *bytes,
                                    size_t len);
enum uns_joint_state uns_joint_end(struct uns_joint *joint);

/* Length of a text without the white space at its end. */
size_t uns_joint_trimmed(struct uns_slice text);

/* Is it text that a rival can be asked to continue?  Not behind tool calls or
 * signatures, nor inside a character; and not so short that nobody could tell
 * a repetition from a continuation. */
bool uns_joint_can_prefill(struct uns_told *told);

#endif
