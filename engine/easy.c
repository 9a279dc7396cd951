/* SPDX-License-Identifier: MIT */
#include "easy.h"

#include "alarm.h"
#include "clock.h"
#include "judge.h"
#include "keep.h"
#include "log.h"
#include "notes.h"
#include "plan.h"
#include "progress.h"
#include "roster.h"
#include "tell.h"

#include <stdio.h>

/* libcurl's own wait in curl_easy_perform. */
#define WAIT_MS 1000

/* Round up: a wait that ends before its deadline would be repeated for the
 * rest of a millisecond. */
static int wait_ms(uns_ns deadline)
{
    uns_ns left;

    if (deadline == UNS_NEVER)
        return WAIT_MS;
    left = deadline - uns_clock_now();
    if (left <= 0)
        return 0;
    return left >= WAIT_MS * UNS_MS ? WAIT_MS
                                    : (int)((left + UNS_MS - 1) / UNS_MS);
}

/* What the waits of a call share. */
struct waits {
    uns_ns tick_ns; /* when libcurl's own wait would be over */
    int alarm;
};

/* libcurl calls the progress callback when a wait is over.  What wakes us for
 * a rival's sake must not put that off: a wait that was cut short is
 * completed, not begun anew.  For a deadline what was rounded up would be too
 * late: the alarm wakes libcurl in time. */
static CURLMcode wait(struct uns_lane *lane, struct waits *waits)
{
    const struct uns_real *real = lane->real;
    uns_ns now = uns_clock_now();
    uns_ns due = uns_lane_deadline(lane);
    CURLMcode code;
    struct curl_waitfd extra = {.fd = UNS_ALARM_NONE,
                                .events = CURL_WAIT_POLLIN};
    unsigned extras;
    int ms;

    if (waits->tick_ns <= now)
        waits->tick_ns = now + WAIT_MS * UNS_MS;
    if (due > now && due < waits->tick_ns)
        extra.fd = uns_alarm_set(&waits->alarm, due);
    extras = extra.fd != UNS_ALARM_NONE;
    ms = wait_ms(due < waits->tick_ns ? due : waits->tick_ns);
    /* curl_multi_wait returns at once when there is nothing to wait for. */
    code = real->curl_multi_poll
               ? real->curl_multi_poll(lane->multi, &extra, extras, ms, NULL)
               : real->curl_multi_wait(lane->multi, &extra, extras, ms, NULL);
    /* Longer than it may last: the process was stopped meanwhile. */
    uns_lane_excuse(lane, now + ms * UNS_MS, uns_clock_now());
    return code;
}

/* libcurl's multi failed under us: what curl_easy_perform makes of that. */
static void fail(struct uns_call *call, CURLMcode code)
{
    uns_log("multi interface: error %d", code);
    call->code = code == CURLM_OUT_OF_MEMORY ? CURLE_OUT_OF_MEMORY
                                             : CURLE_BAD_FUNCTION_ARGUMENT;
    uns_roster_finish(call);
}

/* No transfer is left that would call the application's progress callback: all
 * has arrived and it has paused in the middle, so that it may want to unpause
 * from there; or a retry waits for its time. */
static void keep_watching(struct uns_call *call)
{
    if (call->lane->flying == 0 && !call->finished && uns_progress_call(call)) {
        call->code = CURLE_ABORTED_BY_CALLBACK;
        (void)snprintf(call->error, sizeof call->error, "Callback aborted");
        call->aborted = true;
        uns_tell_abort(call, uns_clock_now());
        uns_roster_touch(call);
    }
}

static void drive(struct uns_lane *lane, struct uns_call *call)
{
    static const struct uns_turn perform = {.how = UNS_TURN_PERFORM};
    struct waits waits = {.tick_ns = 0, .alarm = UNS_ALARM_NONE};
    int running;

    while (!call->finished) {
        CURLMcode code = uns_lane_run(lane, &perform, &running);

        keep_watching(call);
        if (code == CURLM_OK && !call->finished)
            code = wait(lane, &waits);
        if (code != CURLM_OK)
            fail(call, code);
    }
    uns_alarm_close(&waits.alarm); /* no descriptor outlives the call */
}

static bool race(struct uns_call *call)
{
    struct uns_keep *keep = call->app->call;
    struct uns_lane *lane = &keep->lane;

    if (!lane->multi && uns_lane_open(lane, call->app) != CURLM_OK) {
        uns_lane_close(lane);
        return false;
    }
    if (uns_lane_begin(lane, call) != CURLM_OK)
        return false;
    drive(lane, call);
    uns_lane_end(lane, call);
    return true;
}

/* Only watched: the real function, so that nothing else can differ. */
static bool watch(struct uns_call *call)
{
    struct uns_attempt *primary = call->attempt[0];
    struct uns_call *outer = uns_progress_listen(call);

    call->code = call->app->real->curl_easy_perform(call->app->easy);
    uns_progress_listen_again(outer);
    primary->code = call->code;
    primary->done = true;
    uns_judge_end(primary, uns_clock_now());
    return true;
}

/* A perform inside one of the call's own callbacks.  libcurl refuses it for a
 * handle that is in a multi; attempt 0 may have left that. */
static bool refuse(const struct uns_app *app, CURLcode *ret_code)
{
    const struct uns_keep *keep = app->call;
    char *buffer = uns_notes_pointer(app, CURLOPT_ERRORBUFFER, NULL);

    if (!keep || !keep->call || keep->call->solo ||
        keep->call->attempt[0]->live)
        return false;
    if (buffer)
        (void)snprintf(buffer, CURL_ERROR_SIZE,
                       "easy handle already used in multi handle");
    *ret_code = CURLE_FAILED_INIT;
    return true;
}

static bool plan(struct uns_app *app, CURLcode *ret_code)
{
    struct uns_call *call;
    enum uns_planned planned = uns_plan_open(app, &call);

    if (planned == UNS_PLANNED_CALL) {
        uns_plan_describe(call);
        uns_keep_withdraw(call);
    }
    *ret_code = UNS_PLAN_CODE;
    return planned != UNS_PLANNED_NOT;
}

bool uns_easy_perform(struct uns_app *app, CURLcode *ret_code)
{
    enum uns_way way;
    struct uns_call *call;

    if (app->busy)
        return refuse(app, ret_code);
    if (uns_plan_is_made())
        return plan(app, ret_code);
    call = uns_keep_open(app, &way);
    if (!call)
        return false;
    if (!(way == UNS_WAY_RACE ? race(call) : watch(call))) {
        uns_keep_withdraw(call);
        return false;
    }
    *ret_code = call->code;
    uns_keep_close(call);
    return true;
}
