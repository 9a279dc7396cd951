/* SPDX-License-Identifier: MIT */
#include "plan_facts.h"

#include "budget.h"
#include "clock.h"
#include "keep.h"
#include "notes.h"
#include "origin.h"
#include "promotion.h"
#include "retry.h"
#include "root.h"
#include "source.h"

#include "core/setting.h"
#include "shim/method.h"
#include "shim/program.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define URL_BYTES   1024
#define MODEL_BYTES 256

static const char *const modes[UNS_MODE_COUNT] = {
    [UNS_MODE_OFF] = "off",
    [UNS_MODE_OBSERVE] = "observe",
    [UNS_MODE_SHADOW] = "shadow",
    [UNS_MODE_HEDGE] = "hedge",
};

/* NULL becomes null. */
static void add_text(cJSON *to, const char *name, const char *text)
{
    if (text)
        cJSON_AddStringToObject(to, name, text);
    else
        cJSON_AddNullToObject(to, name);
}

static void add_seconds(cJSON *to, const char *name, uns_ns span)
{
    int64_t ms = span / UNS_MS;

    if (span == UNS_NEVER)
        cJSON_AddNullToObject(to, name);
    else
        cJSON_AddNumberToObject(to, name, (double)ms / 1000.0);
}

/* Without query and userinfo, which may have keys in them. */
static void add_url(cJSON *to, const struct uns_url *url)
{
    struct uns_origin origin = uns_origin_print(url);
    char text[URL_BYTES];

    (void)snprintf(text, sizeof text, "%s%.*s", origin.text, (int)url->path.len,
                   url->path.data);
    cJSON_AddStringToObject(to, "url", text);
}

static const char *method_of(const struct uns_app *app)
{
    const char *custom = uns_notes_pointer(app, CURLOPT_CUSTOMREQUEST, NULL);
    static const char *const words[] = {
        [UNS_METHOD_OTHER] = "GET",
        [UNS_METHOD_FIELDS] = "POST",
        [UNS_METHOD_UPLOAD] = "POST",
        [UNS_METHOD_FORM] = "POST (a form)",
    };

    if (uns_method_is_head(app))
        return "HEAD";
    return custom ? custom : words[uns_method_of(app)];
}

static cJSON *start(const struct uns_app *app)
{
    cJSON *facts = cJSON_CreateObject();

    cJSON_AddStringToObject(facts, "program", uns_program_name());
    cJSON_AddNumberToObject(facts, "pid", (double)getpid());
    cJSON_AddStringToObject(facts, "method", method_of(app));
    return facts;
}

/* --- what is none ---------------------------------------------------------*/

static const char *why_other(const struct uns_app *app, bool known,
                             enum uns_plan_other why)
{
    enum uns_method method = uns_method_of(app);

    if (why == UNS_PLAN_EXCLUDED)
        return "a route excludes it; it was not sent all the same";
    if (why == UNS_PLAN_UNREADABLE)
        return "its path is an LLM's, but its body is no JSON that could be "
               "read: run would leave it alone; it was not sent";
    if (why == UNS_PLAN_NO_QUESTION)
        return "its path is an LLM's, but its body asks nothing";
    if (!known)
        return "it has no http URL";
    if (method == UNS_METHOD_OTHER || method == UNS_METHOD_FORM)
        return "it is no POST with a body of its own";
    return "neither its path nor its host is an LLM's, and no route names it";
}

cJSON *uns_plan_other(const struct uns_app *app, enum uns_plan_other why)
{
    cJSON *facts = start(app);
    char *text = uns_keep_url(app);
    struct uns_url url;
    bool known = text && uns_url_split(text, strlen(text), &url);
    bool held = why == UNS_PLAN_EXCLUDED || why == UNS_PLAN_UNREADABLE;

    if (known)
        add_url(facts, &url);
    else
        cJSON_AddNullToObject(facts, "url");
    cJSON_AddBoolToObject(facts, "llm", held);
    cJSON_AddStringToObject(facts, "because", why_other(app, known, why));
    cJSON_AddBoolToObject(facts, "sent", !held);
    free(text);
    return facts;
}

/* --- what is one ----------------------------------------------------------*/

/* As the program asked, whatever is sent in its place. */
static struct uns_url asked_url(const struct uns_call *call)
{
    const struct uns_promotion *promotion = call->promotion;
    struct uns_url url = call->url;

    if (promotion && promotion->asked_url)
        (void)uns_url_split(promotion->asked_url, strlen(promotion->asked_url),
                            &url);
    return url;
}

static void add_reason(cJSON *to, const struct uns_call *call,
                       const struct uns_url *url)
{
    const char *mark = uns_detect_mark(url);
    char text[URL_BYTES];

    if (uns_detect(url, NULL) == call->request.dialect && mark)
        (void)snprintf(text, sizeof text, "its path has %s", mark);
    else
        (void)snprintf(text, sizeof text, "a route names its dialect");
    cJSON_AddStringToObject(to, "because", text);
}

static void add_request(cJSON *to, const struct uns_call *call)
{
    const struct uns_request *request = &call->request;
    char model[MODEL_BYTES];

    uns_request_model(request, model, sizeof model);
    add_text(to, "dialect", uns_dialect_name(request->dialect));
    add_text(to, "provider", uns_detect_provider(&call->url));
    if (call->known)
        cJSON_AddBoolToObject(to, "streaming",
                              request->streams && !call->promotion);
    else
        cJSON_AddNullToObject(to, "streaming");
    add_text(to, "model", *model ? model : NULL);
}

static void add_hold(cJSON *to, uns_ns hold)
{
    if (hold == UNS_NEVER)
        cJSON_AddStringToObject(to, "hold_s", "all");
    else
        add_seconds(to, "hold_s", hold);
}

static void add_policy(cJSON *to, const struct uns_call *call)
{
    const struct uns_policy *policy = call->policy;
    const char *alone = uns_keep_alone(call);

    add_text(to, "route", policy->route);
    cJSON_AddStringToObject(to, "mode", modes[policy->mode]);
    cJSON_AddBoolToObject(to, "races", !alone);
    add_text(to, "alone_because", alone);
    add_seconds(to, "after_s", call->race.rules.after_ns);
    add_seconds(to, "stall_after_s", policy->hedge.stall_after_ns);
    add_hold(to, policy->hedge.hold_ns);
    add_seconds(to, "ttft_timeout_s", policy->stream.ttft_timeout_ns);
    add_seconds(to, "stall_timeout_s", policy->stream.stall_timeout_ns);
    cJSON_AddNumberToObject(to, "max_attempts", policy->hedge.max_attempts);
}

static void add_promotion(cJSON *to, const struct uns_call *call)
{
    cJSON_AddBoolToObject(to, "promoted", call->promotion != NULL);
    add_text(to, "unpromoted_because", uns_promotion_obstacle(call));
}

/* A request that is never raced is never sent again. */
static const char *why_not_retried(struct uns_call *call)
{
    const char *why = uns_keep_alone(call);

    if (!why)
        why = uns_retry_obstacle(call, uns_clock_now());
    return why ? why : uns_plan_unusable(call, &uns_source_self, UNS_WHY_RETRY);
}

/* R10 */
static void add_retries(cJSON *to, struct uns_call *call)
{
    const char *why = why_not_retried(call);
    unsigned most = why ? 0 : uns_race_retries_left(&call->race);

    cJSON_AddNumberToObject(to, "retries", most);
    add_text(to, "unretried_because", why);
    add_seconds(to, "retry_backoff_s", call->policy->retry.backoff_ns);
    add_seconds(to, "retry_patience_s", uns_race_patience(&call->race));
}

static void add_budget(cJSON *to, const struct uns_call *call)
{
    const char *path = uns_root_store_path();
    double left;

    if (uns_budget_look(path, call->policy, &left))
        cJSON_AddNumberToObject(to, "budget_left", left);
    else
        cJSON_AddNullToObject(to, "budget_left");
}

static void add_limits(cJSON *to, const struct uns_plan_limits *limits)
{
    add_seconds(to, "program_timeout_s", limits->total);
    add_seconds(to, "program_connect_timeout_s", limits->connect);
    add_seconds(to, "program_low_speed_s", limits->low_speed);
}

cJSON *uns_plan_facts(struct uns_call *call)
{
    struct uns_plan_limits limits = uns_plan_limits(call->app);
    struct uns_url url = asked_url(call);
    cJSON *facts = start(call->app);

    add_url(facts, &url);
    cJSON_AddBoolToObject(facts, "llm", true);
    add_reason(facts, call, &url);
    cJSON_AddBoolToObject(facts, "sent", false);
    add_request(facts, call);
    add_promotion(facts, call);
    add_policy(facts, call);
    add_retries(facts, call);
    add_budget(facts, call);
    add_limits(facts, &limits);
    cJSON_AddItemToObject(facts, "sources", uns_plan_sources(call));
    cJSON_AddItemToObject(facts, "notes", uns_plan_notes(call, &limits));
    return facts;
}
