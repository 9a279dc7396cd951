/* SPDX-License-Identifier: MIT */
/*
 * export_otlp - documents of traces: calls of one process stand under one
 * resource.  On standard output a document is a line, as the collector's file
 * receiver reads them.
 */
#include "json.h"
#include "otlp.h"
#include "reader.h"
#include "stall_rows.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct document {
    FILE *out;
    sqlite3_stmt *stalls;
    struct uns_otlp_batch *batch;
    char program[sizeof((struct uns_call_record *)NULL)->program];
    int64_t pid;
};

static void put_attribute(FILE *out, const char *key, const char *text)
{
    fprintf(out, "{\"key\":\"%s\",\"value\":{\"stringValue\":", key);
    uns_json_text(out, text);
    fputs("}}", out);
}

static void begin_resource(struct document *document,
                           const struct uns_call_record *call)
{
    char host[256] = "";

    (void)gethostname(host, sizeof host - 1);
    memcpy(document->program, call->program, sizeof document->program);
    document->pid = call->pid;
    fputs("{\"resource\":{\"attributes\":[", document->out);
    put_attribute(document->out, "service.name",
                  *call->program ? call->program : "unknown_service");
    fputc(',', document->out);
    put_attribute(document->out, "host.name", host);
    if (call->pid != UNS_NULL)
        fprintf(document->out,
                ",{\"key\":\"process.pid\",\"value\":{\"intValue\":\"%" PRId64
                "\"}}",
                call->pid);
    fputs("]},\"scopeSpans\":[{\"scope\":{\"name\":\"unstall\",\"version\":"
          "\"" UNS_VERSION "\"},\"spans\":[",
          document->out);
}

static void end_resource(struct document *document)
{
    fputs("]}]}", document->out);
}

static bool is_same_process(const struct document *document,
                            const struct uns_call_record *call)
{
    return document->pid == call->pid &&
           strcmp(document->program, call->program) == 0;
}

static int add_call(struct document *document, const struct uns_otlp_call *call)
{
    struct uns_otlp_batch *batch = document->batch;
    const struct uns_call_record *record = &call->entry->call;
    bool same = batch->calls > 0 && is_same_process(document, record);
    unsigned spans = 0;
    int rc;

    if (batch->calls > 0 && !same)
        end_resource(document);
    if (batch->calls > 0)
        fputc(',', document->out);
    if (!same)
        begin_resource(document, record);
    rc = uns_otlp_spans(document->out, call, document->stalls, &spans);
    batch->calls++;
    batch->spans += spans;
    batch->last_id = call->id;
    memcpy(batch->last_uuid, record->uuid, sizeof batch->last_uuid);
    return rc;
}

/* Until there are no more calls, or enough of them. */
static int add_calls(struct document *document, struct uns_reader *reader,
                     unsigned limit)
{
    int rc = SQLITE_DONE;

    while (document->batch->calls < limit &&
           ftello(document->out) < UNS_OTLP_BYTES &&
           (rc = uns_reader_next(reader)) == SQLITE_ROW) {
        const struct uns_otlp_call call = {uns_reader_entry(reader),
                                           uns_reader_id(reader)};

        rc = add_call(document, &call);
        if (rc != SQLITE_DONE)
            return rc;
    }
    return rc;
}

static int fill(struct document *document, struct uns_reader *reader,
                unsigned limit)
{
    int rc;

    fputs("{\"resourceSpans\":[", document->out);
    rc = add_calls(document, reader, limit);
    if (document->batch->calls > 0)
        end_resource(document);
    fputs("]}", document->out);
    if (fclose(document->out) != 0)
        return SQLITE_NOMEM;
    if (rc != SQLITE_DONE)
        return rc;
    return document->batch->calls > 0 ? SQLITE_ROW : SQLITE_DONE;
}

int uns_otlp_next(sqlite3 *db, const struct uns_select *select, unsigned limit,
                  struct uns_otlp_batch *ret_batch)
{
    struct uns_otlp_batch batch = {0};
    struct document document = {.stalls = uns_stall_rows(db), .batch = &batch};
    struct uns_reader *reader = uns_reader_open(db, select, "id");
    int rc = SQLITE_ERROR;

    if (reader != NULL && document.stalls != NULL) {
        document.out = open_memstream(&batch.text, &batch.len);
        rc = document.out ? fill(&document, reader, limit) : SQLITE_NOMEM;
    }
    uns_reader_close(reader);
    sqlite3_finalize(document.stalls);
    if (rc == SQLITE_ROW)
        *ret_batch = batch;
    else
        free(batch.text);
    return rc;
}

int uns_export_otlp(sqlite3 *db, const struct uns_export *export, FILE *out)
{
    struct uns_select select = export->select;
    struct uns_otlp_batch batch;
    int rc;

    while ((rc = uns_otlp_next(db, &select, UNS_OTLP_CALLS, &batch)) ==
           SQLITE_ROW) {
        fprintf(out, "%s\n", batch.text);
        free(batch.text);
        select.after_id = batch.last_id;
    }
    return rc;
}
