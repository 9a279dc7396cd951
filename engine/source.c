/* SPDX-License-Identifier: MIT */
#include "source.h"

#include "clock.h"
#include "key.h"
#include "notes.h"
#include "origin.h"
#include "promotion.h"
#include "pushback.h"
#include "resume.h"

const struct uns_source uns_source_self = {.name = "self"};

size_t uns_source_count(const struct uns_policy *policy)
{
    return policy->source_count ? policy->source_count : 1;
}

const struct uns_source *uns_source_at(const struct uns_policy *policy,
                                       size_t i)
{
    return policy->source_count ? policy->sources[i] : &uns_source_self;
}

/* The same endpoint, after it has answered with an error status: only as a
 * retry, which has rules of its own (R10). */
static bool has_failed_there(const struct uns_call *call, enum uns_why why)
{
    const struct uns_attempt *primary = call->attempt[0];

    return why != UNS_WHY_RETRY && primary->answered &&
           !uns_head_success(&primary->head);
}

static const char *check_self(const struct uns_call *call, enum uns_why why)
{
    if (call->app->unknown)
        return "not_replayable";
    return has_failed_there(call, why) ? "same_origin_failed" : NULL;
}

static bool has_key(const struct uns_source *source, enum uns_dialect dialect)
{
    char line[UNS_KEY_BYTES];
    enum uns_err err = uns_key_header(source, dialect, line);

    uns_key_wipe(line);
    return err == UNS_OK;
}

static bool speaks(const struct uns_source *source, enum uns_dialect dialect)
{
    return !source->dialects || source->dialects & 1u << dialect;
}

/* What is in it that must not leave, or cannot be read. */
static const char *tied_by_body(const struct uns_request *request)
{
    if (!request->json)
        return "the body is not one JSON object";
    if (request->bound)
        return "the request refers to what lies at its own origin";
    return request->secret ? "there is a secret in the body" : NULL;
}

const char *uns_source_obstacle(const struct uns_call *call,
                                const struct uns_source *source)
{
    const struct uns_request *request = &call->request;
    const char *tied = tied_by_body(request);
    const char *model;

    if (uns_source_is_own(source))
        return NULL;
    if (!speaks(source, request->dialect))
        return "it speaks another dialect";
    if (tied)
        return tied;
    if (uns_notes_pointer(call->app, CURLOPT_AWS_SIGV4, NULL))
        return "the request is signed for its host";
    return uns_source_model(source, request->model, &model)
               ? NULL
               : "it has no name for the model";
}

static const char *check_other(const struct uns_call *call,
                               const struct uns_source *source)
{
    if (uns_source_obstacle(call, source))
        return "not_movable";
    return has_key(source, call->request.dialect) ? NULL : "no_key";
}

const char *uns_source_check(struct uns_call *call,
                             const struct uns_source *source, enum uns_why why)
{
    const char *none = uns_source_is_own(source) ? check_self(call, why)
                                                 : check_other(call, source);

    if (!none && uns_pushback_blocks(call, source, why, uns_clock_now()))
        none = "pushback";
    if (!none && why == UNS_WHY_RESUME)
        none = uns_resume_check(call, source);
    return none;
}

/* Sent twice, it would do something twice; or it was not kept.  A body that
 * comes from a read callback shows only now which. */
static bool is_once_only(struct uns_call *call)
{
    return !uns_call_know(call) || call->body.lost || call->request.stateful ||
           call->request.several;
}

/* The next one that is usable, from where the last search has stopped. */
static const struct uns_source *search(struct uns_call *call, enum uns_why why,
                                       const char **ret_none)
{
    const struct uns_policy *policy = call->policy;
    size_t count = uns_source_count(policy);

    for (size_t i = 0; i < count; i++) {
        size_t at = (call->tried + i) % count;
        const struct uns_source *source = uns_source_at(policy, at);

        *ret_none = uns_source_check(call, source, why);
        if (!*ret_none) {
            call->tried = at + 1;
            return source;
        }
    }
    return NULL;
}

const struct uns_source *
uns_source_next(struct uns_call *call, enum uns_why why, const char **ret_none)
{
    const struct uns_source *plainly;

    if (call->attempts >= call->policy->hedge.max_attempts) {
        *ret_none = "max_attempts";
        return NULL;
    }
    if (is_once_only(call)) {
        *ret_none = "not_replayable";
        return NULL;
    }
    plainly = uns_promotion_fallback(call);
    if (plainly)
        return plainly;
    if (why != UNS_WHY_RETRY)
        return search(call, why, ret_none);
    *ret_none = uns_source_check(call, &uns_source_self, why);
    return *ret_none ? NULL : &uns_source_self;
}

bool uns_source_costs(const struct uns_call *call,
                      const struct uns_source *source, enum uns_why why)
{
    unsigned lost = call->race.lost;
    struct uns_url from, to;

    if (uns_promotion_is_plain(source))
        return false;
    if (why != UNS_WHY_FAILURE || lost >= call->attempts)
        return true;
    from = uns_origin_url(call, call->attempt[lost]->source);
    to = uns_origin_url(call, source);
    return uns_url_same_origin(&from, &to);
}
