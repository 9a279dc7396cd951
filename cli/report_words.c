/* SPDX-License-Identifier: MIT */
/* report_words - how the figures are called and written, for all that tell
 * them. */
#include "report.h"
#include "text.h"

#include <math.h>
#include <string.h>
#include <strings.h>

static const char *const quantity_titles[UNS_QUANTITIES] = {
    [UNS_QUANTITY_ttft_ms] = "first token",
    [UNS_QUANTITY_gap_ms] = "gap",
    [UNS_QUANTITY_tpot_ms] = "per token, by call",
    [UNS_QUANTITY_tpot_token_ms] = "per token, by token",
    [UNS_QUANTITY_tokens_per_s] = "tokens/s",
    [UNS_QUANTITY_stall_ms] = "stalled",
    [UNS_QUANTITY_net_ms] = "without stalls",
    [UNS_QUANTITY_wall_ms] = "whole call",
};

const char *uns_report_key(const char *key)
{
    return key && *key ? key : "(none)";
}

/* What was stored is in whole milliseconds; what was made of it is not. */
static bool is_made(enum uns_quantity quantity)
{
    return quantity == UNS_QUANTITY_gap_ms ||
           quantity == UNS_QUANTITY_tpot_ms ||
           quantity == UNS_QUANTITY_tpot_token_ms;
}

const char *uns_report_value(char text[UNS_REPORT_VALUE],
                             enum uns_quantity quantity, double value)
{
    if (isnan(value))
        snprintf(text, UNS_REPORT_VALUE, "-");
    else if (quantity == UNS_QUANTITY_tokens_per_s)
        snprintf(text, UNS_REPORT_VALUE, "%.1f", value);
    else if (is_made(quantity) && value < 100)
        snprintf(text, UNS_REPORT_VALUE, value < 10 ? "%.2f ms" : "%.1f ms",
                 value);
    else
        uns_text_ms(text, (int64_t)value);
    return text;
}

const char *uns_report_title(enum uns_quantity quantity)
{
    return quantity_titles[quantity];
}

const char *uns_report_why(unsigned i)
{
    static const char *const whys[UNS_REPORT_WHYS] = {
        "no first token", "a stall", "a failure", "tied", "resuming",
    };

    return whys[i];
}

const char *uns_report_loss(unsigned i)
{
    static const char *const losses[UNS_REPORT_LOSSES] = {
        "late",
        "refused with 401 or 403",
        "refused with 429",
        "refused with another status",
        "could not connect",
        "silent or broken off",
        "said something else",
    };

    return losses[i];
}

/* clang-format off */
static const struct uns_table_column outcomes_columns[] = {
    {"", false, 14, 0},
    {"N", true, 0, 0},
    {"OK", true, 0, 0},
    {"REFUSED", true, 0, 0},
    {"FAILED", true, 0, 0},
    {"ABORTED", true, 0, 1},
    {"STALLED", true, 0, 0},
    {"SILENT", true, 0, 0},
    {"STALLS", true, 0, 2},
    {"RESCUED", true, 0, 0},
};

static const enum uns_count outcomes_counts[] = {
    UNS_COUNT_calls,
    UNS_COUNT_calls_ok,
    UNS_COUNT_calls_refused,
    UNS_COUNT_failed_calls,
    UNS_COUNT_calls_aborted,
    UNS_COUNT_stalled_calls,
    UNS_COUNT_silent_calls,
    UNS_COUNT_stalls,
    UNS_COUNT_rescued,
};

static const struct uns_table_column phases_columns[] = {
    {"", false, 14, 0},
    {"N", true, 0, 0},
    {"CONNECT", true, 0, 0},
    {"TLS", true, 0, 0},
    {"HEADERS", true, 0, 0},
    {"STATUS", true, 0, 0},
    {"TOKEN", true, 0, 0},
    {"STREAM", true, 0, 0},
    {"UNKNOWN", true, 0, 1},
};

static const enum uns_count phases_counts[] = {
    UNS_COUNT_failures,
    UNS_COUNT_failed_connect,
    UNS_COUNT_failed_tls,
    UNS_COUNT_failed_headers,
    UNS_COUNT_failed_status,
    UNS_COUNT_failed_first_token,
    UNS_COUNT_failed_streaming,
    UNS_COUNT_failed_unknown,
};

static const struct uns_table_column hedges_columns[] = {
    {"", false, 14, 0},
    {"FIRED", true, 0, 0},
    {"WON", true, 0, 0},
    {"WASTED", true, 0, 0},
    {"EXTRA REQUESTS", true, 0, 0},
    {"TOKENS IN", true, 0, 2},
    {"TOKENS OUT", true, 0, 0},
    {"UNTOLD", true, 0, 1},
};

static const enum uns_count hedges_counts[] = {
    UNS_COUNT_hedges_fired,
    UNS_COUNT_hedges_won,
    UNS_COUNT_hedges_wasted,
    UNS_COUNT_extra_requests,
    UNS_COUNT_extra_tokens_in,
    UNS_COUNT_extra_tokens_out,
    UNS_COUNT_extra_untold,
};

/* clang-format on */

const struct uns_report_counts uns_report_outcomes = {
    "calls",         outcomes_columns,
    outcomes_counts, sizeof outcomes_counts / sizeof *outcomes_counts,
    UNS_HUE_PLAIN,
};

const struct uns_report_counts uns_report_phases = {
    "went wrong at", phases_columns,
    phases_counts,   sizeof phases_counts / sizeof *phases_counts,
    UNS_HUE_BAD,
};

const struct uns_report_counts uns_report_hedges = {
    "hedges",      hedges_columns,
    hedges_counts, sizeof hedges_counts / sizeof *hedges_counts,
    UNS_HUE_PLAIN,
};

static bool is_count_named(const struct uns_report_counts *counts,
                           const char *metric, const char *label)
{
    for (size_t i = 0; i < counts->size; i++)
        if (strcasecmp(counts->columns[i + 1].title, label) == 0 &&
            strcmp(uns_tally_count_name(counts->count[i]), metric) == 0)
            return true;
    return false;
}

static bool is_quantile(const char *label)
{
    static const char *const labels[] = {"n",   "p50", "p90",
                                         "p95", "p99", "max"};

    for (size_t i = 0; i < sizeof labels / sizeof *labels; i++)
        if (strcasecmp(labels[i], label) == 0)
            return true;
    return false;
}

static bool is_of_first_token(const char *metric, const char *label)
{
    return strcasecmp(label, UNS_REPORT_WITHOUT) == 0 &&
           strcmp(metric, "calls_without_first_token") == 0;
}

bool uns_report_names(const char *metric, const char *label)
{
    static const struct uns_report_counts *const tables[] = {
        &uns_report_outcomes, &uns_report_phases, &uns_report_hedges};

    if (strcmp(metric, "quantile") == 0)
        return is_quantile(label);
    if (is_of_first_token(metric, label))
        return true;
    for (unsigned i = 0; i < UNS_QUANTITIES; i++)
        if (strcasecmp(quantity_titles[i], label) == 0 &&
            strcmp(uns_tally_quantity_name(i), metric) == 0)
            return true;
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        if (is_count_named(tables[i], metric, label))
            return true;
    return false;
}

const char *uns_report_number(char ret_text[UNS_REPORT_NUMBER], double number)
{
    size_t len;

    if (!isfinite(number))
        return memcpy(ret_text, "null", sizeof "null");
    snprintf(ret_text, UNS_REPORT_NUMBER, "%.3f", number);
    len = strlen(ret_text);
    while (ret_text[len - 1] == '0')
        ret_text[--len] = '\0';
    if (ret_text[len - 1] == '.')
        ret_text[--len] = '\0';
    return ret_text;
}
