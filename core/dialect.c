/* SPDX-License-Identifier: MIT */

/* The names of the dialects; what they say is in wire.c. */

#include "dialect.h"

#include <stdbool.h>
#include <string.h>

static const struct {
    const char *name, *long_name;
} dialects[] = {
    [UNS_DIALECT_NONE] = {"none",        "none"              },
    [UNS_DIALECT_CHAT] = {"chat",        "openai-chat"       },
    [UNS_DIALECT_COMPLETIONS] = {"completions", "openai-completions"},
    [UNS_DIALECT_RESPONSES] = {"responses",   "openai-responses"  },
    [UNS_DIALECT_ANTHROPIC] = {"anthropic",   "anthropic"         },
    [UNS_DIALECT_GEMINI] = {"gemini",      "gemini"            },
    [UNS_DIALECT_OLLAMA] = {"ollama",      "ollama"            },
    [UNS_DIALECT_LLAMACPP] = {"llamacpp",    "llamacpp"          },
    [UNS_DIALECT_TGI] = {"tgi",         "tgi"               },
    [UNS_DIALECT_COHERE] = {"cohere",      "cohere"            },
    [UNS_DIALECT_LMSTUDIO] = {"lmstudio",    "lmstudio"          },
    [UNS_DIALECT_DASHSCOPE] = {"dashscope",   "dashscope"         },
};

_Static_assert(sizeof dialects / sizeof *dialects == UNS_DIALECT_COUNT,
               "every dialect has its names");

const char *uns_dialect_name(enum uns_dialect dialect)
{
    return (unsigned)dialect < UNS_DIALECT_COUNT ? dialects[dialect].name
                                                 : "none";
}

const char *uns_dialect_long_name(enum uns_dialect dialect)
{
    return (unsigned)dialect < UNS_DIALECT_COUNT ? dialects[dialect].long_name
                                                 : "none";
}

static bool equals(const char *word, const char *name, size_t len)
{
    return strlen(word) == len && memcmp(word, name, len) == 0;
}

enum uns_dialect uns_dialect_by_name(const char *name, size_t len)
{
    for (unsigned i = UNS_DIALECT_NONE + 1; i < UNS_DIALECT_COUNT; i++) {
        if (equals(dialects[i].name, name, len) ||
            equals(dialects[i].long_name, name, len)) {
            return (enum uns_dialect)i;
        }
    }
    return UNS_DIALECT_NONE;
}
