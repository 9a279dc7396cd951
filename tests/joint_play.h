/* SPDX-License-Identifier: MIT */
#ifndef UNS_TESTS_JOINT_PLAY_H
#define UNS_TESTS_JOINT_PLAY_H

/*
 * joint_play - a first stream that stops somewhere and a rival that goes on,
 * and what an application reads from the two together.
 */

#include "check.h"
#include "core/joint.h"
#include "play_server.h"

#define PLAY_BYTES (1 << 17)

struct play_heap {
    long live;
    unsigned asked, fail_at; /* the n-th request for memory fails; 0: none */
};

struct play {
    struct play_heap memory;
    struct uns_heap heap;
    struct uns_told told;
    struct uns_joint joint;
    char out[PLAY_BYTES]; /* all that the application got */
    size_t len;
    unsigned frames; /* of the rival, passed on */
};

/* All that the application gets goes through here: the sink of the joint. */
bool play_pass(void *ctx, struct uns_slice frame);

/* Nothing has come. */
void play_begin(struct play *play, enum uns_dialect dialect);

/* The first stream, as far as it comes. */
void play_tell(struct play *play, const char *bytes, size_t len);

/* The rival's, `step` bytes at a time; 0: all at once. */
enum uns_joint_state play_join(struct play *play, enum uns_joint_how how,
                               const char *bytes, size_t step);

/* Clean up; nothing is left in memory. */
void play_end(struct play *play);

/* What a reader finds in it. */
struct play_reading {
    char text[PLAY_BYTES], piece[PLAY_BYTES];
    size_t len, piece_len, sure; /* up to the last event's end */
    unsigned finishes, ends, errors, restarts;
    struct uns_stream stream;
};

/* Reads it. */
void play_read(struct play_reading *r, enum uns_dialect dialect,
               const char *bytes, size_t len);

#endif
