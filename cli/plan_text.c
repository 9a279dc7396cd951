/* SPDX-License-Identifier: MIT */
/* plan_text - a described call as a sentence and rows. */
#include "findings.h"
#include "plan.h"

#include <stdio.h>
#include <string.h>

static const cJSON *get(const cJSON *facts, const char *name)
{
    return cJSON_GetObjectItemCaseSensitive(facts, name);
}

static const char *text_of(const cJSON *facts, const char *name)
{
    const char *text = cJSON_GetStringValue(get(facts, name));

    return text ? text : "";
}

static bool is_true(const cJSON *facts, const char *name)
{
    return cJSON_IsTrue(get(facts, name));
}

#define SPAN_BYTES 40

/* "3 s", "all", "none". */
static const char *span_of(const cJSON *facts, const char *name,
                           char room[SPAN_BYTES])
{
    const cJSON *value = get(facts, name);

    if (cJSON_IsString(value))
        snprintf(room, SPAN_BYTES, "%s", value->valuestring);
    else if (cJSON_IsNumber(value))
        snprintf(room, SPAN_BYTES, "%g s", value->valuedouble);
    else
        snprintf(room, SPAN_BYTES, "none");
    return room;
}

static char **row(struct uns_findings *findings, enum uns_level level,
                  const char *what)
{
    return &uns_findings_add(findings, level, what)->found;
}

static void add_request(struct uns_findings *findings, const cJSON *facts)
{
    const char *provider = text_of(facts, "provider");
    const cJSON *streams = get(facts, "streaming");
    const char *how = cJSON_IsTrue(streams)    ? "streams"
                      : cJSON_IsFalse(streams) ? "does not stream"
                                               : "streaming not known";

    uns_findings_say(row(findings, UNS_LEVEL_GOOD, "recognised"), "%s",
                     text_of(facts, "because"));
    uns_findings_say(
        row(findings, UNS_LEVEL_NOTE, "request"),
        "dialect %s%s%s, model %s, %s", text_of(facts, "dialect"),
        *provider ? ", provider " : "", provider,
        *text_of(facts, "model") ? text_of(facts, "model") : "not named", how);
}

static void add_policy(struct uns_findings *findings, const cJSON *facts)
{
    const char *route = text_of(facts, "route");
    char after[SPAN_BYTES], stall[SPAN_BYTES], hold[SPAN_BYTES];
    bool races = is_true(facts, "races");

    uns_findings_say(row(findings, UNS_LEVEL_NOTE, "policy"),
                     "mode %s, %s%s; after_s %s, stall_after_s %s, hold_s %s, "
                     "at most %g requests",
                     text_of(facts, "mode"), *route ? "route " : "no route",
                     route, span_of(facts, "after_s", after),
                     span_of(facts, "stall_after_s", stall),
                     span_of(facts, "hold_s", hold),
                     cJSON_GetNumberValue(get(facts, "max_attempts")));
    uns_findings_say(
        row(findings, races ? UNS_LEVEL_GOOD : UNS_LEVEL_WARN, "races"), "%s%s",
        races ? "yes" : "no: ", text_of(facts, "alone_because"));
}

/* Of a request that streams by itself there is nothing to say. */
static void add_promotion(struct uns_findings *findings, const cJSON *facts)
{
    if (is_true(facts, "promoted"))
        uns_findings_say(row(findings, UNS_LEVEL_GOOD, "promoted"),
                         "yes: it is sent as a stream, and the program gets "
                         "one body (stream.promote)");
    else if (cJSON_IsFalse(get(facts, "streaming")))
        uns_findings_say(row(findings, UNS_LEVEL_NOTE, "promoted"), "no: %s",
                         text_of(facts, "unpromoted_because"));
}

static void add_retries(struct uns_findings *findings, const cJSON *facts)
{
    char **found = row(findings, UNS_LEVEL_NOTE, "retries");
    const char *why = text_of(facts, "unretried_because");
    char first[SPAN_BYTES], longest[SPAN_BYTES];

    if (*why)
        uns_findings_say(found, "none: %s", why);
    else
        uns_findings_say(
            found,
            "at most %g, at its own endpoint after a status of failover_on; "
            "the wait is what that asks for, else %s, doubled each time, less "
            "up to half of it; none where it would not be below %s",
            cJSON_GetNumberValue(get(facts, "retries")),
            span_of(facts, "retry_backoff_s", first),
            span_of(facts, "retry_patience_s", longest));
}

static void add_budget(struct uns_findings *findings, const cJSON *facts)
{
    const cJSON *left = get(facts, "budget_left");

    if (!cJSON_IsNumber(left))
        uns_findings_say(row(findings, UNS_LEVEL_WARN, "budget"),
                         "it cannot be read: no extra request would be sent");
    else
        uns_findings_say(
            row(findings,
                left->valuedouble < 1 ? UNS_LEVEL_WARN : UNS_LEVEL_NOTE,
                "budget"),
            "%g extra request%s left", left->valuedouble,
            left->valuedouble == 1 ? "" : "s");
}

static void add_limits(struct uns_findings *findings, const cJSON *facts)
{
    char total[SPAN_BYTES], connect[SPAN_BYTES], slow[SPAN_BYTES];

    uns_findings_say(row(findings, UNS_LEVEL_NOTE, "its limits"),
                     "timeout %s, to connect %s, low speed %s",
                     span_of(facts, "program_timeout_s", total),
                     span_of(facts, "program_connect_timeout_s", connect),
                     span_of(facts, "program_low_speed_s", slow));
}

static const char *resume_words(const char *word)
{
    static const struct {
        const char *word, *text;
    } words[] = {
        {"prefill",          "could continue the answer (prefill)"          },
        {"verify",           "could write it anew and go on (verify)"       },
        {"verify_when_lost",
         "could write it anew and go on (verify), once the first has broken"},
    };

    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(words[i].word, word) == 0)
            return words[i].text;
    return "could not go on with an answer that has begun";
}

static void add_source(struct uns_findings *findings, const cJSON *source,
                       bool promoted)
{
    bool usable = is_true(source, "usable");
    const char *url = text_of(source, "url");
    struct uns_finding *finding = uns_findings_add(
        findings, usable ? UNS_LEVEL_GOOD : UNS_LEVEL_WARN, "source");

    uns_findings_say(
        &finding->found, "%s at %s, key: %s", text_of(source, "name"),
        *url ? url : text_of(source, "origin"), text_of(source, "key"));
    if (usable)
        uns_findings_say(&finding->means, "%s",
                         promoted ? "could answer until the body is whole"
                                  : resume_words(text_of(source, "resume")));
    else
        uns_findings_say(&finding->means, "cannot be asked: %s",
                         text_of(source, "because"));
}

static void add_lists(struct uns_findings *findings, const cJSON *facts)
{
    const cJSON *item;

    cJSON_ArrayForEach(item, get(facts, "sources"))
    {
        add_source(findings, item, is_true(facts, "promoted"));
    }
    cJSON_ArrayForEach(item, get(facts, "notes"))
    {
        uns_findings_say(row(findings, UNS_LEVEL_WARN, "note"), "%s",
                         cJSON_GetStringValue(item));
    }
}

static void add_call(struct uns_findings *findings, const cJSON *facts)
{
    add_request(findings, facts);
    add_promotion(findings, facts);
    add_policy(findings, facts);
    add_retries(findings, facts);
    add_budget(findings, facts);
    add_limits(findings, facts);
    add_lists(findings, facts);
}

void uns_plan_print(const cJSON *facts, const struct uns_term *term)
{
    static struct uns_findings findings;
    bool sent = is_true(facts, "sent");

    uns_findings_say(&findings.sentence, "%s[%.0f]: %s %s: %s",
                     text_of(facts, "program"),
                     cJSON_GetNumberValue(get(facts, "pid")),
                     text_of(facts, "method"), text_of(facts, "url"),
                     sent                    ? "no LLM call, sent"
                     : get(facts, "dialect") ? "an LLM call, not sent"
                                             : "left alone, not sent");
    if (get(facts, "dialect"))
        add_call(&findings, facts);
    else
        uns_findings_say(row(&findings, UNS_LEVEL_NOTE, "because"), "%s",
                         text_of(facts, "because"));
    uns_findings_print(&findings, term);
    uns_findings_clear(&findings);
}
