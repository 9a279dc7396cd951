/* SPDX-License-Identifier: MIT */
/*
 * otlp_names - what we call an API or a provider, in the words of the semantic
 * conventions.  What they have no word for keeps ours, as they allow.
 */
#include "core/detect.h"
#include "otlp.h"

#include <string.h>

struct word {
    const char *ours, *theirs;
};

static const char *word_of(const struct word *words, size_t count,
                           const char *ours)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(words[i].ours, ours) == 0)
            return words[i].theirs;
    return NULL;
}

#define WORD_OF(words, ours) word_of(words, sizeof words / sizeof *words, ours)

const char *uns_otlp_operation(const struct uns_call_record *call)
{
    static const struct word operations[] = {
        {"completions", "text_completion" },
        {"llamacpp",    "text_completion" },
        {"tgi",         "text_completion" },
        {"gemini",      "generate_content"},
    };
    const char *operation = WORD_OF(operations, call->dialect);

    return operation ? operation : "chat";
}

/* Where the host tells nothing: who speaks like that. */
static const char *by_dialect(const char *dialect)
{
    static const struct word speakers[] = {
        {"chat",        "openai"    },
        {"completions", "openai"    },
        {"responses",   "openai"    },
        {"anthropic",   "anthropic" },
        {"gemini",      "gcp.gemini"},
    };
    const char *speaker = WORD_OF(speakers, dialect);

    return speaker ? speaker : dialect;
}

const char *uns_otlp_provider(const struct uns_call_record *call)
{
    static const struct word providers[] = {
        {"azure",   "azure.ai.openai"},
        {"google",  "gcp.gemini"     },
        {"vertex",  "gcp.vertex_ai"  },
        {"bedrock", "aws.bedrock"    },
        {"mistral", "mistral_ai"     },
        {"xai",     "x_ai"           },
    };
    struct uns_url url;
    const char *ours = NULL, *theirs = NULL;

    if (uns_url_split(call->endpoint, strlen(call->endpoint), &url))
        ours = uns_detect_provider(&url);
    if (ours == NULL)
        return by_dialect(call->dialect);
    theirs = WORD_OF(providers, ours);
    return theirs ? theirs : ours;
}
