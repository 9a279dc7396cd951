/* SPDX-License-Identifier: MIT */
/*
 * report_text - the report for a terminal: tables that all have a row for all
 * calls and, indented below it, one for each group; each figure with its n.
 */
#include "cli.h"
#include "report.h"
#include "text.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

/* What is printed, and how much of it. */
struct print {
    const struct uns_report *report;
    const struct uns_term *term;
    size_t groups; /* that are shown; 0 when there is only one */
};

static void add_name(struct uns_table *table, const char *name, bool group)
{
    char text[512];

    snprintf(text, sizeof text, "%s%s", group ? "  " : "", name);
    uns_table_add(table, text, group ? UNS_HUE_PLAIN : UNS_HUE_BOLD);
}

static void add_count(struct uns_table *table, int64_t count, enum uns_hue hue)
{
    char text[UNS_REPORT_VALUE];

    snprintf(text, sizeof text, "%" PRId64, count);
    uns_table_add(table, text, count > 0 ? hue : UNS_HUE_PLAIN);
}

#define QUANTILES 5 /* columns of a quantity, but for its n */

static void add_summary(struct uns_table *table, enum uns_quantity quantity,
                        const struct uns_figures *figures)
{
    const struct uns_summary *summary = &figures->quantity[quantity];
    const double values[QUANTILES] = {
        summary->p50, summary->p90, summary->p95, summary->p99, summary->most,
    };
    char text[UNS_REPORT_VALUE];

    add_count(table, (int64_t)summary->n, UNS_HUE_PLAIN);
    for (size_t i = 0; i < QUANTILES; i++)
        uns_table_add(table, uns_report_value(text, quantity, values[i]),
                      UNS_HUE_PLAIN);
}

static void add_without(struct uns_table *table,
                        const struct uns_figures *figures)
{
    add_count(table, figures->count[UNS_COUNT_calls_without_first_token],
              UNS_HUE_BAD);
    for (unsigned i = 0; i < QUANTILES; i++)
        uns_table_add(table, "", UNS_HUE_PLAIN);
}

/* The first token's quantiles say nothing of the calls that had none. */
static void add_without_first_token(struct uns_table *table,
                                    const struct print *print)
{
    enum uns_count without = UNS_COUNT_calls_without_first_token;

    if (print->report->all.count[without] == 0)
        return;
    add_name(table, UNS_REPORT_WITHOUT, false);
    add_without(table, &print->report->all);
    for (size_t g = 0; g < print->groups; g++) {
        const struct uns_report_group *group = &print->report->group[g];

        if (group->figures.count[without] == 0)
            continue;
        add_name(table, uns_report_key(group->key), true);
        add_without(table, &group->figures);
    }
}

static void add_quantity(struct uns_table *table, const struct print *print,
                         enum uns_quantity quantity)
{
    add_name(table, uns_report_title(quantity), false);
    add_summary(table, quantity, &print->report->all);
    for (size_t g = 0; g < print->groups; g++) {
        const struct uns_report_group *group = &print->report->group[g];

        add_name(table, uns_report_key(group->key), true);
        add_summary(table, quantity, &group->figures);
    }
}

static void print_quantities(const struct print *print)
{
    static const struct uns_table_column columns[] = {
        {"",    false, 14, 0},
        {"N",   true,  0,  0},
        {"P50", true,  0,  0},
        {"P90", true,  0,  2},
        {"P95", true,  0,  0},
        {"P99", true,  0,  0},
        {"MAX", true,  0,  1},
    };
    struct uns_table *table =
        uns_table_new(columns, sizeof columns / sizeof *columns, print->term);

    if (table == NULL)
        return;
    for (unsigned i = 0; i < UNS_QUANTITIES; i++) {
        add_quantity(table, print, i);
        if (i == UNS_QUANTITY_ttft_ms)
            add_without_first_token(table, print);
    }
    putchar('\n');
    uns_table_print(table, stdout);
    uns_table_free(table);
}

static void add_counts(struct uns_table *table,
                       const struct uns_report_counts *counts,
                       const struct uns_figures *figures)
{
    for (size_t i = 0; i < counts->size; i++)
        add_count(table, figures->count[counts->count[i]],
                  i > 0 ? counts->hue : UNS_HUE_PLAIN);
}

static void print_counts(const struct print *print,
                         const struct uns_report_counts *counts)
{
    struct uns_table *table =
        uns_table_new(counts->columns, counts->size + 1, print->term);

    if (table == NULL)
        return;
    add_name(table, counts->title, false);
    add_counts(table, counts, &print->report->all);
    for (size_t g = 0; g < print->groups; g++) {
        const struct uns_report_group *group = &print->report->group[g];

        add_name(table, uns_report_key(group->key), true);
        add_counts(table, counts, &group->figures);
    }
    putchar('\n');
    uns_table_print(table, stdout);
    uns_table_free(table);
}

static void print_head(const struct print *print)
{
    const struct uns_report *report = print->report;
    const struct uns_figures *all = &report->all;
    char from[UNS_TEXT_TIME], to[UNS_TEXT_TIME];
    char key[UNS_TEXT_CLEAN_BYTES(256)];

    printf("%" PRId64 " %s", all->count[UNS_COUNT_calls],
           all->count[UNS_COUNT_calls] == 1 ? "call" : "calls");
    if (all->first_us != UNS_NULL)
        printf(", %s to %s", uns_text_moment(from, all->first_us),
               uns_text_moment(to, all->last_us));
    if (report->groups == 1)
        printf("\n%s %s", report->by->title,
               uns_text_clean(key, sizeof key,
                              uns_report_key(report->group[0].key),
                              print->term->utf8));
    if (report->threshold_ns != UNS_NEVER)
        printf("\nstalls are gaps over %s",
               uns_text_ms(from, report->threshold_ns / UNS_MS));
    putchar('\n');
}

/* A list in a sentence: "won:  3 of 5 for no first token, ..." */
struct phrase {
    char text[1024];
    const char *before;
};

__attribute__((format(printf, 2, 3))) static void add(struct phrase *phrase,
                                                      const char *format, ...)
{
    size_t used = strlen(phrase->text);
    va_list args;

    snprintf(phrase->text + used, sizeof phrase->text - used, "%s ",
             phrase->before);
    used = strlen(phrase->text);
    va_start(args, format);
    vsnprintf(phrase->text + used, sizeof phrase->text - used, format, args);
    va_end(args);
    phrase->before = ",";
}

static void print_phrase(const struct phrase *phrase)
{
    if (*phrase->before == '\0')
        return;
    fputs("  ", stdout);
    uns_cli_wrap(phrase->text, 2);
}

static void print_whys(const struct uns_figures *all)
{
    struct phrase phrase = {"won:", ""};

    for (unsigned i = 0; i < UNS_REPORT_WHYS; i++) {
        int64_t won = all->count[UNS_COUNT_won_first_token + i];
        int64_t wasted = all->count[UNS_COUNT_wasted_first_token + i];

        if (won + wasted > 0)
            add(&phrase, "%" PRId64 " of %" PRId64 " for %s", won, won + wasted,
                uns_report_why(i));
    }
    print_phrase(&phrase);
}

static void print_losses(const struct uns_figures *all)
{
    struct phrase phrase = {"wasted:", ""};

    for (unsigned i = 0; i < UNS_REPORT_LOSSES; i++) {
        int64_t count = all->count[UNS_COUNT_lost_late + i];

        if (count > 0)
            add(&phrase, "%" PRId64 " %s", count, uns_report_loss(i));
    }
    print_phrase(&phrase);
}

/* The words are those of hedge_reason, which `unstall explain` knows. */
static void print_unsent(const struct uns_figures *all)
{
    struct phrase phrase = {"no rival, though one was wanted:", ""};

    for (unsigned i = 0; i < UNS_REPORT_UNSENTS; i++) {
        enum uns_count which = UNS_COUNT_unsent_budget_exhausted + i;

        if (all->count[which] > 0)
            add(&phrase, "%" PRId64 " %s", all->count[which],
                uns_tally_count_name(which) + sizeof "unsent_" - 1);
    }
    print_phrase(&phrase);
}

/* Stalls are the winner's: what is listed as stalled is more. */
static void print_silent(const struct uns_figures *all)
{
    int64_t silent = all->count[UNS_COUNT_silent_calls];
    char text[160];

    if (silent == 0)
        return;
    snprintf(text, sizeof text,
             "'calls --stalled' lists %" PRId64 ": %" PRId64
             " that stalled and "
             "went on, %" PRId64 " silent until something ended it",
             all->count[UNS_COUNT_stalled_calls] + silent,
             all->count[UNS_COUNT_stalled_calls], silent);
    fputs("  ", stdout);
    uns_cli_wrap(text, 2);
}

static void print_notes(const struct print *print)
{
    const struct uns_report *report = print->report;
    const int64_t *count = report->all.count;
    size_t hidden = report->groups > 1 ? report->groups - print->groups : 0;

    putchar('\n');
    if (hidden > 0)
        printf("%zu of %zu %ss; --limit 0 shows all\n", print->groups,
               report->groups, report->by->title);
    if (count[UNS_COUNT_counted_chunks] > 0)
        printf("%" PRId64 " of %" PRIu64 " times per token count chunks: no "
               "usage was told\n",
               count[UNS_COUNT_counted_chunks],
               report->all.quantity[UNS_QUANTITY_tpot_ms].n);
    if (count[UNS_COUNT_gaps_merged] > 0)
        printf("%" PRId64 " gaps are means: long timelines were thinned\n",
               count[UNS_COUNT_gaps_merged]);
    if (count[UNS_COUNT_no_timeline] > 0)
        printf("%" PRId64 " answers have no timeline: their gaps are not "
               "here\n",
               count[UNS_COUNT_no_timeline]);
    puts("quantiles by nearest rank; 'unstall explain' defines each number");
}

void uns_report_text(const struct uns_report *report, int64_t limit,
                     const struct uns_term *term)
{
    struct print print = {report, term, report->groups};

    if (limit > 0 && (uint64_t)limit < print.groups)
        print.groups = (size_t)limit;
    if (report->groups == 1)
        print.groups = 0;
    if (report->all.count[UNS_COUNT_calls] == 0) {
        puts("no such calls");
        return;
    }
    print_head(&print);
    print_quantities(&print);
    print_counts(&print, &uns_report_outcomes);
    print_silent(&report->all);
    if (report->all.count[UNS_COUNT_failures] > 0)
        print_counts(&print, &uns_report_phases);
    if (report->all.count[UNS_COUNT_extra_requests] > 0) {
        print_counts(&print, &uns_report_hedges);
        print_whys(&report->all);
        print_losses(&report->all);
    } else if (report->all.count[UNS_COUNT_unsent] > 0) {
        putchar('\n');
    }
    print_unsent(&report->all);
    print_notes(&print);
}
