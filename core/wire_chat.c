/* SPDX-License-Identifier: MIT */

/*
 * The table of chat completions.  A hundred servers speak this dialect, each a
 * bit differently: reasoning alone has five names, and some send the same text
 * by two of them (TWIN).
 */

#include "wire_row.h"

/* clang-format off */
static const struct uns_path chat[] = {
    TEXT("choices[].delta.content", TEXT),
    TEXT("choices[].delta.content[].text", TEXT),
    TEXT("choices[].delta.content[].thinking", REASONING),
    TEXT("choices[].delta.content[].thinking[].text", REASONING),
    TEXT("choices[].delta.content[].summary[].text", REASONING),
    TWIN("choices[].delta.reasoning_content", REASONING),
    TWIN("choices[].delta.reasoning", REASONING),
    TWIN("choices[].delta.reasoning_text", REASONING),
    TWIN("choices[].delta.reasoning_details[].text", REASONING),
    TWIN("choices[].delta.reasoning_details[].summary", REASONING),
    MARK("choices[].delta.reasoning_details[].data", STRUCTURAL),
    MARK("choices[].delta.reasoning_opaque", STRUCTURAL),
    MARK("choices[].delta.executed_tools[]", STRUCTURAL),
    MARK("choices[].delta.tool_calls[].id", STRUCTURAL),
    MARK("choices[].delta.tool_calls[].function.name", STRUCTURAL),
    ARGS("choices[].delta.tool_calls[].function.arguments"),
    MARK("choices[].delta.tool_calls[].custom.name", STRUCTURAL),
    TEXT("choices[].delta.tool_calls[].custom.input", TOOL_ARGS),
    MARK("choices[].delta.function_call.name", STRUCTURAL),
    TEXT("choices[].delta.function_call.arguments", TOOL_ARGS),
    TEXT("choices[].delta.refusal", REFUSAL),
    COUNTED("choices[].delta.audio.data", AUDIO),
    COUNTED("choices[].delta.audio.transcript", AUDIO),
    COUNTED("choices[].delta.images[].image_url.url", OTHER),
    SAVE("choices[].finish_reason", FINISH),
    SAVE("choices[].index", INDEX),
    TEXT("choices[].text", TEXT),
    GO("choices[]", CHOICE, 0),
    SAVE("model", MODEL),
    SAVE("usage.prompt_tokens", TOKENS_IN),
    SAVE("usage.completion_tokens", TOKENS_OUT),
    SAVE("x_groq.usage.prompt_tokens", TOKENS_IN),
    SAVE("x_groq.usage.completion_tokens", TOKENS_OUT),
    SAVE("object", ITEM),
    SAVE("type", TYPE),
    SAVE("code", ERROR_CODE),
    ERROR_OBJECT,
    DOC("choices[].message.content", TEXT, UNS_KIND_TEXT),
    DOC("choices[].message.content[].text", TEXT, UNS_KIND_TEXT),
    DOC("choices[].message.content[].thinking[].text",
        TEXT, UNS_KIND_REASONING),
    DOC("choices[].message.content[].summary[].text",
        TEXT, UNS_KIND_REASONING),
    DOC("choices[].message.reasoning_content", TWIN, UNS_KIND_REASONING),
    DOC("choices[].message.reasoning", TWIN, UNS_KIND_REASONING),
    DOC("choices[].message.reasoning_text", TWIN, UNS_KIND_REASONING),
    DOC("choices[].message.reasoning_details[].text",
        TWIN, UNS_KIND_REASONING),
    DOC("choices[].message.reasoning_details[].summary",
        TWIN, UNS_KIND_REASONING),
    DOC("choices[].message.tool_calls[].function.arguments",
        RAW, UNS_KIND_TOOL_ARGS),
    DOC("choices[].message.tool_calls[].custom.input",
        TEXT, UNS_KIND_TOOL_ARGS),
    DOC("choices[].message.function_call.arguments",
        TEXT, UNS_KIND_TOOL_ARGS),
    DOC("choices[].message.refusal", TEXT, UNS_KIND_REFUSAL),
};

/* Old vLLM sends its error without a wrapper. */
static const struct uns_rule chat_rules[] = {
    RULE("error", "*", ERROR, 0, NULL),
    RULE("*", "error", ERROR, 0, NULL),
};

const struct uns_wire uns_wire_chat = {TABLES(chat, chat_rules), false, false};
/* clang-format on */
