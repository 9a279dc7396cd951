/* SPDX-License-Identifier: MIT */
#ifndef UNS_FRAME_H
#define UNS_FRAME_H

/*
 * frame - how a body is cut into events.
 *
 * Pull tokens from a piece of input until it is used up.  Payload comes as
 * slices of the input: no line is ever kept, so none can be too long.  Server
 * sent events follow WHATWG HTML 9.2.6, but for what servers get wrong: a
 * field `error:` (llama.cpp before 2025-09), JSON without `data:`, a missing
 * blank line, no end at all.
 *
 *   LINE DATA* [LINE DATA*]... EVENT      lines of data, then a blank one
 *   LINE DATA*  (until uns_frame_close)   JSON that no line frames
 */

#include "units.h"

#include <stdbool.h>

/* How a body is cut into events; chosen by the response's content type. */
enum uns_framing {
    UNS_FRAMING_UNKNOWN, /* decided by the first bytes */
    UNS_FRAMING_SSE,
    UNS_FRAMING_NDJSON,
    UNS_FRAMING_ARRAY,
    UNS_FRAMING_DOCUMENT, /* a reply that does not stream: one content chunk */
    UNS_FRAMING_NONE      /* no framing that we know: HTML, garbage */
};

enum uns_token {
    UNS_TOKEN_MORE,    /* the piece is used up */
    UNS_TOKEN_LINE,    /* a line of data begins */
    UNS_TOKEN_DATA,    /* bytes of it; possibly none */
    UNS_TOKEN_EVENT,   /* the lines since the last EVENT are one event */
    UNS_TOKEN_COMMENT, /* a comment between events */
    UNS_TOKEN_AGAIN    /* a second `event:` after data: is the event over? */
};

enum {
    UNS_FRAME_NAME_BYTES = 64,
    UNS_FRAME_FIELD_BYTES = 6,
    UNS_FRAME_AT_LINE = 1 /* a state: at the begin of a line */
};

struct uns_frame {
    enum uns_framing framing;
    uint8_t name_len;
    char name[UNS_FRAME_NAME_BYTES]; /* of `event:`, cut; not terminated */

    /* ---- */
    enum uns_framing object, array; /* if the body begins with '{' or '[' */
    bool told;                      /* the content type says SSE */
    bool sure;                      /* a known field was seen, or it is told */
    bool bare;                      /* inside of JSON that no line frames */
    bool returns;                   /* lines may end with CR */
    bool skip_lf;                   /* the last byte was a CR */
    bool has_data;                  /* this block has a data line */
    bool inside;                    /* this block has a field */
    bool spaced; /* LINE has eaten the space after the colon */
    uint8_t bom; /* bytes of the byte order mark seen */
    uint8_t state, kind;
    uint8_t field_len;
    char field[UNS_FRAME_FIELD_BYTES];
};

/* Begin a body: `told` if the content type says that it is SSE; `object` and
 * `array` are the framings of a body that begins with '{' or '[', unless it
 * is told. */
void uns_frame_init(struct uns_frame *frame, bool told, enum uns_framing object,
                    enum uns_framing array);

/* The next token of `input`, which is moved forward; for DATA the bytes are
 * in `ret_data`. */
enum uns_token uns_frame_next(struct uns_frame *frame, struct uns_slice *input,
                              struct uns_slice *ret_data);

/* Unframed JSON is complete.  What follows in the input: in an array the next
 * document; nothing after a single one; else the rest of the line means
 * nothing, and then lines are lines again. */
void uns_frame_close(struct uns_frame *frame);

/* Behind an EVENT: the second half of its line's end is eaten, if it is in the
 * input. */
static inline void uns_frame_settle(struct uns_frame *frame,
                                    struct uns_slice *input)
{
    if (frame->skip_lf && input->len != 0) {
        size_t len = *input->data == '\n';

        frame->skip_lf = false;
        input->data += len;
        input->len -= len;
    }
}

/* Between two events that are lines: the next byte begins a line. */
static inline bool uns_frame_idle(const struct uns_frame *frame)
{
    return frame->state == UNS_FRAME_AT_LINE && !frame->bare &&
           !frame->has_data && !frame->skip_lf && frame->name_len == 0 &&
           (frame->framing == UNS_FRAMING_NDJSON ||
            (frame->framing == UNS_FRAMING_SSE && !frame->inside));
}

/* Nothing more of the body can be understood. */
void uns_frame_stop(struct uns_frame *frame);

/* The line of unframed JSON that has just begun (LINE) is no part of it. */
void uns_frame_abandon(struct uns_frame *frame);

/* The event is over though no blank line says so. */
void uns_frame_break(struct uns_frame *frame);

#endif
