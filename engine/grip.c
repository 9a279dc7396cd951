/* SPDX-License-Identifier: MIT */
#include "grip.h"

#include "clock.h"
#include "keep.h"
#include "loop.h"
#include "root.h"
#include "roster.h"
#include "step.h"
#include "swap.h"
#include "track.h"

static void note_pause(struct uns_call *call, bool stop, uns_ns now_ns)
{
    if (stop != call->paused) {
        call->paused = stop;
        if (!call->queued)
            (stop ? uns_race_pause : uns_race_unpause)(&call->race, now_ns);
    }
    if (call->voice)
        (stop ? uns_meter_pause : uns_meter_unpause)(&call->voice->meter,
                                                     now_ns);
    if (call->voice)
        uns_track_attempt(call->voice);
}

/* The application has heard nothing yet: only sending can stop in libcurl.
 * What arrives is held until it wants to hear. */
static CURLcode pause_early(const struct uns_call *call, int bitmask)
{
    const struct uns_attempt *primary = call->attempt[0];

    if (primary->done || primary->cancelled)
        return CURLE_OK;
    return uns_roster_pause(primary, bitmask & CURLPAUSE_SEND);
}

static CURLcode pause_voice(struct uns_call *call, int bitmask)
{
    struct uns_attempt *voice = call->voice;
    bool stop = bitmask & CURLPAUSE_RECV;

    if (!stop && !call->giving && !uns_voice_give(call))
        return call->aborted ? CURLE_WRITE_ERROR : CURLE_OK;
    return voice->done ? CURLE_OK : uns_roster_pause(voice, bitmask);
}

CURLcode uns_grip_pause(struct uns_app *app, int bitmask)
{
    struct uns_keep *keep = app->call;
    struct uns_call *call = keep ? keep->call : NULL;
    CURLcode code;

    if (!call)
        return app->real->curl_easy_pause(app->easy, bitmask);
    code = call->voice ? CURLE_OK : pause_early(call, bitmask);
    if (code != CURLE_OK)
        return code;
    note_pause(call, bitmask & CURLPAUSE_RECV, uns_clock_now());
    uns_roster_touch(call); /* its deadlines are others now */
    if (call->voice)
        code = pause_voice(call, bitmask);
    if (call->lane && call->lane->host)
        uns_loop_tell(uns_loop_of(call->lane));
    return code;
}

/* 8.22 was the first whose curl_easy_reset looks where it is called. */
static bool is_ignored(const struct uns_real *real)
{
    return real->curl_version_info &&
           real->curl_version_info(CURLVERSION_FIRST)->version_num >= 0x081600;
}

void uns_grip_detach(struct uns_app *app)
{
    struct uns_keep *keep = app->call;

    uns_call_detach(keep->call);
}

void uns_grip_reset(struct uns_app *app)
{
    struct uns_keep *keep = app->call;

    if (is_ignored(app->real))
        return;
    uns_call_detach(keep->call);
    keep->call->body.lost = true; /* what a rival would be sent with is gone */
    app->real->curl_easy_reset(app->easy);
    uns_root_host()->forget(app);
    app->lent = 0;
    uns_swap_back_in(keep->call);
}

void uns_grip_release(struct uns_app *app, bool whole)
{
    struct uns_keep *keep = app->call;
    struct uns_call *call = keep ? keep->call : NULL;

    if (call && (!call->lane || !uns_lane_is_free(call->lane)))
        return;
    if (call)
        uns_keep_abandon(call);
    if (whole)
        uns_inbox_purge(app->inbox, app->easy);
    if (keep)
        (whole ? uns_keep_free : uns_keep_drop)(app);
}
