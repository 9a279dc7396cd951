/* SPDX-License-Identifier: MIT */
/* torture_deeds - what an application does to its handles. */
#include "torture.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static struct slot *any_slot(void)
{
    return &slots[dice(HANDLES)];
}

static struct pool *any_pool(void)
{
    return &pools[dice(POOLS)];
}

static void expect(CURLMcode code, CURLMcode wanted, const char *what)
{
    if (code != wanted)
        breach("%s: %s, not %s", what, curl_multi_strerror(code),
               curl_multi_strerror(wanted));
}

/* --- between libcurl's calls ----------------------------------------------*/

static void add(void)
{
    struct slot *slot = any_slot();
    struct pool *pool = any_pool();

    if (!slot->easy) {
        slot->easy = curl_easy_init();
        set_up(slot);
    }
    if (slot->pool) {
        if (!slot->told)
            expect(curl_multi_add_handle(pool->multi, slot->easy),
                   CURLM_ADDED_ALREADY, "adding one that runs");
        return;
    }
    if (dice(2))
        set_up(slot);
    slot->told = slot->paused = false;
    slot->pool = pool;
    slot->hash = 2166136261u;
    expect(curl_multi_add_handle(pool->multi, slot->easy), CURLM_OK, "add");
}

static void take_out(struct slot *slot)
{
    expect(curl_multi_remove_handle(slot->pool->multi, slot->easy), CURLM_OK,
           "remove");
    slot->pool = NULL;
}

static void remove_one(void)
{
    struct slot *slot = any_slot();

    if (slot->pool)
        take_out(slot);
}

/* Out of one loop, and at once into the other. */
static void move(void)
{
    struct slot *slot = any_slot();
    struct pool *to = any_pool();

    if (!slot->pool)
        return;
    take_out(slot);
    slot->told = slot->paused = false;
    slot->pool = to;
    slot->hash = 2166136261u;
    expect(curl_multi_add_handle(to->multi, slot->easy), CURLM_OK, "move");
}

/* libcurl takes it out of its multi by itself. */
static void clean_up(void)
{
    struct slot *slot = any_slot();

    if (!slot->easy)
        return;
    curl_easy_cleanup(slot->easy);
    slot->easy = NULL;
    slot->pool = NULL;
}

static void clean_up_pool(void)
{
    struct pool *pool = any_pool();

    for (int i = 0; i < HANDLES; i++)
        if (slots[i].pool == pool && dice(2))
            take_out(&slots[i]);
    open_pool(pool);
}

static void reset(void)
{
    struct slot *slot = any_slot();

    if (!slot->easy || slot->pool)
        return;
    curl_easy_reset(slot->easy);
    set_up(slot);
}

/* A pause counts only once the answer has begun: `paused` stays as it is. */
static void pause_one(void)
{
    struct slot *slot = any_slot();

    if (slot->pool && !slot->told)
        curl_easy_pause(slot->easy, CURLPAUSE_RECV);
}

/* Bytes that waited may be given before curl_easy_pause returns. */
static void unpause_all(void)
{
    for (int i = 0; i < HANDLES; i++) {
        if (!slots[i].pool || slots[i].told)
            continue;
        slots[i].paused = false;
        curl_easy_pause(slots[i].easy, CURLPAUSE_CONT);
    }
}

/* A copy of one that runs is one like any other. */
static void duplicate(void)
{
    struct slot *from = any_slot(), *to = any_slot();

    if (!from->easy || to->easy)
        return;
    to->easy = curl_easy_duphandle(from->easy);
    to->llm = from->llm;
    if (to->easy)
        set_up(to);
}

static void set_options(void)
{
    struct slot *slot = any_slot();

    if (!slot->easy)
        return;
    curl_easy_setopt(slot->easy, CURLOPT_WRITEDATA, slot);
    curl_easy_setopt(slot->easy, CURLOPT_TIMEOUT_MS, 300L + dice(3000));
    curl_easy_setopt(slot->easy, CURLOPT_WRITEFUNCTION, on_bytes);
}

static void ask(void)
{
    struct slot *slot = any_slot();
    char *text = NULL;
    double time = 0;
    long status = 0;

    if (!slot->easy)
        return;
    curl_easy_getinfo(slot->easy, CURLINFO_EFFECTIVE_URL, &text);
    curl_easy_getinfo(slot->easy, CURLINFO_CONTENT_TYPE, &text);
    curl_easy_getinfo(slot->easy, CURLINFO_TOTAL_TIME, &time);
    curl_easy_getinfo(slot->easy, CURLINFO_RESPONSE_CODE, &status);
    if (time < 0 || status < 0)
        breach("getinfo: %f s, status %ld", time, status);
}

/* The child leaves in one of the ways that children do. */
static void fork_one(void)
{
    unsigned way = dice(3);
    pid_t pid;

    fflush(NULL);
    pid = fork();
    if (pid == 0) {
        if (way == 0)
            execl("/bin/true", "true", (char *)NULL);
        if (way == 1)
            leave(0);
        _exit(0);
    }
    if (pid > 0)
        waitpid(pid, NULL, 0);
}

static void *run_turns(void *arg)
{
    for (int i = 0; i < 5; i++)
        turn(arg);
    return NULL;
}

/* For a while another thread has the pool, and its handles with it. */
static void lend(void)
{
    pthread_t thread;

    if (pthread_create(&thread, NULL, run_turns, any_pool()) == 0)
        pthread_join(thread, NULL);
}

static void wake(void)
{
    curl_multi_wakeup(any_pool()->multi);
}

static const struct {
    unsigned weight;
    void (*deed)(void);
} outside[] = {
    {60, add},          {12, remove_one}, {6, move},       {6, clean_up},
    {1, clean_up_pool}, {4, reset},       {10, pause_one}, {10, unpause_all},
    {3, duplicate},     {6, set_options}, {6, ask},        {1, fork_one},
    {1, lend},          {3, wake},
};

void do_outside(void)
{
    unsigned all = 0, at;

    for (size_t i = 0; i < sizeof outside / sizeof *outside; i++)
        all += outside[i].weight;
    at = dice(all);
    for (size_t i = 0; i < sizeof outside / sizeof *outside; i++) {
        if (at < outside[i].weight) {
            outside[i].deed();
            return;
        }
        at -= outside[i].weight;
    }
}

/* --- inside a callback ----------------------------------------------------*/

static void try_add(struct pool *pool, struct slot *slot)
{
    if (!slot->pool && slot->easy)
        expect(curl_multi_add_handle(pool->multi, slot->easy),
               CURLM_RECURSIVE_API_CALL, "add in a callback");
}

static void try_remove(struct pool *pool, struct slot *slot)
{
    if (slot->pool == pool && !slot->told)
        expect(curl_multi_remove_handle(pool->multi, slot->easy),
               CURLM_RECURSIVE_API_CALL, "remove in a callback");
}

static void try_perform(struct pool *pool, struct slot *slot)
{
    int running;

    (void)slot;
    expect(curl_multi_perform(pool->multi, &running), CURLM_RECURSIVE_API_CALL,
           "perform in a callback");
}

static void try_action(struct pool *pool, struct slot *slot)
{
    int running;

    (void)slot;
    expect(
        curl_multi_socket_action(pool->multi, CURL_SOCKET_TIMEOUT, 0, &running),
        CURLM_RECURSIVE_API_CALL, "action in a callback");
}

static void try_wait(struct pool *pool, struct slot *slot)
{
    (void)slot;
    expect(curl_multi_poll(pool->multi, NULL, 0, 0, NULL),
           CURLM_RECURSIVE_API_CALL, "poll in a callback");
}

static void try_cleanup(struct pool *pool, struct slot *slot)
{
    (void)slot;
    expect(curl_multi_cleanup(pool->multi), CURLM_RECURSIVE_API_CALL,
           "cleanup in a callback");
}

static void try_messages(struct pool *pool, struct slot *slot)
{
    int left;

    (void)slot;
    if (curl_multi_info_read(pool->multi, &left))
        breach("a message in a callback");
}

static void try_option(struct pool *pool, struct slot *slot)
{
    (void)slot;
    expect(curl_multi_setopt(pool->multi, CURLMOPT_SOCKETDATA, NULL),
           CURLM_RECURSIVE_API_CALL, "an option in a callback");
}

static void set_inside(struct pool *pool, struct slot *slot)
{
    (void)pool;
    if (!slot->easy)
        return;
    curl_easy_setopt(slot->easy, CURLOPT_WRITEFUNCTION, on_bytes);
    curl_easy_setopt(slot->easy, CURLOPT_HEADERFUNCTION, on_bytes);
    curl_easy_setopt(slot->easy, CURLOPT_HEADERDATA, slot);
}

static void copy_inside(struct pool *pool, struct slot *slot)
{
    CURL *copy = slot->easy ? curl_easy_duphandle(slot->easy) : NULL;

    (void)pool;
    curl_easy_cleanup(copy);
}

static void (*const inside[])(struct pool *pool, struct slot *slot) = {
    try_add,     try_remove,   try_perform, try_action, try_wait,
    try_cleanup, try_messages, try_option,  set_inside, copy_inside,
};

void do_inside(struct slot *own)
{
    struct slot *slot = dice(2) && own ? own : any_slot();

    if (own && own->pool && !closing)
        inside[dice(sizeof inside / sizeof *inside)](own->pool, slot);
}
