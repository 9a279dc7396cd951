/* SPDX-License-Identifier: MIT */
#ifndef UNS_TESTS_JOINT_PLAY_H
#define UNS_TESTS_JOINT_PLAY_H

/*
 * joint_play - the same answer as two servers stream it, in each dialect; a
 * first stream that stops somewhere and a rival that goes on; and what an
 * application reads from the two together.
 */

#include "check.h"
#include "core/ascii.h"
#include "core/chars.h"
#include "core/joint.h"
#include "core/walk.h"

#include <stdio.h>
#include <stdlib.h>

#define PLAY_BYTES  (1 << 17)
#define PLAY_TOKENS 60

enum play_part {
    PLAY_OPEN, /* before the text */
    PLAY_TEXT,
    PLAY_CLOSE /* finish and end */
};

/* $N the server's name, $T a token, $S the frame's number; ' is ". */
struct play_dialect {
    const char *name;
    enum uns_dialect dialect;
    const char *part[3];
    bool ends; /* it has an end marker, or a finish that is one */
};

/* clang-format off */
#define PLAY_CHAT(delta, finish)                                              \
    "data: {'id':'chatcmpl-$N','object':'chat.completion.chunk','created':17,"\
    "'model':'m-$N','system_fingerprint':'fp_$N','choices':[{'index':0,"      \
    "'delta':" delta ",'finish_reason':" finish "}]}\n\n"
#define PLAY_LEGACY(text, finish)                                             \
    "data: {'id':'cmpl-$N','choices':[{'text':" text ",'index':0,"            \
    "'finish_reason':" finish "}],'model':'m-$N'}\n\n"
#define PLAY_NAMED(type, rest) \
    "event: " type "\ndata: {'type':'" type "'" rest "}\n\n"
#define PLAY_GEMINI(part, more)                                               \
    "{'candidates': [{'content': {'parts': [" part "],'role': 'model'}" more  \
    "}],'usageMetadata': {'promptTokenCount': 7},'modelVersion': 'm-$N',"     \
    "'responseId': 'resp-$N'}"
#define PLAY_OLLAMA(rest)                                                     \
    "{'model':'m-$N','created_at':'2026-01-01T00:00:$SZ'," rest "}\n"
#define PLAY_ITEM "'item':{'id':'msg-$N','type':'message','content':[]}"
#define PLAY_AT   ",'item_id':'msg-$N','output_index':0,'content_index':0"
#define PLAY_SEQ  ",'sequence_number':$S"

static const struct play_dialect play_dialects[] = {
    {"chat", UNS_DIALECT_CHAT,
     {PLAY_CHAT("{'role':'assistant','content':''}", "null"),
      PLAY_CHAT("{'content':'$T'}", "null"),
      PLAY_CHAT("{}", "'stop'")
      "data: {'id':'chatcmpl-$N','choices':[],'usage':"
      "{'prompt_tokens':7,'completion_tokens':60}}\n\n"
      "data: [DONE]\n\n"}, true},
    {"chat, role everywhere", UNS_DIALECT_CHAT,
     {"",
      PLAY_CHAT("{'role':'assistant','content':'$T'}", "null"),
      PLAY_CHAT("{'role':'assistant','content':''}", "'stop'")
      "data: [DONE]\n\n"}, true},
    {"completions", UNS_DIALECT_COMPLETIONS,
     {"", PLAY_LEGACY("'$T'", "null"),
      PLAY_LEGACY("''", "'stop'") "data: [DONE]\n\n"}, true},
    {"anthropic", UNS_DIALECT_ANTHROPIC,
     {PLAY_NAMED("message_start", ",'message':{'id':'msg_$N','model':'m-$N',"
                 "'usage':{'input_tokens':7,'output_tokens':1}}")
      PLAY_NAMED("content_block_start", ",'index':0,'content_block':"
                 "{'type':'text','text':''}")
      PLAY_NAMED("ping", ""),
      PLAY_NAMED("content_block_delta", ",'index':0,'delta':"
                 "{'type':'text_delta','text':'$T'}"),
      PLAY_NAMED("content_block_stop", ",'index':0")
      PLAY_NAMED("message_delta", ",'delta':{'stop_reason':'end_turn'},"
                 "'usage':{'output_tokens':60}")
      PLAY_NAMED("message_stop", "")}, true},
    {"responses", UNS_DIALECT_RESPONSES,
     {PLAY_NAMED("response.created", PLAY_SEQ ",'response':{'id':'resp-$N',"
                 "'created_at':17,'model':'m-$N','output':[]}")
      PLAY_NAMED("response.output_item.added", PLAY_SEQ ",'output_index':0,"
                 PLAY_ITEM)
      PLAY_NAMED("response.content_part.added", PLAY_SEQ PLAY_AT),
      PLAY_NAMED("response.output_text.delta", PLAY_AT PLAY_SEQ
                 ",'delta':'$T'"),
      PLAY_NAMED("response.output_text.done", PLAY_AT PLAY_SEQ)
      PLAY_NAMED("response.content_part.done", PLAY_AT PLAY_SEQ)
      PLAY_NAMED("response.output_item.done", PLAY_SEQ ",'output_index':0,"
                 PLAY_ITEM)
      PLAY_NAMED("response.completed", PLAY_SEQ ",'response':{'id':'resp-$N',"
                 "'created_at':17,'model':'m-$N','output':[{'type':'message',"
                 "'id':'msg-$N'}],'usage':{'output_tokens':60}}")}, true},
    {"gemini", UNS_DIALECT_GEMINI,
     {"", "data: " PLAY_GEMINI("{'text': '$T'}", "") "\r\n\r\n",
      "data: " PLAY_GEMINI("{'text': ''}", ",'finishReason': 'STOP'")
      "\r\n\r\n"}, true},
    {"gemini array", UNS_DIALECT_GEMINI,
     {"[", PLAY_GEMINI("{'text': '$T'}", "") "\n,\r\n",
      PLAY_GEMINI("{'text': ''}", ",'finishReason': 'STOP'") "\n]"}, true},
    {"ollama", UNS_DIALECT_OLLAMA,
     {"", PLAY_OLLAMA("'message':{'role':'assistant','content':'$T'},"
                      "'done':false"),
      PLAY_OLLAMA("'message':{'role':'assistant','content':''},'done':true,"
                  "'done_reason':'stop','eval_count':60")}, true},
    {"ollama generate", UNS_DIALECT_OLLAMA,
     {"", PLAY_OLLAMA("'response':'$T','done':false"),
      PLAY_OLLAMA("'response':'','done':true,'done_reason':'stop'")}, true},
};

/* clang-format on */

/* What two servers may do differently. */
struct play_server {
    const char *name;
    unsigned merge;  /* tokens in a frame */
    bool ascii;      /* escapes all that is not */
    const char *odd; /* instead of token `odd_at`; NULL: the same answer */
    unsigned odd_at;
};

static const char *const play_words[] = {
    "The ",        "tide ",
    "at ",         "Troms\xc3\xb8 ",
    "is \"high\"", ",\n",
    "a\\b ",       "\xf0\x9f\x8c\x8a ",
    "\t",          "\xe6\xbd\xae\xe6\xb1\x90",
    " and ",       "/ ",
    "\x01",
};

static inline const char *play_token(unsigned i, const struct play_server *s)
{
    if (s && s->odd && i == s->odd_at)
        return s->odd;
    return play_words[(i * 7 + i / 13) % ROWS(play_words)];
}

/* The answer of so many tokens, from token `from` on. */
static inline void play_answer(char *out, unsigned from, unsigned to)
{
    *out = '\0';
    for (unsigned i = from; i < to; i++)
        strcat(out, play_token(i, NULL));
}

static inline void play_ascii(char *to, const char *from)
{
    while (*from) {
        unsigned char lead = (unsigned char)*from;
        unsigned more = lead < 0x80 ? 0 : lead < 0xe0 ? 1 : lead < 0xf0 ? 2 : 3;
        unsigned code = more ? lead & (0x3fu >> more) : lead;
        char c[UNS_CHARS_ESCAPED];

        for (unsigned i = 1; i <= more; i++)
            code = code << 6 | ((unsigned char)from[i] & 0x3f);
        from += more + 1;
        if (more == 3)
            to +=
                sprintf(to, "\\ud8%02x\\ud%03x", (code - 0x10000) >> 10 & 0xff,
                        0xc00 | (code & 0x3ff));
        else if (more)
            to += sprintf(to, "\\u%04X", code);
        else
            to += sprintf(to, "%.*s", (int)uns_chars_escape((char)code, c), c);
    }
    *to = '\0';
}

static inline void play_escape(char *to, const char *from, bool ascii)
{
    if (ascii)
        play_ascii(to, from);
    else
        to[uns_chars_escape_all(uns_slice_of(from), to)] = '\0';
}

/* Appends a template, filled in. */
static inline void play_frame(char *out, const char *text, const char *name,
                              const char *token, unsigned *serial)
{
    size_t at = strlen(out);

    for (; *text; text++) {
        if (*text == '\'')
            out[at++] = '"';
        else if (*text != '$')
            out[at++] = *text;
        else if (*++text == 'S')
            at += (size_t)sprintf(out + at, "%u", (*serial)++);
        else
            at += (size_t)sprintf(out + at, "%s", *text == 'N' ? name : token);
    }
    out[at] = '\0';
}

/* Tokens [from, to) as that server streams them; without finish and end. */
static inline unsigned play_begun(char *out, const struct play_dialect *d,
                                  const struct play_server *s, unsigned from,
                                  unsigned to)
{
    unsigned serial = 0, merge = s->merge ? s->merge : 1;

    *out = '\0';
    play_frame(out, d->part[PLAY_OPEN], s->name, "", &serial);
    for (unsigned i = from; i < to; i += merge) {
        char text[512] = "", raw[2048];

        for (unsigned j = i; j < i + merge && j < to; j++)
            strcat(text, play_token(j, s));
        play_escape(raw, text, s->ascii);
        play_frame(out, d->part[PLAY_TEXT], s->name, raw, &serial);
    }
    return serial;
}

static inline void play_stream(char *out, const struct play_dialect *d,
                               const struct play_server *s, unsigned from,
                               unsigned to)
{
    unsigned serial = play_begun(out, d, s, from, to);

    play_frame(out, d->part[PLAY_CLOSE], s->name, "", &serial);
}

/* --- what comes out ------------------------------------------------------- */

struct play_heap {
    long live;
    unsigned asked, fail_at; /* the n-th request for memory fails; 0: none */
};

static inline void *play_resize(void *ctx, void *old, size_t size)
{
    struct play_heap *heap = ctx;

    if (heap->fail_at && ++heap->asked >= heap->fail_at)
        return NULL;
    heap->live += old == NULL;
    return realloc(old, size);
}

static inline void play_release(void *ctx, void *old)
{
    ((struct play_heap *)ctx)->live--;
    free(old);
}

struct play {
    struct play_heap memory;
    struct uns_heap heap;
    struct uns_told told;
    struct uns_joint joint;
    char out[PLAY_BYTES]; /* all that the application got */
    size_t len;
    unsigned frames; /* of the rival, passed on */
};

static inline bool play_pass(void *ctx, struct uns_slice frame)
{
    struct play *play = ctx;

    assert_true(play->len + frame.len < PLAY_BYTES);
    memcpy(play->out + play->len, frame.data, frame.len);
    play->len += frame.len;
    play->out[play->len] = '\0';
    play->frames++;
    return true;
}

static inline void play_begin(struct play *play, enum uns_dialect dialect)
{
    play->memory = (struct play_heap){0};
    play->heap = (struct uns_heap){&play->memory, play_resize, play_release};
    play->len = play->frames = 0;
    uns_told_init(&play->told, dialect, &play->heap, PLAY_BYTES);
}

/* The first stream, as far as it comes. */
static inline void play_tell(struct play *play, const char *bytes, size_t len)
{
    size_t good = uns_told_hear(&play->told, bytes, len);

    (void)play_pass(play, (struct uns_slice){bytes, good});
    play->frames = 0;
}

/* The rival's, `step` bytes at a time; 0: all at once. */
static inline enum uns_joint_state play_join(struct play *play,
                                             enum uns_joint_how how,
                                             const char *bytes, size_t step)
{
    size_t len = strlen(bytes);

    uns_joint_init(&play->joint, &play->told, how);
    uns_joint_to(&play->joint, play_pass, play);
    for (size_t at = 0; at < len; at += step) {
        step = step && step < len - at ? step : len - at;
        uns_joint_feed(&play->joint, bytes + at, step);
    }
    return uns_joint_end(&play->joint);
}

static inline void play_end(struct play *play)
{
    uns_joint_done(&play->joint);
    uns_told_done(&play->told);
    CHECK_INT("memory", play->memory.live, 0);
}

/* What a reader finds in it. */
struct play_reading {
    char text[PLAY_BYTES], piece[PLAY_BYTES];
    size_t len, piece_len, sure; /* up to the last event's end */
    unsigned finishes, ends, errors, restarts;
    struct uns_stream stream;
};

static inline void play_on_text(void *ctx, const char *bytes, size_t len)
{
    struct play_reading *r = ctx;

    memcpy(r->piece + r->piece_len, bytes, len);
    r->piece_len += len;
}

static inline void play_on_kind(void *ctx, enum uns_kind kind)
{
    struct play_reading *r = ctx;

    if (kind == UNS_KIND_TEXT) {
        memcpy(r->text + r->len, r->piece, r->piece_len);
        r->len += r->piece_len;
    }
    r->piece_len = 0;
}

static inline void play_on_event(void *ctx, const struct uns_event *event)
{
    struct play_reading *r = ctx;

    if (!event->kinds)
        r->len = r->sure;
    r->sure = r->len;
    r->piece_len = 0;
    r->finishes += (event->news & UNS_NEWS_FINISH) != 0;
    r->ends += (event->news & UNS_NEWS_END) != 0;
    r->errors += (event->news & UNS_NEWS_ERROR) != 0;
    r->restarts += event->restart;
}

static inline void play_read(struct play_reading *r, enum uns_dialect dialect,
                             const char *bytes, size_t len)
{
    static struct uns_sink sink = {NULL, play_on_text, play_on_kind,
                                   play_on_event};

    memset(r, 0, sizeof *r);
    sink.ctx = r;
    uns_stream_init(&r->stream, dialect, true, &sink);
    uns_stream_feed(&r->stream, bytes, len);
    uns_stream_end(&r->stream);
    r->text[r->sure] = '\0';
}

#endif
