/* SPDX-License-Identifier: MIT */
#include "experiment.h"

#include "clock.h"
#include "notes.h"
#include "root.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

/* Longer than a call's or a process' name. */
#define NAME_BYTES 64

/* Headers that carry a credential. */
static const char *const headers[] = {"authorization", "x-api-key", "api-key",
                                      "x-goog-api-key"};

/* Options that do. */
static const CURLoption options[] = {CURLOPT_XOAUTH2_BEARER, CURLOPT_USERPWD,
                                     CURLOPT_USERNAME};

static bool is_credential(const char *line)
{
    size_t len = strcspn(line, ":");

    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++)
        if (strlen(headers[i]) == len && !strncasecmp(line, headers[i], len))
            return true;
    return false;
}

/* The value of `key` in a query, as Gemini takes it; empty: there is none. */
static struct uns_slice key_in(struct uns_slice query)
{
    static const char name[] = "key=";
    const size_t len = sizeof name - 1;
    const char *at = query.data, *end = query.data + query.len;

    while (at < end) {
        const char *next = memchr(at, '&', (size_t)(end - at));
        size_t size = (size_t)((next ? next : end) - at);

        if (size >= len && !memcmp(at, name, len))
            return (struct uns_slice){at + len, size - len};
        at += size + 1;
    }
    return (struct uns_slice){"", 0};
}

/* What the application proves itself by: a header's whole line, an option's
 * text, or the URL's key.  Calls that show nothing are one unit. */
static struct uns_slice key_of(const struct uns_call *call)
{
    const struct curl_slist *line =
        uns_notes_pointer(call->app, CURLOPT_HTTPHEADER, NULL);

    for (; line; line = line->next)
        if (line->data && is_credential(line->data))
            return (struct uns_slice){line->data, strlen(line->data)};
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        const char *text = uns_notes_pointer(call->app, options[i], NULL);

        if (text)
            return (struct uns_slice){text, strlen(text)};
    }
    return key_in(call->url.query);
}

/* This process: a number that is used again has another first call. */
static struct uns_slice process_of(char name[NAME_BYTES])
{
    static _Atomic int64_t first_us;
    int64_t expected = 0;
    int len;

    (void)atomic_compare_exchange_strong(&first_us, &expected,
                                         uns_clock_wall_us());
    len = snprintf(name, NAME_BYTES, "%lld-%lld", (long long)getpid(),
                   (long long)atomic_load(&first_us));
    return (struct uns_slice){name, (size_t)len};
}

static struct uns_slice call_of(char name[NAME_BYTES])
{
    static atomic_uint count;
    int len =
        snprintf(name, NAME_BYTES, "%lld-%lld-%u", (long long)getpid(),
                 (long long)uns_clock_wall_us(), atomic_fetch_add(&count, 1));

    return (struct uns_slice){name, (size_t)len};
}

static struct uns_slice unit_of(const struct uns_call *call, enum uns_unit unit,
                                char name[NAME_BYTES])
{
    switch (unit) {
    case UNS_UNIT_CALL:
        return call_of(name);
    case UNS_UNIT_PROCESS:
        return process_of(name);
    case UNS_UNIT_KEY:
        break;
    }
    return key_of(call);
}

void uns_experiment_draw(struct uns_call *call)
{
    const struct uns_experiment *experiment =
        uns_config_experiment(uns_root_config());
    char name[NAME_BYTES];

    if (!experiment || call->mode < UNS_MODE_SHADOW)
        return;
    call->arm = uns_arm_of(experiment, unit_of(call, experiment->unit, name));
    if (call->arm == UNS_ARM_CONTROL)
        call->mode = UNS_MODE_OBSERVE;
}
