/* SPDX-License-Identifier: MIT */
/* fake_multi - the multi interface of fake_curl: one multi at a time. */
#include "fake_parts.h"

#include "check.h"
#include "engine/notices.h"

#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>

static uns_ns next_due(void)
{
    uns_ns next = UNS_NEVER;

    for (unsigned i = 0; i < fake.easies; i++) {
        const struct fake_easy *easy = &fake.easy[i];

        if (easy->in_multi && !easy->done && fake_due_of(easy) < next)
            next = fake_due_of(easy);
    }
    return next;
}

/* Milliseconds until something happens, rounded up; -1: nothing will. */
static long timeout_ms(void)
{
    uns_ns due = next_due();

    if (due == UNS_NEVER)
        return -1;
    return due <= fake.now_ns
               ? 0
               : (long)((due - fake.now_ns + UNS_MS - 1) / UNS_MS);
}

CURLM *fake_multi_init(void)
{
    if (fake.fail_multi_init)
        return NULL;
    fake.multis++;
    return &fake;
}

CURLMcode fake_multi_cleanup(CURLM *multi)
{
    (void)multi;
    for (unsigned i = 0; i < fake.easies; i++)
        if (fake.easy[i].in_multi)
            fake_breach("a multi is cleaned up with a handle in it");
    fake.multis_closed++;
    return CURLM_OK;
}

CURLSH *fake_share_init(void)
{
    if (fake.fail_share_init)
        return NULL;
    fake.shares++;
    return &fake.shares;
}

CURLSHcode fake_share_setopt(CURLSH *share, CURLSHoption option, ...)
{
    va_list ap;

    assert_ptr_equal(share, &fake.shares);
    assert_int_equal(option, CURLSHOPT_SHARE);
    va_start(ap, option);
    assert_int_equal(va_arg(ap, curl_lock_data), CURL_LOCK_DATA_DNS);
    va_end(ap);
    return fake.fail_share_setopt ? CURLSHE_NOMEM : CURLSHE_OK;
}

CURLSHcode fake_share_cleanup(CURLSH *share)
{
    for (unsigned i = 0; i < fake.easies; i++)
        if (!fake.easy[i].cleaned &&
            fake_opt(&fake.easy[i], CURLOPT_SHARE)->value.p == share)
            fake_breach("a share is cleaned up that a handle uses");
    fake.shares_closed++;
    return CURLSHE_OK;
}

CURLMcode fake_multi_setopt(CURLM *multi, CURLMoption option, ...)
{
    va_list ap;

    (void)multi;
    if (fake.fail_multi_setopt)
        return CURLM_OUT_OF_MEMORY;
    va_start(ap, option);
    fake.multi_opt[(unsigned)option % 10000] = va_arg(ap, void *);
    va_end(ap);
    return CURLM_OK;
}

static void *multi_opt(CURLMoption option)
{
    return fake.multi_opt[(unsigned)option % 10000];
}

/* As lib/multi.c's update_timer: told when it has changed. */
static void tell_timer(void)
{
    void *set = multi_opt(CURLMOPT_TIMERFUNCTION);
    uns_ns due = next_due();
    curl_multi_timer_callback timer;

    if (!set || due == fake.told_due_ns)
        return;
    memcpy(&timer, &set, sizeof timer);
    fake.told_due_ns = due;
    fake.in_callback++;
    timer(&fake, timeout_ms(), multi_opt(CURLMOPT_TIMERDATA));
    fake.in_callback--;
}

void fake_tell_notice(unsigned notice, CURL *easy)
{
    void *set = multi_opt(UNS_MOPT_NOTIFYFUNCTION);
    uns_notify_callback *notify;

    assert_non_null(set);
    memcpy(&notify, &set, sizeof notify);
    fake.in_callback++;
    notify(&fake, notice, easy, multi_opt(UNS_MOPT_NOTIFYDATA));
    fake.in_callback--;
}

int fake_tell_socket(CURL *easy, curl_socket_t fd, int what)
{
    void *set = multi_opt(CURLMOPT_SOCKETFUNCTION);
    curl_socket_callback socket;
    int code;

    assert_non_null(set);
    memcpy(&socket, &set, sizeof socket);
    fake.in_callback++;
    code = socket(easy, fd, what, multi_opt(CURLMOPT_SOCKETDATA), NULL);
    fake.in_callback--;
    return code;
}

CURLMcode fake_multi_add(CURLM *multi, CURL *handle)
{
    struct fake_easy *easy = fake_easy_of(handle);

    (void)multi;
    if (fake.in_callback)
        fake_breach("a handle is added inside a callback");
    if (++fake.adds == fake.fail_add)
        return CURLM_OUT_OF_MEMORY;
    if (easy->in_multi)
        return CURLM_ADDED_ALREADY;
    fake_start(easy);
    easy->in_multi = true;
    tell_timer();
    return CURLM_OK;
}

static bool is_blocked(int signal)
{
    sigset_t mask;

    pthread_sigmask(SIG_SETMASK, NULL, &mask);
    return sigismember(&mask, signal);
}

CURLMcode fake_multi_remove(CURLM *multi, CURL *handle)
{
    struct fake_easy *easy = fake_easy_of(handle);

    (void)multi;
    if (fake.in_callback)
        fake_breach("a handle is removed inside a callback");
    if (!easy->in_multi)
        return CURLM_OK; /* as libcurl says, too */
    if (!easy->done && !is_blocked(SIGPIPE))
        fake_breach("a connection is broken off, and SIGPIPE may strike");
    easy->in_multi = false;
    easy->removed_ns = fake.now_ns;
    tell_timer();
    return CURLM_OK;
}

CURLMcode fake_multi_perform(CURLM *multi, int *running)
{
    (void)multi;
    if (fake.in_callback)
        fake_breach("perform inside a callback");
    if (++fake.performs == fake.fail_perform)
        return CURLM_INTERNAL_ERROR;
    fake_check_spin();
    *running = 0;
    for (unsigned i = 0; i < fake.easies; i++) {
        if (!fake.easy[i].in_multi)
            continue;
        fake_work(&fake.easy[i]);
        *running += !fake.easy[i].done;
    }
    tell_timer();
    return CURLM_OK;
}

/* As lib/multi.c: asked because of a time, it tells the next one anew. */
CURLMcode fake_multi_action(CURLM *multi, curl_socket_t fd, int events,
                            int *running)
{
    if (fd == CURL_SOCKET_TIMEOUT)
        fake.told_due_ns = 0;
    (void)events;
    return fake_multi_perform(multi, running);
}

CURLMcode fake_multi_timeout(CURLM *multi, long *ms)
{
    (void)multi;
    *ms = timeout_ms();
    return CURLM_OK;
}

/* It waits for one descriptor of its own. */
CURLMcode fake_multi_waitfds(CURLM *multi, struct curl_waitfd *fds,
                             unsigned size, unsigned *count)
{
    (void)multi;
    *count = 1;
    if (fds && size < 1)
        return CURLM_OUT_OF_MEMORY;
    if (fds)
        fds[0] =
            (struct curl_waitfd){.fd = FAKE_FD, .events = CURL_WAIT_POLLIN};
    return CURLM_OK;
}

CURLMcode fake_multi_fdset(CURLM *multi, fd_set *reads, fd_set *writes,
                           fd_set *errors, int *max_fd)
{
    (void)multi;
    (void)reads;
    (void)writes;
    (void)errors;
    *max_fd = -1;
    return CURLM_OK;
}

CURLMcode fake_multi_poll(CURLM *multi, struct curl_waitfd *fds, unsigned count,
                          int ms, int *ret_count)
{
    uns_ns until = fake.now_ns + ms * UNS_MS;
    uns_ns due = next_due();

    (void)multi;
    (void)ret_count;
    if (count > 0)
        fake.alarm_fd = fds[0].fd;
    fake.alarms += count;
    if (++fake.waits == fake.fail_wait)
        return CURLM_INTERNAL_ERROR;
    if (due < until)
        until = due;
    if (until > fake.now_ns)
        fake.now_ns = until;
    fake_pass_ms(fake.stop_ms);
    fake.stop_ms = 0;
    return CURLM_OK;
}

static size_t count_inside(bool done)
{
    size_t count = 0;

    for (unsigned i = 0; i < fake.easies; i++)
        count += fake.easy[i].in_multi && fake.easy[i].done == done;
    return count;
}

CURL **fake_multi_get_handles(CURLM *multi)
{
    size_t count = count_inside(false) + count_inside(true);
    CURL **list = malloc((count + 1) * sizeof *list), **at = list;

    (void)multi;
    for (unsigned i = 0; list && i < fake.easies; i++)
        if (fake.easy[i].in_multi)
            *at++ = &fake.easy[i];
    if (list)
        *at = NULL;
    return list;
}

CURLMcode fake_multi_get_offt(CURLM *multi, CURLMinfo_offt info,
                              curl_off_t *value)
{
    const size_t counts[] = {
        [CURLMINFO_XFERS_CURRENT] = count_inside(false) + count_inside(true),
        [CURLMINFO_XFERS_RUNNING] = count_inside(false),
        [CURLMINFO_XFERS_PENDING] = 0,
        [CURLMINFO_XFERS_DONE] = count_inside(true),
        [CURLMINFO_XFERS_ADDED] = fake.adds,
    };

    (void)multi;
    if (info < 1 || info >= sizeof counts / sizeof *counts)
        return CURLM_UNKNOWN_OPTION;
    *value = (curl_off_t)counts[info];
    return CURLM_OK;
}

char *fake_maprintf(const char *format, ...)
{
    va_list ap;
    char *text;

    assert_string_equal(format, "%*s");
    va_start(ap, format);
    text = calloc(1, (size_t)va_arg(ap, int) + 1);
    va_end(ap);
    return text;
}

CURLMsg *fake_multi_info_read(CURLM *multi, int *left)
{
    (void)multi;
    *left = 0;
    for (unsigned i = 0; i < fake.easies; i++) {
        struct fake_easy *easy = &fake.easy[i];

        if (!easy->in_multi || !easy->done || easy->told)
            continue;
        easy->told = true;
        easy->message.msg = CURLMSG_DONE;
        easy->message.easy_handle = easy;
        easy->message.data.result = easy->code;
        return &easy->message;
    }
    return NULL;
}
