/* SPDX-License-Identifier: MIT */
/* advise - `unstall advise`: recorded calls under other settings. */
#include "advise.h"

#include "core/delay.h"
#include "db.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Any will do, but always the same. */
#define SEED 1

struct options {
    struct uns_common common;
    struct uns_select select;
    struct uns_grid_limits limits;
};

/* False: `value` is no number from 0 on. */
static bool parse_number(const char *value, double *ret_number)
{
    char *end;
    double number = strtod(value, &end);

    if (end == value || *end != '\0' || !(number >= 0 && number < 1e6))
        return false;
    *ret_number = number;
    return true;
}

static bool take_budget(void *into, const struct uns_cli_option *option,
                        const char *value)
{
    (void)option;
    if (parse_number(value, &((struct options *)into)->limits.budget))
        return true;
    return uns_args_fail("advise", "--budget %s: not a number of requests",
                         value),
           false;
}

static bool take_hold(void *into, const struct uns_cli_option *option,
                      const char *value)
{
    struct options *options = into;
    double seconds;

    (void)option;
    if (strcmp(value, "all") == 0) {
        options->limits.hold_ns = UNS_NEVER;
        return true;
    }
    if (!parse_number(value, &seconds))
        return uns_args_fail("advise", "--hold %s: neither seconds nor \"all\"",
                             value),
               false;
    options->limits.hold_ns = (uns_ns)(seconds * (double)UNS_S);
    return true;
}

#define AT(member) offsetof(struct options, select.member)

/* clang-format off */
static const struct uns_cli_option option_table[] = {
    {"budget",  "RATIO", "Extra requests a call at most (0.1, as "
                         "hedge.budget.ratio is by default).",
     0, take_budget},
    {"hold",    "SECONDS", "Recommend to keep back as much of an answer, at "
                           "most, so that a stalled one can be replaced; "
                           "\"all\": the program can wait for the whole "
                           "answer. By default nothing is kept back.",
     0, take_hold},
    UNS_SELECT_OPTIONS(AT),
};
/* clang-format on */

static const struct uns_usage usage = {
    .command = "advise",
    .operands = "[options]",
    .about = "Replays the recorded calls (the newest 4000 of those that are "
             "selected) under other settings of hedge.after_s, "
             "hedge.stall_after_s and hedge.hold_s, and recommends the "
             "cheapest that saves most of the time that can be saved within "
             "the budget.",
    .options = option_table,
    .option_count = sizeof option_table / sizeof *option_table,
};

static void tell(const struct options *options, const struct uns_advice *advice)
{
    if (options->common.json)
        uns_advise_json(advice);
    else
        uns_advise_print(advice);
}

static int advise(const struct options *options, struct uns_advise_calls *calls)
{
    struct uns_advice advice = {.calls = calls, .limits = options->limits};
    struct uns_grid *grid;

    if (calls->known < UNS_ADVISE_LEAST) {
        tell(options, &advice);
        return UNS_EXIT_OK;
    }
    grid = uns_pool_complete(&calls->pool, UNS_DELAY_LEAST, SEED)
               ? uns_grid_new(&calls->pool, SEED)
               : NULL;
    if (grid == NULL) {
        fputs("unstall advise: no memory\n", stderr);
        return UNS_EXIT_FAILED;
    }
    advice.grid = grid;
    advice.choice = uns_grid_choose(grid, &advice.limits);
    tell(options, &advice);
    uns_grid_free(grid);
    return UNS_EXIT_OK;
}

int uns_cmd_advise(int argc, char **argv)
{
    struct options options = {
        .select = UNS_SELECT_ALL, .limits = {0.1, 0}
    };
    struct uns_advise_calls calls = {0};
    int code;
    sqlite3 *db;

    if (!uns_args_options(&usage, argc, argv, &options, &code))
        return code;
    code = uns_db_open(&options.common, &db);
    if (db == NULL)
        return code;
    code = uns_db_close("advise", db,
                        uns_advise_load(db, &options.select, &calls));
    if (code == UNS_EXIT_OK)
        code = advise(&options, &calls);
    uns_pool_clear(&calls.pool);
    return code;
}
