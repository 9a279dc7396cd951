/* SPDX-License-Identifier: MIT */
/*
 * voice - the one attempt whose bytes the application gets, through its own
 * callbacks, piece by piece.  Nothing else in the engine calls them.
 */
#include "call.h"

#include "clock.h"
#include "notes.h"
#include "promotion.h"
#include "resume.h"
#include "tell.h"
#include "track.h"
#include "version.h"

#include <stdio.h>

static size_t to_file(char *bytes, size_t size, size_t count, void *file)
{
    return fwrite(bytes, size, count, file);
}

static curl_write_callback body_callback(const struct uns_app *app)
{
    curl_write_callback write =
        (curl_write_callback)uns_notes_function(app, CURLOPT_WRITEFUNCTION);

    return write ? write : to_file;
}

static size_t hand_body(const struct uns_app *app, struct uns_slice piece)
{
    void *data = uns_notes_pointer(app, CURLOPT_WRITEDATA, stdout);

    return body_callback(app)((char *)(uintptr_t)piece.data, 1, piece.len,
                              data);
}

/* As libcurl does it: without a header callback, but with data for one, the
 * write callback gets the headers; without either nobody does. */
static size_t hand_header(const struct uns_app *app, struct uns_slice piece)
{
    curl_write_callback header =
        (curl_write_callback)uns_notes_function(app, CURLOPT_HEADERFUNCTION);
    void *data = uns_notes_pointer(app, CURLOPT_HEADERDATA, NULL);

    if (!header && !data)
        return piece.len;
    if (!header)
        header = body_callback(app);
    return header((char *)(uintptr_t)piece.data, 1, piece.len, data);
}

size_t uns_voice_piece(struct uns_call *call, enum uns_piece_kind kind,
                       struct uns_slice piece)
{
    struct uns_attempt *a = call->voice;
    uns_ns from = uns_clock_now();
    size_t taken = kind == UNS_PIECE_BODY ? hand_body(call->app, piece)
                                          : hand_header(call->app, piece);
    uns_ns to = uns_clock_now();

    if (call->deliver_ns == UNS_NEVER) {
        call->deliver_ns = from;
        uns_track_attempt(a);
    }
    if (taken == piece.len) {
        uns_meter_app(&a->meter, from, to);
        if (kind == UNS_PIECE_BODY)
            uns_resume_given(call, piece);
    } else if (taken == CURL_WRITEFUNC_PAUSE) {
        call->paused = true;
        uns_meter_pause(&a->meter, to);
        uns_track_attempt(a);
        uns_race_pause(&call->race, to);
    } else {
        call->aborted = true;
        uns_tell_abort(call, to);
    }
    return taken;
}

/* A short write of a held piece happens outside libcurl's own delivery of it,
 * so its words are missing; it has changed them now and then. */
static void tell_short_write(struct uns_call *call,
                             const struct uns_piece *piece, size_t taken)
{
    unsigned version = uns_version_of(call->app->real);
    char *text = call->error;
    size_t size = sizeof call->error, passed = piece->len;

    if (version >= 0x080800 && taken == CURL_WRITEFUNC_ERROR)
        (void)snprintf(text, size,
                       "client returned ERROR on write of %zu bytes", passed);
    else if (version >= 0x080700)
        (void)snprintf(text, size,
                       "Failure writing output to destination, "
                       "passed %zu returned %zd",
                       passed, (ssize_t)taken);
    else
        (void)snprintf(text, size, "%s",
                       piece->kind == UNS_PIECE_HEADER
                           ? "Failed writing header"
                           : "Failure writing output to destination");
}

bool uns_voice_give(struct uns_call *call)
{
    struct uns_hold *hold = &call->voice->hold;
    struct uns_piece piece;
    size_t taken;

    if (call->giving)
        return false; /* the application unpaused inside its own callback */
    uns_promotion_settle(call);
    call->giving = true;
    if (call->lane)
        call->lane->incb++;
    while (!call->paused && !call->aborted && uns_hold_peek(hold, &piece)) {
        struct uns_slice slice = {piece.bytes, piece.len};

        taken = uns_voice_piece(call, piece.kind, slice);
        if (taken == piece.len)
            uns_hold_pop(hold);
        if (call->aborted)
            tell_short_write(call, &piece, taken);
    }
    if (call->lane)
        call->lane->incb--;
    call->giving = false;
    return !call->paused && !call->aborted;
}
