/* SPDX-License-Identifier: MIT */
/* A program that leaves a streamed call in the middle: leave HOW URL BODY.
 * At its fifth piece it jumps out of the callback, ends, becomes another
 * program, or forks a child that has had enough; `leak` stops driving its multi
 * and returns from main. */
#include <curl/curl.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define PIECES 5

static const char *how;
static int pieces;
static jmp_buf out;

static void leave(void)
{
    if (strcmp(how, "longjmp") == 0)
        longjmp(out, 1);
    if (strcmp(how, "_exit") == 0)
        _exit(0);
    if (strcmp(how, "exit") == 0)
        exit(0);
    if (strcmp(how, "exec") == 0)
        execl("/bin/true", "true", (char *)NULL);
    if (strcmp(how, "fork") == 0 && fork() == 0)
        how = "child";
}

static size_t take(char *bytes, size_t size, size_t count, void *arg)
{
    (void)bytes;
    (void)arg;
    if (++pieces == PIECES)
        leave();
    return strcmp(how, "child") == 0 ? 0 : size * count;
}

static int perform(CURL *easy)
{
    CURLcode code;

    if (setjmp(out))
        return 0; /* the handle is of no more use */
    code = curl_easy_perform(easy);
    if (strcmp(how, "fork") == 0)
        while (wait(NULL) > 0)
            ;
    return code == CURLE_OK ? 0 : 1;
}

static int leak(CURL *easy)
{
    CURLM *multi = curl_multi_init();
    int running = 1;

    curl_multi_add_handle(multi, easy);
    while (running && pieces < PIECES) {
        curl_multi_perform(multi, &running);
        curl_multi_poll(multi, NULL, 0, 100, NULL);
    }
    return 0;
}

int main(int argc, char **argv)
{
    CURL *easy = curl_easy_init();

    if (argc != 4 || !easy)
        return 2;
    how = argv[1];
    curl_easy_setopt(easy, CURLOPT_URL, argv[2]);
    curl_easy_setopt(easy, CURLOPT_POSTFIELDS, argv[3]);
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, take);
    return strcmp(how, "leak") == 0 ? leak(easy) : perform(easy);
}
