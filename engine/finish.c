/* SPDX-License-Identifier: MIT */
#include "finish.h"

#include "cancel.h"
#include "clock.h"
#include "fault.h"
#include "notes.h"
#include "promotion.h"
#include "roster.h"

#include <stdio.h>
#include <string.h>

static struct uns_attempt *subject(const struct uns_call *call)
{
    unsigned a = call->todo.end_of;

    return call->attempt[a < call->attempts ? a : 0];
}

static const char *source_name(const struct uns_attempt *a)
{
    return a->source ? a->source->name : "primary";
}

static bool is_given(const struct uns_call *call)
{
    return !call->voice || call->voice->hold.at == call->voice->hold.len;
}

/* The answering attempt's own end.  It must have come, and all been given. */
static bool end_with_attempt(struct uns_call *call)
{
    struct uns_attempt *a = subject(call);

    if ((a->live && !a->done) || uns_fault_holds(a) || !is_given(call))
        return false;
    call->code = a->cancelled ? CURLE_PARTIAL_FILE : a->code;
    if (a->cancelled)
        (void)snprintf(call->error, sizeof call->error,
                       "every source failed; the fullest answer is cut short");
    else
        memcpy(call->error, a->error, sizeof call->error);
    uns_promotion_finish(call);
    return true;
}

/* R8: who, which setting, how long, how much had come. */
static bool end_by_watchdog(struct uns_call *call)
{
    const struct uns_attempt *a = subject(call);
    bool first = call->todo.end == UNS_END_TTFT;
    const struct uns_stream_rules *rules = &call->policy->stream;
    uns_ns span = first ? rules->ttft_timeout_ns : rules->stall_timeout_ns;

    if (!is_given(call))
        return false;
    call->code = CURLE_OPERATION_TIMEDOUT;
    (void)snprintf(call->error, sizeof call->error,
                   "unstall: stream.%s: no content for %.3g s from source %s, "
                   "model %.*s, after %lld chunks",
                   first ? "ttft_timeout_s" : "stall_timeout_s",
                   (double)span / (double)UNS_S, source_name(a),
                   (int)call->request.model.len, call->request.model.data,
                   (long long)a->meter.chunks);
    return true;
}

/* R9, in libcurl's words.  As in libcurl an application that has paused is
 * not waited for. */
static bool end_by_timeout(struct uns_call *call)
{
    const struct uns_attempt *a = call->voice ? call->voice : call->attempt[0];

    call->code = CURLE_OPERATION_TIMEDOUT;
    if (!a->source && a->done && a->code == CURLE_OPERATION_TIMEDOUT) {
        memcpy(call->error, a->error, sizeof call->error);
        return true;
    }
    (void)snprintf(
        call->error, sizeof call->error,
        "Operation timed out after %lld milliseconds with %lld bytes received",
        (long long)((uns_clock_now() - call->begin_ns) / UNS_MS),
        (long long)a->meter.bytes);
    return true;
}

/* P6: libcurl's code for what the application did.  A callback of its that
 * failed inside libcurl has ended its attempt with the code and a text; one
 * that failed while we gave held pieces gets the code of a short write. */
static bool end_by_abort(struct uns_call *call)
{
    if (call->code != CURLE_OK)
        return true;
    call->code = CURLE_WRITE_ERROR;
    if (!call->error[0])
        (void)snprintf(call->error, sizeof call->error,
                       "Failure writing output to destination");
    return true;
}

/* How each verdict ends; false: something is still to come. */
static bool (*const ends[UNS_END_COUNT])(struct uns_call *call) = {
    [UNS_END_LEAD] = end_with_attempt,  [UNS_END_FALLBACK] = end_with_attempt,
    [UNS_END_TTFT] = end_by_watchdog,   [UNS_END_STALL] = end_by_watchdog,
    [UNS_END_TIMEOUT] = end_by_timeout, [UNS_END_ABORT] = end_by_abort,
};

/* An abort, and the application's own time limit, count also where the race
 * was over already. */
static enum uns_race_end verdict(const struct uns_call *call)
{
    if (call->todo.end == UNS_END_NONE)
        return UNS_END_NONE;
    if (call->aborted)
        return UNS_END_ABORT;
    if (call->paused && uns_clock_now() >= uns_call_limit(call))
        return UNS_END_TIMEOUT;
    return call->todo.end;
}

void uns_finish_try(struct uns_call *call)
{
    enum uns_race_end end = verdict(call);

    if (end == UNS_END_NONE || !ends[end](call))
        return;
    uns_roster_finish(call);
    uns_cancel_all(call);
}
