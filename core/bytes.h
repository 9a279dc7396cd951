/* SPDX-License-Identifier: MIT */
#ifndef UNS_BYTES_H
#define UNS_BYTES_H

/*
 * bytes - searching a piece of input sixteen bytes at a time.
 *
 * memchr() finds one byte; JSON strings end at either of two, and an unread
 * part of a document is left at any of five.  Nothing here looks beyond
 * `end`, so input may end at the end of a page.
 */

#include <stdint.h>
#include <string.h>

typedef uint8_t uns_vec __attribute__((vector_size(16)));

/* Index of the first byte of `half` that is not zero. */
static inline unsigned uns_bytes_first(uint64_t half)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    return (unsigned)__builtin_clzll(half) / 8;
#else
    return (unsigned)__builtin_ctzll(half) / 8;
#endif
}

/* Index of the first byte of `hits` that is not zero; 16: there is none. */
static inline unsigned uns_bytes_index(uns_vec hits)
{
    uint64_t half[2];

    memcpy(half, &hits, sizeof half);
    if (half[0] != 0) {
        return uns_bytes_first(half[0]);
    }
    return half[1] != 0 ? 8 + uns_bytes_first(half[1]) : 16;
}

/* The first `a` or `b` in [p, end), or `end`. */
static inline const char *uns_bytes_find2(const char *p, const char *end,
                                          char a, char b)
{
    for (; end - p >= 16; p += 16) {
        uns_vec v;
        memcpy(&v, p, sizeof v);
        unsigned i =
            uns_bytes_index((uns_vec)((v == (uint8_t)a) | (v == (uint8_t)b)));
        if (i < 16) {
            return p + i;
        }
    }
    while (p < end && *p != a && *p != b) {
        p++;
    }
    return p;
}

/* The first byte in [p, end) at which the plain part of a JSON string ends, a
 * quote, a backslash or a control character; or `end`. */
static inline const char *uns_bytes_find_quote(const char *p, const char *end)
{
    for (; end - p >= 16; p += 16) {
        uns_vec v;
        memcpy(&v, p, sizeof v);
        unsigned i =
            uns_bytes_index((uns_vec)((v == '"') | (v == '\\') | (v < 0x20)));
        if (i < 16) {
            return p + i;
        }
    }
    while (p < end && *p != '"' && *p != '\\' && (uint8_t)*p >= 0x20) {
        p++;
    }
    return p;
}

/* True for a quote, a bracket or a brace. */
static inline int uns_bytes_nests(char c)
{
    return c == '"' || (c | 0x20) == '{' || (c | 0x20) == '}';
}

/* The first quote, bracket or brace in [p, end), or `end`. */
static inline const char *uns_bytes_find_nest(const char *p, const char *end)
{
    for (; end - p >= 16; p += 16) {
        uns_vec v;
        memcpy(&v, p, sizeof v);
        uns_vec low = v | 0x20; /* '[' becomes '{' and ']' becomes '}' */
        unsigned i = uns_bytes_index(
            (uns_vec)((v == '"') | (low == '{') | (low == '}')));
        if (i < 16) {
            return p + i;
        }
    }
    while (p < end && !uns_bytes_nests(*p)) {
        p++;
    }
    return p;
}

/* The first eight bytes of a word, padded with zeros: equal words of up to
 * eight bytes have equal heads.  Reads no byte at or after `end`. */
static inline uint64_t uns_bytes_head(const char *p, size_t len,
                                      const char *end)
{
    uint64_t head = 0;

    if (len < 8 && end - p < 8) {
        memcpy(&head, p, len);
        return head;
    }
    memcpy(&head, p, sizeof head);
    if (len >= 8) {
        return head;
    }
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    return len == 0 ? 0 : head & ~(UINT64_MAX >> (8 * len));
#else
    return head & ((UINT64_C(1) << (8 * len)) - 1);
#endif
}

#endif
