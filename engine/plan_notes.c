/* SPDX-License-Identifier: MIT */
/*
 * plan_notes - the settings against the program's own limits, and against each
 * other: what can never act, and what is lost with it.  The limits are
 * libcurl's options; its own defaults count as none, but for the time to
 * connect, which is 300 s.
 */
#include "plan_facts.h"

#include "keep.h"
#include "notes.h"
#include "root.h"
#include "source.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define NOTE_BYTES      256
#define CONNECT_DEFAULT (300 * UNS_S)

struct notes {
    cJSON *list;
    const struct uns_call *call;
    const struct uns_plan_limits *limits;
};

__attribute__((format(printf, 2, 3))) static void say(const struct notes *notes,
                                                      const char *format, ...)
{
    char text[NOTE_BYTES];
    va_list args;

    va_start(args, format);
    (void)vsnprintf(text, sizeof text, format, args);
    va_end(args);
    cJSON_AddItemToArray(notes->list, cJSON_CreateString(text));
}

static double seconds(uns_ns span)
{
    return (double)span / (double)UNS_S;
}

/* --- the program's limits -------------------------------------------------*/

static uns_ns span_of(const struct uns_app *app, CURLoption in_s,
                      CURLoption in_ms)
{
    bool ms = uns_notes_later(app, in_s, in_ms) == in_ms;
    long value = uns_notes_long(app, ms ? in_ms : in_s, 0);

    return value > 0 ? (uns_ns)value * (ms ? UNS_MS : UNS_S) : UNS_NEVER;
}

struct uns_plan_limits uns_plan_limits(const struct uns_app *app)
{
    long limit = uns_notes_long(app, CURLOPT_LOW_SPEED_LIMIT, 0);
    long time = uns_notes_long(app, CURLOPT_LOW_SPEED_TIME, 0);
    uns_ns connect =
        span_of(app, CURLOPT_CONNECTTIMEOUT, CURLOPT_CONNECTTIMEOUT_MS);
    bool slow = limit > 0 && time > 0;

    return (struct uns_plan_limits){
        .total = uns_call_total(app),
        .connect = connect == UNS_NEVER ? CONNECT_DEFAULT : connect,
        .low_speed = slow ? (uns_ns)time * UNS_S : UNS_NEVER,
        .low_limit = slow ? limit : 0,
    };
}

/* A setting and a limit that ends the transfer before it. */
struct pair {
    const char *key;
    uns_ns span;
};

#define PAIRS 4

static void list_pairs(const struct uns_call *call, struct pair pairs[PAIRS])
{
    const struct uns_policy *policy = call->policy;
    bool streams = call->request.streams;

    pairs[0] = (struct pair){"hedge.after_s", call->race.rules.after_ns};
    pairs[1] =
        (struct pair){"hedge.stall_after_s",
                      streams ? call->race.rules.stall_after_ns : UNS_NEVER};
    pairs[2] =
        (struct pair){"stream.ttft_timeout_s", policy->stream.ttft_timeout_ns};
    pairs[3] = (struct pair){"stream.stall_timeout_s",
                             policy->stream.stall_timeout_ns};
}

static void compare(const struct notes *notes)
{
    const struct uns_plan_limits *limits = notes->limits;
    struct pair pairs[PAIRS];

    list_pairs(notes->call, pairs);
    for (size_t i = 0; i < PAIRS; i++) {
        const struct pair *pair = &pairs[i];

        if (pair->span == UNS_NEVER)
            continue;
        if (pair->span >= limits->total)
            say(notes,
                "%s (%g s) can never act: the program gives up after %g s "
                "(CURLOPT_TIMEOUT)",
                pair->key, seconds(pair->span), seconds(limits->total));
        else if (pair->span >= limits->low_speed)
            say(notes,
                "%s (%g s) can never act: the program ends a transfer under "
                "%ld bytes/s after %g s (CURLOPT_LOW_SPEED_TIME)",
                pair->key, seconds(pair->span), limits->low_limit,
                seconds(limits->low_speed));
    }
    if (pairs[0].span != UNS_NEVER && pairs[0].span >= limits->connect)
        say(notes,
            "who cannot be connected to fails after %g s "
            "(CURLOPT_CONNECTTIMEOUT), before hedge.after_s (%g s)",
            seconds(limits->connect), seconds(pairs[0].span));
}

/* --- the settings among themselves ----------------------------------------*/

/* What the source that can do most would do: off, verify_when_lost, or better.
 */
enum resumable {
    NEVER,
    WHEN_LOST,
    ON_STALL
};

static enum resumable how_resumable(const struct uns_call *call)
{
    size_t count = uns_source_count(call->policy);
    enum resumable most = NEVER;

    for (size_t i = 0; i < count && most < ON_STALL; i++) {
        const char *word =
            uns_plan_resume(call, uns_source_at(call->policy, i));

        if (strcmp(word, "verify_when_lost") == 0)
            most = WHEN_LOST;
        else if (strcmp(word, "off") != 0)
            most = ON_STALL;
    }
    return most;
}

static void tell_given(const struct notes *notes, enum resumable how)
{
    if (how == NEVER)
        say(notes, "a stall after the first content stays: nothing is held "
                   "(hedge.hold_s) and the answer cannot be resumed");
    else if (how == WHEN_LOST)
        say(notes, "a stall after the first content stays, unless the stream "
                   "breaks: nothing is held (hedge.hold_s), the request has "
                   "neither temperature 0 nor a seed, and no source declares "
                   "prefill");
}

static void tell_stalls(const struct notes *notes)
{
    const struct uns_call *call = notes->call;
    const struct uns_hedge *hedge = &call->policy->hedge;

    if (hedge->stall_after_ns == UNS_NEVER)
        return;
    if (call->known && !call->request.streams)
        say(notes, "hedge.stall_after_s does nothing for it: it does not "
                   "stream, so nothing is seen until the answer is whole");
    else if (hedge->hold_ns == 0)
        tell_given(notes, how_resumable(call));
}

static void tell_hold(const struct notes *notes)
{
    uns_ns hold = notes->call->policy->hedge.hold_ns;

    if (hold == UNS_NEVER)
        say(notes, "the program gets the answer when it is whole "
                   "(hedge.hold_s \"all\"): until then it can be replaced");
    else if (hold > 0)
        say(notes,
            "the first %g s of the answer are kept back, and can be replaced "
            "(hedge.hold_s)",
            seconds(hold));
}

static void tell_body(const struct notes *notes)
{
    if (!notes->call->known)
        say(notes, "its body could not be read here, so what it asks is not "
                   "known");
}

static void tell_experiment(const struct notes *notes)
{
    const struct uns_experiment *experiment =
        uns_config_experiment(uns_root_config());

    if (notes->call->mode == UNS_MODE_SHADOW)
        say(notes, "a second request is read beside it and dropped (mode "
                   "\"shadow\"): to the first of the sources that can be used");
    if (experiment && notes->call->mode >= UNS_MODE_SHADOW)
        say(notes,
            "experiment %s: %g %% are treated so, the others are only observed",
            experiment->name, 100 * experiment->treatment);
}

cJSON *uns_plan_notes(const struct uns_call *call,
                      const struct uns_plan_limits *limits)
{
    const struct notes notes = {cJSON_CreateArray(), call, limits};

    compare(&notes);
    tell_body(&notes);
    tell_experiment(&notes);
    if (!uns_keep_alone(call) && !call->promotion) {
        tell_stalls(&notes);
        tell_hold(&notes);
    }
    return notes.list;
}
