/* SPDX-License-Identifier: MIT */
#ifndef EASY_H
#define EASY_H

/*
 * easy - a program that uses libcurl's easy interface in all the ways that a
 * test wants to compare without and with the preload.  The body goes to
 * stdout; what happened, and in which order, to stderr.  Nothing that it says
 * depends on time, unless it is asked to (`clock`).
 *
 *     easy URL BODY [VERB[=NUMBER]...]
 */

#define CURL_DISABLE_DEPRECATION
#define CURL_DISABLE_DEPRECATION /* IOCTLFUNCTION */
#include <curl/curl.h>
#include <stdio.h>
#include <time.h>

/* Each verb's number: 0 unless it was said, 1 if it was said without. */
struct verbs {
#define VERB(name) long name;
#include "verbs.def"
#undef VERB
};

/* What WRITEDATA points at. */
struct sink {
    struct run *run;
    const char *name;
};

/* How far the one pause has got. */
enum pause {
    NOT_YET,
    PAUSED,
    RESUMED
};

/* One handle, and what happened to it. */
struct run {
    CURL *curl, *copy;
    const struct verbs *verbs;
    const char *url, *body;
    struct curl_slist *list;
    CURLSH *share;
    CURLU *parsed;
    FILE *out, *in;
    struct sink first, second, lines;
    size_t read_at, bytes;
    int descriptors; /* before the first call */
    unsigned long sum;
    long pieces, headers, progress_calls, others, was_busy;
    enum pause pause;
    struct timespec paused_at, begun_at;
    char error[CURL_ERROR_SIZE];
};

/* --- run.c ---------------------------------------------------------------- */

/* Milliseconds. */
double easy_ms_since(const struct timespec *from);

/* "what number", unless it is to be quiet. */
void easy_tell(const struct run *run, const char *what, long number);

/* A piece of the body, to its place and into its sum. */
size_t easy_put(struct run *run, const char *bytes, size_t len);

/* --- look.c --------------------------------------------------------------- */

/* curl_easy_getinfo */
void easy_look(struct run *run);

/* The headers API. */
void easy_look_at_fields(struct run *run);

/* Are the times of the call plausible? */
void easy_look_at_clock(const struct run *run);

/* Perform with a duplicate of the handle, which is then gone. */
void easy_use_copy(struct run *run, CURL *copy);

/* Perform on the handle that is running. */
void easy_nest(struct run *run);

/* --- callbacks.c ---------------------------------------------------------- */

/* Of these names in libcurl; the last argument is what was set with them. */
size_t easy_on_body(char *bytes, size_t size, size_t count, void *sink);
size_t easy_on_header(char *bytes, size_t size, size_t count, void *run);
int easy_on_progress(void *run, curl_off_t dltotal, curl_off_t dlnow,
                     curl_off_t ultotal, curl_off_t ulnow);
size_t easy_on_read(char *out, size_t size, size_t count, void *run);
int easy_on_seek(void *run, curl_off_t offset, int origin);
curlioerr easy_on_ioctl(CURL *curl, int command, void *run);

/* --- set.c ---------------------------------------------------------------- */

/* All options of one call. */
void easy_set_up(struct run *run);

#endif
