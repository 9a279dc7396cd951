/* SPDX-License-Identifier: MIT */
#include "census.h"

#include "call.h"

#include <string.h>

static size_t length(CURL *const *list)
{
    size_t count = 0;

    while (list[count])
        count++;
    return count;
}

static bool is_listed(CURL *const *list, const CURL *easy)
{
    while (*list && *list != easy)
        list++;
    return *list != NULL;
}

/* A handle of ours. */
static bool is_rival(const struct uns_lane *lane, const CURL *easy)
{
    for (const struct uns_call *call = lane->calls; call; call = call->next)
        for (unsigned i = 0; i < call->attempts; i++)
            if (call->attempt[i]->easy == easy)
                return easy != call->app->easy;
    return false;
}

static size_t drop_rivals(const struct uns_lane *lane, CURL **list)
{
    CURL **kept = list;

    for (CURL **at = list; *at; at++)
        if (!is_rival(lane, *at))
            *kept++ = *at;
    *kept = NULL;
    return (size_t)(kept - list);
}

static size_t count_missing(const struct uns_loop *loop, CURL *const *list)
{
    size_t count = 0;

    for (const struct uns_member *m = loop->members; m; m = m->next)
        count += !is_listed(list, m->app->easy);
    return count;
}

/* Memory that curl_free() frees, whatever allocator the application has given
 * to libcurl: a text of that length. */
static CURL **enlarge(const struct uns_real *real, CURL **list, size_t count,
                      size_t more)
{
    int bytes = (int)((count + more + 1) * sizeof *list);
    void *room =
        real->curl_maprintf ? real->curl_maprintf("%*s", bytes, "") : NULL;

    if (!room)
        return NULL;
    memcpy(room, list, (count + 1) * sizeof *list);
    real->curl_free(list);
    return room;
}

CURL **uns_census_handles(struct uns_loop *loop)
{
    const struct uns_real *real = loop->lane.real;
    CURL **list = real->curl_multi_get_handles(loop->lane.multi);
    size_t room = list ? length(list) : 0;
    size_t count = list ? drop_rivals(&loop->lane, list) : 0;
    size_t missing = list ? count_missing(loop, list) : 0;

    if (count + missing > room) {
        CURL **larger = enlarge(real, list, count, missing);

        if (!larger)
            real->curl_free(list);
        list = larger;
    }
    for (const struct uns_member *m = loop->members; list && m; m = m->next)
        if (!is_listed(list, m->app->easy)) {
            list[count++] = m->app->easy;
            list[count] = NULL;
        }
    return list;
}

/* What libcurl counts, and what of it the application is to know. */
static CURLMcode count_current(struct uns_loop *loop, curl_off_t *ret_count)
{
    CURL **list = uns_census_handles(loop);

    if (!list)
        return CURLM_OUT_OF_MEMORY;
    *ret_count = (curl_off_t)length(list);
    loop->lane.real->curl_free(list);
    return CURLM_OK;
}

/* Those that have ended are what is left: nothing is in two of the states. */
static CURLMcode count_done(struct uns_loop *loop, curl_off_t *ret_count)
{
    curl_off_t current = 0, running = 0, pending = 0;
    CURLMcode code = uns_census_count(loop, CURLMINFO_XFERS_CURRENT, &current);

    if (code == CURLM_OK)
        code = uns_census_count(loop, CURLMINFO_XFERS_RUNNING, &running);
    if (code == CURLM_OK)
        code = uns_census_count(loop, CURLMINFO_XFERS_PENDING, &pending);
    if (code == CURLM_OK)
        *ret_count = current - running - pending;
    return code;
}

CURLMcode uns_census_count(struct uns_loop *loop, CURLMinfo_offt info,
                           curl_off_t *ret_count)
{
    const struct uns_lane *lane = &loop->lane;
    curl_off_t all;
    CURLMcode code = lane->real->curl_multi_get_offt(lane->multi, info,
                                                     ret_count ? &all : NULL);

    if (code != CURLM_OK)
        return code;
    switch (info) {
    case CURLMINFO_XFERS_CURRENT:
        return count_current(loop, ret_count);
    case CURLMINFO_XFERS_DONE:
        return count_done(loop, ret_count);
    case CURLMINFO_XFERS_RUNNING: /* a rival never waits: limit.h */
        *ret_count = all + lane->unfinished - lane->flying;
        break;
    case CURLMINFO_XFERS_ADDED:
        *ret_count = all + lane->hidden;
        break;
    default:
        *ret_count = all;
        break;
    }
    return CURLM_OK;
}
