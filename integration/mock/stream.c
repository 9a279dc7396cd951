/* SPDX-License-Identifier: MIT */
/*
 * stream - one answer as a row of frames in time.  Not a connection: it knows
 * neither HTTP nor sockets.  Invariant: a token is counted when its frame is
 * appended, and what is to happen after K tokens happens before token K+1.
 */
#include "stream.h"

#include "timer.h"

#include <string.h>

#define CHATTER_NS INT64_C(100000000)
#define FILL_BYTES 16384

static int64_t ns_of(double seconds)
{
    return (int64_t)(seconds * 1e9);
}

static double interval_of(const struct mock_plan *plan)
{
    return plan->drip_s > 0 ? plan->drip_s : plan->interval_s;
}

static bool is_token(size_t stage)
{
    return stage == MOCK_FRAME_THINK || stage == MOCK_FRAME_TEXT ||
           stage == MOCK_FRAME_TOOL_ARGS;
}

static void plan_stream(struct mock_stream *s)
{
    const struct mock_plan *plan = s->plan;
    uint64_t text = (uint64_t)plan->tokens - s->text_from;
    uint64_t think = (uint64_t)plan->reasoning;
    uint64_t calls = plan->tools ? 1 : 0;
    uint64_t finish = plan->no_end ? 0 : 1;
    const uint64_t total[MOCK_FRAME_STAGES] = {
        [MOCK_FRAME_OPEN] = 1,
        [MOCK_FRAME_THINK_OPEN] = think > 0,
        [MOCK_FRAME_THINK] = think,
        [MOCK_FRAME_THINK_CLOSE] = think > 0,
        [MOCK_FRAME_TEXT_OPEN] = text > 0,
        [MOCK_FRAME_TEXT] = text,
        [MOCK_FRAME_TEXT_CLOSE] = text > 0,
        [MOCK_FRAME_TOOL_OPEN] = calls,
        [MOCK_FRAME_TOOL_ARGS] = calls * (uint64_t)s->dialect->arg_pieces,
        [MOCK_FRAME_TOOL_CLOSE] = calls,
        [MOCK_FRAME_FINISH] = finish,
        [MOCK_FRAME_USAGE] = finish,
        [MOCK_FRAME_END] = finish > 0 && !plan->no_done,
    };

    memcpy(s->total, total, sizeof(total));
}

/* An answer that comes whole has no tokens to count: its points happen before
 * it, and those that could only be seen inside a stream do not happen. */
static void plan_whole(struct mock_stream *s)
{
    for (size_t i = 0; i < s->plan->point_count; i++) {
        struct mock_point *point = &s->plan->points[i];

        point->after = 0;
        point->happened =
            point->kind != MOCK_POINT_CUT && point->kind != MOCK_POINT_RESET;
    }
}

/* What a dialect has no frames for is not said, and not counted. */
static uint64_t tokens_out(const struct mock_stream *s)
{
    uint64_t count = (uint64_t)s->plan->tokens - s->text_from;

    if (s->dialect->frames[MOCK_FRAME_THINK].pieces)
        count += (uint64_t)s->plan->reasoning;
    if (s->plan->tools)
        count += (uint64_t)s->dialect->arg_pieces;
    return count;
}

void mock_stream_init(struct mock_stream *s, enum mock_answer answer)
{
    if (s->text_from > (uint64_t)s->plan->tokens)
        s->text_from = (uint64_t)s->plan->tokens;
    s->tokens_out = tokens_out(s);
    if (answer != MOCK_ANSWER_STREAM)
        plan_whole(s);
    if (answer == MOCK_ANSWER_STREAM && s->plan->error_first)
        s->total[MOCK_FRAME_ERROR] = 1;
    else if (answer == MOCK_ANSWER_STREAM)
        plan_stream(s);
    s->total[MOCK_FRAME_WHOLE] = answer == MOCK_ANSWER_WHOLE;
    s->total[MOCK_FRAME_REFUSAL] = answer == MOCK_ANSWER_REFUSAL;
    for (size_t i = 0; i < MOCK_FRAME_STAGES; i++)
        if (!s->dialect->frames[i].pieces)
            s->total[i] = 0;
    if (answer == MOCK_ANSWER_FILL)
        s->total[MOCK_FRAME_FILL] =
            (s->fill_bytes + FILL_BYTES - 1) / FILL_BYTES;
}

static void fall_silent(struct mock_stream *s, int64_t until_ns,
                        int64_t chatter_ns)
{
    s->quiet_until_ns = until_ns;
    s->chatter_ns =
        s->plan->chatter == MOCK_CHATTER_NONE ? MOCK_NEVER : chatter_ns;
}

void mock_stream_start(struct mock_stream *s, int64_t now_ns)
{
    if (s->plan->silent_after_headers)
        fall_silent(s, MOCK_NEVER, now_ns);
    else if (s->plan->first_late_s > 0)
        fall_silent(s, now_ns + ns_of(s->plan->first_late_s), now_ns);
}

/* A chatterer begins as the real ones do: with its first frame, where its
 * keepalives are no comments. */
static enum mock_step chatter(struct mock_stream *s, struct mock_buf *out)
{
    static const enum mock_frame frames[] = {
        [MOCK_CHATTER_COMMENT] = MOCK_FRAME_COMMENT,
        [MOCK_CHATTER_PING] = MOCK_FRAME_PING,
        [MOCK_CHATTER_EMPTY] = MOCK_FRAME_EMPTY,
        [MOCK_CHATTER_ROLE] = MOCK_FRAME_ROLE,
    };
    enum mock_frame frame = frames[s->plan->chatter];
    bool poses = s->plan->chatter >= MOCK_CHATTER_EMPTY;

    s->chatter_ns += CHATTER_NS;
    if (poses && s->total[MOCK_FRAME_OPEN] > 0 && s->stage == 0) {
        frame = MOCK_FRAME_OPEN;
        s->total[MOCK_FRAME_OPEN] = 0;
    } else if (poses && s->sent == 0 &&
               s->dialect->frames[MOCK_FRAME_EARLY].pieces) {
        frame = MOCK_FRAME_EARLY;
    }
    mock_render(s, &s->dialect->frames[frame], out);
    return MOCK_STEP_FRAME;
}

static enum mock_step be_silent(struct mock_stream *s, int64_t now_ns,
                                struct mock_buf *out)
{
    if (now_ns >= s->chatter_ns)
        return chatter(s, out);
    s->due_ns =
        s->chatter_ns < s->quiet_until_ns ? s->chatter_ns : s->quiet_until_ns;
    return MOCK_STEP_WAIT;
}

static void put_fill(struct mock_stream *s, struct mock_buf *out)
{
    static const char line[] = "mock-llm fills a line of 32 byte\n";
    uint64_t size = s->fill_bytes < FILL_BYTES ? s->fill_bytes : FILL_BYTES;

    for (uint64_t i = 0; i < size; i += sizeof(line) - 1)
        mock_buf_put(out, line,
                     size - i < sizeof(line) - 1 ? size - i : sizeof(line) - 1);
    s->fill_bytes -= size;
}

static void put_frame(struct mock_stream *s, int64_t now_ns,
                      struct mock_buf *out)
{
    if (s->stage == MOCK_FRAME_FILL)
        put_fill(s, out);
    else
        mock_render(s, &s->dialect->frames[s->stage], out);
    s->done++;
    if (is_token(s->stage)) {
        s->sent++;
        /* by the clock of the plan, not of the last wake-up */
        s->next_ns = (s->next_ns > 0 ? s->next_ns : now_ns) +
                     ns_of(interval_of(s->plan));
    }
    if (s->stage == MOCK_FRAME_THINK_CLOSE || s->stage == MOCK_FRAME_TEXT_CLOSE)
        s->block++;
}

static enum mock_step happen(struct mock_stream *s,
                             const struct mock_point *point, int64_t now_ns,
                             struct mock_buf *out)
{
    switch (point->kind) {
    case MOCK_POINT_STALL:
        fall_silent(s, now_ns + ns_of(point->value), now_ns + CHATTER_NS);
        s->next_ns = 0;
        return be_silent(s, now_ns, out);
    case MOCK_POINT_CUT:
        mock_render(s, &s->dialect->frames[s->stage], out);
        return MOCK_STEP_CUT;
    case MOCK_POINT_RESET:
        return MOCK_STEP_RESET;
    case MOCK_POINT_ERROR:
        s->stage = MOCK_FRAME_ERROR;
        memset(s->total, 0, sizeof(s->total));
        mock_render(s, &s->dialect->frames[MOCK_FRAME_ERROR], out);
        return MOCK_STEP_FRAME;
    case MOCK_POINT_MALFORMED:
        mock_render(s, &s->dialect->frames[MOCK_FRAME_MALFORMED], out);
        return MOCK_STEP_FRAME;
    case MOCK_POINT_HUGE:
        break;
    }
    s->huge_bytes = (uint64_t)point->value;
    put_frame(s, now_ns, out);
    return MOCK_STEP_FRAME;
}

/* What is due before the next token, or before what follows the last one. */
static struct mock_point *due_point(struct mock_stream *s)
{
    if (!is_token(s->stage) && s->stage < MOCK_FRAME_FINISH)
        return NULL;
    for (size_t i = 0; i < s->plan->point_count; i++) {
        struct mock_point *point = &s->plan->points[i];

        if (!point->happened && (uint64_t)point->after == s->sent)
            return point;
    }
    return NULL;
}

static bool find_stage(struct mock_stream *s)
{
    while (s->stage < MOCK_FRAME_STAGES && s->done >= s->total[s->stage]) {
        s->stage++;
        s->done = 0;
    }
    return s->stage < MOCK_FRAME_STAGES;
}

enum mock_step mock_stream_next(struct mock_stream *s, int64_t now_ns,
                                struct mock_buf *out)
{
    if (now_ns < s->quiet_until_ns)
        return be_silent(s, now_ns, out);
    if (!find_stage(s))
        return s->plan->hang ? MOCK_STEP_HANG : MOCK_STEP_END;
    if (is_token(s->stage) && now_ns < s->next_ns) {
        s->due_ns = s->next_ns;
        return MOCK_STEP_WAIT;
    }

    struct mock_point *point = due_point(s);

    if (point) {
        point->happened = true;
        return happen(s, point, now_ns, out);
    }
    put_frame(s, now_ns, out);
    return MOCK_STEP_FRAME;
}

int64_t mock_stream_duration(const struct mock_plan *plan)
{
    double tokens = plan->tokens + plan->reasoning;
    double seconds = tokens > 1 ? (tokens - 1) * interval_of(plan) : 0;

    for (size_t i = 0; i < plan->point_count; i++)
        if (plan->points[i].kind == MOCK_POINT_STALL)
            seconds += plan->points[i].value;
    return ns_of(seconds);
}
