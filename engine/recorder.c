/* SPDX-License-Identifier: MIT */
/*
 * recorder - files that are added and never taken away while the process
 * lives, so that a slot is found without a lock.  Each is four times as large
 * as the one before.
 */
#include "recorder.h"

#include "clock.h"
#include "flight_file.h"
#include "log.h"
#include "quiet.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#ifdef UNS_HOSTILE
#    define FILES       2
#    define FIRST_SLOTS 1u
#else
#    define FILES       5 /* 1364 calls, 60 MB */
#    define FIRST_SLOTS 4u
#endif

/* After a refusal: a full disk is not asked again for each call. */
#define AGAIN_NS (10 * UNS_S)

static struct recorder {
    pthread_mutex_t growing;
    atomic_uint files; /* of file[] */
    struct uns_flight_file file[FILES];
    atomic_uint hint[FILES]; /* where the next free slot may be */
    atomic_ullong missed;
    uns_ns again_ns;
    _Atomic pid_t pid; /* whose the files are */
    atomic_bool closed;
} recorder = {.growing = PTHREAD_MUTEX_INITIALIZER};

static struct uns_flight_slot *find_in(unsigned i)
{
    struct uns_flight_file *file = &recorder.file[i];
    uint32_t slots = file->head->slots;
    unsigned from = atomic_load(&recorder.hint[i]);

    for (uint32_t n = 0; n < slots; n++) {
        uint32_t at = (from + n) % slots;

        if (uns_flight_take(&file->slots[at])) {
            atomic_store(&recorder.hint[i], at + 1);
            return &file->slots[at];
        }
    }
    return NULL;
}

static struct uns_flight_slot *find(void)
{
    unsigned files = atomic_load(&recorder.files);
    struct uns_flight_slot *slot = NULL;

    for (unsigned i = 0; i < files && !slot; i++)
        slot = find_in(i);
    return slot;
}

/* Under the lock. */
static void grow(const char *store)
{
    unsigned n = atomic_load(&recorder.files);
    struct uns_flight_owner self;
    uns_ns now = uns_clock_now();
    enum uns_err err;

    if (recorder.closed || n == FILES || now < recorder.again_ns)
        return;
    err = uns_flight_owner_self(&self);
    if (err == UNS_OK)
        err = uns_flight_file_create(store, &self, FIRST_SLOTS << 2 * n,
                                     &recorder.file[n]);
    if (err == UNS_OK) {
        recorder.pid = self.pid;
        atomic_store(&recorder.files, n + 1);
    } else {
        recorder.again_ns = now + AGAIN_NS;
        uns_log("no flight recorder: %s", uns_err_str(err));
    }
}

static struct uns_flight_slot *find_or_grow(const char *store)
{
    struct uns_flight_slot *slot;

    pthread_mutex_lock(&recorder.growing);
    slot = find();
    if (!slot) {
        grow(store);
        slot = find();
    }
    pthread_mutex_unlock(&recorder.growing);
    return slot;
}

/* A child whose fork() did not run the handlers (_Fork, clone). */
static bool is_foreign(void)
{
    return atomic_load(&recorder.files) > 0 && recorder.pid != getpid();
}

struct uns_flight_slot *uns_recorder_slot(const char *store)
{
    struct uns_flight_slot *slot = NULL;
    struct uns_quiet quiet;

    if (!store || recorder.closed || is_foreign())
        return NULL;
    slot = find();
    if (!slot) {
        uns_quiet_begin(&quiet);
        slot = find_or_grow(store);
        uns_quiet_end(&quiet);
    }
    if (!slot)
        atomic_fetch_add(&recorder.missed, 1);
    return slot;
}

void uns_recorder_free(struct uns_flight_slot *slot)
{
    if (slot)
        uns_flight_release(slot);
}

bool uns_recorder_is_own(const char *path)
{
    unsigned files = atomic_load(&recorder.files);

    for (unsigned i = 0; i < files; i++)
        if (strcmp(recorder.file[i].path, path) == 0)
            return true;
    return false;
}

static bool is_empty(const struct uns_flight_file *file)
{
    for (uint32_t i = 0; i < file->head->slots; i++)
        if (__atomic_load_n(&file->slots[i].state, __ATOMIC_ACQUIRE) !=
            UNS_FLIGHT_FREE)
            return false;
    return true;
}

/* Threads may still write: nothing is unmapped. */
void uns_recorder_close(void)
{
    unsigned files = atomic_load(&recorder.files);

    recorder.closed = true;
    if (is_foreign())
        return;
    for (unsigned i = 0; i < files; i++)
        if (is_empty(&recorder.file[i]))
            (void)unlink(recorder.file[i].path);
}

uint64_t uns_recorder_missed(void)
{
    return atomic_load(&recorder.missed);
}

/* Calls that were in flight go on in the child, as copies: what they write
 * stays between them and the child. */
static void keep_apart(const struct uns_flight_file *file)
{
    (void)mmap(file->head, file->bytes, PROT_READ | PROT_WRITE,
               MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
}

static void after_fork_in_child(void)
{
    unsigned files = atomic_load(&recorder.files);

    for (unsigned i = 0; i < files; i++)
        keep_apart(&recorder.file[i]);
    recorder = (struct recorder){
        .growing = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER};
}

__attribute__((constructor)) static void register_fork_handler(void)
{
    (void)pthread_atfork(NULL, NULL, after_fork_in_child);
}
