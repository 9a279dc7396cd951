/* SPDX-License-Identifier: MIT */
#ifndef UNS_ENGINE_PROMOTION_H
#define UNS_ENGINE_PROMOTION_H

/*
 * promotion - a request that does not stream is sent as a stream, so that a
 * stall can be seen; what comes is put together, and the application gets the
 * one body that it asked for (setting stream.promote).
 *
 *   the application's body, URL  --plan-->  those of all attempts of the call
 *   a piece of a stream  --hear-->  core/promote.h, instead of the hold
 *   the race has decided  --settle-->  the hold: headers, and one JSON body
 *
 * Half an answer is none: what broke ends with an error, as a transfer does.
 */

#include "call.h"

/* What was changed for the call. */
struct uns_promotion {
    char *body, *url;       /* that are sent instead; NULL: the same */
    struct uns_slice asked; /* the application's body, */
    char *asked_url;        /* and its URL */
    bool refused;           /* nobody streams there ... */
    bool plainly;           /* ... and it was asked as the application asked */
    bool settled;           /* the voice's hold has what is given */
};

/* What of the last answer is not as libcurl knows it. */
struct uns_promoted {
    bool on;      /* it was put together */
    bool whole;   /* and all of it was there */
    int64_t size; /* of the body */
    long headers; /* bytes of header lines, against the stream's */
    char digits[24];
    struct curl_header type, length; /* as they were told last */
};

/* --- the request ----------------------------------------------------------*/

/* Make the call one that streams, if the settings want that and it can be. */
void uns_promotion_plan(struct uns_call *call);
void uns_promotion_free(struct uns_call *call);

/* Why it was not, in words; NULL: it was, or there was no memory. */
const char *uns_promotion_obstacle(const struct uns_call *call);

/* Put body and URL on the application's own handle; uns_swap_out() takes them
 * off again. */
void uns_promotion_swap_in(const struct uns_call *call);

/* Put the application's own on a rival's. */
void uns_promotion_ask_plainly(struct uns_attempt *rival);

/* Does attempt 0's refusal, with that body, mean that nothing streams there?
 * It is remembered, and the call is asked as it was. */
bool uns_promotion_is_refusal(struct uns_attempt *a, struct uns_slice text);

/* Every place is asked for streams again. */
void uns_promotion_forget_places(void);

/* The source that is asked so, once; NULL: there is no need. */
const struct uns_source *uns_promotion_fallback(struct uns_call *call);

/* That source; it costs no token: nothing was done for the request before. */
bool uns_promotion_is_plain(const struct uns_source *source);

/* --- the answer -----------------------------------------------------------*/

/* A piece of the body that core/stream.h has read, and its news.  Returns
 * them, with an error if it cannot be put together. */
unsigned uns_promotion_hear(struct uns_attempt *a, struct uns_slice piece,
                            unsigned news);

/* Forget what was heard. */
void uns_promotion_forget(struct uns_attempt *a);

/* Is its body not for the application as it comes? */
bool uns_promotion_takes(const struct uns_attempt *a);

/* The voice is known: what it holds becomes what the application is given. */
void uns_promotion_settle(struct uns_call *call);

/* The application got no body, for the answer broke. */
bool uns_promotion_failed(const struct uns_call *call);

/* The call's result, which is that of the attempt until now. */
void uns_promotion_finish(struct uns_call *call);

/* --- what the application asks about it -----------------------------------*/

/* What to add to the bytes of header lines that libcurl has counted. */
long uns_promotion_headers(const struct uns_app *app);

/* False: libcurl knows. */
bool uns_promotion_info(const struct uns_app *app, CURLINFO info, void *out);

/* A header that libcurl gave, as the application has it.  NULL: it has not. */
struct curl_header *uns_promotion_header(const struct uns_app *app,
                                         struct curl_header *header);

/* The length, if the answer has one. */
struct curl_header *uns_promotion_length(const struct uns_app *app,
                                         const struct curl_header *like);

#endif
