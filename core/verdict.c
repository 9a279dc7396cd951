/* SPDX-License-Identifier: MIT */

/*
 * From a scanned event to its class.  The tables say what the members of the
 * event mean; the order in which that is weighed is here: an error beats a
 * finish, a payload beats a mark, and what an event repeats counts for
 * nothing.
 */

#include "verdict.h"

#include <string.h>

/* One event under judgement. */
struct verdict {
    struct uns_stream *stream;
    const struct uns_rule *rule; /* NULL: PLAIN */
    enum uns_class class;
    bool typed; /* the rule was found by the data's own type */
    struct uns_event event;
};

static struct uns_slice slot(const struct uns_stream *stream,
                             enum uns_slot which)
{
    const struct uns_scan *scan = &stream->scan;

    return (struct uns_slice){scan->slot[which], scan->slot_len[which]};
}

static struct uns_slice event_name(const struct uns_stream *stream)
{
    return (struct uns_slice){stream->frame.name, stream->frame.name_len};
}

/* Copy as text, cut where there is no room. */
static void copy(char *to, struct uns_slice from)
{
    size_t len =
        from.len < UNS_WORD_BYTES ? from.len : (size_t)UNS_WORD_BYTES - 1;

    memcpy(to, from.data, len);
    to[len] = '\0';
}

static void find_rule(struct verdict *verdict)
{
    const struct uns_stream *stream = verdict->stream;
    struct uns_slice type = slot(stream, UNS_SLOT_TYPE);
    struct uns_slice name = event_name(stream);
    struct uns_slice item = slot(stream, UNS_SLOT_ITEM);

    verdict->event.type = type.len != 0 ? type : name;
    verdict->rule = uns_wire_rule(stream->wire, type, item);
    verdict->typed = verdict->rule != NULL && *verdict->rule->type.data != '*';
    if (verdict->rule == NULL && name.len != 0) {
        verdict->rule = uns_wire_rule(stream->wire, name, item);
    }
    verdict->class =
        verdict->rule != NULL ? verdict->rule->class : UNS_CLASS_PLAIN;
}

/* ---- numbers and names that ride along ---- */

static int64_t number(struct uns_slice text)
{
    int64_t value = 0;

    for (size_t i = 0; i < text.len && i < 18; i++) {
        if (text.data[i] < '0' || text.data[i] > '9') {
            break;
        }
        value = value * 10 + (text.data[i] - '0');
    }
    return value;
}

void uns_verdict_usage(struct uns_stream *stream)
{
    struct uns_slice in = slot(stream, UNS_SLOT_TOKENS_IN);
    struct uns_slice out = slot(stream, UNS_SLOT_TOKENS_OUT);
    struct uns_slice hidden = slot(stream, UNS_SLOT_TOKENS_HIDDEN);

    if (in.len != 0) {
        stream->tokens_in = number(in);
    }
    if (out.len != 0 || hidden.len != 0) {
        stream->tokens_out = number(out) + number(hidden);
    }
    if (stream->model[0] == '\0') {
        copy(stream->model, slot(stream, UNS_SLOT_MODEL));
    }
}

/* ---- errors ---- */

/* The first slice that says something. */
static struct uns_slice first_told(const struct uns_slice *slices, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (slices[i].len != 0) {
            return slices[i];
        }
    }
    return (struct uns_slice){"error", 5};
}

static void fail(struct verdict *verdict, struct uns_slice reason,
                 struct uns_slice code)
{
    struct uns_stream *stream = verdict->stream;

    if (stream->phase != UNS_PHASE_NONE) {
        return; /* the same failure, told again */
    }
    stream->phase = stream->finished       ? UNS_PHASE_AFTER_FINISH
                    : stream->content == 0 ? UNS_PHASE_FIRST
                                           : UNS_PHASE_MID;
    copy(stream->error, reason);
    copy(stream->error_code, code);
    verdict->event.news |= UNS_NEWS_ERROR;
}

static bool is(struct uns_slice text, const char *word)
{
    size_t len = strlen(word);

    return text.len == len && memcmp(text.data, word, len) == 0;
}

/* A finish reason that is a failure. */
static bool failing(struct uns_slice reason)
{
    static const char *const words[] = {"error", "ERROR", "ERROR_LIMIT",
                                        "ERROR_TOXIC", "TIMEOUT"};

    if (reason.len == 0) {
        return false;
    }
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (is(reason, words[i])) {
            return true;
        }
    }
    return false;
}

/* The error that the event tells, by what each field is called. */
static void note_error(struct verdict *verdict)
{
    struct uns_stream *stream = verdict->stream;
    struct uns_slice type = slot(stream, UNS_SLOT_ERROR_TYPE);
    struct uns_slice status = slot(stream, UNS_SLOT_ERROR_STATUS);
    struct uns_slice code = slot(stream, UNS_SLOT_ERROR_CODE);
    struct uns_slice finish = slot(stream, UNS_SLOT_FINISH);
    struct uns_slice root_type = slot(stream, UNS_SLOT_TYPE);

    if (verdict->typed || is(root_type, "error")) {
        root_type.len = 0; /* the type of the event, not of the error */
    }
    if (!failing(finish)) {
        finish.len = 0;
    }
    const struct uns_slice by_type[] = {type, root_type, status, code, finish};
    const struct uns_slice by_code[] = {code, status, type, root_type, finish};
    fail(verdict, first_told(by_type, 5), first_told(by_code, 5));
}

static void judge_error(struct verdict *verdict)
{
    const struct uns_stream *stream = verdict->stream;

    if (verdict->class == UNS_CLASS_ERROR ||
        (stream->scan.marks & UNS_LEAF_ERROR) != 0 ||
        (stream->wire->code_fails &&
         slot(stream, UNS_SLOT_ERROR_CODE).len != 0) ||
        failing(slot(stream, UNS_SLOT_FINISH))) {
        note_error(verdict);
    }
}

/* ---- payload ---- */

/* The bit of the item that the event is about; items may take turns. */
static uint64_t item_bit(const struct uns_stream *stream)
{
    return UINT64_C(1) << number(slot(stream, UNS_SLOT_INDEX)) % 64;
}

static void settle(struct verdict *verdict)
{
    struct uns_stream *stream = verdict->stream;
    unsigned kind = UNS_KIND_COUNT;

    if (verdict->class == UNS_CLASS_CONTENT ||
        (verdict->class == UNS_CLASS_ONCE &&
         (stream->streamed_items & item_bit(stream)) == 0)) {
        kind = verdict->rule->kind;
    }
    uns_scan_settle(&stream->scan, (enum uns_kind)kind);
}

/* Classes whose paths may speak of payload. */
static bool has_payload(enum uns_class class)
{
    return class <= UNS_CLASS_STRUCTURAL || class == UNS_CLASS_FINISH;
}

static void judge_payload(struct verdict *verdict)
{
    struct uns_stream *stream = verdict->stream;
    bool structural = verdict->class == UNS_CLASS_STRUCTURAL ||
                      (verdict->class == UNS_CLASS_PLAIN &&
                       (stream->scan.marks & UNS_LEAF_STRUCTURAL) != 0);
    bool news = stream->phase == UNS_PHASE_NONE;

    settle(verdict);
    if (verdict->class == UNS_CLASS_STRUCTURAL ||
        verdict->class == UNS_CLASS_ITEM) {
        stream->streamed_items &= ~item_bit(stream);
    }
    if (stream->scan.kinds != 0 && has_payload(verdict->class)) {
        verdict->event.kinds = stream->scan.kinds;
        verdict->event.news |= news ? UNS_NEWS_CONTENT : 0;
        stream->content++;
        stream->streamed_items |= item_bit(stream);
    } else if (structural) {
        verdict->event.news |= news ? UNS_NEWS_STRUCTURAL : 0;
        stream->structural++;
    }
}

/* A reply that does not stream counts as a whole. */
static void judge_document(struct verdict *verdict)
{
    struct uns_stream *stream = verdict->stream;

    settle(verdict);
    if (stream->phase != UNS_PHASE_NONE ||
        (stream->scan.marks & UNS_LEAF_DONE) != 0) {
        return;
    }
    verdict->event.kinds = stream->scan.kinds;
    verdict->event.news |= UNS_NEWS_CONTENT | UNS_NEWS_END;
    stream->content++;
    stream->ended = true;
}

/* ---- finish and end ---- */

static void note_finish(struct uns_stream *stream, const struct uns_rule *rule)
{
    static const char prefix[] = "blocked:";
    struct uns_slice blocked = slot(stream, UNS_SLOT_BLOCKED);
    struct uns_slice reason = slot(stream, UNS_SLOT_FINISH);

    _Static_assert(sizeof prefix + UNS_SLOT_BYTES < UNS_WORD_BYTES, "fits");
    if (blocked.len != 0) {
        copy(stream->finish, (struct uns_slice){prefix, sizeof prefix - 1});
        copy(stream->finish + sizeof prefix - 1, blocked);
    } else if (reason.len != 0) {
        copy(stream->finish, reason);
    } else if (rule != NULL && rule->word != NULL) {
        copy(stream->finish,
             (struct uns_slice){rule->word, strlen(rule->word)});
    }
}

static void judge_finish(struct verdict *verdict)
{
    struct uns_stream *stream = verdict->stream;
    const struct uns_scan *scan = &stream->scan;
    bool whole = verdict->class == UNS_CLASS_FINISH ||
                 scan->slot_len[UNS_SLOT_BLOCKED] != 0;
    bool told = whole || (scan->marks & UNS_LEAF_FINISH) != 0;

    if (!told || verdict->class == UNS_CLASS_NOISE ||
        stream->phase != UNS_PHASE_NONE) {
        return;
    }
    note_finish(stream, verdict->rule);
    if (!stream->finished &&
        (whole || (scan->finished & scan->seen) == scan->seen)) {
        stream->finished = true;
        verdict->event.news |= UNS_NEWS_FINISH;
    }
}

static void judge_end(struct verdict *verdict)
{
    struct uns_stream *stream = verdict->stream;
    bool ends = verdict->class == UNS_CLASS_END ||
                verdict->class == UNS_CLASS_FINISH ||
                (stream->scan.marks & UNS_LEAF_DONE) != 0 ||
                (stream->finished && stream->wire->finish_ends);

    if (ends && !stream->ended) {
        stream->ended = true;
        verdict->event.news |= UNS_NEWS_END;
    }
}

/* ---- the whole ---- */

static void judge(struct verdict *verdict)
{
    struct uns_stream *stream = verdict->stream;

    uns_verdict_usage(stream);
    if (verdict->class == UNS_CLASS_KEEPALIVE) {
        verdict->event.keepalive = true;
        stream->keepalives++;
        return;
    }
    if (verdict->class == UNS_CLASS_START) {
        verdict->event.restart = stream->content + stream->structural != 0;
    }
    if (stream->frame.framing == UNS_FRAMING_DOCUMENT) {
        judge_error(verdict);
        judge_document(verdict);
    } else {
        judge_payload(verdict);
        judge_error(verdict);
    }
    judge_finish(verdict);
    judge_end(verdict);
}

/* Data that is no JSON: a keepalive, unless it is called an error. */
static void judge_garbage(struct verdict *verdict)
{
    uns_scan_settle(&verdict->stream->scan, UNS_KIND_COUNT);
    if (is(event_name(verdict->stream), "error")) {
        const struct uns_slice word = {"error", 5};
        fail(verdict, word, word);
    } else {
        verdict->event.keepalive = true;
        verdict->stream->keepalives++;
    }
}

unsigned uns_verdict(struct uns_stream *stream)
{
    struct verdict verdict = {
        .stream = stream,
        .event = {.offset = stream->offset, .news = UNS_NEWS_EVENT},
    };
    bool complete = uns_scan_complete(&stream->scan);
    bool lines = stream->frame.framing == UNS_FRAMING_NDJSON;

    stream->repeat.plain = false;
    if (!complete &&
        (!stream->frame.sure || (lines && uns_scan_empty(&stream->scan)))) {
        return 0; /* prose, or a blank line between lines of JSON */
    }
    stream->frame.sure = true;
    stream->events++;
    find_rule(&verdict);
    if (complete) {
        judge(&verdict);
    } else {
        judge_garbage(&verdict);
    }
    stream->repeat.kinds = verdict.event.kinds;
    stream->repeat.type_len = (uint8_t)verdict.event.type.len;
    stream->repeat.plain =
        verdict.class <= UNS_CLASS_CONTENT && !verdict.event.keepalive &&
        verdict.event.news == (UNS_NEWS_EVENT | UNS_NEWS_CONTENT) &&
        (verdict.event.kinds & (verdict.event.kinds - 1)) == 0 &&
        (verdict.event.type.len == 0 ||
         verdict.event.type.data == stream->scan.slot[UNS_SLOT_TYPE]);
    if (stream->sink != NULL && stream->sink->event != NULL) {
        stream->sink->event(stream->sink->ctx, &verdict.event);
    }
    return verdict.event.news;
}

unsigned uns_verdict_end(struct uns_stream *stream)
{
    if (stream->finished || stream->ended || stream->phase != UNS_PHASE_NONE) {
        return 0;
    }
    static const char word[] = "truncated";
    memcpy(stream->error, word, sizeof word);
    memcpy(stream->error_code, word, sizeof word);
    stream->phase = stream->content == 0 ? UNS_PHASE_FIRST : UNS_PHASE_MID;
    stream->truncated = true;
    return UNS_NEWS_TRUNCATED;
}
