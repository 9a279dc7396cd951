/* SPDX-License-Identifier: MIT */
/* report_json - the figures as JSON; the page has the same in it. */
#include "json.h"
#include "report.h"

#include <inttypes.h>

static void put_number(FILE *out, const char *name, double number)
{
    char text[UNS_REPORT_NUMBER];

    fprintf(out, ", \"%s\": %s", name, uns_report_number(text, number));
}

static void put_int(FILE *out, const char *name, int64_t number)
{
    if (number == UNS_NULL)
        fprintf(out, ", \"%s\": null", name);
    else
        fprintf(out, ", \"%s\": %" PRId64, name, number);
}

static void put_summary(FILE *out, const char *name,
                        const struct uns_summary *summary)
{
    fprintf(out, ",\n   \"%s\": {\"n\": %" PRIu64, name, summary->n);
    put_number(out, "mean", summary->mean);
    put_number(out, "p50", summary->p50);
    put_number(out, "p90", summary->p90);
    put_number(out, "p95", summary->p95);
    put_number(out, "p99", summary->p99);
    put_number(out, "max", summary->most);
    fputc('}', out);
}

static void put_figures(FILE *out, const struct uns_figures *figures)
{
    put_int(out, "first_at", figures->first_us);
    put_int(out, "last_at", figures->last_us);
    for (int i = 0; i < UNS_COUNTS; i++) {
        fputs(i % 4 ? "" : ",\n   ", out);
        fprintf(out, "%s\"%s\": %" PRId64, i % 4 ? ", " : "",
                uns_tally_count_name((enum uns_count)i), figures->count[i]);
    }
    for (int i = 0; i < UNS_QUANTITIES; i++)
        put_summary(out, uns_tally_quantity_name((enum uns_quantity)i),
                    &figures->quantity[i]);
}

/* Classes between the first and the last that have something. */
static void put_classes(FILE *out, const char *name,
                        const struct uns_classes *classes)
{
    size_t first = 0, end = UNS_CLASSES;
    char from[UNS_REPORT_NUMBER], to[UNS_REPORT_NUMBER];

    while (first < end && classes->count[first] == 0)
        first++;
    while (end > first && classes->count[end - 1] == 0)
        end--;
    fprintf(out, ",\n   \"%s\": [", name);
    for (size_t i = first; i < end; i++) {
        int64_t to_us = uns_classes_from(i + 1);

        uns_report_number(from, (double)uns_classes_from(i) / 1000);
        uns_report_number(to, (double)to_us / 1000);
        fprintf(out,
                "%s\n    {\"from_ms\": %s, \"to_ms\": %s, \"count\": %" PRIu64
                "}",
                i > first ? "," : "", from, to_us < INT64_MAX ? to : "null",
                classes->count[i]);
    }
    fputc(']', out);
}

static void put_history(FILE *out, const struct uns_report *report)
{
    fputs(",\n   \"stall_history\": [", out);
    for (size_t i = 0; i < report->spans; i++) {
        const struct uns_report_span *span = &report->span[i];

        fprintf(out, "%s\n    {\"from\": %" PRId64, i ? "," : "",
                report->from_us + (int64_t)i * report->span_us);
        put_int(out, "calls", span->calls);
        put_int(out, "stalled_calls", span->stalled_calls);
        put_int(out, "silent_calls", span->silent_calls);
        put_int(out, "stalls", span->stalls);
        put_int(out, "stall_ms", span->stall_ms);
        fputc('}', out);
    }
    fputc(']', out);
}

static void put_group(FILE *out, const char *by, const char *key,
                      const struct uns_figures *figures)
{
    fprintf(out, "  {\"by\": \"%s\", \"key\": ", by);
    if (key != NULL)
        uns_json_text(out, key);
    else
        fputs("null", out);
    put_figures(out, figures);
}

void uns_report_json(const struct uns_report *report, FILE *out)
{
    fputs("[\n", out);
    put_group(out, "all", NULL, &report->all);
    put_classes(out, "ttft_histogram", &report->all.ttft);
    put_classes(out, "gap_histogram", &report->all.gaps);
    put_history(out, report);
    for (size_t i = 0; i < report->groups; i++) {
        fputs("},\n", out);
        put_group(out, report->by->name, report->group[i].key,
                  &report->group[i].figures);
    }
    fputs("}\n]\n", out);
}
