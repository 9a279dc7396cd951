/* SPDX-License-Identifier: MIT */
/*
 * export_trace - the JSON format of trace events, for Perfetto and
 * chrome://tracing.  A process for each program and pid, a track for each
 * attempt; on the first track of a call the call itself, around attempt 0.
 *
 *   call 12    |-----------------------------------------------|
 *   attempt 0  |------------------------------------|
 *   phases     |dns|connect|wait|---------content---|
 *   stalls                          |--stall--|
 *   chunks                       ' '          ' ' ''
 *
 * Slices of one track are inside of one another or apart: each is cut to what
 * it lies in, since stored milliseconds are cut off.
 */
#include "core/timeline.h"
#include "export.h"
#include "figures.h"
#include "json.h"
#include "reader.h"
#include "stall_rows.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct trace {
    FILE *out;
    struct uns_reader *reader;
    sqlite3_stmt *stalls;
    const char *comma;
    int64_t pid, tid; /* of the track at hand: numbers of our own */
    char *process;    /* the key of that pid */
};

/* A stretch of one track, in microseconds. */
struct stretch {
    int64_t from_us, to_us;
};

/* Of a number of milliseconds; UNS_NULL of what cannot be one. */
static int64_t us_of(int64_t ms)
{
    return ms >= 0 && ms < UNS_FIGURES_MOST ? ms * 1000 : UNS_NULL;
}

static int64_t within(int64_t us, struct stretch outer)
{
    if (us < outer.from_us)
        return outer.from_us;
    return us < outer.to_us ? us : outer.to_us;
}

static struct stretch cut_to(struct stretch inner, struct stretch outer)
{
    return (struct stretch){within(inner.from_us, outer),
                            within(inner.to_us, outer)};
}

/* --- events ----------------------------------------------------------------
 */

/* Everything up to the arguments; finish() closes it. */
static void begin(struct trace *trace, const char *phase, const char *name)
{
    fprintf(trace->out,
            "%s\n{\"ph\": \"%s\", \"pid\": %" PRId64 ", \"tid\": %" PRId64
            ", \"name\": ",
            trace->comma, phase, trace->pid, trace->tid);
    uns_json_text(trace->out, name);
    trace->comma = ",";
}

static void finish(struct trace *trace)
{
    fputs("}", trace->out);
}

static void put_name(struct trace *trace, const char *what, const char *name)
{
    begin(trace, "M", what);
    fputs(", \"args\": {\"name\": ", trace->out);
    uns_json_text(trace->out, name);
    fputc('}', trace->out);
    finish(trace);
}

static void begin_slice(struct trace *trace, const char *name,
                        struct stretch stretch)
{
    begin(trace, "X", name);
    fprintf(trace->out, ", \"ts\": %" PRId64 ", \"dur\": %" PRId64,
            stretch.from_us, stretch.to_us - stretch.from_us);
}

static void put_slice(struct trace *trace, const char *name,
                      struct stretch stretch)
{
    if (stretch.to_us <= stretch.from_us)
        return;
    begin_slice(trace, name, stretch);
    finish(trace);
}

/* False: it could not be told. */
static bool put_value(FILE *out, const char *comma,
                      const struct uns_metric *metric, const char *field)
{
    int64_t number = UNS_NULL;

    if (!metric->is_text)
        memcpy(&number, field, sizeof number);
    if (metric->is_text ? *field == '\0' : number == UNS_NULL)
        return false;
    fprintf(out, "%s\"%s\": ", comma, metric->name);
    if (metric->is_text)
        uns_json_text(out, field);
    else
        fprintf(out, "%" PRId64, number);
    return true;
}

/* All that is known of a call or an attempt. */
static void put_args(struct trace *trace, enum uns_metric_table table,
                     const void *record)
{
    size_t count;
    const struct uns_metric *metrics = uns_metrics(&count);
    const char *comma = "";

    fputs(", \"args\": {", trace->out);
    for (size_t i = 0; i < count; i++)
        if (metrics[i].table == table &&
            put_value(trace->out, comma, &metrics[i],
                      (const char *)record + metrics[i].offset))
            comma = ", ";
    fputc('}', trace->out);
}

/* --- an attempt ------------------------------------------------------------
 */

struct track {
    const struct uns_attempt_record *attempt;
    struct uns_slice timeline;
    struct stretch whole, content;
};

/* The first token, as exactly as it was kept. */
static int64_t first_us(const struct uns_attempt_record *a)
{
    return a->ttft_us >= 0 && a->ttft_us < UNS_FIGURES_MOST ? a->ttft_us
                                                            : us_of(a->ttft_ms);
}

struct phase {
    const char *name;
    int64_t us;      /* UNS_NULL: it is not known, and none is drawn */
    bool from_start; /* counted from there, not from the phase before */
};

/* From where the last one ended, never back. */
static struct stretch after(struct stretch last, const struct phase *phase,
                            struct stretch whole)
{
    int64_t to_us =
        phase->us + (phase->from_start ? whole.from_us : last.to_us);

    if (to_us < last.to_us)
        to_us = last.to_us;
    return cut_to((struct stretch){last.to_us, to_us}, whole);
}

/* Returns where the content is; nowhere when it is not known. */
static struct stretch put_phases(struct trace *trace, const struct track *track)
{
    const struct uns_attempt_record *a = track->attempt;
    const struct phase phases[] = {
        {"dns",         us_of(a->dns_ms),        false},
        {"connect",     us_of(a->connect_ms),    false},
        {"tls",         us_of(a->tls_ms),        false},
        {"wait",        us_of(a->first_byte_ms), true },
        {"first token", first_us(a),             true },
        {"content",     us_of(a->generation_ms), false},
    };
    const struct stretch whole = track->whole;
    struct stretch at = {whole.from_us, whole.from_us};
    const char *rest = first_us(a) == UNS_NULL ? "no content" : "tail";

    for (size_t i = 0; i < sizeof phases / sizeof *phases; i++) {
        if (phases[i].us == UNS_NULL)
            continue;
        at = after(at, &phases[i], whole);
        put_slice(trace, phases[i].name, at);
    }
    put_slice(trace, rest, (struct stretch){at.to_us, whole.to_us});
    if (us_of(a->generation_ms) == UNS_NULL)
        return (struct stretch){0, 0};
    return at;
}

static int put_stalls(struct trace *trace, const struct track *track)
{
    struct uns_stall_row stall;
    int rc;

    uns_stall_rows_of(trace->stalls, uns_reader_id(trace->reader));
    while ((rc = uns_stall_rows_next(trace->stalls, &stall)) == SQLITE_ROW) {
        struct stretch at;

        if (stall.seq != track->attempt->seq ||
            us_of(stall.at_ms) == UNS_NULL ||
            us_of(stall.duration_ms) == UNS_NULL)
            continue;
        at.from_us = track->whole.from_us + us_of(stall.at_ms);
        at.to_us = at.from_us + us_of(stall.duration_ms);
        at = cut_to(at, track->content);
        if (at.to_us <= at.from_us)
            continue;
        begin_slice(trace, "stall", at);
        fprintf(
            trace->out,
            ", \"cname\": \"terrible\", \"args\": {\"after_chunk\": %" PRId64
            ", \"duration_ms\": %" PRId64 "}",
            stall.after_chunk, stall.duration_ms);
        finish(trace);
    }
    return rc;
}

static void put_chunks(struct trace *trace, const struct track *track)
{
    static const char *const names[UNS_MARK_COUNT] = {
        [UNS_MARK_CHUNK] = "chunk",
        [UNS_MARK_STRUCTURAL] = "structural",
        [UNS_MARK_OTHER] = "other",
        [UNS_MARK_PAUSE] = "pause",
    };
    struct uns_moment moment = {0};

    for (size_t at = 0; uns_timeline_next((const uint8_t *)track->timeline.data,
                                          track->timeline.len, &at, &moment);) {
        begin(trace, "i", names[moment.mark]);
        fprintf(trace->out,
                ", \"s\": \"t\", \"ts\": %" PRId64
                ", \"args\": {\"count\": %u, \"span_us\": %" PRId64
                ", \"gap_us\": %" PRId64 "}",
                track->whole.from_us + moment.at_ns / 1000,
                (unsigned)moment.count, moment.span_ns / 1000,
                moment.gap_ns / 1000);
        finish(trace);
    }
}

static int put_attempt(struct trace *trace, unsigned i, struct stretch call)
{
    const struct uns_entry *entry = uns_reader_entry(trace->reader);
    const struct uns_attempt_record *a = &entry->attempt[i];
    int64_t started_us = us_of(a->started_ms), wall_us = us_of(a->wall_ms);
    struct track track = {
        .attempt = a,
        .timeline = {(const char *)entry->timeline[i].data,
                     entry->timeline[i].len},
    };
    char name[2 * sizeof a->source];

    track.whole.from_us =
        call.from_us + (started_us == UNS_NULL ? 0 : started_us);
    track.whole.to_us =
        track.whole.from_us + (wall_us == UNS_NULL ? 0 : wall_us);
    if (i == 0) /* on the call's track */
        track.whole = cut_to(track.whole, call);
    snprintf(name, sizeof name, "attempt %u: %s, %s", i, a->source, a->outcome);
    begin_slice(trace, name, track.whole);
    put_args(trace, UNS_METRIC_ATTEMPTS, a);
    finish(trace);
    track.content = put_phases(trace, &track);
    put_chunks(trace, &track);
    return put_stalls(trace, &track);
}

/* --- calls -----------------------------------------------------------------
 */

static void name_track(struct trace *trace, unsigned attempt)
{
    char name[64];

    trace->tid++;
    snprintf(name, sizeof name, "call %" PRId64 ", attempt %u",
             uns_reader_id(trace->reader), attempt);
    put_name(trace, "thread_name", name);
    begin(trace, "M", "thread_sort_index");
    fprintf(trace->out, ", \"args\": {\"sort_index\": %" PRId64 "}",
            trace->tid);
    finish(trace);
}

static bool name_process(struct trace *trace)
{
    const char *key = uns_reader_key(trace->reader);

    if (trace->process != NULL && strcmp(trace->process, key) == 0)
        return true;
    free(trace->process);
    trace->process = strdup(key);
    trace->pid++;
    trace->tid = 0;
    put_name(trace, "process_name", key);
    return trace->process != NULL;
}

/* A call whose begin is not known has no place on the axis. */
static int put_call(struct trace *trace)
{
    const struct uns_entry *entry = uns_reader_entry(trace->reader);
    int64_t began_us = uns_figures_began(&entry->call);
    int64_t wall_us = us_of(entry->call.wall_ms);
    struct stretch call = {began_us, began_us};
    char name[2 * sizeof entry->call.model];
    int rc = SQLITE_DONE;

    if (began_us == UNS_NULL)
        return rc;
    if (!name_process(trace))
        return SQLITE_NOMEM;
    call.to_us += wall_us == UNS_NULL ? 0 : wall_us;
    name_track(trace, 0);
    snprintf(name, sizeof name, "%s: %s",
             *entry->call.model ? entry->call.model : "call",
             entry->call.outcome);
    begin_slice(trace, name, call);
    put_args(trace, UNS_METRIC_CALLS, &entry->call);
    finish(trace);
    for (unsigned i = 0; i < entry->attempts && rc == SQLITE_DONE; i++) {
        if (i > 0)
            name_track(trace, i);
        rc = put_attempt(trace, i, call);
    }
    return rc;
}

static int put_calls(struct trace *trace)
{
    int rc;

    while ((rc = uns_reader_next(trace->reader)) == SQLITE_ROW)
        if ((rc = put_call(trace)) != SQLITE_DONE)
            return rc;
    return rc;
}

int uns_export_trace(sqlite3 *db, const struct uns_export *export, FILE *out)
{
    static const char key[] = "ifnull(program, '?') || ' ' || ifnull(pid, '?')";
    struct trace trace = {
        .out = out,
        .reader = uns_reader_open(db, &export->select, key),
        .stalls = uns_stall_rows(db),
        .comma = "",
    };
    int rc = SQLITE_ERROR;

    if (trace.reader != NULL && trace.stalls != NULL) {
        fputs("{\"displayTimeUnit\": \"ms\", \"traceEvents\": [", out);
        rc = put_calls(&trace);
        fputs("\n]}\n", out);
    }
    uns_reader_close(trace.reader);
    sqlite3_finalize(trace.stalls);
    free(trace.process);
    return rc;
}
