/* SPDX-License-Identifier: MIT */
/*
 * request - facts of a request, read by tables of paths and of key names, and
 * the replacement of its model.  A doubtful body (not one JSON object, or two
 * models in it) is bound to its origin and never changed.  Names of secrets
 * are looked for at any depth: a wrong guess only costs a rival.
 */
#include "request.h"

#include "ascii.h"
#include "request_question.h"
#include "walk.h"

enum test {
    ON,      /* true */
    PRESENT, /* anything but null */
    TEXT,    /* a string that is not empty */
    LIST,    /* an array */
    SEVERAL, /* a number above one */
    ZERO,    /* the number 0 */
    NATURAL, /* a number that is not negative */
    HOSTED,  /* the name of a tool that acts at the provider's */
    ITEM     /* "item_reference" */
};

#define FACT(name) offsetof(struct uns_request, name)

static const struct rule {
    const char *path;
    enum test test;
    size_t fact; /* a bool of struct uns_request */
} rules[] = {
  /* clang-format off */
    {"n", SEVERAL, FACT(several)},
    {"parameters.n", SEVERAL, FACT(several)},
    {"num_generations", SEVERAL, FACT(several)},
    {"generationConfig.candidateCount", SEVERAL, FACT(several)},
    {"generation_config.candidate_count", SEVERAL, FACT(several)},

    {"temperature", ZERO, FACT(deterministic)},
    {"seed", NATURAL, FACT(deterministic)},
    {"random_seed", NATURAL, FACT(deterministic)},
    {"options.temperature", ZERO, FACT(deterministic)},
    {"options.seed", NATURAL, FACT(deterministic)},
    {"parameters.temperature", ZERO, FACT(deterministic)},
    {"parameters.seed", NATURAL, FACT(deterministic)},
    {"sampling_params.temperature", ZERO, FACT(deterministic)},
    {"generationConfig.temperature", ZERO, FACT(deterministic)},
    {"generationConfig.seed", NATURAL, FACT(deterministic)},
    {"generation_config.temperature", ZERO, FACT(deterministic)},
    {"generation_config.seed", NATURAL, FACT(deterministic)},

    {"background", ON, FACT(stateful)},
    {"conversation", PRESENT, FACT(stateful)},
    {"tools.*.type", HOSTED, FACT(stateful)},
    {"tools.*.computerUse", PRESENT, FACT(stateful)},
    {"tools.*.computer_use", PRESENT, FACT(stateful)},

    {"previous_response_id", TEXT, FACT(bound)},
    {"prompt.id", TEXT, FACT(bound)},
    {"input.*.type", ITEM, FACT(bound)},
    {"messages.*.audio.id", TEXT, FACT(bound)},
    {"cachedContent", TEXT, FACT(bound)},
    {"cached_content", TEXT, FACT(bound)},
    {"container", PRESENT, FACT(bound)},
    {"tools.*.container", TEXT, FACT(bound)},
    {"data_sources", PRESENT, FACT(bound)},
    {"dataSources", PRESENT, FACT(bound)},
    {"mcp_servers", PRESENT, FACT(bound)},

    {"tools.*.headers.*", TEXT, FACT(secret)},
  /* clang-format on */
};

#define RULES      (sizeof rules / sizeof *rules)
#define RULE_DEPTH 4 /* of the deepest path above */

/* Keys that tell at any depth; compared without case, '-' and '_'. */
static const struct key_rule {
    const char *key;
    enum test test;
    size_t fact;
} key_rules[] = {
  /* clang-format off */
    {"fileid", TEXT, FACT(bound)},
    {"fileids", LIST, FACT(bound)},
    {"fileuri", TEXT, FACT(bound)},
    {"vectorstoreids", LIST, FACT(bound)},
    {"encryptedcontent", TEXT, FACT(bound)},

    {"apikey", TEXT, FACT(secret)},
    {"xapikey", TEXT, FACT(secret)},
    {"authorization", TEXT, FACT(secret)},
    {"proxyauthorization", TEXT, FACT(secret)},
    {"authorizationtoken", TEXT, FACT(secret)},
    {"accesstoken", TEXT, FACT(secret)},
    {"authtoken", TEXT, FACT(secret)},
    {"bearertoken", TEXT, FACT(secret)},
    {"refreshtoken", TEXT, FACT(secret)},
    {"sessiontoken", TEXT, FACT(secret)},
    {"token", TEXT, FACT(secret)},
    {"password", TEXT, FACT(secret)},
    {"secret", TEXT, FACT(secret)},
    {"clientsecret", TEXT, FACT(secret)},
    {"secretkey", TEXT, FACT(secret)},
    {"secretaccesskey", TEXT, FACT(secret)},
    {"awssecretaccesskey", TEXT, FACT(secret)},
    {"awsaccesskeyid", TEXT, FACT(secret)},
    {"credential", TEXT, FACT(secret)},
    {"credentials", TEXT, FACT(secret)},
    {"litellmcredential", TEXT, FACT(secret)},
    {"litellmcredentialname", TEXT, FACT(secret)},
    {"privatekey", TEXT, FACT(secret)},
    {"cookie", TEXT, FACT(secret)},
  /* clang-format on */
};

#define KEY_RULES (sizeof key_rules / sizeof *key_rules)

/* Tools that the provider runs with effects that outlast the answer. */
static const char *const hosted[] = {
    "mcp",   "computer",    "computer_use",         "computer_use_preview",
    "shell", "local_shell", "computer-use-preview",
};

static bool is_hosted(struct uns_slice name)
{
    for (size_t i = 0; i < sizeof hosted / sizeof *hosted; i++)
        if (uns_slice_is(name, hosted[i]))
            return true;
    return false;
}

/* 0, 0.0, -0, 0e7 */
static bool is_zero(struct uns_slice number)
{
    for (size_t i = 0; i < number.len; i++) {
        char c = number.data[i];

        if (c == 'e' || c == 'E')
            break;
        if (c >= '1' && c <= '9')
            return false;
    }
    return true;
}

static bool is_several(struct uns_slice number)
{
    return !is_zero(number) && !uns_slice_is(number, "1") &&
           !uns_slice_is(number, "1.0");
}

static bool holds(enum test test, const struct uns_walk_value *value)
{
    bool number = value->kind == UNS_WALK_NUMBER;
    bool text = value->kind == UNS_WALK_STRING && value->text.len > 0;

    switch (test) {
    case ON:
        return value->kind == UNS_WALK_TRUE;
    case PRESENT:
        return value->kind != UNS_WALK_NULL;
    case TEXT:
        return text;
    case LIST:
        return value->kind == UNS_WALK_ARRAY;
    case SEVERAL:
        return number && is_several(value->text);
    case ZERO:
        return number && is_zero(value->text);
    case NATURAL:
        return number && value->text.data[0] != '-';
    case HOSTED:
        return text && is_hosted(value->text);
    case ITEM:
        return text && uns_slice_is(value->text, "item_reference");
    }
    return false;
}

/* Is `key` this one, without case, '-' and '_'? */
static bool key_is(struct uns_slice key, const char *name)
{
    for (size_t i = 0; i < key.len; i++) {
        if (key.data[i] == '-' || key.data[i] == '_')
            continue;
        if (*name == '\0' || uns_lower(key.data[i]) != *name)
            return false;
        name++;
    }
    return *name == '\0';
}

static void note(struct uns_request *request, size_t fact)
{
    memcpy((char *)request + fact, &(bool){true}, sizeof(bool));
}

/* A letter, digit or '_' written as \u00XX, which nobody needs: a key that
 * shall not be read. */
static bool is_disguised(struct uns_slice key)
{
    for (size_t i = 0; i + 6 <= key.len; i++) {
        const char *at = key.data + i;

        if (at[0] == '\\' && at[1] != 'u')
            i++; /* an escaped backslash is no beginning */
        else if (at[0] == '\\' && at[2] == '0' && at[3] == '0' &&
                 at[4] >= '2' && at[4] <= '7')
            return true;
    }
    return false;
}

static void read_facts(struct uns_request *request, const struct uns_walk *walk,
                       const struct uns_walk_value *value)
{
    if (is_disguised(value->key))
        request->bound = request->stateful = true;
    for (size_t i = 0; i < RULES && value->depth <= RULE_DEPTH; i++)
        if (holds(rules[i].test, value) &&
            uns_walk_is_at(walk, value, rules[i].path))
            note(request, rules[i].fact);
    for (size_t i = 0; i < KEY_RULES && value->key.len > 0; i++)
        if (holds(key_rules[i].test, value) &&
            key_is(value->key, key_rules[i].key))
            note(request, key_rules[i].fact);
}

/* What stands at the top alone: the question, the model and the wish for a
 * stream. */
static void read_top(struct uns_request *request, const char *body,
                     const struct uns_walk *walk,
                     const struct uns_walk_value *value)
{
    bool on = value->kind == UNS_WALK_TRUE;

    if (uns_walk_is_at(walk, value, "parameters.incremental_output"))
        request->streams |= on && request->dialect == UNS_DIALECT_DASHSCOPE;
    if (value->depth != 1)
        return;
    uns_request_question(request, value);
    if (uns_slice_is(value->key, "stream") &&
        (on || value->kind == UNS_WALK_FALSE) &&
        request->dialect != UNS_DIALECT_GEMINI)
        request->streams = on;
    if (uns_slice_is(value->key, "model") && value->kind == UNS_WALK_STRING) {
        request->bound |= request->model_at != SIZE_MAX ||
                          request->dialect == UNS_DIALECT_GEMINI;
        request->model = value->text;
        request->model_at = (size_t)(value->text.data - body);
    }
}

/* All facts of a body.  False: it is not one JSON object. */
static bool read_body(struct uns_request *request, const char *body, size_t len)
{
    struct uns_walk walk;
    struct uns_walk_value value;
    bool object = false;

    uns_walk_init(&walk, body, len, false);
    while (uns_walk_next(&walk, &value)) {
        object |= value.depth == 0 && value.kind == UNS_WALK_OBJECT;
        read_facts(request, &walk, &value);
        read_top(request, body, &walk, &value);
    }
    return object && walk.ok;
}

/* A slash or a colon, which some clients write as %3A. */
static bool ends_segment(struct uns_slice rest)
{
    if (rest.len >= 3 &&
        uns_same_fold((struct uns_slice){rest.data, 3}, uns_slice_of("%3A")))
        return true;
    return rest.len == 0 || rest.data[0] == '/' || rest.data[0] == ':';
}

/* The path's segment after `before`; empty: none. */
static struct uns_slice path_segment(struct uns_slice path, const char *before)
{
    struct uns_slice mark = uns_slice_of(before);
    struct uns_slice rest = path;

    while (rest.len >= mark.len &&
           !uns_same_fold((struct uns_slice){rest.data, mark.len}, mark))
        rest = (struct uns_slice){rest.data + 1, rest.len - 1};
    if (rest.len < mark.len)
        return (struct uns_slice){0};
    path = (struct uns_slice){rest.data + mark.len, rest.len - mark.len};
    rest = path;
    while (!ends_segment(rest))
        rest = (struct uns_slice){rest.data + 1, rest.len - 1};
    return (struct uns_slice){path.data, path.len - rest.len};
}

/* Where a dialect has its model in the path.  Vertex's Anthropic has a body
 * of its own besides, which no other origin takes. */
static void read_path(struct uns_request *request, struct uns_slice path)
{
    struct uns_slice model = path_segment(path, "/models/");

    if (request->dialect == UNS_DIALECT_ANTHROPIC)
        request->bound |= model.len > 0;
    else if (request->dialect != UNS_DIALECT_GEMINI)
        model = path_segment(path, "/deployments/");
    if (model.len == 0 && request->dialect != UNS_DIALECT_GEMINI)
        model = path_segment(path, "/engines/");
    if (request->model_at == SIZE_MAX)
        request->model = model;
}

static void start(struct uns_request *request, enum uns_dialect dialect,
                  bool streams)
{
    *request = (struct uns_request){
        .dialect = dialect, .streams = streams, .model_at = SIZE_MAX};
}

void uns_request_read(struct uns_request *request, enum uns_dialect dialect,
                      const struct uns_url *url, const char *body, size_t len)
{
    bool by_url = uns_detect_url_streams(url, dialect);
    bool streams = by_url || dialect == UNS_DIALECT_OLLAMA;

    start(request, dialect, streams);
    if (body != NULL && read_body(request, body, len)) {
        request->json = true;
    } else {
        start(request, dialect, streams);
        request->bound = true;
    }
    request->streams |= by_url;
    read_path(request, url->path);
    request->asks = uns_request_asks(request, url);
}
