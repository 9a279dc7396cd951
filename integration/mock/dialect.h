/* SPDX-License-Identifier: MIT */
#ifndef MOCK_DIALECT_H
#define MOCK_DIALECT_H

/*
 * dialect - what each provider's answers look like, as data: one template per
 * frame, with $slots, and ' standing for ".  The order of the frames is the
 * order in which a stream sends them:
 *
 *   OPEN [THINK_OPEN THINK.. THINK_CLOSE] [TEXT_OPEN TEXT.. TEXT_CLOSE]
 *        [TOOL_OPEN TOOL_ARGS.. TOOL_CLOSE] FINISH USAGE END
 *
 * A template that is missing is a frame that this dialect does not have.
 */

#include "http.h"
#include "render.h"

enum mock_frame {
    MOCK_FRAME_OPEN,
    MOCK_FRAME_THINK_OPEN,
    MOCK_FRAME_THINK,
    MOCK_FRAME_THINK_CLOSE,
    MOCK_FRAME_TEXT_OPEN,
    MOCK_FRAME_TEXT,
    MOCK_FRAME_TEXT_CLOSE,
    MOCK_FRAME_TOOL_OPEN,
    MOCK_FRAME_TOOL_ARGS,
    MOCK_FRAME_TOOL_CLOSE,
    MOCK_FRAME_FINISH,
    MOCK_FRAME_USAGE,
    MOCK_FRAME_END,
    MOCK_FRAME_ERROR,   /* inside a stream */
    MOCK_FRAME_WHOLE,   /* the answer that is no stream */
    MOCK_FRAME_REFUSAL, /* the body of a status that is not 200 */
    MOCK_FRAME_FILL,    /* bytes without meaning */
    MOCK_FRAME_STAGES,  /* so many are sent in order; the rest when asked */

    MOCK_FRAME_COMMENT = MOCK_FRAME_STAGES,
    MOCK_FRAME_PING,
    MOCK_FRAME_EMPTY,
    MOCK_FRAME_ROLE,
    MOCK_FRAME_EARLY, /* for EMPTY and ROLE where nothing is open yet */
    MOCK_FRAME_MALFORMED,
    MOCK_FRAME_THOUGHT, /* part of WHOLE when there is reasoning */
    MOCK_FRAME_CALL,    /* part of WHOLE when there is a tool call */
    MOCK_FRAME_COUNT
};

struct mock_dialect {
    const char *name;
    const char *content_type; /* of a stream */
    const char *id_header;    /* the request id's; NULL: none */
    const char *stop;         /* finish reason */
    const char *stop_tool;    /* the same after a tool call */
    int arg_pieces;           /* in how many frames a call's arguments come */
    const char *text[MOCK_FRAME_COUNT];
    struct mock_template frames[MOCK_FRAME_COUNT]; /* text, compiled */
};

extern struct mock_dialect mock_dialect_chat;
extern struct mock_dialect mock_dialect_completions;
extern struct mock_dialect mock_dialect_responses;
extern struct mock_dialect mock_dialect_anthropic;
extern struct mock_dialect mock_dialect_gemini;
extern struct mock_dialect mock_dialect_gemini_array;
extern struct mock_dialect mock_dialect_ollama_chat;
extern struct mock_dialect mock_dialect_ollama_generate;

/* No provider's: plain bytes, plain errors. */
extern struct mock_dialect mock_dialect_plain;

/* Compiles all templates, once; gives the memory back. */
void mock_dialect_init(void);
void mock_dialect_done(void);

/* What is asked, and whether as a stream. */
struct mock_dialect *mock_dialect_of(const struct mock_request *request,
                                     bool *ret_stream);

/* The model that is asked, from the body or the path; "none" when it does not
 * say. */
struct mock_str mock_dialect_model(const struct mock_request *request);

/* The text that the request's last message has begun the answer with, as the
 * inside of a JSON string; none: { NULL, 0 }. */
struct mock_str mock_dialect_prefix(const struct mock_request *request);

/* What the providers call a status. */
struct mock_refusal {
    int status;
    const char *openai_type;
    const char *openai_code;
    const char *anthropic_type;
    const char *google_status;
};

/* The row of a status; of 500 for one that is not known. */
const struct mock_refusal *mock_dialect_refusal(int status);

#endif
