/* SPDX-License-Identifier: MIT */
#ifndef UNS_CLI_RUN_H
#define UNS_CLI_RUN_H

/* run - the parts of `unstall run` that `unstall plan` has, too. */

#include "cli.h"

#include "core/config.h"

#include <cjson/cJSON.h>
#include <limits.h>

/* Put libunstall.so into LD_PRELOAD, after what is there.  False: it cannot
 * be, and why has been told. */
bool uns_run_preload(void);

/* Where libunstall.so is, without links.  False: nowhere. */
bool uns_run_preload_find(char ret_path[PATH_MAX]);

/* The variable by which the preload is told of faults. */
#define UNS_RUN_INJECT "UNSTALL_INJECT"

/* Is that a list of faults?  False: it is not, and what is wrong is told. */
bool uns_run_inject_check(const char *faults);

/* What the environment says of faults, if anything: refuse what is wrong, else
 * say it, unless `quiet`.  Nobody shall be surprised. */
bool uns_run_inject_announce(bool quiet);

/* The variable by which the preload is told where answers are kept. */
#define UNS_RUN_CAPTURE "UNSTALL_CAPTURE"

/* Make the directory if it is missing; `ret_path`: without links, since the
 * program may go elsewhere.  False: it cannot be, and why has been told. */
bool uns_run_capture_make(const char *dir, char ret_path[PATH_MAX]);

/* Say it, if answers are kept. */
void uns_run_capture_announce(void);

struct uns_config;
struct uns_run;

/* What the user would not expect of these settings, and where prompts may go:
 * on stderr, a line each. */
void uns_run_notes(const struct uns_run *run, const struct uns_config *config);

#define UNS_RUN_LABELS 64

/* What the options asked for; it goes to the program as UNSTALL__ variables,
 * and messages about these name the option. */
struct uns_run {
    struct uns_common common;
    bool unsent; /* nothing will be sent: no need to say where to */
    bool observe, quiet;
    const char *program; /* as it was named */
    bool hedge;          /* an option implies it */
    bool mode;           /* --set mode= was given */
    cJSON *backups;      /* {"backup": {"base_url": ...}, ...} */
    struct uns_pair label[UNS_RUN_LABELS];
    size_t labels;
};

extern const struct uns_usage uns_run_usage;

/* Parse and check everything, and put it into the environment.  Returns how
 * many words the program's command line has, from argv[1] on; 0 or less: the
 * command ends here with *ret_exit. */
int uns_run_prepare(const struct uns_usage *usage, struct uns_run *run,
                    int argc, char **argv, int *ret_exit);

/* Become the program.  Returns an exit code when that is not possible, and
 * has told why. */
int uns_run_become(char **argv);

/* After parsing: what the options mean together, into the environment.
 * False: they contradict each other; told. */
bool uns_run_settle(struct uns_run *run);

/* A call may ask every --backup, when nobody has said how many requests it
 * may send: `config` is what holds without that.  *ret_more: a setting was
 * added.  False: it could not be; told. */
bool uns_run_make_room(struct uns_run *run, const struct uns_config *config,
                       bool *ret_more);

#endif
