/* SPDX-License-Identifier: MIT */
/*
 * store_lock - a mutex that is also held over fork(), so that no child is
 * made while a database is open.  The handlers run in the thread that forks;
 * it cannot be the one that holds the lock, since that has its signals
 * blocked (quiet.h).
 */
#include "store_lock.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <time.h>

/* How long fork() waits for a write that does not end (a dead disk). */
#define FORK_WAIT_MS 500

/* Who waits for the lock holds the gate: a thread that writes again and again
 * would else have the lock back before fork() wakes up. */
static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_bool in_use;              /* SQLite is at work */
static atomic_bool torn;                /* it was, when we were forked off */
static _Thread_local bool held_by_fork; /* between prepare and parent/child */

static int64_t now_ms(void)
{
    struct timespec now;

    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * INT64_C(1000) + now.tv_nsec / 1000000;
}

static bool take_one(pthread_mutex_t *mutex, int wait_ms,
                     const struct timespec *until)
{
    if (pthread_mutex_trylock(mutex) == 0)
        return true;
    return wait_ms > 0 &&
           pthread_mutex_clocklock(mutex, CLOCK_MONOTONIC, until) == 0;
}

static bool take(int wait_ms)
{
    int64_t until_ms = now_ms() + wait_ms;
    const struct timespec until = {until_ms / 1000, until_ms % 1000 * 1000000};
    bool taken;

    if (!take_one(&gate, wait_ms, &until))
        return false;
    taken = take_one(&lock, wait_ms, &until);
    pthread_mutex_unlock(&gate);
    return taken;
}

bool uns_store_lock(int *left_ms)
{
    int64_t begin_ms = now_ms();

    if (atomic_load(&torn) || !take(*left_ms))
        return false;
    *left_ms -= (int)(now_ms() - begin_ms);
    atomic_store(&in_use, true);
    return true;
}

void uns_store_unlock(void)
{
    atomic_store(&in_use, false);
    pthread_mutex_unlock(&lock);
}

static void before_fork(void)
{
    held_by_fork = take(FORK_WAIT_MS);
}

static void after_fork_in_parent(void)
{
    if (held_by_fork)
        pthread_mutex_unlock(&lock);
}

static void after_fork_in_child(void)
{
    if (atomic_exchange(&in_use, false))
        atomic_store(&torn, true);
    gate = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
}

/* Not at first use: two threads could come first at once. */
__attribute__((constructor)) static void register_fork_handlers(void)
{
    (void)pthread_atfork(before_fork, after_fork_in_parent,
                         after_fork_in_child);
}
