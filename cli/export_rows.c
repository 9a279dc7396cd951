/* SPDX-License-Identifier: MIT */
/* export_rows - rows as they are stored: lines of JSON, and RFC 4180's CSV. */
#include "engine/store_load.h"
#include "export.h"
#include "json.h"
#include "text.h"

#include <string.h>

/* What is selected of each table, in order; %s are its metrics. */
static const char *const all_of[] = {
    [UNS_METRIC_CALLS] =
        "SELECT id, %s" UNS_SELECT_FROM " ORDER BY started_at, id",
    [UNS_METRIC_ATTEMPTS] =
        "SELECT call_id, %s FROM attempts WHERE call_id IN"
        " (SELECT id" UNS_SELECT_FROM ") ORDER BY call_id, seq",
    [UNS_METRIC_STALLS] =
        "SELECT %s FROM stalls WHERE call_id IN"
        " (SELECT id" UNS_SELECT_FROM ") ORDER BY call_id, seq, at_ms",
};

/* The same of one call, whose id is ?1. */
static const char *const of_call[] = {
    [UNS_METRIC_ATTEMPTS] =
        "SELECT %s FROM attempts WHERE call_id = ?1 ORDER BY seq",
    [UNS_METRIC_STALLS] =
        "SELECT %s FROM stalls WHERE call_id = ?1 ORDER BY seq, at_ms",
};

/* `select` may be NULL. */
static sqlite3_stmt *prepare(sqlite3 *db, enum uns_metric_table table,
                             const char *format,
                             const struct uns_select *select)
{
    static const struct uns_select all = UNS_SELECT_ALL;
    char *columns = uns_store_columns(table);
    char *sql = columns ? sqlite3_mprintf(format, columns) : NULL;
    sqlite3_stmt *stmt =
        sql ? uns_select_prepare(db, sql, select ? select : &all) : NULL;

    sqlite3_free(sql);
    sqlite3_free(columns);
    return stmt;
}

/* --- jsonl -----------------------------------------------------------------
 */

struct lines {
    FILE *out;
    sqlite3_stmt *calls, *attempts, *stalls;
};

static int put_list(FILE *out, const char *name, sqlite3_stmt *stmt,
                    int64_t call_id)
{
    const char *comma = "";
    int rc;

    sqlite3_reset(stmt);
    sqlite3_bind_int64(stmt, 1, call_id);
    fprintf(out, ", \"%s\": [", name);
    while ((rc = sqlite3_step(stmt)) == SQLITE_ROW) {
        fprintf(out, "%s{", comma);
        uns_json_members(out, stmt);
        fputc('}', out);
        comma = ", ";
    }
    fputc(']', out);
    return rc;
}

static int put_call(const struct lines *lines)
{
    int64_t id = sqlite3_column_int64(lines->calls, 0);
    int rc;

    fputc('{', lines->out);
    uns_json_members(lines->out, lines->calls);
    rc = put_list(lines->out, "attempt_list", lines->attempts, id);
    if (rc == SQLITE_DONE)
        rc = put_list(lines->out, "stall_list", lines->stalls, id);
    fputs("}\n", lines->out);
    return rc;
}

static int put_calls(const struct lines *lines)
{
    int rc;

    while ((rc = sqlite3_step(lines->calls)) == SQLITE_ROW)
        if ((rc = put_call(lines)) != SQLITE_DONE)
            return rc;
    return rc;
}

int uns_export_jsonl(sqlite3 *db, const struct uns_export *export, FILE *out)
{
    struct lines lines = {
        .out = out,
        .calls = prepare(db, UNS_METRIC_CALLS, all_of[UNS_METRIC_CALLS],
                         &export->select),
        .attempts = prepare(db, UNS_METRIC_ATTEMPTS,
                            of_call[UNS_METRIC_ATTEMPTS], NULL),
        .stalls =
            prepare(db, UNS_METRIC_STALLS, of_call[UNS_METRIC_STALLS], NULL),
    };
    bool ready = lines.calls && lines.attempts && lines.stalls;
    int rc = ready ? put_calls(&lines) : SQLITE_ERROR;

    sqlite3_finalize(lines.calls);
    sqlite3_finalize(lines.attempts);
    sqlite3_finalize(lines.stalls);
    return rc;
}

/* --- csv -------------------------------------------------------------------
 */

#define LINE_END "\r\n"

/* In quotes, with those inside of it doubled; what is no UTF-8 becomes
 * U+FFFD. */
static void put_quoted(FILE *out, const char *text)
{
    const char *from = text;
    int32_t c;

    fputc('"', out);
    while ((c = uns_text_next(&text)) != 0) {
        if (c < 0)
            fputs("\xef\xbf\xbd", out);
        else
            fprintf(out, "%s%.*s", c == '"' ? "\"" : "", (int)(text - from),
                    from);
        from = text;
    }
    fputc('"', out);
}

/* Only what needs it is quoted; an empty text has to be, for an empty field
 * is NULL. */
static void put_field(FILE *out, const char *text)
{
    bool plain = *text != '\0';

    for (const char *c = text; *c != '\0' && plain; c++)
        plain = *c > ' ' && *c < 0x7f && *c != '"' && *c != ',';
    if (plain)
        fputs(text, out);
    else
        put_quoted(out, text);
}

static void put_header(FILE *out, sqlite3_stmt *stmt)
{
    for (int i = 0; i < sqlite3_column_count(stmt); i++) {
        fputs(i ? "," : "", out);
        put_field(out, sqlite3_column_name(stmt, i));
    }
    fputs(LINE_END, out);
}

static void put_row(FILE *out, sqlite3_stmt *stmt)
{
    for (int i = 0; i < sqlite3_column_count(stmt); i++) {
        const char *text = (const char *)sqlite3_column_text(stmt, i);

        fputs(i ? "," : "", out);
        if (text != NULL)
            put_field(out, text);
    }
    fputs(LINE_END, out);
}

int uns_export_csv(sqlite3 *db, const struct uns_export *export, FILE *out)
{
    sqlite3_stmt *stmt =
        prepare(db, export->table, all_of[export->table], &export->select);
    int rc = SQLITE_ERROR;

    if (stmt == NULL)
        return rc;
    put_header(out, stmt);
    while ((rc = sqlite3_step(stmt)) == SQLITE_ROW)
        put_row(out, stmt);
    sqlite3_finalize(stmt);
    return rc;
}
