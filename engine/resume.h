/* SPDX-License-Identifier: MIT */
#ifndef UNS_ENGINE_RESUME_H
#define UNS_ENGINE_RESUME_H

/*
 * resume - an answer that stopped after the application had text of it, and
 * the rival that goes on with it (core/joint.h).  What the application gets is
 * remembered: as bytes, which are looked at when there is much of them, or the
 * answer stops; from then on as its texts.
 *
 *   lead    text text text |error, or end
 *                          '--> kept back until a rival has joined, or none can
 *   rival   text text text text text end
 *                          '--> frame by frame into its hold, and from there to
 *                               the application as any held piece
 */

#include "call.h"

#include "core/continue.h"
#include "core/joint.h"

struct uns_resume_state {
    struct uns_call *call;
    struct uns_run given;     /* the body so far, until `told` is in use */
    size_t known;             /* of what is given next: it is not to hear it */
    const char *off;          /* why it remembers no more; NULL: it does */
    bool begun;               /* `told` is in use */
    bool joined;              /* some rival has gone on with it */
    enum uns_joint_how how;   /* of the source that was checked last */
    struct uns_hold end;      /* what was kept back of the lead */
    struct uns_continue plan; /* the request of that source */
    struct uns_told told;
};

/* Could the call ever be resumed, as far as can be told before it is sent? */
bool uns_resume_may(const struct uns_call *call);

/* The request that asks this source to continue `answer` (borrowed until it is
 * written).  False: it is not to be asked so. */
bool uns_resume_plan(struct uns_continue *plan, const struct uns_call *call,
                     const struct uns_source *source, struct uns_slice answer);

/* Forget what was given; no attempt is compared with it any more. */
void uns_resume_free(struct uns_call *call);

/* --- the lead ------------------------------------------------------------- */

/* The application has taken these bytes of the voice's body. */
void uns_resume_given(struct uns_call *call, struct uns_slice bytes);

/* A piece of the voice's body that is about to be given: how much of it goes
 * to the application.  What does not is kept back. */
size_t uns_resume_admit(struct uns_attempt *voice, struct uns_slice piece);

/* --- the rival ------------------------------------------------------------ */

/* The lead is lost, and the application has paused: nobody is asked to go on
 * before it wants to hear. */
bool uns_resume_waits(const struct uns_call *call);

/* Why this source cannot go on with the answer; NULL: it can. */
const char *uns_resume_check(struct uns_call *call,
                             const struct uns_source *source);

/* The rival is about to be sent: its stream will be compared.  False: no
 * memory. */
bool uns_resume_attach(struct uns_attempt *rival);

/* It is compared no more. */
void uns_resume_detach(struct uns_attempt *rival);

/* The body of its request if it differs from the application's by more than
 * the model; malloc'd, NULL: it does not, or there is no memory. */
char *uns_resume_body(const struct uns_attempt *rival, const char *model,
                      size_t *ret_len);

/* Bytes of its body, of which the stream had this news; NULL: its clean end.
 * Tells the race where the rival stands. */
void uns_resume_hear(struct uns_attempt *rival, const struct uns_slice *bytes,
                     unsigned news);

/* --- how it ends ---------------------------------------------------------- */

/* The race has the rival lead: what it has passed on goes to the application
 * from now on. */
void uns_resume_join(struct uns_call *call, unsigned rival);

/* The call ends as the voice ends: what was kept back of that is given. */
void uns_resume_release(struct uns_call *call);

/* The reason why the voice's answer cannot be continued from where it is now;
 * NULL: it can. */
const char *uns_resume_ready(struct uns_call *call);

bool uns_resume_joined(const struct uns_call *call);

#endif
