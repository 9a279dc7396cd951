/* SPDX-License-Identifier: MIT */

/*
 * setopt - what an option costs an application: nanoseconds a call, for each
 * kind of value, and for a handle's life.  The least of many rounds, since
 * everything else on the machine can only add.  Run by bench/setopt.sh.
 */

#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>
#undef curl_easy_setopt
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum {
    ROUNDS = 40,
    CALLS = 5000
};

static int64_t now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static void set_long(CURL *easy)
{
    curl_easy_setopt(easy, CURLOPT_TIMEOUT, 30L);
}

static void set_pointer(CURL *easy)
{
    curl_easy_setopt(easy, CURLOPT_WRITEDATA, easy);
}

static void set_string(CURL *easy)
{
    curl_easy_setopt(easy, CURLOPT_URL, "https://example.com/some/path");
}

static void get_info(CURL *easy)
{
    long status;

    curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status);
}

static void life(CURL *easy)
{
    (void)easy;
    curl_easy_cleanup(curl_easy_init());
}

static double least(void (*call)(CURL *), CURL *easy, int calls)
{
    int64_t best = INT64_MAX;

    for (int round = 0; round < ROUNDS; round++) {
        int64_t began = now_ns(), took;

        for (int i = 0; i < calls; i++)
            call(easy);
        took = now_ns() - began;
        if (took < best)
            best = took;
    }
    return (double)best / calls;
}

int main(void)
{
    static const struct {
        const char *name;
        void (*call)(CURL *easy);
        int calls;
    } rows[] = {
        {"setopt_long",    set_long,    CALLS     },
        {"setopt_pointer", set_pointer, CALLS     },
        {"setopt_string",  set_string,  CALLS     },
        {"getinfo",        get_info,    CALLS     },
        {"init_cleanup",   life,        CALLS / 50},
    };

    CURL *easy = curl_easy_init();

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        printf("%s %.1f\n", rows[i].name,
               least(rows[i].call, easy, rows[i].calls));
    curl_easy_cleanup(easy);
    return EXIT_SUCCESS;
}
