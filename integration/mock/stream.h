/* SPDX-License-Identifier: MIT */
#ifndef MOCK_STREAM_H
#define MOCK_STREAM_H

/*
 * stream - one answer as a row of frames in time.  No I/O: asked for the next
 * step, it appends a frame, or says when to ask again, or how it ends.
 */

#include "dialect.h"
#include "plan.h"

enum mock_step {
    MOCK_STEP_FRAME, /* a frame was appended */
    MOCK_STEP_WAIT,  /* nothing until `due_ns` */
    MOCK_STEP_CUT,   /* a frame was appended; half of it goes out */
    MOCK_STEP_RESET, /* the connection is to be reset */
    MOCK_STEP_HANG,  /* all sent, but the body does not end */
    MOCK_STEP_END
};

struct mock_stream {
    struct mock_dialect *dialect;
    struct mock_plan *plan;
    struct mock_str name;    /* the server's */
    struct mock_str text_of; /* whose text is spoken */
    struct mock_str model;
    struct mock_str echo; /* begins the text; usually none */
    uint64_t text_from;   /* tokens of the text that are not sent again */
    int status;
    struct mock_str why; /* of a plain refusal */
    uint64_t tokens_in;
    uint64_t fill_bytes; /* FRAME_FILL: still to send */

    uint64_t tokens_out; /* of the whole answer */
    int64_t due_ns;      /* of MOCK_STEP_WAIT; MOCK_NEVER: no more */
    uint64_t sent;       /* tokens so far */

    uint64_t total[MOCK_FRAME_STAGES]; /* frames of each stage */
    uint64_t done;                     /* frames of this stage so far */
    size_t stage;                      /* enum mock_frame */
    int64_t quiet_until_ns;
    int64_t chatter_ns;  /* next keepalive */
    int64_t next_ns;     /* next token */
    uint64_t huge_bytes; /* size of the next token; 0: a word */
    uint64_t seq;
    uint64_t block;
    bool separated;
};

/* The fields up to `fill_bytes` are set by the caller. */
enum mock_answer {
    MOCK_ANSWER_STREAM,
    MOCK_ANSWER_WHOLE,
    MOCK_ANSWER_REFUSAL,
    MOCK_ANSWER_FILL
};

/* Gets ready to say what is asked; appends and sends nothing. */
void mock_stream_init(struct mock_stream *stream, enum mock_answer answer);

/* The head is out: silences are counted from now. */
void mock_stream_start(struct mock_stream *stream, int64_t now_ns);

/* The next step. */
enum mock_step mock_stream_next(struct mock_stream *stream, int64_t now_ns,
                                struct mock_buf *out);

/* How long a stream of this plan would have taken: what an answer takes that
 * comes whole. */
int64_t mock_stream_duration(const struct mock_plan *plan);

#endif
