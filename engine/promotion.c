/* SPDX-License-Identifier: MIT */
/*
 * promotion - the request's half.  Only what is sure to come back whole is
 * promoted: a body that is there, and options that do not depend on how the
 * answer comes.  A place that refuses to stream is asked once more as the
 * application asked, and is remembered for the life of the process.
 */
#include "promotion.h"

#include "log.h"
#include "notes.h"

#include "core/promote_request.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const struct uns_source plain = {.name = "self"};

/* --- may it be? -----------------------------------------------------------*/

/* Headers of the application's that say what its body is, or what it wants to
 * get: they would not be true any more. */
static const char *const binding[] = {
    "content-length", "content-md5",     "digest",
    "content-digest", "accept-encoding", "x-amz-content-sha256",
    "signature",      "range",           "content-encoding",
};

/* Options that look at how the body comes; 0: libcurl's default is another. */
static const struct {
    CURLoption id;
    long fine;
} looking[] = {
    {CURLOPT_HTTP_CONTENT_DECODING,  1},
    {CURLOPT_HTTP_TRANSFER_DECODING, 1},
    {CURLOPT_MAXFILESIZE,            0},
    {CURLOPT_MAXFILESIZE_LARGE,      0},
    {CURLOPT_RESUME_FROM,            0},
    {CURLOPT_RESUME_FROM_LARGE,      0},
};

static bool is_binding(const char *line)
{
    size_t len = strcspn(line, ":;");

    for (size_t i = 0; i < sizeof binding / sizeof *binding; i++)
        if (strlen(binding[i]) == len && !strncasecmp(binding[i], line, len))
            return true;
    return false;
}

static bool options_fit(const struct uns_app *app)
{
    const struct curl_slist *line =
        uns_notes_pointer(app, CURLOPT_HTTPHEADER, NULL);

    for (; line; line = line->next)
        if (is_binding(line->data))
            return false;
    for (size_t i = 0; i < sizeof looking / sizeof *looking; i++)
        if (uns_notes_long(app, looking[i].id, looking[i].fine) !=
            looking[i].fine)
            return false;
    return !app->stranger && !app->unknown &&
           !uns_notes_pointer(app, CURLOPT_RANGE, NULL);
}

/* By the settings; NULL: nothing. */
static const char *unwanted(const struct uns_call *call)
{
    const struct uns_policy *policy = call->policy;

    if (!policy->stream.promote)
        return "stream.promote is off";
    if (call->mode != UNS_MODE_HEDGE)
        return "the mode is not hedge";
    if (policy->hedge.max_attempts > 1 &&
        uns_call_fails_over(&policy->hedge.failover))
        return NULL;
    return "a refusal could not be met with the request as it was "
           "(hedge.max_attempts, hedge.failover_on)";
}

/* By the request; NULL: nothing. */
static const char *impossible(const struct uns_call *call)
{
    bool by_url = uns_promote_by_url(&call->url);

    if (!call->known || call->body.reads)
        return "its body is not there before it is sent";
    if (call->request.several)
        return "it asks for several answers";
    if (call->request.stateful)
        return "it has effects on the server";
    if (!options_fit(call->app) ||
        (by_url && uns_notes_pointer(call->app, CURLOPT_CURLU, NULL)))
        return "a header or an option of the program depends on how the "
               "answer comes";
    return NULL;
}

/* --- who refuses ----------------------------------------------------------*/

#define REFUSERS 16

/* Places by their hash; 0: none.  One too many is forgotten. */
static _Atomic uint64_t refuser[REFUSERS];

static uint64_t mix(uint64_t hash, struct uns_slice text)
{
    for (size_t i = 0; i < text.len; i++)
        hash = (hash ^ (unsigned char)text.data[i]) * UINT64_C(0x100000001b3);
    return hash;
}

static uint64_t place_of(const struct uns_call *call)
{
    uint64_t hash = mix(UINT64_C(0xcbf29ce484222325), call->url.host);

    hash = mix(hash ^ call->url.port, call->url.path);
    return mix(hash, call->request.model) | 1;
}

static bool refuses(const struct uns_call *call)
{
    uint64_t place = place_of(call);

    return atomic_load(&refuser[place / 2 % REFUSERS]) == place;
}

static void remember(const struct uns_call *call)
{
    uint64_t place = place_of(call);

    atomic_store(&refuser[place / 2 % REFUSERS], place);
}

void uns_promotion_forget_places(void)
{
    for (size_t i = 0; i < REFUSERS; i++)
        atomic_store(&refuser[i], 0);
}

/* --- the change -----------------------------------------------------------*/

static char *write_body(const struct uns_promote_plan *plan)
{
    char *body = malloc(uns_promote_size(plan) + 1);

    if (body)
        uns_promote_write(plan, body);
    return body;
}

/* The verb in the path is longer, and the query too. */
#define URL_MORE 80

static char *write_url(const struct uns_call *call)
{
    size_t len = strlen(call->url_text);
    char *url = malloc(len + URL_MORE);

    if (url &&
        uns_promote_url((struct uns_slice){call->url_text, len}, &call->url,
                        (struct uns_room){url, len + URL_MORE}) == UNS_OK)
        return url;
    free(url);
    return NULL;
}

static bool change_body(struct uns_call *call,
                        const struct uns_promote_plan *plan)
{
    struct uns_promotion *promotion = call->promotion;

    promotion->asked = plan->body;
    if (!plan->edits)
        return true;
    promotion->body = write_body(plan);
    if (!promotion->body)
        return false;
    call->body.data = promotion->body;
    call->body.len = uns_promote_size(plan);
    return true;
}

static bool change_url(struct uns_call *call)
{
    struct uns_promotion *promotion = call->promotion;

    if (!uns_promote_by_url(&call->url))
        return true;
    promotion->url = write_url(call);
    if (!promotion->url ||
        !uns_url_split(promotion->url, strlen(promotion->url), &call->url))
        return false;
    promotion->asked_url = call->url_text;
    call->url_text = promotion->url;
    return true;
}

/* As it was: what was changed points into what is freed. */
static void take_back(struct uns_call *call)
{
    struct uns_promotion *promotion = call->promotion;

    if (promotion->asked.data) {
        call->body.data = promotion->asked.data;
        call->body.len = promotion->asked.len;
    }
    if (promotion->asked_url)
        call->url_text = promotion->asked_url;
    (void)uns_url_split(call->url_text, strlen(call->url_text), &call->url);
    free(promotion->body);
    free(promotion->url);
    free(promotion);
    call->promotion = NULL;
}

void uns_promotion_free(struct uns_call *call)
{
    if (call->promotion)
        take_back(call);
}

static void read_again(struct uns_call *call)
{
    uns_request_read(&call->request, call->app->dialect, &call->url,
                     call->body.data, call->body.len);
}

/* NULL: nothing, and it is planned. */
static const char *obstacle(const struct uns_call *call,
                            struct uns_promote_plan *plan)
{
    struct uns_slice body = {call->body.data, call->body.len};
    const char *none = unwanted(call);

    if (!none)
        none = impossible(call);
    if (none)
        return none;
    if (!uns_promote_plan(plan, &call->request, body))
        return call->request.streams
                   ? "it asks for a stream itself"
                   : "what it asks for cannot be put together";
    return refuses(call) ? "its server has refused to stream" : NULL;
}

const char *uns_promotion_obstacle(const struct uns_call *call)
{
    struct uns_promote_plan plan;

    return call->promotion ? NULL : obstacle(call, &plan);
}

void uns_promotion_plan(struct uns_call *call)
{
    struct uns_promote_plan plan;

    if (obstacle(call, &plan))
        return;
    call->promotion = calloc(1, sizeof *call->promotion);
    if (!call->promotion)
        return;
    if (!change_body(call, &plan) || !change_url(call))
        take_back(call);
    read_again(call);
    uns_log("promotion: %s",
            call->promotion ? "sent as a stream" : "no memory");
}

/* --- on handles -----------------------------------------------------------*/

static void put_body(const struct uns_real *real, CURL *easy,
                     struct uns_slice body)
{
    real->curl_easy_setopt(easy, CURLOPT_POSTFIELDS, body.data);
    real->curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE,
                           (curl_off_t)body.len);
}

void uns_promotion_swap_in(const struct uns_call *call)
{
    const struct uns_promotion *promotion = call->promotion;
    struct uns_app *app = call->app;

    if (!promotion)
        return;
    if (promotion->body) {
        app->lent |= UNS_LENT_BODY;
        put_body(app->real, app->easy,
                 (struct uns_slice){call->body.data, call->body.len});
    }
    if (promotion->url) {
        app->lent |= UNS_LENT_URL;
        app->real->curl_easy_setopt(app->easy, CURLOPT_URL, promotion->url);
    }
}

void uns_promotion_ask_plainly(struct uns_attempt *rival)
{
    const struct uns_call *call = rival->call;
    const struct uns_promotion *promotion = call->promotion;

    if (!rival->plain)
        return;
    put_body(call->app->real, rival->easy, promotion->asked);
    if (promotion->asked_url)
        call->app->real->curl_easy_setopt(rival->easy, CURLOPT_URL,
                                          promotion->asked_url);
}

/* --- refusals -------------------------------------------------------------*/

/* What a place says that has no such endpoint, whatever else it says. */
static const int missing[] = {404, 405, 501};

/* What it says of a request that it does not like. */
static const int disliked[] = {400, 403, 406, 415, 422};

static bool is_among(int status, const int *list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (list[i] == status)
            return true;
    return false;
}

#define AMONG(status, list) \
    is_among(status, list, sizeof(list) / sizeof *(list))

bool uns_promotion_is_refusal(struct uns_attempt *a, struct uns_slice text)
{
    struct uns_call *call = a->call;
    int status = a->head.status;

    if (!call->promotion || a->source)
        return false;
    if (!(call->promotion->url && AMONG(status, missing)) &&
        !(AMONG(status, disliked) && text.len &&
          memmem(text.data, text.len, "stream", strlen("stream"))))
        return false;
    call->promotion->refused = true;
    remember(call);
    return true;
}

const struct uns_source *uns_promotion_fallback(struct uns_call *call)
{
    struct uns_promotion *promotion = call->promotion;

    if (!promotion || !promotion->refused || promotion->plainly)
        return NULL;
    promotion->plainly = true;
    return &plain;
}

bool uns_promotion_is_plain(const struct uns_source *source)
{
    return source == &plain;
}
