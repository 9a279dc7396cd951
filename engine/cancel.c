/* SPDX-License-Identifier: MIT */
#include "cancel.h"

#include "budget.h"
#include "clock.h"
#include "fault.h"
#include "log.h"
#include "notes.h"
#include "quiet.h"
#include "root.h"
#include "tape.h"
#include "track.h"

/* In the application's own multi its handle stays where the application has
 * put it, once libcurl is done with it. */
static bool stays(const struct uns_attempt *a)
{
    return a->call->lane->host && a->easy == a->call->app->easy && a->done;
}

static void remove_from(struct uns_lane *lane, CURL *easy)
{
    lane->inreal++;
    lane->real->curl_multi_remove_handle(lane->multi, easy);
    lane->inreal--;
}

/* Closing a TLS connection writes to it, and here libcurl does not keep the
 * SIGPIPE of a peer that has gone from the application. */
static void break_off(struct uns_lane *lane, CURL *easy)
{
    struct uns_quiet quiet;

    uns_quiet_begin(&quiet);
    remove_from(lane, easy);
    uns_quiet_end(&quiet);
}

/* Out of the multi, its connection closed.  QUICK_EXIT: libcurl would wait
 * here for the thread of a name look-up that is still running. */
static void take_out(struct uns_attempt *a)
{
    const struct uns_call *call = a->call;
    const struct uns_real *real = call->lane->real;

    a->live = false;
    if (stays(a))
        return;
    if (!a->done)
        call->lane->flying--;
    real->curl_easy_setopt(a->easy, CURLOPT_QUICK_EXIT, 1L);
    if (a->done)
        remove_from(call->lane, a->easy);
    else
        break_off(call->lane, a->easy);
    real->curl_easy_setopt(
        a->easy, CURLOPT_QUICK_EXIT,
        a->source ? 0L : uns_notes_long(call->app, CURLOPT_QUICK_EXIT, 0));
}

/* R11: a token pays for a request.  Of one that was stopped while it still
 * connected nobody has seen anything.  A failed connection is none of these:
 * what fails asks again at once, and the budget is what ends that. */
static void refund(struct uns_attempt *a)
{
    const struct uns_call *call = a->call;
    long sent = 0;

    if (!a->paid || a->done ||
        call->lane->real->curl_easy_getinfo(a->easy, CURLINFO_REQUEST_SIZE,
                                            &sent) != CURLE_OK ||
        sent > 0)
        return;
    a->paid = false;
    uns_budget_give_back(uns_root_store_path(), call->policy,
                         uns_call_patience_ms(call));
}

void uns_cancel(struct uns_attempt *a, uns_ns now_ns)
{
    if (!a->live)
        return;
    refund(a);
    if (!a->done || uns_fault_holds(a)) {
        a->cancelled = true;
        uns_meter_end(&a->meter, now_ns);
        uns_track_attempt(a);
        uns_tape_end(a, now_ns);
        uns_log("attempt %u cancelled", a->seq);
    }
    take_out(a);
}

void uns_cancel_sever(struct uns_attempt *a, CURLcode code)
{
    if (a->live && !a->done)
        take_out(a);
    a->severed = true;
    a->done = true;
    a->code = code;
}

void uns_cancel_all(struct uns_call *call)
{
    uns_ns now = uns_clock_now();

    for (unsigned i = 0; i < call->attempts; i++)
        uns_cancel(call->attempt[i], now);
}
