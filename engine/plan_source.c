/* SPDX-License-Identifier: MIT */
/* plan_source - who else could be asked, and how far each would get. */
#include "plan_facts.h"

#include "key.h"
#include "origin.h"
#include "resume.h"
#include "source.h"

#include <stdio.h>
#include <string.h>

#define URL_BYTES 4096

static const char *key_of(const struct uns_call *call,
                          const struct uns_source *source)
{
    char line[UNS_KEY_BYTES];
    enum uns_err err;
    bool given;

    if (!source->base_url)
        return "the program's own";
    err = uns_key_header(source, call->request.dialect, line);
    given = line[0] != '\0';
    uns_key_wipe(line);
    if (err == UNS_OK)
        return given ? "there" : "none wanted";
    return err == UNS_NOTFOUND ? "missing" : "unusable";
}

/* A request that any answer could be the beginning of. */
static bool can_prefill(const struct uns_call *call,
                        const struct uns_source *source)
{
    struct uns_continue plan;

    return call->known &&
           uns_resume_plan(&plan, call, source, (struct uns_slice){"The", 3});
}

const char *uns_plan_resume(const struct uns_call *call,
                            const struct uns_source *source)
{
    enum uns_resume resume = call->policy->hedge.resume;

    if (call->promotion || !uns_resume_may(call))
        return "off";
    if (can_prefill(call, source))
        return "prefill";
    if (resume == UNS_RESUME_PREFILL)
        return "off";
    return resume == UNS_RESUME_VERIFY || call->request.deterministic
               ? "verify"
               : "verify_when_lost";
}

/* The stored words, for people. */
static const char *in_words(const char *none)
{
    static const struct uns_pair words[] = {
        {"no_key",         "its key is not there"                       },
        {"pushback",       "its server has asked to be left alone"      },
        {"not_replayable", "an option of the program cannot be repeated"},
    };

    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(words[i].key, none) == 0)
            return words[i].value;
    return none;
}

/* The place of the request there; NULL: it has none. */
static const char *url_at(const struct uns_call *call,
                          const struct uns_source *source, char room[URL_BYTES])
{
    const char *model = NULL;

    if (!source->base_url ||
        !uns_source_model(source, call->request.model, &model))
        return NULL;
    if (uns_request_url(&call->request, &call->url, source->base_url, model,
                        (struct uns_room){room, URL_BYTES}) != UNS_OK)
        return NULL;
    room[strcspn(room, "?")] = '\0';
    return room;
}

const char *uns_plan_unusable(struct uns_call *call,
                              const struct uns_source *source, enum uns_why why)
{
    const char *none = uns_source_check(call, source, why);

    return none ? in_words(none) : NULL;
}

static const char *why_not(struct uns_call *call,
                           const struct uns_source *source, const char *url)
{
    const char *obstacle = uns_source_obstacle(call, source);

    if (obstacle)
        return obstacle;
    if (source->base_url && !url)
        return "the request has no path there";
    return uns_plan_unusable(call, source, UNS_WHY_FIRST_TOKEN);
}

static cJSON *describe(struct uns_call *call, const struct uns_source *source)
{
    cJSON *facts = cJSON_CreateObject();
    struct uns_origin origin = uns_origin_of(call, source);
    char room[URL_BYTES];
    const char *url = url_at(call, source, room);
    const char *why = why_not(call, source, url);

    cJSON_AddStringToObject(facts, "name", source->name);
    cJSON_AddStringToObject(facts, "origin", origin.text);
    if (url)
        cJSON_AddStringToObject(facts, "url", url);
    cJSON_AddStringToObject(facts, "key", key_of(call, source));
    cJSON_AddBoolToObject(facts, "usable", !why);
    if (why)
        cJSON_AddStringToObject(facts, "because", why);
    cJSON_AddStringToObject(facts, "resume", uns_plan_resume(call, source));
    return facts;
}

cJSON *uns_plan_sources(struct uns_call *call)
{
    cJSON *list = cJSON_CreateArray();
    size_t count = uns_source_count(call->policy);

    for (size_t i = 0; i < count; i++)
        cJSON_AddItemToArray(list,
                             describe(call, uns_source_at(call->policy, i)));
    return list;
}
