/* SPDX-License-Identifier: MIT */
/*
 * exchange - one request and what is to be answered to it.  No sockets and no
 * clock.  Invariant: what is answered depends on the request and the settings
 * alone, so that the same request is answered with the same bytes.
 */
#include "exchange.h"

#include "json.h"
#include "words.h"

#include <stdlib.h>
#include <string.h>

/* The list of faults that counts: query, header, model, default. */
static void find_faults(struct mock_exchange *x,
                        const struct mock_settings *settings)
{
    static const char mark[] = "mock:";
    struct mock_str list = mock_http_header(&x->request, "x-mock-fault");
    struct mock_str model = mock_dialect_model(&x->request);

    if (mock_http_query(&x->request, "fault", &x->faults))
        return;
    if (!list.at && model.len >= sizeof(mark) - 1 &&
        memcmp(model.at, mark, sizeof(mark) - 1) == 0) {
        list.at = model.at + sizeof(mark) - 1;
        list.len = model.len - (sizeof(mark) - 1);
    }
    if (!list.at)
        list = settings->faults;
    mock_buf_put(&x->faults, list.at, list.len);
}

static void refuse(struct mock_exchange *x, int status)
{
    x->answer = MOCK_ANSWER_REFUSAL;
    x->stream.status = status;
}

static void refuse_plainly(struct mock_exchange *x, int status,
                           struct mock_str why)
{
    refuse(x, status);
    x->stream.dialect = &mock_dialect_plain;
    x->stream.why = why;
}

static void make_plan(struct mock_exchange *x, struct mock_settings *settings)
{
    struct mock_str list = mock_buf_view(&x->faults);
    uint64_t nth = 0;
    struct mock_str bad;

    x->plan = (struct mock_plan){.tokens = settings->tokens,
                                 .interval_s = settings->interval_s};
    if (mock_plan_is_counted(list))
        nth = ++settings->counted;
    if (mock_plan_read(&x->plan, list, nth, &bad))
        return;
    mock_buf_text(&x->words, "does not know the fault ");
    mock_buf_put(&x->words, bad.at, bad.len);
    x->plan = (struct mock_plan){0};
    refuse_plainly(x, 400, mock_buf_view(&x->words));
}

/* What is no provider's: bytes, redirects, and nothing. */
static void answer_plainly(struct mock_exchange *x)
{
    struct mock_str path = x->request.path;

    if (mock_str_is(path, "/plain")) {
        x->answer = MOCK_ANSWER_FILL;
        if (mock_http_query(&x->request, "bytes", &x->words)) {
            mock_buf_put(&x->words, "", 1);
            x->stream.fill_bytes = strtoull(x->words.at, NULL, 10);
        }
        return;
    }
    if (mock_str_is(path, "/redirect") &&
        mock_http_query(&x->request, "to", &x->words)) {
        x->plan.redirect = mock_buf_view(&x->words);
        return;
    }
    refuse_plainly(x, 404, mock_str_of("has nothing here"));
}

static void answer_prefill(struct mock_exchange *x)
{
    struct mock_str prefix = mock_dialect_prefix(&x->request);

    if (!prefix.at || x->plan.prefill == MOCK_PREFILL_IGNORE)
        return;
    if (x->plan.prefill == MOCK_PREFILL_REFUSE) {
        refuse(x, 400);
        return;
    }
    if (x->plan.prefill == MOCK_PREFILL_ECHO)
        mock_buf_put(&x->words, prefix.at, prefix.len);
    x->stream.text_from =
        mock_words_match(x->stream.text_of, prefix, &x->words);
    x->stream.echo = mock_buf_view(&x->words);
}

static void apply_plan(struct mock_exchange *x)
{
    if (x->stream.dialect == &mock_dialect_plain)
        answer_plainly(x);
    else
        answer_prefill(x);
    if (x->plan.no_stream && x->answer == MOCK_ANSWER_STREAM) {
        x->plan.code = mock_str_of("unsupported_stream");
        refuse(x, 400);
    }
    if (x->plan.status > 0 && (int)x->plan.status != 200)
        refuse(x, (int)x->plan.status);
    if (x->plan.redirect.len > 0)
        refuse_plainly(x, 307, x->plan.redirect);
}

static void choose_wire(struct mock_exchange *x)
{
    bool packs =
        x->plan.gzip &&
        mock_str_has(mock_http_header(&x->request, "accept-encoding"), "gzip");

    x->sized = x->answer != MOCK_ANSWER_STREAM && !packs &&
               !x->plan.chunk_split && !x->plan.trailer;
    x->wire.gzip = packs;
    x->wire.chunked = !x->sized && x->request.minor == 1;
    x->wire.odd = x->plan.chunk_split;
    x->wire.trailer = x->plan.trailer;
    x->keep_alive = mock_http_keeps_alive(&x->request) && !x->plan.close;
    x->head_only = mock_str_is(x->request.method, "HEAD");
}

/* What is asked, whatever stands beside it; nothing known: all of it. */
static struct mock_str question_of(struct mock_str body)
{
    static const char *const names[] = {"messages", "contents", "prompt",
                                        "input"};

    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
        struct mock_str question = mock_json_get(body, names[i]);

        if (question.at)
            return question;
    }
    return body;
}

void mock_exchange_begin(struct mock_exchange *x,
                         struct mock_settings *settings)
{
    bool streams;

    x->stream = (struct mock_stream){
        .dialect = mock_dialect_of(&x->request, &streams),
        .plan = &x->plan,
        .name = settings->name,
        .text_of = settings->name,
        .model = mock_dialect_model(&x->request),
        .status = 200,
        .tokens_in = question_of(x->request.body).len / 4 + 1,
    };
    x->answer = streams ? MOCK_ANSWER_STREAM : MOCK_ANSWER_WHOLE;
    find_faults(x, settings);
    make_plan(x, settings);
    if (x->plan.text_of.len > 0)
        x->stream.text_of = x->plan.text_of;
    if (x->stream.status == 200)
        apply_plan(x);
    choose_wire(x);
    mock_stream_init(&x->stream, x->answer);
}

int64_t mock_exchange_delay(const struct mock_exchange *x)
{
    int64_t delay = (int64_t)(x->plan.headers_late_s * 1e9);

    if (x->answer == MOCK_ANSWER_WHOLE)
        delay += mock_stream_duration(&x->plan);
    return delay;
}

static const char *content_type(const struct mock_exchange *x)
{
    if (x->stream.dialect == &mock_dialect_plain ||
        x->answer == MOCK_ANSWER_STREAM)
        return x->stream.dialect->content_type;
    return "application/json";
}

static uint64_t body_size(struct mock_exchange *x)
{
    struct mock_buf body = {0};
    enum mock_frame frame =
        x->answer == MOCK_ANSWER_WHOLE ? MOCK_FRAME_WHOLE : MOCK_FRAME_REFUSAL;
    uint64_t size;

    if (x->answer == MOCK_ANSWER_FILL)
        return x->stream.fill_bytes;
    /* filled as the stream will fill it: same stage, same padding */
    struct mock_stream stream = x->stream;

    stream.stage = frame;
    mock_render(&stream, &stream.dialect->frames[frame], &body);
    size = body.len;
    mock_buf_free(&body);
    return size;
}

static void put_framing(struct mock_exchange *x, struct mock_buf *out)
{
    if (x->sized)
        mock_buf_fmt(out, "content-length: %llu\r\n",
                     (unsigned long long)body_size(x));
    if (x->wire.chunked)
        mock_buf_text(out, "transfer-encoding: chunked\r\n");
    if (x->wire.gzip)
        mock_buf_text(out, "content-encoding: gzip\r\n");
    if (x->wire.trailer && x->wire.chunked)
        mock_buf_text(out, "trailer: x-mock-trailer\r\n");
    if (!x->keep_alive)
        mock_buf_text(out, "connection: close\r\n");
}

static void put_hints(const struct mock_exchange *x, struct mock_buf *out)
{
    const struct mock_plan *plan = &x->plan;

    if (plan->retry_after_s > 0)
        mock_buf_fmt(out, "retry-after: %g\r\n", plan->retry_after_s);
    if (plan->retry_after_ms > 0)
        mock_buf_fmt(out, "retry-after-ms: %g\r\n", plan->retry_after_ms);
    if (plan->redirect.len > 0)
        mock_buf_fmt(out, "location: %.*s\r\n", (int)plan->redirect.len,
                     plan->redirect.at);
}

void mock_exchange_put_head(struct mock_exchange *x, struct mock_buf *out)
{
    struct mock_str name = x->stream.name;
    const char *id_header = x->stream.dialect->id_header;

    mock_buf_fmt(out, "HTTP/1.1 %d %s\r\ncontent-type: %s\r\n",
                 x->stream.status, mock_http_reason(x->stream.status),
                 content_type(x));
    mock_buf_fmt(out, "x-mock: %.*s\r\n", (int)name.len, name.at);
    if (id_header)
        mock_buf_fmt(out, "%s: req_%.*s\r\n", id_header, (int)name.len,
                     name.at);
    put_hints(x, out);
    put_framing(x, out);
    mock_buf_text(out, "\r\n");
}

void mock_exchange_done(struct mock_exchange *x)
{
    mock_buf_free(&x->request.chunks);
    mock_buf_free(&x->faults);
    mock_buf_free(&x->words);
    mock_wire_done(&x->wire);
    *x = (struct mock_exchange){0};
}
