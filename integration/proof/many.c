/* SPDX-License-Identifier: MIT */
/*
 * many - THREADS threads, each with handles of its own, each of which asks
 * CALLS times; every other one through a multi of its own:
 *
 *     many URL BODY THREADS CALLS
 *
 * Exit code 1: an answer was no 200, or empty.
 */
#include <curl/curl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#define MOST 64

static char **args;
static atomic_int failed;

static size_t take(char *bytes, size_t size, size_t count, void *arg)
{
    (void)bytes;
    *(size_t *)arg += size * count;
    return size * count;
}

static CURL *new_handle(size_t *got)
{
    CURL *easy = curl_easy_init();

    curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(easy, CURLOPT_URL, args[1]);
    curl_easy_setopt(easy, CURLOPT_POSTFIELDS, args[2]);
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, take);
    curl_easy_setopt(easy, CURLOPT_WRITEDATA, got);
    return easy;
}

static void by_multi(CURL *easy)
{
    CURLM *multi = curl_multi_init();
    int running = 1;

    curl_multi_add_handle(multi, easy);
    while (running) {
        curl_multi_perform(multi, &running);
        if (running)
            curl_multi_poll(multi, NULL, 0, 100, NULL);
    }
    curl_multi_remove_handle(multi, easy);
    curl_multi_cleanup(multi);
}

static void *work(void *odd)
{
    size_t got = 0;
    CURL *easy = new_handle(&got);

    for (long i = 0; i < atol(args[4]); i++) {
        long status = 0;

        got = 0;
        if (odd)
            by_multi(easy);
        else
            curl_easy_perform(easy);
        curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status);
        if (status != 200 || got == 0)
            atomic_fetch_add(&failed, 1);
    }
    curl_easy_cleanup(easy);
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t thread[MOST];
    long count = argc == 5 ? atol(argv[3]) : 0;

    if (count < 1 || count > MOST)
        return 2;
    args = argv;
    curl_global_init(CURL_GLOBAL_ALL);
    for (long i = 0; i < count; i++)
        if (pthread_create(&thread[i], NULL, work, i % 2 ? &failed : NULL) != 0)
            return 2;
    for (long i = 0; i < count; i++)
        pthread_join(thread[i], NULL);
    curl_global_cleanup();
    return failed != 0;
}
