/* SPDX-License-Identifier: MIT */
#ifndef UNS_CLI_OTLP_H
#define UNS_CLI_OTLP_H

/*
 * otlp - calls as spans, in the JSON of OTLP (opentelemetry-proto) and with
 * the names of the semantic conventions for generative AI.
 *
 *   span of the call      chat gpt-4o             gen_ai.*, unstall.*
 *     '- of an attempt    attempt self            unstall.attempt.*
 *     '- of an attempt    attempt backup
 *
 * Ids are made of the call's uuid, so that a call that is sent twice is the
 * same trace and the same spans both times.  Tokens stand at the call alone:
 * who adds up gen_ai.usage would count them twice.
 */

#include "engine/store.h"
#include "export.h"

/* Calls of one document at most, and bytes after which none is added. */
#define UNS_OTLP_CALLS 64
#define UNS_OTLP_BYTES (512 * 1024)

struct uns_otlp_batch {
    char *text; /* malloc'd: one document, without line breaks */
    size_t len;
    unsigned calls, spans;
    int64_t last_id; /* calls.id and uuid of the last one */
    char last_uuid[sizeof((struct uns_call_record *)NULL)->uuid];
};

/* The next selected calls, `limit` at most, in the order in which they were
 * recorded.  Returns SQLITE_ROW with a batch to free; SQLITE_DONE: there are
 * no more; or what went wrong. */
int uns_otlp_next(sqlite3 *db, const struct uns_select *select, unsigned limit,
                  struct uns_otlp_batch *ret_batch);

struct uns_otlp_call {
    const struct uns_entry *entry;
    int64_t id; /* calls.id, for its stalls */
};

/* Write the spans of one call, with commas between; their number is
 * *ret_spans.  Returns SQLITE_DONE, or what went wrong. */
int uns_otlp_spans(FILE *out, const struct uns_otlp_call *call,
                   sqlite3_stmt *stalls, unsigned *ret_spans);

/* gen_ai.operation.name and gen_ai.provider.name of a call. */
const char *uns_otlp_operation(const struct uns_call_record *call);
const char *uns_otlp_provider(const struct uns_call_record *call);

#endif
