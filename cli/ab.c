/* SPDX-License-Identifier: MIT */
/* ab - `unstall ab`: the arms of an experiment side by side. */
#include "ab.h"

#include "db.h"
#include "doubts.h"
#include "load.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Any will do, but always the same. */
#define SEED 1

/* Of the units in the treatment, where it is not known. */
#define SHARE 0.5

struct options {
    struct uns_common common;
    struct uns_select select;
    double share; /* 0: as configured */
};

static bool take_share(void *into, const struct uns_cli_option *option,
                       const char *value)
{
    char *end;
    double share = strtod(value, &end);

    (void)option;
    if (end == value || *end != '\0' || !(share > 0 && share < 1))
        return uns_args_fail("ab", "--share %s: not between 0 and 1", value),
               false;
    ((struct options *)into)->share = share;
    return true;
}

#define AT(member) offsetof(struct options, select.member)

/* clang-format off */
static const struct uns_cli_option option_table[] = {
    {"share",   "SHARE", "Of the units, that was to be in the treatment; to "
                         "see whether it was. Else as configured, or 0.5.",
     0, take_share},
    UNS_SELECT_PLACE_OPTIONS(AT),
};
/* clang-format on */

static const struct uns_usage usage = {
    .command = "ab",
    .operands = "[options] [EXPERIMENT]",
    .about = "Compares the arms of an experiment, of the newest one unless "
             "one is named. One number decides, and was chosen before: the "
             "95th percentile of the time to the first token. The others are "
             "exploratory: one of them will differ by chance now and then.",
    .options = option_table,
    .option_count = sizeof option_table / sizeof *option_table,
};

/* Its name (malloc'd).  NULL: there is none, or no memory. */
static char *newest(sqlite3 *db)
{
    sqlite3_stmt *stmt = NULL;
    char *name = NULL;

    if (sqlite3_prepare_v2(db,
                           "SELECT experiment FROM calls WHERE arm IS NOT NULL"
                           " ORDER BY started_at DESC LIMIT 1",
                           -1, &stmt, NULL) == SQLITE_OK &&
        sqlite3_step(stmt) == SQLITE_ROW && sqlite3_column_text(stmt, 0))
        name = strdup((const char *)sqlite3_column_text(stmt, 0));
    sqlite3_finalize(stmt);
    return name;
}

static int nothing(const struct options *options, const char *experiment)
{
    if (options->common.json)
        puts("{}");
    else if (experiment != NULL)
        printf("no such calls of an experiment '%s'\n", experiment);
    else
        puts("no call was part of an experiment;\n"
             "experiment.name begins one (docs/experiments.md)");
    return UNS_EXIT_OK;
}

/* As it is configured now, if it still is that one.  NULL: it is not. */
static const struct uns_experiment *configured(const struct uns_config *config,
                                               const char *experiment)
{
    const struct uns_experiment *now =
        config ? uns_config_experiment(config) : NULL;

    return now && now->name && strcmp(now->name, experiment) == 0 ? now : NULL;
}

static void doubt_keys(struct uns_findings *findings)
{
    struct uns_finding *row =
        uns_findings_add(findings, UNS_LEVEL_WARN, "unit");

    uns_findings_say(&row->found,
                     "keys are drawn (experiment.unit), and not recorded");
    uns_findings_say(&row->means,
                     "Calls of one key may be more alike than those of a "
                     "process: the interval may be too narrow.");
}

static void doubt(const struct options *options, const struct uns_trial *trial,
                  struct uns_findings *findings)
{
    struct uns_config *config = uns_cli_config(&options->common);
    const struct uns_experiment *now = configured(config, trial->experiment);
    double share = now ? now->treatment : SHARE;

    uns_doubts_find(trial, options->share > 0 ? options->share : share,
                    findings);
    if (now && now->unit == UNS_UNIT_KEY)
        doubt_keys(findings);
    uns_config_free(config);
}

static int tell(const struct options *options, const struct uns_trial *trial)
{
    struct uns_comparison comparison;
    struct uns_findings *findings = calloc(1, sizeof *findings);
    struct uns_ab_report report = {trial, &comparison, findings};

    if (findings == NULL || !uns_trial_compare(trial, SEED, &comparison)) {
        free(findings);
        fputs("unstall ab: no memory\n", stderr);
        return UNS_EXIT_FAILED;
    }
    uns_ab_say(&comparison, &findings->sentence);
    doubt(options, trial, findings);
    if (options->common.json)
        uns_ab_json(&report);
    else
        uns_ab_print(&report);
    uns_findings_clear(findings);
    free(findings);
    return UNS_EXIT_OK;
}

static int compare(sqlite3 *db, const struct options *options,
                   const char *experiment)
{
    struct uns_trial trial = {0};
    int rc = uns_ab_load(db, &options->select, experiment, &trial);
    int code = UNS_EXIT_OK;

    if (rc != SQLITE_DONE) {
        fprintf(stderr, "unstall ab: the database cannot be read: %s\n",
                rc == SQLITE_NOMEM ? "no memory" : sqlite3_errmsg(db));
        code = UNS_EXIT_FAILED;
    } else if (trial.count == 0) {
        code = nothing(options, experiment);
    } else {
        code = tell(options, &trial);
    }
    uns_trial_clear(&trial);
    return code;
}

int uns_cmd_ab(int argc, char **argv)
{
    struct options options = {.select = UNS_SELECT_ALL, .share = 0};
    int code = UNS_EXIT_OK;
    int count = uns_args_parse(&usage, argc, argv, &options, &code);
    char *experiment;
    sqlite3 *db;

    if (count < 0)
        return code;
    if (count > 1)
        return uns_args_fail("ab", "one experiment at a time, not '%s' too",
                             argv[2]);
    code = uns_db_open(&options.common, &db);
    if (db == NULL)
        return code;
    experiment = count == 1 ? strdup(argv[1]) : newest(db);
    code = experiment ? compare(db, &options, experiment)
                      : nothing(&options, NULL);
    free(experiment);
    sqlite3_close(db);
    return code;
}
