/* SPDX-License-Identifier: MIT */
#ifndef UNS_NEAREST_H
#define UNS_NEAREST_H

/* nearest - "did you mean ...?" for a name that nobody knows. */

#include "units.h"

/* The known name (`name(table, i)`, i < count; NULL entries are skipped) that
 * takes the fewest edits to become `word`.  NULL: none is near enough to be
 * meant (more edits than a third of the word, and one). */
const char *uns_nearest(struct uns_slice word, size_t count, const void *table,
                        const char *(*name)(const void *table, size_t i));

#endif
