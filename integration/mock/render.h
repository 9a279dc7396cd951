/* SPDX-License-Identifier: MIT */
#ifndef MOCK_RENDER_H
#define MOCK_RENDER_H

/*
 * render - templates with $slots, compiled once and filled often.
 */

#include "buf.h"

struct mock_stream;

enum mock_slot {
    MOCK_SLOT_NONE,
    MOCK_SLOT_NAME,    /* the server's */
    MOCK_SLOT_MODEL,   /* the one that was asked */
    MOCK_SLOT_TOKEN,   /* this token */
    MOCK_SLOT_TEXT,    /* all of the text */
    MOCK_SLOT_THINK,   /* all of the reasoning */
    MOCK_SLOT_PIECE,   /* this piece of the arguments, escaped */
    MOCK_SLOT_ARGS,    /* all arguments, escaped */
    MOCK_SLOT_OBJECT,  /* all arguments, as an object */
    MOCK_SLOT_SEQ,     /* counts each use in a stream */
    MOCK_SLOT_BLOCK,   /* index of the open block */
    MOCK_SLOT_SEP,     /* "[" at its first use, then ",\r\n" */
    MOCK_SLOT_PAD,     /* some spaces */
    MOCK_SLOT_STOP,    /* finish reason */
    MOCK_SLOT_IN,      /* tokens of the prompt */
    MOCK_SLOT_OUT,     /* tokens of the answer */
    MOCK_SLOT_SUM,     /* of both */
    MOCK_SLOT_THOUGHT, /* the part about reasoning, if any */
    MOCK_SLOT_CALL,    /* the part about the tool call, if any */
    MOCK_SLOT_STATUS,  /* of an error */
    MOCK_SLOT_TYPE,    /* the error's type at OpenAI, */
    MOCK_SLOT_CODE,    /* its code there, */
    MOCK_SLOT_ATYPE,   /* its type at Anthropic, */
    MOCK_SLOT_GSTATUS, /* its status at Google */
    MOCK_SLOT_WHY,     /* what a plain refusal says */
    MOCK_SLOT_COUNT
};

/* Literal bytes, then a slot. */
struct mock_piece {
    struct mock_str literal;
    enum mock_slot slot;
};

struct mock_template {
    struct mock_piece *pieces; /* NULL: there is none */
    size_t count;
    char *literals; /* owned: what the pieces borrow */
};

/* Compiles; ' becomes ".  Unknown slots end the program. */
void mock_render_compile(struct mock_template *template, const char *text);
void mock_render_free(struct mock_template *template);

/* Appends a template, its slots filled for this stream. */
void mock_render(struct mock_stream *stream,
                 const struct mock_template *template, struct mock_buf *out);

#endif
