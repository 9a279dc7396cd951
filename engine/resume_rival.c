/* SPDX-License-Identifier: MIT */

/* resume_rival - the rival's side of a resume: its request, and what its bytes
 * say about where it stands. */

#include "resume.h"

#include "log.h"
#include "tell.h"

#include <stdlib.h>

static bool pass(void *ctx, struct uns_slice frame)
{
    struct uns_attempt *rival = ctx;

    return uns_hold_add(&rival->hold, UNS_PIECE_BODY, frame.data, frame.len) ==
           UNS_OK;
}

bool uns_resume_attach(struct uns_attempt *rival)
{
    struct uns_resume_state *resume = rival->call->resume;

    if (rival->call->race.state != UNS_RACE_RESUME)
        return true;
    rival->joint = malloc(sizeof *rival->joint);
    if (!rival->joint)
        return false;
    uns_joint_init(rival->joint, &resume->told, resume->how);
    uns_joint_to(rival->joint, pass, rival);
    rival->prefilled = resume->how == UNS_JOINT_PREFILL;
    uns_log("attempt %u: %s", rival->seq,
            rival->prefilled ? "prefill" : "verify");
    return true;
}

char *uns_resume_body(const struct uns_attempt *rival, const char *model,
                      size_t *ret_len)
{
    const struct uns_call *call = rival->call;
    struct uns_continue plan;
    char *body;

    plan = call->resume->plan;
    uns_continue_model(&plan, &call->request, model);
    *ret_len = uns_continue_size(&plan);
    body = malloc(*ret_len + 1);
    if (body)
        uns_continue_write(&plan, body);
    return body;
}

static void tell(struct uns_attempt *rival, enum uns_race_event event)
{
    uns_tell_event(rival->call, event, rival->seq, rival->piece_ns);
}

/* It leads; then the rest, in the order in which it happened. */
static void tell_beyond(struct uns_attempt *rival, unsigned news)
{
    bool failed = rival->joint->state != UNS_JOINT_BEYOND ||
                  news & (UNS_NEWS_ERROR | UNS_NEWS_TRUNCATED);

    if (news & (UNS_NEWS_CONTENT | UNS_NEWS_STRUCTURAL))
        tell(rival, UNS_EV_PROGRESS);
    if (news & UNS_NEWS_FINISH)
        tell(rival, UNS_EV_FINISH);
    if (failed)
        tell(rival, UNS_EV_LOST);
    else if (news & UNS_NEWS_END)
        tell(rival, UNS_EV_COMPLETE);
}

static void tell_before(struct uns_attempt *rival, unsigned news)
{
    if (rival->joint->state == UNS_JOINT_MEETS) {
        if (news & (UNS_NEWS_CONTENT | UNS_NEWS_STRUCTURAL))
            tell(rival, UNS_EV_REPEAT);
        return;
    }
    rival->diverged = rival->joint->state == UNS_JOINT_DIVERGED;
    uns_log("attempt %u: %s", rival->seq,
            rival->diverged ? "diverged" : "failed while it caught up");
    tell(rival, UNS_EV_LOST);
}

static void hear(struct uns_attempt *rival, const struct uns_slice *bytes)
{
    if (bytes)
        (void)uns_joint_feed(rival->joint, bytes->data, bytes->len);
    else
        (void)uns_joint_end(rival->joint);
}

/* Before it leads, only while one is wanted: what it passes on is taken for
 * said. */
static bool is_wanted(struct uns_attempt *rival)
{
    return rival->call->race.state == UNS_RACE_RESUME &&
           uns_race_alive(&rival->call->race, rival->seq);
}

void uns_resume_hear(struct uns_attempt *rival, const struct uns_slice *bytes,
                     unsigned news)
{
    bool leads = rival->call->voice == rival;

    if (!leads && !is_wanted(rival))
        return;
    if (!leads && uns_resume_ready(rival->call)) {
        tell(rival, UNS_EV_LOST);
        return;
    }
    hear(rival, bytes);
    if (!leads && rival->joint->mended && !(news & UNS_NEWS_FINISH))
        news |= UNS_NEWS_CONTENT;
    if (rival->joint->mended)
        tell_beyond(rival, news);
    else
        tell_before(rival, news);
}
