/* SPDX-License-Identifier: MIT */
/*
 * learn - a table of places under one lock, which is never held over a look
 * into the store: what was read there is added only if nobody else has read
 * the same meanwhile.
 */
#include "learn.h"

#include "clock.h"
#include "log.h"
#include "origin.h"
#include "quiet.h"
#include "root.h"
#include "store_times.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PLACES 16

/* Between two looks into the store. */
#define AGAIN (60 * UNS_S)

struct key {
    struct uns_origin origin;
    char model[sizeof((struct uns_call_record *)NULL)->model];
    bool streaming;
};

struct place {
    struct key key;
    struct uns_delay_window window;
    struct uns_delay_curve curve; /* of the window, unless it is stale */
    bool stale;
    int64_t last_id; /* the newest call of the store that was looked at */
    uns_ns next_ns;  /* when to look again */
    uns_ns used_ns;
};

static struct {
    pthread_mutex_t lock;
    struct place *place[PLACES];
} learned = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void take_lock(struct uns_quiet *quiet)
{
    uns_quiet_begin(quiet);
    pthread_mutex_lock(&learned.lock);
}

static void leave_lock(const struct uns_quiet *quiet)
{
    pthread_mutex_unlock(&learned.lock);
    uns_quiet_end(quiet);
}

/* `source` NULL: the call's own endpoint.  Cut like a record is. */
static struct key key_of(const struct uns_call *call,
                         const struct uns_source *source)
{
    struct key key;

    memset(&key, 0, sizeof key); /* compared as bytes, padding and all */
    key.origin = uns_origin_of(call, source);
    uns_request_model(&call->request, key.model, sizeof key.model);
    key.streaming = call->request.streams;
    return key;
}

static bool same_key(const struct key *a, const struct key *b)
{
    return a->streaming == b->streaming && !strcmp(a->model, b->model) &&
           !strcmp(a->origin.text, b->origin.text);
}

/* --- under the lock
 * ---------------------------------------------------------*/

static struct place *find(const struct key *key)
{
    for (size_t i = 0; i < PLACES; i++)
        if (learned.place[i] && same_key(&learned.place[i]->key, key))
            return learned.place[i];
    return NULL;
}

/* A free slot, or that of the place that was not used for longest. */
static struct place **worst_slot(void)
{
    struct place **worst = &learned.place[0];

    for (size_t i = 1; i < PLACES && *worst; i++)
        if (!learned.place[i] || learned.place[i]->used_ns < (*worst)->used_ns)
            worst = &learned.place[i];
    return worst;
}

/* The place, made if need be; NULL: no memory. */
static struct place *place_of(const struct key *key, uns_ns now_ns)
{
    struct place *place = find(key);
    struct place **slot;

    if (!place) {
        place = calloc(1, sizeof *place);
        if (!place)
            return NULL;
        slot = worst_slot();
        free(*slot);
        *slot = place;
        place->key = *key;
        place->stale = true;
    }
    place->used_ns = now_ns;
    return place;
}

static void add(struct place *place, int64_t us, bool censored)
{
    uns_delay_add(&place->window, us, censored);
    place->stale = true;
}

static const struct uns_delay_curve *curve_of(struct place *place)
{
    if (place->stale)
        uns_delay_estimate(&place->window, &place->curve);
    place->stale = false;
    return &place->curve;
}

static bool is_known(const struct place *place)
{
    return place && place->window.samples >= UNS_DELAY_LEAST;
}

/* The rival's own times, if it is elsewhere and they are known. */
static const struct uns_delay_curve *rival_curve(const struct uns_call *call,
                                                 struct place *place)
{
    const struct uns_policy *policy = call->policy;
    struct place *other = NULL;

    if (policy->source_count && policy->sources[0]->base_url) {
        struct key key = key_of(call, policy->sources[0]);

        other = find(&key);
    }
    return curve_of(is_known(other) ? other : place);
}

static uns_ns estimate(const struct uns_call *call, struct place *place)
{
    const struct uns_hedge *hedge = &call->policy->hedge;
    const struct uns_delay_curve *curve;
    uns_ns ns;

    if (!is_known(place))
        return hedge->warmup_ns;
    curve = curve_of(place);
    if (hedge->after.how == UNS_DELAY_QUANTILE)
        ns = uns_delay_quantile(curve, hedge->after.quantile) * 1000;
    else
        ns = uns_delay_auto(curve, rival_curve(call, place),
                            hedge->budget_ratio) *
             1000;
    return ns > hedge->floor_ns ? ns : hedge->floor_ns;
}

/* --- the store
 * --------------------------------------------------------------*/

/* Is it time for a look?  If so nobody else takes one meanwhile. */
static bool is_due(const struct key *key, struct uns_times_of *whose)
{
    struct uns_quiet quiet;
    uns_ns now = uns_clock_now();
    struct place *place;
    bool due;

    take_lock(&quiet);
    place = place_of(key, now);
    due = place && place->next_ns <= now;
    if (due) {
        whose->after_id = place->last_id;
        whose->except_pid = place->window.count ? getpid() : 0;
        place->next_ns = now + AGAIN;
    }
    leave_lock(&quiet);
    return due;
}

static void absorb(const struct key *key, const struct uns_times_of *whose,
                   const struct uns_times *times)
{
    struct uns_quiet quiet;
    struct place *place;

    take_lock(&quiet);
    place = find(key);
    if (place && place->last_id == whose->after_id) {
        for (size_t i = times->count; i > 0; i--)
            add(place, times->time[i - 1].us, times->time[i - 1].censored);
        place->last_id = times->last_id;
    }
    leave_lock(&quiet);
}

static void look_soon(const struct key *key)
{
    struct uns_quiet quiet;
    struct place *place;

    take_lock(&quiet);
    place = find(key);
    if (place)
        place->next_ns = 0;
    leave_lock(&quiet);
}

/* The others' times, and at first those of all who were here before.  A lock
 * is not waited for, and memory may be there in a moment: the next call looks
 * again. */
static void look(const struct key *key)
{
    const char *path = uns_root_store_path();
    struct uns_times_of whose = {.origin = key->origin.text,
                                 .model = key->model,
                                 .streaming = key->streaming};
    struct uns_times *times;
    enum uns_err err = UNS_NOMEM;

    if (!path || !is_due(key, &whose))
        return;
    times = malloc(sizeof *times);
    if (times)
        err = uns_store_times(path, &whose, 0, times);
    if (err == UNS_OK)
        absorb(key, &whose, times);
    else if (err == UNS_BUSY || err == UNS_NOMEM)
        look_soon(key);
    free(times);
}

/* The control of an experiment does, too: nobody cuts its calls short. */
static bool learns(const struct uns_call *call)
{
    const struct uns_policy *policy = call->policy;

    return policy->mode == UNS_MODE_HEDGE &&
           (policy->hedge.after.how == UNS_DELAY_QUANTILE ||
            policy->hedge.after.how == UNS_DELAY_AUTO);
}

uns_ns uns_learn_after(const struct uns_call *call)
{
    struct uns_quiet quiet;
    struct key key;
    uns_ns after;

    if (!call->known)
        return call->policy->hedge.warmup_ns; /* the body is to be read */
    key = key_of(call, NULL);
    look(&key);
    take_lock(&quiet);
    after = estimate(call, find(&key));
    leave_lock(&quiet);
    uns_log("%s %s: a rival after %lld ms", key.origin.text, key.model,
            (long long)(after / UNS_MS));
    return after;
}

/* When its content came, or until when there was none. */
static void note(const struct uns_attempt *a, uns_ns now_ns)
{
    const struct uns_meter *meter = &a->meter;
    bool censored = meter->first_content_ns == UNS_NEVER;
    uns_ns until = censored ? meter->end_ns : meter->first_content_ns;
    struct key key = key_of(a->call, a->source);
    struct uns_quiet quiet;
    struct place *place;

    if (until == UNS_NEVER)
        return;
    take_lock(&quiet);
    place = place_of(&key, now_ns);
    if (place)
        add(place, (until - meter->start_ns) / 1000, censored);
    leave_lock(&quiet);
}

/* A rival at the call's own origin is no sample: it was sent because the
 * primary was slow. */
static bool counts(const struct uns_attempt *a)
{
    return a->seq == 0 || a->source->base_url;
}

void uns_learn_note(const struct uns_call *call)
{
    uns_ns now = uns_clock_now();
    struct key key;

    if (!learns(call) || !call->known || uns_root_inject())
        return;
    for (unsigned i = 0; i < call->attempts; i++)
        if (counts(call->attempt[i]))
            note(call->attempt[i], now);
    key = key_of(call, NULL);
    look(&key); /* rather now than when the next call waits for it */
}

/* --- fork
 * -------------------------------------------------------------------*/

static void before_fork(void)
{
    pthread_mutex_lock(&learned.lock);
}

static void after_fork_in_parent(void)
{
    pthread_mutex_unlock(&learned.lock);
}

/* Its parent's calls are others' now: they are read from the store. */
static void after_fork_in_child(void)
{
    for (size_t i = 0; i < PLACES; i++) {
        free(learned.place[i]);
        learned.place[i] = NULL;
    }
    learned.lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
}

__attribute__((constructor)) static void register_fork_handlers(void)
{
    (void)pthread_atfork(before_fork, after_fork_in_parent,
                         after_fork_in_child);
}
