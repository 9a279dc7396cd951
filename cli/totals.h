/* SPDX-License-Identifier: MIT */
#ifndef UNS_CLI_TOTALS_H
#define UNS_CLI_TOTALS_H

/*
 * totals - sums over all calls that a destination was ever told of, kept in
 * the store: they outlive the calls, which are deleted one day.  A call is in
 * them once, for the sums and the cursor move in one transaction.
 */

#include "cursor.h"
#include "groups.h"

/* Add what was counted behind the cursor, and set the cursor behind it; then
 * `groups` has all that was ever added.  BUSY: another run has moved the
 * cursor in the meantime, and nothing was added. */
UNS_MUST_USE enum uns_err uns_totals_add(struct uns_cursor *cursor,
                                         struct uns_groups *groups);

/* Begin anew, from the first call on. */
UNS_MUST_USE enum uns_err uns_totals_forget(struct uns_cursor *cursor);

#endif
