/* SPDX-License-Identifier: MIT */
#ifndef MOCK_JSON_H
#define MOCK_JSON_H

/*
 * json - just enough JSON for a server that believes what it is sent: one key
 * of an object, and text made safe to stand in a string.
 */

#include "buf.h"

/* The value of a key of the object itself (not of one inside it), as written
 * there; a string without its quotes, escapes kept.  None: { NULL, 0 }. */
struct mock_str mock_json_get(struct mock_str object, const char *key);

/* The last element of an array, as written there.  None: { NULL, 0 }. */
struct mock_str mock_json_last(struct mock_str array);

/* Appends what the inside of a JSON string means, as UTF-8. */
void mock_json_decode(struct mock_buf *out, struct mock_str inside);

/* Appends text as the inside of a JSON string. */
void mock_json_put(struct mock_buf *out, struct mock_str text);

#endif
