/* SPDX-License-Identifier: MIT */
#include "call.h"

#include "notes.h"

#include <string.h>
#include <strings.h>

#define PATIENCE_MS 50

/* DashScope is asked for a stream by a header; what its SDKs send. */
static bool asks_by_header(const struct uns_call *call)
{
    static const char line[] = "X-DashScope-SSE:";
    const struct curl_slist *headers =
        uns_notes_pointer(call->app, CURLOPT_HTTPHEADER, NULL);

    if (call->app->dialect != UNS_DIALECT_DASHSCOPE)
        return false;
    for (; headers; headers = headers->next) {
        const char *value = headers->data + sizeof line - 1;

        if (strncasecmp(headers->data, line, sizeof line - 1) == 0 &&
            strncasecmp(value + strspn(value, " \t"), "enable", 6) == 0)
            return true;
    }
    return false;
}

bool uns_call_know(struct uns_call *call)
{
    if (call->known || call->body.lost || !call->body.complete)
        return call->known;
    uns_request_read(&call->request, call->app->dialect, &call->url,
                     call->body.data, call->body.len);
    call->request.streams |= asks_by_header(call);
    call->known = true;
    return true;
}

void uns_call_detach(struct uns_call *call)
{
    struct uns_slice *model = &call->request.model;
    uintptr_t lent = (uintptr_t)call->body.data;
    uintptr_t at = (uintptr_t)model->data - lent;
    bool in_body = model->len && at < call->body.len;

    if (!uns_body_own(&call->body) || !in_body)
        return;
    if (call->body.lost)
        *model = (struct uns_slice){0};
    else
        model->data = call->body.data + at;
}

int uns_call_patience_ms(const struct uns_call *call)
{
    return call->lane && call->lane->host ? 0 : PATIENCE_MS;
}

uns_ns uns_call_total(const struct uns_app *app)
{
    bool ms = uns_notes_later(app, CURLOPT_TIMEOUT, CURLOPT_TIMEOUT_MS) ==
              CURLOPT_TIMEOUT_MS;
    long value =
        uns_notes_long(app, ms ? CURLOPT_TIMEOUT_MS : CURLOPT_TIMEOUT, 0);

    if (value <= 0)
        return UNS_NEVER;
    return (uns_ns)value * (ms ? UNS_MS : UNS_S);
}

uns_ns uns_call_limit(const struct uns_call *call)
{
    uns_ns total = uns_call_total(call->app);

    return total == UNS_NEVER ? UNS_NEVER : call->begin_ns + total;
}

bool uns_call_fails_over(const struct uns_failover *failover)
{
    for (size_t i = 0; i < sizeof failover->status; i++)
        if (failover->status[i])
            return true;
    return failover->code[0] != NULL;
}
