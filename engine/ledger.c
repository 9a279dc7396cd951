/* SPDX-License-Identifier: MIT */
#include "ledger.h"

#include "clock.h"
#include "journal.h"
#include "origin.h"
#include "promotion.h"
#include "resume.h"
#include "root.h"
#include "track.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PUT(to, ...) ((void)snprintf((to), sizeof(to), __VA_ARGS__))
#define SLICE(s)     (int)(s).len, (s).data

static const char *const modes[UNS_MODE_COUNT] = {
    [UNS_MODE_OFF] = "off",
    [UNS_MODE_OBSERVE] = "observe",
    [UNS_MODE_SHADOW] = "shadow",
    [UNS_MODE_HEDGE] = "hedge",
};

/* Unique on this machine: when, who, and which of its calls.  A call that goes
 * on in a forked child becomes another one there. */
static void name_call(const struct uns_call *call,
                      struct uns_call_record *record)
{
    PUT(record->uuid, "%llx-%x-%x", (unsigned long long)call->begin_us,
        (unsigned)getpid(), call->number);
}

/* What is left of a URL without its secrets. */
static void print_endpoint(char *out, size_t size, const struct uns_url *url)
{
    struct uns_origin origin = uns_origin_print(url);

    (void)snprintf(out, size, "%s%.*s", origin.text, SLICE(url->path));
}

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

static int64_t phase_us(const struct uns_attempt *a, CURLINFO info)
{
    curl_off_t us = 0;

    if (a->call->app->real->curl_easy_getinfo(a->easy, info, &us) != CURLE_OK)
        return 0;
    return us;
}

/* The connection's phases, as spans; NULL where one did not take place. */
static void fill_phases(const struct uns_attempt *a, int64_t *ret_dns_ms,
                        int64_t *ret_connect_ms, int64_t *ret_tls_ms)
{
    int64_t dns = phase_us(a, CURLINFO_NAMELOOKUP_TIME_T);
    int64_t connect = phase_us(a, CURLINFO_CONNECT_TIME_T);
    int64_t tls = phase_us(a, CURLINFO_APPCONNECT_TIME_T);

    if (dns > 0)
        *ret_dns_ms = dns / 1000;
    if (connect > 0)
        *ret_connect_ms = (connect - dns) / 1000;
    if (tls > connect)
        *ret_tls_ms = (tls - connect) / 1000;
}

static bool is_streamed(const struct uns_call *call,
                        const struct uns_attempt *a)
{
    return call->request.streams &&
           a->stream.frame.framing != UNS_FRAMING_DOCUMENT;
}

void uns_ledger_sent(const struct uns_attempt *a,
                     struct uns_attempt_record *record)
{
    const struct uns_call *call = a->call;

    record->seq = a->seq;
    PUT(record->source, "%s", a->source ? a->source->name : "primary");
    PUT(record->origin, "%s", uns_origin_of(call, a->source).text);
    PUT(record->why, "%s", uns_why_name(a->why));
    record->started_ms = (a->start_ns - call->begin_ns) / UNS_MS;
    if (a->connected)
        fill_phases(a, &record->dns_ms, &record->connect_ms, &record->tls_ms);
}

static void fill_attempt(const struct uns_call *call,
                         const struct uns_attempt *a,
                         struct uns_attempt_record *record)
{
    bool streamed = is_streamed(call, a);

    uns_ledger_sent(a, record);
    PUT(record->outcome, "%s", attempt_outcome(call, a));
    record->http_status = a->head.status ? a->head.status : UNS_NULL;
    record->curl_code = a->done ? (int64_t)a->code : UNS_NULL;
    PUT(record->error, "%.63s", a->stream.error);
    PUT(record->model_served, "%s", a->stream.model);
    record->tokens_in = a->stream.tokens_in;
    record->tokens_out = a->stream.tokens_out;
    uns_meter_attempt(&a->meter, streamed, !call->request.several, record);
    fill_phases(a, &record->dns_ms, &record->connect_ms, &record->tls_ms);
}

static const char *hedge_reason(const struct uns_call *call)
{
    if (call->why != UNS_WHY_NOTHING)
        return uns_why_name(call->why);
    return call->none ? call->none : "";
}

void uns_ledger_request(const struct uns_call *call,
                        struct uns_call_record *record)
{
    name_call(call, record);
    record->started_at = call->begin_us;
    PUT(record->program, "%s", program_invocation_short_name);
    record->pid = getpid();
    print_endpoint(record->endpoint, sizeof record->endpoint, &call->url);
    PUT(record->route, "%s", call->policy->route ? call->policy->route : "");
    PUT(record->dialect, "%s", uns_dialect_name(call->request.dialect));
    uns_request_model(&call->request, record->model, sizeof record->model);
    record->streaming = call->request.streams;
    PUT(record->mode, "%s", modes[call->mode]);
    if (uns_root_injected())
        PUT(record->injected, "%.63s", uns_root_injected());
    PUT(record->arm, "%s", uns_arm_name(call->arm));
    if (call->arm != UNS_ARM_NONE)
        PUT(record->experiment, "%s",
            uns_config_experiment(uns_root_config())->name);
    PUT(record->hedge_reason, "%s", hedge_reason(call));
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
    fill_phases(a, &record->dns_ms, &record->connect_ms, &record->tls_ms);
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
    const char *path = uns_config_store_path(uns_root_config());
    struct uns_entry *entry = path ? uns_entry_new() : NULL;
    uns_ns now = uns_clock_now();

    if (!entry) {
        uns_track_withdraw(call);
        return;
    }
    uns_ledger_request(call, &entry->call);
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
