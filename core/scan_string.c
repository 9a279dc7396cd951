/* SPDX-License-Identifier: MIT */

/*
 * Bodies of strings: skipped sixteen bytes at a time where nobody wants them,
 * unescaped to UTF-8 where somebody does.  A surrogate without its other half
 * becomes U+FFFD.
 */

#include "scan_state.h"

void uns_scan_string_begin(struct uns_scan *scan)
{
    const struct uns_node *node = &scan->trie->node[scan->at];

    scan->state = STATE_STRING;
    scan->some = false;
    scan->high = 0;
    scan->body = BODY_IGNORE;
    switch (node->op) {
    case UNS_OP_SAVE:
        scan->slot_len[node->arg] = 0;
        scan->body = BODY_SLOT;
        break;
    case UNS_OP_TWIN:
    case UNS_OP_TEXT:
    case UNS_OP_OPEN:
    case UNS_OP_RAW:
    case UNS_OP_OPEN_RAW:
        if (scan->sink != NULL && scan->sink->text != NULL &&
            (node->op != UNS_OP_TWIN || uns_scan_twin_wanted(scan))) {
            scan->body = BODY_SINK;
        }
        break;
    default:
        break;
    }
}

/* Append what there is room for; returns the new length. */
static uint8_t append(char *to, size_t room, uint8_t used, const char *text,
                      size_t len)
{
    size_t fits = room - used < len ? room - used : len;

    memcpy(to + used, text, fits);
    return (uint8_t)(used + fits);
}

static void take(struct uns_scan *scan, const char *text, size_t len)
{
    scan->some = true;
    if (scan->body == BODY_SINK) {
        scan->sink->text(scan->sink->ctx, text, len);
    } else if (scan->body == BODY_SLOT) {
        unsigned slot = scan->trie->node[scan->at].arg;
        scan->slot_len[slot] = append(scan->slot[slot], UNS_SLOT_BYTES,
                                      scan->slot_len[slot], text, len);
    } else if (scan->body == BODY_KEY) {
        scan->word_len =
            append(scan->word, sizeof scan->word, scan->word_len, text, len);
    }
}

static void take_code_point(struct uns_scan *scan, uint32_t code)
{
    char utf8[4];
    size_t len = 1;

    if (code < 0x80) {
        utf8[0] = (char)code;
    } else if (code < 0x800) {
        utf8[0] = (char)(0xC0 | code >> 6);
        len = 2;
    } else if (code < 0x10000) {
        utf8[0] = (char)(0xE0 | code >> 12);
        len = 3;
    } else {
        utf8[0] = (char)(0xF0 | code >> 18);
        len = 4;
    }
    for (size_t i = 1; i < len; i++) {
        utf8[i] = (char)(0x80 | (code >> (6 * (len - 1 - i)) & 0x3F));
    }
    take(scan, utf8, len);
}

/* A high surrogate was not followed by a low one. */
static void drop_high(struct uns_scan *scan)
{
    if (scan->high != 0) {
        scan->high = 0;
        take_code_point(scan, 0xFFFD);
    }
}

static void unit_done(struct uns_scan *scan)
{
    uint32_t unit = scan->unit;

    if (unit >= 0xDC00 && unit <= 0xDFFF && scan->high != 0) {
        unit =
            0x10000 + ((uint32_t)(scan->high - 0xD800) << 10) + (unit - 0xDC00);
        scan->high = 0;
        take_code_point(scan, unit);
        return;
    }
    drop_high(scan);
    if (unit >= 0xD800 && unit <= 0xDBFF) {
        scan->high = (uint16_t)unit;
        return;
    }
    take_code_point(scan, unit >= 0xDC00 && unit <= 0xDFFF ? 0xFFFD : unit);
}

/* Value of a hexadecimal digit; 16: it is none. */
static unsigned hex(char c)
{
    if (c >= '0' && c <= '9') {
        return (unsigned)(c - '0');
    }
    c = (char)(c | 0x20);
    return c >= 'a' && c <= 'f' ? (unsigned)(c - 'a') + 10 : 16;
}

static const char *hex_digit(struct uns_scan *scan, const char *p)
{
    unsigned digit = hex(*p);

    if (digit == 16) {
        scan->state = STATE_BROKEN;
        return p + 1;
    }
    scan->unit = (uint16_t)((unsigned)scan->unit << 4 | digit);
    if (--scan->hex_left == 0) {
        scan->state = STATE_STRING;
        unit_done(scan);
    }
    return p + 1;
}

const char *uns_scan_escape(struct uns_scan *scan, const char *p)
{
    static const char from[] = "\"\\/bfnrt";
    static const char to[] = "\"\\/\b\f\n\r\t";

    if (scan->state == STATE_HEX) {
        return hex_digit(scan, p);
    }
    if (*p == 'u') {
        scan->state = STATE_HEX;
        scan->hex_left = 4;
        scan->unit = 0;
        return p + 1;
    }
    const char *found = memchr(from, *p, sizeof from - 1);
    if (found == NULL) {
        scan->state = STATE_BROKEN;
        return p + 1;
    }
    drop_high(scan);
    take(scan, &to[found - from], 1);
    scan->state = STATE_STRING;
    return p + 1;
}

static void string_end(struct uns_scan *scan)
{
    drop_high(scan);
    if (scan->body == BODY_KEY) {
        uns_scan_key(scan, scan->word, scan->word_len,
                     scan->word + scan->word_len);
        scan->state = STATE_COLON;
        return;
    }
    scan->state = STATE_NEXT;
    scan->told |= scan->some;
    if (scan->at != UNS_TRIE_NONE) {
        uns_scan_value(scan, scan->some);
    }
}

const char *uns_scan_string(struct uns_scan *scan, const char *p,
                            const char *end)
{
    const char *q = uns_bytes_find2(p, end, '"', '\\');

    if (q > p) {
        drop_high(scan);
        take(scan, p, (size_t)(q - p));
    }
    if (q == end) {
        return q;
    }
    if (*q != '"') {
        scan->state = STATE_ESCAPE;
        return q + 1;
    }
    if (scan->body_from != NULL) {
        uns_scan_hole(scan, UNS_HOLE_STRING, scan->body_from, q);
        scan->body_from = NULL;
    }
    string_end(scan);
    return q + 1;
}
