/* SPDX-License-Identifier: MIT */
/*
 * JSON from anybody.  Each step gets on; all that is yielded lies in the text,
 * in order; what is well formed is well formed with comments allowed too, and
 * cut short at its last bracket or quote it is not.
 */
#include "core/walk.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool holds)
{
    if (!holds)
        abort();
}

static bool walk_all(const char *text, size_t len, bool comments,
                     size_t *ret_values)
{
    struct uns_walk walk;
    struct uns_walk_value value;
    const char *before = text;
    char out[64];

    *ret_values = 0;
    uns_walk_init(&walk, text, len, comments);
    while (uns_walk_next(&walk, &value)) {
        check(value.text.data >= before);
        check(value.text.data + value.text.len <= text + len);
        check(value.depth <= UNS_WALK_DEPTH);
        before = value.text.data;
        ++*ret_values;
        (void)uns_walk_is_at(&walk, &value, "a.*.b");
        if (value.kind == UNS_WALK_STRING)
            (void)uns_walk_decode(value.text, out, sizeof out);
    }
    check(walk.at <= len);
    return walk.ok;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *exact = malloc(size + (size == 0));
    size_t strict;
    size_t lax;
    bool ok;

    if (exact == NULL)
        return 0;
    memcpy(exact, data, size);
    ok = walk_all(exact, size, false, &strict);
    if (ok)
        check(walk_all(exact, size, true, &lax) && strict == lax);
    else
        (void)walk_all(exact, size, true, &lax);
    if (ok && size > 0 && memchr("]}\"", exact[size - 1], 3) != NULL)
        check(!walk_all(exact, size - 1, false, &lax));
    (void)uns_walk_decode((struct uns_slice){exact, size}, (char[16]){0}, 16);
    free(exact);
    return 0;
}
