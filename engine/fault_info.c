/* SPDX-License-Identifier: MIT */
/*
 * fault_info - what the application asks about a call that faults are played
 * on: libcurl knows the transfer behind them, which may have been over long
 * before, with bytes that were never given on.
 */
#include "fault.h"

#include "clock.h"
#include "keep.h"

/* How each is told. */
enum tell {
    SIZE,
    SPEED,
    SECONDS,
    MICROSECONDS
};

static struct uns_played look(const struct uns_call *call)
{
    const struct uns_attempt *a = call->attempt[0];

    return (struct uns_played){
        .on = a->fault != NULL,
        .less = uns_fault_holds(a) || a->severed || a->cancelled,
        .bytes = a->meter.bytes,
        .span_ns = uns_clock_now() - call->begin_ns,
    };
}

void uns_fault_keep(const struct uns_call *call)
{
    struct uns_keep *keep = call->app->call;

    keep->played = look(call);
}

static struct uns_played played_of(const struct uns_app *app)
{
    const struct uns_keep *keep = app->call;

    if (!keep)
        return (struct uns_played){0};
    return keep->call ? look(keep->call) : keep->played;
}

/* Where all came through, libcurl's own count is right also of a body that it
 * has decoded. */
static double bytes_of(const struct uns_app *app,
                       const struct uns_played *played)
{
    curl_off_t all = 0;

    if (played->less)
        return (double)played->bytes;
    app->real->curl_easy_getinfo(app->easy, CURLINFO_SIZE_DOWNLOAD_T, &all);
    return (double)all;
}

/* NOLINTNEXTLINE(readability-non-const-parameter): it is libcurl's */
static void put(CURLINFO info, double number, void *out)
{
    if ((info & CURLINFO_TYPEMASK) == CURLINFO_DOUBLE)
        *(double *)out = number;
    else
        *(curl_off_t *)out = (curl_off_t)number;
}

bool uns_fault_info(const struct uns_app *app, CURLINFO info, void *out)
{
    static const struct {
        CURLINFO info;
        enum tell tell;
    } told[] = {
        {(CURLINFO)(CURLINFO_DOUBLE + 8), SIZE        },
        {CURLINFO_SIZE_DOWNLOAD_T,        SIZE        },
        {(CURLINFO)(CURLINFO_DOUBLE + 9), SPEED       },
        {CURLINFO_SPEED_DOWNLOAD_T,       SPEED       },
        {CURLINFO_TOTAL_TIME,             SECONDS     },
        {CURLINFO_TOTAL_TIME_T,           MICROSECONDS},
    };
    const struct uns_played played = played_of(app);
    double seconds = (double)played.span_ns / (double)UNS_S;
    double bytes = played.on ? bytes_of(app, &played) : 0;
    const double values[] = {
        [SIZE] = bytes,
        [SPEED] = seconds > 0 ? bytes / seconds : 0,
        [SECONDS] = seconds,
        [MICROSECONDS] = seconds * 1e6,
    };

    for (size_t i = 0; played.on && i < sizeof told / sizeof *told; i++)
        if (told[i].info == info) {
            put(info, values[told[i].tell], out);
            return true;
        }
    return false;
}
