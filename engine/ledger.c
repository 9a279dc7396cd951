/* SPDX-License-Identifier: MIT */
#include "ledger.h"

#include "clock.h"
#include "facts.h"
#include "journal.h"
#include "promotion.h"
#include "resume.h"
#include "root.h"
#include "track.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PUT(to, ...) ((void)snprintf((to), sizeof(to), __VA_ARGS__))

static const struct uns_attempt *answer_of(const struct uns_call *call)
{
    return call->voice ? call->voice : call->attempt[0];
}

/* The application was given something, if only a header. */
static bool is_heard(const struct uns_call *call)
{
    return call->voice && call->deliver_ns != UNS_NEVER;
}

static bool is_whole(const struct uns_attempt *a)
{
    const struct uns_stream *stream = &a->stream;

    if (a->opaque || !a->read)
        return true; /* not ours to say, or nothing was to come */
    return !stream->error[0] && (stream->finished || stream->ended);
}

static bool is_truncated(const struct uns_call *call)
{
    const struct uns_attempt *a = answer_of(call);

    if (uns_promotion_failed(call))
        return false; /* nothing was given */
    return is_heard(call) && uns_head_success(&a->head) && a->meter.bytes > 0 &&
           (!is_whole(a) || uns_race_truncated(&call->race));
}

static const char failed[] = "failed";

static const char *outcome_of(const struct uns_call *call)
{
    const struct uns_attempt *a = answer_of(call);
    bool answered = uns_head_success(&a->head);

    if (call->aborted || call->todo.end == UNS_END_ABORT ||
        call->code == CURLE_ABORTED_BY_CALLBACK)
        return "aborted";
    if (is_truncated(call) && a->meter.chunks)
        return "truncated";
    if (call->code == CURLE_OPERATION_TIMEDOUT)
        return "timeout";
    if (is_truncated(call))
        return failed;
    if (answered && call->code == CURLE_OK)
        return "ok";
    if (a->head.status >= 400 && a->head.status < 500 &&
        call->todo.end != UNS_END_FALLBACK)
        return "refused";
    return failed;
}

static const char *attempt_outcome(const struct uns_call *call,
                                   const struct uns_attempt *a)
{
    enum uns_attempt_state state = call->race.attempt[a->seq].state;

    if (a->why == UNS_WHY_SHADOW)
        return "shadow";
    if (a == call->voice && is_heard(call) && outcome_of(call) != failed)
        return "won";
    if (a->diverged)
        return "diverged";
    if (a->cancelled && state != UNS_ATTEMPT_LOST)
        return "hedge_cancelled";
    return state == UNS_ATTEMPT_DONE ? "lost" : failed;
}

static bool is_streamed(const struct uns_call *call,
                        const struct uns_attempt *a)
{
    return call->request.streams &&
           a->stream.frame.framing != UNS_FRAMING_DOCUMENT;
}

static void fill_attempt(const struct uns_call *call,
                         const struct uns_attempt *a,
                         struct uns_attempt_record *record)
{
    bool streamed = is_streamed(call, a);

    uns_facts_attempt(a, record);
    PUT(record->outcome, "%s", attempt_outcome(call, a));
    record->http_status = a->head.status ? a->head.status : UNS_NULL;
    record->curl_code = a->done ? (int64_t)a->code : UNS_NULL;
    PUT(record->error, "%.63s", a->stream.error);
    PUT(record->model_served, "%s", a->stream.model);
    record->tokens_in = a->stream.tokens_in;
    record->tokens_out = a->stream.tokens_out;
    uns_meter_attempt(&a->meter, streamed, !call->request.several, record);
    uns_facts_phases(a, &record->dns_ms, &record->connect_ms, &record->tls_ms);
}

static void fill_result(const struct uns_call *call, uns_ns now_ns,
                        struct uns_call_record *record)
{
    const struct uns_attempt *a = answer_of(call);
    bool heard = is_heard(call);

    record->http_status = heard && a->head.status ? a->head.status : UNS_NULL;
    record->curl_code = (int64_t)call->code;
    PUT(record->outcome, "%s", outcome_of(call));
    record->winner = heard ? (int64_t)a->seq : UNS_NULL;
    record->attempts = call->attempts;
    record->resumed = uns_resume_joined(call);
    record->promoted = call->promotion != NULL;
    record->truncated = is_truncated(call);
    PUT(record->model_served, "%s", a->stream.model);
    record->tokens_in = a->stream.tokens_in;
    record->tokens_out = a->stream.tokens_out;
    record->wall_ms = (now_ns - call->begin_ns) / UNS_MS;
    if (call->deliver_ns != UNS_NEVER)
        record->delivered_ms = (call->deliver_ns - call->begin_ns) / UNS_MS;
    uns_meter_call(&a->meter, is_streamed(call, a), !call->request.several,
                   call->begin_ns, record);
    uns_facts_phases(a, &record->dns_ms, &record->connect_ms, &record->tls_ms);
}

static void keep_timeline(struct uns_entry *entry, const struct uns_attempt *a)
{
    size_t len = a->timeline.len;
    uint8_t *blob = len ? malloc(len) : NULL;

    if (!blob)
        return;
    memcpy(blob, a->timeline.buf, len);
    entry->timeline[a->seq].data = blob;
    entry->timeline[a->seq].len = len;
}

void uns_ledger_enter(struct uns_call *call)
{
    const char *path = uns_root_store_path();
    struct uns_entry *entry = path ? uns_entry_new() : NULL;
    uns_ns now = uns_clock_now();

    if (!entry) {
        uns_track_withdraw(call);
        return;
    }
    uns_facts_call(call, &entry->call);
    fill_result(call, now, &entry->call);
    entry->attempts = call->attempts;
    entry->stall_threshold_ns = call->policy->stream.stall_threshold_ns;
    entry->retain_days = uns_config_store_retain_days(uns_root_config());
    if (call->mode >= UNS_MODE_SHADOW)
        entry->pays = &call->policy->hedge;
    for (unsigned i = 0; i < call->attempts; i++) {
        fill_attempt(call, call->attempt[i], &entry->attempt[i]);
        if (uns_config_store_timeline(uns_root_config()))
            keep_timeline(entry, call->attempt[i]);
    }
    uns_track_end(call, entry);
    uns_journal_put(path, entry, uns_call_patience_ms(call) > 0);
}
