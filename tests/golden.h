/* SPDX-License-Identifier: MIT */
#ifndef UNS_TESTS_GOLDEN_H
#define UNS_TESTS_GOLDEN_H

/* golden - the recorded streams, and what expected.json says of each. */

#include <cjson/cJSON.h>
#include <stddef.h>

/* A file of tests/golden, with a NUL behind it; free() it. */
char *golden_read(const char *name, size_t *ret_len);

/* A text that is expected; null: "". */
const char *golden_text(const cJSON *want, const char *key);

/* A number that is; null: UNS_NULL. */
long long golden_number(const cJSON *want, const char *key);

#endif
