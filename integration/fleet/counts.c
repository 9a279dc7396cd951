/* SPDX-License-Identifier: MIT */

/*
 * counts - what newer libcurls tell of the handles in a multi is what the
 * fleet has put there: their list (8.4), their numbers (8.16).  Where libcurl
 * has no such function nothing is checked.
 */

#include "fleet.h"

#include <dlfcn.h>

typedef CURL **list_fn(CURLM *multi);
typedef CURLMcode count_fn(CURLM *multi, int what, curl_off_t *count);

static long inside(const struct fleet *fleet)
{
    return fleet->inside[0] + fleet->inside[1];
}

static void check_list(struct fleet *fleet)
{
    list_fn *get;
    CURL **all;
    long count = 0;

    *(void **)&get = dlsym(RTLD_DEFAULT, "curl_multi_get_handles");
    all = get ? get(fleet->multi) : NULL;
    if (!all)
        return;
    for (; all[count]; count++)
        if (!fleet_knows(fleet, all[count]))
            fleet_breach(fleet, "get_handles knows a stranger");
    if (count != inside(fleet))
        fleet_breach(fleet, "get_handles knows %ld of %ld", count,
                     inside(fleet));
    curl_free(all);
}

static curl_off_t count_of(const struct fleet *fleet, int what)
{
    curl_off_t count = -1;
    count_fn *get;

    *(void **)&get = dlsym(RTLD_DEFAULT, "curl_multi_get_offt");
    return get && get(fleet->multi, what, &count) == CURLM_OK ? count : -1;
}

void fleet_check_counts(struct fleet *fleet)
{
    enum {
        CURRENT = 1,
        RUNNING,
        PENDING,
        DONE,
        ADDED
    };

    const struct {
        const char *name;
        curl_off_t is;
        long want;
    } rows[] = {
        {"current", count_of(fleet, CURRENT), inside(fleet)},
        {"under way", count_of(fleet, RUNNING) + count_of(fleet, PENDING),
         fleet->in_flight},
        {"done", count_of(fleet, DONE), inside(fleet) - fleet->in_flight},
        {"added", count_of(fleet, ADDED), fleet->next[0] + fleet->next[1]},
    };

    check_list(fleet);
    for (size_t i = 0; i < sizeof rows / sizeof *rows && rows[0].is >= 0; i++)
        if (rows[i].is != rows[i].want)
            fleet_breach(fleet, "get_offt: %ld are %s, not %ld",
                         (long)rows[i].is, rows[i].name, rows[i].want);
}
