/* SPDX-License-Identifier: MIT */
/*
 * otlp_span - the spans of one call.  OTLP's JSON is protobuf's, but for its
 * ids, which are hex, and enums, which are numbers; 64-bit integers are
 * strings.
 */
#include "core/detect.h"
#include "figures.h"
#include "json.h"
#include "otlp.h"
#include "stall_rows.h"

#include <inttypes.h>
#include <string.h>

#define KIND_CLIENT  3
#define STATUS_ERROR 2

struct span {
    FILE *out;
    const struct uns_entry *entry;
    sqlite3_stmt *stalls;
    int64_t began_us; /* of the call, since the epoch */
    const char *comma;
};

/* --- ids -------------------------------------------------------------------
 */

/* FNV-1a (Fowler, Noll, Vo) of the text, then the last steps of SplitMix64
 * (Steele, Lea, Flood), without which its high bits depend on few of the
 * characters.  Never 0, which is no id. */
static uint64_t id_of(const char *text, uint64_t number)
{
    uint64_t id = UINT64_C(0xcbf29ce484222325) ^ number;

    for (; *text != '\0'; text++)
        id = (id ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
    id += (number + 1) * UINT64_C(0x9e3779b97f4a7c15);
    id = (id ^ id >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    id = (id ^ id >> 27) * UINT64_C(0x94d049bb133111eb);
    id ^= id >> 31;
    return id ? id : 1;
}

enum {
    TRACE_HIGH,
    TRACE_LOW,
    CALL,
    ATTEMPT /* and its number */
};

static uint64_t own_id(const struct span *span, uint64_t number)
{
    return id_of(span->entry->call.uuid, number);
}

/* --- attributes ------------------------------------------------------------
 */

static void begin_attribute(struct span *span, const char *key)
{
    fprintf(span->out, "%s{\"key\":\"%s\",\"value\":{", span->comma, key);
    span->comma = ",";
}

static void put_text(struct span *span, const char *key, const char *text)
{
    if (*text == '\0')
        return;
    begin_attribute(span, key);
    fputs("\"stringValue\":", span->out);
    uns_json_text(span->out, text);
    fputs("}}", span->out);
}

static void put_int(struct span *span, const char *key, int64_t number)
{
    if (number == UNS_NULL)
        return;
    begin_attribute(span, key);
    fprintf(span->out, "\"intValue\":\"%" PRId64 "\"}}", number);
}

/* Every fact of the record, by its own name. */
static void put_metrics(struct span *span, enum uns_metric_table table,
                        const char *prefix, const void *record)
{
    size_t count;
    const struct uns_metric *metrics = uns_metrics(&count);
    char key[64];
    int64_t number;

    for (size_t i = 0; i < count; i++) {
        const char *field = (const char *)record + metrics[i].offset;

        if (metrics[i].table != table)
            continue;
        snprintf(key, sizeof key, "%s%s", prefix, metrics[i].name);
        if (metrics[i].is_text) {
            put_text(span, key, field);
            continue;
        }
        memcpy(&number, field, sizeof number);
        put_int(span, key, number);
    }
}

static void put_server(struct span *span, const char *url)
{
    struct uns_url parts;
    char host[256];

    if (!uns_url_split(url, strlen(url), &parts))
        return;
    snprintf(host, sizeof host, "%.*s", (int)parts.host.len, parts.host.data);
    put_text(span, "server.address", host);
    put_int(span, "server.port", parts.port);
}

/* --- time ------------------------------------------------------------------
 */

/* Of a number of milliseconds; 0 of what cannot be one. */
static int64_t us_of(int64_t ms)
{
    return ms >= 0 && ms < UNS_FIGURES_MOST ? ms * 1000 : 0;
}

/* The first token, as exactly as it was kept; UNS_NULL: none came. */
static int64_t first_us(int64_t ttft_us, int64_t ttft_ms)
{
    if (ttft_us >= 0 && ttft_us < UNS_FIGURES_MOST)
        return ttft_us;
    return ttft_ms == UNS_NULL ? UNS_NULL : us_of(ttft_ms);
}

/* OTLP counts nanoseconds; ours are microseconds since the epoch. */
static void put_time(const struct span *span, const char *key, int64_t us)
{
    fprintf(span->out, "\"%s\":\"%" PRId64 "%s\"", key, us, us ? "000" : "");
}

static void begin_event(struct span *span, const char *name, int64_t us)
{
    fprintf(span->out, "%s{", span->comma);
    put_time(span, "timeUnixNano", us);
    fprintf(span->out, ",\"name\":\"%s\"", name);
    span->comma = ",";
}

/* --- events ----------------------------------------------------------------
 */

static void put_first_token(struct span *span, int64_t from_us, int64_t ttft_us)
{
    if (ttft_us == UNS_NULL)
        return;
    begin_event(span, "first_token", from_us + ttft_us);
    fputc('}', span->out);
}

/* Those of attempt `seq`, which has begun at `from_us`. */
static int put_stalls(struct span *span, int64_t call_id, int64_t seq,
                      int64_t from_us)
{
    struct uns_stall_row stall;
    int rc;

    uns_stall_rows_of(span->stalls, call_id);
    while ((rc = uns_stall_rows_next(span->stalls, &stall)) == SQLITE_ROW) {
        if (stall.seq != seq)
            continue;
        begin_event(span, "stall", from_us + us_of(stall.at_ms));
        fputs(",\"attributes\":[", span->out);
        span->comma = "";
        put_int(span, "unstall.stall.duration_ms", stall.duration_ms);
        put_int(span, "unstall.stall.after_chunk", stall.after_chunk);
        fputs("]}", span->out);
        span->comma = ",";
    }
    return rc;
}

/* --- spans -----------------------------------------------------------------
 */

static void begin_span(struct span *span, uint64_t id, uint64_t parent,
                       const char *name)
{
    fprintf(span->out,
            "%s{\"traceId\":\"%016" PRIx64 "%016" PRIx64
            "\",\"spanId\":\"%016" PRIx64 "\"",
            span->comma, own_id(span, TRACE_HIGH), own_id(span, TRACE_LOW), id);
    if (parent != 0)
        fprintf(span->out, ",\"parentSpanId\":\"%016" PRIx64 "\"", parent);
    fputs(",\"name\":", span->out);
    uns_json_text(span->out, name);
    fprintf(span->out, ",\"kind\":%d,", KIND_CLIENT);
}

/* Milliseconds are cut off, so the first token can come "after" the end. */
static void put_times(struct span *span, int64_t from_us, int64_t wall_ms,
                      int64_t ttft_us)
{
    int64_t wall_us = us_of(wall_ms);

    put_time(span, "startTimeUnixNano", from_us);
    fputc(',', span->out);
    put_time(span, "endTimeUnixNano",
             from_us + (ttft_us > wall_us ? ttft_us : wall_us));
    fputs(",\"attributes\":[", span->out);
    span->comma = "";
}

/* error.type, which is to be one of few: a status, else our own word. */
static void put_error_type(struct span *span, int64_t http_status,
                           const char *word)
{
    char status[24];

    snprintf(status, sizeof status, "%" PRId64, http_status);
    put_text(span, "error.type", http_status >= 400 ? status : word);
}

/* An instrumentation says nothing of what went well (unset is no error). */
static void end_span(struct span *span, bool failed, const char *message)
{
    fputs("],\"status\":{", span->out);
    if (failed) {
        fprintf(span->out, "\"code\":%d,\"message\":", STATUS_ERROR);
        uns_json_text(span->out, message);
    }
    fputs("}}", span->out);
    span->comma = ",";
}

static void put_gen_ai(struct span *span, bool failed)
{
    const struct uns_call_record *call = &span->entry->call;

    put_text(span, "gen_ai.operation.name", uns_otlp_operation(call));
    put_text(span, "gen_ai.provider.name", uns_otlp_provider(call));
    put_text(span, "gen_ai.request.model", call->model);
    put_text(span, "gen_ai.response.model", call->model_served);
    put_int(span, "gen_ai.usage.input_tokens", call->tokens_in);
    put_int(span, "gen_ai.usage.output_tokens", call->tokens_out);
    put_server(span, call->endpoint);
    put_int(span, "http.response.status_code", call->http_status);
    if (failed)
        put_error_type(span, call->http_status, call->outcome);
    put_metrics(span, UNS_METRIC_CALLS, "unstall.", call);
}

static int put_call(struct span *span, int64_t call_id)
{
    const struct uns_call_record *call = &span->entry->call;
    bool failed = uns_figures_phase(span->entry) != UNS_PHASE_COUNT;
    unsigned i = uns_figures_answer(span->entry);
    int64_t ttft_us = first_us(call->ttft_us, call->ttft_ms);
    char name[2 * sizeof call->model];
    int rc = SQLITE_DONE;

    snprintf(name, sizeof name, "%s%s%s", uns_otlp_operation(call),
             *call->model ? " " : "", call->model);
    begin_span(span, own_id(span, CALL), 0, name);
    put_times(span, span->began_us, call->wall_ms, ttft_us);
    put_gen_ai(span, failed);
    fputs("],\"events\":[", span->out);
    span->comma = "";
    put_first_token(span, span->began_us, ttft_us);
    if (call->winner != UNS_NULL && i < UNS_RACE_ATTEMPTS)
        rc = put_stalls(span, call_id, call->winner,
                        span->began_us +
                            us_of(span->entry->attempt[i].started_ms));
    end_span(span, failed, call->outcome);
    return rc;
}

static int put_attempt(struct span *span, int64_t call_id, unsigned i)
{
    const struct uns_attempt_record *a = &span->entry->attempt[i];
    bool failed = strcmp(a->outcome, "failed") == 0;
    int64_t from_us = span->began_us + us_of(a->started_ms);
    int64_t ttft_us = first_us(a->ttft_us, a->ttft_ms);
    char name[2 * sizeof a->source];
    int rc;

    snprintf(name, sizeof name, "attempt %s", a->source);
    begin_span(span, own_id(span, ATTEMPT + i), own_id(span, CALL), name);
    put_times(span, from_us, a->wall_ms, ttft_us);
    put_text(span, "http.request.method", "POST");
    put_server(span, a->origin);
    put_int(span, "http.response.status_code", a->http_status);
    if (failed)
        put_error_type(span, a->http_status, *a->error ? a->error : a->outcome);
    put_metrics(span, UNS_METRIC_ATTEMPTS, "unstall.attempt.", a);
    fputs("],\"events\":[", span->out);
    span->comma = "";
    put_first_token(span, from_us, ttft_us);
    rc = put_stalls(span, call_id, a->seq, from_us);
    end_span(span, failed, *a->error ? a->error : a->outcome);
    return rc;
}

int uns_otlp_spans(FILE *out, const struct uns_otlp_call *call,
                   sqlite3_stmt *stalls, unsigned *ret_spans)
{
    int64_t began_us = uns_figures_began(&call->entry->call);
    struct span span = {
        .out = out,
        .entry = call->entry,
        .stalls = stalls,
        .began_us = began_us == UNS_NULL ? 0 : began_us,
        .comma = "",
    };
    int rc = put_call(&span, call->id);

    for (unsigned i = 0; i < call->entry->attempts && rc == SQLITE_DONE; i++)
        rc = put_attempt(&span, call->id, i);
    *ret_spans = call->entry->attempts + 1;
    return rc;
}
