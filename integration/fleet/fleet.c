/* SPDX-License-Identifier: MIT */
#include "fleet.h"

#include <pthread.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#define HUNG_S 60

double fleet_now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

void fleet_breach(struct fleet *fleet, const char *format, ...)
{
    va_list ap;

    if (fleet->breaches++ > 20)
        return;
    va_start(ap, format);
    fprintf(stderr, "%8.1f breach: ", fleet_now() - fleet->began_at);
    vfprintf(stderr, format, ap);
    fputc('\n', stderr);
    va_end(ap);
}

void fleet_check(struct fleet *fleet, CURLMcode code, const char *what)
{
    if (code != CURLM_OK)
        fleet_breach(fleet, "%s: %s", what, curl_multi_strerror(code));
}

/* --- arguments ------------------------------------------------------------*/

static const struct {
    const char *name;
    size_t offset;
    bool text;
} options[] = {
    {"llm", offsetof(struct fleet, llm), true},
    {"plain", offsetof(struct fleet, plain), true},
    {"body", offsetof(struct fleet, body), true},
    {"ca", offsetof(struct fleet, ca), true},
    {"calls", offsetof(struct fleet, calls), false},
    {"at", offsetof(struct fleet, at), false},
    {"plains", offsetof(struct fleet, plains), false},
    {"pause", offsetof(struct fleet, pause_ms), false},
    {"total", offsetof(struct fleet, total), false},
    {"host", offsetof(struct fleet, host), false},
    {"timeout", offsetof(struct fleet, timeout_ms), false},
    {"late", offsetof(struct fleet, late_ms), false},
    {"wakeup", offsetof(struct fleet, wakeup_ms), false},
    {"reuse", offsetof(struct fleet, reuse), false},
    {"http2", offsetof(struct fleet, http2), false},
};

static void read_argument(struct fleet *fleet, const char *arg)
{
    size_t len = strcspn(arg, "=");
    const char *value = arg[len] ? arg + len + 1 : "1";

    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        char *field = (char *)fleet + options[i].offset;

        if (strncmp(arg, options[i].name, len) || options[i].name[len])
            continue;
        if (options[i].text)
            memcpy(field, &value, sizeof value);
        else
            *(long *)(void *)field = strtol(value, NULL, 10);
        return;
    }
    fprintf(stderr, "no such argument: %s\n", arg);
    exit(2);
}

/* --- messages and counts --------------------------------------------------*/

static struct fleet_call *call_of(const struct fleet *fleet, CURL *easy)
{
    long all = fleet->calls + fleet->plains;

    for (long i = 0; i < all; i++)
        if (fleet->call[i].inside && fleet->call[i].easy == easy)
            return &fleet->call[i];
    return NULL;
}

bool fleet_knows(const struct fleet *fleet, CURL *easy)
{
    return call_of(fleet, easy) != NULL;
}

static void check_result(struct fleet *fleet, const struct fleet_call *call)
{
    long status = 0;
    double total = 0;

    curl_easy_getinfo(call->easy, CURLINFO_RESPONSE_CODE, &status);
    curl_easy_getinfo(call->easy, CURLINFO_TOTAL_TIME, &total);
    if (call->code == CURLE_OK && status == 0)
        fleet_breach(fleet, "ok, but no status");
    if (call->code == CURLE_OK && total * 1e3 > call->took + 50)
        fleet_breach(fleet, "took %.0f ms, says %.0f", call->took, total * 1e3);
    if (call->code != CURLE_OK && !call->error[0])
        fleet_breach(fleet, "code %d without a text", call->code);
}

static void settle(struct fleet *fleet, const CURLMsg *message, int left)
{
    struct fleet_call *call = NULL;

    if (message->msg != CURLMSG_DONE) {
        fleet_breach(fleet, "message %d", message->msg);
        return;
    }
    curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &call);
    if (!call || call->easy != message->easy_handle || !call->inside) {
        fleet_breach(fleet, "a message about a stranger");
        return;
    }
    if (call->dones++ > 0)
        fleet_breach(fleet, "done %d times", call->dones);
    call->code = message->data.result;
    call->took = fleet_now() - call->added_at;
    check_result(fleet, call);
    if (call->paused)
        fleet->paused--;
    call->paused = false;
    fleet->in_flight--;
    fleet->done++;
    if (fleet->at <= 100 && left == 0) /* all that had ended are in still */
        fleet_check_counts(fleet);
    fleet_check(fleet, curl_multi_remove_handle(fleet->multi, call->easy),
                "remove_handle");
    call->inside = false;
    fleet->inside[call->llm]--;
    fleet_put_handle(fleet, call);
}

void fleet_reap(struct fleet *fleet, int running)
{
    CURLMsg *message;
    int left = 0;

    if (running < 0)
        fleet_breach(fleet, "%d are running", running);
    while ((message = curl_multi_info_read(fleet->multi, &left)))
        settle(fleet, message, left);
    if (left)
        fleet_breach(fleet, "no message, but %d left", left);
    if (running != fleet->in_flight)
        fleet_breach(fleet, "%d are running, %ld are in flight", running,
                     fleet->in_flight);
    if (fleet->at <= 100)
        fleet_check_counts(fleet);
    fleet_feed(fleet);
}

bool fleet_is_done(const struct fleet *fleet)
{
    return fleet->done == fleet->calls + fleet->plains;
}

/* --- the loop -------------------------------------------------------------*/

static void unpause(struct fleet *fleet)
{
    long all = fleet->calls + fleet->plains;

    for (long i = 0; i < all; i++) {
        struct fleet_call *call = &fleet->call[i];

        if (!call->paused ||
            fleet_now() - call->paused_at < (double)fleet->pause_ms)
            continue;
        call->paused = false;
        fleet->paused--;
        curl_easy_pause(call->easy, CURLPAUSE_CONT);
    }
}

int fleet_pace(struct fleet *fleet)
{
    unpause(fleet);
    if (fleet->late_ms) {
        usleep((useconds_t)fleet->late_ms * 1000);
        return 0;
    }
    return fleet->paused ? 10 : 1000;
}

void fleet_saw_socket(struct fleet *fleet, CURL *easy, curl_socket_t fd,
                      int what)
{
    if (fd < 0 || fd >= FLEET_FDS) {
        fleet_breach(fleet, "socket %d", fd);
        return;
    }
    /* libcurl closes idle connections with a handle of its own. */
    if (what != CURL_POLL_REMOVE && !call_of(fleet, easy))
        fleet_breach(fleet, "a socket of a stranger");
    if (what == CURL_POLL_REMOVE && !fleet->owner[fd])
        fleet_breach(fleet, "socket %d is removed, but was not added", fd);
    fleet->owner[fd] = what == CURL_POLL_REMOVE ? NULL : easy;
}

void fleet_saw_timer(struct fleet *fleet, CURLM *multi, long timeout_ms)
{
    if (multi != fleet->multi)
        fleet_breach(fleet, "the timer of another multi");
    if (timeout_ms < -1)
        fleet_breach(fleet, "a timer of %ld ms", timeout_ms);
}

static void *keep_waking(void *arg)
{
    const struct fleet *fleet = arg;

    for (;;) {
        usleep((useconds_t)fleet->wakeup_ms * 1000);
        curl_multi_wakeup(fleet->multi);
    }
    return NULL;
}

/* --- begin and end --------------------------------------------------------*/

static void set_limits(const struct fleet *fleet)
{
    curl_multi_setopt(fleet->multi, CURLMOPT_MAX_TOTAL_CONNECTIONS,
                      fleet->total);
    curl_multi_setopt(fleet->multi, CURLMOPT_MAX_HOST_CONNECTIONS, fleet->host);
}

void fleet_open(struct fleet *fleet, char **args,
                void (*ready)(struct fleet *fleet))
{
    static pthread_t waker;

    fleet->at = 1;
    for (; *args; args++)
        read_argument(fleet, *args);
    alarm(HUNG_S);
    fleet->began_at = fleet_now();
    fleet->multi = curl_multi_init();
    fleet->call =
        calloc((size_t)(fleet->calls + fleet->plains) + 1, sizeof *fleet->call);
    fleet->headers = curl_slist_append(NULL, "content-type: application/json");
    set_limits(fleet);
    if (ready)
        ready(fleet);
    if (fleet->wakeup_ms)
        pthread_create(&waker, NULL, keep_waking, fleet);
    fleet_feed(fleet);
}

/* `WORD CODE HASH COUNT` for each kind of result, most frequent order. */
static void print_results(const struct fleet *fleet, bool llm)
{
    long first = llm ? 0 : fleet->calls;
    long end = llm ? fleet->calls : fleet->calls + fleet->plains;

    for (long i = first; i < end; i++) {
        const struct fleet_call *a = &fleet->call[i];
        long same = 0, before = 0;

        for (long j = first; j < end; j++) {
            const struct fleet_call *b = &fleet->call[j];
            bool alike = a->code == b->code && a->hash == b->hash;

            same += alike;
            before += alike && j < i;
        }
        if (!before)
            printf("%s %ld: code %d, bytes %08x%s%s\n", llm ? "llm" : "plain",
                   same, a->code, a->hash, a->code ? ", " : "",
                   a->code ? a->error : "");
    }
}

static void print_costs(const struct fleet *fleet)
{
    struct rusage used;
    double slowest = 0;

    getrusage(RUSAGE_SELF, &used);
    for (long i = 0; i < fleet->calls + fleet->plains; i++)
        if (fleet->call[i].took > slowest)
            slowest = fleet->call[i].took;
    fprintf(stderr, "slowest %.0f ms, all %.0f ms, cpu %ld ms\n", slowest,
            fleet_now() - fleet->began_at,
            (used.ru_utime.tv_sec + used.ru_stime.tv_sec) * 1000L +
                (used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1000L);
}

int fleet_close(struct fleet *fleet)
{
    while (fleet->idle)
        curl_easy_cleanup(fleet_take_handle(fleet));
    fleet_check(fleet, curl_multi_cleanup(fleet->multi), "multi_cleanup");
    for (int fd = 0; fd < FLEET_FDS; fd++)
        if (fleet->owner[fd])
            fleet_breach(fleet, "socket %d was never removed", fd);
    print_results(fleet, true);
    print_results(fleet, false);
    printf("done %ld, breaches %ld\n", fleet->done, fleet->breaches);
    print_costs(fleet);
    curl_slist_free_all(fleet->headers);
    free(fleet->call);
    return fleet->breaches ? 1 : 0;
}
