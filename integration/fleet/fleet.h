/* SPDX-License-Identifier: MIT */
#ifndef FLEET_H
#define FLEET_H

/*
 * fleet - many transfers in one multi, and all that an application may rely on
 * while they run: whatever kind of loop drives them, each handle gets one DONE
 * with its own result, counts agree, and nobody hears of a stranger.  Knows
 * nothing of the preload; what it finds wrong it says on stderr and counts.
 *
 *     calls=N llm=URL body=JSON   N LLM calls ...
 *     at=M                        ... M at a time,
 *     plains=K plain=URL          beside K plain transfers
 *     reuse                       on M handles, used again and again
 *     pause=MS                    each pauses at one of its pieces, and
 *                                 is unpaused from outside after MS
 *     total=N, host=N             CURLMOPT_MAX_TOTAL_CONNECTIONS, ..._HOST_...
 *     timeout=MS                  CURLOPT_TIMEOUT_MS of each
 *     ca=FILE, http2              for TLS; headers are not compared
 *     late=MS                     the loop is late each time; timers first
 *     wakeup=MS                   a thread wakes the loop up all the time
 */

#define CURL_DISABLE_DEPRECATION /* curl_multi_socket_all */
#include <curl/curl.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#define FLEET_FDS 4096

struct fleet;

struct fleet_call {
    struct fleet *fleet;
    CURL *easy;
    bool llm, inside, pausing, paused;
    int pieces;
    double added_at, paused_at, took;
    int dones;
    CURLcode code;
    uint32_t hash; /* of headers and body */
    char error[CURL_ERROR_SIZE];
    struct fleet_call *idle; /* the next one whose handle is free */
};

struct fleet {
    /* as asked for */
    const char *llm, *plain, *body, *ca;
    long calls, at, plains, pause_ms, total, host, timeout_ms, late_ms;
    long wakeup_ms;
    long reuse, http2;

    CURLM *multi;
    struct curl_slist *headers;
    struct fleet_call *call; /* the LLM calls, then the plain ones */
    long next[2], inside[2]; /* plain, LLM */
    long in_flight;          /* added, and no DONE yet */
    long done, breaches, paused;
    struct fleet_call *idle;
    CURL *owner[FLEET_FDS]; /* of a socket that the loop is to watch */
    double began_at;
};

/* Read the arguments, make the multi, add the first transfers after `ready`
 * (may be NULL) has set its callbacks. */
void fleet_open(struct fleet *fleet, char **args,
                void (*ready)(struct fleet *fleet));

/* After libcurl has worked and says that so many are running: read messages,
 * check, add what is next. */
void fleet_reap(struct fleet *fleet, int running);

/* Before the loop sleeps: unpause what has paused long enough; wait if the
 * loop is to be late.  Returns how long it may sleep at most. */
int fleet_pace(struct fleet *fleet);

bool fleet_is_done(const struct fleet *fleet);

/* What the loop's own callbacks were told. */
void fleet_saw_socket(struct fleet *fleet, CURL *easy, curl_socket_t fd,
                      int what);
void fleet_saw_timer(struct fleet *fleet, CURLM *multi, long timeout_ms);

/* The handle is one that it has put into the multi. */
bool fleet_knows(const struct fleet *fleet, CURL *easy);

/* libcurl's list and numbers of the handles are those that it has put there
 * (counts.c). */
void fleet_check_counts(struct fleet *fleet);

/* Complain unless libcurl said OK. */
void fleet_check(struct fleet *fleet, CURLMcode code, const char *what);
void fleet_breach(struct fleet *fleet, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Milliseconds. */
double fleet_now(void);

/* Add transfers until `at` of each kind are in the multi. */
void fleet_feed(struct fleet *fleet);

/* A handle that is free, or a new one; and back, or cleaned up. */
CURL *fleet_take_handle(struct fleet *fleet);
void fleet_put_handle(struct fleet *fleet, struct fleet_call *call);

/* Clean up, print the summary.  Returns the program's exit code. */
int fleet_close(struct fleet *fleet);

#endif
