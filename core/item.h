/* SPDX-License-Identifier: MIT */
#ifndef UNS_ITEM_H
#define UNS_ITEM_H

/*
 * item - the members of one JSON object, or the elements of one array, with
 * their values as they are written.  For text that is known to be well formed
 * (walk.h tells): it looks for ends and checks nothing, but never reads
 * outside of the text, whatever stands there.
 */

#include "units.h"

#include <stdbool.h>

struct uns_item {
    struct uns_slice key; /* raw, between the quotes; data NULL: in an array */
    struct uns_slice value; /* raw, quotes and brackets and all */
};

/* Length of the value that `text` begins with; 0: its end is not there. */
size_t uns_item_extent(struct uns_slice text);

/* The text without the white space that it begins with. */
struct uns_slice uns_item_trim(struct uns_slice text);

/* What stands between the brackets of an object or an array. */
struct uns_slice uns_item_inside(struct uns_slice container);

/* The next item of what stands inside, which loses it.  `named`: of an
 * object.  False: there is none. */
bool uns_item_next(struct uns_slice *inside, bool named,
                   struct uns_item *ret_item);

/* The value of an object's last member of that name; len 0: it has none. */
struct uns_slice uns_item_get(struct uns_slice object, const char *name);

/* Is the raw text these bytes? */
bool uns_item_is(struct uns_slice raw, const char *text);

/* It is a value: not null, false, 0, "" nor an object whose members are all
 * one of these. */
bool uns_item_told(struct uns_slice value);

/* The first letter of the value's kind: one of  { [ " n t f 0  (0: a number),
 * or NUL for an empty text. */
char uns_item_kind(struct uns_slice value);

#endif
