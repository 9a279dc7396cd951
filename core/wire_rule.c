/* SPDX-License-Identifier: MIT */

/* Which rule of a table fits an event. */

#include "wire.h"

#include <string.h>

static bool same(const char *a, const char *b, size_t len)
{
    return memcmp(a, b, len) == 0;
}

/* `pattern` is exact, "*end" or "begin*". */
static bool fits(struct uns_slice pattern, struct uns_slice word)
{
    size_t len = pattern.len - 1;

    if (pattern.data[0] == '*') {
        return word.len >= len &&
               same(word.data + word.len - len, pattern.data + 1, len);
    }
    if (pattern.data[len] == '*') {
        return word.len >= len && same(word.data, pattern.data, len);
    }
    return word.len == pattern.len &&
           same(word.data, pattern.data, pattern.len);
}

const struct uns_rule *uns_wire_rule(const struct uns_wire *wire,
                                     struct uns_slice type,
                                     struct uns_slice item)
{
    for (unsigned i = 0; i < wire->rule_count; i++) {
        const struct uns_rule *rule = &wire->rules[i];
        if (*rule->type.data != '*' &&
            (type.len == 0 || *rule->type.data != *type.data)) {
            continue; /* the most there are */
        }
        if (fits(rule->type, type) && fits(rule->item, item)) {
            return rule;
        }
    }
    return NULL;
}
