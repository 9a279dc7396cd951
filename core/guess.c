/* SPDX-License-Identifier: MIT */

/*
 * A body is read as a stream of one more dialect, whose paths are clues.  The
 * first event that holds a decisive clue decides: its members before its type,
 * for an `event:` may be any word.  A body of errors, of odd servers or one
 * that was cut may leave only faint ones, which are weighed at the end.
 */

#include "guess.h"

#include "stream.h"

#include <string.h>

enum clue {
    CLUE_CHAT,
    CLUE_COMPLETIONS,
    CLUE_DASHSCOPE,
    CLUE_GEMINI,
    CLUE_TGI,
    CLUE_OLLAMA,
    CLUE_LLAMACPP,
    CLUE_SEQUENCE,
    /* the faint ones */
    CLUE_MESSAGE,
    CLUE_RESPONSE,
    CLUE_CONTENT,
    CLUE_ERROR_OBJECT,
    CLUE_ERROR_STRING,
    CLUE_CODE,
    CLUE_REQUEST_ID,
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
    SAVE("event_type", TYPE),
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
    {BIT(TYPE_ERROR) | BIT(ERROR_OBJECT), UNS_DIALECT_ANTHROPIC  },
    {BIT(TYPE_ERROR),                     UNS_DIALECT_RESPONSES  },
    {BIT(CODE) | BIT(REQUEST_ID),         UNS_DIALECT_DASHSCOPE  },
    {BIT(MESSAGE),                        UNS_DIALECT_OLLAMA     },
    {BIT(RESPONSE),                       UNS_DIALECT_OLLAMA     },
    {BIT(CONTENT),                        UNS_DIALECT_LLAMACPP   },
    {BIT(ERROR_OBJECT),                   UNS_DIALECT_CHAT       },
    {BIT(ERROR_STRING),                   UNS_DIALECT_OLLAMA     },
    {BIT(DONE),                           UNS_DIALECT_CHAT       },
};

enum {
    DECISIVE = BIT(MESSAGE) - 1
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
    RULE("citation-*", COHERE),     RULE("text-generation", COHERE),
    RULE("stream-*", COHERE),       RULE("result", DASHSCOPE),
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
        guess->dialect = look_up(&by_object, object);
    }
    if (guess->dialect == UNS_DIALECT_NONE && (guess->seen & DECISIVE) != 0) {
        guess->dialect = weigh(guess->seen);
    }
    if (guess->dialect == UNS_DIALECT_NONE) {
        guess->dialect = look_up(&by_type, event->type);
    }
}

/* Where the first document begins, if it is an object. */
static const char *first_object(const char *body, size_t len)
{
    static const char before[] = " \t\r\n\xEF\xBB\xBF";
    const char *p = body;

    while (p < body + len && memchr(before, *p, sizeof before - 1) != NULL) {
        p++;
    }
    return p < body + len && *p == '{' ? p : NULL;
}

/* A line ends inside of the object at [p, end). */
static bool spans_lines(const char *p, const char *end)
{
    const char *line = memchr(p, '\n', (size_t)(end - p));

    return line != NULL && memchr(line, '}', (size_t)(end - line)) != NULL;
}

enum uns_framing uns_guess_framing(const char *body, size_t len)
{
    const char *begin = first_object(body, len);
    const char *end = body + len;
    struct uns_trie trie;
    struct uns_scan scan;

    if (begin == NULL) {
        return UNS_FRAMING_UNKNOWN;
    }
    uns_trie_init(&trie, NULL, 0, false);
    uns_scan_init(&scan, &trie, NULL);
    const char *rest = begin;
    rest += uns_scan_feed(&scan, begin, (size_t)(end - begin));
    if (rest != end) {
        return *rest == '{' ? UNS_FRAMING_NDJSON : UNS_FRAMING_UNKNOWN;
    }
    return uns_scan_complete(&scan) && spans_lines(begin, end)
               ? UNS_FRAMING_DOCUMENT
               : UNS_FRAMING_UNKNOWN;
}

enum uns_dialect uns_guess(const char *body, size_t len)
{
    struct guess guess = {.dialect = UNS_DIALECT_NONE};
    const struct uns_sink sink = {.ctx = &guess, .event = on_event};

    uns_stream_init(&guess.stream, UNS_DIALECT_NONE, true, &sink);
    uns_frame_init(&guess.stream.frame, false,
                   uns_guess_framing(body, len) == UNS_FRAMING_NDJSON
                       ? UNS_FRAMING_NDJSON
                       : UNS_FRAMING_DOCUMENT,
                   UNS_FRAMING_ARRAY);
    guess.stream.wire = &clues;
    uns_stream_feed(&guess.stream, body, len);
    guess.seen |= guess.stream.scan.kinds; /* of an event that was cut */
    uns_stream_end(&guess.stream);
    return guess.dialect != UNS_DIALECT_NONE ? guess.dialect
                                             : weigh(guess.seen);
}
