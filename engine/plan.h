/* SPDX-License-Identifier: MIT */
#ifndef UNS_ENGINE_PLAN_H
#define UNS_ENGINE_PLAN_H

/*
 * plan - with UNSTALL_PLAN=FILE calls are described, and end unsent: to the
 * application as if nobody listened.  Each description is one line of JSON,
 * appended to the file by one write; between two of them the file is not open.
 *
 *   easy    perform:  uns_plan_open - describe - withdraw, COULDNT_CONNECT
 *   multi   add:      uns_plan_open, straight into the list of what is over
 *           perform:  describe, DONE with COULDNT_CONNECT
 *
 * Invariant: the handle of such a call never reaches the real library.
 */

#include "call.h"

/* How such a call ends for the application. */
#define UNS_PLAN_CODE CURLE_COULDNT_CONNECT

/* What came of opening one. */
enum uns_planned {
    UNS_PLANNED_NOT, /* it is no LLM call: said, app->dialect is NONE now, and
                        it is to be sent */
    UNS_PLANNED_END, /* it is over, and said: UNS_PLAN_CODE */
    UNS_PLANNED_CALL /* *ret_call is to be described and closed */
};

/* Is a plan made? */
bool uns_plan_is_made(void);

/* The transfer that is set up on `app`.  The call is as uns_keep_open() makes
 * it, but nothing on the handle is changed. */
enum uns_planned uns_plan_open(struct uns_app *app, struct uns_call **ret_call);

/* Describe it: its body is read where it comes from a callback. */
void uns_plan_describe(struct uns_call *call);

#endif
