/* SPDX-License-Identifier: MIT */
#ifndef UNS_ENGINE_PLAN_FACTS_H
#define UNS_ENGINE_PLAN_FACTS_H

/*
 * plan_facts - a call as one object: what it was recognised by, who else could
 * be asked, and what of the settings could ever act.  No credential, no query
 * and no body is in it (P3).
 */

#include "call.h"

#include <cjson/cJSON.h>

/* Why a transfer is no call that could be raced. */
enum uns_plan_other {
    UNS_PLAN_NO_CALL,     /* its method or URL is not an LLM's */
    UNS_PLAN_NO_QUESTION, /* its body asks nothing */
    /* these two are not sent all the same */
    UNS_PLAN_EXCLUDED,  /* a route leaves it alone */
    UNS_PLAN_UNREADABLE /* its body is no JSON: it may ask or not */
};

/* Both: malloc'd, NULL: no memory for the object itself; what of it there was
 * no memory for is missing. */
cJSON *uns_plan_facts(struct uns_call *call);
cJSON *uns_plan_other(const struct uns_app *app, enum uns_plan_other why);

/* --- parts of it ----------------------------------------------------------*/

/* The sources in order, each with whether it could be asked and how. */
cJSON *uns_plan_sources(struct uns_call *call);

/* Why that source cannot be asked now for that reason, in words; NULL: it
 * can. */
const char *uns_plan_unusable(struct uns_call *call,
                              const struct uns_source *source,
                              enum uns_why why);

/* What could go on with the answer once the program has text of it: "prefill",
 * "verify", "verify_when_lost" (only after the connection broke), or "off". */
const char *uns_plan_resume(const struct uns_call *call,
                            const struct uns_source *source);

/* The program's own limits, as numbers. */
struct uns_plan_limits {
    uns_ns total, connect, low_speed; /* UNS_NEVER: none */
    long low_limit;                   /* bytes per second of the last */
};

struct uns_plan_limits uns_plan_limits(const struct uns_app *app);

/* Sentences about what can never act, and what is lost with it. */
cJSON *uns_plan_notes(const struct uns_call *call,
                      const struct uns_plan_limits *limits);

#endif
