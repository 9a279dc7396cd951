/* SPDX-License-Identifier: MIT */
#ifndef UNS_SHIM_GATE_H
#define UNS_SHIM_GATE_H

/*
 * gate - is the transfer that is about to start an LLM call?  Told from what
 * was noted, without the engine (P2): only a yes loads that.
 */

#include "abi.h"

/* No handle of this libcurl ever has an LLM call: it lacks something that the
 * engine needs, or we are off. */
bool uns_gate_is_shut(const struct uns_real *real);

/* `app` would POST to an LLM endpoint; then app->dialect is set.  `extra` is
 * uns_detect()'s.  With UNSTALL_TEST=any every http transfer is one. */
bool uns_gate_is_call(struct uns_app *app, const char *extra);

/* Is the transfer for the engine?  LLM calls are; with UNSTALL_PLAN also those
 * that a route excludes and, so that it can say what they are, all others (then
 * app->dialect is NONE). */
bool uns_gate_opens(struct uns_app *app, const char *extra);

/* An LLM call that is only to be described: without an engine it fails. */
bool uns_gate_is_held(const struct uns_app *app);

#endif
