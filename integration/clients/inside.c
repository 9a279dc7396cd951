/* SPDX-License-Identifier: MIT */

/*
 * inside - an application that uses its handle from within its own write
 * callback.  `inside CASE URL`.
 */

#include "integration/older.h"

#include <curl/curl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct sink {
    CURL *easy, *copy;
    void (*first)(struct sink *sink); /* at the first piece */
    size_t bytes;
};

static size_t take(char *data, size_t size, size_t count, void *arg)
{
    struct sink *sink = arg;
    void (*first)(struct sink *) = sink->first;

    (void)data;
    sink->bytes += size * count;
    sink->first = NULL;
    if (first)
        first(sink);
    return size * count;
}

static void ask(struct sink *sink)
{
    struct curl_header *header = NULL;
    long status = 0;
    CURLcode code =
        curl_easy_getinfo(sink->easy, CURLINFO_RESPONSE_CODE, &status);
    CURLHcode found = curl_easy_header(sink->easy, "content-type", 0,
                                       CURLH_HEADER, -1, &header);

    printf("getinfo %d: %ld, header %d, next %d\n", code, status, found,
           curl_easy_nextheader(sink->easy, CURLH_HEADER, -1, NULL) != NULL);
}

/* A copy made in the middle has the application's own callbacks. */
static void copy(struct sink *sink)
{
    sink->copy = curl_easy_duphandle(sink->easy);
    printf("copied %d\n", sink->copy != NULL);
}

static void again(struct sink *sink)
{
    printf("perform in perform: %d\n", curl_easy_perform(sink->easy));
}

/* What follows goes to another place. */
static struct sink other;

static void redirect(struct sink *sink)
{
    printf("redirect %d\n",
           curl_easy_setopt(sink->easy, CURLOPT_WRITEDATA, &other));
}

/* Forbidden: libcurl 8.22 ignores both, older ones crash by themselves. */
static void end(struct sink *sink)
{
    curl_easy_reset(sink->easy);
    curl_easy_cleanup(sink->easy);
    printf("still here\n");
}

/* The copy gives where the original did when it was made. */
static void use_copy(struct sink *sink)
{
    CURLcode code;

    sink->bytes = 0;
    curl_easy_setopt(sink->easy, CURLOPT_WRITEDATA, &other);
    curl_easy_setopt(sink->copy, CURLOPT_URL, "file:///etc/passwd");
    curl_easy_setopt(sink->copy, CURLOPT_HTTPGET, 1L);
    code = curl_easy_perform(sink->copy);
    printf("copy %d: %s here, %s there\n", code,
           sink->bytes ? "bytes" : "nothing",
           other.bytes ? "bytes" : "nothing");
    curl_easy_cleanup(sink->copy);
}

static void run(void (*first)(struct sink *), const char *url)
{
    struct sink sink = {curl_easy_init(), NULL, first, 0};
    CURLcode code;

    curl_easy_setopt(sink.easy, CURLOPT_URL, url);
    curl_easy_setopt(sink.easy, CURLOPT_POSTFIELDS, "{\"stream\":true}");
    curl_easy_setopt(sink.easy, CURLOPT_WRITEFUNCTION, take);
    curl_easy_setopt(sink.easy, CURLOPT_WRITEDATA, &sink);
    code = curl_easy_perform(sink.easy);
    printf("%d: %s here, %s there\n", code, sink.bytes ? "bytes" : "nothing",
           other.bytes ? "bytes" : "nothing");
    if (sink.copy)
        use_copy(&sink);
    curl_easy_cleanup(sink.easy);
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*first)(struct sink *sink);
    } cases[] = {
        {"ask", ask},           {"copy", copy}, {"again", again},
        {"redirect", redirect}, {"end", end},
    };

    for (size_t i = 0; argc == 3 && i < sizeof(cases) / sizeof(*cases); i++)
        if (strcmp(argv[1], cases[i].name) == 0) {
            run(cases[i].first, argv[2]);
            return EXIT_SUCCESS;
        }
    fprintf(stderr, "usage: inside CASE URL\n");
    return EXIT_FAILURE;
}
