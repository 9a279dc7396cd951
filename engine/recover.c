/* SPDX-License-Identifier: MIT */
#include "recover.h"

#include "clock.h"
#include "flight_file.h"
#include "log.h"
#include "quiet.h"
#include "recorder.h"
#include "store.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define BATCH 64

/* A host's exit is not held up: a lock of the store, and all of it. */
static const struct patience {
    int lock_ms;
    uns_ns whole_ns;
} patience[] = {
    [UNS_RECOVER_HOST] = {20,   200 * UNS_MS},
    [UNS_RECOVER_COMMAND] = {1000, UNS_NEVER   },
};

struct rescue {
    const char *store;
    enum uns_recover_who who;
    struct uns_flight_owner self;
    struct uns_flight_view *view; /* too large for a stack of the host's */
    uns_ns until_ns;
    size_t count;
};

/* --- from a slot to an entry ----------------------------------------------*/

static bool copy_timeline(const struct uns_flight_view *view, unsigned a,
                          struct uns_entry *entry)
{
    size_t len = view->timeline[a].len;
    uint8_t *data;

    if (len == 0)
        return true;
    data = malloc(len);
    if (!data)
        return false;
    memcpy(data, view->timeline[a].blob, len);
    entry->timeline[a].data = data;
    entry->timeline[a].len = len;
    return true;
}

/* NULL: no memory for all of it. */
static struct uns_entry *entry_of(const struct uns_flight_view *view)
{
    struct uns_entry *entry = uns_entry_new();
    bool whole = true;

    if (!entry)
        return NULL;
    entry->call = view->facts.call;
    entry->attempts = view->facts.attempts;
    entry->stall_threshold_ns = view->facts.stall_threshold_ns;
    memcpy(entry->attempt, view->facts.attempt, sizeof entry->attempt);
    for (unsigned a = 0; a < entry->attempts && whole; a++)
        whole = copy_timeline(view, a, entry);
    if (whole)
        return entry;
    uns_entry_free(entry);
    return NULL;
}

/* The slot's call, if it has one that is to be taken in; NULL with *ret_failed
 * when memory ended. */
static struct uns_entry *take(const struct rescue *rescue,
                              const struct uns_flight_slot *slot, bool orphan,
                              bool *ret_failed)
{
    struct uns_entry *entry;

    if (!uns_flight_read(slot, rescue->view) ||
        (!orphan && !rescue->view->done))
        return NULL;
    if (!rescue->view->done)
        uns_flight_settle(rescue->view);
    entry = entry_of(rescue->view);
    *ret_failed |= !entry;
    return entry;
}

/* --- from a file to the store ---------------------------------------------*/

static bool write_list(struct rescue *rescue, struct uns_entry *list)
{
    int wait_ms = patience[rescue->who].lock_ms;
    bool written = uns_store_write(rescue->store, list, wait_ms) == UNS_OK;

    while (list) {
        struct uns_entry *next = list->next;

        uns_entry_free(list);
        list = next;
        rescue->count += written;
    }
    return written;
}

/* From slot *at on, BATCH calls at most.  False: they are not all written. */
static bool write_some(struct rescue *rescue,
                       const struct uns_flight_file *file, bool orphan,
                       uint32_t *at)
{
    struct uns_entry *list = NULL, *entry;
    bool failed = false;

    for (unsigned n = 0; *at < file->head->slots && n < BATCH; ++*at) {
        entry = take(rescue, &file->slots[*at], orphan, &failed);
        if (!entry)
            continue;
        entry->next = list;
        list = entry;
        n++;
    }
    return (!list || write_list(rescue, list)) && !failed;
}

static bool write_all(struct rescue *rescue, const struct uns_flight_file *file,
                      bool orphan)
{
    uint32_t at = 0;
    bool good = true;

    while (good && at < file->head->slots)
        good = write_some(rescue, file, orphan, &at);
    return good;
}

static void take_orphan(struct rescue *rescue, struct uns_flight_file *file)
{
    if (!uns_flight_file_claim(file, &rescue->self))
        return;
    if (write_all(rescue, file, true))
        (void)unlink(file->path);
    else
        uns_flight_file_unclaim(file);
}

static bool is_for(const struct uns_flight_file *file, const char *store)
{
    struct stat a, b;

    return strcmp(file->head->store, store) == 0 ||
           (stat(file->head->store, &a) == 0 && stat(store, &b) == 0 &&
            a.st_dev == b.st_dev && a.st_ino == b.st_ino);
}

static void look_at(void *arg, const char *path)
{
    struct rescue *rescue = arg;
    struct uns_flight_file file;
    bool thorough = rescue->who == UNS_RECOVER_COMMAND;

    if (uns_clock_now() >= rescue->until_ns || uns_recorder_is_own(path) ||
        uns_flight_file_open(path, &file) != UNS_OK)
        return;
    if (!is_for(&file, rescue->store))
        ; /* somebody else's business */
    else if (uns_flight_file_is_orphan(&file, &rescue->self, thorough))
        take_orphan(rescue, &file);
    else if (thorough)
        (void)write_all(rescue, &file, false);
    uns_flight_file_close(&file);
}

size_t uns_recover(const char *store, enum uns_recover_who who)
{
    uns_ns whole_ns = patience[who].whole_ns;
    struct rescue rescue = {.store = store, .who = who};
    struct uns_quiet quiet;

    uns_quiet_begin(&quiet);
    rescue.until_ns =
        whole_ns == UNS_NEVER ? UNS_NEVER : uns_clock_now() + whole_ns;
    rescue.view = malloc(sizeof *rescue.view);
    if (rescue.view && uns_flight_owner_self(&rescue.self) == UNS_OK)
        uns_flight_file_each(store, look_at, &rescue);
    free(rescue.view);
    if (rescue.count)
        uns_log("%zu calls of processes that are gone are recorded",
                rescue.count);
    uns_quiet_end(&quiet);
    return rescue.count;
}
