/* SPDX-License-Identifier: MIT */
#include "facts.h"

#include "origin.h"
#include "root.h"

#include "shim/program.h"

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#define PUT(to, ...) ((void)snprintf((to), sizeof(to), __VA_ARGS__))
#define SLICE(s)     (int)(s).len, (s).data

static const char *const modes[UNS_MODE_COUNT] = {
    [UNS_MODE_OFF] = "off",
    [UNS_MODE_OBSERVE] = "observe",
    [UNS_MODE_SHADOW] = "shadow",
    [UNS_MODE_HEDGE] = "hedge",
};

/* Unique on this machine: when, who, and which of its calls.  A call that goes
 * on in a forked child becomes another one there. */
void uns_facts_name(const struct uns_call *call,
                    char ret_name[UNS_FACTS_NAME_BYTES])
{
    (void)snprintf(ret_name, UNS_FACTS_NAME_BYTES, "%llx-%x-%x",
                   (unsigned long long)call->begin_us, (unsigned)getpid(),
                   call->number);
}

/* What is left of a URL without its secrets. */
static void print_endpoint(char *out, size_t size, const struct uns_url *url)
{
    struct uns_origin origin = uns_origin_print(url);

    (void)snprintf(out, size, "%s%.*s", origin.text, SLICE(url->path));
}

static const char *hedge_reason(const struct uns_call *call)
{
    if (call->why != UNS_WHY_NOTHING)
        return uns_why_name(call->why);
    return call->none ? call->none : "";
}

void uns_facts_call(const struct uns_call *call, struct uns_call_record *record)
{
    uns_facts_name(call, record->uuid);
    record->started_at = call->begin_us;
    PUT(record->program, "%s", uns_program_name());
    record->pid = getpid();
    print_endpoint(record->endpoint, sizeof record->endpoint, &call->url);
    PUT(record->route, "%s", call->policy->route ? call->policy->route : "");
    PUT(record->dialect, "%s", uns_dialect_name(call->request.dialect));
    uns_request_model(&call->request, record->model, sizeof record->model);
    record->streaming = call->request.streams;
    PUT(record->mode, "%s", modes[call->mode]);
    if (uns_root_injected())
        PUT(record->injected, "%.63s", uns_root_injected());
    PUT(record->arm, "%s", uns_arm_name(call->arm));
    if (call->arm != UNS_ARM_NONE)
        PUT(record->experiment, "%s",
            uns_config_experiment(uns_root_config())->name);
    PUT(record->hedge_reason, "%s", hedge_reason(call));
}

static int64_t phase_us(const struct uns_attempt *a, CURLINFO info)
{
    curl_off_t us = 0;

    if (a->call->app->real->curl_easy_getinfo(a->easy, info, &us) != CURLE_OK)
        return 0;
    return us;
}

void uns_facts_phases(const struct uns_attempt *a, int64_t *ret_dns_ms,
                      int64_t *ret_connect_ms, int64_t *ret_tls_ms)
{
    int64_t dns = phase_us(a, CURLINFO_NAMELOOKUP_TIME_T);
    int64_t connect = phase_us(a, CURLINFO_CONNECT_TIME_T);
    int64_t tls = phase_us(a, CURLINFO_APPCONNECT_TIME_T);

    if (dns > 0)
        *ret_dns_ms = dns / 1000;
    if (connect > 0)
        *ret_connect_ms = (connect - dns) / 1000;
    if (tls > connect)
        *ret_tls_ms = (tls - connect) / 1000;
}

void uns_facts_attempt(const struct uns_attempt *a,
                       struct uns_attempt_record *record)
{
    const struct uns_call *call = a->call;

    record->seq = a->seq;
    PUT(record->source, "%s", a->source ? a->source->name : "primary");
    PUT(record->origin, "%s", uns_origin_of(call, a->source).text);
    PUT(record->why, "%s", uns_why_name(a->why));
    record->started_ms = (a->start_ns - call->begin_ns) / UNS_MS;
    if (a->connected)
        uns_facts_phases(a, &record->dns_ms, &record->connect_ms,
                         &record->tls_ms);
}
