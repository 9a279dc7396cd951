/* SPDX-License-Identifier: MIT */
/* doctor_setup - is this installation sound, and are this user's settings?
 * Keys are looked at as the engine does, and forgotten. */
#include "doctor.h"

#include "engine/budget.h"
#include "engine/config.h"
#include "engine/key.h"
#include "ldcache.h"
#include "shim/abi.h"

#include <cjson/cJSON.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ENGINE "libunstall-engine.so"

static void add_version(struct uns_doctor *doctor)
{
    struct uns_finding *row =
        uns_findings_add(&doctor->findings, UNS_LEVEL_NOTE, "unstall");

    uns_findings_say(&row->found, "version " UNS_VERSION);
}

static void add_preload(struct uns_doctor *doctor)
{
    struct uns_finding *row;

    if (doctor->preload.file.len > 0) {
        row = uns_findings_add(&doctor->findings, UNS_LEVEL_GOOD, "preload");
        uns_findings_say(&row->found, "%s", doctor->preload_path);
        return;
    }
    row = uns_findings_add(&doctor->findings, UNS_LEVEL_BAD, "preload");
    uns_findings_say(&row->found, "libunstall.so is neither beside this "
                                  "program nor in ../lib/unstall");
    uns_findings_say(&row->means, "'unstall run' starts nothing.");
    uns_findings_say(&row->todo, "Build it (make), or install it "
                                 "(make install).");
}

/* NULL: the engine can be opened; else what the loader says. */
static const char *try_engine(const char *path)
{
    void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    const char *wrong = NULL;

    if (handle == NULL)
        return dlerror();
    if (dlsym(handle, UNS_ENGINE_ENTRY) == NULL)
        wrong = "it is no engine of unstall";
    (void)dlclose(handle);
    return wrong;
}

static void add_engine(struct uns_doctor *doctor)
{
    char path[PATH_MAX + sizeof ENGINE];
    const char *wrong;
    struct uns_finding *row;

    if (doctor->preload.file.len == 0)
        return;
    snprintf(path, sizeof path, "%.*s" ENGINE,
             (int)(uns_image_base(doctor->preload_path) - doctor->preload_path),
             doctor->preload_path);
    wrong = try_engine(path);
    row = uns_findings_add(&doctor->findings,
                           wrong ? UNS_LEVEL_BAD : UNS_LEVEL_GOOD, "engine");
    uns_findings_say(&row->found, "%s", wrong ? wrong : path);
    if (wrong == NULL)
        return;
    uns_findings_say(&row->means, "Calls go on unhedged and unrecorded.");
    uns_findings_say(&row->todo, "Build or install it again; a library that "
                                 "it needs may be missing (libcjson1).");
}

/* One item of LD_PRELOAD. */
static void add_preloaded(struct uns_doctor *doctor, const char *path)
{
    bool ours = strcmp(uns_image_base(path), "libunstall.so") == 0;
    bool there = strchr(path, '/') == NULL || access(path, R_OK) == 0;
    struct uns_finding *row =
        uns_findings_add(&doctor->findings,
                         there ? UNS_LEVEL_NOTE : UNS_LEVEL_WARN, "LD_PRELOAD");

    uns_findings_say(&row->found, "%s", path);
    if (there && ours)
        uns_findings_say(&row->means, "Every program that you start here has "
                                      "the preload.");
    if (there)
        return;
    uns_findings_say(&row->found, "%s: no such file", path);
    uns_findings_say(&row->means, "Every program that you start complains "
                                  "about it.");
    uns_findings_say(&row->todo, "Take it out of LD_PRELOAD.");
}

static void add_environment(struct uns_doctor *doctor)
{
    static const char *const switches[] = {"UNSTALL", "UNSTALL_ONLY",
                                           "UNSTALL_EXCEPT"};
    const char *list = uns_doctor_getenv(doctor, "LD_PRELOAD");
    char *copy = list ? strdup(list) : NULL;
    char *rest = copy;
    struct uns_finding *row;

    if (copy == NULL || *copy == '\0') {
        row = uns_findings_add(&doctor->findings, UNS_LEVEL_NOTE, "LD_PRELOAD");
        uns_findings_say(&row->found, "not set: 'unstall run' sets it for the "
                                      "program that it starts");
    }
    for (char *item; (item = strsep(&rest, ": ")) != NULL;)
        if (*item != '\0')
            add_preloaded(doctor, item);
    free(copy);
    for (size_t i = 0; i < sizeof switches / sizeof *switches; i++) {
        const char *value = uns_doctor_getenv(doctor, switches[i]);
        bool off = i == 0 && value != NULL && strcmp(value, "off") == 0;

        if (value == NULL)
            continue;
        row = uns_findings_add(&doctor->findings,
                               off ? UNS_LEVEL_BAD : UNS_LEVEL_NOTE, "switch");
        uns_findings_say(&row->found, "%s=%s", switches[i], value);
        if (off)
            uns_findings_say(&row->todo, "Unset it: it switches everything "
                                         "off.");
    }
}

/* What follows from all of them is said once, after the last. */
static void add_messages(struct uns_doctor *doctor,
                         const struct uns_messages *messages)
{
    struct uns_finding *last = NULL;

    for (size_t i = 0; i < messages->count; i++) {
        const struct uns_message *message = &messages->list[i];
        struct uns_finding *row = uns_findings_add(
            &doctor->findings, message->error ? UNS_LEVEL_BAD : UNS_LEVEL_WARN,
            "settings");

        uns_findings_say(&row->found, "%s", message->text);
        if (message->error)
            last = row;
    }
    if (last != NULL)
        uns_findings_say(&last->means, "Until then calls go on unhedged and "
                                       "unrecorded.");
}

/* What holds, as `unstall config show` has it. */
static void add_mode(struct uns_doctor *doctor, const struct uns_config *config)
{
    char *text = uns_config_dump(config);
    cJSON *list = text ? cJSON_Parse(text) : NULL;
    const cJSON *row;
    struct uns_finding *finding;

    cJSON_ArrayForEach(row, list)
    {
        const char *key =
            cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(row, "key"));
        const char *mode = cJSON_GetStringValue(
            cJSON_GetObjectItemCaseSensitive(row, "value"));
        const char *origin = cJSON_GetStringValue(
            cJSON_GetObjectItemCaseSensitive(row, "origin"));

        if (key == NULL || strcmp(key, "mode") != 0 || mode == NULL)
            continue;
        finding = uns_findings_add(&doctor->findings, UNS_LEVEL_GOOD, "mode");
        uns_findings_say(&finding->found, "%s (%s)", mode,
                         origin ? origin : "default");
        if (strcmp(mode, "observe") == 0)
            uns_findings_say(&finding->means,
                             "Calls are recorded, and none is sent twice; "
                             "options of 'unstall run' say otherwise.");
    }
    cJSON_Delete(list);
    free(text);
}

static const struct {
    enum uns_level level;
    const char *found, *todo;
} keys[UNS_ERR_COUNT] = {
  /* clang-format off */
    [UNS_OK] =
        {UNS_LEVEL_GOOD, "its key is there", NULL},
    [UNS_NOTFOUND] =
        {UNS_LEVEL_WARN, "its key is missing or empty",
         "Set the variable, or fill the file, that the source names."},
    [UNS_UNSUPPORTED] =
        {UNS_LEVEL_BAD, "its key file is not private to you",
         "Own it, and chmod 600."},
    [UNS_TOOBIG] =
        {UNS_LEVEL_BAD, "its key is too long", NULL},
    [UNS_SYNTAX] =
        {UNS_LEVEL_BAD, "its key has control characters in it",
         "Keep nothing but the key there."},
  /* clang-format on */
};

static void add_source(struct uns_doctor *doctor,
                       const struct uns_source *source)
{
    char line[UNS_KEY_BYTES];
    enum uns_err err = uns_key_header(source, UNS_DIALECT_CHAT, line);
    bool none = err == UNS_OK && *line == '\0';
    bool known = keys[err].found != NULL;
    struct uns_finding *row;

    uns_key_wipe(line);
    row = uns_findings_add(&doctor->findings,
                           known ? keys[err].level : UNS_LEVEL_BAD, "source");
    uns_findings_say(&row->found, "%s (%s): %s", source->name, source->base_url,
                     none    ? "wants no key"
                     : known ? keys[err].found
                             : uns_err_str(err));
    if (known && keys[err].level >= UNS_LEVEL_WARN)
        uns_findings_say(&row->means, "It is passed over.");
    if (known && keys[err].todo != NULL)
        uns_findings_say(&row->todo, "%s", keys[err].todo);
}

/* What is left is of the calls that no route matches; routes have buckets of
 * their own. */
static void add_budget(struct uns_doctor *doctor,
                       const struct uns_policy *policy, const char *path)
{
    struct uns_finding *row;
    double left = 0;

    if (path == NULL || doctor->unpaid || !uns_budget_look(path, policy, &left))
        return;
    row =
        uns_findings_add(&doctor->findings,
                         left < 1 ? UNS_LEVEL_WARN : UNS_LEVEL_NOTE, "budget");
    uns_findings_say(&row->found, "%g extra request%s left", left,
                     left == 1 ? "" : "s");
    if (left >= 1)
        return;
    uns_findings_say(&row->means,
                     "No rival is sent: each finished call adds %g of one "
                     "(hedge.budget.ratio).",
                     policy->hedge.budget_ratio);
    uns_findings_say(&row->todo, "Only to try something out: unstall run "
                                 "--set hedge.budget.burst=1000");
}

/* Without settings that hold there is nothing to say about what they name. */
static void add_settings(struct uns_doctor *doctor)
{
    struct uns_config_where where = {.path = doctor->common.config,
                                     .environment = doctor->environment};
    struct uns_messages messages = {0};
    struct uns_config *config = NULL;
    enum uns_err err = uns_config_load(&where, &messages, &config);
    const struct uns_source *sources;
    const char *path;
    size_t count = 0;

    add_messages(doctor, &messages);
    uns_messages_clear(&messages);
    if (err != UNS_OK)
        return;
    add_mode(doctor, config);
    sources = uns_config_sources(config, &count);
    for (size_t i = 0; i < count; i++)
        if (sources[i].base_url != NULL)
            add_source(doctor, &sources[i]);
    path =
        doctor->common.db ? doctor->common.db : uns_config_store_path(config);
    uns_doctor_store(doctor, path);
    add_budget(doctor, uns_config_top(config), path);
    uns_config_free(config);
}

static bool is_listed(const struct uns_findings *findings, const char *path)
{
    size_t len = strlen(path);

    for (size_t i = 0; i < findings->count; i++)
        if (findings->list[i].found != NULL &&
            strncmp(findings->list[i].found, path, len) == 0 &&
            findings->list[i].found[len] == ':')
            return true;
    return false;
}

static void add_libcurl(struct uns_doctor *doctor, const char *path)
{
    char real[PATH_MAX];
    char version[UNS_IMAGE_VERSION];
    struct uns_image image;
    bool known = realpath(path, real) != NULL &&
                 !is_listed(&doctor->findings, real) &&
                 uns_image_open(real, &image) == UNS_OK;

    if (!known)
        return;
    if (uns_image_curl(&image, version))
        uns_findings_say(
            &uns_findings_add(&doctor->findings, UNS_LEVEL_GOOD, "libcurl")
                 ->found,
            "%s: %s", real, version);
    uns_image_close(&image);
}

static void add_libcurls(struct uns_doctor *doctor)
{
    struct uns_image cache;
    struct uns_ldcache_entry entry;
    size_t before = doctor->findings.count;
    struct uns_finding *row;

    if (uns_image_open("/etc/ld.so.cache", &cache) != UNS_IO)
        for (size_t at = 0; uns_ldcache_next(cache.file, &at, &entry);)
            if (uns_image_is_libcurl(entry.name))
                add_libcurl(doctor, entry.path);
    uns_image_close(&cache);
    if (doctor->findings.count > before)
        return;
    row = uns_findings_add(&doctor->findings, UNS_LEVEL_WARN, "libcurl");
    uns_findings_say(&row->found, "none in the loader's cache");
    uns_findings_say(&row->means, "Programs may still bring one with them.");
}

static size_t count_of(const struct uns_findings *findings,
                       enum uns_level level)
{
    size_t count = 0;

    for (size_t i = 0; i < findings->count; i++)
        count += findings->list[i].level == level;
    return count;
}

void uns_doctor_setup(struct uns_doctor *doctor)
{
    size_t bad, warn;

    add_version(doctor);
    add_preload(doctor);
    add_engine(doctor);
    add_environment(doctor);
    add_settings(doctor);
    add_libcurls(doctor);
    bad = count_of(&doctor->findings, UNS_LEVEL_BAD);
    warn = count_of(&doctor->findings, UNS_LEVEL_WARN);
    if (bad > 0)
        uns_doctor_judge(doctor, UNS_DOCTOR_BROKEN,
                         "unstall is not in order: %zu thing%s to mend", bad,
                         bad == 1 ? "" : "s");
    else if (warn > 0)
        uns_doctor_judge(doctor, UNS_DOCTOR_READY,
                         "unstall is ready, with %zu warning%s", warn,
                         warn == 1 ? "" : "s");
    else
        uns_doctor_judge(doctor, UNS_DOCTOR_READY, "unstall is ready");
}
