/* SPDX-License-Identifier: MIT */

/*
 * A body is read as a stream of one more dialect, whose paths are clues.  The
 * first event that holds a decisive clue decides; a body of errors or of odd
 * servers may leave only faint ones, which are weighed at the end.
 */

#include "guess.h"

#include "stream.h"

enum clue {
    CLUE_CHAT,
    CLUE_COMPLETIONS,
    CLUE_DASHSCOPE,
    CLUE_GEMINI,
    CLUE_TGI,
    CLUE_OLLAMA,
    CLUE_LLAMACPP,
    CLUE_SEQUENCE,
    CLUE_EVENT_TYPE,
    /* the faint ones */
    CLUE_ERROR_OBJECT,
    CLUE_ERROR_STRING,
    CLUE_CODE,
    CLUE_REQUEST_ID,
    CLUE_MESSAGE,
    CLUE_RESPONSE,
    CLUE_CONTENT,
    CLUE_TYPE_ERROR,
    CLUE_DONE
};

#define BIT(clue) (1U << CLUE_##clue)
#define ANY(path, clue)                           \
    {                                             \
        path, UNS_OP_COUNT, CLUE_##clue, 0, false \
    }
#define STR(path, clue)                          \
    {                                            \
        path, UNS_OP_TEXT, CLUE_##clue, 0, false \
    }
#define SAVE(path, at)                             \
    {                                              \
        path, UNS_OP_SAVE, UNS_SLOT_##at, 0, false \
    }

static const struct uns_path paths[] = {
    ANY("choices[].delta", CHAT),
    ANY("choices[].message", CHAT),
    ANY("choices[].text", COMPLETIONS),
    ANY("output.choices[].message", DASHSCOPE),
    ANY("output.text", DASHSCOPE),
    ANY("candidates[]", GEMINI),
    ANY("promptFeedback", GEMINI),
    ANY("usageMetadata", GEMINI),
    STR("error.status", GEMINI),
    ANY("token", TGI),
    ANY("generated_text", TGI),
    ANY("meta_info", TGI),
    ANY("error_type", TGI),
    ANY("created_at", OLLAMA),
    ANY("done_reason", OLLAMA),
    ANY("stop_type", LLAMACPP),
    ANY("tokens_predicted", LLAMACPP),
    ANY("sequence_number", SEQUENCE),
    ANY("event_type", EVENT_TYPE),
    STR("error", ERROR_STRING),
    ANY("error.message", ERROR_OBJECT),
    ANY("error.type", ERROR_OBJECT),
    ANY("error.code", ERROR_OBJECT),
    STR("code", CODE),
    ANY("request_id", REQUEST_ID),
    STR("message.content", MESSAGE),
    STR("message.thinking", MESSAGE),
    STR("response", RESPONSE),
    STR("content", CONTENT),
    SAVE("type", TYPE),
    SAVE("object", ITEM),
};

/* In this order; the clues of one row must all be there. */
static const struct {
    unsigned clues;
    enum uns_dialect dialect;
} verdicts[] = {
    {BIT(CHAT),                           UNS_DIALECT_CHAT       },
    {BIT(COMPLETIONS),                    UNS_DIALECT_COMPLETIONS},
    {BIT(DASHSCOPE),                      UNS_DIALECT_DASHSCOPE  },
    {BIT(GEMINI),                         UNS_DIALECT_GEMINI     },
    {BIT(TGI),                            UNS_DIALECT_TGI        },
    {BIT(OLLAMA),                         UNS_DIALECT_OLLAMA     },
    {BIT(LLAMACPP),                       UNS_DIALECT_LLAMACPP   },
    {BIT(SEQUENCE),                       UNS_DIALECT_RESPONSES  },
    {BIT(EVENT_TYPE),                     UNS_DIALECT_COHERE     },
    {BIT(TYPE_ERROR) | BIT(ERROR_OBJECT), UNS_DIALECT_ANTHROPIC  },
    {BIT(TYPE_ERROR),                     UNS_DIALECT_RESPONSES  },
    {BIT(CODE) | BIT(REQUEST_ID),         UNS_DIALECT_DASHSCOPE  },
    {BIT(ERROR_OBJECT),                   UNS_DIALECT_CHAT       },
    {BIT(ERROR_STRING),                   UNS_DIALECT_OLLAMA     },
    {BIT(MESSAGE),                        UNS_DIALECT_OLLAMA     },
    {BIT(RESPONSE),                       UNS_DIALECT_OLLAMA     },
    {BIT(CONTENT),                        UNS_DIALECT_LLAMACPP   },
    {BIT(DONE),                           UNS_DIALECT_CHAT       },
};

enum {
    DECISIVE = BIT(ERROR_OBJECT) - 1
};

#define RULE(type, dialect)                                                \
    {                                                                      \
        {type, sizeof(type) - 1}, {"*", 1}, UNS_DIALECT_##dialect, 0, NULL \
    }

/* Event types that one dialect alone has; `class` is the dialect. */
static const struct uns_rule types[] = {
    RULE("message_*", ANTHROPIC),   RULE("content_block_*", ANTHROPIC),
    RULE("message", ANTHROPIC),     RULE("response.*", RESPONSES),
    RULE("keepalive", RESPONSES),   RULE("chat.*", LMSTUDIO),
    RULE("model_load.*", LMSTUDIO), RULE("prompt_processing.*", LMSTUDIO),
    RULE("message.*", LMSTUDIO),    RULE("reasoning.*", LMSTUDIO),
    RULE("tool_call.*", LMSTUDIO),  RULE("message-*", COHERE),
    RULE("content-*", COHERE),      RULE("tool-*", COHERE),
    RULE("citation-*", COHERE),     RULE("result", DASHSCOPE),
};

/* Values of the member `object`. */
static const struct uns_rule objects[] = {
    RULE("text_completion", COMPLETIONS),
    RULE("chat.completion*", CHAT),
    RULE("response", RESPONSES),
    RULE("error", CHAT),
};

#define ROWS(table) (sizeof(table) / sizeof *(table))

static const struct uns_wire clues = {.paths = paths,
                                      .path_count = ROWS(paths)};
static const struct uns_wire by_type = {.rules = types,
                                        .rule_count = ROWS(types)};
static const struct uns_wire by_object = {.rules = objects,
                                          .rule_count = ROWS(objects)};

struct guess {
    struct uns_stream stream;
    unsigned seen; /* clues so far */
    enum uns_dialect dialect;
};

static enum uns_dialect look_up(const struct uns_wire *wire,
                                struct uns_slice word)
{
    const struct uns_slice none = {"", 0};
    const struct uns_rule *rule = uns_wire_rule(wire, word, none);

    return rule != NULL ? (enum uns_dialect)rule->class : UNS_DIALECT_NONE;
}

static enum uns_dialect weigh(unsigned seen)
{
    for (size_t i = 0; i < ROWS(verdicts); i++) {
        if ((verdicts[i].clues & ~seen) == 0) {
            return verdicts[i].dialect;
        }
    }
    return UNS_DIALECT_NONE;
}

static void on_event(void *ctx, const struct uns_event *event)
{
    struct guess *guess = ctx;
    const struct uns_scan *scan = &guess->stream.scan;
    const struct uns_slice object = {scan->slot[UNS_SLOT_ITEM],
                                     scan->slot_len[UNS_SLOT_ITEM]};

    guess->seen |= scan->kinds;
    if (uns_scan_is(scan, UNS_SLOT_TYPE, "error")) {
        guess->seen |= BIT(TYPE_ERROR);
    }
    if ((scan->marks & UNS_LEAF_DONE) != 0) {
        guess->seen |= BIT(DONE);
    }
    if (guess->dialect == UNS_DIALECT_NONE) {
        guess->dialect = look_up(&by_type, event->type);
    }
    if (guess->dialect == UNS_DIALECT_NONE) {
        guess->dialect = look_up(&by_object, object);
    }
    if (guess->dialect == UNS_DIALECT_NONE && (guess->seen & DECISIVE) != 0) {
        guess->dialect = weigh(guess->seen);
    }
}

enum uns_dialect uns_guess(const char *body, size_t len)
{
    struct guess guess = {.dialect = UNS_DIALECT_NONE};
    const struct uns_sink sink = {.ctx = &guess, .event = on_event};

    uns_stream_init(&guess.stream, UNS_DIALECT_NONE, true, &sink);
    guess.stream.wire = &clues;
    uns_stream_feed(&guess.stream, body, len);
    uns_stream_end(&guess.stream);
    return guess.dialect != UNS_DIALECT_NONE ? guess.dialect
                                             : weigh(guess.seen);
}
