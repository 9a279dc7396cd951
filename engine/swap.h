/* SPDX-License-Identifier: MIT */
#ifndef UNS_ENGINE_SWAP_H
#define UNS_ENGINE_SWAP_H

/* swap - for the time of a call, some options of the application's own handle
 * are ours; afterwards they are the application's again, as noted. */

#include "call.h"

/* Put our callbacks on attempt 0's handle; from now on app->busy. */
void uns_swap_in(struct uns_attempt *attempt, bool fresh);

/* After the application has reset the handle in the middle of the call: put
 * them on it again. */
void uns_swap_back_in(struct uns_call *call);

/* Put the application's back; app->busy no more. */
void uns_swap_out(struct uns_app *app);

/* The same keepalive as uns_swap_in sets, for a rival's handle. */
void uns_swap_keepalive(CURL *easy, const struct uns_real *real,
                        const struct uns_policy *policy);

#endif
