/* SPDX-License-Identifier: MIT */

/* Escapes of JSON strings (RFC 8259, section 7), both ways. */

#include "chars.h"

#include "ascii.h"

#include <string.h>

static size_t put_utf8(unsigned code, char *out)
{
    unsigned more = code < 0x80 ? 0 : code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    static const unsigned char first[] = {0, 0xc0, 0xe0, 0xf0};

    for (unsigned i = more; i > 0; i--) {
        out[i] = (char)(0x80 | (code & 0x3f));
        code >>= 6;
    }
    out[0] = (char)(first[more] | code);
    return more + 1;
}

/* Four hex digits at `at`; UINT32_MAX: there are none. */
static unsigned hex4(struct uns_slice raw, size_t at)
{
    unsigned code = 0;

    if (raw.len < at + 4)
        return UINT32_MAX;
    for (size_t i = at; i < at + 4; i++) {
        int digit = uns_hex(raw.data[i]);

        if (digit < 0)
            return UINT32_MAX;
        code = code << 4 | (unsigned)digit;
    }
    return code;
}

/* Behind "\u". */
static size_t take_code(struct uns_slice raw, size_t *at, char *out)
{
    unsigned code = hex4(raw, *at), low;

    if (code == UINT32_MAX)
        return put_utf8('u', out);
    *at += 4;
    if (code < 0xd800 || code > 0xdbff || raw.len < *at + 6 ||
        raw.data[*at] != '\\' || raw.data[*at + 1] != 'u')
        return put_utf8(code, out);
    low = hex4(raw, *at + 2);
    if (low < 0xdc00 || low > 0xdfff)
        return put_utf8(code, out);
    *at += 6;
    return put_utf8(0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00), out);
}

size_t uns_chars_next(struct uns_slice raw, size_t *at,
                      char out[UNS_CHARS_BYTES])
{
    static const char from[] = "bfnrt";
    static const char to[] = "\b\f\n\r\t";
    const char *known;

    if (*at >= raw.len)
        return 0;
    out[0] = raw.data[(*at)++];
    if (out[0] != '\\' || *at == raw.len)
        return 1;
    out[0] = raw.data[(*at)++];
    if (out[0] == 'u')
        return take_code(raw, at, out);
    known = memchr(from, out[0], sizeof from - 1);
    if (known)
        out[0] = to[known - from];
    return 1;
}

size_t uns_chars_escape(char c, char out[UNS_CHARS_ESCAPED])
{
    static const char hex[] = "0123456789abcdef";
    static const char from[] = "\"\\\b\f\n\r\t";
    static const char to[] = "\"\\bfnrt";
    const char *known = memchr(from, c, sizeof from - 1);
    unsigned char byte = (unsigned char)c;

    if (known) {
        out[0] = '\\';
        out[1] = to[known - from];
        return 2;
    }
    if (byte >= ' ') {
        out[0] = c;
        return 1;
    }
    memcpy(out, "\\u00", 4);
    out[4] = hex[byte >> 4];
    out[5] = hex[byte & 15];
    return 6;
}

size_t uns_chars_escape_all(struct uns_slice text, char *out)
{
    size_t used = 0;

    for (size_t i = 0; i < text.len; i++) {
        char piece[UNS_CHARS_ESCAPED];
        size_t len = uns_chars_escape(text.data[i], piece);

        if (out)
            memcpy(out + used, piece, len);
        used += len;
    }
    return used;
}
