/* SPDX-License-Identifier: MIT */
/* json - prints values by their type in SQLite: NULL is null, never 0. */
#include "json.h"

#include "text.h"

#include <math.h>

static void put_escaped(FILE *out, int32_t c)
{
    static const char *const shorts[0x20] = {
        ['\b'] = "\\b", ['\f'] = "\\f", ['\n'] = "\\n",
        ['\r'] = "\\r", ['\t'] = "\\t",
    };

    if (c < 0x20 && shorts[c] != NULL)
        fputs(shorts[c], out);
    else
        fprintf(out, "\\u%04x", (unsigned)c);
}

void uns_json_text(FILE *out, const char *text)
{
    const char *from = text;
    int32_t c;

    fputc('"', out);
    while ((c = uns_text_next(&text)) != 0) {
        if (c < 0)
            fputs("\xef\xbf\xbd", out);
        else if (c < 0x20 || c == 0x7f)
            put_escaped(out, c);
        else
            fprintf(out, "%s%.*s", c == '"' || c == '\\' ? "\\" : "",
                    (int)(text - from), from);
        from = text;
    }
    fputc('"', out);
}

static void put_real(FILE *out, double number)
{
    if (isfinite(number))
        fprintf(out, "%.17g", number);
    else
        fputs("null", out);
}

static void put_value(FILE *out, sqlite3_stmt *stmt, int i)
{
    switch (sqlite3_column_type(stmt, i)) {
    case SQLITE_INTEGER:
        fprintf(out, "%lld", (long long)sqlite3_column_int64(stmt, i));
        break;
    case SQLITE_FLOAT:
        put_real(out, sqlite3_column_double(stmt, i));
        break;
    case SQLITE_TEXT:
        uns_json_text(out, (const char *)sqlite3_column_text(stmt, i));
        break;
    default:
        fputs("null", out);
        break;
    }
}

void uns_json_members(FILE *out, sqlite3_stmt *stmt)
{
    const char *comma = "";

    for (int i = 0; i < sqlite3_column_count(stmt); i++) {
        if (sqlite3_column_type(stmt, i) == SQLITE_BLOB)
            continue;
        fputs(comma, out);
        uns_json_text(out, sqlite3_column_name(stmt, i));
        fputs(": ", out);
        put_value(out, stmt, i);
        comma = ", ";
    }
}

int uns_json_rows(FILE *out, sqlite3_stmt *stmt)
{
    const char *before = "";
    int rc;

    fputc('[', out);
    while ((rc = sqlite3_step(stmt)) == SQLITE_ROW) {
        fprintf(out, "%s\n  {", before);
        uns_json_members(out, stmt);
        fputc('}', out);
        before = ",";
    }
    fprintf(out, "%s]\n", *before ? "\n" : "");
    return rc;
}
