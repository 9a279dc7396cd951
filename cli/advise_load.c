/* SPDX-License-Identifier: MIT */
/* advise_load - the newest calls' primaries as a pool. */
#include "advise.h"

#include "reader.h"

#include <stdio.h>
#include <string.h>

static bool is(const char *word, const char *other)
{
    return strcmp(word, other) == 0;
}

/* Its own time was up, or the application's patience, or the process. */
static bool was_ended(const struct uns_call_record *call)
{
    return is(call->outcome, "timeout") || is(call->outcome, "aborted") ||
           is(call->outcome, "killed");
}

enum uns_advise_use uns_advise_use_of(const struct uns_call_record *call,
                                      const struct uns_attempt_record *primary)
{
    bool began = primary->ttft_us != UNS_NULL;

    if (is(primary->outcome, "hedge_cancelled"))
        return UNS_ADVISE_CUT;
    if (!began)
        return was_ended(call) ? UNS_ADVISE_CUT : UNS_ADVISE_SKIP;
    return is(primary->outcome, "failed") ? UNS_ADVISE_SKIP : UNS_ADVISE_WHOLE;
}

/* Places come one after another: the reader's key is theirs. */
struct place {
    char key[512];
    uint32_t number;
};

static uint32_t number_place(struct place *place, const char *key)
{
    if (key != NULL && strcmp(place->key, key) != 0) {
        (void)snprintf(place->key, sizeof place->key, "%s", key);
        place->number++;
    }
    return place->number;
}

static bool take_call(const struct uns_entry *entry, uint32_t place,
                      struct uns_advise_calls *calls)
{
    const struct uns_attempt_record *primary = &entry->attempt[0];
    struct uns_slice timeline = {(const char *)entry->timeline[0].data,
                                 entry->timeline[0].len};
    struct uns_pool_call call = {.place = place};
    enum uns_advise_use use = entry->attempts > 0
                                  ? uns_advise_use_of(&entry->call, primary)
                                  : UNS_ADVISE_SKIP;
    int64_t at_us = entry->call.started_at;

    if (use == UNS_ADVISE_SKIP) {
        calls->skipped++;
        return true;
    }
    uns_trace_read(primary, timeline, &call.trace);
    call.trace.cut = use == UNS_ADVISE_CUT;
    call.tokens_in =
        entry->call.tokens_in == UNS_NULL ? 0 : (double)entry->call.tokens_in;
    calls->known += use == UNS_ADVISE_WHOLE ? 1 : 0;
    calls->untimed += timeline.len == 0 ? 1 : 0;
    if (calls->pool.count == 0 || at_us < calls->first_us)
        calls->first_us = at_us;
    if (calls->pool.count == 0 || at_us > calls->last_us)
        calls->last_us = at_us;
    return uns_pool_add(&calls->pool, &call);
}

/* Since when there are no more than UNS_ADVISE_CALLS. */
static int since_newest(sqlite3 *db, struct uns_select *select)
{
    static const char sql[] = "SELECT started_at" UNS_SELECT_FROM
                              " ORDER BY started_at DESC LIMIT 1 OFFSET ";
    char text[sizeof sql + 24];
    sqlite3_stmt *stmt;
    int rc;

    (void)snprintf(text, sizeof text, "%s%d", sql, UNS_ADVISE_CALLS - 1);
    stmt = uns_select_prepare(db, text, select);
    rc = stmt ? sqlite3_step(stmt) : SQLITE_ERROR;
    if (rc == SQLITE_ROW)
        select->since_us = sqlite3_column_int64(stmt, 0);
    sqlite3_finalize(stmt);
    return rc == SQLITE_ROW ? SQLITE_DONE : rc;
}

int uns_advise_load(sqlite3 *db, const struct uns_select *select,
                    struct uns_advise_calls *ret_calls)
{
    struct uns_select newest = *select;
    struct place place = {.number = 0};
    struct uns_reader *reader;
    int rc = since_newest(db, &newest);

    if (rc != SQLITE_DONE)
        return rc;
    reader = uns_reader_open(db, &newest,
                             "host_of(endpoint) || ' ' || ifnull(model, '')"
                             " || ' ' || streaming");
    rc = reader ? SQLITE_ROW : SQLITE_ERROR;
    while (rc == SQLITE_ROW && (rc = uns_reader_next(reader)) == SQLITE_ROW)
        if (!take_call(uns_reader_entry(reader),
                       number_place(&place, uns_reader_key(reader)), ret_calls))
            rc = SQLITE_NOMEM;
    uns_reader_close(reader);
    return rc;
}
