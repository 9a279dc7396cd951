/* SPDX-License-Identifier: MIT */
#ifndef UNS_REQUEST_QUESTION_H
#define UNS_REQUEST_QUESTION_H

/*
 * request_question - is a body a question to an LLM?  A path such as /messages
 * is many a server's, and a text message that is sent twice arrives twice.
 */

#include "request.h"
#include "walk.h"

/* A member of the document itself: notes what it tells. */
void uns_request_question(struct uns_request *request,
                          const struct uns_walk_value *value);

/* After all of them: may the request be taken for an LLM call? */
bool uns_request_asks(const struct uns_request *request,
                      const struct uns_url *url);

#endif
