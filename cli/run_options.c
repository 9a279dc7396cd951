/* SPDX-License-Identifier: MIT */
/*
 * run_options - the options of `unstall run`.  All of them are short words for
 * settings: they become variables of the environment, which the program that
 * is run, and its children, read through the preload.
 */
#include "run.h"

#include "engine/config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define KEY_MAX 160

/* Options that are one setting each. */
static const struct {
    const char *option, *key;
    bool hedges;
} words[] = {
    {"after",         "hedge.after_s",          true },
    {"stall-after",   "hedge.stall_after_s",    true },
    {"hold",          "hedge.hold_s",           true },
    {"resume",        "hedge.resume",           false},
    {"ttft-timeout",  "stream.ttft_timeout_s",  false},
    {"stall-timeout", "stream.stall_timeout_s", false},
};

/* "hedge.after_s" to "UNSTALL__HEDGE__AFTER_S". */
static bool name_variable(const char *key, size_t len, char out[KEY_MAX])
{
    size_t used = (size_t)snprintf(out, KEY_MAX, "UNSTALL__");

    for (size_t i = 0; i < len && used + 3 < KEY_MAX; i++) {
        char c = key[i];

        if (c == '.') {
            out[used++] = '_';
            out[used++] = '_';
        } else if (c >= 'a' && c <= 'z') {
            out[used++] = (char)(c - 'a' + 'A');
        } else if ((c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                   c == '_' || c == '-') {
            out[used++] = c;
        } else {
            return false;
        }
    }
    out[used] = '\0';
    return len > 0 && len < KEY_MAX / 2;
}

/* `label` lives as long as the process. */
static bool set(struct uns_run *run, const char *variable, const char *value,
                const char *label)
{
    char *name = strdup(variable);

    if (name == NULL || label == NULL || setenv(name, value, 1) != 0) {
        free(name);
        return uns_args_fail(run->common.command, "out of memory"), false;
    }
    if (run->labels == UNS_RUN_LABELS) {
        free(name);
        return uns_args_fail(run->common.command, "too many options"), false;
    }
    run->label[run->labels++] = (struct uns_pair){name, label};
    return true;
}

static char *option_label(const char *name)
{
    char *label = NULL;

    return asprintf(&label, "--%s", name) < 0 ? NULL : label;
}

static bool set_key(struct uns_run *run, const char *key, const char *option,
                    const char *value)
{
    char variable[KEY_MAX];

    if (!name_variable(key, strlen(key), variable))
        return false;
    return set(run, variable, value, option_label(option));
}

static bool take_word(void *into, const struct uns_cli_option *option,
                      const char *value)
{
    struct uns_run *run = into;

    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strcmp(words[i].option, option->name) != 0)
            continue;
        run->hedge |= words[i].hedges;
        return set_key(run, words[i].key, option->name, value);
    }
    return false;
}

static bool take_set(void *into, const struct uns_cli_option *option,
                     const char *value)
{
    struct uns_run *run = into;
    size_t len = strcspn(value, "=");
    char variable[KEY_MAX];
    char *label = NULL;

    if (value[len] == '\0' || !name_variable(value, len, variable))
        return uns_args_fail(run->common.command,
                             "--%s needs KEY=VALUE, like "
                             "hedge.max_attempts=3",
                             option->name),
               false;
    if (asprintf(&label, "--set %.*s", (int)len, value) < 0)
        label = NULL;
    run->mode |= strcmp(variable, "UNSTALL__MODE") == 0;
    return set(run, variable, value + len + 1, label);
}

static bool take_backup(void *into, const struct uns_cli_option *option,
                        const char *value)
{
    struct uns_run *run = into;
    int count = cJSON_GetArraySize(run->backups) + 1;
    char name[24] = "backup";
    cJSON *source;

    (void)option;
    if (run->backups == NULL)
        run->backups = cJSON_CreateObject();
    if (count > 1)
        snprintf(name, sizeof name, "backup%d", count);
    source = cJSON_AddObjectToObject(run->backups, name);
    if (cJSON_AddStringToObject(source, "base_url", value) == NULL)
        return uns_args_fail(run->common.command, "out of memory"), false;
    run->hedge = true;
    return true;
}

/* A key is easily given in the place of its variable: it is not repeated. */
static bool is_variable(const char *name)
{
    static const char bytes[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ_"
                                "abcdefghijklmnopqrstuvwxyz0123456789";

    return *name != '\0' && name[strspn(name, bytes)] == '\0';
}

/* The backup that was named last; NULL: told that there is none. */
static cJSON *last_backup(struct uns_run *run, const char *option)
{
    int count = cJSON_GetArraySize(run->backups);

    if (count == 0)
        uns_args_fail(run->common.command, "--%s belongs after a --backup URL",
                      option);
    return count ? cJSON_GetArrayItem(run->backups, count - 1) : NULL;
}

static bool take_backup_key(void *into, const struct uns_cli_option *option,
                            const char *value)
{
    struct uns_run *run = into;
    cJSON *source = last_backup(run, option->name);

    if (source != NULL && !is_variable(value))
        return uns_args_fail(run->common.command,
                             "--%s takes the name of a variable, and this is "
                             "none: put the key into one, and name that",
                             option->name),
               false;
    return source != NULL &&
           cJSON_AddStringToObject(source, "api_key_env", value) != NULL;
}

static bool take_backup_model(void *into, const struct uns_cli_option *option,
                              const char *value)
{
    cJSON *source = last_backup(into, option->name);
    cJSON *models = source ? cJSON_AddObjectToObject(source, "models") : NULL;

    return cJSON_AddStringToObject(models, "*", value) != NULL;
}

static bool take_inject(void *into, const struct uns_cli_option *option,
                        const char *value)
{
    struct uns_run *run = into;

    return uns_run_inject_check(value) &&
           set(run, UNS_RUN_INJECT, value, option_label(option->name));
}

static bool take_capture(void *into, const struct uns_cli_option *option,
                         const char *value)
{
    struct uns_run *run = into;
    char path[PATH_MAX];

    return uns_run_capture_make(value, path) &&
           set(run, UNS_RUN_CAPTURE, path, option_label(option->name));
}

static const struct uns_cli_option options[] = {
  /* clang-format off */
    {"observe", NULL, "Measure only: every call goes its own way.",
     offsetof(struct uns_run, observe), NULL},
    {"after", "S", "Start a rival when there is no content after S seconds; 0 "
     "starts it with the call.", 0, take_word},
    {"stall-after", "S", "Start a rival when the stream has been silent for S "
     "seconds: while its content is held (--hold), or if another can go on "
     "with it (temperature 0, a seed or prefill; docs/resume.md). 'unstall "
     "plan' tells.", 0, take_word},
    {"hold", "S", "Keep the beginning of an answer back for S seconds, or "
     "\"all\" of it, so that it can be replaced.", 0, take_word},
    {"backup", "URL", "Another endpoint to ask, like "
     "https://openrouter.ai/api/v1; repeatable. Without one, rivals ask the "
     "program's own endpoint again.", 0, take_backup},
    {"backup-key-env", "VAR", "The variable that holds the key for the "
     "--backup before it.", 0, take_backup_key},
    {"backup-model", "NAME", "The model to ask for at the --backup before it.",
     0, take_backup_model},
    {"resume", "HOW", "What to do about a stall after the program has text: "
     "off, verify, prefill or auto (docs/resume.md).", 0, take_word},
    {"ttft-timeout", "S", "Give an attempt up when it has no content after S "
     "seconds.", 0, take_word},
    {"stall-timeout", "S", "Give an attempt up when its stream has been silent "
     "for S seconds.", 0, take_word},
    {"set", "KEY=VALUE", "Any setting of 'unstall config show', for this run; "
     "repeatable.", 0, take_set},
    {"inject", "FAULT", "Play a fault on the program's own requests, to see "
     "what it does: late=S, stall@K=S, cut@K, status=C, drip=S, with commas "
     "between several; docs/inject.md.", 0, take_inject},
    {"capture", "DIR", "Keep every answer there with its timing, for a bug "
     "report: its text, but no request; docs/capture.md.", 0, take_capture},
    {"quiet", NULL, "Say nothing of warnings and of where calls may go.",
     offsetof(struct uns_run, quiet), NULL},
  /* clang-format on */
};

const struct uns_usage uns_run_usage = {
    .command = "run",
    .example =
        "unstall run --after 3 --backup https://openrouter.ai/api/v1 \\\n"
        "      --backup-key-env OPENROUTER_API_KEY -- php ask.php",
    .operands = "[options] -- PROGRAM [ARGUMENT...]",
    .about = "Runs PROGRAM with unstall in front of its libcurl: calls to LLM "
             "endpoints are measured, and raced when --after, --stall-after, "
             "--hold or --backup ask for it. The exit code is the program's; "
             "127: it was not found; 126: it cannot be run; 2: a mistake in "
             "the options or the configuration, and nothing was started. "
             "UNSTALL_LOG=FILE in the environment tells what is done; "
             "docs/config.md has the other variables.",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .program = true,
};

/* Add the backups to what UNSTALL__SOURCES says already, and name them. */
static bool settle_backups(struct uns_run *run)
{
    const char *before = getenv("UNSTALL__SOURCES");
    cJSON *all = before ? cJSON_Parse(before) : NULL;
    cJSON *names = cJSON_CreateArray();
    cJSON *source;
    char *list = NULL;
    char *text = NULL;
    bool good = false;

    if (!cJSON_IsObject(all)) {
        cJSON_Delete(all);
        all = cJSON_CreateObject();
    }
    cJSON_ArrayForEach(source, run->backups)
    {
        cJSON_AddItemToArray(names, cJSON_CreateString(source->string));
        cJSON_DeleteItemFromObjectCaseSensitive(all, source->string);
        cJSON_AddItemToObject(all, source->string,
                              cJSON_Duplicate(source, true));
    }
    text = cJSON_PrintUnformatted(all);
    list = cJSON_PrintUnformatted(names);
    if (text != NULL && list != NULL)
        good = set(run, "UNSTALL__SOURCES", text, option_label("backup")) &&
               set_key(run, "hedge.sources", "backup", list);
    free(text);
    free(list);
    cJSON_Delete(all);
    cJSON_Delete(names);
    return good;
}

/* The program may be in another directory when it writes. */
static bool settle_db(struct uns_run *run)
{
    char *here = *run->common.db == '/' ? NULL : get_current_dir_name();
    char *path = NULL;
    bool good = asprintf(&path, "%s%s%s", here ? here : "", here ? "/" : "",
                         run->common.db) >= 0;

    good = good && set_key(run, "store.path", "db", path);
    free(here);
    free(path);
    return good;
}

bool uns_run_settle(struct uns_run *run)
{
    if (run->observe && (run->hedge || run->mode))
        return uns_args_fail(run->common.command,
                             "--observe and options that hedge "
                             "contradict each other: leave one out"),
               false;
    if (run->backups != NULL && !settle_backups(run))
        return false;
    if (run->common.db != NULL && !settle_db(run))
        return false;
    if (run->observe)
        return set_key(run, "mode", "observe", "observe");
    return !run->hedge || run->mode || set_key(run, "mode", "after", "hedge");
}

bool uns_run_make_room(struct uns_run *run, const struct uns_config *config,
                       bool *ret_more)
{
    int needed = cJSON_GetArraySize(run->backups) + 1;
    char most[12];

    *ret_more = needed > uns_config_top(config)->hedge.max_attempts &&
                !uns_config_said(config, "hedge.max_attempts");
    if (!*ret_more)
        return true;
    if (needed > UNS_RACE_ATTEMPTS)
        needed = UNS_RACE_ATTEMPTS;
    snprintf(most, sizeof most, "%d", needed);
    return set_key(run, "hedge.max_attempts", "backup", most);
}
