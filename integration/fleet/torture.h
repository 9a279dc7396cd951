/* SPDX-License-Identifier: MIT */
#ifndef TORTURE_H
#define TORTURE_H

/*
 * torture - an application that does whatever libcurl allows, at any moment,
 * by the dice of a seed.  It keeps account of what it did, and so knows what
 * it may be told: torture.c has the loops and the account, torture_deeds.c
 * what can be done to a handle.
 */

#define CURL_DISABLE_DEPRECATION /* curl_multi_socket_all */
#include <curl/curl.h>
#include <stdbool.h>
#include <stdint.h>

#define HANDLES 12
#define POOLS   2
#define FDS     1024

struct pool;

/* A handle of the application. */
struct slot {
    CURL *easy;
    struct pool *pool; /* it is in this one's multi; NULL: in none */
    bool llm;
    bool told; /* its DONE has come */
    bool paused;
    bool tainted; /* its bytes are not those of an answer any more */
    uint32_t hash;
    struct curl_slist *headers;
    char error[CURL_ERROR_SIZE];
};

/* A multi of the application, and the loop around it. */
struct pool {
    CURLM *multi;
    const struct loop *loop;
    short wanted[FDS]; /* poll()'s events */
    double due;        /* of its timer; negative: none */
    int running;
};

/* How a pool's multi is let work, and waited for. */
struct loop {
    const char *name;
    void (*work)(struct pool *pool);
    void (*rest)(struct pool *pool);
    bool sockets; /* it is told of sockets and times by callbacks */
};

extern struct slot slots[HANDLES];
extern struct pool pools[POOLS];
extern bool closing; /* a multi is being cleaned up: it answers nothing */
extern const char *llm_url, *plain_url;

/* 0 .. below - 1, by the seed. */
unsigned dice(unsigned below);
void breach(const char *format, ...) __attribute__((format(printf, 1, 2)));
double now_ms(void);

size_t on_bytes(char *bytes, size_t size, size_t count, void *arg);
int on_progress(void *arg, curl_off_t a, curl_off_t b, curl_off_t c,
                curl_off_t d);

/* exit(), but where the address sanitizer is preloaded: a library of libcurl's
 * (p11-kit) waits for ever at its end then. */
void leave(int code);

/* Set a handle up for its next transfer. */
void set_up(struct slot *slot);

/* A multi for the pool, instead of what it has. */
void open_pool(struct pool *pool);

/* Something between libcurl's calls; something inside one of its callbacks.
 * `own`: the handle whose callback it is, or NULL. */
void do_outside(void);
void do_inside(struct slot *own);

/* One turn of a pool's loop. */
void turn(struct pool *pool);

#endif
