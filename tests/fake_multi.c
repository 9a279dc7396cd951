/* SPDX-License-Identifier: MIT */
/* fake_multi - the multi interface of fake_curl: one multi at a time. */
#include "fake_parts.h"

#include "check.h"

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

CURLMcode fake_multi_setopt(CURLM *multi, CURLMoption option, ...)
{
    (void)multi;
    (void)option;
    return fake.fail_multi_setopt ? CURLM_OUT_OF_MEMORY : CURLM_OK;
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
    return CURLM_OK;
}

CURLMcode fake_multi_remove(CURLM *multi, CURL *handle)
{
    struct fake_easy *easy = fake_easy_of(handle);

    (void)multi;
    if (fake.in_callback)
        fake_breach("a handle is removed inside a callback");
    if (!easy->in_multi)
        fake_breach("a handle is removed twice");
    easy->in_multi = false;
    easy->removed_ns = fake.now_ns;
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
    return CURLM_OK;
}

CURLMcode fake_multi_poll(CURLM *multi, struct curl_waitfd *fds, unsigned count,
                          int ms, int *ret_count)
{
    uns_ns until = fake.now_ns + ms * UNS_MS;
    uns_ns due = next_due();

    (void)multi;
    (void)fds;
    (void)count;
    (void)ret_count;
    if (++fake.waits == fake.fail_wait)
        return CURLM_INTERNAL_ERROR;
    if (due < until)
        until = due;
    if (until > fake.now_ns)
        fake.now_ns = until;
    return CURLM_OK;
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
