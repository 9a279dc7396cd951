/* SPDX-License-Identifier: MIT */

/*
 * The line splitter.  States are those of one line; what a block (the lines
 * up to a blank one) has held so far are flags.  A CR ends its line at once,
 * and the LF that may follow, perhaps in the next piece, is swallowed.
 */

#include "frame.h"

#include "bytes.h"

enum state {
    STATE_BEGIN, /* of the body */
    STATE_LINE = UNS_FRAME_AT_LINE,
    STATE_FIELD, /* in a field's name */
    STATE_SPACE, /* after the colon: one space is dropped */
    STATE_DATA,
    STATE_NAME,
    STATE_IGNORE,
    STATE_BETWEEN, /* between the documents of an array */
    STATE_REST,    /* everything belongs to the document */
    STATE_DEAD     /* nothing is read any more */
};

enum kind {
    KIND_UNKNOWN,
    KIND_DATA,
    KIND_EVENT,
    KIND_ERROR,
    KIND_OTHER /* known, and of no use */
};

static const struct {
    char name[UNS_FRAME_FIELD_BYTES];
    uint8_t len;
    uint8_t kind;
} fields[] = {
    {"data",  4, KIND_DATA },
    {"event", 5, KIND_EVENT},
    {"error", 5, KIND_ERROR},
    {"id",    2, KIND_OTHER},
    {"retry", 5, KIND_OTHER},
};

void uns_frame_init(struct uns_frame *frame, bool told, enum uns_framing object,
                    enum uns_framing array)
{
    *frame = (struct uns_frame){
        .object = told ? UNS_FRAMING_SSE : object,
        .array = told ? UNS_FRAMING_SSE : array,
        .told = told,
        .sure = told,
    };
}

static void advance(struct uns_slice *input, size_t n)
{
    input->data += n;
    input->len -= n;
}

/* The end of the line, or of the input.  memchr() is faster, but to look for
 * the nearer of two by two calls is quadratic when lines end with CR. */
static size_t line_length(struct uns_frame *frame, const struct uns_slice *in)
{
    const char *end = in->data + in->len;

    if (frame->returns) {
        return (size_t)(uns_bytes_find2(in->data, end, '\n', '\r') - in->data);
    }
    const char *lf = memchr(in->data, '\n', in->len);
    size_t len = lf != NULL ? (size_t)(lf - in->data) : in->len;
    const char *cr = memchr(in->data, '\r', len);
    if (cr != NULL) {
        frame->returns = true;
        return (size_t)(cr - in->data);
    }
    return len;
}

/* At a line end: eat it. */
static void end_line(struct uns_frame *frame, struct uns_slice *input)
{
    frame->skip_lf = *input->data == '\r';
    frame->returns |= frame->skip_lf;
    frame->state = STATE_LINE;
    advance(input, 1);
}

/* A line of data begins; what is before it in the input is eaten. */
static enum uns_token begin_data(struct uns_frame *frame, unsigned state)
{
    frame->inside = true;
    frame->has_data = true;
    frame->spaced = false;
    frame->state = (uint8_t)state;
    return UNS_TOKEN_LINE;
}

static enum uns_token blank_line(struct uns_frame *frame)
{
    bool event = frame->has_data;

    frame->inside = false;
    if (event) {
        return UNS_TOKEN_EVENT; /* its name is needed until break */
    }
    frame->name_len = 0;
    return UNS_TOKEN_MORE;
}

void uns_frame_break(struct uns_frame *frame)
{
    frame->has_data = false;
    if (!frame->inside) {
        frame->name_len = 0;
    }
}

void uns_frame_close(struct uns_frame *frame)
{
    frame->bare = false;
    frame->inside = false;
    uns_frame_break(frame);
    if (frame->framing == UNS_FRAMING_SSE) {
        frame->state = STATE_IGNORE;
    } else {
        frame->state =
            frame->framing == UNS_FRAMING_ARRAY ? STATE_BETWEEN : STATE_DEAD;
    }
}

void uns_frame_stop(struct uns_frame *frame)
{
    frame->bare = false;
    frame->state = STATE_DEAD;
}

void uns_frame_abandon(struct uns_frame *frame)
{
    uns_frame_close(frame);
    frame->state = STATE_LINE;
}

static enum uns_token comment(struct uns_frame *frame)
{
    frame->state = STATE_IGNORE;
    return frame->sure && !frame->inside ? UNS_TOKEN_COMMENT : UNS_TOKEN_MORE;
}

static enum uns_token after_colon(struct uns_frame *frame,
                                  struct uns_slice *input)
{
    if (*input->data == ' ') {
        advance(input, 1);
    }
    if (frame->kind == KIND_EVENT) {
        frame->name_len = 0;
        frame->state = STATE_NAME;
    } else {
        frame->state = frame->kind == KIND_DATA || frame->kind == KIND_ERROR
                           ? STATE_DATA
                           : STATE_IGNORE;
    }
    return UNS_TOKEN_MORE;
}

/* The begin of a line, which is not empty, of server-sent events. */
static enum uns_token sse_line(struct uns_frame *frame, struct uns_slice *input)
{
    char c = *input->data;

    if (input->len > 4 && memcmp(input->data, "data:", 5) == 0) {
        advance(input, 5);
        frame->sure = true;
        frame->kind = KIND_DATA;
        frame->state = STATE_SPACE;
        bool spaced = input->len != 0 && *input->data == ' ';
        if (input->len != 0) {
            after_colon(frame, input);
        }
        begin_data(frame, frame->state);
        frame->spaced = spaced;
        return UNS_TOKEN_LINE;
    }
    if (c == ':') {
        return comment(frame);
    }
    if ((c == '{' || c == '[') && frame->sure && !frame->has_data) {
        frame->bare = true;
        return begin_data(frame, STATE_DATA);
    }
    frame->field_len = 0;
    frame->state = STATE_FIELD;
    return UNS_TOKEN_MORE;
}

static enum uns_token at_line(struct uns_frame *frame, struct uns_slice *input)
{
    char c = *input->data;

    if (frame->bare || frame->framing == UNS_FRAMING_NDJSON) {
        if (c != '\n' && c != '\r') {
            return begin_data(frame, STATE_DATA);
        }
        end_line(frame, input);
        return UNS_TOKEN_MORE;
    }
    if (c == '\n' || c == '\r') {
        end_line(frame, input);
        return blank_line(frame);
    }
    return sse_line(frame, input);
}

/* The line's field is known by name. */
static enum uns_token field_named(struct uns_frame *frame)
{
    frame->kind = KIND_UNKNOWN;
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        if (fields[i].len == frame->field_len &&
            memcmp(fields[i].name, frame->field, frame->field_len) == 0) {
            frame->kind = fields[i].kind;
        }
    }
    frame->state = STATE_SPACE;
    if (frame->kind == KIND_UNKNOWN) {
        return UNS_TOKEN_MORE;
    }
    if (frame->kind == KIND_ERROR) {
        memcpy(frame->name, "error", 5);
        frame->name_len = 5;
        return begin_data(frame, STATE_SPACE); /* sure? It may be prose */
    }
    frame->sure = true;
    if (frame->kind == KIND_DATA) {
        return begin_data(frame, STATE_SPACE);
    }
    frame->inside = true;
    return frame->kind == KIND_EVENT && frame->has_data && frame->name_len != 0
               ? UNS_TOKEN_AGAIN
               : UNS_TOKEN_MORE;
}

static enum uns_token in_field(struct uns_frame *frame, struct uns_slice *input)
{
    while (input->len != 0) {
        char c = *input->data;
        if (c == ':') {
            advance(input, 1);
            return field_named(frame);
        }
        if (c == '\n' || c == '\r') {
            return field_named(frame); /* a field without a value */
        }
        if (frame->field_len < UNS_FRAME_FIELD_BYTES) {
            frame->field[frame->field_len++] = c;
        }
        advance(input, 1);
    }
    return UNS_TOKEN_MORE;
}

/* Inside of a value: to the end of the line, or of the input. */
static enum uns_token in_value(struct uns_frame *frame, struct uns_slice *input,
                               struct uns_slice *ret_data)
{
    bool data = frame->state == STATE_DATA;
    size_t len = line_length(frame, input);

    *ret_data = (struct uns_slice){input->data, len};
    if (frame->state == STATE_NAME) {
        size_t room = sizeof frame->name - frame->name_len;
        size_t fits = len < room ? len : room;
        memcpy(frame->name + frame->name_len, input->data, fits);
        frame->name_len = (uint8_t)(frame->name_len + fits);
    }
    advance(input, len);
    if (len != 0 && data && frame->framing == UNS_FRAMING_SSE && !frame->bare &&
        input->len != 0) {
        end_line(frame, input);
        return UNS_TOKEN_DATA;
    }
    if (data && (len != 0 || input->len == 0)) {
        return UNS_TOKEN_DATA; /* the line end is for the next call */
    }
    if (input->len == 0) {
        return UNS_TOKEN_MORE;
    }
    end_line(frame, input);
    return data && frame->framing == UNS_FRAMING_NDJSON ? UNS_TOKEN_EVENT
                                                        : UNS_TOKEN_MORE;
}

static enum uns_token between(struct uns_frame *frame, struct uns_slice *input)
{
    const char *open = memchr(input->data, '{', input->len);

    if (open == NULL) {
        advance(input, input->len);
        return UNS_TOKEN_MORE;
    }
    advance(input, (size_t)(open - input->data));
    return begin_data(frame, STATE_REST);
}

/* What the first byte that is not white space says. */
static enum uns_framing by_first_byte(const struct uns_frame *frame, char c)
{
    if (c == '{') {
        return frame->object;
    }
    if (c == '[') {
        return frame->array;
    }
    return c == '<' ? UNS_FRAMING_NONE : UNS_FRAMING_SSE;
}

static enum uns_token at_begin(struct uns_frame *frame, struct uns_slice *input)
{
    static const char mark[] = "\xEF\xBB\xBF";
    char c = *input->data;

    if (frame->bom < 3 && c == mark[frame->bom]) {
        frame->bom++;
        advance(input, 1);
        return UNS_TOKEN_MORE;
    }
    if (c == '\n' || c == '\r' || c == ' ' || c == '\t') {
        frame->bom = 3;
        advance(input, 1);
        return UNS_TOKEN_MORE;
    }
    frame->framing = by_first_byte(frame, c);
    frame->sure |= frame->framing != UNS_FRAMING_SSE || c == ':';
    frame->state = STATE_LINE;
    if (frame->framing == UNS_FRAMING_ARRAY) {
        frame->state = STATE_BETWEEN;
    } else if (frame->framing == UNS_FRAMING_DOCUMENT) {
        return begin_data(frame, STATE_REST);
    } else if (frame->framing == UNS_FRAMING_NONE) {
        frame->state = STATE_DEAD;
    }
    return UNS_TOKEN_MORE;
}

static enum uns_token step(struct uns_frame *frame, struct uns_slice *input,
                           struct uns_slice *ret_data)
{
    switch ((enum state)frame->state) {
    case STATE_BEGIN:
        return at_begin(frame, input);
    case STATE_LINE:
        return at_line(frame, input);
    case STATE_FIELD:
        return in_field(frame, input);
    case STATE_SPACE:
        return after_colon(frame, input);
    case STATE_BETWEEN:
        return between(frame, input);
    case STATE_REST:
        *ret_data = *input;
        advance(input, input->len);
        return UNS_TOKEN_DATA;
    case STATE_DEAD:
        advance(input, input->len);
        return UNS_TOKEN_MORE;
    default:
        return in_value(frame, input, ret_data);
    }
}

enum uns_token uns_frame_next(struct uns_frame *frame, struct uns_slice *input,
                              struct uns_slice *ret_data)
{
    enum uns_token token = UNS_TOKEN_MORE;

    while (input->len != 0 && token == UNS_TOKEN_MORE) {
        if (frame->skip_lf) {
            uns_frame_settle(frame, input);
            continue;
        }
        token = step(frame, input, ret_data);
    }
    return token;
}
