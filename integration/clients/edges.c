/* SPDX-License-Identifier: MIT */

/*
 * edges - an application of libcurl that does what few do, and prints what it
 * sees.  `edges CASE URL`; the output must not depend on a preload.
 */

#include "integration/older.h"

#include <curl/curl.h>
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static size_t drop(char *data, size_t size, size_t count, void *arg)
{
    (void)data;
    *(size_t *)arg += size * count;
    return size * count;
}

static CURL *new_post(const char *url, size_t *got)
{
    CURL *easy = curl_easy_init();

    curl_easy_setopt(easy, CURLOPT_URL, url);
    curl_easy_setopt(easy, CURLOPT_COPYPOSTFIELDS, "{\"model\":\"m\"}");
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, drop);
    curl_easy_setopt(easy, CURLOPT_WRITEDATA, got);
    curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    return easy;
}

static int perform(CURL *easy, const char *what, const size_t *got)
{
    CURLcode code = curl_easy_perform(easy);
    long status = 0;

    curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status);
    printf("%s: %d, HTTP %ld, %s\n", what, code, status,
           *got ? "a body" : "nothing");
    return code;
}

/* No handle at all. */
static void null_handles(const char *url)
{
    long value = 0;

    (void)url;
    printf("%d ", curl_easy_setopt(NULL, CURLOPT_URL, "http://h/"));
    printf("%d ", curl_easy_perform(NULL));
    printf("%d ", curl_easy_getinfo(NULL, CURLINFO_RESPONSE_CODE, &value));
    printf("%d ", curl_easy_pause(NULL, 0));
    printf("%d ", curl_easy_header(NULL, "a", 0, CURLH_HEADER, -1, NULL));
    printf("\n");
    curl_easy_cleanup(NULL);
}

/* errno and dlerror() as the program left them. */
static void errors(const char *url)
{
    size_t got = 0;
    CURL *easy;
    const char *text;

    (void)dlsym(RTLD_DEFAULT, "no_such_symbol");
    errno = 0;
    easy = curl_easy_init();
    errno = 1234;
    curl_easy_setopt(easy, CURLOPT_URL, url);
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, drop);
    curl_easy_setopt(easy, CURLOPT_WRITEDATA, &got);
    printf("errno %d\n", errno);
    text = dlerror();
    printf("pending %s\n",
           text && strstr(text, "no_such_symbol") ? "kept" : "lost");
    text = dlerror();
    printf("then %s\n", text ? text : "none");
    perform(easy, "get", &got);
    text = dlerror();
    printf("then %s\n", text ? text : "none");
    curl_easy_cleanup(easy);
}

/* Addresses come back; copies and resets between. */
static void reuse(const char *url)
{
    size_t got = 0;

    for (int i = 0; i < 2000; i++) {
        CURL *easy = new_post(url, &got), *copy;

        curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE, 3L);
        curl_easy_setopt(easy, CURLOPT_COPYPOSTFIELDS, "{  }");
        copy = curl_easy_duphandle(easy);
        if (i % 3 == 0)
            curl_easy_reset(easy);
        curl_easy_cleanup(easy);
        if (i == 1999)
            perform(copy, "the last copy", &got);
        curl_easy_cleanup(copy);
    }
}

/* A handle that the preload never saw come: made through dlsym. */
static void unseen(const char *url)
{
    void *libcurl = dlopen("libcurl.so.4", RTLD_NOW);
    CURL *(*init)(void);
    void *found = libcurl ? dlsym(libcurl, "curl_easy_init") : NULL;
    size_t got = 0;
    CURL *easy;

    if (!found)
        return;
    memcpy(&init, &found, sizeof(init));
    easy = init();
    curl_easy_setopt(easy, CURLOPT_URL, url);
    curl_easy_setopt(easy, CURLOPT_POSTFIELDS, "{}");
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, drop);
    curl_easy_setopt(easy, CURLOPT_WRITEDATA, &got);
    perform(easy, "unseen", &got);
    curl_easy_cleanup(easy);
    dlclose(libcurl);
}

static void *work(void *url)
{
    uintptr_t failed = 0;

    for (int i = 0; i < 20; i++) {
        size_t got = 0;
        CURL *easy = new_post(url, &got);

        failed += curl_easy_perform(easy) != CURLE_OK || !got;
        curl_easy_cleanup(easy);
    }
    return (void *)failed;
}

/* Many threads, and children born in the middle of it. */
static void threads(const char *url)
{
    enum {
        COUNT = 16
    };

    pthread_t thread[COUNT];
    uintptr_t failed = 0;
    int bad_children = 0;

    for (int i = 0; i < COUNT; i++)
        pthread_create(&thread[i], NULL, work, (void *)(uintptr_t)url);
    for (int i = 0; i < 5; i++) {
        pid_t pid = fork();
        int status = -1;

        if (pid == 0) {
            CURL *easy = curl_easy_init();

            curl_easy_setopt(easy, CURLOPT_URL, "file:///dev/null");
            _exit((int)curl_easy_perform(easy));
        }
        waitpid(pid, &status, 0);
        bad_children += status != 0;
    }
    for (int i = 0; i < COUNT; i++) {
        void *result = NULL;

        pthread_join(thread[i], &result);
        failed += (uintptr_t)result;
    }
    printf("failed %d, children %d\n", (int)failed, bad_children);
}

/* The same handle for a call, a page, and a call again. */
static void mixed(const char *url)
{
    size_t got = 0;
    CURL *easy = new_post(url, &got);

    perform(easy, "post", &got);
    got = 0;
    curl_easy_setopt(easy, CURLOPT_URL, "file:///etc/hostname");
    curl_easy_setopt(easy, CURLOPT_HTTPGET, 1L);
    perform(easy, "file", &got);
    got = 0;
    curl_easy_reset(easy);
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, drop);
    curl_easy_setopt(easy, CURLOPT_WRITEDATA, &got);
    perform(easy, "no URL", &got);
    curl_easy_cleanup(easy);
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*run)(const char *url);
    } cases[] = {
        {"null", null_handles}, {"errors", errors},   {"reuse", reuse},
        {"unseen", unseen},     {"threads", threads}, {"mixed", mixed},
    };

    for (size_t i = 0; argc == 3 && i < sizeof(cases) / sizeof(*cases); i++)
        if (strcmp(argv[1], cases[i].name) == 0) {
            curl_global_init(CURL_GLOBAL_DEFAULT);
            cases[i].run(argv[2]);
            curl_global_cleanup();
            return EXIT_SUCCESS;
        }
    fprintf(stderr, "usage: edges CASE URL\n");
    return EXIT_FAILURE;
}
