/* SPDX-License-Identifier: MIT */
#ifndef UNS_TESTS_EXPORT_FIXTURE_H
#define UNS_TESTS_EXPORT_FIXTURE_H

/* export_fixture - a store with calls, and what an export makes of it. */

#include "cli/db.h"
#include "cli/export.h"
#include "store_fixture.h"

#include <cjson/cJSON.h>

#define BEGAN_US INT64_C(1785412525000000)

/* A finished call of curl at a.test with one attempt that won. */
static inline struct uns_entry *call_named(const char *uuid)
{
    struct uns_entry *entry = entry_named(uuid);
    struct uns_call_record *call = &entry->call;
    struct uns_attempt_record *attempt = &entry->attempt[0];

    strcpy(call->program, "curl");
    strcpy(call->endpoint, "https://a.test:8443/v1/chat/completions");
    strcpy(call->dialect, "chat");
    strcpy(call->model, "m1");
    strcpy(call->outcome, "ok");
    call->started_at = BEGAN_US;
    call->pid = 7;
    call->streaming = 1;
    call->winner = 0;
    call->http_status = 200;
    call->wall_ms = 9000;
    call->ttft_ms = 700;
    call->ttft_us = 700900;
    call->generation_ms = 8000;
    call->stall_ms = 0;
    call->stall_count = 0;
    entry->attempts = 1;
    strcpy(attempt->source, "self");
    strcpy(attempt->origin, "https://a.test:8443");
    strcpy(attempt->outcome, "won");
    attempt->seq = 0;
    attempt->started_ms = 0;
    attempt->http_status = 200;
    attempt->wall_ms = 9000;
    attempt->ttft_ms = 700;
    attempt->ttft_us = 700900;
    attempt->generation_ms = 8000;
    return entry;
}

/* Chunks at those milliseconds; the gaps are what lies between them. */
static inline void give_timeline(struct uns_entry *entry, unsigned i,
                                 const int64_t *at_ms, size_t count)
{
    uint8_t *buf = malloc(UNS_TIMELINE_BYTES);
    struct uns_timeline timeline;

    uns_timeline_init(&timeline, buf, UNS_TIMELINE_BYTES, UNS_S);
    for (size_t k = 0; k < count; k++) {
        const struct uns_moment moment = {
            .mark = UNS_MARK_CHUNK,
            .count = 1,
            .at_ns = at_ms[k] * UNS_MS,
            .gap_ns = k ? (at_ms[k] - at_ms[k - 1]) * UNS_MS : 0,
        };

        uns_timeline_note(&timeline, &moment);
    }
    entry->timeline[i].data = buf;
    entry->timeline[i].len = timeline.len;
}

static inline sqlite3 *open_store(const struct place *place)
{
    const struct uns_common common = {.command = "test", .db = place->db};
    sqlite3 *db = NULL;

    assert_int_equal(uns_db_open_quietly(&common, &db), UNS_EXIT_OK);
    assert_non_null(db);
    return db;
}

/* What `write` makes of the store; free() it. */
static inline char *exported(const struct place *place, uns_export_write *write,
                             const struct uns_export *export)
{
    sqlite3 *db = open_store(place);
    char *buf = NULL, *text;
    size_t len = 0;
    FILE *out = open_memstream(&buf, &len);

    assert_int_equal(write(db, export, out), SQLITE_DONE);
    fclose(out);
    sqlite3_close(db);
    text = strdup(buf);
    free(buf);
    return text;
}

static inline void check_has(const char *row, const char *text,
                             const char *part)
{
    if (strstr(text, part) != NULL)
        return;
    print_error("%s: '%s' is not in\n%s\n", row, part, text);
    fail();
}

#endif
