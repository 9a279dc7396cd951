/* SPDX-License-Identifier: MIT */
/* ab_print - the comparison for people and for programs. */
#include "ab.h"

#include "json.h"
#include "table.h"
#include "text.h"

#include <math.h>
#include <string.h>

#define CELL 48

static const char *const verdicts[] = {
    [UNS_VERDICT_TOO_FEW] = "too_few", [UNS_VERDICT_UNSURE] = "unsure",
    [UNS_VERDICT_NONE] = "none",       [UNS_VERDICT_LESS] = "less",
    [UNS_VERDICT_MORE] = "more",
};

static double percent(double share)
{
    return 100 * fabs(share);
}

/* "38 % lower (95 % interval 31..44 %)", the smaller end first. */
static void say_clear(const struct uns_effect *effect, char **ret_sentence)
{
    bool less = effect->high < 0;
    double near = less ? effect->high : effect->low;
    double far = less ? effect->low : effect->high;
    unsigned worse = less ? UNS_CONTROL : UNS_TREATMENT;

    if (isinf(effect->value[worse])) {
        uns_findings_say(ret_sentence,
                         "More than one call in twenty of the %s never got a "
                         "first token; the %s does better.",
                         less ? "control" : "treatment",
                         less ? "treatment" : "control");
        return;
    }
    uns_findings_say(ret_sentence,
                     "The treatment's p95 first token is %.0f %% %s "
                     "(95 %% interval %.0f..%.0f %%).",
                     percent(effect->change), less ? "lower" : "higher",
                     percent(near), percent(far));
}

/* "between 12 % lower and 9 % higher" */
static void say_between(char text[CELL], const struct uns_effect *effect)
{
    if (isfinite(effect->low) && isfinite(effect->high))
        (void)snprintf(text, CELL, "between %.0f %% lower and %.0f %% higher",
                       percent(effect->low), percent(effect->high));
    else
        (void)snprintf(text, CELL, "anywhere");
}

static void say_unsure(const struct uns_comparison *comparison,
                       char **ret_sentence)
{
    char between[CELL];

    say_between(between, &comparison->effect[UNS_STAT_PRIMARY]);
    if (comparison->more > 0)
        uns_findings_say(ret_sentence,
                         "Not enough data: about %zu more calls would show a "
                         "difference of %.0f %% in p95 first token four times "
                         "in five; so far the treatment's may be %s.",
                         comparison->more, percent(UNS_COMPARE_DETECT),
                         between);
    else
        uns_findings_say(ret_sentence,
                         "Not enough data: too many calls of an arm got no "
                         "first token for its 95th percentile to be told.");
}

void uns_ab_say(const struct uns_comparison *comparison, char **ret_sentence)
{
    const struct uns_effect *effect = &comparison->effect[UNS_STAT_PRIMARY];
    char between[CELL];

    switch (comparison->verdict) {
    case UNS_VERDICT_TOO_FEW:
        uns_findings_say(ret_sentence,
                         "Not enough data: about %zu more calls, to have %d "
                         "in each arm (and %d units of those that were drawn).",
                         comparison->more, UNS_COMPARE_CALLS,
                         UNS_COMPARE_UNITS);
        break;
    case UNS_VERDICT_UNSURE:
        say_unsure(comparison, ret_sentence);
        break;
    case UNS_VERDICT_NONE:
        say_between(between, effect);
        uns_findings_say(ret_sentence,
                         "No difference: the treatment's p95 first token is "
                         "%s, and one of %.0f %% would have shown.",
                         between, percent(UNS_COMPARE_DETECT));
        break;
    case UNS_VERDICT_LESS:
    case UNS_VERDICT_MORE:
        say_clear(effect, ret_sentence);
        break;
    }
}

/* --- for people --------------------------------------------------------- */

static const struct uns_table_column column_table[] = {
    {"",              false, 0, 0},
    {"control",       true,  0, 0},
    {"treatment",     true,  0, 0},
    {"difference",    true,  0, 0},
    {"95 % interval", true,  0, 0},
    {"",              false, 0, 1},
};

static void print_value(char text[CELL], const struct uns_stat *stat,
                        double value)
{
    if (isnan(value))
        (void)snprintf(text, CELL, "-");
    else if (isinf(value))
        (void)snprintf(text, CELL, "never");
    else if (stat->unit == UNS_STAT_MS)
        (void)uns_text_ms(text, (int64_t)value);
    else if (stat->unit == UNS_STAT_SHARE)
        (void)snprintf(text, CELL, "%.1f %%", 100 * value);
    else
        (void)snprintf(text, CELL, value < 10 ? "%.3f" : "%.0f", value);
}

/* Without its unit: a ratio in percent, milliseconds, a share in percent. */
static double scaled(const struct uns_stat *stat, double change)
{
    bool percent = stat->ratio || stat->unit == UNS_STAT_SHARE;

    return percent ? 100 * change : change;
}

static int decimals(const struct uns_stat *stat, double change)
{
    if (stat->ratio || stat->unit == UNS_STAT_MS)
        return 0;
    if (stat->unit == UNS_STAT_SHARE)
        return 1;
    return fabs(change) < 10 ? 3 : 0;
}

static const char *unit_of(const struct uns_stat *stat)
{
    if (stat->ratio)
        return " %";
    if (stat->unit == UNS_STAT_SHARE)
        return " pts";
    return stat->unit == UNS_STAT_MS ? " ms" : "";
}

static void print_change(char text[CELL], const struct uns_stat *stat,
                         double change)
{
    if (isfinite(change))
        (void)snprintf(text, CELL, "%+.*f%s", decimals(stat, change),
                       scaled(stat, change), unit_of(stat));
    else
        (void)snprintf(text, CELL, "-");
}

static void print_interval(char text[CELL], const struct uns_stat *stat,
                           const struct uns_effect *effect)
{
    int places = decimals(stat, fmax(fabs(effect->low), fabs(effect->high)));

    if (isfinite(effect->low) && isfinite(effect->high))
        (void)snprintf(text, CELL, "%+.*f..%+.*f%s", places,
                       scaled(stat, effect->low), places,
                       scaled(stat, effect->high), unit_of(stat));
    else
        (void)snprintf(text, CELL, "-");
}

static void add_statistic(struct uns_table *table,
                          const struct uns_comparison *comparison,
                          enum uns_statistic i)
{
    const struct uns_stat *stat = &uns_stats[i];
    const struct uns_effect *effect = &comparison->effect[i];
    bool primary = i == UNS_STAT_PRIMARY;
    bool judged = primary && comparison->verdict != UNS_VERDICT_TOO_FEW;
    char text[CELL];

    uns_table_add(table, stat->title, primary ? UNS_HUE_BOLD : UNS_HUE_PLAIN);
    for (unsigned arm = 0; arm < UNS_ARMS; arm++) {
        print_value(text, stat, effect->value[arm]);
        uns_table_add(table, text, UNS_HUE_PLAIN);
    }
    print_change(text, stat, effect->change);
    uns_table_add(table, text,
                  judged && effect->clear ? UNS_HUE_BOLD : UNS_HUE_PLAIN);
    print_interval(text, stat, effect);
    uns_table_add(table, text, UNS_HUE_PLAIN);
    uns_table_add(table, primary ? "primary" : "", UNS_HUE_BOLD);
}

static void add_count(struct uns_table *table, const char *title,
                      const size_t count[UNS_ARMS])
{
    char text[CELL];

    uns_table_add(table, title, UNS_HUE_PLAIN);
    for (unsigned arm = 0; arm < UNS_ARMS; arm++) {
        (void)snprintf(text, sizeof text, "%zu", count[arm]);
        uns_table_add(table, text, UNS_HUE_PLAIN);
    }
    for (unsigned i = 0; i < 3; i++)
        uns_table_add(table, "", UNS_HUE_PLAIN);
}

static void count_calls(const struct uns_trial *trial,
                        size_t ret_calls[UNS_ARMS])
{
    memset(ret_calls, 0, UNS_ARMS * sizeof *ret_calls);
    for (size_t i = 0; i < trial->count; i++)
        ret_calls[trial->call[i].arm]++;
}

static void print_head(const struct uns_trial *trial, bool utf8)
{
    char first[UNS_TEXT_TIME], last[UNS_TEXT_TIME];
    char name[UNS_TEXT_CLEAN_BYTES(64)];

    uns_text_moment(first, trial->call[0].started_us);
    uns_text_moment(last, trial->call[trial->count - 1].started_us);
    printf("experiment %s, %s to %s\n%s\n\n",
           uns_text_clean(name, sizeof name, trial->experiment, utf8), first,
           last,
           trial->by_process ? "drawn by process: calls of one are alike, and "
                               "count as one unit"
                             : "drawn by call");
}

void uns_ab_print(const struct uns_ab_report *report)
{
    struct uns_term term = uns_term_stdout();
    struct uns_table *table = uns_table_new(
        column_table, sizeof column_table / sizeof *column_table, &term);
    size_t calls[UNS_ARMS];

    if (table == NULL)
        return;
    count_calls(report->trial, calls);
    add_count(table, "calls", calls);
    if (report->trial->by_process)
        add_count(table, "processes", report->trial->units);
    for (unsigned i = 0; i < UNS_STAT_COUNT; i++)
        add_statistic(table, report->comparison, (enum uns_statistic)i);
    print_head(report->trial, term.utf8);
    uns_table_print(table, stdout);
    uns_table_free(table);
    putchar('\n');
    uns_findings_print(report->doubts, &term);
}

/* --- for programs ------------------------------------------------------- */

static void put_number(const char *name, double value)
{
    printf(", \"%s\": ", name);
    if (isfinite(value))
        printf("%.9g", value);
    else
        fputs("null", stdout);
}

static void put_statistic(const struct uns_comparison *comparison,
                          enum uns_statistic i)
{
    const struct uns_effect *effect = &comparison->effect[i];
    bool primary = i == UNS_STAT_PRIMARY;
    bool judged = comparison->verdict != UNS_VERDICT_TOO_FEW;

    printf("%s\n  {\"metric\": ", i ? "," : "");
    uns_json_text(stdout, uns_stats[i].name);
    put_number("control", effect->value[UNS_CONTROL]);
    put_number("treatment", effect->value[UNS_TREATMENT]);
    printf(", \"difference_is\": \"%s\"",
           uns_stats[i].ratio ? "ratio" : "absolute");
    put_number("difference", effect->change);
    put_number("low", effect->low);
    put_number("high", effect->high);
    printf(", \"role\": \"%s\", \"clear\": %s}",
           primary ? "primary" : "exploratory",
           judged && effect->clear ? "true" : "false");
}

static void put_doubts(const struct uns_findings *doubts)
{
    for (size_t i = 0; i < doubts->count; i++) {
        printf("%s\n  {\"what\": ", i ? "," : "");
        uns_json_text(stdout, doubts->list[i].what);
        fputs(", \"found\": ", stdout);
        uns_json_text(stdout,
                      doubts->list[i].found ? doubts->list[i].found : "");
        fputs(", \"means\": ", stdout);
        uns_json_text(stdout,
                      doubts->list[i].means ? doubts->list[i].means : "");
        putchar('}');
    }
}

void uns_ab_json(const struct uns_ab_report *report)
{
    const struct uns_trial *trial = report->trial;
    const struct uns_comparison *comparison = report->comparison;
    size_t calls[UNS_ARMS];

    count_calls(trial, calls);
    fputs("{\"experiment\": ", stdout);
    uns_json_text(stdout, trial->experiment);
    printf(", \"verdict\": \"%s\", \"sentence\": ",
           verdicts[comparison->verdict]);
    uns_json_text(stdout,
                  report->doubts->sentence ? report->doubts->sentence : "");
    printf(",\n \"more_calls\": %zu, \"unit\": \"%s\"", comparison->more,
           trial->by_process ? "process" : "call");
    printf(", \"calls\": {\"control\": %zu, \"treatment\": %zu}",
           calls[UNS_CONTROL], calls[UNS_TREATMENT]);
    printf(", \"units\": {\"control\": %zu, \"treatment\": %zu}",
           trial->units[UNS_CONTROL], trial->units[UNS_TREATMENT]);
    fputs(",\n \"metrics\": [", stdout);
    for (unsigned i = 0; i < UNS_STAT_COUNT; i++)
        put_statistic(comparison, (enum uns_statistic)i);
    fputs("],\n \"warnings\": [", stdout);
    put_doubts(report->doubts);
    fputs("]}\n", stdout);
}
