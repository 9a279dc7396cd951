/* SPDX-License-Identifier: MIT */

/*
 * Read from the inside out: a shape stands behind those that it is made of.
 * What the answer has and no event brings is `otherwise`.
 */

#include "promote_shape.h"

#include "item.h"

#include <string.h>

/* clang-format off */
#define ROWS(rows)   (rows), sizeof(rows) / sizeof *(rows)
#define SHAPE(name) \
    static const struct uns_shape name = {ROWS(name##_rows), false}
#define CLOSED(name) \
    static const struct uns_shape name = {ROWS(name##_rows), true}
#define ROW(key, verb)          {key, UNS_SHAPE_##verb, NULL, NULL, NULL}
#define INTO(key, verb, inner)  {key, UNS_SHAPE_##verb, &(inner), NULL, NULL}
#define ELSE(key, verb, text)   {key, UNS_SHAPE_##verb, NULL, NULL, text}
#define NAMED(key, verb, name)  {key, UNS_SHAPE_##verb, NULL, name, NULL}

/* --- texts in lists ------------------------------------------------------- */

static const struct uns_shape_row leaf_rows[] = {
    ROW("text", JOIN),
};
SHAPE(leaf);

static const struct uns_shape_row part_rows[] = {
    ROW("text", JOIN),
    INTO("thinking", PARTS, leaf),
    INTO("summary", PARTS, leaf),
};
SHAPE(part);

/* --- chat and completions ------------------------------------------------- */

static const struct uns_shape_row function_rows[] = {
    ROW("arguments", JOIN),
};
SHAPE(function);

static const struct uns_shape_row custom_rows[] = {
    ROW("input", JOIN),
};
SHAPE(custom);

static const struct uns_shape_row call_rows[] = {
    ROW("index", DROP),
    INTO("function", MERGE, function),
    INTO("custom", MERGE, custom),
};
SHAPE(call);

static const struct uns_shape_row detail_rows[] = {
    ROW("text", JOIN),
    ROW("summary", JOIN),
    ROW("data", JOIN),
};
SHAPE(detail);

static const struct uns_shape_row audio_rows[] = {
    ROW("transcript", JOIN),
    ROW("data", FAIL), /* pieces of base64 are more than its text */
};
SHAPE(audio);

static const struct uns_shape_row delta_rows[] = {
    ELSE("role", SET, "\"assistant\""),
    {"content", UNS_SHAPE_JOIN, &part, NULL, "null"},
    ROW("reasoning_content", JOIN),
    ROW("reasoning", JOIN),
    ROW("reasoning_text", JOIN),
    INTO("reasoning_details", ENTRIES, detail),
    ROW("refusal", JOIN),
    INTO("tool_calls", ENTRIES, call),
    INTO("function_call", MERGE, function),
    INTO("audio", MERGE, audio),
    ROW("annotations", APPEND),
    ROW("images", APPEND),
};
SHAPE(delta);

static const struct uns_shape_row logprobs_rows[] = {
    ROW("content", APPEND),
    ROW("refusal", APPEND),
    ROW("tokens", APPEND),
    ROW("token_logprobs", APPEND),
    ROW("top_logprobs", APPEND),
    ROW("text_offset", APPEND),
};
SHAPE(logprobs);

static const struct uns_shape_row choice_rows[] = {
    {"delta", UNS_SHAPE_MERGE, &delta, "message", NULL},
    ROW("message", DROP), /* Perplexity's: all the deltas so far */
    ROW("text", JOIN),
    INTO("logprobs", MERGE, logprobs),
    ELSE("finish_reason", SET, "null"),
};
SHAPE(choice);

static const struct uns_shape_row chat_rows[] = {
    ROW("object", UNCHUNK),
    {"choices", UNS_SHAPE_ENTRIES, &choice, NULL, "[]"},
    ROW("obfuscation", DROP),
    ROW("prompt_progress", DROP),
    ROW("error", FAIL),
};
SHAPE(chat);

/* --- Anthropic ------------------------------------------------------------ */

static const struct uns_shape_row message_rows[] = {
    {"usage", UNS_SHAPE_MERGE, NULL, NULL, NULL},
    ELSE("content", SET, "[]"),
};
SHAPE(message);

static const struct uns_shape_row block_rows[] = {
    ROW("text", JOIN),
    ROW("thinking", JOIN),
};
SHAPE(block);

static const struct uns_shape_row block_delta_rows[] = {
    ROW("type", DROP),
    ROW("text", JOIN),
    ROW("thinking", JOIN),
    ROW("content", JOIN),
    NAMED("partial_json", PIECES, "input"),
    NAMED("citation", PUSH, "citations"),
};
SHAPE(block_delta);

static const struct uns_shape_row start_rows[] = {
    INTO("message", LIFT, message),
};
CLOSED(start);

static const struct uns_shape_row block_start_rows[] = {
    INTO("content_block", LIFT, block),
};
CLOSED(block_start);

static const struct uns_shape_row block_more_rows[] = {
    INTO("delta", LIFT, block_delta),
};
CLOSED(block_more);

static const struct uns_shape_row message_more_rows[] = {
    ROW("type", DROP),
    INTO("delta", LIFT, message),
    {"usage", UNS_SHAPE_MERGE, NULL, NULL, NULL},
};
SHAPE(message_more);

static const struct uns_shape_event anthropic[] = {
    {"message_start",       UNS_EVENT_AFRESH, &start       },
    {"content_block_start", UNS_EVENT_BLOCK,  &block_start },
    {"content_block_delta", UNS_EVENT_BLOCK,  &block_more  },
    {"message_delta",       UNS_EVENT_ANSWER, &message_more},
    {"error",               UNS_EVENT_ERROR,  NULL         },
};

/* --- Responses ------------------------------------------------------------ */

static const struct uns_shape_row response_rows[] = {
    ROW("output", FULLER),
};
SHAPE(response);

static const struct uns_shape_row completed_rows[] = {
    INTO("response", LIFT, response),
};
CLOSED(completed);

static const struct uns_shape_row done_rows[] = {
    {"item", UNS_SHAPE_LIFT, NULL, NULL, NULL},
};
CLOSED(done);

static const struct uns_shape_event responses[] = {
    {"response.completed",        UNS_EVENT_ANSWER, &completed},
    {"response.incomplete",       UNS_EVENT_ANSWER, &completed},
    {"response.output_item.done", UNS_EVENT_BLOCK,  &done     },
    {"response.failed",           UNS_EVENT_ERROR,  NULL      },
    {"error",                     UNS_EVENT_ERROR,  NULL      },
    {"*.delta",                   UNS_EVENT_TELLS,  NULL      },
};

/* --- Gemini --------------------------------------------------------------- */

static const struct uns_shape_row gemini_call_rows[] = {
    ROW("willContinue", FAIL), /* only for those that asked for it */
    ROW("partialArgs", FAIL),
};
SHAPE(gemini_call);

static const struct uns_shape_row gemini_part_rows[] = {
    ROW("text", JOIN),
    INTO("functionCall", MERGE, gemini_call),
};
SHAPE(gemini_part);

static const struct uns_shape_row content_rows[] = {
    INTO("parts", PARTS, gemini_part),
};
SHAPE(content);

static const struct uns_shape_row candidate_rows[] = {
    INTO("content", MERGE, content),
};
SHAPE(candidate);

static const struct uns_shape_row gemini_rows[] = {
    INTO("candidates", ENTRIES, candidate),
    ROW("error", FAIL),
};
SHAPE(gemini);

/* --- Ollama --------------------------------------------------------------- */

static const struct uns_shape_row ollama_message_rows[] = {
    ROW("content", JOIN),
    ROW("thinking", JOIN),
    ROW("tool_calls", APPEND),
    ROW("images", APPEND),
};
SHAPE(ollama_message);

static const struct uns_shape_row ollama_rows[] = {
    INTO("message", MERGE, ollama_message),
    ROW("response", JOIN),
    ROW("thinking", JOIN),
    ROW("logprobs", APPEND),
    ROW("error", FAIL),
};
SHAPE(ollama);

/* -------------------------------------------------------------------------- */

static const struct uns_shape_dialect dialects[UNS_DIALECT_COUNT] = {
    [UNS_DIALECT_CHAT] = {.answer = &chat},
    [UNS_DIALECT_COMPLETIONS] = {.answer = &chat},
    [UNS_DIALECT_ANTHROPIC] = {&message, ROWS(anthropic), "content", "index"},
    [UNS_DIALECT_RESPONSES] = {&response, ROWS(responses), "output",
                               "output_index"},
    [UNS_DIALECT_GEMINI] = {.answer = &gemini},
    [UNS_DIALECT_OLLAMA] = {.answer = &ollama},
};

/* clang-format on */

const struct uns_shape_dialect *uns_shape_of(enum uns_dialect dialect)
{
    return &dialects[(unsigned)dialect < UNS_DIALECT_COUNT ? dialect
                                                           : UNS_DIALECT_NONE];
}

const struct uns_shape_row *uns_shape_row(const struct uns_shape *shape,
                                          struct uns_slice key)
{
    for (size_t i = 0; shape && i < shape->count; i++)
        if (uns_item_is(key, shape->rows[i].key))
            return &shape->rows[i];
    return NULL;
}

static bool is_of_type(struct uns_slice type, const char *wanted)
{
    size_t len = strlen(wanted + 1);

    if (*wanted != '*')
        return uns_item_is(type, wanted);
    return type.len >= len &&
           memcmp(type.data + type.len - len, wanted + 1, len) == 0;
}

const struct uns_shape_event *
uns_shape_event(const struct uns_shape_dialect *dialect, struct uns_slice type)
{
    for (size_t i = 0; i < dialect->count; i++)
        if (is_of_type(type, dialect->events[i].type))
            return &dialect->events[i];
    return NULL;
}
