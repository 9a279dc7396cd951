/* SPDX-License-Identifier: MIT */
/*
 * show_text - one call for people: what was asked and answered, the phases,
 * the drawing, the attempts in numbers, the stalls.  What could not be told is
 * left out, or "-" in a table; it is never 0.
 */
#include "cli.h"
#include "draw.h"
#include "show.h"
#include "table.h"
#include "text.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define INDENT 10 /* of a field's text */

/* The parts of one line, joined with commas. */
struct field {
    FILE *stream;
    char *text;
    size_t len;
    bool any;
};

static struct field begin_field(void)
{
    return (struct field){0};
}

static void add(struct field *field, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void add(struct field *field, const char *format, ...)
{
    va_list args;

    if (!field->any)
        field->stream = open_memstream(&field->text, &field->len);
    if (field->stream == NULL)
        return;
    if (field->any)
        fputs(", ", field->stream);
    field->any = true;
    va_start(args, format);
    vfprintf(field->stream, format, args);
    va_end(args);
}

static void add_text(struct field *field, const char *before, const char *text)
{
    if (*text != '\0')
        add(field, "%s%s", before, text);
}

static void add_int(struct field *field, const char *before, int64_t number)
{
    if (number != UNS_NULL)
        add(field, "%s%lld", before, (long long)number);
}

static void add_ms(struct field *field, const char *before, int64_t ms)
{
    char text[UNS_TEXT_TIME];

    if (ms != UNS_NULL)
        add(field, "%s%s", before, uns_text_ms(text, ms));
}

/* Prints it, if anything is in it.  All is cleaned here, in one place. */
static void end_field(const struct uns_show *show, const char *name,
                      struct field *field)
{
    size_t cap;
    char *clean;

    if (field->stream == NULL)
        return;
    fclose(field->stream);
    cap = UNS_TEXT_CLEAN_BYTES(field->len);
    clean = field->text ? malloc(cap) : NULL;
    if (clean != NULL) {
        uns_text_clean(clean, cap, field->text, show->term.utf8);
        printf("%-*s", INDENT, name);
        uns_cli_wrap_list(clean, INDENT);
    }
    free(clean);
    free(field->text);
}

static const struct uns_attempt_record *winner(const struct uns_entry *entry)
{
    for (unsigned i = 0; i < entry->attempts; i++)
        if (entry->attempt[i].seq == entry->call.winner)
            return &entry->attempt[i];
    return NULL;
}

static void print_who(const struct uns_show *show)
{
    const struct uns_call_record *call = &show->entry->call;
    struct field field = begin_field();
    char text[UNS_TEXT_TIME];

    add(&field, "%lld", (long long)show->id);
    add(&field, "%s", uns_text_moment(text, call->started_at));
    add_text(&field, "by ", call->program);
    add_int(&field, "process ", call->pid);
    end_field(show, "call", &field);
}

static void print_request(const struct uns_show *show)
{
    const struct uns_call_record *call = &show->entry->call;
    struct field to = begin_field(), field = begin_field();

    add_text(&to, "", call->endpoint);
    end_field(show, "to", &to);
    add_text(&field, "", call->dialect);
    if (call->streaming != UNS_NULL)
        add(&field, "%s", call->streaming ? "streaming" : "not streaming");
    add_text(&field, "model ", call->model);
    add_text(&field, "mode ", call->mode);
    add_text(&field, "route ", call->route);
    add_text(&field, "experiment ", call->experiment);
    add_text(&field, "arm ", call->arm);
    end_field(show, "asked", &field);
}

static void print_answer(const struct uns_show *show)
{
    const struct uns_call_record *call = &show->entry->call;
    const struct uns_attempt_record *by = winner(show->entry);
    struct field field = begin_field(), hedge = begin_field();

    add_text(&field, "", call->outcome);
    if (by != NULL)
        add(&field, "by attempt %lld (%s)", (long long)by->seq, by->source);
    add_int(&field, "HTTP ", call->http_status);
    add_int(&field, "CURLcode ", call->curl_code);
    add_text(&field, "model ", call->model_served);
    if (call->truncated == 1)
        add(&field, "incomplete");
    add_ms(&field, "silent for ", call->silent_ms);
    end_field(show, "answer", &field);
    add_text(&hedge, "", call->hedge_reason);
    if (call->attempts > 1)
        add_int(&hedge, "requests ", call->attempts);
    if (call->resumed == 1)
        add(&hedge, "resumed");
    if (call->promoted == 1)
        add(&hedge, "promoted");
    end_field(show, "hedge", &hedge);
}

static void print_sizes(const struct uns_show *show)
{
    const struct uns_call_record *call = &show->entry->call;
    struct field field = begin_field();

    add_int(&field, "tokens in ", call->tokens_in);
    add_int(&field, "tokens out ", call->tokens_out);
    add_int(&field, "chunks ", call->chunk_count);
    add_int(&field, "bytes ", call->bytes);
    end_field(show, "size", &field);
}

static void print_times(const struct uns_show *show)
{
    const struct uns_call_record *call = &show->entry->call;
    struct field field = begin_field();

    add_ms(&field, "wall ", call->wall_ms);
    add_ms(&field, "net of stalls ", call->net_ms);
    add_ms(&field, "first token ", call->ttft_ms);
    add_ms(&field, "first byte given ", call->delivered_ms);
    add_ms(&field, "generation ", call->generation_ms);
    add_ms(&field, "without stalls ", call->active_generation_ms);
    add_ms(&field, "stalled ", call->stall_ms);
    add_ms(&field, "longest gap ", call->max_gap_ms);
    add_ms(&field, "in the program ", call->app_ms);
    end_field(show, "time", &field);
}

static int64_t sum(int64_t a, int64_t b)
{
    return a == UNS_NULL || b == UNS_NULL ? UNS_NULL : a + b;
}

/* The winner's: three spans, then moments since the call began. */
static void print_phases(const struct uns_show *show)
{
    const struct uns_call_record *call = &show->entry->call;

    const struct {
        const char *name;
        int64_t ms;
    } phases[] = {
        {"dns",       call->dns_ms        },
        {"connect",   call->connect_ms    },
        {"tls",       call->tls_ms        },
        {"1st byte",  call->first_byte_ms },
        {"1st event", call->first_event_ms},
        {"1st token", call->ttft_ms       },
        {"last",      sum(call->ttft_ms,    call->generation_ms)},
        {"end",           call->wall_ms                          },
    };

    const size_t count = sizeof phases / sizeof *phases;
    char text[UNS_TEXT_TIME];

    putchar('\n');
    for (size_t i = 0; i < count; i++)
        printf("%*s", i ? 10 : 8, phases[i].name);
    putchar('\n');
    for (size_t i = 0; i < count; i++)
        printf("%*s", i ? 10 : 8, uns_text_ms(text, phases[i].ms));
    putchar('\n');
}

static void print_line(void *arg, const char *line)
{
    (void)arg;
    puts(line);
}

static void print_drawing(const struct uns_show *show)
{
    const struct uns_draw draw = {
        .width = show->term.width ? show->term.width : 80,
        .utf8 = show->term.utf8,
        .color = show->term.color,
    };

    putchar('\n');
    if (!uns_draw_call(show->entry, &draw, print_line, NULL))
        puts("(no memory for the drawing)");
}

/* clang-format off */
static const struct uns_table_column attempt_columns[] = {
    {"#",       true,  0, 0},
    {"SOURCE",  false, 8, 0},
    {"HOST",    false, 12, 3},
    {"SENT",    true,  0, 0},
    {"WHY",     false, 5, 2},
    {"OUTCOME", false, 0, 0},
    {"HTTP",    true,  0, 5},
    {"TTFT",    true,  0, 0},
    {"WALL",    true,  0, 0},
    {"STALLS",  true,  0, 0},
    {"CHUNKS",  true,  0, 4},
    {"ERROR",   false, 9, 1},
};

/* clang-format on */

static void add_number(struct uns_table *table, int64_t number)
{
    char text[32] = "-";

    if (number != UNS_NULL)
        snprintf(text, sizeof text, "%lld", (long long)number);
    uns_table_add(table, text, UNS_HUE_PLAIN);
}

static void add_time(struct uns_table *table, int64_t ms, enum uns_hue hue)
{
    char text[UNS_TEXT_TIME];

    uns_table_add(table, uns_text_ms(text, ms), hue);
}

static void add_attempt(struct uns_table *table, const struct uns_show *show,
                        const struct uns_attempt_record *attempt)
{
    bool won = attempt == winner(show->entry);
    char error[UNS_SHOW_ERROR];
    const char *scheme = strstr(attempt->origin, "://");

    add_number(table, attempt->seq);
    uns_table_add(table, attempt->source, UNS_HUE_PLAIN);
    uns_table_add(table, scheme ? scheme + 3 : attempt->origin, UNS_HUE_PLAIN);
    add_time(table, attempt->started_ms, UNS_HUE_PLAIN);
    uns_table_add(table, attempt->why, UNS_HUE_PLAIN);
    uns_table_add(table, attempt->outcome, won ? UNS_HUE_GOOD : UNS_HUE_PLAIN);
    add_number(table, attempt->http_status);
    add_time(table, attempt->ttft_ms, UNS_HUE_PLAIN);
    add_time(table, attempt->wall_ms, UNS_HUE_PLAIN);
    add_time(table, attempt->stall_ms,
             attempt->stall_ms > 0 ? UNS_HUE_WARN : UNS_HUE_PLAIN);
    add_number(table, attempt->chunk_count);
    uns_table_add(table, uns_show_error(attempt, error), UNS_HUE_BAD);
}

static void print_attempts(const struct uns_show *show)
{
    struct uns_table *table = uns_table_new(
        attempt_columns, sizeof attempt_columns / sizeof *attempt_columns,
        &show->term);

    if (table == NULL)
        return;
    for (unsigned i = 0; i < show->entry->attempts; i++)
        add_attempt(table, show, &show->entry->attempt[i]);
    putchar('\n');
    uns_table_print(table, stdout);
    uns_table_free(table);
}

/* "attempt 0, after chunk 57: 5.00 s of silence, from 3.20 s on" */
static void print_stall(const struct uns_show *show, sqlite3_stmt *stmt)
{
    char from[UNS_TEXT_TIME], length[UNS_TEXT_TIME];

    if (sqlite3_column_int(stmt, 4) == 0)
        puts("\nstalls, by the time since the call began");
    uns_text_ms(from, sqlite3_column_int64(stmt, 2));
    uns_text_ms(length, sqlite3_column_int64(stmt, 3));
    printf("  attempt %lld, after chunk %lld: silent for ",
           (long long)sqlite3_column_int64(stmt, 0),
           (long long)sqlite3_column_int64(stmt, 1));
    printf("%s%s%s, from %s on\n",
           show->term.color ? uns_term_hue(UNS_HUE_BAD) : "", length,
           show->term.color ? uns_term_hue(UNS_HUE_PLAIN) : "", from);
}

static int print_stalls(const struct uns_show *show)
{
    sqlite3_stmt *stmt = NULL;
    int rc = sqlite3_prepare_v2(
        show->db,
        "SELECT s.seq, after_chunk, ifnull(started_ms, 0) + at_ms, duration_ms,"
        " row_number() OVER (ORDER BY s.seq, at_ms) - 1"
        " FROM stalls s JOIN attempts a ON a.call_id = s.call_id"
        " AND a.seq = s.seq WHERE s.call_id = ?1 ORDER BY s.seq, at_ms",
        -1, &stmt, NULL);

    if (rc == SQLITE_OK)
        rc = sqlite3_bind_int64(stmt, 1, show->id);
    if (rc == SQLITE_OK)
        rc = SQLITE_ROW;
    while (rc == SQLITE_ROW && (rc = sqlite3_step(stmt)) == SQLITE_ROW)
        print_stall(show, stmt);
    sqlite3_finalize(stmt);
    return rc;
}

int uns_show_text(const struct uns_show *show)
{
    print_who(show);
    print_request(show);
    print_answer(show);
    print_sizes(show);
    print_times(show);
    print_phases(show);
    if (show->entry->attempts > 0) {
        print_drawing(show);
        print_attempts(show);
    }
    return print_stalls(show);
}
