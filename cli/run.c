/* SPDX-License-Identifier: MIT */
/*
 * run - `unstall run`: checks everything first, then becomes the program.  A
 * mistake starts nothing; once the program runs there is nothing of ours left
 * in front of it, so its exit code and signals are its own.
 */
#include "run.h"

#include "doctor.h"
#include "engine/config.h"
#include "engine/key.h"
#include "load.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define EXIT_CANNOT    126
#define EXIT_NOT_FOUND 127

/* Without its key a source is never asked. */
static bool has_key(const struct uns_source *source)
{
    char line[UNS_KEY_BYTES];
    enum uns_err err = uns_key_header(source, UNS_DIALECT_CHAT, line);

    uns_key_wipe(line);
    return err == UNS_OK;
}

static void warn_of_finding(const struct uns_finding *row)
{
    if (row->level < UNS_LEVEL_WARN)
        return;
    fprintf(stderr, "unstall: warning: the database: %s", row->found);
    if (row->means != NULL)
        fprintf(stderr, ". %s", row->means);
    if (row->todo != NULL)
        fprintf(stderr, " %s", row->todo);
    fputc('\n', stderr);
}

/* The budget of extra requests lies in the database. */
static void warn_of_store(const struct uns_config *config)
{
    static struct uns_doctor doctor = {.brief = true};
    const struct uns_findings *findings = &doctor.findings;

    if (!uns_config_store_path(config)) {
        fputs("unstall: warning: there is no place for the database (HOME is "
              "not set): nothing is hedged or recorded; name one with --db\n",
              stderr);
        return;
    }
    uns_doctor_store(&doctor, uns_config_store_path(config));
    for (size_t i = 0; i < findings->count; i++)
        warn_of_finding(&findings->list[i]);
    uns_findings_clear(&doctor.findings);
}

static void hint_at_time(const struct uns_run *run,
                         const struct uns_config *config)
{
    if (run->backups != NULL && !uns_config_hedges_by_time(config))
        fputs("unstall: note: a backup alone is asked only after a failure: "
              "add --after S against slow beginnings, --stall-after S against "
              "stalls\n",
              stderr);
}

/* Prompts may go to another company: say so before they do. */
static void announce(const struct uns_config *config)
{
    size_t count;
    const struct uns_source *source = uns_config_sources(config, &count);

    for (size_t i = 0; i < count; i++) {
        struct uns_url url;
        const char *base = source[i].base_url;
        int len;

        if (base == NULL || !uns_config_uses(config, &source[i]) ||
            !has_key(&source[i]) || !uns_url_split(base, strlen(base), &url))
            continue;
        len = (int)(url.path.data - base);
        fprintf(stderr, "unstall: calls may also be sent to %.*s (source %s)\n",
                len, base, source[i].name);
    }
}

/* What the preload has to know before it opens the engine. */
static bool set_match(const struct uns_config *config)
{
    const char *before = getenv("UNSTALL_MATCH");
    char *match = uns_config_match(config);
    char *both = NULL;
    bool good = match != NULL;

    if (good && *match != '\0') {
        good = asprintf(&both, "%s%s%s", match, before ? " " : "",
                        before ? before : "") >= 0;
        good = good && setenv("UNSTALL_MATCH", both, 1) == 0;
        if (both != NULL)
            free(both);
    }
    free(match);
    return good;
}

/* The program may change its directory. */
static bool set_config_path(const char *path)
{
    char *absolute;
    bool good;

    if (path == NULL)
        return true;
    absolute = realpath(path, NULL);
    if (absolute == NULL)
        fprintf(stderr,
                "unstall: %s: the program has to read it again, and a pipe can "
                "be read once: use a file\n",
                path);
    good = absolute != NULL && setenv("UNSTALL_CONFIG", absolute, 1) == 0;
    free(absolute);
    return good;
}

static struct uns_config *load(const struct uns_run *run)
{
    struct uns_config_where where = {.path = run->common.config,
                                     .environment = environ,
                                     .labels = run->label,
                                     .label_count = run->labels};
    struct uns_messages messages = {0};
    struct uns_config *config = NULL;

    if (uns_config_load(&where, &messages, &config) == UNS_NOMEM)
        fputs("unstall: out of memory\n", stderr);
    uns_cli_messages(&messages, !run->quiet);
    uns_messages_clear(&messages);
    return config;
}

/* Everything that can be wrong.  False: it is, and told. */
static bool prepare(struct uns_run *run)
{
    struct uns_config *config;
    bool good;

    if (!uns_run_settle(run) || !uns_run_inject_announce(run->quiet))
        return false;
    config = load(run);
    if (config == NULL)
        return false;
    good = set_match(config) && set_config_path(run->common.config) &&
           uns_run_preload();
    if (good && !run->quiet) {
        uns_run_capture_announce();
        warn_of_store(config);
        hint_at_time(run, config);
        if (!run->unsent)
            announce(config);
    }
    uns_config_free(config);
    return good;
}

int uns_run_become(char **argv)
{
    int code;

    execvp(argv[0], argv);
    code = errno == ENOENT ? EXIT_NOT_FOUND : EXIT_CANNOT;
    if (code == EXIT_NOT_FOUND)
        fprintf(stderr, "unstall: %s: not found\n", argv[0]);
    else
        fprintf(stderr, "unstall: %s cannot be run: %s\n", argv[0],
                strerror(errno));
    return code;
}

int uns_run_prepare(const struct uns_usage *usage, struct uns_run *run,
                    int argc, char **argv, int *ret_exit)
{
    int count = uns_args_parse(usage, argc, argv, run, ret_exit);
    if (count == 0)
        *ret_exit = uns_args_fail(usage->command, "which program?");
    if (count <= 0)
        return -1;
    if (!prepare(run)) {
        *ret_exit = UNS_EXIT_USAGE;
        return -1;
    }
    fflush(NULL);
    return count;
}

int uns_cmd_run(int argc, char **argv)
{
    struct uns_run run = {0};
    int code;

    if (uns_run_prepare(&uns_run_usage, &run, argc, argv, &code) <= 0)
        return code;
    return uns_run_become(argv + 1);
}
