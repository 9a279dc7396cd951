/* SPDX-License-Identifier: MIT */
/* tally - which number of a call goes where. */
#include "tally.h"
#include "nan.h"

#include "gaps.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct uns_tally {
    struct uns_samples samples[UNS_QUANTITIES];
    struct uns_samples weights; /* of the samples of tpot_ms: tokens - 1 */
    struct uns_spread gaps;
    struct uns_figures figures; /* all but the quantities */
};

static const char *const quantity_names[] = {
#define X(name) #name,
    UNS_TALLY_QUANTITIES(X)
#undef X
};

static const char *const count_names[] = {
#define X(name) #name,
    UNS_TALLY_COUNTS(X)
#undef X
};

const char *uns_tally_quantity_name(enum uns_quantity quantity)
{
    return quantity_names[quantity];
}

const char *uns_tally_count_name(enum uns_count count)
{
    return count_names[count];
}

struct uns_tally *uns_tally_new(void)
{
    struct uns_tally *tally = calloc(1, sizeof *tally);

    if (tally != NULL)
        uns_tally_clear(tally);
    return tally;
}

void uns_tally_clear(struct uns_tally *tally)
{
    for (int i = 0; i < UNS_QUANTITIES; i++)
        uns_samples_clear(&tally->samples[i]);
    uns_samples_clear(&tally->weights);
    memset(&tally->gaps, 0, sizeof tally->gaps);
    memset(&tally->figures, 0, sizeof tally->figures);
    tally->figures.first_us = tally->figures.last_us = UNS_NULL;
}

void uns_tally_free(struct uns_tally *tally)
{
    if (tally == NULL)
        return;
    for (int i = 0; i < UNS_QUANTITIES; i++)
        uns_samples_free(&tally->samples[i]);
    uns_samples_free(&tally->weights);
    free(tally);
}

static void count(struct uns_tally *tally, enum uns_count which, int64_t more)
{
    if (more > 0 && more < UNS_FIGURES_MOST)
        tally->figures.count[which] += more;
}

/* Of a list of words that has its counts from `first` on; UNS_COUNTS: of
 * none. */
static enum uns_count one_of(const char *const *words, size_t size,
                             const char *word, enum uns_count first)
{
    for (size_t i = 0; i < size; i++)
        if (strcmp(words[i], word) == 0)
            return (enum uns_count)(first + i);
    return UNS_COUNTS;
}

static enum uns_count outcome_of(const char *outcome)
{
    static const char *const outcomes[] = {
        "ok", "refused", "failed", "truncated", "timeout", "aborted", "killed",
    };

    return one_of(outcomes, sizeof outcomes / sizeof *outcomes, outcome,
                  UNS_COUNT_calls_ok);
}

static enum uns_count why_of(const char *why, enum uns_count first)
{
    static const char *const whys[] = {
        "first_token", "stall", "failure", "tied", "resume",
    };

    return one_of(whys, sizeof whys / sizeof *whys, why, first);
}

/* Of the words of hedge_reason those that say why nothing was sent. */
static enum uns_count unsent_of(const char *reason)
{
    static const char *const reasons[] = {
        "budget_exhausted",
        "budget_unreadable",
        "pushback",
        "no_key",
        "not_movable",
        "not_replayable",
        "same_origin_failed",
        "launch_failed",
        "max_attempts",
        "not_resumable",
        "mid_frame",
        "opaque",
        "too_long",
        "too_many",
        "paused",
    };

    return one_of(reasons, sizeof reasons / sizeof *reasons, reason,
                  UNS_COUNT_unsent_budget_exhausted);
}

static void count_known(struct uns_tally *tally, enum uns_count which)
{
    if (which != UNS_COUNTS)
        count(tally, which, 1);
}

static void add_times(struct uns_tally *tally,
                      const struct uns_call_record *call)
{
    struct uns_samples *samples = tally->samples;
    bool exact = call->ttft_us != UNS_NULL;

    uns_samples_add_int(&samples[UNS_QUANTITY_ttft_ms], call->ttft_ms);
    uns_samples_add_int(&samples[UNS_QUANTITY_stall_ms], call->stall_ms);
    uns_samples_add_int(&samples[UNS_QUANTITY_net_ms], call->net_ms);
    uns_samples_add_int(&samples[UNS_QUANTITY_wall_ms], call->wall_ms);
    if (call->ttft_ms != UNS_NULL)
        uns_classes_add(&tally->figures.ttft,
                        exact ? call->ttft_us : call->ttft_ms * 1000, 1);
    count(tally, UNS_COUNT_stalled_calls, call->stall_count > 0);
    count(tally, UNS_COUNT_stalls, call->stall_count);
    count(tally, UNS_COUNT_calls_without_first_token,
          call->ttft_ms == UNS_NULL);
}

static void add_rates(struct uns_tally *tally,
                      const struct uns_call_record *call)
{
    double tpot_ms = uns_figures_tpot(call);
    double rate = uns_figures_rate(call);
    bool counted;
    int64_t tokens = uns_figures_tokens(call, &counted);

    if (!isnan(rate))
        uns_samples_add(&tally->samples[UNS_QUANTITY_tokens_per_s], rate);
    if (isnan(tpot_ms))
        return;
    uns_samples_add(&tally->samples[UNS_QUANTITY_tpot_ms], tpot_ms);
    uns_samples_add(&tally->weights, (double)(tokens - 1));
    count(tally, UNS_COUNT_counted_chunks, counted);
}

static void add_gaps(struct uns_tally *tally, const struct uns_entry *entry)
{
    unsigned i = uns_figures_answer(entry);
    struct uns_gaps gaps;
    struct uns_gap gap;

    if (!uns_figures_can_stall(&entry->call))
        return;
    if (i == UNS_RACE_ATTEMPTS || entry->timeline[i].len == 0) {
        count(tally, UNS_COUNT_no_timeline, 1);
        return;
    }
    gaps = uns_gaps_begin(entry->timeline[i].data, entry->timeline[i].len);
    while (uns_gaps_next(&gaps, &gap)) {
        uns_spread_add(&tally->gaps, gap.length_ns / 1000, gap.count);
        uns_classes_add(&tally->figures.gaps, gap.length_ns / 1000, gap.count);
        if (gap.merged)
            count(tally, UNS_COUNT_gaps_merged, (int64_t)gap.count);
    }
}

static bool is(const char *text, const char *word)
{
    return strcmp(text, word) == 0;
}

static void add_hedge(struct uns_tally *tally,
                      const struct uns_attempt_record *attempt)
{
    bool won = is(attempt->outcome, "won");

    count(tally, UNS_COUNT_extra_requests, 1);
    if (is(attempt->why, "retry") || is(attempt->outcome, "shadow"))
        return;
    count(tally, UNS_COUNT_hedges_fired, 1);
    if (*attempt->outcome == '\0' || is(attempt->outcome, "killed"))
        return;
    count(tally, won ? UNS_COUNT_hedges_won : UNS_COUNT_hedges_wasted, 1);
    count_known(tally,
                why_of(attempt->why, won ? UNS_COUNT_won_first_token
                                         : UNS_COUNT_wasted_first_token));
    if (!won)
        count(tally, UNS_COUNT_lost_late + uns_figures_loss(attempt), 1);
}

static void add_attempts(struct uns_tally *tally, const struct uns_entry *entry)
{
    unsigned answer = uns_figures_answer(entry);
    bool failed = false;

    for (unsigned i = 0; i < entry->attempts; i++) {
        const struct uns_attempt_record *attempt = &entry->attempt[i];

        if (attempt->seq > 0)
            add_hedge(tally, attempt);
        else
            failed = is(attempt->outcome, "failed");
        if (i == answer)
            continue;
        count(tally, UNS_COUNT_extra_tokens_in, attempt->tokens_in);
        count(tally, UNS_COUNT_extra_tokens_out, attempt->tokens_out);
        count(tally, UNS_COUNT_extra_untold,
              attempt->tokens_in == UNS_NULL &&
                  attempt->tokens_out == UNS_NULL);
    }
    count(tally, UNS_COUNT_rescued, failed && is(entry->call.outcome, "ok"));
}

static void add_unsent(struct uns_tally *tally, const char *reason)
{
    enum uns_count which = unsent_of(reason);

    count_known(tally, which);
    count(tally, UNS_COUNT_unsent, which != UNS_COUNTS);
}

static void add_range(struct uns_figures *figures, int64_t at_us)
{
    if (at_us == UNS_NULL)
        return;
    if (figures->first_us == UNS_NULL || at_us < figures->first_us)
        figures->first_us = at_us;
    if (figures->last_us == UNS_NULL || at_us > figures->last_us)
        figures->last_us = at_us;
}

void uns_tally_add(struct uns_tally *tally, const struct uns_entry *entry,
                   const struct uns_call_record *call)
{
    enum uns_phase phase = uns_figures_phase(entry);

    count(tally, UNS_COUNT_calls, 1);
    count(tally, UNS_COUNT_calls_streaming, call->streaming == 1);
    count_known(tally, outcome_of(call->outcome));
    add_range(&tally->figures, uns_figures_began(call));
    add_times(tally, call);
    count(tally, UNS_COUNT_silent_calls, uns_figures_is_silent(entry, call));
    add_rates(tally, call);
    add_gaps(tally, entry);
    add_attempts(tally, entry);
    add_unsent(tally, call->hedge_reason);
    if (phase == UNS_PHASE_COUNT)
        return;
    count(tally, UNS_COUNT_failures, 1);
    count(tally, UNS_COUNT_failed_calls, !is(call->outcome, "refused"));
    count(tally, (enum uns_count)(UNS_COUNT_failed_connect + phase), 1);
}

static struct uns_summary summarize(struct uns_samples *samples)
{
    uns_samples_sort(samples);
    return (struct uns_summary){
        .n = samples->count,
        .mean = uns_samples_mean(samples),
        .p50 = uns_quantile(samples, 500),
        .p90 = uns_quantile(samples, 900),
        .p95 = uns_quantile(samples, 950),
        .p99 = uns_quantile(samples, 990),
        .most = uns_quantile(samples, 1000),
    };
}

static const struct uns_summary nothing = {0,       UNS_NAN, UNS_NAN, UNS_NAN,
                                           UNS_NAN, UNS_NAN, UNS_NAN};

static struct uns_summary summarize_gaps(const struct uns_spread *gaps)
{
    const double ms = 1000;

    if (gaps->count == 0)
        return nothing;
    return (struct uns_summary){
        .n = gaps->count,
        .mean = (double)gaps->sum_us / (double)gaps->count / ms,
        .p50 = (double)uns_spread_quantile(gaps, 500) / ms,
        .p90 = (double)uns_spread_quantile(gaps, 900) / ms,
        .p95 = (double)uns_spread_quantile(gaps, 950) / ms,
        .p99 = (double)uns_spread_quantile(gaps, 990) / ms,
        .most = (double)uns_spread_cut(gaps->most_us) / ms,
    };
}

/* Before the samples of tpot_ms are sorted: each stands beside its weight. */
static bool summarize_tokens(const struct uns_tally *tally,
                             struct uns_summary *ret_summary)
{
    const struct uns_samples *tpot = &tally->samples[UNS_QUANTITY_tpot_ms];
    struct uns_weighted *list = calloc(tpot->count + 1, sizeof *list);
    double total = 0, sum_ms = 0;

    if (list == NULL)
        return false;
    for (size_t i = 0; i < tpot->count; i++) {
        double weight = tally->weights.list[i];

        list[i] = (struct uns_weighted){tpot->list[i], (int64_t)weight};
        total += weight;
        sum_ms += tpot->list[i] * weight;
    }
    uns_weighted_sort(list, tpot->count);
    *ret_summary = nothing;
    if (tpot->count > 0)
        *ret_summary = (struct uns_summary){
            .n = (uint64_t)total,
            .mean = sum_ms / total,
            .p50 = uns_weighted_quantile(list, tpot->count, 500),
            .p90 = uns_weighted_quantile(list, tpot->count, 900),
            .p95 = uns_weighted_quantile(list, tpot->count, 950),
            .p99 = uns_weighted_quantile(list, tpot->count, 990),
            .most = list[tpot->count - 1].value,
        };
    free(list);
    return true;
}

bool uns_tally_close(struct uns_tally *tally, struct uns_figures *ret_figures)
{
    struct uns_figures *figures = &tally->figures;
    struct uns_summary *tokens = &figures->quantity[UNS_QUANTITY_tpot_token_ms];

    if (tally->weights.lost || !summarize_tokens(tally, tokens))
        return false;
    for (int i = 0; i < UNS_QUANTITIES; i++) {
        if (tally->samples[i].lost)
            return false;
        if (i != UNS_QUANTITY_gap_ms && i != UNS_QUANTITY_tpot_token_ms)
            figures->quantity[i] = summarize(&tally->samples[i]);
    }
    figures->quantity[UNS_QUANTITY_gap_ms] = summarize_gaps(&tally->gaps);
    *ret_figures = *figures;
    return true;
}
