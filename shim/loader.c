/* SPDX-License-Identifier: MIT */

/*
 * loader - brings the engine into a process that makes LLM calls.  Threads
 * that come first together may each open it: dlopen gives both the same
 * library, and its entry both the same functions.  A lock could be left held
 * in a forked child; this cannot.
 */

#include "loader.h"

#include "dl.h"
#include "handle.h"
#include "note.h"
#include "objects.h"
#include "options.h"

#include <errno.h>
#include <stdatomic.h>
#include <string.h>

#define ENGINE_FILE "libunstall-engine.so"

static const struct uns_host host = {
    .abi = UNS_ABI,
    .options = uns_options,
    .option_count = UNS_OPT_SLOTS,
    .restore = uns_note_restore,
    .forget = uns_note_clear,
    .find = uns_handle_get,
};

/* Stands for "asked, and not to be had". */
static const struct uns_engine refused;

static _Atomic(const struct uns_engine *) engine;

/* The engine's path.  A preload named by a relative path has none that holds
 * after a chdir; the loader remembers the directory as $ORIGIN. */
static bool engine_path(char path[UNS_OBJECT_NAME])
{
    Dl_info info;
    const char *slash;
    size_t dir;

    if (!dladdr(&refused, &info) || !info.dli_fname)
        return false;
    slash = strrchr(info.dli_fname, '/');
    if (info.dli_fname[0] != '/' || !slash) {
        memcpy(path, "$ORIGIN/" ENGINE_FILE, sizeof("$ORIGIN/" ENGINE_FILE));
        return true;
    }
    dir = (size_t)(slash - info.dli_fname) + 1;
    if (dir + sizeof(ENGINE_FILE) > UNS_OBJECT_NAME)
        return false;
    memcpy(path, info.dli_fname, dir);
    memcpy(path + dir, ENGINE_FILE, sizeof(ENGINE_FILE));
    return true;
}

static const struct uns_engine *load(void)
{
    char path[UNS_OBJECT_NAME];
    const struct uns_engine *loaded = NULL;
    uns_engine_open_fn *entry;
    void *handle, *found;

    handle =
        engine_path(path) ? uns_dl_open()(path, RTLD_NOW | RTLD_LOCAL) : NULL;
    found = handle ? uns_dl_sym()(handle, UNS_ENGINE_ENTRY) : NULL;
    if (found) {
        memcpy(&entry, &found, sizeof(entry));
        loaded = entry(&host);
    }
    if (loaded && loaded->abi == UNS_ABI)
        return loaded;
    if (handle)
        dlclose(handle);
    return &refused;
}

static const struct uns_engine *load_quietly(void)
{
    const struct uns_engine *loaded;
    struct uns_dlerror pending;
    int saved_errno = errno;

    if (!uns_dl_works())
        return &refused;
    uns_dlerror_save(&pending);
    loaded = load();
    uns_dlerror_restore(&pending);
    errno = saved_errno;
    return loaded;
}

const struct uns_engine *uns_loader_peek(void)
{
    const struct uns_engine *known =
        atomic_load_explicit(&engine, memory_order_acquire);

    return known == &refused ? NULL : known;
}

const struct uns_engine *uns_loader_open(void)
{
    const struct uns_engine *known = NULL, *loaded;

    if (!atomic_load_explicit(&engine, memory_order_acquire)) {
        loaded = load_quietly();
        atomic_compare_exchange_strong(&engine, &known, loaded);
    }
    return uns_loader_peek();
}
