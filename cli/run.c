/* SPDX-License-Identifier: MIT */
/*
 * run - `unstall run`: checks everything first, then becomes the program.  A
 * mistake starts nothing; once the program runs there is nothing of ours left
 * in front of it, so its exit code and signals are its own.
 */
#include "run.h"

#include "engine/config.h"
#include "load.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define EXIT_CANNOT    126
#define EXIT_NOT_FOUND 127

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

static struct uns_config *load_once(const struct uns_run *run,
                                    struct uns_messages *messages)
{
    struct uns_config_where where = {.path = run->common.config,
                                     .environment = environ,
                                     .labels = run->label,
                                     .label_count = run->labels};
    struct uns_config *config = NULL;

    uns_messages_clear(messages);
    if (uns_config_load(&where, messages, &config) == UNS_NOMEM)
        fputs("unstall: out of memory\n", stderr);
    return config;
}

/* Again, if the backups need a setting that nobody has made. */
static struct uns_config *load(struct uns_run *run)
{
    struct uns_messages messages = {0};
    struct uns_config *config = load_once(run, &messages);
    bool more = false;
    bool good = config == NULL || uns_run_make_room(run, config, &more);

    if (!good || more) {
        uns_config_free(config);
        config = good ? load_once(run, &messages) : NULL;
    }
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
        uns_run_notes(run, config);
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
    run->program = argv[1];
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
