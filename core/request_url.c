/* SPDX-License-Identifier: MIT */
/*
 * request_url - where a request goes at another source:
 *
 *   base_url [without its query] + suffix of the dialect
 *            + query of base_url + the application's query, secrets left out
 *
 * `{model}` in base_url and in a suffix stands for the model's name.  Of the
 * application's URL nothing else travels (P3): no userinfo, no path.
 */
#include "ascii.h"
#include "request.h"
#include "walk.h"

#define MODEL_MAX 256

enum when {
    ANY,
    STREAM,
    WHOLE
};

/* The suffix of a dialect: the first row that ends the application's own path
 * is taken, else the first that is the usual one. */
static const struct suffix {
    enum uns_dialect dialect;
    const char *text;
    enum when when; /* only for requests that stream, or that do not */
    bool usual;
} suffixes[] = {
  /* clang-format off */
    {UNS_DIALECT_CHAT, "/chat/completions", ANY, true},
    {UNS_DIALECT_COMPLETIONS, "/fim/completions", ANY, false},
    {UNS_DIALECT_COMPLETIONS, "/completions", ANY, true},
    {UNS_DIALECT_RESPONSES, "/responses", ANY, true},
    {UNS_DIALECT_ANTHROPIC, "/messages", ANY, true},
    {UNS_DIALECT_GEMINI, "/models/{model}:streamGenerateContent", STREAM, true},
    {UNS_DIALECT_GEMINI, "/models/{model}:generateContent", WHOLE, true},
    {UNS_DIALECT_OLLAMA, "/api/generate", ANY, false},
    {UNS_DIALECT_OLLAMA, "/api/chat", ANY, true},
    {UNS_DIALECT_LLAMACPP, "/infill", ANY, false},
    {UNS_DIALECT_LLAMACPP, "/completion", ANY, true},
    {UNS_DIALECT_TGI, "/generate", ANY, false},
    {UNS_DIALECT_TGI, "/generate_stream", STREAM, true},
    {UNS_DIALECT_TGI, "/generate", WHOLE, true},
    {UNS_DIALECT_COHERE, "/chat", ANY, true},
    {UNS_DIALECT_LMSTUDIO, "/chat", ANY, true},
    {UNS_DIALECT_DASHSCOPE,
     "/services/aigc/multimodal-generation/generation", ANY, false},
    {UNS_DIALECT_DASHSCOPE,
     "/services/aigc/text-generation/generation", ANY, true},
  /* clang-format on */
};

/* A parameter with one of these in its name may be a credential. */
static const char *const secrets[] = {
    "key",  "token",   "secret", "sig", "auth",   "pass",
    "cred", "session", "code",   "jwt", "bearer", "hmac",
};

/* What is being written; `over` once it did not fit. */
struct out {
    struct uns_room room;
    size_t used;
    bool over;
    const char *model;
    bool encoded;   /* the model comes from a path, as it is */
    bool has_model; /* it has been written */
};

static void put(struct out *out, struct uns_slice text)
{
    if (text.len >= out->room.size - out->used) {
        out->over = true;
        return;
    }
    if (text.len > 0)
        memcpy(out->room.data + out->used, text.data, text.len);
    out->used += text.len;
}

static bool is_plain(char c)
{
    char l = uns_lower(c);

    return (l >= 'a' && l <= 'z') || (c >= '0' && c <= '9') ||
           (c != '\0' && strchr("-._~/@", c) != NULL);
}

static void put_model(struct out *out)
{
    static const char hex[] = "0123456789ABCDEF";

    out->has_model = true;
    for (const char *c = out->model; *c != '\0'; c++) {
        unsigned char byte = (unsigned char)*c;
        char escape[3] = {'%', hex[byte >> 4], hex[byte & 15]};

        if (is_plain(*c) || (out->encoded && *c == '%'))
            put(out, (struct uns_slice){c, 1});
        else
            put(out, (struct uns_slice){escape, 3});
    }
}

/* `text` with the model in place of "{model}". */
static void put_template(struct out *out, struct uns_slice text)
{
    struct uns_slice mark = uns_slice_of("{model}");

    while (text.len > 0) {
        size_t step = 1;

        if (text.len >= mark.len &&
            memcmp(text.data, mark.data, mark.len) == 0) {
            put_model(out);
            step = mark.len;
        } else {
            put(out, (struct uns_slice){text.data, 1});
        }
        text = (struct uns_slice){text.data + step, text.len - step};
    }
}

static bool contains(struct uns_slice text, const char *word)
{
    struct uns_slice wanted = uns_slice_of(word);

    for (size_t at = 0; at + wanted.len <= text.len; at++)
        if (uns_same_fold((struct uns_slice){text.data + at, wanted.len},
                          wanted))
            return true;
    return false;
}

/* An encoded name is not worth decoding: it is left out, and so is what some
 * servers take for two parameters, or what may be another URL. */
static bool is_secret(struct uns_slice whole, struct uns_slice name)
{
    if (name.len == 0 || memchr(name.data, '%', name.len) != NULL ||
        memchr(whole.data, ';', whole.len) != NULL ||
        memchr(whole.data, '?', whole.len) != NULL)
        return true;
    if (name.len == whole.len)
        return true; /* a bare word names nothing: it may be a key itself */
    for (size_t i = 0; i < sizeof secrets / sizeof *secrets; i++)
        if (contains(name, secrets[i]))
            return true;
    return false;
}

/* The next name=value of `query`, which loses it. */
static bool next_parameter(struct uns_slice *query, struct uns_slice *ret_whole,
                           struct uns_slice *ret_name)
{
    const char *end;
    const char *equals;

    if (query->len == 0)
        return false;
    end = memchr(query->data, '&', query->len);
    *ret_whole = (struct uns_slice){
        query->data, end ? (size_t)(end - query->data) : query->len};
    equals = memchr(query->data, '=', ret_whole->len);
    *ret_name = (struct uns_slice){
        query->data, equals ? (size_t)(equals - query->data) : ret_whole->len};
    query->data += ret_whole->len + (end != NULL);
    query->len -= ret_whole->len + (end != NULL);
    return true;
}

static bool has_name(struct uns_slice query, struct uns_slice name)
{
    struct uns_slice whole;
    struct uns_slice other;

    while (next_parameter(&query, &whole, &other))
        if (uns_same_fold(name, other))
            return true;
    return false;
}

/* The source's own parameters as they are, then what the application's may
 * add to them. */
static void put_queries(struct out *out, struct uns_slice own,
                        struct uns_slice query)
{
    struct uns_slice whole;
    struct uns_slice name;
    const char *separator = "?";

    if (own.len > 0) {
        put(out, uns_slice_of("?"));
        put(out, own);
        separator = "&";
    }
    while (next_parameter(&query, &whole, &name)) {
        if (is_secret(whole, name) || has_name(own, name))
            continue;
        put(out, uns_slice_of(separator));
        put(out, whole);
        separator = "&";
    }
}

static bool path_ends(struct uns_slice path, const char *text)
{
    struct uns_slice end = uns_slice_of(text);

    while (path.len > 0 && path.data[path.len - 1] == '/')
        path.len--;
    return path.len >= end.len &&
           uns_same_fold(
               (struct uns_slice){path.data + path.len - end.len, end.len},
               end);
}

static const struct suffix *find_suffix(const struct uns_request *request,
                                        struct uns_slice path)
{
    const struct suffix *usual = NULL;
    enum when not_now = request->streams ? WHOLE : STREAM;

    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
        const struct suffix *suffix = &suffixes[i];

        if (suffix->dialect != request->dialect || suffix->when == not_now)
            continue;
        if (path_ends(path, suffix->text))
            return suffix;
        if (suffix->usual && usual == NULL)
            usual = suffix;
    }
    return usual;
}

/* Would the model get lost?  It was in the path, the body has none, and the
 * source's URL has no place for it either. */
static bool loses_model(const struct uns_request *request, const char *base_url)
{
    return request->model.len > 0 && request->model_at == SIZE_MAX &&
           !contains(uns_slice_of(base_url), "/deployments/");
}

/* Split base_url: its query, and the rest without slashes at the end. */
static struct uns_slice split_base(const char *base_url,
                                   struct uns_slice *ret_query)
{
    size_t len = strcspn(base_url, "?#");
    const char *query = base_url + len + (base_url[len] == '?');

    *ret_query = (struct uns_slice){
        query, base_url[len] == '?' ? strcspn(query, "#") : 0};
    while (len > 0 && base_url[len - 1] == '/')
        len--;
    return (struct uns_slice){base_url, len};
}

enum uns_err uns_request_url(const struct uns_request *request,
                             const struct uns_url *url, const char *base_url,
                             const char *model, struct uns_room out)
{
    const struct suffix *suffix = find_suffix(request, url->path);
    char own_model[MODEL_MAX];
    struct out to = {.room = out, .model = model ? model : own_model};
    struct uns_slice query;
    struct uns_slice base = split_base(base_url, &query);

    if (suffix == NULL || out.size == 0)
        return suffix ? UNS_TOOBIG : UNS_UNSUPPORTED;
    if (!uns_walk_decode(request->model, own_model, sizeof own_model) &&
        model == NULL)
        return UNS_UNSUPPORTED;
    to.encoded = model == NULL && request->model_at == SIZE_MAX;
    put_template(&to, base);
    put_template(&to, uns_slice_of(suffix->text));
    if (!to.has_model && loses_model(request, base_url))
        return UNS_UNSUPPORTED;
    put_queries(&to, query, url->query);
    if (to.over)
        return UNS_TOOBIG;
    out.data[to.used] = '\0';
    return UNS_OK;
}
