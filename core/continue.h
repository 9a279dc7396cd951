/* SPDX-License-Identifier: MIT */
#ifndef UNS_CONTINUE_H
#define UNS_CONTINUE_H

/*
 * continue - the request for the rest of an answer: the application's bytes,
 * with what it has been told of the answer as the assistant's last turn, or
 * behind the prompt.  Nothing is parsed and printed again.
 *
 *   {"messages":[{"role":"user",...}],"model":"m"}
 *                                   ^ ,{"role":"assistant","content":"The t"}
 */

#include "config.h"
#include "request.h"

struct uns_continue_edit {
    size_t at, len; /* of the body: what is replaced */
    const char *before;
    struct uns_slice text; /* JSON-escaped when it is written */
    const char *after;
};

struct uns_continue {
    struct uns_slice body;
    struct uns_continue_edit edit[3]; /* in the order of their places */
    unsigned edits;
};

/* Plan it.  `body`, `answer` (UTF-8, whole characters) and `model` (NULL: as
 * it is) are borrowed until it is written.  False: such a request cannot be
 * continued so. */
bool uns_continue_plan(struct uns_continue *plan,
                       const struct uns_request *request, struct uns_slice body,
                       enum uns_prefill how, struct uns_slice answer);

/* Another model, too. */
void uns_continue_model(struct uns_continue *plan,
                        const struct uns_request *request, const char *model);

/* Its length, and the bytes. */
size_t uns_continue_size(const struct uns_continue *plan);
void uns_continue_write(const struct uns_continue *plan, char *out);

#endif
