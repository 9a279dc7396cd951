/* SPDX-License-Identifier: MIT */
/* store_check - `unstall store check`: every page read, every index compared,
 * and rows that belong to no call.  Nothing is changed. */
#include "store.h"

#include "engine/store.h"
#include "engine/store_aside.h"
#include "engine/store_schema.h"
#include "findings.h"

#include <stdlib.h>

static void add(struct uns_findings *findings, enum uns_level level,
                const char *what, const char *found)
{
    uns_findings_say(&uns_findings_add(findings, level, what)->found, "%s",
                     found);
}

static void check_pages(struct uns_findings *findings, sqlite3 *db)
{
    sqlite3_stmt *stmt = NULL;
    int rc =
        sqlite3_prepare_v2(db, "PRAGMA integrity_check(20)", -1, &stmt, NULL);
    const char *text;

    while (rc == SQLITE_OK || rc == SQLITE_ROW) {
        rc = sqlite3_step(stmt);
        if (rc != SQLITE_ROW)
            break;
        text = (const char *)sqlite3_column_text(stmt, 0);
        if (text != NULL && sqlite3_stricmp(text, "ok") == 0)
            add(findings, UNS_LEVEL_GOOD, "pages", "sound");
        else
            add(findings, UNS_LEVEL_BAD, "pages", text ? text : "?");
    }
    if (rc != SQLITE_DONE)
        add(findings, UNS_LEVEL_BAD, "pages", sqlite3_errmsg(db));
    sqlite3_finalize(stmt);
}

static void check_schema(struct uns_findings *findings, sqlite3 *db)
{
    int64_t version = 0;
    unsigned known = uns_schema_version();
    struct uns_finding *row;

    if (uns_sql_int(db, "PRAGMA user_version", &version) != UNS_OK)
        return; /* its page has been told */
    row = uns_findings_add(
        findings, version > (int64_t)known ? UNS_LEVEL_BAD : UNS_LEVEL_GOOD,
        "schema");
    uns_findings_say(&row->found, "%lld; this unstall writes %u",
                     (long long)version, known);
    if (version > (int64_t)known)
        uns_findings_say(&row->means, "A later unstall made it: this one "
                                      "reads it, and records nothing.");
    else if (version < (int64_t)known)
        uns_findings_say(&row->means,
                         "It is brought forward with the next call.");
}

static const struct {
    const char *what, *sql;
} counts[] = {
    {"calls",    "SELECT count(*) FROM calls"             },
    {"attempts", "SELECT count(*) FROM attempts WHERE call_id NOT IN"
                 " (SELECT id FROM calls)"},
    {"stalls",   "SELECT count(*) FROM stalls WHERE call_id NOT IN"
               " (SELECT id FROM calls)"    },
};

static void check_rows(struct uns_findings *findings, sqlite3 *db)
{
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        int64_t count = 0;
        bool foreign = i > 0;

        if (uns_sql_int(db, counts[i].sql, &count) != UNS_OK)
            add(findings, UNS_LEVEL_BAD, counts[i].what, "cannot be read");
        else
            uns_findings_say(&uns_findings_add(findings,
                                               foreign && count > 0
                                                   ? UNS_LEVEL_BAD
                                                   : UNS_LEVEL_GOOD,
                                               counts[i].what)
                                  ->found,
                             foreign ? "%lld that belong to no call" : "%lld",
                             (long long)count);
    }
}

static void tell_aside(const char *aside, void *arg)
{
    add(arg, UNS_LEVEL_WARN, "set aside", aside);
}

static bool is_sound(const struct uns_findings *findings)
{
    for (size_t i = 0; i < findings->count; i++)
        if (findings->list[i].level == UNS_LEVEL_BAD)
            return false;
    return true;
}

/* False: there is no such file. */
static bool look_into(struct uns_findings *findings, const char *path)
{
    sqlite3 *db = NULL;
    enum uns_err err = uns_store_open(path, &db);

    if (err == UNS_NOTFOUND) {
        add(findings, UNS_LEVEL_NOTE, "file", "no calls recorded yet");
        return false;
    }
    if (err != UNS_OK) {
        add(findings, UNS_LEVEL_BAD, "file", uns_err_str(err));
        return true;
    }
    check_pages(findings, db);
    check_schema(findings, db);
    check_rows(findings, db);
    sqlite3_close(db);
    return true;
}

int uns_store_check(const char *path, const struct uns_store_options *options)
{
    struct uns_findings *findings = calloc(1, sizeof *findings);
    struct uns_term term = uns_term_stdout();
    bool there, sound;

    if (findings == NULL)
        return uns_store_fail(path, UNS_NOMEM);
    there = look_into(findings, path);
    uns_aside_each(path, tell_aside, findings);
    sound = is_sound(findings);
    uns_findings_say(&findings->sentence, "%s is %s", path,
                     !there  ? "not there yet"
                     : sound ? "sound"
                             : "not sound");
    if (options->common.json)
        uns_findings_json(findings, sound ? "sound" : "damaged");
    else
        uns_findings_print(findings, &term);
    uns_findings_clear(findings);
    free(findings);
    return sound ? UNS_EXIT_OK : UNS_EXIT_FAILED;
}
