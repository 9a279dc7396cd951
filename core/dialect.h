/* SPDX-License-Identifier: MIT */
#ifndef UNS_DIALECT_H
#define UNS_DIALECT_H

/* The stream formats that LLM servers speak, and what an event can mean. */

#include "units.h"

enum uns_dialect {
    UNS_DIALECT_NONE, /* no LLM call */
    UNS_DIALECT_CHAT,
    UNS_DIALECT_COMPLETIONS,
    UNS_DIALECT_RESPONSES,
    UNS_DIALECT_ANTHROPIC,
    UNS_DIALECT_GEMINI,
    UNS_DIALECT_OLLAMA,
    UNS_DIALECT_LLAMACPP,
    UNS_DIALECT_TGI,
    UNS_DIALECT_COHERE,
    UNS_DIALECT_LMSTUDIO,
    UNS_DIALECT_DASHSCOPE,
    UNS_DIALECT_COUNT
};

/* Name as in the config ("chat") and as in golden/expected.json
 * ("openai-chat"); "none" and "none" for UNS_DIALECT_NONE. */
const char *uns_dialect_name(enum uns_dialect dialect);
const char *uns_dialect_long_name(enum uns_dialect dialect);

/* Either name to the dialect; UNS_DIALECT_NONE when it is neither. */
enum uns_dialect uns_dialect_by_name(const char *name, size_t len);

#endif
