/* SPDX-License-Identifier: MIT */
#include "lane.h"

#include "call.h"
#include "cancel.h"
#include "clock.h"
#include "fault.h"
#include "inbox.h"
#include "limit.h"
#include "names.h"
#include "notes.h"
#include "root.h"
#include "roster.h"
#include "step.h"
#include "swap.h"
#include "track.h"

#include <poll.h>

/* Connections that an easy handle keeps when the application says nothing
 * (lib/easy.c); a multi's own default is another. */
#define EASY_CONNECTIONS 5L

/* Turns may be thousands a second. */
#define BEAT_NS (100 * UNS_MS)

/* libcurl's own work in a turn is not longer, unless the machine is too busy
 * for a gap to mean anything. */
#define BUSY_NS (50 * UNS_MS)

CURLMcode uns_lane_open(struct uns_lane *lane, const struct uns_app *app)
{
    const struct uns_real *real = app->real;

    *lane = (struct uns_lane){.real = real,
                              .multi = real->curl_multi_init(),
                              .turn_ns = UNS_NEVER,
                              .deadline_ns = UNS_NEVER};
    if (!lane->multi)
        return CURLM_OUT_OF_MEMORY;
    return real->curl_multi_setopt(
        lane->multi, CURLMOPT_MAXCONNECTS,
        uns_notes_long(app, CURLOPT_MAXCONNECTS, EASY_CONNECTIONS));
}

void uns_lane_open_in(struct uns_lane *lane, struct uns_multi *host)
{
    *lane = (struct uns_lane){.real = host->real,
                              .multi = host->multi,
                              .host = host,
                              .turn_ns = UNS_NEVER,
                              .deadline_ns = UNS_NEVER};
}

void uns_lane_close(struct uns_lane *lane)
{
    uns_names_free(lane);
    if (lane->multi)
        lane->real->curl_multi_cleanup(lane->multi);
    lane->multi = NULL;
}

/* --- begin and end --------------------------------------------------------*/

static void enter(struct uns_lane *lane, struct uns_call *call)
{
    lane->unfinished++;
    call->lane = lane;
    call->next = lane->calls;
    lane->calls = call;
}

void uns_lane_refuse(struct uns_lane *lane, struct uns_call *call)
{
    enter(lane, call);
    lane->hidden++;
    uns_roster_finish(call);
}

CURLMcode uns_lane_begin(struct uns_lane *lane, struct uns_call *call)
{
    CURLMcode code = uns_roster_add(lane, call->attempt[0]);

    if (code != CURLM_OK)
        return code;
    enter(lane, call);
    uns_limit_begin(call, uns_clock_now());
    uns_roster_touch(call); /* a tied rival is sent before anybody waits */
    return CURLM_OK;
}

void uns_lane_end(struct uns_lane *lane, struct uns_call *call)
{
    uns_cancel_all(call);
    uns_limit_end(call);
    uns_roster_forget(lane, call);
    if (!lane->calls)
        lane->deadline_ns = UNS_NEVER;
}

/* --- messages and turns ---------------------------------------------------*/

static struct uns_attempt *find(const struct uns_lane *lane, const CURL *easy)
{
    for (struct uns_call *call = lane->calls; call; call = call->next)
        for (unsigned i = 0; i < call->attempts; i++)
            if (call->attempt[i]->easy == easy && call->attempt[i]->live)
                return call->attempt[i];
    return NULL;
}

/* Of a handle that is none of our attempts.  Its message is no more when the
 * application cleans it up. */
static void pass_on(struct uns_lane *lane, CURLMsg *message)
{
    struct uns_app *app = uns_root_host()->find(message->easy_handle);

    uns_inbox_put(lane, message, app ? &app->inbox : NULL);
}

void uns_lane_drain(struct uns_lane *lane)
{
    CURLMsg *message;
    int left;

    while (uns_inbox_has_room(lane) &&
           (message = lane->real->curl_multi_info_read(lane->multi, &left))) {
        struct uns_attempt *a = find(lane, message->easy_handle);

        if (!a || message->msg != CURLMSG_DONE) {
            pass_on(lane, message);
            continue;
        }
        a->done = true;
        a->code = message->data.result;
        lane->flying--;
        uns_roster_touch(a->call);
    }
}

static CURLMcode work(struct uns_lane *lane, const struct uns_turn *turn,
                      int *running)
{
    const struct uns_real *real = lane->real;
    CURLMcode code = CURLM_OK;

    lane->inreal++;
    switch (turn->how) {
    case UNS_TURN_PERFORM:
        code = real->curl_multi_perform(lane->multi, running);
        break;
    case UNS_TURN_ACTION:
        code = real->curl_multi_socket_action(lane->multi, turn->fd,
                                              turn->events, running);
        break;
    case UNS_TURN_ALL:
        code = real->curl_multi_socket_all(lane->multi, running);
        break;
    }
    lane->inreal--;
    return code;
}

/* A race that is over waits for an application that has paused, as long as
 * that lets it (R9). */
static uns_ns deadline_of(const struct uns_call *call)
{
    if (call->finished || call->solo)
        return UNS_NEVER;
    if (uns_fault_deadline(call) < uns_race_deadline(&call->race))
        return uns_fault_deadline(call);
    if (call->again_ns < uns_race_deadline(&call->race))
        return call->again_ns;
    return call->todo.end != UNS_END_NONE && call->paused
               ? uns_call_limit(call)
               : uns_race_deadline(&call->race);
}

static bool step(struct uns_lane *lane, struct uns_call *call)
{
    bool launched = uns_step(call);
    uns_ns deadline = deadline_of(call);

    if (deadline < lane->deadline_ns)
        lane->deadline_ns = deadline;
    return launched;
}

static bool step_touched(struct uns_lane *lane)
{
    bool launched = false;

    while (lane->touched) {
        struct uns_call *call = lane->touched;

        lane->touched = call->next_touched;
        call->touched = false;
        launched |= step(lane, call);
    }
    return launched;
}

static bool step_due(struct uns_lane *lane)
{
    uns_ns now = lane->looked_ns;
    bool launched = false;

    if (lane->deadline_ns > now)
        return false;
    lane->deadline_ns = UNS_NEVER;
    for (struct uns_call *call = lane->calls; call; call = call->next) {
        uns_ns deadline = deadline_of(call);

        if (deadline <= now)
            launched |= step(lane, call);
        else if (deadline < lane->deadline_ns)
            lane->deadline_ns = deadline;
    }
    return launched;
}

/* --- an application that is late ------------------------------------------*/

static bool is_readable(curl_socket_t fd)
{
    struct pollfd ready = {.fd = fd, .events = POLLIN};

    return fd != CURL_SOCKET_BAD && poll(&ready, 1, 0) == 1;
}

static CURLMcode read_call(struct uns_lane *lane, const struct uns_call *call,
                           int *running)
{
    CURLMcode code = CURLM_OK;

    for (unsigned i = 0; i < call->attempts && code == CURLM_OK; i++) {
        const struct uns_attempt *a = call->attempt[i];
        const struct uns_turn read = {UNS_TURN_ACTION, a->fd, CURL_CSELECT_IN};

        if (a->live && !a->done && is_readable(a->fd))
            code = work(lane, &read, running);
    }
    return code;
}

/* Told of a timer first, and of a socket later: what waits there is read
 * before anybody is taken for silent.  The other turns read all by
 * themselves. */
static CURLMcode read_due(struct uns_lane *lane, int *running)
{
    uns_ns now = lane->looked_ns;
    CURLMcode code = CURLM_OK;

    if (lane->deadline_ns > now)
        return CURLM_OK;
    for (struct uns_call *call = lane->calls; call && code == CURLM_OK;
         call = call->next)
        if (deadline_of(call) <= now)
            code = read_call(lane, call, running);
    return code;
}

static void excuse(struct uns_attempt *a, uns_ns from_ns, uns_ns to_ns)
{
    if (to_ns - from_ns >= BUSY_NS && a->live && !a->done)
        uns_meter_app(&a->meter, from_ns, to_ns);
}

void uns_lane_excuse(struct uns_lane *lane, uns_ns from_ns, uns_ns to_ns)
{
    if (to_ns - from_ns < BUSY_NS)
        return;
    for (struct uns_call *call = lane->calls; call; call = call->next)
        for (unsigned i = 0; i < call->attempts; i++)
            excuse(call->attempt[i], from_ns, to_ns);
}

void uns_lane_excuse_piece(struct uns_attempt *a)
{
    const struct uns_lane *lane = a->call->lane;

    if (lane && lane->turn_ns != UNS_NEVER)
        excuse(a, lane->turn_ns, a->piece_ns);
}

/* --- run ------------------------------------------------------------------*/

static CURLMcode take_turn(struct uns_lane *lane, const struct uns_turn *turn,
                           int *running)
{
    CURLMcode code;

    lane->looked_ns = lane->turn_ns = uns_clock_now();
    code = work(lane, turn, running);
    if (code == CURLM_OK && turn->how == UNS_TURN_ACTION)
        code = read_due(lane, running);
    lane->turn_ns = UNS_NEVER;
    uns_lane_excuse(lane, lane->looked_ns, uns_clock_now());
    if (code != CURLM_OK)
        return code;
    if (turn->how != UNS_TURN_ACTION)
        uns_limit_look(lane);
    uns_lane_drain(lane);
    return CURLM_OK;
}

/* The turn in which libcurl first hears of a rival. */
static CURLMcode take_first_turn(struct uns_lane *lane,
                                 const struct uns_turn *turn, int *running)
{
    CURLMcode code;

    uns_limit_raise(lane);
    code = take_turn(lane, turn, running);
    uns_limit_restore(lane);
    return code;
}

/* A turn is a sign of life of every call in the lane. */
static void beat(struct uns_lane *lane)
{
    uns_ns now = uns_clock_now();

    if (now - lane->beat_ns < BEAT_NS)
        return;
    lane->beat_ns = now;
    for (struct uns_call *call = lane->calls; call; call = call->next)
        uns_track_beat(call, now);
}

CURLMcode uns_lane_run(struct uns_lane *lane, const struct uns_turn *turn,
                       int *ret_running)
{
    static const struct uns_turn kick = {
        .how = UNS_TURN_ACTION, .fd = CURL_SOCKET_TIMEOUT, .events = 0};
    int running = 0;
    CURLMcode code = take_turn(lane, turn, &running);
    bool launched = true;

    beat(lane);
    while (code == CURLM_OK && launched) {
        int flying = lane->flying;

        launched = step_touched(lane);
        launched |= step_due(lane);
        uns_lane_excuse(lane, lane->looked_ns, uns_clock_now());
        *ret_running = running - flying + lane->unfinished;
        if (launched)
            code = take_first_turn(
                lane, turn->how == UNS_TURN_PERFORM ? turn : &kick, &running);
    }
    return code;
}

uns_ns uns_lane_deadline(const struct uns_lane *lane)
{
    return lane->touched || lane->finished ? 0 : lane->deadline_ns;
}
