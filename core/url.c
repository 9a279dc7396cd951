/* SPDX-License-Identifier: MIT */
/*
 * url - http(s) URLs in pieces, the way libcurl reads them: a missing scheme
 * is guessed, one to three slashes follow it, the last '@' of the authority
 * ends the userinfo.  Nothing is decoded or copied.  What libcurl refuses is
 * refused here too, so a doubtful URL is never taken for an LLM's.
 */
#include "ascii.h"
#include "detect.h"

/* Host names by whose start libcurl guesses another protocol than http. */
static const char *const not_http[] = {
    "ftp.", "dict.", "ldap.", "imap.", "smtp.", "pop3.",
};

static bool is_scheme_char(char c)
{
    return (uns_lower(c) >= 'a' && uns_lower(c) <= 'z') ||
           (c >= '0' && c <= '9') || c == '+' || c == '-' || c == '.';
}

/* The first `len` bytes of `rest`, which loses them. */
static struct uns_slice cut(struct uns_slice *rest, size_t len)
{
    struct uns_slice head = {rest->data, len};

    rest->data += len;
    rest->len -= len;
    return head;
}

/* Bytes of `text` before the first that is in `stops`. */
static size_t span_before(struct uns_slice text, const char *stops)
{
    size_t i = 0;

    while (i < text.len && memchr(stops, text.data[i], strlen(stops)) == NULL)
        i++;
    return i;
}

/* "http:" and its slashes.  A colon without a slash is a port's. */
static bool cut_scheme(struct uns_slice *rest, struct uns_url *url)
{
    size_t len = 0;
    size_t slashes = 0;

    while (len < rest->len && is_scheme_char(rest->data[len]))
        len++;
    if (len == 0 || len + 1 >= rest->len || rest->data[len] != ':' ||
        rest->data[len + 1] != '/')
        return true;
    url->scheme = cut(rest, len);
    cut(rest, 1);
    while (slashes < rest->len && rest->data[slashes] == '/')
        slashes++;
    cut(rest, slashes);
    return slashes <= 3;
}

static bool guess_scheme(struct uns_url *url)
{
    for (size_t i = 0; i < sizeof not_http / sizeof *not_http; i++) {
        struct uns_slice other = uns_slice_of(not_http[i]);
        struct uns_slice start = {url->host.data, other.len};

        if (url->host.len >= other.len && uns_same_fold(start, other))
            return false;
    }
    url->scheme = (struct uns_slice){"http", 4};
    return true;
}

/* Empty digits leave the default. */
static bool read_port(struct uns_slice digits, uint16_t *port)
{
    unsigned value = 0;

    for (size_t i = 0; i < digits.len; i++) {
        if (digits.data[i] < '0' || digits.data[i] > '9')
            return false;
        value = value * 10 + (unsigned)(digits.data[i] - '0');
        if (value > UINT16_MAX)
            return false;
    }
    if (digits.len > 0)
        *port = (uint16_t)value;
    return true;
}

static void cut_userinfo(struct uns_slice *authority, struct uns_url *url)
{
    for (size_t i = authority->len; i > 0; i--) {
        if (authority->data[i - 1] != '@')
            continue;
        url->userinfo = cut(authority, i - 1);
        cut(authority, 1);
        return;
    }
}

/* host, host:port, [v6], [v6]:port */
static bool split_host(struct uns_slice authority, struct uns_url *url)
{
    bool v6 = authority.len > 0 && authority.data[0] == '[';

    if (v6)
        cut(&authority, 1);
    url->host = cut(&authority, span_before(authority, v6 ? "]" : ":"));
    if (url->host.len == 0 || (v6 && authority.len == 0))
        return false;
    if (v6)
        cut(&authority, 1);
    if (authority.len == 0)
        return true;
    if (authority.data[0] != ':')
        return false;
    cut(&authority, 1);
    return read_port(authority, &url->port);
}

static bool has_control(const char *url, size_t len)
{
    for (size_t i = 0; i < len; i++)
        if ((unsigned char)url[i] < ' ' || url[i] == 0x7f)
            return true;
    return false;
}

bool uns_url_split(const char *url, size_t len, struct uns_url *ret_url)
{
    struct uns_slice rest = {url, len};
    struct uns_slice authority;
    struct uns_url out = {0};
    bool guess;

    if (has_control(url, len) || !cut_scheme(&rest, &out))
        return false;
    guess = out.scheme.len == 0;
    if (!guess && !uns_same_fold(out.scheme, uns_slice_of("http")) &&
        !uns_same_fold(out.scheme, uns_slice_of("https")))
        return false;
    out.port = out.scheme.len == 5 ? 443 : 80;
    authority = cut(&rest, span_before(rest, "/?#"));
    cut_userinfo(&authority, &out);
    if (!split_host(authority, &out) || (guess && !guess_scheme(&out)))
        return false;
    out.path = cut(&rest, span_before(rest, "?#"));
    if (rest.len > 0 && rest.data[0] == '?') {
        cut(&rest, 1);
        out.query = cut(&rest, span_before(rest, "#"));
    }
    *ret_url = out;
    return true;
}

bool uns_url_same_origin(const struct uns_url *a, const struct uns_url *b)
{
    return uns_same_fold(a->scheme, b->scheme) &&
           uns_same_fold(a->host, b->host) && a->port == b->port;
}

/* A URL as the text that patterns are compared with. */
struct text {
    struct uns_slice part[7]; /* scheme :// [ host ] :port path */
    size_t len;
    size_t path; /* from here on, case counts */
    char port[7];
};

enum {
    SCHEME,
    SLASHES,
    OPEN,
    HOST,
    CLOSE,
    PORT,
    PATH,
    PARTS
};

static void write_port(struct text *text, uint16_t port)
{
    size_t at = sizeof text->port;

    for (unsigned rest = port; rest > 0 || at == sizeof text->port; rest /= 10)
        text->port[--at] = (char)('0' + rest % 10);
    text->port[--at] = ':';
    text->part[PORT] =
        (struct uns_slice){text->port + at, sizeof text->port - at};
}

static void text_init(struct text *text, const struct uns_url *url, bool scheme,
                      bool port)
{
    bool v6 = memchr(url->host.data, ':', url->host.len) != NULL;

    memset(text, 0, sizeof *text);
    if (scheme) {
        text->part[SCHEME] = url->scheme;
        text->part[SLASHES] = (struct uns_slice){"://", 3};
    }
    text->part[OPEN] = (struct uns_slice){"[", v6};
    text->part[HOST] = url->host;
    text->part[CLOSE] = (struct uns_slice){"]", v6};
    if (port)
        write_port(text, url->port);
    text->part[PATH] = url->path;
    if (url->path.len == 0)
        text->part[PATH] = (struct uns_slice){"/", 1};
    for (size_t i = 0; i < PATH; i++)
        text->path += text->part[i].len;
    text->len = text->path + text->part[PATH].len;
}

static char text_at(const struct text *text, size_t i)
{
    const struct uns_slice *part = text->part;

    while (i >= part->len)
        i -= part++->len;
    return part->data[i];
}

static bool same_at(const struct text *text, size_t i, char wanted)
{
    char c = text_at(text, i);

    return i < text->path ? uns_lower(c) == uns_lower(wanted) : c == wanted;
}

/* The usual glob with one point to come back to: linear in memory, at worst
 * quadratic in time. */
static bool glob(struct uns_slice pattern, const struct text *text)
{
    size_t p = 0;
    size_t t = 0;
    size_t star = SIZE_MAX;
    size_t star_t = 0;

    while (t < text->len) {
        if (p < pattern.len && pattern.data[p] == '*') {
            star = p++;
            star_t = t;
        } else if (p < pattern.len && same_at(text, t, pattern.data[p])) {
            p++;
            t++;
        } else if (star != SIZE_MAX) {
            p = star + 1;
            t = ++star_t;
        } else {
            return false;
        }
    }
    while (p < pattern.len && pattern.data[p] == '*')
        p++;
    return p == pattern.len;
}

static bool has_scheme(struct uns_slice pattern)
{
    for (size_t i = 0; i + 3 <= pattern.len; i++)
        if (memcmp(pattern.data + i, "://", 3) == 0)
            return true;
    return pattern.len > 0 && pattern.data[0] == '*';
}

bool uns_url_matches(struct uns_slice pattern, const struct uns_url *url)
{
    bool default_port = url->port == (url->scheme.len == 5 ? 443 : 80);
    bool scheme = has_scheme(pattern);
    struct text text;

    text_init(&text, url, scheme, true);
    if (glob(pattern, &text))
        return true;
    text_init(&text, url, scheme, false);
    return default_port && glob(pattern, &text);
}

static bool is_scheme(struct uns_slice text)
{
    return uns_same_fold(text, uns_slice_of("http")) ||
           uns_same_fold(text, uns_slice_of("https"));
}

/* A path begins with a slash, and has one also when nobody wrote it. */
static bool can_be_address(struct uns_slice text)
{
    size_t host = 0;

    while (host < text.len && text.data[host] != '/' && text.data[host] != '*')
        host++;
    return host < text.len && (host > 0 || text.data[0] == '*');
}

bool uns_url_can_match(struct uns_slice pattern)
{
    size_t at = 0;

    while (at < pattern.len && pattern.data[at] != '*' &&
           pattern.data[at] != ':' && pattern.data[at] != '/')
        at++;
    if (at + 3 > pattern.len || memcmp(pattern.data + at, "://", 3) != 0)
        return can_be_address(pattern);
    return is_scheme((struct uns_slice){pattern.data, at}) &&
           can_be_address(
               (struct uns_slice){pattern.data + at + 3, pattern.len - at - 3});
}
