/* SPDX-License-Identifier: MIT */

/*
 * early - an application that wants its LLM call, and another socket callback,
 * while libcurl is in one of its callbacks and must refuse, and gets the call
 * afterwards: `early PLAIN_URL LLM_URL`.  Prints what it sees; the output must
 * not depend on a preload.
 */

#include <curl/curl.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>

#define FDS      256
#define QUESTION "{\"model\":\"m\",\"messages\":[],\"stream\":true}"

static CURLM *multi;
static CURL *plain, *llm;
static bool asked;
static size_t got[2];
static short wanted[FDS];
static long timer_ms = -1;
static unsigned strangers;

static int on_socket(CURL *easy, curl_socket_t fd, int what, void *arg,
                     void *own)
{
    (void)arg;
    (void)own;
    if (fd < FDS)
        wanted[fd] = (short)((what & CURL_POLL_IN ? POLLIN : 0) |
                             (what & CURL_POLL_OUT ? POLLOUT : 0));
    if (what == CURL_POLL_REMOVE && fd < FDS)
        wanted[fd] = 0;
    else
        strangers += easy != plain && easy != llm;
    return 0;
}

static int on_timer(CURLM *of, long ms, void *arg)
{
    (void)of;
    (void)arg;
    timer_ms = ms;
    return 0;
}

static size_t count_bytes(char *data, size_t size, size_t count, void *arg)
{
    (void)data;
    *(size_t *)arg += size * count;
    return size * count;
}

static size_t ask_early(char *data, size_t size, size_t count, void *arg)
{
    if (!asked)
        printf("inside: add %d, socket callback %d, limit %d\n",
               curl_multi_add_handle(multi, llm),
               curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, NULL),
               curl_multi_setopt(multi, CURLMOPT_MAXCONNECTS, 5L));
    asked = true;
    return count_bytes(data, size, count, arg);
}

static int turn(void)
{
    struct pollfd ready[FDS];
    nfds_t count = 0;
    int running = 0;

    for (int fd = 0; fd < FDS; fd++)
        if (wanted[fd])
            ready[count++] = (struct pollfd){fd, wanted[fd], 0};
    if (poll(ready, count, timer_ms < 0 ? 1000 : (int)timer_ms) == 0) {
        timer_ms = -1;
        curl_multi_socket_action(multi, CURL_SOCKET_TIMEOUT, 0, &running);
    }
    for (nfds_t i = 0; i < count; i++)
        if (ready[i].revents)
            curl_multi_socket_action(multi, ready[i].fd, 0, &running);
    return running;
}

static void drive(CURL *easy)
{
    CURLMsg *message;
    int left;

    printf("add %d\n", curl_multi_add_handle(multi, easy));
    do
        turn();
    while (!(message = curl_multi_info_read(multi, &left)));
    printf("done %d, remove %d\n", message->data.result,
           curl_multi_remove_handle(multi, easy));
}

static CURL *new_easy(const char *url, curl_write_callback take, size_t *sum)
{
    CURL *easy = curl_easy_init();

    curl_easy_setopt(easy, CURLOPT_URL, url);
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, take);
    curl_easy_setopt(easy, CURLOPT_WRITEDATA, sum);
    return easy;
}

int main(int argc, char **argv)
{
    if (argc != 3)
        return 2;
    multi = curl_multi_init();
    curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, on_socket);
    curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, on_timer);
    plain = new_easy(argv[1], ask_early, &got[0]);
    llm = new_easy(argv[2], count_bytes, &got[1]);
    curl_easy_setopt(llm, CURLOPT_POSTFIELDS, QUESTION);
    drive(plain);
    drive(llm);
    printf("%s, %s, strangers %u\n", got[0] ? "a body" : "nothing",
           got[1] ? "a body" : "nothing", strangers);
    curl_easy_cleanup(plain);
    curl_easy_cleanup(llm);
    printf("cleanup %d\n", curl_multi_cleanup(multi));
    return 0;
}
