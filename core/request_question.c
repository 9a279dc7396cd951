/* SPDX-License-Identifier: MIT */
/*
 * request_question - what a request of each dialect asks with, and, where the
 * path and that are common words, what else only a request to an LLM has.  At
 * a provider that is known, and where the user has said what is spoken, the
 * question is enough.
 */
#include "request_question.h"

#include "ascii.h"

enum kind {
    ANY, /* but null */
    TEXT,
    LIST,
    OBJECT,
    NUMBER,
    BOOLEAN
};

struct row {
    const char *key;
    enum uns_dialect dialect;
    enum kind kind;
};

static const struct row questions[] = {
  /* clang-format off */
    {"messages", UNS_DIALECT_CHAT, LIST},
    {"prompt", UNS_DIALECT_COMPLETIONS, ANY},
    {"input", UNS_DIALECT_RESPONSES, ANY},
    {"prompt", UNS_DIALECT_RESPONSES, ANY},
    {"instructions", UNS_DIALECT_RESPONSES, TEXT},
    {"previous_response_id", UNS_DIALECT_RESPONSES, TEXT},
    {"messages", UNS_DIALECT_ANTHROPIC, LIST},
    {"contents", UNS_DIALECT_GEMINI, ANY},
    {"model", UNS_DIALECT_OLLAMA, TEXT},
    {"prompt", UNS_DIALECT_LLAMACPP, ANY},
    {"input_prefix", UNS_DIALECT_LLAMACPP, ANY},
    {"input_suffix", UNS_DIALECT_LLAMACPP, ANY},
    {"inputs", UNS_DIALECT_TGI, ANY},
    {"text", UNS_DIALECT_TGI, ANY},
    {"input_ids", UNS_DIALECT_TGI, LIST},
    {"messages", UNS_DIALECT_COHERE, LIST},
    {"message", UNS_DIALECT_COHERE, TEXT},
    {"input", UNS_DIALECT_LMSTUDIO, ANY},
    {"input", UNS_DIALECT_DASHSCOPE, ANY},
  /* clang-format on */
};

/* One of these, too; a dialect without a row needs none. */
static const struct row signs[] = {
  /* clang-format off */
    {"model", UNS_DIALECT_COMPLETIONS, TEXT},
    {"max_tokens", UNS_DIALECT_COMPLETIONS, NUMBER},
    {"stream", UNS_DIALECT_COMPLETIONS, BOOLEAN},
    {"temperature", UNS_DIALECT_COMPLETIONS, NUMBER},
    {"model", UNS_DIALECT_RESPONSES, TEXT},
    {"prompt", UNS_DIALECT_RESPONSES, OBJECT},
    {"previous_response_id", UNS_DIALECT_RESPONSES, TEXT},
    {"model", UNS_DIALECT_ANTHROPIC, TEXT},
    {"max_tokens", UNS_DIALECT_ANTHROPIC, NUMBER},
    {"anthropic_version", UNS_DIALECT_ANTHROPIC, TEXT},
    {"model", UNS_DIALECT_LLAMACPP, TEXT},
    {"input_prefix", UNS_DIALECT_LLAMACPP, ANY},
    {"input_suffix", UNS_DIALECT_LLAMACPP, ANY},
    {"n_predict", UNS_DIALECT_LLAMACPP, NUMBER},
    {"max_tokens", UNS_DIALECT_LLAMACPP, NUMBER},
    {"stream", UNS_DIALECT_LLAMACPP, BOOLEAN},
    {"temperature", UNS_DIALECT_LLAMACPP, NUMBER},
    {"cache_prompt", UNS_DIALECT_LLAMACPP, BOOLEAN},
    {"inputs", UNS_DIALECT_TGI, ANY},
    {"input_ids", UNS_DIALECT_TGI, LIST},
    {"sampling_params", UNS_DIALECT_TGI, OBJECT},
    {"stream", UNS_DIALECT_TGI, BOOLEAN},
    {"model", UNS_DIALECT_COHERE, TEXT},
    {"model", UNS_DIALECT_LMSTUDIO, TEXT},
  /* clang-format on */
};

/* Surveys and forms have responses too, with a model and an input.  Where no
 * version and no "openai" stands in front of that word, one of these is wanted
 * as well. */
static const struct row proofs[] = {
  /* clang-format off */
    {"stream", UNS_DIALECT_RESPONSES, BOOLEAN},
    {"store", UNS_DIALECT_RESPONSES, BOOLEAN},
    {"instructions", UNS_DIALECT_RESPONSES, TEXT},
    {"max_output_tokens", UNS_DIALECT_RESPONSES, NUMBER},
    {"tools", UNS_DIALECT_RESPONSES, LIST},
    {"reasoning", UNS_DIALECT_RESPONSES, OBJECT},
    {"prompt", UNS_DIALECT_RESPONSES, OBJECT},
    {"previous_response_id", UNS_DIALECT_RESPONSES, TEXT},
  /* clang-format on */
};

#define COUNT(rows) (sizeof(rows) / sizeof *(rows))

static bool is(const struct uns_walk_value *value, enum kind kind)
{
    switch (kind) {
    case ANY:
        return value->kind != UNS_WALK_NULL;
    case TEXT:
        return value->kind == UNS_WALK_STRING && value->text.len > 0;
    case LIST:
        return value->kind == UNS_WALK_ARRAY;
    case OBJECT:
        return value->kind == UNS_WALK_OBJECT;
    case NUMBER:
        return value->kind == UNS_WALK_NUMBER;
    case BOOLEAN:
        return value->kind == UNS_WALK_TRUE || value->kind == UNS_WALK_FALSE;
    }
    return false;
}

static bool has(const struct row *rows, size_t count,
                const struct uns_request *request,
                const struct uns_walk_value *value)
{
    for (size_t i = 0; i < count; i++)
        if (rows[i].dialect == request->dialect &&
            uns_slice_is(value->key, rows[i].key) && is(value, rows[i].kind))
            return true;
    return false;
}

static bool needs_sign(enum uns_dialect dialect)
{
    for (size_t i = 0; i < COUNT(signs); i++)
        if (signs[i].dialect == dialect)
            return true;
    return false;
}

void uns_request_question(struct uns_request *request,
                          const struct uns_walk_value *value)
{
    request->question |= has(questions, COUNT(questions), request, value);
    request->sign |= has(signs, COUNT(signs), request, value);
    request->proof |= has(proofs, COUNT(proofs), request, value);
}

static struct uns_slice without_slashes(struct uns_slice path)
{
    while (path.len && path.data[path.len - 1] == '/')
        path.len--;
    return path;
}

static size_t last_at(struct uns_slice path)
{
    size_t at = path.len;

    while (at && path.data[at - 1] != '/')
        at--;
    return at;
}

/* "v1", "v1beta" or "openai" before the last segment. */
static bool is_usual_place(const struct uns_url *url)
{
    struct uns_slice path = without_slashes(url->path);
    struct uns_slice before;
    size_t at;

    if (path.len == 0)
        return false;
    path.len = last_at(path);
    path = without_slashes(path);
    at = last_at(path);
    before = (struct uns_slice){path.data + at, path.len - at};
    if (uns_same_fold(before, uns_slice_of("openai")))
        return true;
    return before.len > 1 && uns_lower(before.data[0]) == 'v' &&
           before.data[1] >= '0' && before.data[1] <= '9';
}

static bool needs_proof(const struct uns_request *request,
                        const struct uns_url *url)
{
    return request->dialect == UNS_DIALECT_RESPONSES && !is_usual_place(url);
}

bool uns_request_asks(const struct uns_request *request,
                      const struct uns_url *url)
{
    bool told = uns_detect_mark(url) == NULL || uns_detect_provider(url);
    /* A model in the path is as good as one in the body. */
    bool sure = request->sign || request->model.len > 0 ||
                !needs_sign(request->dialect);

    if (needs_proof(request, url))
        sure = request->proof;
    return request->question && (sure || told);
}
