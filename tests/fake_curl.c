/* SPDX-License-Identifier: MIT */
/*
 * fake_curl - see the header.  Allocates nothing, so that tests which let
 * allocations fail meet the engine's alone.
 */
#include "fake_parts.h"

#include "check.h"
#include "shim/options.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define SPINS 20000
#define START ((uns_ns)1000 * UNS_S)

struct fake fake;

static struct {
    char bytes[1 << 18];
    size_t len;
} texts;

int __wrap_clock_gettime(clockid_t clock, struct timespec *ret_time);

int __wrap_clock_gettime(clockid_t clock, struct timespec *ret_time)
{
    ret_time->tv_sec = (time_t)(fake.now_ns / UNS_S);
    ret_time->tv_nsec = (long)(fake.now_ns % UNS_S);
    if (clock == CLOCK_REALTIME)
        ret_time->tv_sec += 1700000000;
    return 0;
}

void fake_breach(const char *what)
{
    if (!fake.breach)
        fake.breach = what;
}

struct fake_easy *fake_easy_of(CURL *handle)
{
    struct fake_easy *easy = (struct fake_easy *)handle;

    if (easy->cleaned)
        fake_breach("a handle is used after its cleanup");
    return easy;
}

const struct fake_opt *fake_opt(const struct fake_easy *easy, CURLoption id)
{
    return &easy->opt[(unsigned)id % 10000];
}

void fake_reset(void)
{
    memset(&fake, 0, sizeof fake);
    fake.now_ns = START;
    fake.told_due_ns = UNS_NEVER;
    texts.len = 0;
}

void fake_pass_ms(int ms)
{
    fake.now_ns += ms * UNS_MS;
}

static const char *keep_text(const char *text, size_t len)
{
    char *copy = texts.bytes + texts.len;

    assert_true(texts.len + len + 1 < sizeof texts.bytes);
    memcpy(copy, text, len);
    copy[len] = '\0';
    texts.len += len + 1;
    return copy;
}

static const char *keep_lines(const struct curl_slist *list)
{
    const char *all = keep_text("", 0);

    for (; list; list = list->next) {
        texts.len--; /* go on where the last one ended */
        keep_text(list->data, strlen(list->data));
        texts.len--;
        keep_text("\n", 1);
    }
    return all;
}

static CURL *easy_init(void)
{
    if (++fake.inits == fake.fail_init)
        return NULL;
    assert_true(fake.easies < FAKE_EASIES);
    fake.easy[fake.easies].opt[CURLOPT_NOPROGRESS].value.l = 1;
    return &fake.easy[fake.easies++];
}

static CURLcode easy_setopt(CURL *handle, CURLoption id, ...)
{
    struct fake_easy *easy = fake_easy_of(handle);
    const struct uns_option *row = uns_option_find(id);
    struct fake_opt *opt = &easy->opt[(unsigned)id % 10000];
    va_list ap;

    va_start(ap, id);
    opt->value.p = va_arg(ap, void *);
    va_end(ap);
    opt->count++;
    opt->text = NULL;
    if (opt->value.p && row && row->kind == UNS_OPT_STRING)
        opt->text = keep_text(opt->value.p, strlen(opt->value.p));
    if (opt->value.p && id == CURLOPT_HTTPHEADER)
        opt->text = keep_lines(opt->value.p);
    return row ? CURLE_OK : CURLE_UNKNOWN_OPTION;
}

void fake_check_spin(void)
{
    if (fake.performs > SPINS)
        fail_msg("the driver spins: breach %s",
                 fake.breach ? fake.breach : "none");
}

static CURLcode easy_perform(CURL *handle)
{
    struct fake_easy *easy = fake_easy_of(handle);

    if (easy->in_multi)
        return CURLE_FAILED_INIT;
    fake_start(easy);
    while (!easy->done) {
        uns_ns due = fake_due_of(easy);

        fake.performs++;
        fake_check_spin();
        if (due > fake.now_ns)
            fake.now_ns = due == UNS_NEVER ? fake.now_ns + UNS_S : due;
        fake_work(easy);
    }
    return easy->code;
}

static void easy_cleanup(CURL *handle)
{
    struct fake_easy *easy = fake_easy_of(handle);

    if (easy->in_multi)
        fake_breach("a handle is cleaned up inside a multi");
    easy->cleaned = true;
}

static CURLcode easy_getinfo(CURL *handle, CURLINFO info, ...)
{
    const struct fake_easy *easy = fake_easy_of(handle);
    const struct fake_info *row = NULL;
    va_list ap;
    void *out;

    va_start(ap, info);
    out = va_arg(ap, void *);
    va_end(ap);
    for (unsigned n = 0; n < fake.requests; n++)
        if (fake.request[n] == easy)
            row = fake.infos[n];
    while (row && row->info && row->info != info)
        row++;
    memset(out, 0, 8);
    if (row && row->info)
        memcpy(out, &row->value, 8);
    else if (info == CURLINFO_RESPONSE_CODE)
        *(long *)out = easy->status;
    else if (info == CURLINFO_REQUEST_SIZE)
        *(long *)out = easy->read;
    else if (info == CURLINFO_PRIVATE)
        *(void **)out = fake_opt(easy, CURLOPT_PRIVATE)->value.p;
    return CURLE_OK;
}

static CURLHcode easy_header(CURL *handle, const char *name, size_t index,
                             unsigned origin, int request,
                             struct curl_header **ret_header)
{
    (void)name;
    (void)index;
    (void)origin;
    (void)request;
    (void)ret_header;
    fake.header_asked = fake_easy_of(handle);
    return CURLHE_MISSING;
}

static struct curl_header *easy_nextheader(CURL *handle, unsigned origin,
                                           int request,
                                           struct curl_header *prev)
{
    (void)origin;
    (void)request;
    (void)prev;
    fake.header_asked = fake_easy_of(handle);
    return NULL;
}

static void easy_reset(CURL *handle)
{
    struct fake_easy *easy = fake_easy_of(handle);

    memset(easy->opt, 0, sizeof easy->opt);
    easy->opt[CURLOPT_NOPROGRESS].value.l = 1;
}

static curl_version_info_data *version_info(CURLversion age)
{
    static curl_version_info_data data;

    (void)age;
    data.version_num = fake.version;
    return &data;
}

const struct uns_real fake_real = {
    .complete = true,
    .curl_version_info = version_info,
    .curl_easy_init = easy_init,
    .curl_easy_setopt = easy_setopt,
    .curl_easy_reset = easy_reset,
    .curl_easy_perform = easy_perform,
    .curl_easy_cleanup = easy_cleanup,
    .curl_easy_getinfo = easy_getinfo,
    .curl_easy_pause = fake_pause,
    .curl_easy_header = easy_header,
    .curl_easy_nextheader = easy_nextheader,
    .curl_share_init = fake_share_init,
    .curl_share_setopt = fake_share_setopt,
    .curl_share_cleanup = fake_share_cleanup,
    .curl_multi_init = fake_multi_init,
    .curl_multi_cleanup = fake_multi_cleanup,
    .curl_multi_setopt = fake_multi_setopt,
    .curl_multi_add_handle = fake_multi_add,
    .curl_multi_remove_handle = fake_multi_remove,
    .curl_multi_perform = fake_multi_perform,
    .curl_multi_wait = fake_multi_poll,
    .curl_multi_poll = fake_multi_poll,
    .curl_multi_socket_action = fake_multi_action,
    .curl_multi_timeout = fake_multi_timeout,
    .curl_multi_fdset = fake_multi_fdset,
    .curl_multi_waitfds = fake_multi_waitfds,
    .curl_multi_info_read = fake_multi_info_read,
    .curl_multi_get_handles = fake_multi_get_handles,
    .curl_multi_get_offt = fake_multi_get_offt,
    .curl_maprintf = fake_maprintf,
    .curl_free = free,
};

void fake_check(const char *row)
{
    CHECK_TEXT(row, fake.breach, NULL);
    CHECK_INT(row, fake.multis, fake.multis_closed);
    CHECK_INT(row, fake.shares, fake.shares_closed);
    for (unsigned i = 0; i < fake.easies; i++) {
        CHECK_INT(row, fake.easy[i].in_multi, false);
        CHECK_INT(row, fake.easy[i].cleaned, true);
    }
}
