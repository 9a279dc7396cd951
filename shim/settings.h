/* SPDX-License-Identifier: MIT */
#ifndef UNS_SHIM_SETTINGS_H
#define UNS_SHIM_SETTINGS_H

/*
 * settings - the few things that the environment tells the preload:
 *
 *   UNSTALL=off          nothing is hedged, observed or noted
 *   UNSTALL_ONLY=a,b     only in the programs of these names
 *   UNSTALL_EXCEPT=a,b   not in the programs of these names
 *   UNSTALL_MATCH=...    further endpoints, see uns_detect()
 *   UNSTALL_DEEPBIND=keep  plugins that their host opens with RTLD_DEEPBIND
 *                        are opened so, and their calls not seen
 *   UNSTALL_PLAN=FILE    calls are described in there, and not sent
 *   UNSTALL_INJECT=LIST  faults to play on calls (read by the engine)
 *   UNSTALL_CAPTURE=DIR  answers are kept in there with their timing
 *   UNSTALL_TEST=any     for tests alone: every HTTP transfer is taken for an
 *                        LLM call, whatever its method, URL and body
 *
 * A program's name is that of its file, or the one it was called by.
 */

#include <stdbool.h>

struct uns_settings {
    bool off;
    bool keep_deepbind;
    bool any;
    bool plan;
    const char *match; /* UNSTALL_MATCH, NULL: not set */
};

/* Read at the first call and never again: a program may change its
 * environment while other threads run.  Never NULL. */
const struct uns_settings *uns_settings(void);

/* `name` is one of the comma-separated `list`. */
bool uns_settings_lists(const char *list, const char *name);

#endif
