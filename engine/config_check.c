/* SPDX-License-Identifier: MIT */
/*
 * config_check - settings that contradict each other or could never act.  What
 * the user cannot have meant is an error; what merely has no effect is a
 * warning.
 */
#include "config_parts.h"
#include "core/ascii.h"

#include <stdlib.h>
#include <string.h>

/* A level under check. */
struct check {
    struct uns_load *load;
    const struct uns_level *level;
    const struct uns_hedge *hedge;
    const struct uns_stream_rules *stream;
};

static const cJSON *said(const struct check *check, const char *key)
{
    size_t count;

    return check->level
        ->from[uns_setting_by_key(uns_slice_of(key)) - uns_settings(&count)];
}

/* The node of the two that somebody wrote. */
static const cJSON *blamed(const struct check *check, const char *a,
                           const char *b)
{
    const cJSON *first = said(check, a);

    return first->valueint != 0 ? first : said(check, b);
}

/* `a` (so many seconds) waits for something that `b` has ended by then. */
static void never_fires(const struct check *check, const char *a, const char *b)
{
    char *a_text = cJSON_PrintUnformatted(said(check, a));
    char *b_text = cJSON_PrintUnformatted(said(check, b));

    if (a_text != NULL && b_text != NULL)
        uns_load_error(check->load, blamed(check, a, b),
                       "%s (%s) is not below %s (%s): it could never fire; "
                       "raise the one or lower the other",
                       a, a_text, b, b_text);
    free(a_text);
    free(b_text);
}

static void check_timeouts(const struct check *check)
{
    const struct uns_hedge *hedge = check->hedge;

    if (hedge->stall_after_ns != UNS_NEVER &&
        hedge->stall_after_ns >= check->stream->stall_timeout_ns)
        never_fires(check, "hedge.stall_after_s", "stream.stall_timeout_s");
    if (hedge->after.how == UNS_DELAY_FIXED &&
        hedge->after.fixed_ns >= check->stream->ttft_timeout_ns)
        never_fires(check, "hedge.after_s", "stream.ttft_timeout_s");
}

/* Some source says how it continues an answer. */
static bool can_prefill(const struct uns_policy *policy)
{
    for (size_t i = 0; i < policy->source_count; i++)
        if (uns_source_prefill(policy, policy->sources[i]))
            return true;
    return false;
}

/* A stall can be answered while the content is held back; later another source
 * has to go on with it. */
static void check_stall(const struct check *check)
{
    const struct uns_hedge *hedge = check->hedge;
    const cJSON *node = blamed(check, "hedge.stall_after_s", "hedge.hold_s");

    if (hedge->stall_after_ns == UNS_NEVER ||
        hedge->hold_ns > hedge->stall_after_ns)
        return;
    if (hedge->resume == UNS_RESUME_PREFILL &&
        !can_prefill(&check->level->settings.policy))
        uns_load_warn(check->load, node,
                      "hedge.stall_after_s cannot act with hedge.resume "
                      "\"prefill\": no source declares one; declare it, or "
                      "set hedge.resume to \"auto\"");
    if (hedge->resume != UNS_RESUME_OFF)
        return;
    if (hedge->hold_ns == 0)
        uns_load_warn(check->load, node,
                      "hedge.stall_after_s cannot act with hedge.hold_s 0 and "
                      "hedge.resume \"off\": set hedge.hold_s above it, or to "
                      "\"all\"");
    else
        uns_load_error(check->load, node,
                       "hedge.hold_s is not above hedge.stall_after_s and "
                       "hedge.resume is \"off\": the stall could never be "
                       "answered; raise hedge.hold_s");
}

static void check_decide(const struct check *check)
{
    const struct uns_hedge *hedge = check->hedge;

    if (hedge->first_complete && hedge->hold_ns != UNS_NEVER)
        uns_load_error(check->load,
                       blamed(check, "hedge.decide", "hedge.hold_s"),
                       "hedge.decide \"first_complete\" needs hedge.hold_s "
                       "\"all\": set it, or decide by \"first_content\"");
}

static void check_shadow(const struct check *check)
{
    if (check->level->settings.policy.mode == UNS_MODE_SHADOW &&
        check->hedge->max_attempts < 2)
        uns_load_warn(check->load, blamed(check, "hedge.max_attempts", "mode"),
                      "mode \"shadow\" cannot act with hedge.max_attempts 1: "
                      "the second request needs a 2");
}

/* A retry is one of the call's requests, and is waited for only when it comes
 * before a rival would. */
static void check_retry(const struct check *check)
{
    const struct uns_retry *retry = &check->level->settings.policy.retry;
    const struct uns_hedge *hedge = check->hedge;

    if (retry->max > 0 && retry->max >= hedge->max_attempts)
        uns_load_warn(check->load,
                      blamed(check, "retry.max", "hedge.max_attempts"),
                      "retry.max (%d) is not below hedge.max_attempts (%d): a "
                      "call has no more requests than that; raise "
                      "hedge.max_attempts",
                      retry->max, hedge->max_attempts);
    if (retry->max > 0 && hedge->after.how == UNS_DELAY_FIXED &&
        hedge->after.fixed_ns == 0)
        uns_load_error(check->load, blamed(check, "retry.max", "hedge.after_s"),
                       "retry.max (%d) could never act with hedge.after_s 0: "
                       "the other request is there already; set one of them",
                       retry->max);
}

/* Any model? */
static bool takes_models(const struct uns_source *source)
{
    bool any = false;

    if (source->models == NULL)
        return true;
    for (size_t i = 0; i < source->model_count; i++)
        any |= strcmp(source->models[i].key, "*") == 0;
    return any;
}

/* Whatever could be sent to `other` can be sent to `source`. */
static bool takes_all(const struct uns_source *source,
                      const struct uns_source *other)
{
    uint32_t all = source->dialects;

    return takes_models(source) &&
           (all == 0 ||
            (other->dialects != 0 && (other->dialects & ~all) == 0));
}

/* Each request of a call is one source's, and the first is the program's. */
static void check_reach(const struct check *check)
{
    const struct uns_policy *policy = &check->level->settings.policy;
    int most = check->hedge->max_attempts;

    for (size_t i = 0; i < policy->source_count; i++) {
        int before = 1;

        for (size_t j = 0; j < i; j++)
            before += takes_all(policy->sources[j], policy->sources[i]);
        if (before < most || most < 2 || policy->mode != UNS_MODE_HEDGE)
            continue;
        uns_load_warn(check->load, said(check, "hedge.sources"),
                      "source %s is asked only when one before it cannot be: "
                      "hedge.max_attempts (%d) is used up by then; %s",
                      policy->sources[i]->name, most,
                      most < UNS_RACE_ATTEMPTS ? "raise it"
                                               : "it cannot be higher");
        return;
    }
}

void uns_load_check(struct uns_load *load, const struct uns_level *level)
{
    struct check check = {load, level, &level->settings.policy.hedge,
                          &level->settings.policy.stream};

    check_timeouts(&check);
    check_decide(&check);
    check_stall(&check);
    check_shadow(&check);
    check_retry(&check);
    check_reach(&check);
}

static bool acts(const struct uns_level *level)
{
    return level->settings.policy.mode >= UNS_MODE_SHADOW;
}

static bool acts_anywhere(const struct uns_config *config)
{
    bool any = acts(&config->top);

    for (size_t i = 0; i < config->route_count; i++)
        any |= acts(&config->routes[i].level) && !config->routes[i].exclude;
    return any;
}

static void check_experiment(const struct check *check)
{
    if (check->level->settings.experiment.name != NULL)
        uns_load_warn(check->load, said(check, "experiment.name"),
                      "experiment.name has no effect: its arms are \"mode\" "
                      "and observing, and mode is \"hedge\" or \"shadow\" "
                      "nowhere; set it");
}

/* The nearer word counts more: default, file, environment. */
static int nearness(const cJSON *node)
{
    return node->valueint == 0 ? 0 : node->valueint > 0 ? 1 : 2;
}

static bool needs_a_mode(const char *key)
{
    return strncmp(key, "hedge.", 6) == 0 || strncmp(key, "retry.", 6) == 0;
}

/* Who says "observe" means it; who says nothing of the mode and how to hedge
 * expects that it is done. */
static void check_mode(const struct check *check)
{
    size_t count;
    const struct uns_setting *settings = uns_settings(&count);
    const cJSON *mode = said(check, "mode");

    for (size_t i = 0; i < count; i++) {
        const cJSON *node = check->level->from[i];

        if (!needs_a_mode(settings[i].key) || nearness(node) <= nearness(mode))
            continue;
        uns_load_warn(check->load, node,
                      "%s has no effect in mode %s: set mode to \"hedge\"",
                      settings[i].key,
                      check->level->settings.policy.mode == UNS_MODE_OFF
                          ? "\"off\""
                          : "\"observe\"");
        return;
    }
}

/* Nobody said what to hedge against. */
static void check_bare_mode(const struct check *check)
{
    size_t count;
    const struct uns_setting *settings = uns_settings(&count);

    for (size_t i = 0; i < count; i++)
        if (needs_a_mode(settings[i].key) &&
            check->level->from[i]->valueint != 0)
            return;
    if (check->level->settings.policy.mode == UNS_MODE_HEDGE)
        uns_load_warn(check->load, said(check, "mode"),
                      "mode \"hedge\" alone asks again only after a failure: "
                      "set hedge.after_s against slow beginnings, "
                      "hedge.stall_after_s with hedge.hold_s \"all\" against "
                      "stalls");
}

static bool lists(const struct uns_level *level,
                  const struct uns_source *source)
{
    const struct uns_policy *policy = &level->settings.policy;

    for (size_t i = 0; i < policy->source_count; i++)
        if (policy->sources[i] == source)
            return true;
    return false;
}

static bool is_listed(const struct uns_config *config,
                      const struct uns_source *source)
{
    bool listed = lists(&config->top, source);

    for (size_t i = 0; i < config->route_count; i++)
        listed |= lists(&config->routes[i].level, source);
    return listed;
}

/* A list in the environment is for one run (--backup), and the file's sources
 * are there for others. */
static void check_sources(const struct check *check)
{
    const struct uns_config *config = check->load->config;
    const cJSON *list =
        cJSON_GetObjectItemCaseSensitive(config->tree, "sources");
    int by = said(check, "hedge.sources")->valueint;

    for (size_t i = 1; i < config->source_count; i++) {
        const char *name = config->sources[i].name;
        const cJSON *node = cJSON_GetObjectItemCaseSensitive(list, name);

        if (is_listed(config, &config->sources[i]) ||
            (by < 0 && node->valueint > 0))
            continue;
        uns_load_warn(check->load, node,
                      "source %s is never asked: name it in hedge.sources, or "
                      "in the \"sources\" of a route, or remove it",
                      name);
    }
}

void uns_load_check_whole(struct uns_load *load)
{
    const struct uns_config *config = load->config;
    const struct check check = {.load = load, .level = &config->top};

    check_sources(&check);
    if (!acts_anywhere(config)) {
        check_experiment(&check);
        check_mode(&check);
    }
    if (config->route_count == 0)
        check_bare_mode(&check);
}
