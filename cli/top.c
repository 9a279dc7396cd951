/* SPDX-License-Identifier: MIT */
/*
 * top - `unstall top`: the calls in flight of this user on this machine, from
 * the flight recorders of the processes that live.  It reads, and nothing
 * else.  On a terminal the list is drawn anew each second, line over line.
 */
#include "cli.h"
#include "engine/clock.h"
#include "engine/flight_file.h"
#include "json.h"
#include "load.h"
#include "table.h"
#include "text.h"
#include "top_row.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

struct options {
    struct uns_common common;
    bool once;
};

static const struct uns_cli_option option_table[] = {
    {"once", NULL, "Print the list once, as it is now.",
     offsetof(struct options, once), NULL},
};

static const struct uns_usage usage = {
    .command = "top",
    .operands = "[options]",
    .about = "Calls in flight now: what each is waiting for, and since when. "
             "Refreshed each second on a terminal; Ctrl-C ends it.",
    .options = option_table,
    .option_count = sizeof option_table / sizeof *option_table,
};

/* --- what is in flight ----------------------------------------------------*/

typedef void row_fn(void *out, const struct uns_top_row *row);

struct look {
    struct uns_flight_owner self;
    struct uns_flight_view *view;
    row_fn *each;
    void *out;
    unsigned count;
};

static void look_into(struct look *look, const struct uns_flight_file *file)
{
    struct uns_top_row row;

    for (uint32_t i = 0; i < file->head->slots; i++) {
        if (!uns_flight_read(&file->slots[i], look->view) || look->view->done)
            continue;
        uns_top_row(look->view, uns_clock_now(), &row);
        look->each(look->out, &row);
        look->count++;
    }
}

static void look_at(void *arg, const char *path)
{
    struct look *look = arg;
    struct uns_flight_file file;

    if (uns_flight_file_open(path, &file) != UNS_OK)
        return;
    if (uns_flight_file_is_alive(&file, &look->self))
        look_into(look, &file);
    uns_flight_file_close(&file);
}

/* Returns how many there are. */
static unsigned each_call(const char *store, row_fn *each, void *out)
{
    struct look look = {
        .view = malloc(sizeof *look.view), .each = each, .out = out};

    if (look.view && uns_flight_owner_self(&look.self) == UNS_OK)
        uns_flight_file_each(store, look_at, &look);
    free(look.view);
    return look.count;
}

/* --- for people -----------------------------------------------------------*/

/* clang-format off */
static const struct uns_table_column columns[] = {
    {"PROGRAM",      false, 5, 0},
    {"PID",          true,  0, 2},
    {"MODEL @ HOST", false, 9, 0},
    {"PHASE",        false, 0, 0},
    {"CHUNKS",       true,  0, 0},
    {"RATE",         true,  0, 1},
    {"ELAPSED",      true,  0, 0},
};

/* clang-format on */

static enum uns_hue hue_of(enum uns_top_phase phase)
{
    switch (phase) {
    case UNS_TOP_STREAMING:
        return UNS_HUE_GOOD;
    case UNS_TOP_SILENT:
        return UNS_HUE_BAD;
    case UNS_TOP_RACING:
    case UNS_TOP_PAUSED:
        return UNS_HUE_WARN;
    default:
        return UNS_HUE_PLAIN;
    }
}

/* "silent for 3.10 s", "racing (2)" */
static void add_phase(struct uns_table *table, const struct uns_top_row *row)
{
    char text[64], ms[UNS_TEXT_TIME];
    const char *name = uns_top_phase_name(row->phase);

    if (row->phase == UNS_TOP_SILENT)
        snprintf(text, sizeof text, "%s for %s", name,
                 uns_text_ms(ms, row->silent_ns / UNS_MS));
    else if (row->phase == UNS_TOP_RACING)
        snprintf(text, sizeof text, "%s (%u)", name, row->requests);
    else
        snprintf(text, sizeof text, "%s", name);
    uns_table_add(table, text, hue_of(row->phase));
}

/* Tokens where the provider told how many, chunks else. */
static void add_rate(struct uns_table *table, const struct uns_top_row *row)
{
    bool tokens = row->tokens_per_s >= 0;
    double rate = tokens ? row->tokens_per_s : row->chunks_per_s;
    char text[48] = "-";

    if (rate >= 0)
        snprintf(text, sizeof text, "%.1f %s/s", rate,
                 tokens ? "tokens" : "chunks");
    uns_table_add(table, text, UNS_HUE_PLAIN);
}

static void add_row(void *out, const struct uns_top_row *row)
{
    struct uns_table *table = out;
    const struct uns_call_record *call = row->call;
    const char *host = strstr(call->endpoint, "://");
    char text[512], number[UNS_TEXT_TIME];

    uns_table_add(table, call->program, UNS_HUE_BOLD);
    snprintf(text, sizeof text, "%lld", (long long)call->pid);
    uns_table_add(table, text, UNS_HUE_PLAIN);
    host = host ? host + 3 : call->endpoint;
    snprintf(text, sizeof text, "%s%s%.*s", call->model,
             call->model[0] ? " @ " : "", (int)strcspn(host, "/"), host);
    uns_table_add(table, text, UNS_HUE_PLAIN);
    add_phase(table, row);
    snprintf(text, sizeof text, "%lld", (long long)row->chunks);
    uns_table_add(table, text, UNS_HUE_PLAIN);
    add_rate(table, row);
    uns_table_add(table, uns_text_ms(number, row->elapsed_ns / UNS_MS),
                  UNS_HUE_PLAIN);
}

static void print_people(const char *store, FILE *out)
{
    struct uns_term term = uns_term_stdout();
    struct uns_table *table =
        uns_table_new(columns, sizeof columns / sizeof *columns, &term);

    if (table == NULL)
        return;
    if (each_call(store, add_row, table) > 0)
        uns_table_print(table, out);
    else
        fputs("no call is in flight\n", out);
    uns_table_free(table);
}

/* --- for programs ---------------------------------------------------------*/

static void print_member(const char *name, const char *text)
{
    printf(", \"%s\": ", name);
    if (*text == '\0')
        fputs("null", stdout);
    else
        uns_json_text(stdout, text);
}

static void print_rate(const char *name, double rate)
{
    if (rate < 0)
        printf(", \"%s\": null", name);
    else
        printf(", \"%s\": %.3f", name, rate);
}

static void print_object(void *out, const struct uns_top_row *row)
{
    bool *first = out;

    printf("%s{\"pid\": %lld", *first ? "" : ",\n ", (long long)row->call->pid);
    *first = false;
    print_member("program", row->call->program);
    print_member("endpoint", row->call->endpoint);
    print_member("dialect", row->call->dialect);
    print_member("model", row->call->model);
    print_member("mode", row->call->mode);
    print_member("uuid", row->call->uuid);
    print_member("phase", uns_top_phase_name(row->phase));
    printf(", \"silent_ms\": %lld, \"requests\": %u, \"chunks\": %lld",
           (long long)(row->silent_ns / UNS_MS), row->requests,
           (long long)row->chunks);
    print_rate("chunks_per_s", row->chunks_per_s);
    print_rate("tokens_per_s", row->tokens_per_s);
    printf(", \"elapsed_ms\": %lld}", (long long)(row->elapsed_ns / UNS_MS));
}

static void print_json(const char *store)
{
    bool first = true;

    putchar('[');
    (void)each_call(store, print_object, &first);
    puts("]");
}

/* --- on a terminal --------------------------------------------------------*/

static volatile sig_atomic_t ended;

static void end(int number)
{
    (void)number;
    ended = 1;
}

static int height(void)
{
    struct winsize size;

    return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_row > 0
               ? size.ws_row
               : 24;
}

/* Line over line, each cleared behind its end: nothing flickers. */
static void draw(const char *text)
{
    int rows = height();

    fputs("\x1b[H", stdout);
    for (int row = 0; *text != '\0' && row < rows - 1; row++) {
        int len = (int)strcspn(text, "\n");

        printf("%.*s\x1b[K\r\n", len, text);
        text += len + (text[len] == '\n');
    }
    fputs("\x1b[J", stdout);
    fflush(stdout);
}

static void refresh(const char *store)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);

    if (out == NULL)
        return;
    print_people(store, out);
    if (fclose(out) == 0)
        draw(text);
    free(text);
}

/* The other screen, without a cursor; both as they were at the end. */
static void watch(const char *store)
{
    const struct sigaction action = {.sa_handler = end};

    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGHUP, &action, NULL);
    fputs("\x1b[?1049h\x1b[?25l", stdout);
    while (!ended) {
        refresh(store);
        if (!ended)
            sleep(1);
    }
    fputs("\x1b[?25h\x1b[?1049l", stdout);
    fflush(stdout);
}

int uns_cmd_top(int argc, char **argv)
{
    struct options options = {0};
    int code;
    char *store;

    if (!uns_args_options(&usage, argc, argv, &options, &code))
        return code;
    store = uns_cli_store_path(&options.common);
    if (store == NULL)
        return UNS_EXIT_USAGE;
    if (options.common.json)
        print_json(store);
    else if (options.once || !isatty(STDOUT_FILENO))
        print_people(store, stdout);
    else
        watch(store);
    free(store);
    return UNS_EXIT_OK;
}
