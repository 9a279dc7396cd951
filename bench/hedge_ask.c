/* SPDX-License-Identifier: MIT */
/*
 * hedge_ask - a program that makes LLM calls, some at a time, and knows
 * nothing of hedging: prints the quantiles of the time from its call to the
 * first byte of body that its write callback gets, in ms.
 *
 *   hedge_ask URL CALLS THREADS
 */
#include "hedge_world.h"

#include <curl/curl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

static const char *url;
static int calls;
static double *times;
static atomic_int next_call;

static double now_ms(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static size_t on_body(char *bytes, size_t size, size_t count, void *arg)
{
    double *first = arg;

    (void)bytes;
    if (*first == 0)
        *first = now_ms();
    return size * count;
}

static void *ask(void *arg)
{
    CURL *easy = curl_easy_init();
    double first;
    int call;

    curl_easy_setopt(easy, CURLOPT_URL, url);
    curl_easy_setopt(easy, CURLOPT_POSTFIELDS,
                     "{\"model\":\"m\",\"stream\":true,\"messages\":[]}");
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, on_body);
    curl_easy_setopt(easy, CURLOPT_WRITEDATA, &first);
    while ((call = atomic_fetch_add(&next_call, 1)) < calls) {
        double began = now_ms();

        first = 0;
        if (curl_easy_perform(easy) != CURLE_OK || first == 0)
            exit(1);
        times[call] = first - began;
    }
    curl_easy_cleanup(easy);
    return arg;
}

int main(int argc, char **argv)
{
    pthread_t thread[64];
    int threads = argc > 3 ? atoi(argv[3]) : 1;

    if (argc < 4 || threads > 64)
        return 2;
    url = argv[1];
    calls = atoi(argv[2]);
    times = calloc((size_t)calls, sizeof *times);
    curl_global_init(CURL_GLOBAL_DEFAULT);
    for (int i = 0; i < threads; i++)
        pthread_create(&thread[i], NULL, ask, NULL);
    for (int i = 0; i < threads; i++)
        pthread_join(thread[i], NULL);
    print_times(times, (size_t)calls);
    putchar('\n');
    return 0;
}
