/* SPDX-License-Identifier: MIT */

/*
 * loops - an application of the multi interface: `loops CASE URL` drives one
 * POST by the loop of that name, or does what few do, and prints what it sees.
 * The output must not depend on a preload.
 */

#define CURL_DISABLE_DEPRECATION /* old functions, too */
#include <curl/curl.h>
#undef curl_multi_socket

#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/select.h>

static int running;

static size_t count_bytes(char *data, size_t size, size_t count, void *arg)
{
    (void)data;
    *(size_t *)arg += size * count;
    return size * count;
}

static CURL *new_post(const char *url, size_t *got)
{
    CURL *easy = curl_easy_init();

    curl_easy_setopt(easy, CURLOPT_URL, url);
    curl_easy_setopt(easy, CURLOPT_COPYPOSTFIELDS,
                     "{\"model\":\"m\",\"stream\":true}");
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, count_bytes);
    curl_easy_setopt(easy, CURLOPT_WRITEDATA, got);
    return easy;
}

/* One turn of a loop: sleep, then let libcurl work. */
static void turn_poll(CURLM *multi)
{
    int ready = 0;

    curl_multi_poll(multi, NULL, 0, 1000, &ready);
    curl_multi_perform(multi, &running);
}

static void turn_wait(CURLM *multi)
{
    int ready = 0;

    curl_multi_wait(multi, NULL, 0, 1000, &ready);
    curl_multi_perform(multi, &running);
}

static void turn_fdset(CURLM *multi)
{
    fd_set sets[3];
    long ms = -1;
    int max = -1;
    struct timeval pause;

    for (int i = 0; i < 3; i++)
        FD_ZERO(&sets[i]);
    curl_multi_timeout(multi, &ms);
    if (ms < 0 || ms > 100)
        ms = 100;
    curl_multi_fdset(multi, &sets[0], &sets[1], &sets[2], &max);
    pause = (struct timeval){0, ms * 1000};
    select(max + 1, &sets[0], &sets[1], &sets[2], &pause);
    curl_multi_perform(multi, &running);
}

/* What the socket and timer callbacks last asked for. */
static struct pollfd watched = {-1, 0, 0};
static long timer_ms = -1;

static int on_socket(CURL *easy, curl_socket_t fd, int what, void *arg,
                     void *own)
{
    (void)easy;
    (void)arg;
    (void)own;
    watched.fd = what == CURL_POLL_REMOVE ? -1 : fd;
    watched.events = (short)((what & CURL_POLL_IN ? POLLIN : 0) |
                             (what & CURL_POLL_OUT ? POLLOUT : 0));
    return 0;
}

static int on_timer(CURLM *multi, long ms, void *arg)
{
    (void)multi;
    (void)arg;
    timer_ms = ms;
    return 0;
}

/* The descriptor that is ready, or CURL_SOCKET_TIMEOUT: the timer fires, once
 * for each time that it was set. */
static curl_socket_t sleep_for_socket(void)
{
    int ms = timer_ms < 0 || timer_ms > 1000 ? 1000 : (int)timer_ms;

    if (poll(&watched, 1, ms) > 0)
        return watched.fd;
    timer_ms = -1;
    return CURL_SOCKET_TIMEOUT;
}

static void turn_action(CURLM *multi)
{
    curl_multi_socket_action(multi, sleep_for_socket(), 0, &running);
}

static void turn_socket(CURLM *multi)
{
    curl_multi_socket(multi, sleep_for_socket(), &running);
}

static void turn_all(CURLM *multi)
{
    sleep_for_socket();
    curl_multi_socket_all(multi, &running);
}

static void tell(CURLM *multi)
{
    int left = -1;
    const CURLMsg *message = curl_multi_info_read(multi, &left);
    long status = 0;

    if (message)
        curl_easy_getinfo(message->easy_handle, CURLINFO_RESPONSE_CODE,
                          &status);
    printf("done %d, HTTP %ld, %d left\n",
           message ? (int)message->data.result : -1, status, left);
}

static void drive(CURLM *multi, CURL *easy, void (*turn)(CURLM *))
{
    printf("add %d\n", curl_multi_add_handle(multi, easy));
    do
        turn(multi);
    while (running);
    tell(multi);
    printf("remove %d\n", curl_multi_remove_handle(multi, easy));
}

static void loop(const char *url, void (*turn)(CURLM *))
{
    CURLM *multi = curl_multi_init();
    size_t got = 0;
    CURL *easy = new_post(url, &got);

    curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, on_socket);
    curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, on_timer);
    drive(multi, easy, turn);
    drive(multi, easy, turn);
    printf("%s\n", got ? "a body" : "nothing");
    curl_easy_cleanup(easy);
    printf("cleanup %d\n", curl_multi_cleanup(multi));
}

/* No handles, or none of the kind. */
static void wrong(const char *url)
{
    CURLM *multi = curl_multi_init();
    CURL *easy = curl_easy_init();
    long ms = 0;
    int left = 0;

    (void)url;
    printf("%d ", curl_multi_perform(NULL, &running));
    printf("%d ", curl_multi_add_handle(NULL, NULL));
    printf("%d ", curl_multi_add_handle(multi, NULL));
    printf("%d ", curl_multi_remove_handle(multi, NULL));
    printf("%d ", curl_multi_remove_handle(multi, easy));
    printf("%d ", curl_multi_setopt(multi, (CURLMoption)999, 1L));
    printf("%d ", curl_multi_setopt(multi, (CURLMoption)31, 1L));
    printf("%d ", curl_multi_timeout(NULL, &ms));
    printf("%d ", curl_multi_info_read(NULL, &left) != NULL);
    printf("%d ", curl_multi_cleanup(NULL));
    printf("%d\n", curl_multi_cleanup(multi));
    curl_easy_cleanup(easy);
}

/* A multi used inside a callback of its own. */
struct within {
    CURLM *multi;
    CURL *easy, *other;
    int asked;
};

static size_t ask_within(char *data, size_t size, size_t count, void *arg)
{
    struct within *within = arg;

    (void)data;
    if (within->asked++)
        return size * count;
    printf("%d ", curl_multi_add_handle(within->multi, within->easy));
    printf("%d ", curl_multi_add_handle(within->multi, within->other));
    printf("%d ", curl_multi_remove_handle(within->multi, within->easy));
    printf("%d\n", curl_multi_cleanup(within->multi));
    return size * count;
}

static void inside(const char *url)
{
    size_t got = 0;
    struct within within = {curl_multi_init(), new_post(url, &got),
                            new_post(url, &got), 0};

    curl_easy_setopt(within.easy, CURLOPT_WRITEFUNCTION, ask_within);
    curl_easy_setopt(within.easy, CURLOPT_WRITEDATA, &within);
    drive(within.multi, within.easy, turn_poll);
    printf("set %d\n",
           curl_multi_setopt(within.multi, CURLMOPT_MAXCONNECTS, 2L));
    curl_easy_cleanup(within.other);
    curl_easy_cleanup(within.easy);
    printf("cleanup %d\n", curl_multi_cleanup(within.multi));
}

/* An easy handle that is used both ways, and one that goes while added. */
static void both(const char *url)
{
    size_t got = 0;
    CURLM *multi = curl_multi_init();
    CURL *easy = new_post(url, &got);

    drive(multi, easy, turn_poll);
    printf("perform %d\n", curl_easy_perform(easy));
    curl_easy_setopt(easy, CURLOPT_HTTPGET, 1L);
    drive(multi, easy, turn_poll);
    printf("add %d\n", curl_multi_add_handle(multi, easy));
    curl_easy_cleanup(easy);
    printf("cleanup %d\n", curl_multi_cleanup(multi));
}

static const struct {
    const char *name;
    void (*turn)(CURLM *);
    void (*run)(const char *);
} cases[] = {
    {"poll", turn_poll, NULL},     {"wait", turn_wait, NULL},
    {"fdset", turn_fdset, NULL},   {"action", turn_action, NULL},
    {"socket", turn_socket, NULL}, {"all", turn_all, NULL},
    {"wrong", NULL, wrong},        {"inside", NULL, inside},
    {"both", NULL, both},
};

int main(int argc, char **argv)
{
    for (size_t i = 0; argc == 3 && i < sizeof cases / sizeof *cases; i++) {
        if (strcmp(cases[i].name, argv[1]) != 0)
            continue;
        if (cases[i].turn)
            loop(argv[2], cases[i].turn);
        else
            cases[i].run(argv[2]);
        return 0;
    }
    return 2;
}
