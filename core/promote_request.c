/* SPDX-License-Identifier: MIT */

/*
 * What is missing goes in front of all members, where no comma can be wrong: a
 * request that asks for anything has at least one.  A member that is there
 * twice is left to the provider to make sense of.
 */

#include "promote_request.h"

#include "ascii.h"
#include "promote.h"
#include "walk.h"

#define USAGE "{\"include_usage\":true}"

/* How each dialect asks for a stream in the body. */
static const struct {
    bool stream; /* "stream": true */
    bool usage;  /* its usage has to be asked for */
} asks[UNS_DIALECT_COUNT] = {
    [UNS_DIALECT_CHAT] = {true, true },
    [UNS_DIALECT_COMPLETIONS] = {true, true },
    [UNS_DIALECT_RESPONSES] = {true, false},
    [UNS_DIALECT_ANTHROPIC] = {true, false},
    [UNS_DIALECT_OLLAMA] = {true, false},
};

/* What cannot be put together, or cannot be had as a stream. */
static const char *const unfit[] = {
    "audio",
    "generationConfig.responseModalities",
    "generationConfig.speechConfig",
    "generation_config.response_modalities",
    "generation_config.speech_config",
};

/* Where a URL asks for one. */
static const struct {
    const char *from, *to;
    const char *query; /* NULL: none is needed */
} urls[] = {
    {":generateContent", ":streamGenerateContent", "alt=sse"},
    {":rawPredict",      ":streamRawPredict",      NULL     },
};

/* What the walk finds of one member. */
struct member {
    struct uns_slice text; /* of the value; data NULL: it is not there */
    enum uns_walk_kind kind;
    bool twice;
};

struct search {
    struct member stream, options;
    bool unfit;
};

static bool is_text(struct uns_slice slice, const char *text)
{
    return slice.len == strlen(text) &&
           memcmp(slice.data, text, slice.len) == 0;
}

static void note(struct member *member, const struct uns_walk_value *value)
{
    *member = (struct member){value->text, value->kind, member->text.data};
}

static bool is_unfit(const struct uns_walk *walk,
                     const struct uns_walk_value *value)
{
    if (value->kind == UNS_WALK_NULL)
        return false;
    if (value->depth == 1 && is_text(value->key, "best_of"))
        return !is_text(value->text, "1");
    for (size_t i = 0; i < sizeof unfit / sizeof *unfit; i++)
        if (uns_walk_is_at(walk, value, unfit[i]))
            return true;
    return false;
}

static void look(struct search *search, struct uns_slice body)
{
    struct uns_walk walk;
    struct uns_walk_value value;

    uns_walk_init(&walk, body.data, body.len, false);
    while (uns_walk_next(&walk, &value)) {
        search->unfit |= is_unfit(&walk, &value);
        if (value.depth == 1 && is_text(value.key, "stream"))
            note(&search->stream, &value);
        if (value.depth == 1 && is_text(value.key, "stream_options"))
            note(&search->options, &value);
    }
}

static bool is_off(const struct member *member)
{
    return !member->twice &&
           (!member->text.data || member->kind == UNS_WALK_NULL ||
            member->kind == UNS_WALK_FALSE);
}

static void add(struct uns_promote_plan *plan, const char *at, size_t len,
                const char *text)
{
    struct uns_promote_edit *edit = &plan->edit[plan->edits++];

    *edit =
        (struct uns_promote_edit){(size_t)(at - plan->body.data), len, text};
    if (plan->edits == 2 && edit->at < plan->edit[0].at) {
        struct uns_promote_edit first = plan->edit[0];

        plan->edit[0] = *edit;
        *edit = first;
    }
}

/* Say it where it is said otherwise, or in front. */
static void say(struct uns_promote_plan *plan, const struct member *member,
                const char *value, const char *whole)
{
    const char *front =
        memchr(plan->body.data, '{', plan->body.len); /* it is an object */

    if (member->text.data)
        add(plan, member->text.data, member->text.len, value);
    else
        add(plan, front + 1, 0, whole);
}

bool uns_promote_plan(struct uns_promote_plan *plan,
                      const struct uns_request *request, struct uns_slice body)
{
    enum uns_dialect dialect = request->dialect;
    struct search search = {0};

    *plan = (struct uns_promote_plan){.body = body};
    if (request->streams || !request->json || !request->asks ||
        !uns_promote_can(dialect))
        return false;
    look(&search, body);
    if (search.unfit || !is_off(&search.stream))
        return false;
    if (asks[dialect].stream)
        say(plan, &search.stream, "true", "\"stream\":true,");
    if (asks[dialect].usage && is_off(&search.options))
        say(plan, &search.options, USAGE, "\"stream_options\":" USAGE ",");
    return true;
}

size_t uns_promote_size(const struct uns_promote_plan *plan)
{
    size_t size = plan->body.len;

    for (unsigned i = 0; i < plan->edits; i++)
        size += strlen(plan->edit[i].text) - plan->edit[i].len;
    return size;
}

static char *put(char *out, const char *bytes, size_t len)
{
    memcpy(out, bytes, len);
    return out + len;
}

void uns_promote_write(const struct uns_promote_plan *plan, char *out)
{
    size_t at = 0;

    for (unsigned i = 0; i < plan->edits; i++) {
        const struct uns_promote_edit *edit = &plan->edit[i];

        out = put(out, plan->body.data + at, edit->at - at);
        out = put(out, edit->text, strlen(edit->text));
        at = edit->at + edit->len;
    }
    put(out, plan->body.data + at, plan->body.len - at);
}

/* --- the URL -------------------------------------------------------------- */

/* The row that the path ends in; NULL: none. */
static const char *ends_in(struct uns_slice path, size_t row)
{
    struct uns_slice tail = uns_slice_of(urls[row].from);
    struct uns_slice end;

    if (!path.data || path.len < tail.len)
        return NULL;
    end = (struct uns_slice){path.data + path.len - tail.len, tail.len};
    return uns_same_fold(end, tail) ? end.data : NULL;
}

#define URLS (sizeof urls / sizeof *urls)

static size_t row_of(const struct uns_url *url)
{
    size_t row = 0;

    while (row < URLS && !ends_in(url->path, row))
        row++;
    return row;
}

bool uns_promote_by_url(const struct uns_url *url)
{
    return row_of(url) < URLS;
}

/* Without what asks for another form; a query may have one `alt` only. */
static size_t put_query(struct uns_slice query, const char *own, char *out)
{
    char *start = out;

    *out++ = '?';
    out = put(out, own, strlen(own));
    while (query.len) {
        const char *end = memchr(query.data, '&', query.len);
        size_t len = end ? (size_t)(end - query.data) : query.len;
        size_t past = len + (end != NULL);

        if (len && (len < 4 || memcmp(query.data, "alt=", 4) != 0)) {
            *out++ = '&';
            out = put(out, query.data, len);
        }
        query = (struct uns_slice){query.data + past, query.len - past};
    }
    return (size_t)(out - start);
}

enum uns_err uns_promote_url(struct uns_slice text, const struct uns_url *url,
                             struct uns_room out)
{
    size_t row = row_of(url);
    const char *tail = row < URLS ? ends_in(url->path, row) : NULL;
    const char *behind = url->path.data + url->path.len;
    char *at = out.data;

    if (!tail)
        return UNS_UNSUPPORTED;
    if (text.len + 64 > out.size)
        return UNS_TOOBIG;
    at = put(at, text.data, (size_t)(tail - text.data));
    at = put(at, urls[row].to, strlen(urls[row].to));
    if (urls[row].query)
        at += put_query(url->query, urls[row].query, at);
    else
        at = put(at, behind, (size_t)(text.data + text.len - behind));
    *at = '\0';
    return UNS_OK;
}
