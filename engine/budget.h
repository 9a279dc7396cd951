/* SPDX-License-Identifier: MIT */
#ifndef UNS_ENGINE_BUDGET_H
#define UNS_ENGINE_BUDGET_H

/*
 * budget - may one more request be sent (R11, P5)?
 *
 * A bucket of tokens per route in the store's table `budget`, shared by all
 * processes of the user.  It starts full (burst), every finished call adds
 * `ratio` when its record is written, every extra request takes one before it
 * is sent.  So at any time, for every route,
 *
 *   extra requests <= burst + ratio * finished calls
 *
 * and no clock refills it.  What cannot be read pays for nothing.
 */

#include "core/config.h"
#include "core/err.h"

struct sqlite3;

/* The bucket of the calls that no route matches. */
#define UNS_BUDGET_DEFAULT "*"

/* Take a token out of the bucket of the policy's route.  `path` is the
 * database, NULL: there is no place for one.  Waits at most `wait_ms` for
 * locks.  Returns NULL, or why none could be had, as stored in hedge_reason:
 * budget_exhausted (the bucket is empty, or the hour's or the day's cap is
 * reached), budget_unreadable; uns_budget_busy says the same in words, and that
 * somebody else has the lock: it may be had in a moment. */
extern const char uns_budget_busy[];
const char *uns_budget_take(const char *path, const struct uns_policy *policy,
                            int wait_ms);

/* What is in the bucket now; nothing is taken.  False: it cannot be told. */
bool uns_budget_look(const char *path, const struct uns_policy *policy,
                     double *ret_left);

/* The request that the token was for was not sent. */
void uns_budget_give_back(const char *path, const struct uns_policy *policy,
                          int wait_ms);

/* Inside the transaction that writes a call of `route` (a record's text, ""
 * is that of no route): add the call's share. */
UNS_MUST_USE enum uns_err uns_budget_refill(struct sqlite3 *db,
                                            const char *route,
                                            const struct uns_hedge *hedge);

#endif
