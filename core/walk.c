/* SPDX-License-Identifier: MIT */
/*
 * walk - a pull parser for JSON over one stretch of memory.  Between two
 * values stand brackets, commas and space, which close_and_separate() eats; a
 * value in an object begins with its key.  Each step eats at least one byte
 * or fails, so any input comes to an end.
 */
#include "walk.h"

#include "ascii.h"

void uns_walk_init(struct uns_walk *walk, const char *text, size_t len,
                   bool comments)
{
    memset(walk, 0, sizeof *walk);
    walk->text = (struct uns_slice){text, len};
    walk->comments = comments;
}

/* The byte `ahead` of where we are; NUL: beyond the end. */
static char peek(const struct uns_walk *walk, size_t ahead)
{
    return walk->text.len - walk->at > ahead ? walk->text.data[walk->at + ahead]
                                             : '\0';
}

static bool eat(struct uns_walk *walk, char c)
{
    if (walk->at == walk->text.len || peek(walk, 0) != c)
        return false;
    walk->at++;
    return true;
}

/* Past the next `end`, or to the end of the text. */
static void skip_past(struct uns_walk *walk, const char *end)
{
    size_t len = strlen(end);

    while (walk->at < walk->text.len) {
        if (walk->text.len - walk->at >= len &&
            memcmp(walk->text.data + walk->at, end, len) == 0) {
            walk->at += len;
            return;
        }
        walk->at++;
    }
}

static bool skip_comment(struct uns_walk *walk)
{
    if (!walk->comments || peek(walk, 0) != '/')
        return false;
    if (peek(walk, 1) != '/' && peek(walk, 1) != '*')
        return false;
    walk->at += 2;
    skip_past(walk, walk->text.data[walk->at - 1] == '/' ? "\n" : "*/");
    return true;
}

static void skip_space(struct uns_walk *walk)
{
    for (;;) {
        char c = peek(walk, 0);

        if (c == ' ' || c == '\t' || c == '\n' || c == '\r')
            walk->at++;
        else if (!skip_comment(walk))
            return;
    }
}

static bool in_array(const struct uns_walk *walk)
{
    unsigned d = walk->depth - 1;

    return (walk->is_array[d / 8] >> d % 8 & 1) != 0;
}

static bool open_container(struct uns_walk *walk, bool array)
{
    unsigned d = walk->depth;

    if (d == UNS_WALK_DEPTH)
        return false;
    walk->is_array[d / 8] &= (uint8_t) ~(1U << d % 8);
    walk->is_array[d / 8] |= (uint8_t)((unsigned)array << d % 8);
    walk->depth++;
    walk->fresh = true;
    return true;
}

/* From the end of a value to the start of the next one, or of its key. */
static bool close_and_separate(struct uns_walk *walk)
{
    for (;;) {
        skip_space(walk);
        if (walk->depth == 0) {
            walk->ok = walk->at == walk->text.len;
            return false;
        }
        if (!eat(walk, in_array(walk) ? ']' : '}'))
            break;
        walk->depth--;
        walk->fresh = false;
    }
    if (!walk->fresh && !eat(walk, ','))
        return false;
    skip_space(walk);
    return true;
}

/* The four digits of \uXXXX at `at`; -1: they are none. */
static int hex4(struct uns_slice text, size_t at)
{
    int value = 0;

    for (size_t i = 0; i < 4; i++) {
        int digit = at + i < text.len ? uns_hex(text.data[at + i]) : -1;

        if (digit < 0)
            return -1;
        value = value * 16 + digit;
    }
    return value;
}

static bool eat_escape(struct uns_walk *walk)
{
    static const char simple[] = {'"', '\\', '/', 'b', 'f', 'n', 'r', 't'};

    if (eat(walk, 'u')) {
        if (hex4(walk->text, walk->at) < 0)
            return false;
        walk->at += 4;
        return true;
    }
    if (memchr(simple, peek(walk, 0), sizeof simple) == NULL)
        return false;
    walk->at++;
    return true;
}

static bool eat_string(struct uns_walk *walk, struct uns_slice *ret_raw)
{
    size_t start;

    if (!eat(walk, '"'))
        return false;
    start = walk->at;
    while (!eat(walk, '"')) {
        if ((unsigned char)peek(walk, 0) < ' ')
            return false;
        if (eat(walk, '\\')) {
            if (!eat_escape(walk))
                return false;
            continue;
        }
        walk->at++;
    }
    *ret_raw =
        (struct uns_slice){walk->text.data + start, walk->at - 1 - start};
    return true;
}

static bool eat_digits(struct uns_walk *walk)
{
    size_t start = walk->at;

    while (peek(walk, 0) >= '0' && peek(walk, 0) <= '9')
        walk->at++;
    return walk->at > start;
}

static bool eat_number(struct uns_walk *walk)
{
    eat(walk, '-');
    if (!eat(walk, '0') && !eat_digits(walk))
        return false;
    if (eat(walk, '.') && !eat_digits(walk))
        return false;
    if (!eat(walk, 'e') && !eat(walk, 'E'))
        return true;
    if (!eat(walk, '+'))
        eat(walk, '-');
    return eat_digits(walk);
}

static bool eat_word(struct uns_walk *walk, const char *word)
{
    for (; *word != '\0'; word++)
        if (!eat(walk, *word))
            return false;
    return true;
}

static bool eat_scalar(struct uns_walk *walk, struct uns_walk_value *value)
{
    size_t start = walk->at;
    bool good;

    switch (peek(walk, 0)) {
    case '"':
        value->kind = UNS_WALK_STRING;
        return eat_string(walk, &value->text);
    case 't':
        value->kind = UNS_WALK_TRUE;
        good = eat_word(walk, "true");
        break;
    case 'f':
        value->kind = UNS_WALK_FALSE;
        good = eat_word(walk, "false");
        break;
    case 'n':
        value->kind = UNS_WALK_NULL;
        good = eat_word(walk, "null");
        break;
    default:
        value->kind = UNS_WALK_NUMBER;
        good = eat_number(walk);
        break;
    }
    value->text = (struct uns_slice){walk->text.data + start, walk->at - start};
    return good;
}

static bool eat_value(struct uns_walk *walk, struct uns_walk_value *value)
{
    bool array = peek(walk, 0) == '[';

    if (!array && peek(walk, 0) != '{') {
        walk->fresh = false;
        return eat_scalar(walk, value);
    }
    value->kind = array ? UNS_WALK_ARRAY : UNS_WALK_OBJECT;
    value->text = (struct uns_slice){walk->text.data + walk->at, 1};
    walk->at++;
    return open_container(walk, array);
}

static bool eat_key(struct uns_walk *walk, struct uns_slice *ret_key)
{
    if (!eat_string(walk, ret_key))
        return false;
    skip_space(walk);
    if (!eat(walk, ':'))
        return false;
    skip_space(walk);
    return true;
}

bool uns_walk_next(struct uns_walk *walk, struct uns_walk_value *ret_value)
{
    struct uns_walk_value value = {.depth = 0};

    if (walk->started && !close_and_separate(walk))
        return false;
    if (!walk->started)
        skip_space(walk);
    walk->started = true;
    if (walk->depth > 0 && !in_array(walk) && !eat_key(walk, &value.key))
        return false;
    value.depth = walk->depth;
    if (value.depth > 0 && value.depth <= UNS_WALK_KEYS)
        walk->key[value.depth - 1] = value.key;
    if (!eat_value(walk, &value))
        return false;
    *ret_value = value;
    return true;
}

bool uns_walk_is_at(const struct uns_walk *walk,
                    const struct uns_walk_value *value, const char *path)
{
    if (value->depth == 0 || value->depth > UNS_WALK_KEYS)
        return false;
    for (unsigned i = 0; i < value->depth; i++) {
        const char *dot = strchr(path, '.');
        size_t len = dot ? (size_t)(dot - path) : strlen(path);
        struct uns_slice key = walk->key[i];

        if ((dot == NULL) != (i + 1 == value->depth))
            return false;
        if ((len != 1 || *path != '*') && (key.data == NULL || key.len != len ||
                                           memcmp(key.data, path, len) != 0))
            return false;
        path += len + (dot != NULL);
    }
    return true;
}

size_t uns_walk_behind(struct uns_slice text, size_t at)
{
    unsigned nest = 0;
    bool inside = false;

    do {
        char c = text.data[at++];

        if (inside && c == '\\')
            at++;
        else if (c == '"')
            inside = !inside;
        else if (!inside && (c == '{' || c == '['))
            nest++;
        else if (!inside && (c == '}' || c == ']'))
            nest--;
    } while (nest && at < text.len);
    return at < text.len ? at : text.len;
}

static size_t put_utf8(unsigned code, char out[4])
{
    if (code < 0x80) {
        out[0] = (char)code;
        return 1;
    }
    if (code < 0x800) {
        out[0] = (char)(0xc0 | code >> 6);
        out[1] = (char)(0x80 | (code & 0x3f));
        return 2;
    }
    if (code < 0x10000) {
        out[0] = (char)(0xe0 | code >> 12);
        out[1] = (char)(0x80 | (code >> 6 & 0x3f));
        out[2] = (char)(0x80 | (code & 0x3f));
        return 3;
    }
    out[0] = (char)(0xf0 | code >> 18);
    out[1] = (char)(0x80 | (code >> 12 & 0x3f));
    out[2] = (char)(0x80 | (code >> 6 & 0x3f));
    out[3] = (char)(0x80 | (code & 0x3f));
    return 4;
}

/* What follows "\u" at *at, with the second half of a pair; 0: unusable. */
static unsigned take_code(struct uns_slice raw, size_t *at)
{
    int high = hex4(raw, *at);
    int low;

    if (high < 0)
        return 0;
    *at += 4;
    if (high < 0xd800 || high > 0xdfff)
        return (unsigned)high;
    if (high > 0xdbff || raw.len - *at < 6 || raw.data[*at] != '\\' ||
        raw.data[*at + 1] != 'u')
        return 0;
    low = hex4(raw, *at + 2);
    if (low < 0xdc00 || low > 0xdfff)
        return 0;
    *at += 6;
    return 0x10000 + ((unsigned)(high - 0xd800) << 10) +
           (unsigned)(low - 0xdc00);
}

/* The next character of `raw`: how many bytes of `out` it takes; 0: none. */
static size_t take_char(struct uns_slice raw, size_t *at, char out[4])
{
    static const char from[] = "bfnrt";
    static const char to[] = "\b\f\n\r\t";
    const char *known;
    unsigned code;

    out[0] = raw.data[(*at)++];
    if (out[0] != '\\' || *at == raw.len)
        return 1;
    out[0] = raw.data[(*at)++];
    if (out[0] == 'u') {
        code = raw.len - *at >= 4 ? take_code(raw, at) : 0;
        return code ? put_utf8(code, out) : 0;
    }
    known = strchr(from, out[0]);
    if (known != NULL)
        out[0] = to[known - from];
    return 1;
}

bool uns_walk_decode(struct uns_slice raw, char *out, size_t size)
{
    size_t used = 0;

    for (size_t at = 0; at < raw.len;) {
        char piece[4];
        size_t len = take_char(raw, &at, piece);

        if (len == 0 || used + len >= size)
            return false;
        memcpy(out + used, piece, len);
        used += len;
    }
    if (size == 0)
        return false;
    out[used] = '\0';
    return true;
}
