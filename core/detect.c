/* SPDX-License-Identifier: MIT */
/*
 * detect - the table of LLM paths.  It says what a URL looks like, not what a
 * request is: methods and bodies are looked at later, by those who have them.
 * Paths are compared without case (Azure's are), without slashes at the end,
 * and with %XX taken for its byte (some clients write ':' as %3A) but for an
 * encoded slash, which is no slash.  The first row that fits decides.
 * Every call of the host passes here, so the path is made comparable once.
 */
#include "detect.h"
#include "ascii.h"

/* Bytes of a path's end that are looked at: all that tells is there. */
#define TAIL 256

enum fit {
    ENDS,  /* the path ends so */
    HAS,   /* it stands somewhere in the path */
    PARENT /* one more segment follows, and the path ends */
};

static const struct row {
    enum uns_dialect dialect;
    enum fit fit;
    const char *path;   /* in lower case */
    const char *unless; /* not when this stands in the path */
    const char *host;   /* only on this host or below it */
    const char *query;  /* only with this parameter */
    bool streams;       /* the URL itself asks for a stream */
} rows[] = {
  /* clang-format off */
    {UNS_DIALECT_CHAT, ENDS, "/chat/completions", 0, 0, 0, 0},
    {UNS_DIALECT_COMPLETIONS, ENDS, "/completions", 0, 0, 0, 0},
    {UNS_DIALECT_RESPONSES, ENDS, "/responses", "/forms/", 0, 0, 0},
    {UNS_DIALECT_RESPONSES, PARENT, "/responses/", 0, 0, "stream=true", 1},
    {UNS_DIALECT_NONE, HAS, "/chat/completions/", 0, 0, 0, 0}, /* stored */
    {UNS_DIALECT_ANTHROPIC, ENDS, "/messages", "/threads/", 0, 0, 0},
    {UNS_DIALECT_ANTHROPIC, HAS, ":streamrawpredict", 0, 0, 0, 1},
    {UNS_DIALECT_ANTHROPIC, HAS, ":rawpredict", 0, 0, 0, 0},
    {UNS_DIALECT_GEMINI, HAS, ":streamgeneratecontent", 0, 0, 0, 1},
    {UNS_DIALECT_GEMINI, HAS, ":generatecontent", 0, 0, 0, 0},
    {UNS_DIALECT_LMSTUDIO, ENDS, "/api/v1/chat", 0, 0, 0, 0},
    {UNS_DIALECT_OLLAMA, ENDS, "/api/chat", 0, 0, 0, 0},
    {UNS_DIALECT_OLLAMA, ENDS, "/api/generate", 0, 0, 0, 0},
    {UNS_DIALECT_LLAMACPP, ENDS, "/completion", 0, 0, 0, 0},
    {UNS_DIALECT_LLAMACPP, ENDS, "/infill", 0, 0, 0, 0},
    {UNS_DIALECT_TGI, ENDS, "/generate_stream", 0, 0, 0, 1},
    {UNS_DIALECT_TGI, ENDS, "/generate", "/images/", 0, 0, 0},
    {UNS_DIALECT_COHERE, ENDS, "/v2/chat", 0, 0, 0, 0},
    {UNS_DIALECT_COHERE, ENDS, "/v1/chat", 0, "cohere.com", 0, 0},
    {UNS_DIALECT_COHERE, ENDS, "/v1/chat", 0, "cohere.ai", 0, 0},
    {UNS_DIALECT_DASHSCOPE, ENDS,
     "/services/aigc/text-generation/generation", 0, 0, 0, 0},
    {UNS_DIALECT_DASHSCOPE, ENDS,
     "/services/aigc/multimodal-generation/generation", 0, 0, 0, 0},
  /* clang-format on */
};

/* Their paths look like an LLM's: messages to people, mostly. */
static const char *const other_hosts[] = {
    "discord.com",          "graph.facebook.com",   "graph.microsoft.com",
    "api.mailgun.net",      "api.eu.mailgun.net",   "api.nexmo.com",
    "api.twilio.com",       "gmail.googleapis.com", "api.intercom.io",
    "forms.googleapis.com",
};

/* The byte at *at, decoded; *at moves behind it. */
static char next_byte(struct uns_slice path, size_t *at)
{
    char c = path.data[(*at)++];
    int high;
    int low;

    if (c != '%' || path.len - *at < 2)
        return c;
    high = uns_hex(path.data[*at]);
    low = uns_hex(path.data[*at + 1]);
    if (high < 0 || low < 0 || high * 16 + low == '/')
        return c;
    *at += 2;
    return (char)(high * 16 + low);
}

/* The end of a path: decoded, in lower case, without slashes behind it. */
struct tail {
    char text[TAIL];
    size_t len;
};

static void tail_init(struct tail *tail, struct uns_slice path)
{
    size_t at = path.len > TAIL ? path.len - TAIL : 0;

    tail->len = 0;
    while (at < path.len)
        tail->text[tail->len++] = uns_lower(next_byte(path, &at));
    while (tail->len > 0 && tail->text[tail->len - 1] == '/')
        tail->len--;
}

static bool fits_end(const struct tail *tail, enum fit fit, size_t end)
{
    switch (fit) {
    case ENDS:
        return end == tail->len;
    case PARENT:
        return end < tail->len &&
               memchr(tail->text + end, '/', tail->len - end) == NULL;
    case HAS:
        break;
    }
    return true;
}

static bool path_fits(const struct tail *tail, enum fit fit, const char *text)
{
    size_t len = strlen(text);
    size_t at = fit == ENDS && tail->len > len ? tail->len - len : 0;

    for (; at + len <= tail->len; at++)
        if (tail->text[at] == *text && fits_end(tail, fit, at + len) &&
            memcmp(tail->text + at, text, len) == 0)
            return true;
    return false;
}

static bool host_is(struct uns_slice host, const char *name)
{
    struct uns_slice domain = uns_slice_of(name);
    size_t before = host.len - domain.len;

    if (host.len < domain.len ||
        !uns_same_fold((struct uns_slice){host.data + before, domain.len},
                       domain))
        return false;
    return before == 0 || host.data[before - 1] == '.';
}

static bool has_parameter(struct uns_slice query, const char *name)
{
    struct uns_slice wanted = uns_slice_of(name);
    size_t at = 0;

    while (at < query.len) {
        const char *start = query.data + at;
        const char *end = memchr(start, '&', query.len - at);
        size_t len = end ? (size_t)(end - start) : query.len - at;

        if (uns_same_fold((struct uns_slice){start, len}, wanted))
            return true;
        at += len + 1;
    }
    return false;
}

static bool row_fits(const struct row *row, const struct uns_url *url,
                     const struct tail *tail)
{
    if (row->host != NULL && !host_is(url->host, row->host))
        return false;
    if (row->query != NULL && !has_parameter(url->query, row->query))
        return false;
    if (!path_fits(tail, row->fit, row->path))
        return false;
    return row->unless == NULL || !path_fits(tail, HAS, row->unless);
}

static const struct row *find_row(const struct uns_url *url)
{
    struct tail tail;

    tail_init(&tail, url->path);
    for (size_t i = 0; i < sizeof other_hosts / sizeof *other_hosts; i++)
        if (host_is(url->host, other_hosts[i]))
            return NULL;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (row_fits(&rows[i], url, &tail))
            return &rows[i];
    return NULL;
}

/* One item of UNSTALL_MATCH.  True: it decides. */
static bool item_fits(struct uns_slice item, const struct uns_url *url,
                      enum uns_dialect *ret_dialect)
{
    const char *equals;
    size_t name;

    if (item.len > 0 && item.data[0] == '!') {
        *ret_dialect = UNS_DIALECT_NONE;
        return uns_url_matches((struct uns_slice){item.data + 1, item.len - 1},
                               url);
    }
    equals = memchr(item.data, '=', item.len);
    if (equals == NULL)
        return false;
    name = (size_t)(equals - item.data);
    *ret_dialect = uns_dialect_by_name(item.data, name);
    return *ret_dialect != UNS_DIALECT_NONE &&
           uns_url_matches((struct uns_slice){equals + 1, item.len - name - 1},
                           url);
}

static bool extra_fits(const char *extra, const struct uns_url *url,
                       enum uns_dialect *ret_dialect)
{
    while (*extra != '\0') {
        const char *space = strchr(extra, ' ');
        size_t len = space ? (size_t)(space - extra) : strlen(extra);

        if (item_fits((struct uns_slice){extra, len}, url, ret_dialect))
            return true;
        extra += len + (space != NULL);
    }
    return false;
}

enum uns_dialect uns_detect(const struct uns_url *url, const char *extra)
{
    enum uns_dialect dialect;
    const struct row *row;

    if (extra != NULL && extra_fits(extra, url, &dialect))
        return dialect;
    row = find_row(url);
    return row ? row->dialect : UNS_DIALECT_NONE;
}

bool uns_detect_url_streams(const struct uns_url *url, enum uns_dialect dialect)
{
    const struct row *row = find_row(url);

    return row != NULL && row->dialect == dialect && row->streams;
}

const char *uns_detect_mark(const struct uns_url *url)
{
    const struct row *row = find_row(url);

    return row && row->dialect != UNS_DIALECT_NONE ? row->path : NULL;
}
