/* SPDX-License-Identifier: MIT */
/*
 * doubts - one check a function.  Each warns at odds of one in a thousand or
 * less, so that a sound experiment goes without; those with a share instead of
 * odds look for what no draw makes.
 */
#include "doubts.h"

#include "core/units.h"
#include "stats.h"

#include <math.h>
#include <stdlib.h>

/* An arm drawn in good faith is as uneven in one experiment of a thousand. */
#define UNLIKELY 0.001

/* Calls of an arm outside of the time in which both were filled. */
#define OUTSIDE 0.1

/* Rivals of one half of the time come later than those of the other. */
#define WAITS_DIFFER 1.25
#define WAITS_LEAST  10

static const char *const arm_names[UNS_ARMS] = {"control", "treatment"};

static void doubt_balance(const struct uns_trial *trial, double share,
                          struct uns_findings *findings)
{
    size_t hits = trial->units[UNS_TREATMENT];
    size_t tries = hits + trial->units[UNS_CONTROL];
    double odds = uns_stats_binomial(hits, tries, share);
    struct uns_finding *row;

    if (tries == 0 || odds >= UNLIKELY)
        return;
    row = uns_findings_add(findings, UNS_LEVEL_WARN, "balance");
    uns_findings_say(
        &row->found, "%zu of %zu %s are in the treatment, not %.0f %%", hits,
        tries, trial->by_process ? "processes" : "calls", 100 * share);
    uns_findings_say(&row->means,
                     "Chance makes this less than once in %.0f times: some "
                     "calls of one arm were not recorded, or the share was "
                     "changed.",
                     1 / UNLIKELY);
    uns_findings_say(&row->todo, "--share says what it was, --since leaves "
                                 "out what was before a change.");
}

struct span {
    int64_t first_us, last_us;
};

static struct span span_of(const struct uns_trial *trial, unsigned arm)
{
    struct span span = {INT64_MAX, INT64_MIN};

    for (size_t i = 0; i < trial->count; i++) {
        int64_t at = trial->call[i].started_us;

        if (trial->call[i].arm != arm)
            continue;
        span.first_us = at < span.first_us ? at : span.first_us;
        span.last_us = at > span.last_us ? at : span.last_us;
    }
    return span;
}

static size_t outside(const struct uns_trial *trial, unsigned arm,
                      const struct span *span)
{
    size_t out = 0;

    for (size_t i = 0; i < trial->count; i++) {
        int64_t at = trial->call[i].started_us;

        out += trial->call[i].arm == arm &&
                       (at < span->first_us || at > span->last_us)
                   ? 1
                   : 0;
    }
    return out;
}

static size_t calls_of(const struct uns_trial *trial, unsigned arm)
{
    size_t count = 0;

    for (size_t i = 0; i < trial->count; i++)
        count += trial->call[i].arm == arm ? 1 : 0;
    return count;
}

/* So many units in a row, all of one arm. */
static bool is_unlikely_run(double units, double share)
{
    return units * log(share) < log(UNLIKELY);
}

static void doubt_time(const struct uns_trial *trial, double share,
                       struct uns_findings *findings)
{
    const double shares[UNS_ARMS] = {1 - share, share};

    for (unsigned arm = 0; arm < UNS_ARMS; arm++) {
        struct span other = span_of(trial, UNS_ARMS - 1 - arm);
        double out = (double)outside(trial, arm, &other);
        double calls = (double)calls_of(trial, arm);
        struct uns_finding *row;

        if (out <= OUTSIDE * calls ||
            !is_unlikely_run(out * (double)trial->units[arm] / calls,
                             shares[arm]))
            continue;
        row = uns_findings_add(findings, UNS_LEVEL_WARN, "time");
        uns_findings_say(&row->found,
                         "%.0f %% of the %s's calls were made while there "
                         "were none in the other arm",
                         100 * out / calls, arm_names[arm]);
        uns_findings_say(&row->means, "What differs may be the hour or the "
                                      "day, not the treatment.");
        return;
    }
}

static void doubt_mode(const struct uns_trial *trial, double share,
                       struct uns_findings *findings)
{
    const struct uns_trial_call *first[UNS_ARMS] = {NULL};

    (void)share;
    for (size_t i = 0; i < trial->count; i++) {
        const struct uns_trial_call *call = &trial->call[i];
        struct uns_finding *row;

        if (first[call->arm] == NULL)
            first[call->arm] = call;
        if (first[call->arm]->mode == call->mode)
            continue;
        row = uns_findings_add(findings, UNS_LEVEL_WARN, "mode");
        uns_findings_say(&row->found, "the %s was in mode %s and in mode %s",
                         arm_names[call->arm],
                         trial->names[first[call->arm]->mode],
                         trial->names[call->mode]);
        uns_findings_say(&row->means, "The arm is two arms. --since leaves "
                                      "out what was before the change.");
        return;
    }
}

static int by_size(const void *left, const void *right)
{
    int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;

    return (a > b) - (a < b);
}

/* The middle of `count` waits from `from` on. */
static double median(int64_t *waits, size_t from, size_t count)
{
    size_t middle = from + count / 2;

    qsort(waits + from, count, sizeof *waits, by_size);
    return (double)waits[middle];
}

/* The setting is not recorded, but when a rival was asked is. */
static void doubt_waits(const struct uns_trial *trial, double share,
                        struct uns_findings *findings)
{
    int64_t *waits = calloc(trial->count + 1, sizeof *waits);
    size_t count = 0;
    double early, late;

    (void)share;
    for (size_t i = 0; waits != NULL && i < trial->count; i++)
        if (trial->call[i].wait_ms != UNS_NULL)
            waits[count++] = trial->call[i].wait_ms;
    if (count >= 2 * WAITS_LEAST) {
        early = median(waits, 0, count / 2) + 1;
        late = median(waits, count / 2, count - count / 2) + 1;
        if (early > WAITS_DIFFER * late || late > WAITS_DIFFER * early) {
            struct uns_finding *row =
                uns_findings_add(findings, UNS_LEVEL_WARN, "settings");

            uns_findings_say(&row->found,
                             "rivals were asked after %.2f s at first, and "
                             "after %.2f s later",
                             early / 1000, late / 1000);
            uns_findings_say(&row->means,
                             "hedge.after_s was changed, or learned anew: the "
                             "treatment is not one treatment.");
        }
    }
    free(waits);
}

/* Units of a program, told apart by their numbers: calls come in any order. */
static size_t units_of(const struct uns_trial *trial, uint32_t program,
                       unsigned arm, uint8_t *seen)
{
    size_t count = 0;

    for (size_t i = 0; i < trial->count; i++) {
        const struct uns_trial_call *call = &trial->call[i];

        if (call->program != program || call->arm != arm || seen[call->unit])
            continue;
        seen[call->unit] = 1;
        count++;
    }
    return count;
}

static void doubt_program(const struct uns_trial *trial, uint32_t program,
                          double share, struct uns_findings *findings)
{
    size_t units[UNS_ARMS] = {0};
    struct uns_finding *row;

    for (unsigned arm = 0; arm < UNS_ARMS; arm++) {
        uint8_t *seen = calloc(trial->units[arm] + 1, 1);

        if (seen != NULL)
            units[arm] = units_of(trial, program, arm, seen);
        free(seen);
    }
    if ((units[0] > 0) == (units[1] > 0) ||
        uns_stats_binomial(units[UNS_TREATMENT], units[0] + units[1], share) >=
            UNLIKELY)
        return;
    row = uns_findings_add(findings, UNS_LEVEL_WARN, "program");
    uns_findings_say(&row->found, "%s is in the %s alone (%zu %s)",
                     trial->names[program], arm_names[units[1] > 0],
                     units[0] + units[1],
                     trial->by_process ? "processes" : "calls");
    uns_findings_say(&row->means,
                     "What differs may be that program, not the treatment.");
    uns_findings_say(&row->todo, "--program compares one of the others.");
}

/* Names are few; those of modes have no calls as programs. */
static void doubt_programs(const struct uns_trial *trial, double share,
                           struct uns_findings *findings)
{
    for (size_t i = 0; i < trial->name_count; i++)
        doubt_program(trial, (uint32_t)i, share, findings);
}

void uns_doubts_find(const struct uns_trial *trial, double share,
                     struct uns_findings *findings)
{
    static void (*const doubts[])(const struct uns_trial *trial, double share,
                                  struct uns_findings *findings) = {
        doubt_balance, doubt_time, doubt_mode, doubt_waits, doubt_programs,
    };

    for (size_t i = 0; i < sizeof doubts / sizeof *doubts; i++)
        doubts[i](trial, share, findings);
}
