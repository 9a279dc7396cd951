/* SPDX-License-Identifier: MIT */

/*
 * eager - an application whose timer callback drives libcurl at once, from
 * inside: libcurl allows it before 7.82 and refuses it since.  `eager PLAIN_URL
 * LLM_URL`: one transfer of each, prints what it sees; the output must not
 * depend on a preload.
 */

#include <curl/curl.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>

#define FDS      256
#define QUESTION "{\"model\":\"m\",\"messages\":[],\"stream\":true}"

static CURLM *multi;
static short wanted[FDS];
static long timer_ms = -1;
static bool allowed, refused, inside;
static int running;

static int on_socket(CURL *easy, curl_socket_t fd, int what, void *arg,
                     void *own)
{
    (void)easy;
    (void)arg;
    (void)own;
    if (fd < FDS)
        wanted[fd] = (short)(what == CURL_POLL_REMOVE ? 0
                             : what == CURL_POLL_IN   ? POLLIN
                             : what == CURL_POLL_OUT  ? POLLOUT
                                                      : POLLIN | POLLOUT);
    return 0;
}

static int on_timer(CURLM *of, long ms, void *arg)
{
    CURLMcode code;

    (void)arg;
    timer_ms = ms;
    if (ms < 0 || refused || inside)
        return 0;
    inside = true;
    code = curl_multi_socket_action(of, CURL_SOCKET_TIMEOUT, 0, &running);
    inside = false;
    allowed |= code == CURLM_OK;
    refused |= code != CURLM_OK;
    return 0;
}

static size_t count_bytes(char *data, size_t size, size_t count, void *arg)
{
    (void)data;
    *(size_t *)arg += size * count;
    return size * count;
}

static void turn(void)
{
    struct pollfd ready[FDS];
    nfds_t count = 0;
    int ms = timer_ms < 0 || timer_ms > 1000 ? 1000 : (int)timer_ms;

    for (int fd = 0; fd < FDS; fd++)
        if (wanted[fd])
            ready[count++] = (struct pollfd){fd, wanted[fd], 0};
    if (poll(ready, count, ms) == 0 && timer_ms >= 0) {
        timer_ms = -1;
        curl_multi_socket_action(multi, CURL_SOCKET_TIMEOUT, 0, &running);
    }
    for (nfds_t i = 0; i < count; i++)
        if (ready[i].revents)
            curl_multi_socket_action(multi, ready[i].fd, 0, &running);
}

static void get(const char *url, const char *body)
{
    CURL *easy = curl_easy_init();
    CURLMsg *message;
    size_t got = 0;
    int left;

    curl_easy_setopt(easy, CURLOPT_URL, url);
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, count_bytes);
    curl_easy_setopt(easy, CURLOPT_WRITEDATA, &got);
    if (body)
        curl_easy_setopt(easy, CURLOPT_POSTFIELDS, body);
    inside = true; /* a handle that is being added is not to be driven yet */
    printf("add %d\n", curl_multi_add_handle(multi, easy));
    inside = false;
    while (!(message = curl_multi_info_read(multi, &left)))
        turn();
    printf("done %d, %s, remove %d\n", message->data.result,
           got ? "a body" : "nothing", curl_multi_remove_handle(multi, easy));
    curl_easy_cleanup(easy);
}

int main(int argc, char **argv)
{
    if (argc != 3)
        return 2;
    multi = curl_multi_init();
    curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, on_socket);
    curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, on_timer);
    get(argv[1], NULL);
    get(argv[2], QUESTION);
    printf("in the timer callback: %s%s\n", allowed ? "allowed" : "",
           refused ? "refused" : "");
    printf("cleanup %d\n", curl_multi_cleanup(multi));
    return 0;
}
