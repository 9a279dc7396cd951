/* SPDX-License-Identifier: MIT */
/*
 * nearest - Levenshtein's distance over one row of the matrix, with a swap of
 * neighbours counted as two edits.  Of three letters two that are wrong leave
 * nothing to be meant.  Longer words than WORD_MAX are nobody's typing error
 * and have no neighbour.
 */
#include "nearest.h"

#include <string.h>

#define WORD_MAX 64

static size_t least(size_t a, size_t b, size_t c)
{
    size_t ab = a < b ? a : b;

    return ab < c ? ab : c;
}

static size_t distance(struct uns_slice word, const char *name, size_t len)
{
    size_t row[WORD_MAX + 1];

    for (size_t j = 0; j <= len; j++)
        row[j] = j;
    for (size_t i = 0; i < word.len; i++) {
        size_t diagonal = row[0];

        row[0] = i + 1;
        for (size_t j = 0; j < len; j++) {
            size_t cost = diagonal + (word.data[i] != name[j]);

            diagonal = row[j + 1];
            row[j + 1] = least(cost, row[j] + 1, row[j + 1] + 1);
        }
    }
    return row[len];
}

const char *uns_nearest(struct uns_slice word, size_t count, const void *table,
                        const char *(*name)(const void *table, size_t i))
{
    const char *best = NULL;
    size_t best_edits = word.len > 3 ? word.len / 3 + 2 : 2;

    for (size_t i = 0; i < count && word.len <= WORD_MAX; i++) {
        const char *candidate = name(table, i);
        size_t len = candidate ? strlen(candidate) : WORD_MAX + 1;
        size_t edits =
            len <= WORD_MAX ? distance(word, candidate, len) : best_edits;

        if (edits < best_edits) {
            best_edits = edits;
            best = candidate;
        }
    }
    return best;
}
