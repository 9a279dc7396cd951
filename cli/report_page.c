/* SPDX-License-Identifier: MIT */
/*
 * report_page - one file for a browser: it asks for nothing, runs nothing, and
 * says so to the browser (its Content-Security-Policy).  The JSON is in it
 * too.
 */
#include "report_page.h"

#include "engine/store_load.h"
#include "svg.h"
#include "svg_call.h"
#include "text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char page_style[] =
    "*{box-sizing:border-box}\n"
    "body{margin:0 auto;padding:1rem;max-width:78rem;background:var(--page);"
    "color:var(--ink);font:15px/1.5 system-ui,sans-serif}\n"
    "h1{font-size:1.5rem;margin:.2rem 0;overflow-wrap:anywhere}\n"
    "h2{font-size:1.05rem;margin:0}\n"
    "p{margin:.2rem 0 .6rem}\n"
    "a{color:var(--link)}\n"
    ".dim,figcaption p,.none,footer,caption{color:var(--dim)}\n"
    ".skip{position:absolute;left:-99rem}\n"
    ".skip:focus{position:static}\n"
    ":focus-visible{outline:2px solid var(--link);outline-offset:2px}\n"
    ".cards{display:grid;gap:.6rem;margin:1rem 0;padding:0;list-style:none;"
    "grid-template-columns:repeat(auto-fit,minmax(9.5rem,1fr))}\n"
    ".cards li{padding:.6rem .8rem;background:var(--card);"
    "border:1px solid var(--line);border-radius:.4rem}\n"
    ".cards b{display:block;font-size:1.35rem;font-weight:600}\n"
    ".cards span{color:var(--dim);font-size:.85rem}\n"
    ".charts,.grid2{display:grid;gap:1.2rem;"
    "grid-template-columns:repeat(auto-fit,minmax(min(100%,28rem),1fr))}\n"
    ".grid2{grid-template-columns:"
    "repeat(auto-fit,minmax(min(100%,34rem),1fr))}\n"
    "figure{margin:0;padding:.8rem;border:1px solid var(--line);"
    "border-radius:.4rem;min-width:0}\n"
    ".chart{display:flex}\n"
    ".chart svg{flex:1 1 0;min-width:0;overflow:visible}\n"
    ".chart svg.scale{flex:0 0 44px}\n"
    ".line{fill:var(--line)}\n"
    ".meaning{white-space:nowrap;margin-right:.7em}\n"
    ".key{display:inline-block;width:.8em;height:.8em;border-radius:.15em;"
    "vertical-align:-.05em}\n"
    ".key.good{background:var(--good)}\n"
    ".key.bad{background:var(--bad)}\n"
    ".key.warn{background:var(--warn)}\n"
    ".key.wait{background:var(--wait)}\n"
    ".key.stall{background:var(--bad);opacity:.35}\n"
    ".key.silent{background:var(--warn);opacity:.35}\n"
    "details{margin-top:.3rem;color:var(--dim);font-size:.85rem}\n"
    "summary{cursor:pointer}\n"
    "ul{padding-left:1.2rem;margin:.3rem 0}\n"
    "section{margin:1.4rem 0}\n"
    ".call{margin:.9rem 0}\n"
    ".call h3{font-size:.95rem;font-weight:600;margin:0;"
    "overflow-wrap:anywhere}\n"
    ".wide{overflow-x:auto;min-width:0}\n"
    "table{border-collapse:collapse;width:100%;font-size:.85rem;"
    "font-variant-numeric:tabular-nums}\n"
    "caption{text-align:left;font-weight:600;padding:.2rem 0}\n"
    "th,td{padding:.15rem .4rem;text-align:right;white-space:nowrap;"
    "border-top:1px solid var(--line)}\n"
    "th[scope=row]{text-align:left;font-weight:400;max-width:16rem;"
    "overflow:hidden;text-overflow:ellipsis}\n"
    "thead th{border-top:0;color:var(--dim);font-weight:400}\n"
    "tbody tr:first-child th{font-weight:600}\n"
    "@media (max-width:30rem){table{font-size:.75rem}"
    "th,td{padding:.15rem .25rem}}\n";

/* Which calls these are: of several pages each says what it is of. */
static void put_name(const struct uns_report *report, FILE *out)
{
    char host[256] = "";

    (void)gethostname(host, sizeof host - 1);
    fputs("unstall report", out);
    if (*host != '\0') {
        fputs(", ", out);
        uns_svg_text(out, host);
    }
    if (*report->filters != '\0') {
        fputs(": ", out);
        uns_svg_text(out, report->filters);
    }
}

static void put_head(const struct uns_report *report, FILE *out)
{
    const struct uns_figures *all = &report->all;
    char from[UNS_TEXT_TIME], to[UNS_TEXT_TIME];

    fprintf(out,
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n"
            "<meta charset=\"utf-8\">\n"
            "<meta name=\"viewport\" content=\"width=device-width,"
            " initial-scale=1\">\n"
            "<meta name=\"color-scheme\" content=\"light dark\">\n"
            "<meta http-equiv=\"Content-Security-Policy\" content=\""
            "default-src 'none'; style-src 'unsafe-inline'\">\n"
            "<style>\n%s%s</style>\n<title>",
            uns_svg_style, page_style);
    put_name(report, out);
    fputs("</title>\n</head>\n<body>\n"
          "<a class=\"skip\" href=\"#tables\">Skip to the tables</a>\n"
          "<header>\n<h1>",
          out);
    put_name(report, out);
    fprintf(out, "</h1>\n<p class=\"dim\">%" PRId64 " calls",
            all->count[UNS_COUNT_calls]);
    if (all->first_us != UNS_NULL)
        fprintf(out, ", %s to %s", uns_text_moment(from, all->first_us),
                uns_text_moment(to, all->last_us));
    if (report->threshold_ns != UNS_NEVER)
        fprintf(out, "; stalls are gaps over %s",
                uns_text_ms(from, report->threshold_ns / UNS_MS));
    fputs("</p>\n</header>\n<main>\n", out);
}

static void put_card(FILE *out, const char *value, const char *about)
{
    fputs("<li><b>", out);
    uns_svg_text(out, value);
    fputs("</b><span>", out);
    uns_svg_text(out, about);
    fputs("</span></li>\n", out);
}

static void put_quantile_card(const struct uns_report *report,
                              enum uns_quantity quantity, FILE *out)
{
    const struct uns_summary *summary = &report->all.quantity[quantity];
    char p50[UNS_REPORT_VALUE], p95[UNS_REPORT_VALUE];
    int64_t without = report->all.count[UNS_COUNT_calls_without_first_token];
    char about[4 * UNS_REPORT_VALUE];
    int used;

    uns_report_value(p50, quantity, summary->p50);
    uns_report_value(p95, quantity, summary->p95);
    used = snprintf(about, sizeof about, "%s: p50 of %" PRIu64 "; p95 %s",
                    uns_report_title(quantity), summary->n, p95);
    if (quantity == UNS_QUANTITY_ttft_ms && without > 0)
        snprintf(about + used, sizeof about - (size_t)used,
                 "; %" PRId64 " without one", without);
    put_card(out, p50, about);
}

static void put_share_card(int64_t count, int64_t of, const char *about,
                           FILE *out)
{
    char value[UNS_REPORT_VALUE];

    snprintf(value, sizeof value, "%" PRId64 " of %" PRId64, count, of);
    put_card(out, value, about);
}

/* Those that calls --stalled lists. */
static void put_stalled_card(const int64_t *count, FILE *out)
{
    int64_t stalled = count[UNS_COUNT_stalled_calls];
    int64_t silent = count[UNS_COUNT_silent_calls];
    char about[UNS_REPORT_VALUE * 2];

    snprintf(about, sizeof about,
             silent > 0 ? "calls stalled, %" PRId64 " of them without going on"
                        : "calls stalled",
             silent);
    put_share_card(stalled + silent, count[UNS_COUNT_calls], about, out);
}

static void put_failures_card(const int64_t *count, FILE *out)
{
    char about[UNS_REPORT_VALUE * 2];

    snprintf(about, sizeof about,
             "calls went wrong: %" PRId64 " refused, %" PRId64 " failed",
             count[UNS_COUNT_calls_refused], count[UNS_COUNT_failed_calls]);
    put_share_card(count[UNS_COUNT_failures], count[UNS_COUNT_calls], about,
                   out);
}

static void put_cards(const struct uns_report *report, FILE *out)
{
    const int64_t *count = report->all.count;

    fputs("<ul class=\"cards\">\n", out);
    put_quantile_card(report, UNS_QUANTITY_ttft_ms, out);
    put_quantile_card(report, UNS_QUANTITY_gap_ms, out);
    put_quantile_card(report, UNS_QUANTITY_wall_ms, out);
    put_stalled_card(count, out);
    put_failures_card(count, out);
    put_share_card(count[UNS_COUNT_hedges_won], count[UNS_COUNT_hedges_fired],
                   "hedges won", out);
    fputs("</ul>\n", out);
}

static void put_call(const struct uns_entry *entry, int64_t id, FILE *out)
{
    const struct uns_call_record *call = &entry->call;
    char name[512], wall[UNS_TEXT_TIME], when[UNS_TEXT_TIME];

    snprintf(name, sizeof name, "%s: call %" PRId64 ", %s, %s%s%s, %s",
             uns_text_ms(wall, call->wall_ms), id, call->program, call->model,
             *call->model ? " at " : "", call->endpoint, call->outcome);
    fputs("<article class=\"call\"><h3>", out);
    uns_svg_text(out, name);
    fprintf(out, "</h3><p class=\"dim\">%s; unstall show %" PRId64 "</p>\n",
            uns_text_moment(when, call->started_at), id);
    if (!uns_svg_call(entry, name, out))
        fputs("<p class=\"none\">(no memory for the drawing)</p>\n", out);
    fputs("</article>\n", out);
}

static void put_legend(FILE *out)
{
    fputs("<p class=\"dim\">", out);
    for (int i = 0; uns_svg_call_meanings[i].look != NULL; i++)
        fprintf(out,
                "%s<span class=\"meaning\"><span class=\"key %s\"></span>"
                " %s</span>",
                i ? " " : "", uns_svg_call_meanings[i].look,
                uns_svg_call_meanings[i].meaning);
    fputs("</p>\n", out);
}

/* SQLITE_DONE, or what went wrong.  A call that was deleted in the meantime is
 * left out. */
static int put_slow(const struct uns_report *report, sqlite3 *db, FILE *out)
{
    fputs("<section>\n<h2>The slowest calls</h2>\n", out);
    put_legend(out);
    for (size_t i = 0; i < report->slow; i++) {
        struct uns_entry *entry = NULL;
        enum uns_err err = uns_store_load(db, report->slow_id[i], &entry);

        if (err == UNS_NOTFOUND)
            continue;
        if (err != UNS_OK)
            return SQLITE_ERROR;
        if (report->threshold_ns != UNS_NEVER)
            entry->stall_threshold_ns = report->threshold_ns;
        put_call(entry, report->slow_id[i], out);
        uns_entry_free(entry);
    }
    fputs("</section>\n", out);
    return SQLITE_DONE;
}

/* Only in strings can JSON hold a "<"; written as \\u003c it ends no element.
 */
static bool put_json(const struct uns_report *report, FILE *out)
{
    char *text = NULL;
    size_t len = 0;
    FILE *stream = open_memstream(&text, &len);

    if (stream == NULL)
        return false;
    uns_report_json(report, stream);
    if (fclose(stream) != 0) {
        free(text);
        return false;
    }
    fputs("<script type=\"application/json\" id=\"report\">\n", out);
    for (size_t i = 0; i < len; i++)
        if (text[i] == '<' || text[i] == '>' || text[i] == '&')
            fprintf(out, "\\u%04x", (unsigned)text[i]);
        else
            fputc(text[i], out);
    fputs("</script>\n", out);
    free(text);
    return true;
}

int uns_report_page(const struct uns_report *report, sqlite3 *db, FILE *out)
{
    int rc = SQLITE_DONE;

    put_head(report, out);
    put_cards(report, out);
    uns_report_charts(report, out);
    if (report->slow > 0)
        rc = put_slow(report, db, out);
    uns_report_tables(report, out);
    fputs("</main>\n<footer><p>Quantiles are nearest ranks; a dash is "
          "&ldquo;could not be told&rdquo;. <code>unstall explain NAME</code> "
          "defines each number.</p></footer>\n",
          out);
    if (!put_json(report, out))
        rc = SQLITE_NOMEM;
    fputs("</body>\n</html>\n", out);
    return rc;
}
