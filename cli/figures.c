/* SPDX-License-Identifier: MIT */
/* figures - the arithmetic of figures.def, NULL by NULL. */
#include "figures.h"
#include "nan.h"

#include "gaps.h"

#include <math.h>
#include <string.h>

#define LEAST_CHUNKS 5                  /* of a rate */
#define SILENCE_MS   2000               /* as in UNS_SELECT_STALLED */
#define LATEST_US    (INT64_C(1) << 56) /* in the year 4253 */

int64_t uns_figures_began(const struct uns_call_record *call)
{
    int64_t at_us = call->started_at;

    return at_us >= 0 && at_us < LATEST_US ? at_us : UNS_NULL;
}

int64_t uns_figures_tokens(const struct uns_call_record *call,
                           bool *ret_counted)
{
    int64_t tokens = call->tokens_out;

    *ret_counted = tokens == UNS_NULL;
    if (*ret_counted)
        tokens = call->chunk_count;
    return tokens >= 0 && tokens < UNS_FIGURES_MOST ? tokens : UNS_NULL;
}

double uns_figures_tpot(const struct uns_call_record *call)
{
    bool counted;
    int64_t tokens = uns_figures_tokens(call, &counted);

    if (call->generation_ms == UNS_NULL || tokens < 2)
        return UNS_NAN;
    return (double)call->generation_ms / (double)(tokens - 1);
}

double uns_figures_rate(const struct uns_call_record *call)
{
    bool counted;
    int64_t tokens = uns_figures_tokens(call, &counted);
    int64_t active_ms = call->active_generation_ms;

    if (active_ms == UNS_NULL || tokens < 2 || call->chunk_count < LEAST_CHUNKS)
        return UNS_NAN;
    if (call->generation_ms < call->chunk_count - 1 ||
        call->stall_ms > active_ms || active_ms <= 0)
        return UNS_NAN;
    return 1000.0 * (double)(tokens - 1) / (double)active_ms;
}

bool uns_figures_can_stall(const struct uns_call_record *call)
{
    return call->stall_ms != UNS_NULL;
}

unsigned uns_figures_answer(const struct uns_entry *entry)
{
    int64_t seq = entry->call.winner == UNS_NULL ? 0 : entry->call.winner;

    for (unsigned i = 0; i < entry->attempts; i++)
        if (entry->attempt[i].seq == seq)
            return i;
    return UNS_RACE_ATTEMPTS;
}

void uns_figures_set_threshold(const struct uns_entry *entry,
                               uns_ns threshold_ns,
                               struct uns_call_record *call)
{
    unsigned i = uns_figures_answer(entry);
    struct uns_stalls stalls;

    if (!uns_figures_can_stall(call))
        return;
    call->stall_ms = call->stall_count = UNS_NULL;
    call->active_generation_ms = UNS_NULL;
    call->net_ms = call->wall_ms;
    if (i == UNS_RACE_ATTEMPTS || entry->timeline[i].len == 0)
        return;
    stalls = uns_gaps_stalls(entry->timeline[i].data, entry->timeline[i].len,
                             threshold_ns);
    call->stall_ms = stalls.stall_ms;
    call->stall_count = stalls.count;
    if (call->generation_ms != UNS_NULL)
        call->active_generation_ms = call->generation_ms - stalls.stall_ms;
    if (call->wall_ms != UNS_NULL)
        call->net_ms = call->wall_ms > stalls.stall_ms
                           ? call->wall_ms - stalls.stall_ms
                           : 0;
}

static bool is(const char *text, const char *word)
{
    return strcmp(text, word) == 0;
}

static bool is_one_of(const char *text, const char *const *words, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (is(text, words[i]))
            return true;
    return false;
}

static bool is_failure(const char *outcome)
{
    static const char *const failures[] = {
        "refused", "failed", "truncated", "timeout", "killed",
    };

    return is_one_of(outcome, failures, sizeof failures / sizeof *failures);
}

/* How long nothing came before the end: of the tail, if there was content. */
static int64_t last_silence(const struct uns_call_record *call)
{
    if (call->silent_ms != UNS_NULL)
        return call->silent_ms;
    return call->tail_ms != UNS_NULL ? call->tail_ms : call->wall_ms;
}

static bool is_cut_in_silence(const struct uns_call_record *call)
{
    static const char *const cuts[] = {"timeout", "truncated", "killed"};

    return is_one_of(call->outcome, cuts, sizeof cuts / sizeof *cuts) &&
           last_silence(call) > SILENCE_MS;
}

/* Another attempt went on with the answer, and the call's own was stopped. */
static bool is_taken_over(const struct uns_entry *entry)
{
    return entry->call.resumed == 1 && entry->attempts > 0 &&
           entry->attempt[0].seq == 0 &&
           is(entry->attempt[0].outcome, "hedge_cancelled");
}

bool uns_figures_is_silent(const struct uns_entry *entry,
                           const struct uns_call_record *call)
{
    if (call->stall_count > 0)
        return false;
    return is(call->hedge_reason, "stall") || is_taken_over(entry) ||
           is_cut_in_silence(call);
}

/* What was reached, as far as the records tell. */
struct reached {
    bool https;
    int64_t connect_ms, tls_ms, http_status, ttft_ms;
};

static bool is_https(const char *url)
{
    return strncmp(url, "https:", sizeof "https:" - 1) == 0;
}

static struct reached reached(const struct uns_entry *entry)
{
    const struct uns_call_record *call = &entry->call;
    unsigned i = uns_figures_answer(entry);
    const struct uns_attempt_record *attempt = &entry->attempt[i];

    if (i == UNS_RACE_ATTEMPTS)
        return (struct reached){is_https(call->endpoint), call->connect_ms,
                                call->tls_ms, call->http_status, call->ttft_ms};
    return (struct reached){is_https(attempt->origin), attempt->connect_ms,
                            attempt->tls_ms, attempt->http_status,
                            attempt->ttft_ms};
}

/* The furthest that is known comes first: of a connection that was there
 * before the call, libcurl may tell no phases, and of a process that was
 * killed nobody could ask it. */
enum uns_phase uns_figures_phase(const struct uns_entry *entry)
{
    struct reached far = reached(entry);

    if (!is_failure(entry->call.outcome))
        return UNS_PHASE_COUNT;
    if (far.http_status >= 400)
        return UNS_PHASE_STATUS;
    if (far.ttft_ms != UNS_NULL)
        return UNS_PHASE_STREAMING;
    if (far.http_status >= 200)
        return UNS_PHASE_FIRST_TOKEN;
    if (far.connect_ms == UNS_NULL)
        return strcmp(entry->call.outcome, "killed") == 0 ? UNS_PHASE_UNKNOWN
                                                          : UNS_PHASE_CONNECT;
    return far.https && far.tls_ms == UNS_NULL ? UNS_PHASE_TLS
                                               : UNS_PHASE_HEADERS;
}

static bool has_connection(const struct uns_attempt_record *attempt)
{
    if (attempt->http_status != UNS_NULL || attempt->ttft_ms != UNS_NULL)
        return true;
    return attempt->connect_ms != UNS_NULL &&
           (attempt->tls_ms != UNS_NULL || !is_https(attempt->origin));
}

static enum uns_loss refusal(int64_t status)
{
    if (status == 401 || status == 403)
        return UNS_LOSS_UNAUTHORIZED;
    return status == 429 ? UNS_LOSS_RATE_LIMITED : UNS_LOSS_STATUS;
}

enum uns_loss uns_figures_loss(const struct uns_attempt_record *hedge)
{
    if (is(hedge->outcome, "diverged"))
        return UNS_LOSS_DIVERGED;
    if (!is(hedge->outcome, "failed"))
        return UNS_LOSS_LATE;
    if (hedge->http_status >= 400)
        return refusal(hedge->http_status);
    return has_connection(hedge) ? UNS_LOSS_BROKEN : UNS_LOSS_CONNECT;
}
