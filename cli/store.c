/* SPDX-License-Identifier: MIT */
/* store - `unstall store WORD`: the upkeep of the database. */
#include "store.h"

#include "engine/recover.h"
#include "engine/store_delete.h"
#include "load.h"
#include "when.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define DAY_US INT64_C(86400000000)

static bool take_days(void *into, const struct uns_cli_option *option,
                      const char *value)
{
    char *end;
    long days;

    errno = 0;
    days = strtol(value, &end, 10);
    if (errno != 0 || end == value || *end != '\0' || days < 0 || days > 36500)
        return uns_args_fail("store", "--days %s: not a number of days", value),
               false;
    (void)option;
    ((struct uns_store_options *)into)->days = days;
    return true;
}

#define AT(member) offsetof(struct uns_store_options, select.member)

/* clang-format off */
static const struct uns_cli_option option_table[] = {
    {"days",   "N", "For retain: calls older than so many days go, instead of "
                    "store.retain_days.", 0, take_days},
    {"yes",    NULL, "For purge: do not ask.",
     offsetof(struct uns_store_options, yes), NULL},
    {"captures", "DIR", "For purge: delete the calls' captures in DIR, too "
                        "(run --capture).",
     offsetof(struct uns_store_options, captures), NULL},
    {"before", "WHEN", "For purge, as are all below: that began before that, "
                       "as for --until.",
     AT(until_us), uns_select_take_when},
    UNS_SELECT_OPTIONS(AT),
};
/* clang-format on */

static const struct uns_usage usage = {
    .command = "store",
    .operands = "path|check|vacuum|retain|purge [options]",
    .about =
        "path prints where the database is. check looks whether it is sound "
        "and complete; its exit code is 1 when it is not. vacuum gives the "
        "space of deleted calls back. retain deletes the calls that are older "
        "than store.retain_days, as programs do by themselves, a few at a "
        "time. purge deletes calls for good, all of them or those that the "
        "options select, and asks before.",
    .options = option_table,
    .option_count = sizeof option_table / sizeof *option_table,
};

int uns_store_fail(const char *path, enum uns_err err)
{
    fprintf(stderr, "unstall store: %s: %s\n", path,
            err == UNS_NOTFOUND ? "no calls recorded yet" : uns_err_str(err));
    return UNS_EXIT_FAILED;
}

static int print_path(const char *path, const struct uns_store_options *options)
{
    if (options->common.json)
        return uns_args_fail("store", "path has no --json");
    return puts(path) < 0 ? UNS_EXIT_FAILED : UNS_EXIT_OK;
}

static int64_t size_of(const char *path)
{
    char log[PATH_MAX];
    struct stat st;
    int64_t size = stat(path, &st) == 0 ? (int64_t)st.st_size : 0;

    snprintf(log, sizeof log, "%s-wal", path);
    return stat(log, &st) == 0 ? size + (int64_t)st.st_size : size;
}

static enum uns_err shrink(sqlite3 *db, void *arg)
{
    (void)arg;
    return uns_sql_exec(db, "VACUUM; PRAGMA wal_checkpoint(TRUNCATE)");
}

enum uns_err uns_store_shrink(const char *path)
{
    return uns_store_maintain(path, shrink, NULL, UNS_STORE_WAIT_MS);
}

static int vacuum(const char *path, const struct uns_store_options *options)
{
    int64_t before = size_of(path);
    enum uns_err err = uns_store_shrink(path);
    int64_t after = size_of(path);

    if (err != UNS_OK)
        return uns_store_fail(path, err);
    printf(options->common.json
               ? "{\"bytes_before\": %lld, \"bytes_after\": %lld}\n"
               : "%lld bytes before, %lld after\n",
           (long long)before, (long long)after);
    return UNS_EXIT_OK;
}

/* UNS_NULL: everything is kept.  False: the configuration has errors. */
static bool days_kept(const struct uns_store_options *options,
                      int64_t *ret_days)
{
    struct uns_config *config;

    *ret_days = options->days;
    if (options->days != UNS_NULL)
        return true;
    config = uns_cli_config(&options->common);
    if (config == NULL)
        return false;
    *ret_days = uns_config_store_retain_days(config);
    uns_config_free(config);
    return true;
}

static enum uns_err delete_older(const char *path, int64_t before_us,
                                 int64_t *ret_gone)
{
    struct uns_delete what = {.before_us = before_us,
                              .most = UNS_DELETE_COMMAND};
    enum uns_err err;

    *ret_gone = 0;
    do {
        what.gone = 0;
        err = uns_store_change(path, uns_delete_old, &what, UNS_STORE_WAIT_MS);
        *ret_gone += (int64_t)what.gone;
    } while (err == UNS_OK && what.gone == what.most);
    return err;
}

static int retain(const char *path, const struct uns_store_options *options)
{
    int64_t days, gone;
    struct stat st;
    enum uns_err err;

    if (!days_kept(options, &days))
        return UNS_EXIT_USAGE;
    if (days == UNS_NULL)
        return puts("store.retain_days is null: every call is kept") < 0;
    if (stat(path, &st) != 0)
        return uns_store_fail(path, UNS_NOTFOUND);
    err = delete_older(path, uns_when_now() - days * DAY_US, &gone);
    if (err != UNS_OK)
        return uns_store_fail(path, err);
    printf(options->common.json
               ? "{\"deleted\": %lld, \"days\": %lld}\n"
               : "%lld calls deleted that were older than %lld days\n",
           (long long)gone, (long long)days);
    return UNS_EXIT_OK;
}

static const struct word {
    const char *name;
    int (*run)(const char *path, const struct uns_store_options *options);
    bool days, select; /* it takes --days; --yes and what selects calls */
} words[] = {
    {"path",   print_path,      false, false},
    {"check",  uns_store_check, false, false},
    {"vacuum", vacuum,          false, false},
    {"retain", retain,          true,  false},
    {"purge",  uns_store_purge, false, true },
};

static const struct word *find(const char *name)
{
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(words[i].name, name) == 0)
            return &words[i];
    return NULL;
}

/* An option that would be ignored may be meant to keep something. */
static bool fits(const struct word *word,
                 const struct uns_store_options *options)
{
    if (options->days != UNS_NULL && !word->days)
        uns_args_fail("store", "--days is for retain");
    else if (!word->select && (options->yes || options->captures != NULL ||
                               !uns_select_is_all(&options->select)))
        uns_args_fail("store", "%s takes no such option: it is for purge",
                      word->name);
    else
        return true;
    return false;
}

int uns_cmd_store(int argc, char **argv)
{
    struct uns_store_options options = {.days = UNS_NULL,
                                        .select = UNS_SELECT_ALL};
    int code;
    int count = uns_args_parse(&usage, argc, argv, &options, &code);
    const struct word *word;
    char *path;

    if (count < 0)
        return code;
    word = count == 1 ? find(argv[1]) : NULL;
    if (word == NULL)
        return uns_args_fail("store",
                             "say path, check, vacuum, retain or purge");
    if (!fits(word, &options))
        return UNS_EXIT_USAGE;
    path = uns_cli_store_path(&options.common);
    if (path == NULL)
        return UNS_EXIT_USAGE;
    if (word->run != print_path)
        (void)uns_recover(path, UNS_RECOVER_COMMAND);
    code = word->run(path, &options);
    free(path);
    return code;
}
