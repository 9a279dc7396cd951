/* SPDX-License-Identifier: MIT */
#ifndef UNS_TESTS_FAKE_CURL_H
#define UNS_TESTS_FAKE_CURL_H

/*
 * fake_curl - a libcurl that plays a script, and a clock that only it moves.
 *
 * Each request, in the order of sending, plays the beats that the test gave
 * it.  Waiting moves the clock to the next beat.  It keeps to libcurl's rules
 * as of 7.88 (what a pause delivers again, which code a short write gives) and
 * notes every breach of them by its caller: a handle added or removed inside a
 * callback, cleaned up inside a multi, used after its end.
 *
 * The engine asks for the time by an inline clock_gettime; the linker sends
 * that here (--wrap, in the Makefile), so nothing in the engine knows of tests.
 */

#include "shim/abi.h"

#include "core/units.h"

/* What a server does, `at_ms` after its request was sent. */
struct fake_beat {
    enum {
        FAKE_SILENCE, /* nothing more, ever: ends the list */
        FAKE_HEAD,    /* header lines, given one by one */
        FAKE_BODY,    /* one piece */
        FAKE_END      /* the transfer ends with `code` */
    } deed;

    int at_ms;
    const char *text;
    CURLcode code;
};

#define HEAD(at, lines)                    \
    {                                      \
        FAKE_HEAD, (at), (lines), CURLE_OK \
    }
#define BODY(at, piece)                    \
    {                                      \
        FAKE_BODY, (at), (piece), CURLE_OK \
    }
#define END(at, result)                \
    {                                  \
        FAKE_END, (at), NULL, (result) \
    }
#define SILENCE                         \
    {                                   \
        FAKE_SILENCE, 0, NULL, CURLE_OK \
    }

struct fake_opt {
    unsigned count; /* how often it was set */

    union {
        long l;
        curl_off_t o;
        void *p;
        void (*f)(void);
    } value;

    const char *text; /* a string's copy; the lines of HTTPHEADER */
};

struct fake_info {
    CURLINFO info;

    union {
        long l;
        curl_off_t o;
        double d;
    } value;
};

struct fake_easy {
    struct fake_opt opt[UNS_OPT_SLOTS];
    struct fake_info info[12];
    const char *headers; /* lines that it sent; NULL: none of its own */
    const struct fake_beat *beat; /* the next one */
    const char *line;             /* where in a HEAD beat */
    bool in_multi, cleaned, sent, paused, done, told, read;
    CURLcode code;
    int status;
    uns_ns start_ns, removed_ns;
    char body[4096]; /* that it sent */
    size_t body_len;
    unsigned owed; /* bits of the piece that waits for the unpause */
    const char *owed_bytes;
    size_t owed_len;
    curl_off_t received;
    CURLMsg message;
};

#define FAKE_EASIES 16
#define FAKE_FD     777 /* the multi's descriptor, for who asks */

struct fake {
    uns_ns now_ns;
    struct fake_easy easy[FAKE_EASIES]; /* in order of init */
    unsigned easies;
    struct fake_easy *request[FAKE_EASIES]; /* in order of sending */
    unsigned requests;
    const struct fake_beat *const *plays; /* one for each request */
    size_t play_count;
    const struct fake_info *infos[FAKE_EASIES]; /* a request's, {0} ends */
    unsigned in_callback;
    void *multi_opt[400];
    uns_ns told_due_ns; /* what the multi's timer callback knows */
    unsigned performs, waits, multis, multis_closed, pauses;
    unsigned alarms; /* descriptors of others that were waited for, too ... */
    int alarm_fd;    /* ... and the last of them */
    unsigned progress, meters; /* told so often; drawn by libcurl itself */
    const char *breach;        /* the first rule that was broken; NULL: none */
    unsigned version;          /* of libcurl, 0xXXYYZZ */

    /* The n-th call of these fails, counted from 1; 0: none. */
    unsigned fail_init, fail_add, fail_perform, fail_wait;
    unsigned unsent; /* request n, not the first, never gets a connection */
    int stop_ms;     /* the process is stopped so long in the next wait */
    bool fail_multi_init, fail_multi_setopt, fail_share_init, fail_share_setopt;
    unsigned shares, shares_closed, inits, adds;
    struct fake_easy *header_asked; /* of curl_easy_header, nextheader */
};

extern struct fake fake;

/* A libcurl of this making. */
extern const struct uns_real fake_real;

/* Forget all, at second 1000 of the clock. */
void fake_reset(void);

/* The option as it stands on the handle; never NULL. */
const struct fake_opt *fake_opt(const struct fake_easy *easy, CURLoption id);

/* Let time pass, as inside an application's callback. */
void fake_pass_ms(int ms);

/* As libcurl, inside a turn: call the socket callback that is set on the multi.
 * Returns what that returns. */
int fake_tell_socket(CURL *easy, curl_socket_t fd, int what);

/* The same with the notify callback, of libcurl 8.17 and later. */
void fake_tell_notice(unsigned notice, CURL *easy);

/* Fail the test if a rule was broken or a handle or multi is left. */
void fake_check(const char *row);

#endif
