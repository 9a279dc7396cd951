/* SPDX-License-Identifier: MIT */
#include "plan.h"

#include "again.h"
#include "clock.h"
#include "keep.h"
#include "log.h"
#include "notes.h"
#include "plan_facts.h"
#include "promotion.h"
#include "quiet.h"
#include "root.h"
#include "rules.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* As much of a body as is read to see what is asked. */
#define READ_BYTES 16384

bool uns_plan_is_made(void)
{
    return uns_root_plan() != NULL;
}

/* --- into the file --------------------------------------------------------*/

static bool put(const char *line, size_t len)
{
    int fd = uns_quiet_open(uns_root_plan(),
                            O_WRONLY | O_APPEND | O_NOFOLLOW | O_NOCTTY, 0);
    ssize_t written;

    if (fd < 0)
        return false;
    do
        written = write(fd, line, len);
    while (written < 0 && errno == EINTR);
    close(fd);
    return written == (ssize_t)len;
}

/* Takes the object. */
static void put_object(cJSON *object)
{
    struct uns_quiet quiet;
    char *text;
    size_t len;

    uns_quiet_begin(&quiet);
    text = object ? cJSON_PrintUnformatted(object) : NULL;
    len = text ? strlen(text) : 0;
    if (text)
        text[len] = '\n'; /* in place of its NUL */
    if (!text || !put(text, len + 1))
        uns_log("a call could not be described in %s", uns_root_plan());
    cJSON_free(text);
    cJSON_Delete(object);
    uns_quiet_end(&quiet);
}

/* --- what it is -----------------------------------------------------------*/

static void explain_end(struct uns_call *call)
{
    char *buffer = uns_notes_pointer(call->app, CURLOPT_ERRORBUFFER, NULL);

    (void)snprintf(call->error, sizeof call->error,
                   "unstall plan: the call was described and not sent");
    if (buffer)
        memcpy(buffer, call->error, sizeof call->error);
}

static struct uns_call *open_call(struct uns_app *app, struct uns_call *call)
{
    struct uns_keep *keep = uns_keep_of(app);
    struct uns_attempt *primary =
        keep ? uns_attempt_new(call, app->easy, NULL) : NULL;

    if (!primary) {
        uns_keep_unmake(call, NULL);
        return NULL;
    }
    uns_keep_drop(app);
    uns_promotion_plan(call);
    keep->call = call;
    primary->done = true;
    primary->code = call->code = UNS_PLAN_CODE;
    call->planned = true;
    uns_rules_start(call, uns_clock_now());
    explain_end(call);
    return call;
}

/* Its body asks nothing: it has an LLM's path by chance.  Of one that cannot
 * be read nobody knows. */
static bool is_other(const struct uns_call *call)
{
    return call->known && !call->request.asks && !call->app->forced;
}

/* The preload sends what has no dialect. */
static enum uns_planned put_other(struct uns_app *app, enum uns_plan_other why)
{
    put_object(uns_plan_other(app, why));
    if (why == UNS_PLAN_EXCLUDED || why == UNS_PLAN_UNREADABLE)
        return UNS_PLANNED_END;
    app->dialect = UNS_DIALECT_NONE;
    return UNS_PLANNED_NOT;
}

static enum uns_planned drop_other(struct uns_app *app, struct uns_call *call)
{
    bool readable = call->request.json;

    uns_keep_unmake(call, NULL);
    return put_other(app,
                     readable ? UNS_PLAN_NO_QUESTION : UNS_PLAN_UNREADABLE);
}

enum uns_planned uns_plan_open(struct uns_app *app, struct uns_call **ret_call)
{
    struct uns_call *call;

    if (app->dialect == UNS_DIALECT_NONE)
        return put_other(app, UNS_PLAN_NO_CALL);
    call = uns_keep_make(app);
    if (!call)
        return put_other(app, UNS_PLAN_EXCLUDED);
    if (is_other(call))
        return drop_other(app, call);
    *ret_call = open_call(app, call);
    return *ret_call ? UNS_PLANNED_CALL : UNS_PLANNED_END;
}

/* As libcurl would, until the end or until we do not keep it any more.  What
 * is noted is in call->body; what comes back here is dropped. */
static void read_body(struct uns_call *call)
{
    struct uns_body *body = &call->body;
    char piece[READ_BYTES];
    size_t got = 1;

    if (!body->reads || body->complete)
        return;
    if (call->lane)
        call->lane->incb++;
    while (got > 0 && got <= sizeof piece && !body->complete && !body->lost)
        got = uns_body_on_read(piece, 1, sizeof piece, body);
    if (call->lane)
        call->lane->incb--;
}

void uns_plan_describe(struct uns_call *call)
{
    read_body(call);
    uns_call_know(call);
    put_object(uns_plan_facts(call));
    uns_again_note(call, uns_clock_now()); /* it is told a failure */
}
