/* SPDX-License-Identifier: MIT */
/*
 * grid - all settings are tried on the same calls with the same rivals, so
 * that what differs between two of them is the setting.
 */
#include "grid.h"

#include "quantile.h"
#include "simulate.h"

#include <stdlib.h>

/* Of a few calls each is tried with several rivals. */
#define LEAST_TRIES 4000

/* One rival a call, as hedge.max_attempts has it by default. */
#define ATTEMPTS 2

/* The knee saves as much of the most. */
#define KNEE 0.9

/* Waits are tried at these quantiles of the first token's time, rounded up to
 * two digits as a person would; none is shorter than 100 ms. */
static const unsigned wait_quantiles[] = {500, 650, 750, 800, 850, 900,
                                          930, 950, 970, 980, 990, 995};
#define LEAST_WAIT (100 * UNS_MS)

static const uns_ns stall_table[] = {500 * UNS_MS,  750 * UNS_MS, 1 * UNS_S,
                                     3 * UNS_S / 2, 2 * UNS_S,    3 * UNS_S,
                                     5 * UNS_S,     8 * UNS_S,    12 * UNS_S,
                                     20 * UNS_S,    30 * UNS_S,   60 * UNS_S};

static const uns_ns hold_table[] = {2 * UNS_S, 5 * UNS_S, 20 * UNS_S,
                                    UNS_NEVER};

#define LENGTH(table) (sizeof(table) / sizeof *(table))

/* --- one setting -------------------------------------------------------- */

struct tries {
    const struct uns_pool *pool;
    const struct uns_trace **rival; /* of try i, whose call is i % count */
    size_t count;
};

struct tally {
    struct uns_samples first, wall;
    double requests, tokens;
};

static struct uns_race_rules rules_of(const struct uns_setting *setting)
{
    return (struct uns_race_rules){
        .after_ns = setting->after_ns,
        .stall_after_ns = setting->stall_after_ns,
        .hold_ns = setting->hold_ns,
        .ttft_timeout_ns = UNS_NEVER,
        .stall_timeout_ns = UNS_NEVER,
        .total_ns = UNS_NEVER,
        .max_attempts = ATTEMPTS,
        .failover = true,
    };
}

static void try_one(const struct tries *tries, size_t i,
                    const struct uns_race_rules *rules, struct tally *tally)
{
    const struct uns_pool_call *call =
        &tries->pool->call[i % tries->pool->count];
    const struct uns_lineup lineup = {
        {&call->trace, tries->rival[i]},
        ATTEMPTS
    };
    struct uns_outcome outcome;

    uns_simulate(rules, &lineup, &outcome);
    uns_samples_add(&tally->first, (double)outcome.first_ns / (double)UNS_MS);
    uns_samples_add(&tally->wall, (double)outcome.wall_ns / (double)UNS_MS);
    tally->requests += outcome.requests - 1;
    tally->tokens += (outcome.requests - 1) * call->tokens_in + outcome.wasted;
}

static struct uns_price price_of(struct tally *tally, size_t count)
{
    struct uns_price price = {.requests = tally->requests / (double)count,
                              .tokens = tally->tokens / (double)count,
                              .wall_ms = uns_samples_mean(&tally->wall)};
    static const unsigned quantiles[] = {500, 950, 990};

    uns_samples_sort(&tally->first);
    uns_samples_sort(&tally->wall);
    for (size_t i = 0; i < LENGTH(quantiles); i++)
        price.first_ms[i] = uns_quantile(&tally->first, quantiles[i]);
    price.wall_p95_ms = uns_quantile(&tally->wall, 950);
    return price;
}

/* False: no memory. */
static bool try_all(const struct tries *tries, struct uns_grid *grid)
{
    struct tally tally = {0};
    bool good = true;

    for (size_t k = 0; good && k < grid->count; k++) {
        struct uns_race_rules rules = rules_of(&grid->entry[k].setting);

        uns_samples_clear(&tally.first);
        uns_samples_clear(&tally.wall);
        tally.requests = tally.tokens = 0;
        for (size_t i = 0; i < tries->count; i++)
            try_one(tries, i, &rules, &tally);
        good = !tally.first.lost && !tally.wall.lost;
        grid->entry[k].price = price_of(&tally, tries->count);
        grid->entry[k].price.saved_ms =
            grid->entry[0].price.wall_ms - grid->entry[k].price.wall_ms;
    }
    uns_samples_free(&tally.first);
    uns_samples_free(&tally.wall);
    return good;
}

/* --- which are tried ---------------------------------------------------- */

/* Up to two digits: 1234 ms is 1300 ms. */
static uns_ns rounded_up(uns_ns ns)
{
    uns_ns step = UNS_MS;

    while (ns >= 100 * step)
        step *= 10;
    return (ns + step - 1) / step * step;
}

static void add_setting(struct uns_grid *grid, uns_ns after_ns,
                        uns_ns stall_after_ns, uns_ns hold_ns)
{
    if (grid->count < UNS_GRID_MOST)
        grid->entry[grid->count++].setting =
            (struct uns_setting){after_ns, stall_after_ns, hold_ns};
}

/* A rival for a stall has to come before the window closes.  Stalls that are
 * longer than all silences there were would only be rows more. */
static void add_holds(struct uns_grid *grid, uns_ns after_ns, uns_ns silence_ns)
{
    for (size_t h = 0; h < LENGTH(hold_table); h++)
        for (size_t s = 0; s < LENGTH(stall_table); s++)
            if (stall_table[s] < hold_table[h] && stall_table[s] < silence_ns)
                add_setting(grid, after_ns, stall_table[s], hold_table[h]);
}

static uns_ns longest_silence(const struct uns_pool *pool)
{
    uns_ns longest = 0;

    for (size_t i = 0; i < pool->count; i++) {
        const struct uns_trace *trace = &pool->call[i].trace;

        for (size_t k = 1; k < trace->points; k++) {
            uns_ns silence = trace->at_ns[k] - trace->at_ns[k - 1];

            if (uns_trace_is_silence(trace, k - 1) && silence > longest)
                longest = silence;
        }
    }
    return longest;
}

static void add_all(struct uns_grid *grid, struct uns_samples *waits,
                    uns_ns silence_ns)
{
    uns_ns last_ns = 0;

    add_setting(grid, UNS_NEVER, UNS_NEVER, 0);
    add_holds(grid, UNS_NEVER, silence_ns);
    uns_samples_sort(waits);
    for (size_t i = 0; waits->count > 0 && i < LENGTH(wait_quantiles); i++) {
        uns_ns wait =
            rounded_up((uns_ns)uns_quantile(waits, wait_quantiles[i]));

        wait = wait < LEAST_WAIT ? LEAST_WAIT : wait;
        if (wait == last_ns)
            continue;
        last_ns = wait;
        add_setting(grid, wait, UNS_NEVER, 0);
        add_holds(grid, wait, silence_ns);
    }
}

static bool propose(const struct uns_pool *pool, struct uns_grid *grid)
{
    struct uns_samples waits = {0};
    bool good;

    for (size_t i = 0; i < pool->count; i++)
        if (pool->call[i].trace.points > 0)
            uns_samples_add(&waits, (double)pool->call[i].trace.at_ns[0]);
    good = !waits.lost;
    add_all(grid, &waits, longest_silence(pool));
    uns_samples_free(&waits);
    return good;
}

static bool tries_init(struct tries *tries, const struct uns_pool *pool,
                       uint64_t seed)
{
    size_t rounds = 1 + (LEAST_TRIES - 1) / pool->count;
    struct uns_dice dice = {seed};

    *tries = (struct tries){.pool = pool, .count = rounds * pool->count};
    tries->rival = calloc(tries->count, sizeof *tries->rival);
    for (size_t i = 0; tries->rival != NULL && i < tries->count; i++)
        tries->rival[i] = uns_pool_rival(pool, i % pool->count, &dice);
    return tries->rival != NULL;
}

struct uns_grid *uns_grid_new(const struct uns_pool *pool, uint64_t seed)
{
    struct uns_grid *grid = calloc(1, sizeof *grid);
    struct tries tries = {0};
    bool good = grid != NULL && tries_init(&tries, pool, seed) &&
                propose(pool, grid) && try_all(&tries, grid);

    free(tries.rival);
    if (good)
        return grid;
    uns_grid_free(grid);
    return NULL;
}

void uns_grid_free(struct uns_grid *grid)
{
    free(grid);
}

/* --- which is taken ----------------------------------------------------- */

static bool is_within(const struct uns_grid_entry *entry,
                      const struct uns_grid_limits *limits)
{
    return entry->price.requests <= limits->budget &&
           entry->setting.hold_ns <= limits->hold_ns;
}

static size_t find_most(const struct uns_grid *grid,
                        const struct uns_grid_limits *limits)
{
    size_t most = 0;

    for (size_t i = 1; i < grid->count; i++)
        if (is_within(&grid->entry[i], limits) &&
            grid->entry[i].price.saved_ms > grid->entry[most].price.saved_ms)
            most = i;
    return most;
}

struct uns_grid_choice uns_grid_choose(const struct uns_grid *grid,
                                       const struct uns_grid_limits *limits)
{
    size_t most = find_most(grid, limits);
    size_t knee = most;
    double saved = grid->entry[most].price.saved_ms;

    if (saved < UNS_GRID_WORTH * grid->entry[0].price.wall_ms)
        return (struct uns_grid_choice){0, 0};
    for (size_t i = 1; i < grid->count; i++) {
        const struct uns_price *price = &grid->entry[i].price;

        if (is_within(&grid->entry[i], limits) &&
            price->saved_ms >= KNEE * saved &&
            price->requests < grid->entry[knee].price.requests)
            knee = i;
    }
    return (struct uns_grid_choice){knee, most};
}

bool uns_grid_is_frontier(const struct uns_grid *grid, size_t i,
                          const struct uns_grid_limits *limits)
{
    const struct uns_price *price = &grid->entry[i].price;

    if (!is_within(&grid->entry[i], limits) || price->saved_ms <= 0)
        return false;
    for (size_t k = 1; k < grid->count; k++) {
        const struct uns_price *other = &grid->entry[k].price;

        if (is_within(&grid->entry[k], limits) &&
            other->saved_ms >= price->saved_ms &&
            other->requests <= price->requests &&
            (other->saved_ms > price->saved_ms ||
             other->requests < price->requests || k < i))
            return false;
    }
    return true;
}
