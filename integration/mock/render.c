/* SPDX-License-Identifier: MIT */
/*
 * render - templates with $slots, compiled once and filled often.  It knows
 * what a slot means, not what a frame is for.  Invariant: filling a template
 * twice from the same stream differs in $seq and $sep alone.
 */
#include "render.h"

#include "stream.h"
#include "words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The tool call's arguments, in the pieces in which they are streamed. */
static const char *const pieces[] = {"{\\\"port\\\"", ": \\\"Brest\\\"",
                                     ", \\\"days\\\": 3", "}"};
static const char object[] = "{\"port\": \"Brest\", \"days\": 3}";

static void put_name(struct mock_stream *s, struct mock_buf *out)
{
    mock_buf_put(out, s->name.at, s->name.len);
}

static void put_model(struct mock_stream *s, struct mock_buf *out)
{
    mock_buf_put(out, s->model.at, s->model.len);
}

static void put_token(struct mock_stream *s, struct mock_buf *out)
{
    bool thinks = s->stage == MOCK_FRAME_THINK;

    if (s->huge_bytes > 0) {
        memset(mock_buf_room(out, s->huge_bytes), 'x', s->huge_bytes);
        out->len += s->huge_bytes;
        s->huge_bytes = 0;
        return;
    }
    if (thinks) {
        mock_words_put(out, s->text_of, MOCK_VOICE_THINKING, s->done);
        return;
    }
    if (s->done == 0)
        mock_buf_put(out, s->echo.at, s->echo.len);
    mock_words_put(out, s->text_of, MOCK_VOICE_TEXT, s->text_from + s->done);
}

static void put_words(struct mock_stream *s, struct mock_buf *out,
                      enum mock_voice voice, uint64_t from)
{
    uint64_t count = (uint64_t)(voice == MOCK_VOICE_TEXT ? s->plan->tokens
                                                         : s->plan->reasoning);

    for (uint64_t i = from; i < count; i++)
        mock_words_put(out, s->text_of, voice, i);
}

static void put_text(struct mock_stream *s, struct mock_buf *out)
{
    mock_buf_put(out, s->echo.at, s->echo.len);
    put_words(s, out, MOCK_VOICE_TEXT, s->text_from);
}

static void put_think(struct mock_stream *s, struct mock_buf *out)
{
    put_words(s, out, MOCK_VOICE_THINKING, 0);
}

static void put_piece(struct mock_stream *s, struct mock_buf *out)
{
    mock_buf_text(out, pieces[s->done % (sizeof(pieces) / sizeof(*pieces))]);
}

static void put_args(struct mock_stream *s, struct mock_buf *out)
{
    (void)s;
    for (size_t i = 0; i < sizeof(pieces) / sizeof(*pieces); i++)
        mock_buf_text(out, pieces[i]);
}

static void put_object(struct mock_stream *s, struct mock_buf *out)
{
    (void)s;
    mock_buf_text(out, object);
}

static void put_seq(struct mock_stream *s, struct mock_buf *out)
{
    mock_buf_num(out, s->seq++);
}

static void put_block(struct mock_stream *s, struct mock_buf *out)
{
    mock_buf_num(out, s->block);
}

static void put_sep(struct mock_stream *s, struct mock_buf *out)
{
    mock_buf_text(out, s->separated ? ",\r\n" : "[");
    s->separated = true;
}

static void put_pad(struct mock_stream *s, struct mock_buf *out)
{
    mock_buf_put(out, "               ", (s->done * 7 + s->stage * 3) % 16);
}

static void put_stop(struct mock_stream *s, struct mock_buf *out)
{
    mock_buf_text(out,
                  s->plan->tools ? s->dialect->stop_tool : s->dialect->stop);
}

static void put_in(struct mock_stream *s, struct mock_buf *out)
{
    mock_buf_num(out, s->tokens_in);
}

static void put_out(struct mock_stream *s, struct mock_buf *out)
{
    mock_buf_num(out, s->tokens_out);
}

static void put_sum(struct mock_stream *s, struct mock_buf *out)
{
    mock_buf_num(out, s->tokens_in + s->tokens_out);
}

static void put_thought(struct mock_stream *s, struct mock_buf *out)
{
    if (s->plan->reasoning >= 1)
        mock_render(s, &s->dialect->frames[MOCK_FRAME_THOUGHT], out);
}

static void put_call(struct mock_stream *s, struct mock_buf *out)
{
    if (s->plan->tools)
        mock_render(s, &s->dialect->frames[MOCK_FRAME_CALL], out);
}

static void put_status(struct mock_stream *s, struct mock_buf *out)
{
    mock_buf_num(out, (uint64_t)s->status);
}

/* `code=NAME` takes the place of what a provider would have said. */
static void put_word(struct mock_stream *s, struct mock_buf *out,
                     const char *usual)
{
    struct mock_str word = s->plan->code;

    if (word.len == 0)
        word = mock_str_of(usual);
    mock_buf_put(out, word.at, word.len);
}

static void put_type(struct mock_stream *s, struct mock_buf *out)
{
    mock_buf_text(out, mock_dialect_refusal(s->status)->openai_type);
}

static void put_code(struct mock_stream *s, struct mock_buf *out)
{
    put_word(s, out, mock_dialect_refusal(s->status)->openai_code);
}

static void put_atype(struct mock_stream *s, struct mock_buf *out)
{
    put_word(s, out, mock_dialect_refusal(s->status)->anthropic_type);
}

static void put_gstatus(struct mock_stream *s, struct mock_buf *out)
{
    put_word(s, out, mock_dialect_refusal(s->status)->google_status);
}

static void put_why(struct mock_stream *s, struct mock_buf *out)
{
    mock_buf_put(out, s->why.at, s->why.len);
}

static const struct {
    const char *name;
    void (*put)(struct mock_stream *stream, struct mock_buf *out);
} slots[MOCK_SLOT_COUNT] = {
    [MOCK_SLOT_NAME] = {"name", put_name},
    [MOCK_SLOT_MODEL] = {"model", put_model},
    [MOCK_SLOT_TOKEN] = {"token", put_token},
    [MOCK_SLOT_TEXT] = {"text", put_text},
    [MOCK_SLOT_THINK] = {"think", put_think},
    [MOCK_SLOT_PIECE] = {"piece", put_piece},
    [MOCK_SLOT_ARGS] = {"args", put_args},
    [MOCK_SLOT_OBJECT] = {"object", put_object},
    [MOCK_SLOT_SEQ] = {"seq", put_seq},
    [MOCK_SLOT_BLOCK] = {"block", put_block},
    [MOCK_SLOT_SEP] = {"sep", put_sep},
    [MOCK_SLOT_PAD] = {"pad", put_pad},
    [MOCK_SLOT_STOP] = {"stop", put_stop},
    [MOCK_SLOT_IN] = {"in", put_in},
    [MOCK_SLOT_OUT] = {"out", put_out},
    [MOCK_SLOT_SUM] = {"sum", put_sum},
    [MOCK_SLOT_THOUGHT] = {"thought", put_thought},
    [MOCK_SLOT_CALL] = {"call", put_call},
    [MOCK_SLOT_STATUS] = {"status", put_status},
    [MOCK_SLOT_TYPE] = {"type", put_type},
    [MOCK_SLOT_CODE] = {"code", put_code},
    [MOCK_SLOT_ATYPE] = {"atype", put_atype},
    [MOCK_SLOT_GSTATUS] = {"gstatus", put_gstatus},
    [MOCK_SLOT_WHY] = {"why", put_why},
};

/* Reads the slot's name at `text`; says how long it was. */
static enum mock_slot slot_at(const char *text, size_t *ret_len)
{
    struct mock_str name = {text, strspn(text, "abcdefghijklmnopqrstuvwxyz")};

    for (int slot = MOCK_SLOT_NONE + 1; slot < MOCK_SLOT_COUNT; slot++) {
        if (!mock_str_is(name, slots[slot].name))
            continue;
        *ret_len = name.len;
        return (enum mock_slot)slot;
    }
    fprintf(stderr, "mock-llm: no slot: $%.20s\n", text);
    exit(EXIT_FAILURE);
}

static size_t count_slots(const char *text)
{
    size_t count = 0;

    for (; *text; text++)
        count += *text == '$';
    return count;
}

void mock_render_compile(struct mock_template *template, const char *text)
{
    char *p = strdup(text);

    template->literals = p;
    template->pieces = calloc(count_slots(text) + 1, sizeof(*template->pieces));
    if (!p || !template->pieces)
        abort();
    for (char *quote = p; (quote = strchr(quote, '\'')) != NULL;)
        *quote = '"';
    for (;;) {
        struct mock_piece *piece = &template->pieces[template->count++];
        size_t len;

        piece->literal = (struct mock_str){p, strcspn(p, "$")};
        p += piece->literal.len;
        if (*p == '\0')
            return;
        piece->slot = slot_at(p + 1, &len);
        p += len + 1;
    }
}

void mock_render_free(struct mock_template *template)
{
    free(template->pieces);
    free(template->literals);
    *template = (struct mock_template){0};
}

void mock_render(struct mock_stream *stream,
                 const struct mock_template *template, struct mock_buf *out)
{
    for (size_t i = 0; i < template->count; i++) {
        const struct mock_piece *piece = &template->pieces[i];

        mock_buf_put(out, piece->literal.at, piece->literal.len);
        if (piece->slot != MOCK_SLOT_NONE)
            slots[piece->slot].put(stream, out);
    }
}
