/* SPDX-License-Identifier: MIT */

/*
 * The dialects' tables.  Rows marked DOC are for replies that do not stream.
 * Sources are the providers' recorded streams and the servers' own code, as
 * far as they are public; where they differ, all variants are listed.
 *
 * What is not listed is noise on purpose: logprobs repeat the text, and so do
 * generated_text and, once there was a delta, every *.done event.
 */

#include "wire_row.h"

/* clang-format off */
static const struct uns_path responses[] = {
    SAVE("type", TYPE),
    ROW("delta", OPEN, 0),
    ROW("delta.stdout", OPEN, 0),
    ROW("delta.stderr", OPEN, 0),
    ROW("text", OPEN, 0),
    ROW("refusal", OPEN, 0),
    ROW("arguments", OPEN, 0),
    ROW("input", OPEN, 0),
    SAVE("code", ERROR_CODE),
    ROW("partial_image_b64", BLOB, 0),
    SAVE("output_index", INDEX),
    SAVE("item.type", ITEM),
    ROW("item.result", BLOB, 0),
    ROW("item.arguments", OPEN_RAW, 0),
    ROW("item.action", OPEN_RAW, 0),
    ROW("item.operation", OPEN_RAW, 0),
    ROW("item.input", OPEN, 0),
    ROW("item.code", OPEN, 0),
    SAVE("response.model", MODEL),
    SAVE("response.usage.input_tokens", TOKENS_IN),
    SAVE("response.usage.output_tokens", TOKENS_OUT),
    SAVE("response.incomplete_details.reason", FINISH),
    SAVE("response.error.code", ERROR_CODE),
    ERROR_OBJECT,
    DOC("output[].content[].text", TEXT, UNS_KIND_TEXT),
    DOC("output[].content[].refusal", TEXT, UNS_KIND_REFUSAL),
    DOC("output[].summary[].text", TEXT, UNS_KIND_REASONING),
    DOC("output[].arguments", TEXT, UNS_KIND_TOOL_ARGS),
    DOC("output[].input", TEXT, UNS_KIND_TOOL_ARGS),
    DOC("output[].code", TEXT, UNS_KIND_TOOL_ARGS),
    DOC("status", SAVE, UNS_SLOT_FINISH),
    DOC("incomplete_details.reason", SAVE, UNS_SLOT_FINISH),
    DOC("model", SAVE, UNS_SLOT_MODEL),
    DOC("usage.input_tokens", SAVE, UNS_SLOT_TOKENS_IN),
    DOC("usage.output_tokens", SAVE, UNS_SLOT_TOKENS_OUT),
};

#define DELTA(name, kind) \
    RULE("response." name ".delta", "*", CONTENT, UNS_KIND_##kind, NULL)
#define WHOLE(name, kind) \
    RULE("response." name ".done", "*", ONCE, UNS_KIND_##kind, NULL)
#define ITEM(when, item, class, kind) \
    RULE("response.output_item." when, item, class, UNS_KIND_##kind, NULL)

static const struct uns_rule responses_rules[] = {
    DELTA("output_text", TEXT),
    DELTA("function_call_arguments", TOOL_ARGS),
    DELTA("reasoning_summary_text", REASONING),
    DELTA("reasoning_text", REASONING),
    DELTA("refusal", REFUSAL),
    DELTA("custom_tool_call_input", TOOL_ARGS),
    DELTA("mcp_call_arguments", TOOL_ARGS),
    DELTA("code_interpreter_call_code", TOOL_ARGS),
    DELTA("shell_call_command", TOOL_ARGS),
    DELTA("apply_patch_call_operation_diff", TOOL_ARGS),
    DELTA("audio", AUDIO),
    DELTA("audio.transcript", AUDIO),
    RULE("*.delta", "*", CONTENT, UNS_KIND_OTHER, NULL),
    RULE("*.partial_image", "*", CONTENT, UNS_KIND_OTHER, NULL),
    WHOLE("output_text", TEXT),
    WHOLE("function_call_arguments", TOOL_ARGS),
    WHOLE("reasoning_summary_text", REASONING),
    WHOLE("reasoning_text", REASONING),
    WHOLE("refusal", REFUSAL),
    WHOLE("custom_tool_call_input", TOOL_ARGS),
    WHOLE("mcp_call_arguments", TOOL_ARGS),
    ITEM("added", "*_call", STRUCTURAL, COUNT),
    ITEM("added", "mcp_approval_request", STRUCTURAL, COUNT),
    ITEM("added", "program", STRUCTURAL, COUNT),
    ITEM("added", "*", ITEM, COUNT),
    ITEM("done", "web_search_call", NOISE, COUNT), /* the server's own */
    ITEM("done", "file_search_call", NOISE, COUNT),
    ITEM("done", "image_generation_call", ONCE, OTHER),
    ITEM("done", "*_call", ONCE, TOOL_ARGS),
    ITEM("done", "mcp_approval_request", ONCE, TOOL_ARGS),
    ITEM("done", "program", ONCE, TOOL_ARGS),
    RULE("keepalive", "*", KEEPALIVE, 0, NULL),
    RULE("response.completed", "*", FINISH, 0, "completed"),
    RULE("response.incomplete", "*", FINISH, 0, "incomplete"),
    RULE("response.cancelled", "*", FINISH, 0, "cancelled"),
    RULE("response.failed", "*", ERROR, 0, NULL),
    RULE("error", "*", ERROR, 0, NULL),
    RULE("response.*", "*", NOISE, 0, NULL),
};

static const struct uns_path anthropic[] = {
    SAVE("type", TYPE),
    TEXT("delta.text", TEXT),
    TEXT("delta.thinking", REASONING),
    TEXT("delta.partial_json", TOOL_ARGS),
    TEXT("delta.content", OTHER),
    MARK("delta.signature", STRUCTURAL),
    MARK("delta.citation", STRUCTURAL),
    SAVE("delta.stop_reason", FINISH),
    TEXT("content_block.text", TEXT),
    TEXT("content_block.thinking", REASONING),
    SAVE("content_block.type", ITEM),
    SAVE("message.model", MODEL),
    SAVE("message.usage.input_tokens", TOKENS_IN),
    SAVE("message.usage.output_tokens", TOKENS_OUT),
    SAVE("usage.input_tokens", TOKENS_IN),
    SAVE("usage.output_tokens", TOKENS_OUT),
    ERROR_OBJECT,
    DOC("content[].text", TEXT, UNS_KIND_TEXT),
    DOC("content[].thinking", TEXT, UNS_KIND_REASONING),
    DOC("content[].input", RAW, UNS_KIND_TOOL_ARGS),
    DOC("stop_reason", SAVE, UNS_SLOT_FINISH),
    DOC("model", SAVE, UNS_SLOT_MODEL),
};

#define BLOCK(item) \
    RULE("content_block_start", item, STRUCTURAL, 0, NULL)

static const struct uns_rule anthropic_rules[] = {
    RULE("content_block_delta", "*", PLAIN, 0, NULL),
    RULE("ping", "*", KEEPALIVE, 0, NULL),
    BLOCK("*tool_use"),
    BLOCK("redacted_thinking"),
    BLOCK("*tool_result"),
    BLOCK("compaction"),
    BLOCK("container_upload"),
    BLOCK("fallback"),
    RULE("content_block_*", "*", PLAIN, 0, NULL),
    RULE("message_start", "*", START, 0, NULL),
    RULE("message_delta", "*", PLAIN, 0, NULL),
    RULE("message_stop", "*", END, 0, NULL),
    RULE("error", "*", ERROR, 0, NULL),
};

#define PART "candidates[].content.parts[]"

static const struct uns_path gemini[] = {
    GO(PART, PART, UNS_KIND_TEXT),
    ROW(PART ".text", OPEN, 0),
    ROW(PART ".thought", KIND, UNS_KIND_REASONING),
    MARK(PART ".thoughtSignature", STRUCTURAL),
    MARK(PART ".functionCall.name", STRUCTURAL),
    ARGS(PART ".functionCall.args"),
    ARGS(PART ".functionCall.partialArgs[].stringValue"),
    ARGS(PART ".functionCall.partialArgs[].numberValue"),
    ARGS(PART ".functionCall.partialArgs[].boolValue"),
    ARGS(PART ".functionCall.partialArgs[].nullValue"),
    COUNTED(PART ".inlineData.data", OTHER),
    COUNTED(PART ".executableCode", OTHER),
    COUNTED(PART ".codeExecutionResult", OTHER),
    GO("candidates[]", CHOICE, 0),
    SAVE("candidates[].finishReason", FINISH),
    SAVE("candidates[].index", INDEX),
    SAVE("promptFeedback.blockReason", BLOCKED),
    SAVE("usageMetadata.promptTokenCount", TOKENS_IN),
    SAVE("usageMetadata.candidatesTokenCount", TOKENS_OUT),
    SAVE("usageMetadata.thoughtsTokenCount", TOKENS_HIDDEN),
    SAVE("modelVersion", MODEL),
    ERROR_OBJECT,
};

static const struct uns_rule error_rules[] = {
    RULE("error", "*", ERROR, 0, NULL),
};

static const struct uns_path ollama[] = {
    TEXT("message.content", TEXT),
    TEXT("message.thinking", REASONING),
    COUNTED("message.tool_calls[]", TOOL_ARGS),
    ARGS("message.tool_calls[].function.arguments"),
    TEXT("response", TEXT),
    TEXT("thinking", REASONING),
    MARK("done", FINISH),
    SAVE("done_reason", FINISH),
    SAVE("prompt_eval_count", TOKENS_IN),
    SAVE("eval_count", TOKENS_OUT),
    SAVE("model", MODEL),
    ERROR_OBJECT,
};

static const struct uns_path llamacpp[] = {
    TEXT("content", TEXT),
    MARK("stop", FINISH),
    SAVE("stop_type", FINISH),
    SAVE("tokens_evaluated", TOKENS_IN),
    SAVE("tokens_predicted", TOKENS_OUT),
    SAVE("model", MODEL),
    SAVE("type", TYPE),
    SAVE("code", ERROR_CODE),
    ERROR_OBJECT,
};

/* SGLang's /generate is served from the same table; its text is cumulative. */
static const struct uns_path tgi[] = {
    GO("token", PART, UNS_KIND_TEXT),
    ROW("token.text", OPEN, 0),
    ROW("token.special", KIND, UNS_KIND_COUNT),
    ROW("generated_text", TOLD, UNS_LEAF_FINISH),
    SAVE("details.finish_reason", FINISH),
    SAVE("details.input_length", TOKENS_IN),
    SAVE("details.generated_tokens", TOKENS_OUT),
    TEXT("text", TEXT),
    SAVE("meta_info.finish_reason.type", FINISH),
    SAVE("meta_info.prompt_tokens", TOKENS_IN),
    SAVE("meta_info.completion_tokens", TOKENS_OUT),
    MARK("error", ERROR),
    SAVE("error.type", ERROR_TYPE),
    SAVE("error.code", ERROR_CODE),
    SAVE("error_type", ERROR_TYPE),
    DOC("generated_text", TEXT, UNS_KIND_TEXT),
};

/* Version 2, and the `event_type` of version 1. */
static const struct uns_path cohere[] = {
    SAVE("type", TYPE),
    TEXT("delta.message.content.text", TEXT),
    TEXT("delta.message.content.thinking", REASONING),
    TEXT("delta.message.tool_plan", REASONING),
    TEXT("delta.message.tool_calls.function.arguments", TOOL_ARGS),
    SAVE("delta.finish_reason", FINISH),
    SAVE("delta.usage.tokens.input_tokens", TOKENS_IN),
    SAVE("delta.usage.tokens.output_tokens", TOKENS_OUT),
    SAVE("event_type", TYPE),
    TEXT("text", TEXT),
    SAVE("finish_reason", FINISH),
    SAVE("response.meta.tokens.input_tokens", TOKENS_IN),
    SAVE("response.meta.tokens.output_tokens", TOKENS_OUT),
    ERROR_OBJECT,
    DOC("meta.tokens.input_tokens", SAVE, UNS_SLOT_TOKENS_IN),
    DOC("meta.tokens.output_tokens", SAVE, UNS_SLOT_TOKENS_OUT),
    DOC("message.content[].text", TEXT, UNS_KIND_TEXT),
    DOC("message.content[].thinking", TEXT, UNS_KIND_REASONING),
    DOC("message.tool_plan", TEXT, UNS_KIND_REASONING),
    DOC("message.tool_calls[].function.arguments", TEXT, UNS_KIND_TOOL_ARGS),
    DOC("usage.tokens.input_tokens", SAVE, UNS_SLOT_TOKENS_IN),
    DOC("usage.tokens.output_tokens", SAVE, UNS_SLOT_TOKENS_OUT),
};

static const struct uns_rule cohere_rules[] = {
    RULE("content-delta", "*", PLAIN, 0, NULL),
    RULE("tool-call-start", "*", STRUCTURAL, 0, NULL),
    RULE("citation-start", "*", STRUCTURAL, 0, NULL),
    RULE("message-end", "*", FINISH, 0, NULL),
    RULE("stream-end", "*", FINISH, 0, NULL),
    RULE("error", "*", ERROR, 0, NULL),
};

static const struct uns_path lmstudio[] = {
    SAVE("type", TYPE),
    ROW("content", OPEN, 0),
    ARGS("arguments"),
    SAVE("model_instance_id", MODEL),
    SAVE("result.stats.input_tokens", TOKENS_IN),
    SAVE("result.stats.total_output_tokens", TOKENS_OUT),
    ERROR_OBJECT,
    DOC("output[].content", TEXT, UNS_KIND_TEXT),
    DOC("stats.input_tokens", SAVE, UNS_SLOT_TOKENS_IN),
    DOC("stats.total_output_tokens", SAVE, UNS_SLOT_TOKENS_OUT),
};

static const struct uns_rule lmstudio_rules[] = {
    RULE("message.delta", "*", CONTENT, UNS_KIND_TEXT, NULL),
    RULE("reasoning.delta", "*", CONTENT, UNS_KIND_REASONING, NULL),
    RULE("tool_call.start", "*", STRUCTURAL, 0, NULL),
    RULE("tool_call.arguments", "*", PLAIN, 0, NULL),
    RULE("chat.end", "*", FINISH, 0, "end"),
    RULE("error", "*", ERROR, 0, NULL),
    RULE("tool_call.*", "*", NOISE, 0, NULL),
};

#define MESSAGE "output.choices[].message"

static const struct uns_path dashscope[] = {
    TEXT(MESSAGE ".content", TEXT),
    TEXT(MESSAGE ".content[].text", TEXT),
    TEXT(MESSAGE ".reasoning_content", REASONING),
    MARK(MESSAGE ".tool_calls[].id", STRUCTURAL),
    MARK(MESSAGE ".tool_calls[].function.name", STRUCTURAL),
    TEXT(MESSAGE ".tool_calls[].function.arguments", TOOL_ARGS),
    SAVE("output.choices[].finish_reason", FINISH),
    TEXT("output.text", TEXT),
    SAVE("output.finish_reason", FINISH),
    SAVE("usage.input_tokens", TOKENS_IN),
    SAVE("usage.output_tokens", TOKENS_OUT),
    SAVE("code", ERROR_CODE),
    ERROR_OBJECT,
};

static const struct uns_wire
    none_wire = {NULL, NULL, 0, 0, false, false},
    responses_wire = {TABLES(responses, responses_rules), false, false},
    anthropic_wire = {TABLES(anthropic, anthropic_rules), false, false},
    gemini_wire = {TABLES(gemini, error_rules), true, false},
    ollama_wire = {TABLES(ollama, error_rules), true, false},
    llamacpp_wire = {TABLES(llamacpp, error_rules), true, false},
    tgi_wire = {TABLES(tgi, error_rules), true, false},
    cohere_wire = {TABLES(cohere, cohere_rules), false, false},
    lmstudio_wire = {TABLES(lmstudio, lmstudio_rules), false, false},
    dashscope_wire = {TABLES(dashscope, error_rules), true, true};

static const struct uns_wire *const wires[] = {
    [UNS_DIALECT_NONE] = &none_wire,
    [UNS_DIALECT_CHAT] = &uns_wire_chat,
    [UNS_DIALECT_COMPLETIONS] = &uns_wire_chat,
    [UNS_DIALECT_RESPONSES] = &responses_wire,
    [UNS_DIALECT_ANTHROPIC] = &anthropic_wire,
    [UNS_DIALECT_GEMINI] = &gemini_wire,
    [UNS_DIALECT_OLLAMA] = &ollama_wire,
    [UNS_DIALECT_LLAMACPP] = &llamacpp_wire,
    [UNS_DIALECT_TGI] = &tgi_wire,
    [UNS_DIALECT_COHERE] = &cohere_wire,
    [UNS_DIALECT_LMSTUDIO] = &lmstudio_wire,
    [UNS_DIALECT_DASHSCOPE] = &dashscope_wire,
};
/* clang-format on */

_Static_assert(ROWS(wires) == UNS_DIALECT_COUNT, "a table for each dialect");

const struct uns_wire *uns_wire(enum uns_dialect dialect)
{
    return wires[(unsigned)dialect < UNS_DIALECT_COUNT ? dialect
                                                       : UNS_DIALECT_NONE];
}
