/* SPDX-License-Identifier: MIT */
/*
 * journal - a queue in front of the store.  The list's lock is held for a few
 * instructions only; the store is written outside it, from a batch that has
 * been taken off the list and is put back in front when it could not be
 * written.  No thread of ours: the calls that end drive it.
 */
#include "journal.h"

#include "log.h"
#include "quiet.h"
#include "recorder.h"
#include "recover.h"

#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#define EVERY_NS   (250 * UNS_MS)
#define EVERY_PUTS 64
#define WAIT_MS    50   /* for a lock */
#define EXIT_MS    1000 /* the same, for calls that nothing else has kept */

struct queue {
    struct uns_entry *first, *last;
    size_t count, bytes;
};

/* Taken off the journal, to be written. */
struct batch {
    struct queue queue;
    char path[PATH_MAX];
};

/* The first call of a process is due whatever the clock says. */
#define NEW_JOURNAL                                           \
    {                                                         \
        .lock = PTHREAD_MUTEX_INITIALIZER, .tried = -EVERY_NS \
    }

static struct journal {
    pthread_mutex_t lock;
    struct queue queue;
    char path[PATH_MAX];
    size_t puts;  /* since the last try */
    uns_ns tried; /* when that was */
    bool ending;  /* the process exits: nothing may be left lying */
    uint64_t dropped;
} journal = NEW_JOURNAL;

__attribute__((weak)) uns_ns uns_journal_now(void)
{
    struct timespec now;

    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * UNS_S + now.tv_nsec;
}

static size_t weight(const struct uns_entry *entry)
{
    size_t bytes = sizeof *entry;

    for (size_t i = 0; i < UNS_RACE_ATTEMPTS; i++)
        bytes += entry->timeline[i].len;
    return bytes;
}

static void append(struct queue *queue, struct uns_entry *entry)
{
    entry->next = NULL;
    if (queue->last != NULL)
        queue->last->next = entry;
    else
        queue->first = entry;
    queue->last = entry;
    queue->count++;
    queue->bytes += weight(entry);
}

/* Its place in the flight recorder, if it has one, stays as it is. */
static void drop_first(struct queue *queue)
{
    struct uns_entry *entry = queue->first;

    queue->first = entry->next;
    if (queue->first == NULL)
        queue->last = NULL;
    queue->count--;
    queue->bytes -= weight(entry);
    uns_entry_free(entry);
}

/* `front` goes before what `queue` holds, and is empty afterwards. */
static void prepend(struct queue *queue, struct queue *front)
{
    if (front->first == NULL)
        return;
    front->last->next = queue->first;
    if (queue->last == NULL)
        queue->last = front->last;
    queue->first = front->first;
    queue->count += front->count;
    queue->bytes += front->bytes;
    *front = (struct queue){0};
}

/* Returns how many are lost: nobody else has them. */
static uint64_t shrink(struct queue *queue)
{
    uint64_t dropped = 0;

    while (queue->count > UNS_JOURNAL_ENTRIES ||
           (queue->bytes > UNS_JOURNAL_BYTES && queue->count > 1)) {
        dropped += queue->first->slot == NULL;
        drop_first(queue);
    }
    return dropped;
}

/* Under the lock. */
static bool is_due(uns_ns now_ns)
{
    return journal.ending || journal.puts >= EVERY_PUTS ||
           now_ns - journal.tried >= EVERY_NS;
}

/* Under the lock: all that waits, for a try that begins now. */
static void take_batch(struct batch *batch, uns_ns now_ns)
{
    batch->queue = journal.queue;
    memcpy(batch->path, journal.path, sizeof batch->path);
    journal.queue = (struct queue){0};
    journal.puts = 0;
    journal.tried = now_ns;
}

static void put_back(struct queue *queue)
{
    uint64_t dropped;

    pthread_mutex_lock(&journal.lock);
    prepend(&journal.queue, queue);
    dropped = shrink(&journal.queue);
    journal.dropped += dropped;
    pthread_mutex_unlock(&journal.lock);
    if (dropped > 0)
        uns_log("the store could not be written for too long: %llu calls are "
                "not recorded",
                (unsigned long long)dropped);
}

static void write_batch(struct batch *batch, int wait_ms)
{
    struct queue *queue = &batch->queue;

    if (queue->first == NULL)
        return;
    if (uns_store_write(batch->path, queue->first, wait_ms) != UNS_OK) {
        put_back(queue);
        return;
    }
    while (queue->first != NULL) {
        uns_recorder_free(queue->first->slot);
        drop_first(queue);
    }
}

/* Under the lock. */
static void accept(const char *path, struct uns_entry *entry)
{
    snprintf(journal.path, sizeof journal.path, "%s", path);
    append(&journal.queue, entry);
    journal.puts++;
}

void uns_journal_put(const char *path, struct uns_entry *entry, bool may_wait)
{
    struct batch batch;
    struct uns_quiet quiet;
    uns_ns now_ns;

    if (entry == NULL)
        return;
    batch.queue = (struct queue){0};
    uns_quiet_begin(&quiet);
    now_ns = uns_journal_now();
    pthread_mutex_lock(&journal.lock);
    accept(path, entry);
    if (is_due(now_ns))
        take_batch(&batch, now_ns);
    pthread_mutex_unlock(&journal.lock);
    write_batch(&batch, may_wait ? WAIT_MS : 0);
    uns_quiet_end(&quiet);
}

/* The flight file has them all, too: whoever comes next takes them in, so the
 * host need not wait for it. */
static bool is_kept(const struct queue *queue)
{
    for (const struct uns_entry *entry = queue->first; entry;
         entry = entry->next)
        if (entry->slot == NULL)
            return false;
    return true;
}

static void flush(bool ending)
{
    struct batch batch;
    struct uns_quiet quiet;

    uns_quiet_begin(&quiet);
    pthread_mutex_lock(&journal.lock);
    journal.ending = ending;
    take_batch(&batch, uns_journal_now());
    pthread_mutex_unlock(&journal.lock);
    write_batch(&batch, is_kept(&batch.queue) ? WAIT_MS : EXIT_MS);
    uns_quiet_end(&quiet);
}

void uns_journal_flush(void)
{
    flush(false);
}

struct uns_journal_state uns_journal_state(void)
{
    struct uns_journal_state state;

    pthread_mutex_lock(&journal.lock);
    state.waiting = journal.queue.count;
    state.dropped = journal.dropped;
    pthread_mutex_unlock(&journal.lock);
    return state;
}

/* fork() waits for the list, so that the child finds it whole. */
static void before_fork(void)
{
    pthread_mutex_lock(&journal.lock);
}

static void after_fork_in_parent(void)
{
    pthread_mutex_unlock(&journal.lock);
}

/* What waits is the parent's to write. */
static void after_fork_in_child(void)
{
    while (journal.queue.first != NULL)
        drop_first(&journal.queue);
    journal = (struct journal)NEW_JOURNAL;
}

/* Fork handlers rather than a look at getpid() in each call: two threads of
 * the child could find the pid changed at once, and both would clear. */
__attribute__((constructor)) static void register_fork_handlers(void)
{
    (void)pthread_atfork(before_fork, after_fork_in_parent,
                         after_fork_in_child);
}

/* A destructor rather than atexit(): it runs after every atexit handler of the
 * host, in which calls may still end, and also when the engine is unloaded.
 * Threads may still run: what they put from now on is written at once.  _exit
 * and signals do not come by here. */
__attribute__((destructor)) static void write_the_rest(void)
{
    flush(true);
    uns_recorder_close();
    if (journal.path[0] != '\0')
        (void)uns_recover(journal.path, UNS_RECOVER_HOST);
}
