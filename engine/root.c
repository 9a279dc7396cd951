/* SPDX-License-Identifier: MIT */
/*
 * root - opens the engine: checks that the preload is of the same making and
 * that cJSON is the library's own, reads the settings once.  Every refusal
 * leaves the host with its plain libcurl.
 */
#include "root.h"

#include "easy.h"
#include "grip.h"
#include "info.h"
#include "log.h"
#include "multi.h"

#include "core/ascii.h"

#include <cjson/cJSON.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

extern char **environ;

static struct {
    const struct uns_host *host;
    struct uns_config *config;
    char *plan;
    char *capture;
    char *injected;
    struct uns_inject inject;
    bool usable;
} root;

const struct uns_host *uns_root_host(void)
{
    return root.host;
}

const struct uns_config *uns_root_config(void)
{
    return root.config;
}

const struct uns_policy *uns_root_policy(const struct uns_url *url)
{
    return uns_config_policy(root.config, url);
}

const char *uns_root_plan(void)
{
    return root.plan;
}

const char *uns_root_capture(void)
{
    return root.capture;
}

const struct uns_inject *uns_root_inject(void)
{
    return root.injected ? &root.inject : NULL;
}

const char *uns_root_injected(void)
{
    return root.injected;
}

static const struct uns_engine engine = {
    .abi = UNS_ABI,
    .perform = uns_easy_perform,
    .getinfo = uns_info_get,
    .pause = uns_grip_pause,
    .header = uns_info_header,
    .nextheader = uns_info_nextheader,
    .release = uns_grip_release,
    .reset = uns_grip_reset,
    .detach = uns_grip_detach,
    .multi = &uns_multi_engine,
};

/* A host may carry a cJSON of its own, of any version, in front of ours. */
static bool is_own_cjson(void)
{
    void (*parse)(void) = (void (*)(void))cJSON_Parse;
    Dl_info info;

    return dladdr(*(void **)&parse, &info) && info.dli_fname &&
           strstr(info.dli_fname, "libcjson");
}

static bool load(void)
{
    const struct uns_config_where where = {.environment = environ};
    struct uns_messages messages = {0};
    enum uns_err err = uns_config_load(&where, &messages, &root.config);

    for (size_t i = 0; i < messages.count; i++)
        uns_log("%s", messages.list[i].text);
    uns_messages_clear(&messages);
    if (err)
        uns_log("settings: %s: calls go on unhedged", uns_err_str(err));
    return err == UNS_OK;
}

/* False: calls would be sent that must not. */
static bool read_plan(void)
{
    const char *file = getenv("UNSTALL_PLAN");

    if (!file || !*file)
        return true;
    root.plan = strdup(file);
    return root.plan != NULL;
}

/* What cannot be read is not played. */
static void read_inject(void)
{
    const char *text = getenv("UNSTALL_INJECT");
    struct uns_slice word;
    const char *wrong;

    if (!text || !*text)
        return;
    wrong = uns_inject_read(uns_slice_of(text), &root.inject, &word);
    if (wrong)
        uns_log("UNSTALL_INJECT: %.*s %s: nothing is injected", (int)word.len,
                word.data, wrong);
    else
        root.injected = strdup(text);
}

/* A relative one would be another directory after a chdir(). */
static void read_capture(void)
{
    const char *dir = getenv("UNSTALL_CAPTURE");

    if (!dir || !*dir)
        return;
    if (*dir == '/')
        root.capture = strdup(dir);
    else
        uns_log("UNSTALL_CAPTURE: %s is no absolute path: nothing is captured",
                dir);
}

/* Of whoever comes first; there is one preload in a process. */
static _Atomic(const struct uns_host *) opener;

static void open_once(void)
{
    root.host = atomic_load(&opener);
    if (!is_own_cjson())
        uns_log("the host has a cJSON of its own in front of the library's");
    else
        root.usable = load() && read_plan();
    read_inject();
    read_capture();
}

__attribute__((visibility("default"))) uns_engine_open_fn uns_engine_open;

const struct uns_engine *uns_engine_open(const struct uns_host *host)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    if (!host || host->abi != UNS_ABI) {
        uns_log("the preload is of another version than the engine");
        return NULL;
    }
    atomic_store(&opener, host);
    (void)pthread_once(&once, open_once);
    return root.usable ? &engine : NULL;
}
