/* SPDX-License-Identifier: MIT */
/* report_charts - the figures of the report as bars. */
#include "chart.h"
#include "report_page.h"
#include "svg.h"
#include "text.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* A chart being made. */
struct sheet {
    struct uns_chart chart;
    struct uns_chart_bar bar[UNS_CLASSES];
    struct uns_chart_rule rule[3];
};

/* "0 ms", "0.05 ms", "30 ms", "1.5 s". */
static void length_text(char *text, size_t size, double us)
{
    if (us < 1e6)
        snprintf(text, size, "%.4g ms", us / 1e3);
    else
        snprintf(text, size, "%.4g s", us / 1e6);
}

/* Begins of decades, and threes between them where there is room.  The one
 * next to 0 has none. */
static bool is_tick(size_t class, size_t bars, bool first)
{
    int64_t lead = uns_classes_from(class);

    while (lead >= 100 && lead % 10 == 0)
        lead /= 10;
    if (class == 1 && !first)
        return false;
    return class == 0 || lead == 10 || (lead == 30 && bars <= 20);
}

static void make_class(struct uns_chart_bar *bar, size_t class, uint64_t count)
{
    char from[32], to[32];

    length_text(from, sizeof from, (double)uns_classes_from(class));
    length_text(to, sizeof to, (double)uns_classes_from(class + 1));
    bar->value = (double)count;
    if (class + 1 < UNS_CLASSES)
        snprintf(bar->title, sizeof bar->title, "%s to %s: %" PRIu64, from, to,
                 count);
    else
        snprintf(bar->title, sizeof bar->title, "%s and longer: %" PRIu64, from,
                 count);
}

/* Where a length lies among the bars, of which `first` is the first class. */
static double place_of(double us, size_t first)
{
    size_t class = 0;
    double from, to;

    while (class + 1 < UNS_CLASSES && us >= (double)uns_classes_from(class + 1))
        class ++;
    from = (double)uns_classes_from(class);
    to = (double)uns_classes_from(class + 1);
    if (class == 0 || class + 1 == UNS_CLASSES)
        return (double)class - (double)first + 0.5;
    return (double)class - (double)first + log(us / from) / log(to / from);
}

static void make_rules(struct sheet *sheet, enum uns_quantity quantity,
                       const struct uns_summary *summary, size_t first)
{
    const struct {
        const char *name;
        double value;
    } rules[] = {
        {"p50", summary->p50},
        {"p95", summary->p95},
        {"p99", summary->p99},
    };

    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        struct uns_chart_rule *rule = &sheet->rule[i];
        char value[UNS_REPORT_VALUE];

        uns_report_value(value, quantity, rules[i].value);
        rule->at = place_of(rules[i].value * 1000, first);
        snprintf(rule->text, sizeof rule->text, "%s %.32s", rules[i].name,
                 value);
    }
    sheet->chart.rule = sheet->rule;
    sheet->chart.rules = sizeof rules / sizeof *rules;
}

/* False: there is nothing to show. */
static bool make_histogram(struct sheet *sheet,
                           const struct uns_classes *classes,
                           enum uns_quantity quantity,
                           const struct uns_summary *summary)
{
    size_t first = 0, end = UNS_CLASSES;

    while (first < end && classes->count[first] == 0)
        first++;
    while (end > first && classes->count[end - 1] == 0)
        end--;
    if (first == end)
        return false;
    for (size_t i = first; i < end; i++) {
        struct uns_chart_bar *bar = &sheet->bar[i - first];

        make_class(bar, i, classes->count[i]);
        if (is_tick(i, end - first, i == first))
            length_text(bar->edge, sizeof bar->edge,
                        (double)uns_classes_from(i));
    }
    sheet->chart.bars = end - first;
    make_rules(sheet, quantity, summary, first);
    return true;
}

#define MINUTE_US INT64_C(60000000)

/* As long as tells spans of this length apart: "2026-07-30 14:03", or with
 * seconds. */
static void span_text(char text[UNS_TEXT_TIME], int64_t span_us, int64_t at_us)
{
    char moment[UNS_TEXT_TIME];

    snprintf(text, UNS_TEXT_TIME, "%.*s", span_us < MINUTE_US ? 19 : 16,
             uns_text_moment(moment, at_us));
}

static bool make_history(struct sheet *sheet, const struct uns_report *report)
{
    for (size_t i = 0; i < report->spans; i++) {
        const struct uns_report_span *span = &report->span[i];
        int64_t at_us = report->from_us + (int64_t)i * report->span_us;
        struct uns_chart_bar *bar = &sheet->bar[i];
        char from[UNS_TEXT_TIME], ms[UNS_TEXT_TIME];

        span_text(from, report->span_us, at_us);
        bar->value = (double)span->stalls;
        bar->more = (double)span->silent_calls;
        snprintf(bar->title, sizeof bar->title,
                 "%s: %" PRId64 " stalls of %s in all, in %" PRId64
                 " of %" PRId64 " calls; %" PRId64 " never went on",
                 from, span->stalls, uns_text_ms(ms, span->stall_ms),
                 span->stalled_calls, span->calls, span->silent_calls);
        if (i == 0)
            snprintf(bar->edge, sizeof bar->edge, "%s", from);
    }
    sheet->chart.bars = report->spans;
    if (report->spans > 1) {
        struct uns_chart_bar *last = &sheet->bar[report->spans - 1];
        char last_text[UNS_TEXT_TIME];

        span_text(last_text, report->span_us, report->all.last_us);
        snprintf(last->edge, sizeof last->edge, "%s", last_text);
        last->edge_at_end = true;
    }
    sheet->chart.more_look = "warn";
    return report->all.count[UNS_COUNT_stalls] +
               report->all.count[UNS_COUNT_silent_calls] >
           0;
}

static bool make_hedges(struct sheet *sheet, const struct uns_report *report)
{
    const int64_t *count = report->all.count;

    for (unsigned i = 0; i < UNS_REPORT_WHYS; i++) {
        struct uns_chart_bar *bar = &sheet->bar[i];
        int64_t won = count[UNS_COUNT_won_first_token + i];
        int64_t wasted = count[UNS_COUNT_wasted_first_token + i];

        bar->value = (double)won;
        bar->more = (double)wasted;
        snprintf(bar->title, sizeof bar->title,
                 "for %s: %" PRId64 " won, %" PRId64 " wasted",
                 uns_report_why(i), won, wasted);
        snprintf(bar->middle, sizeof bar->middle, "%s",
                 i == 0 ? "no token" : uns_report_why(i));
    }
    sheet->chart.bars = UNS_REPORT_WHYS;
    sheet->chart.more_look = "wait";
    return count[UNS_COUNT_hedges_fired] > 0;
}

/* The bars as a table, for those who cannot point at them. */
static void put_numbers(const struct sheet *sheet, FILE *out)
{
    fputs("<details><summary>Numbers</summary><ul>\n", out);
    for (size_t i = 0; i < sheet->chart.bars; i++) {
        fputs("<li>", out);
        uns_svg_text(out, sheet->bar[i].title);
        fputs("</li>\n", out);
    }
    fputs("</ul></details>\n", out);
}

static void put_chart(struct sheet *sheet, bool any, const char *title,
                      const char *about, FILE *out)
{
    fprintf(out, "<figure>\n<figcaption><h2>%s</h2><p>%s</p></figcaption>\n",
            title, about);
    if (any) {
        sheet->chart.bar = sheet->bar;
        sheet->chart.name = title;
        uns_chart_draw(&sheet->chart, out);
        put_numbers(sheet, out);
    } else {
        fputs("<p class=\"none\">None.</p>\n", out);
    }
    fputs("</figure>\n", out);
}

void uns_report_charts(const struct uns_report *report, FILE *out)
{
    const struct uns_figures *all = &report->all;
    struct sheet ttft = {.chart = {.look = "good"}};
    struct sheet gaps = {
        .chart = {.look = "good", .log = true}
    };
    struct sheet stalls = {.chart = {.look = "bad"}};
    struct sheet hedges = {.chart = {.look = "good"}};
    bool any;

    fputs("<section class=\"charts\" aria-label=\"Pictures\">\n", out);
    any = make_histogram(&ttft, &all->ttft, UNS_QUANTITY_ttft_ms,
                         &all->quantity[UNS_QUANTITY_ttft_ms]);
    put_chart(&ttft, any, "First token",
              "Calls, by the time to their first token.", out);
    any = make_histogram(&gaps, &all->gaps, UNS_QUANTITY_gap_ms,
                         &all->quantity[UNS_QUANTITY_gap_ms]);
    put_chart(&gaps, any, "Gaps",
              "Gaps between content chunks, by their length. Both scales go "
              "in decades.",
              out);
    any = make_history(&stalls, report);
    put_chart(&stalls, any, "Stalls over time",
              "<span class=\"key bad\"></span> stalls, <span class=\"key "
              "warn\"></span> calls that never went on, by the time at which "
              "the calls began.",
              out);
    any = make_hedges(&hedges, report);
    put_chart(&hedges, any, "Hedges",
              "<span class=\"key good\"></span> won, <span class=\"key wait\">"
              "</span> wasted, by what they were sent for.",
              out);
    fputs("</section>\n", out);
}
