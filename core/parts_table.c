/* SPDX-License-Identifier: MIT */

/*
 * What is not listed is passed on as it is: usage, logprobs, timings.  What
 * proves progress and is not listed cannot be compared (audio, images,
 * encrypted reasoning): such an answer is not resumed.
 */

#include "parts_table.h"

/* clang-format off */
#define ROW(path, verb, group)                                      \
    {path, sizeof(path) - 1, UNS_PART_##verb, UNS_ABOUT_##group}
#define DELTA "choices.*.delta."
#define CALL  DELTA "tool_calls.*"

static const struct uns_parts_row chat[] = {
    ROW("id", SWAP, ID),
    ROW("created", SWAP, TIME),
    ROW("model", SWAP, MODEL),
    ROW("system_fingerprint", SWAP, PRINT),
    ROW(DELTA "role", ONCE, ROLE),
    ROW(DELTA "content", TEXT, TEXT),
    ROW(DELTA "content.*.text", TEXT, TEXT),
    ROW(DELTA "content.*.thinking", TEXT, REASONING),
    ROW(DELTA "content.*.thinking.*.text", TEXT, REASONING),
    ROW(DELTA "reasoning_content", TEXT, REASONING),
    ROW(DELTA "reasoning", TEXT, REASONING),
    ROW(DELTA "reasoning_details.*.text", TEXT, DETAIL),
    ROW(DELTA "reasoning_details.*.summary", TEXT, DETAIL),
    ROW(DELTA "reasoning_details.*.data", OPAQUE, OTHER),
    ROW(DELTA "refusal", TEXT, REFUSAL),
    ROW(DELTA "audio", OPAQUE, OTHER),
    ROW(DELTA "images", OPAQUE, OTHER),
    ROW(CALL, ITEM, OTHER),
    ROW(CALL ".index", SCOPE, OTHER),
    ROW(CALL ".id", ONCE, CALL_ID),
    ROW(CALL ".function.name", SAME, NAME),
    ROW(CALL ".function.arguments", TEXT, CALL),
    ROW(DELTA "function_call.name", SAME, OLD_NAME),
    ROW(DELTA "function_call.arguments", TEXT, OLD_CALL),
    ROW("choices.*.text", TEXT, TEXT),
};

static const struct uns_parts_row anthropic[] = {
    ROW("index", BLOCK, OTHER),
    ROW("delta.text", TEXT, TEXT),
    ROW("delta.thinking", TEXT, REASONING),
    ROW("delta.partial_json", TEXT, CALL),
    ROW("content_block.text", TEXT, TEXT),
    ROW("content_block.thinking", TEXT, REASONING),
    ROW("content_block.type", SAME, TYPE),
    ROW("content_block.name", SAME, NAME),
};

static const struct uns_parts_row responses[] = {
    ROW("sequence_number", SERIAL, OTHER),
    ROW("delta", TEXT, DELTA),
    ROW("item_id", SWAP, ITEM_ID),
    ROW("item.id", SWAP, ITEM_ID),
    ROW("item.call_id", SWAP, CALL_ID),
    ROW("item.type", SAME, TYPE),
    ROW("item.name", SAME, NAME),
    ROW("response.id", SWAP, ID),
    ROW("response.model", SWAP, MODEL),
    ROW("response.created_at", SWAP, TIME),
    ROW("response.output.*", ITEM, OTHER),
    ROW("response.output.*.id", SWAP, ITEM_ID),
    ROW("response.output.*.call_id", SWAP, CALL_ID),
};

#define PART "candidates.*.content.parts.*"

static const struct uns_parts_row gemini[] = {
    ROW("responseId", SWAP, ID),
    ROW("modelVersion", SWAP, MODEL),
    ROW(PART, ITEM, OTHER),
    ROW(PART ".text", TEXT, TEXT),
    ROW(PART ".thought", AFTER, REASONING),
    ROW(PART ".thoughtSignature", PASS, OTHER),
    ROW(PART ".functionCall", RAW, CALL),
    ROW(PART ".inlineData", OPAQUE, OTHER),
    ROW(PART ".executableCode", OPAQUE, OTHER),
    ROW(PART ".codeExecutionResult", OPAQUE, OTHER),
};

static const struct uns_parts_row ollama[] = {
    ROW("model", SWAP, MODEL),
    ROW("message.content", TEXT, TEXT),
    ROW("message.thinking", TEXT, REASONING),
    ROW("message.tool_calls", RAW, CALL),
    ROW("response", TEXT, TEXT),
    ROW("thinking", TEXT, REASONING),
};

#define ROWS(rows) rows, sizeof(rows) / sizeof *(rows)

static const struct uns_parts_table tables[UNS_DIALECT_COUNT] = {
    [UNS_DIALECT_CHAT] = {ROWS(chat), false},
    [UNS_DIALECT_COMPLETIONS] = {ROWS(chat), false},
    [UNS_DIALECT_RESPONSES] = {ROWS(responses), true},
    [UNS_DIALECT_ANTHROPIC] = {ROWS(anthropic), true},
    [UNS_DIALECT_GEMINI] = {ROWS(gemini), false},
    [UNS_DIALECT_OLLAMA] = {ROWS(ollama), false},
};

/* clang-format on */

const struct uns_parts_table *uns_parts_table(enum uns_dialect dialect)
{
    return &tables[(unsigned)dialect < UNS_DIALECT_COUNT ? dialect
                                                         : UNS_DIALECT_NONE];
}

bool uns_parts_known(enum uns_dialect dialect)
{
    return uns_parts_table(dialect)->rows != NULL;
}
