/* SPDX-License-Identifier: MIT */
/*
 * torture - see torture.h.
 *
 *     torture LLM_URL PLAIN_URL FIRST_SEED SEEDS TURNS
 */
#include "torture.h"

#include <poll.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/select.h>
#include <time.h>
#include <unistd.h>

#define REST_MS 5
#define BODY    "{\"model\":\"mock-1\",\"messages\":[],\"stream\":true}"

struct slot slots[HANDLES];
struct pool pools[POOLS];
bool closing;
const char *llm_url, *plain_url;

static uint64_t seed, dice_state;
static unsigned breaches;
static unsigned long done;

unsigned dice(unsigned below)
{
    dice_state = dice_state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(dice_state >> 33) % below;
}

void breach(const char *format, ...)
{
    va_list ap;

    if (breaches++ > 20)
        return;
    va_start(ap, format);
    fprintf(stderr, "seed %llu: ", (unsigned long long)seed);
    vfprintf(stderr, format, ap);
    fputc('\n', stderr);
    va_end(ap);
}

double now_ms(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

void leave(int code)
{
    fflush(NULL);
    if (getenv("ASAN_OPTIONS"))
        _exit(code);
    exit(code);
}

/* --- a transfer -----------------------------------------------------------*/

size_t on_bytes(char *bytes, size_t size, size_t count, void *arg)
{
    struct slot *slot = arg;
    size_t len = size * count;

    if (!slot->pool || slot->told)
        breach("%zu bytes for one that does not run", len);
    if (slot->paused)
        breach("%zu bytes for one that is paused", len);
    if (dice(20) == 0)
        do_inside(slot);
    if (dice(100) == 0) {
        slot->tainted = true;
        return len + 1;
    }
    if (dice(40) == 0) {
        slot->paused = true;
        return CURL_WRITEFUNC_PAUSE;
    }
    for (size_t i = 0; i < len; i++)
        slot->hash = (slot->hash ^ (unsigned char)bytes[i]) * 16777619u;
    return len;
}

int on_progress(void *arg, curl_off_t a, curl_off_t b, curl_off_t c,
                curl_off_t d)
{
    struct slot *slot = arg;

    (void)a, (void)b, (void)c, (void)d;
    if (!slot->pool)
        breach("progress of one that does not run");
    if (dice(50) == 0)
        do_inside(slot);
    if (dice(300))
        return 0;
    slot->tainted = true;
    return 1;
}

static const char *const faults[] = {
    "none",           "none",       "interval=0.005",
    "silent",         "stall@5=9",  "stall@12=0.1",
    "reset",          "status=503", "first-late=0.12",
    "first-late=0.3", "cut@7",      "silent-after-headers",
};

void set_up(struct slot *slot)
{
    CURL *easy = slot->easy;
    char fault[80];

    slot->llm = dice(3) > 0;
    snprintf(fault, sizeof fault, "x-mock-fault: %s",
             faults[dice(sizeof faults / sizeof *faults)]);
    if (slot->pool)
        return;
    curl_slist_free_all(slot->headers);
    slot->headers = curl_slist_append(NULL, fault);
    curl_easy_setopt(easy, CURLOPT_URL, slot->llm ? llm_url : plain_url);
    curl_easy_setopt(easy, CURLOPT_PRIVATE, slot);
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, on_bytes);
    curl_easy_setopt(easy, CURLOPT_WRITEDATA, slot);
    curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, on_bytes);
    curl_easy_setopt(easy, CURLOPT_HEADERDATA, slot);
    curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, slot->error);
    curl_easy_setopt(easy, CURLOPT_XFERINFOFUNCTION, on_progress);
    curl_easy_setopt(easy, CURLOPT_XFERINFODATA, slot);
    curl_easy_setopt(easy, CURLOPT_NOPROGRESS, (long)dice(2));
    curl_easy_setopt(easy, CURLOPT_TIMEOUT_MS, dice(2) ? 0L : 400L);
    curl_easy_setopt(easy, CURLOPT_HTTPHEADER,
                     slot->llm ? slot->headers : NULL);
    curl_easy_setopt(easy, CURLOPT_HTTPGET, 1L);
    if (!slot->llm)
        return;
    curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE, (long)(sizeof BODY - 1));
    curl_easy_setopt(easy, CURLOPT_COPYPOSTFIELDS, BODY);
}

/* --- what a loop's callbacks are told -------------------------------------*/

static int on_socket(CURL *easy, curl_socket_t fd, int what, void *arg,
                     void *assigned)
{
    struct pool *pool = arg;
    bool known = what == CURL_POLL_REMOVE; /* also by libcurl's own handle */

    (void)assigned;
    for (int i = 0; i < HANDLES; i++)
        known |= slots[i].easy == easy;
    if (!known)
        breach("socket %d, %d, of a stranger", fd, what);
    if (fd < 0 || fd >= FDS)
        breach("socket %d", fd);
    else
        pool->wanted[fd] = (short)(what == CURL_POLL_REMOVE ? 0
                                   : what == CURL_POLL_IN   ? POLLIN
                                   : what == CURL_POLL_OUT  ? POLLOUT
                                                            : POLLIN | POLLOUT);
    return 0;
}

static int on_timer(CURLM *multi, long timeout_ms, void *arg)
{
    struct pool *pool = arg;

    if (multi != pool->multi)
        breach("a timer of another multi");
    pool->due = timeout_ms < 0 ? -1 : now_ms() + (double)timeout_ms;
    return 0;
}

/* --- loops ----------------------------------------------------------------*/

static void check(CURLMcode code, const char *what)
{
    if (code != CURLM_OK)
        breach("%s: %s", what, curl_multi_strerror(code));
}

static void work_perform(struct pool *pool)
{
    check(curl_multi_perform(pool->multi, &pool->running), "perform");
}

static void work_all(struct pool *pool)
{
    check(curl_multi_socket_all(pool->multi, &pool->running), "socket_all");
}

static void act(struct pool *pool, int fd, int mask)
{
    check(curl_multi_socket_action(pool->multi, fd, mask, &pool->running),
          "action");
}

static void work_sockets(struct pool *pool)
{
    struct pollfd ready[64];
    nfds_t count = 0;

    if (pool->due >= 0 && pool->due <= now_ms())
        act(pool, CURL_SOCKET_TIMEOUT, 0);
    for (int fd = 0; fd < FDS && count < 64; fd++)
        if (pool->wanted[fd])
            ready[count++] = (struct pollfd){fd, pool->wanted[fd], 0};
    poll(ready, count, REST_MS);
    for (nfds_t i = 0; i < count; i++)
        if (ready[i].revents && pool->wanted[ready[i].fd])
            act(pool, ready[i].fd,
                (ready[i].revents & (POLLIN | POLLHUP) ? CURL_CSELECT_IN : 0) |
                    (ready[i].revents & POLLOUT ? CURL_CSELECT_OUT : 0));
}

static void rest_poll(struct pool *pool)
{
    check(curl_multi_poll(pool->multi, NULL, 0, REST_MS, NULL), "poll");
}

static void rest_wait(struct pool *pool)
{
    int ready;

    check(curl_multi_wait(pool->multi, NULL, 0, REST_MS, &ready), "wait");
}

static void rest_fdset(struct pool *pool)
{
    struct timeval left = {0, REST_MS * 1000};
    fd_set sets[3];
    int max = -1;

    memset(sets, 0, sizeof sets);
    check(curl_multi_fdset(pool->multi, &sets[0], &sets[1], &sets[2], &max),
          "fdset");
    select(max + 1, &sets[0], &sets[1], &sets[2], &left);
}

static void rest_timeout(struct pool *pool)
{
    long ms = -2;

    check(curl_multi_timeout(pool->multi, &ms), "timeout");
    if (ms < -1)
        breach("timeout says %ld", ms);
    if (ms != 0)
        rest_fdset(pool);
}

static void rest_not(struct pool *pool)
{
    (void)pool;
}

static const struct loop loops[] = {
    {"poll", work_perform, rest_poll, false},
    {"wait", work_perform, rest_wait, false},
    {"fdset", work_perform, rest_timeout, false},
    {"fixed", work_perform, rest_fdset, false},
    {"all", work_all, rest_fdset, false},
    {"epoll", work_sockets, rest_not, true},
};

/* --- the account ----------------------------------------------------------*/

static void settle(struct pool *pool, const CURLMsg *message)
{
    struct slot *slot = NULL;

    curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &slot);
    if (!slot || slot->easy != message->easy_handle || slot->pool != pool) {
        breach("a message about a stranger");
        return;
    }
    if (slot->told)
        breach("a second message");
    slot->told = true;
    done++;
    if (dice(4) == 0)
        return; /* it stays in, for now */
    check(curl_multi_remove_handle(pool->multi, slot->easy), "remove");
    slot->pool = NULL;
}

static void read_messages(struct pool *pool)
{
    CURLMsg *message;
    int left, unfinished = 0;

    while ((message = curl_multi_info_read(pool->multi, &left)))
        settle(pool, message);
    for (int i = 0; i < HANDLES; i++)
        unfinished += slots[i].pool == pool && !slots[i].told;
    if (pool->running >= 0 && pool->running != unfinished)
        breach("%d are running, not %d", pool->running, unfinished);
}

void turn(struct pool *pool)
{
    pool->running = -1; /* nothing was ready, nobody was asked */
    pool->loop->work(pool);
    if (dice(3)) /* some read messages late */
        read_messages(pool);
    pool->loop->rest(pool);
}

static void close_multi(struct pool *pool)
{
    closing = true;
    if (pool->multi)
        check(curl_multi_cleanup(pool->multi), "multi_cleanup");
    closing = false;
}

void open_pool(struct pool *pool)
{
    close_multi(pool);
    for (int i = 0; i < HANDLES; i++)
        if (slots[i].pool == pool)
            slots[i].pool = NULL;
    memset(pool, 0, sizeof *pool);
    pool->due = -1;
    pool->loop = &loops[dice(sizeof loops / sizeof *loops)];
    pool->multi = curl_multi_init();
    if (!pool->loop->sockets)
        return;
    curl_multi_setopt(pool->multi, CURLMOPT_SOCKETFUNCTION, on_socket);
    curl_multi_setopt(pool->multi, CURLMOPT_SOCKETDATA, pool);
    curl_multi_setopt(pool->multi, CURLMOPT_TIMERFUNCTION, on_timer);
    curl_multi_setopt(pool->multi, CURLMOPT_TIMERDATA, pool);
}

static void close_all(void)
{
    bool multis_first = dice(2);

    for (int i = 0; i < POOLS && multis_first; i++)
        close_multi(&pools[i]);
    for (int i = 0; i < HANDLES; i++) {
        curl_easy_cleanup(slots[i].easy);
        curl_slist_free_all(slots[i].headers);
    }
    for (int i = 0; i < POOLS && !multis_first; i++)
        close_multi(&pools[i]);
    memset(slots, 0, sizeof slots);
    memset(pools, 0, sizeof pools);
}

static void torture(unsigned long turns)
{
    for (int i = 0; i < POOLS; i++)
        open_pool(&pools[i]);
    for (unsigned long i = 0; i < turns; i++) {
        for (unsigned deeds = dice(4); deeds > 0; deeds--)
            do_outside();
        turn(&pools[dice(POOLS)]);
    }
    close_all();
}

int main(int argc, char **argv)
{
    unsigned long first, seeds, turns;

    if (argc != 6) {
        fprintf(stderr, "torture LLM_URL PLAIN_URL FIRST_SEED SEEDS TURNS\n");
        return 2;
    }
    llm_url = argv[1];
    plain_url = argv[2];
    first = strtoul(argv[3], NULL, 10);
    seeds = strtoul(argv[4], NULL, 10);
    turns = strtoul(argv[5], NULL, 10);
    alarm(600);
    curl_global_init(CURL_GLOBAL_ALL);
    for (seed = first; seed < first + seeds; seed++) {
        dice_state = seed * 2654435761u + 1;
        torture(turns);
    }
    curl_global_cleanup();
    printf("%lu seeds, breaches %u\n", seeds, breaches);
    fprintf(stderr, "%lu messages\n", done);
    leave(breaches ? 1 : 0);
}
