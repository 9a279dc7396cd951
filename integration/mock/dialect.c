/* SPDX-License-Identifier: MIT */
/*
 * dialect - which dialect a request speaks, what it asks for, and what
 * providers call their errors.  The templates are in frames_*.c.
 */
#include "dialect.h"

#include "json.h"

#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static struct mock_dialect *const all[] = {
    &mock_dialect_chat,        &mock_dialect_completions,
    &mock_dialect_responses,   &mock_dialect_anthropic,
    &mock_dialect_gemini,      &mock_dialect_gemini_array,
    &mock_dialect_ollama_chat, &mock_dialect_ollama_generate,
    &mock_dialect_plain,
};

/* What makes an answer a stream. */
enum asks {
    ASKS_TRUE,      /* "stream": true */
    ASKS_NOT_FALSE, /* anything but "stream": false */
    ASKS_ALWAYS,
    ASKS_NEVER
};

/* clang-format off */

#define TO(dialect) &mock_dialect_##dialect

static const struct {
    const char *tail;  /* of the path */
    const char *query; /* in the query; NULL: any */
    struct mock_dialect *dialect;
    enum asks asks;
} endpoints[] = {
    {"/chat/completions",      NULL,      TO(chat),            ASKS_TRUE},
    {"/completions",           NULL,      TO(completions),     ASKS_TRUE},
    {"/responses",             NULL,      TO(responses),       ASKS_TRUE},
    {"/messages",              NULL,      TO(anthropic),       ASKS_TRUE},
    {":streamRawPredict",      NULL,      TO(anthropic),       ASKS_TRUE},
    {":streamGenerateContent", "alt=sse", TO(gemini),          ASKS_ALWAYS},
    {":streamGenerateContent", NULL,      TO(gemini_array),    ASKS_ALWAYS},
    {":generateContent",       NULL,      TO(gemini),          ASKS_NEVER},
    {"/api/chat",              NULL,      TO(ollama_chat),     ASKS_NOT_FALSE},
    {"/api/generate",          NULL,      TO(ollama_generate), ASKS_NOT_FALSE},
};

#define INVALID "invalid_request_error"

static const struct mock_refusal refusals[] = {
    {400, INVALID, "invalid_value", INVALID, "INVALID_ARGUMENT"},
    {401, INVALID, "invalid_api_key", "authentication_error",
     "UNAUTHENTICATED"},
    {402, "insufficient_quota", "insufficient_quota", "billing_error",
     "FAILED_PRECONDITION"},
    {403, INVALID, "access_denied", "permission_error", "PERMISSION_DENIED"},
    {404, INVALID, "model_not_found", "not_found_error", "NOT_FOUND"},
    {408, "timeout", "timeout", "timeout_error", "DEADLINE_EXCEEDED"},
    {409, "conflict", "conflict", INVALID, "ABORTED"},
    {413, INVALID, "request_too_large", "request_too_large",
     "INVALID_ARGUMENT"},
    {422, INVALID, "unprocessable_entity", INVALID, "INVALID_ARGUMENT"},
    {429, "requests", "rate_limit_exceeded", "rate_limit_error",
     "RESOURCE_EXHAUSTED"},
    {503, "server_error", "service_unavailable", "api_error", "UNAVAILABLE"},
    {504, "server_error", "timeout", "timeout_error", "DEADLINE_EXCEEDED"},
    {529, "server_error", "overloaded", "overloaded_error", "UNAVAILABLE"},
    {500, "server_error", "server_error", "api_error", "INTERNAL"},
};

/* clang-format on */

void mock_dialect_init(void)
{
    for (size_t i = 0; i < COUNT(all); i++)
        for (size_t f = 0; f < MOCK_FRAME_COUNT; f++)
            if (all[i]->text[f])
                mock_render_compile(&all[i]->frames[f], all[i]->text[f]);
}

void mock_dialect_done(void)
{
    for (size_t i = 0; i < COUNT(all); i++)
        for (size_t f = 0; f < MOCK_FRAME_COUNT; f++)
            mock_render_free(&all[i]->frames[f]);
}

static bool asks_for_stream(struct mock_str body, enum asks asks)
{
    struct mock_str stream = mock_json_get(body, "stream");

    switch (asks) {
    case ASKS_TRUE:
        return mock_str_is(stream, "true");
    case ASKS_NOT_FALSE:
        return !mock_str_is(stream, "false");
    case ASKS_ALWAYS:
        return true;
    case ASKS_NEVER:
        break;
    }
    return false;
}

struct mock_dialect *mock_dialect_of(const struct mock_request *request,
                                     bool *ret_stream)
{
    *ret_stream = false;
    if (!mock_str_is(request->method, "POST"))
        return &mock_dialect_plain;
    for (size_t i = 0; i < COUNT(endpoints); i++) {
        if (!mock_str_ends(request->path, endpoints[i].tail))
            continue;
        if (endpoints[i].query &&
            !mock_str_has(request->query, endpoints[i].query))
            continue;
        *ret_stream = asks_for_stream(request->body, endpoints[i].asks);
        return endpoints[i].dialect;
    }
    return &mock_dialect_plain;
}

/* Gemini's models/MODEL:verb. */
static struct mock_str model_in_path(struct mock_str path)
{
    static const char mark[] = "/models/";

    for (size_t i = 0; i + sizeof(mark) <= path.len; i++) {
        if (memcmp(path.at + i, mark, sizeof(mark) - 1) != 0)
            continue;
        const char *from = path.at + i + sizeof(mark) - 1;
        const char *colon =
            memrchr(from, ':', (size_t)(path.at + path.len - from));

        if (colon)
            return (struct mock_str){from, (size_t)(colon - from)};
    }
    return (struct mock_str){NULL, 0};
}

struct mock_str mock_dialect_model(const struct mock_request *request)
{
    struct mock_str model = mock_json_get(request->body, "model");

    if (model.len == 0)
        model = model_in_path(request->path);
    return model.len > 0 ? model : mock_str_of("none");
}

struct mock_str mock_dialect_prefix(const struct mock_request *request)
{
    struct mock_str messages = mock_json_get(request->body, "messages");
    struct mock_str turns = mock_json_get(request->body, "contents");
    struct mock_str last = mock_json_last(messages.at ? messages : turns);
    struct mock_str role = mock_json_get(last, "role");
    struct mock_str content = mock_json_get(last, "content");

    if (!mock_str_is(role, "assistant") && !mock_str_is(role, "model"))
        return (struct mock_str){NULL, 0};
    if (!content.at)
        content = mock_json_get(last, "parts");
    if (content.len > 0 && *content.at == '[')
        content = mock_json_get(mock_json_last(content), "text");
    return content;
}

const struct mock_refusal *mock_dialect_refusal(int status)
{
    for (size_t i = 0; i < COUNT(refusals); i++)
        if (refusals[i].status == status)
            return &refusals[i];
    return &refusals[COUNT(refusals) - 1];
}
