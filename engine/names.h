/* SPDX-License-Identifier: MIT */
#ifndef UNS_ENGINE_NAMES_H
#define UNS_ENGINE_NAMES_H

/*
 * names - the addresses that rivals at other origins have looked up, apart
 * from the application's.  Handles of one multi share what they know, and the
 * application may have told a handle of its own where a name leads
 * (CURLOPT_RESOLVE): a rival's key would go there (P3).
 */

#include "lane.h"

/* The lane's, made at first use; NULL: it cannot be had, and nobody may be
 * asked elsewhere. */
CURLSH *uns_names_of(struct uns_lane *lane);

/* No handle uses them any more.  Takes a lane without any. */
void uns_names_free(struct uns_lane *lane);

#endif
