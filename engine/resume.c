/* SPDX-License-Identifier: MIT */
#include "resume.h"

#include "clock.h"
#include "headers.h"
#include "log.h"
#include "memory.h"

#include <stdlib.h>
#include <string.h>

/* The first bytes wait to be looked at: most answers end before. */
#define LOOK_BYTES 32768

bool uns_resume_may(const struct uns_call *call)
{
    const struct uns_hedge *hedge = &call->policy->hedge;

    return call->mode == UNS_MODE_HEDGE && hedge->resume != UNS_RESUME_OFF &&
           hedge->max_attempts > 1 && call->request.streams &&
           uns_parts_known(call->request.dialect) &&
           (hedge->stall_after_ns != UNS_NEVER ||
            uns_call_fails_over(&hedge->failover));
}

void uns_resume_detach(struct uns_attempt *rival)
{
    if (!rival->joint)
        return;
    uns_joint_done(rival->joint);
    free(rival->joint);
    rival->joint = NULL;
}

void uns_resume_free(struct uns_call *call)
{
    struct uns_resume_state *resume = call->resume;

    for (unsigned i = 0; i < call->attempts; i++)
        uns_resume_detach(call->attempt[i]);
    if (!resume)
        return;
    if (resume->begun)
        uns_told_done(&resume->told);
    uns_run_free(&resume->given, &uns_memory);
    uns_hold_clear(&resume->end);
    free(resume);
    call->resume = NULL;
}

/* --- what the application has --------------------------------------------- */

static struct uns_resume_state *resume_of(struct uns_call *call)
{
    if (!call->resume)
        call->resume = calloc(1, sizeof *call->resume);
    if (call->resume)
        call->resume->call = call;
    return call->resume;
}

static bool is_compared(const struct uns_call *call)
{
    for (unsigned i = 0; i < call->attempts; i++)
        if (call->attempt[i]->joint)
            return true;
    return false;
}

/* A rival that is compared may still read what it has joined. */
static void stop(struct uns_resume_state *resume, const char *why)
{
    resume->off = why;
    uns_run_free(&resume->given, &uns_memory);
    if (resume->begun && !is_compared(resume->call))
        uns_told_done(&resume->told);
}

/* With CURLOPT_HEADER the headers come first. */
static void begin(struct uns_resume_state *resume,
                  const struct uns_attempt *voice)
{
    uns_told_init(&resume->told, resume->call->request.dialect, &uns_memory,
                  resume->call->policy->hedge.hold_limit_bytes);
    resume->begun = true;
    resume->known = voice->head_bytes;
}

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Returns how many bytes lie before an error. */
static size_t hear(struct uns_resume_state *resume, struct uns_slice bytes)
{
    size_t good = uns_told_hear(&resume->told, bytes.data, bytes.len);

    if (resume->told.off)
        stop(resume, resume->told.off);
    return good;
}

static void hear_given(struct uns_resume_state *resume, struct uns_slice bytes)
{
    size_t at = smaller(resume->known, bytes.len);

    resume->known -= at;
    (void)hear(resume, (struct uns_slice){bytes.data + at, bytes.len - at});
}

/* Looks at what has waited; from now on nothing waits. */
static void catch_up(struct uns_resume_state *resume,
                     const struct uns_attempt *voice)
{
    if (resume->off || resume->begun)
        return;
    begin(resume, voice);
    hear_given(resume, uns_run_slice(&resume->given));
    uns_run_free(&resume->given, &uns_memory);
}

/* A rival that has joined was heard frame by frame when it was passed on. */
void uns_resume_given(struct uns_call *call, struct uns_slice bytes)
{
    struct uns_resume_state *resume;
    size_t limit = smaller(LOOK_BYTES, call->policy->hedge.hold_limit_bytes);

    if (!call->race.rules.resume || call->voice->joint)
        return;
    resume = resume_of(call);
    if (!resume) {
        call->race.rules.resume = false;
        return;
    }
    if (resume->given.len + bytes.len > limit)
        catch_up(resume, call->voice);
    if (resume->off)
        return;
    if (resume->begun)
        hear_given(resume, bytes);
    else if (!uns_run_add(&resume->given, &uns_memory, bytes.data, bytes.len))
        stop(resume, "no_memory");
}

const char *uns_resume_ready(struct uns_call *call)
{
    struct uns_resume_state *resume = call->resume;

    if (!resume)
        return "no_memory";
    if (!call->voice->joint)
        catch_up(resume, call->voice);
    return resume->off ? resume->off : uns_told_ready(&resume->told);
}

/* A lead that is not lost may go on once the application does. */
static const char *is_ready(struct uns_call *call)
{
    if (call->paused || call->voice->hold.data)
        return "paused";
    return uns_resume_ready(call);
}

/* --- the lead's end ------------------------------------------------------- */

static bool is_lost(const struct uns_call *call, const struct uns_attempt *a)
{
    return call->race.attempt[a->seq].state == UNS_ATTEMPT_LOST;
}

/* Kept back, or given where there is no memory. */
static bool keep_back(struct uns_resume_state *resume, struct uns_slice piece)
{
    return piece.len == 0 || uns_hold_add(&resume->end, UNS_PIECE_BODY,
                                          piece.data, piece.len) == UNS_OK;
}

size_t uns_resume_admit(struct uns_attempt *voice, struct uns_slice piece)
{
    struct uns_call *call = voice->call;
    struct uns_resume_state *resume;
    size_t good;

    if (call->race.state != UNS_RACE_RESUME || !is_lost(call, voice))
        return piece.len;
    resume = resume_of(call);
    if (!resume)
        return piece.len;
    catch_up(resume, voice);
    if (resume->off)
        return piece.len;
    good = hear(resume, piece);
    if (!keep_back(resume,
                   (struct uns_slice){piece.data + good, piece.len - good})) {
        stop(resume, "no_memory");
        return piece.len;
    }
    resume->known += good; /* it will be given now */
    return good;
}

void uns_resume_release(struct uns_call *call)
{
    struct uns_resume_state *resume = call->resume;
    struct uns_attempt *voice = call->voice;
    struct uns_piece piece;

    if (!resume || !voice)
        return;
    while (uns_hold_peek(&resume->end, &piece)) {
        (void)!uns_hold_add(&voice->hold, piece.kind, piece.bytes, piece.len);
        uns_hold_pop(&resume->end);
    }
    if (voice->joint && voice->joint->rest.len) {
        (void)!uns_hold_add(&voice->hold, UNS_PIECE_BODY,
                            voice->joint->rest.data, voice->joint->rest.len);
        voice->joint->rest.len = 0;
    }
}

/* --- the joint ------------------------------------------------------------ */

bool uns_resume_joined(const struct uns_call *call)
{
    return call->resume && call->resume->joined;
}

/* What the old voice has held for an application that has paused goes first;
 * it was heard as given. */
static void inherit_hold(struct uns_attempt *from, struct uns_attempt *to)
{
    struct uns_hold hold = from->hold;
    struct uns_piece piece;

    if (!hold.data)
        return;
    from->hold = (struct uns_hold){0};
    while (uns_hold_peek(&to->hold, &piece)) {
        (void)!uns_hold_add(&hold, piece.kind, piece.bytes, piece.len);
        uns_hold_pop(&to->hold);
    }
    to->hold = hold;
}

void uns_resume_join(struct uns_call *call, unsigned rival)
{
    struct uns_attempt *voice = call->attempt[rival];

    uns_log("attempt %u goes on with the answer of attempt %u", voice->seq,
            call->voice->seq);
    inherit_hold(call->voice, voice);
    uns_hold_clear(&call->resume->end);
    call->resume->joined = true;
    call->voice = voice;
    if (call->paused)
        uns_meter_pause(&voice->meter, uns_clock_now());
}

/* --- which source --------------------------------------------------------- */

static bool is_refused(const struct uns_call *call,
                       const struct uns_source *source)
{
    for (unsigned i = 0; i < call->attempts; i++) {
        const struct uns_attempt *a = call->attempt[i];

        if (a->source == source && a->prefilled && !uns_head_success(&a->head))
            return true;
    }
    return false;
}

/* The answer without its last spaces: most servers refuse those. */
static struct uns_slice answer_of(struct uns_told *told)
{
    const struct uns_strand *strand = uns_told_answer(told);
    struct uns_slice text = {"", 0};

    if (strand)
        text = uns_run_slice(&strand->text);
    text.len = uns_joint_trimmed(text);
    return text;
}

bool uns_resume_plan(struct uns_continue *plan, const struct uns_call *call,
                     const struct uns_source *source, struct uns_slice answer)
{
    struct uns_slice body = {call->body.data, call->body.len};

    return call->policy->hedge.resume != UNS_RESUME_VERIFY &&
           (source->base_url || !uns_headers_bind_body(call->app)) &&
           uns_continue_plan(plan, &call->request, body,
                             uns_source_prefill(call->policy, source), answer);
}

static bool can_prefill(struct uns_call *call, const struct uns_source *source)
{
    struct uns_resume_state *resume = call->resume;

    return !is_refused(call, source) && uns_joint_can_prefill(&resume->told) &&
           uns_resume_plan(&resume->plan, call, source,
                           answer_of(&resume->told));
}

/* auto: only where there is something to be won. */
static bool can_verify(const struct uns_call *call)
{
    enum uns_resume mode = call->policy->hedge.resume;

    if (mode == UNS_RESUME_AUTO)
        return call->request.deterministic || is_lost(call, call->voice);
    return mode == UNS_RESUME_VERIFY;
}

bool uns_resume_waits(const struct uns_call *call)
{
    return call->paused && call->race.state == UNS_RACE_RESUME &&
           is_lost(call, call->voice);
}

const char *uns_resume_check(struct uns_call *call,
                             const struct uns_source *source)
{
    const char *why = is_ready(call);

    if (why)
        return why;
    call->resume->how = UNS_JOINT_VERIFY;
    if (can_prefill(call, source))
        call->resume->how = UNS_JOINT_PREFILL;
    else if (!can_verify(call))
        return "not_resumable";
    return NULL;
}
