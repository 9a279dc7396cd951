/* SPDX-License-Identifier: MIT */
/* fleet_call - one transfer after another: its handle, what is set on it, what
 * may come of it and when. */
#include "fleet.h"

static bool wants_pause(struct fleet_call *call)
{
    long number = call - call->fleet->call;

    /* In the middle of the headers, or of the body. */
    if (!call->fleet->pause_ms || ++call->pieces != 3 + number % 8)
        return false;
    call->paused = true;
    call->paused_at = fleet_now();
    call->fleet->paused++;
    return true;
}

static size_t on_piece(char *bytes, size_t size, size_t count, void *arg)
{
    struct fleet_call *call = arg;
    size_t len = size * count;

    if (!call->inside || call->dones)
        fleet_breach(call->fleet, "%zu bytes for one that is done", len);
    if (call->paused)
        fleet_breach(call->fleet, "%zu bytes for one that is paused", len);
    if (wants_pause(call))
        return CURL_WRITEFUNC_PAUSE;
    for (size_t i = 0; i < len; i++)
        call->hash = (call->hash ^ (unsigned char)bytes[i]) * 16777619u;
    return len;
}

/* Behind a real server, whose headers have a date. */
static size_t on_dated_header(char *bytes, size_t size, size_t count, void *arg)
{
    (void)bytes, (void)arg;
    return size * count;
}

static void set_up(struct fleet_call *call)
{
    const struct fleet *fleet = call->fleet;
    CURL *easy = call->easy;

    curl_easy_setopt(easy, CURLOPT_URL, call->llm ? fleet->llm : fleet->plain);
    curl_easy_setopt(easy, CURLOPT_PRIVATE, call);
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, on_piece);
    curl_easy_setopt(easy, CURLOPT_WRITEDATA, call);
    curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION,
                     fleet->http2 ? on_dated_header : on_piece);
    curl_easy_setopt(easy, CURLOPT_HEADERDATA, call);
    curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, call->error);
    curl_easy_setopt(easy, CURLOPT_TIMEOUT_MS, fleet->timeout_ms);
    curl_easy_setopt(easy, CURLOPT_HTTPGET, 1L);
    if (fleet->ca)
        curl_easy_setopt(easy, CURLOPT_CAINFO, fleet->ca);
    if (fleet->http2)
        curl_easy_setopt(easy, CURLOPT_HTTP_VERSION,
                         (long)CURL_HTTP_VERSION_2TLS);
    if (!call->llm)
        return;
    curl_easy_setopt(easy, CURLOPT_HTTPHEADER, fleet->headers);
    curl_easy_setopt(easy, CURLOPT_POSTFIELDS, fleet->body);
}

CURL *fleet_take_handle(struct fleet *fleet)
{
    struct fleet_call *from = fleet->idle;
    CURL *easy;

    if (!from)
        return curl_easy_init();
    fleet->idle = from->idle;
    easy = from->easy;
    from->easy = NULL;
    return easy;
}

static void send_off(struct fleet *fleet, struct fleet_call *call, bool llm)
{
    call->fleet = fleet;
    call->llm = llm;
    call->hash = 2166136261u;
    call->easy = fleet_take_handle(fleet);
    call->inside = true;
    call->added_at = fleet_now();
    set_up(call);
    fleet->inside[llm]++;
    fleet->in_flight++;
    fleet_check(fleet, curl_multi_add_handle(fleet->multi, call->easy),
                "add_handle");
}

void fleet_feed(struct fleet *fleet)
{
    long count[2] = {fleet->plains, fleet->calls};
    struct fleet_call *first[2] = {fleet->call + fleet->calls, fleet->call};

    for (int llm = 0; llm < 2; llm++)
        while (fleet->next[llm] < count[llm] && fleet->inside[llm] < fleet->at)
            send_off(fleet, first[llm] + fleet->next[llm]++, llm);
}

void fleet_put_handle(struct fleet *fleet, struct fleet_call *call)
{
    if (!fleet->reuse) {
        curl_easy_cleanup(call->easy);
        call->easy = NULL;
        return;
    }
    call->idle = fleet->idle;
    fleet->idle = call;
}
