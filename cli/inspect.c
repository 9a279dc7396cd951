/* SPDX-License-Identifier: MIT */

/*
 * unstall inspect: what the engine would see in a captured response body.
 * For people a line per event and a summary; for programs the sums as JSON;
 * or the answer's text alone.
 */

#include "cli/capture.h"
#include "cli/cli.h"
#include "core/guess.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct options {
    struct uns_common common;
    const char *dialect;
    bool text;
};

/* clang-format off */
static const struct uns_cli_option options[] = {
    {"dialect", "NAME",
     "The format of the body, such as chat or anthropic; guessed by its first "
     "events when it is not given.",
     offsetof(struct options, dialect), NULL},
    {"text", NULL, "Print the answer's text and nothing else.",
     offsetof(struct options, text), NULL},
};
/* clang-format on */

static const struct uns_usage usage = {
    .command = "inspect",
    .operands = "[options] FILE",
    .about = "Decodes a response body that was saved (a stream, lines of JSON, "
             "an array, one document; with the headers of 'curl -i' or "
             "without; or what 'unstall run --capture' wrote) and tells what "
             "each event is to unstall. FILE may be - for standard input.",
    .options = options,
    .option_count = sizeof options / sizeof *options,
};

/* How a body ended, as the sums say it. */
static const char *end_word(const struct uns_stream *stream)
{
    if (stream->truncated) {
        return "truncated";
    }
    if (stream->phase != UNS_PHASE_NONE) {
        return "error";
    }
    if (stream->ended) {
        return "done";
    }
    return stream->finished ? "eof" : "truncated";
}

static const char *phase_word(const struct uns_stream *stream)
{
    static const char *const words[] = {
        [UNS_PHASE_NONE] = "",
        [UNS_PHASE_FIRST] = "first:",
        [UNS_PHASE_MID] = "mid:",
        [UNS_PHASE_AFTER_FINISH] = "after_finish:",
    };

    return words[stream->phase];
}

/* ---- for people ---- */

struct listing {
    uint64_t count;
};

static const char *class_word(const struct uns_event *event)
{
    static const struct {
        unsigned news;
        const char *word;
    } words[] = {
        {UNS_NEWS_ERROR,                     "error"          },
        {UNS_NEWS_CONTENT | UNS_NEWS_FINISH, "content, finish"},
        {UNS_NEWS_CONTENT,                   "content"        },
        {UNS_NEWS_FINISH,                    "finish"         },
        {UNS_NEWS_STRUCTURAL,                "structural"     },
        {UNS_NEWS_END,                       "end"            },
    };

    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if ((event->news & words[i].news) == words[i].news) {
            return words[i].word;
        }
    }
    return event->keepalive ? "keepalive" : "noise";
}

static const char *const kind_words[] = {
    [UNS_KIND_TEXT] = "text",           [UNS_KIND_REASONING] = "reasoning",
    [UNS_KIND_TOOL_ARGS] = "tool args", [UNS_KIND_REFUSAL] = "refusal",
    [UNS_KIND_AUDIO] = "audio",         [UNS_KIND_OTHER] = "other",
};

/* At most this many bytes of a text are shown in a line. */
enum {
    EXCERPT_BYTES = 40
};

/* Control characters must not reach a terminal. */
static void print_escaped(const char *bytes, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        unsigned char c = (unsigned char)bytes[i];
        if (c == '"' || c == '\\') {
            printf("\\%c", c);
        } else if (c == '\n') {
            fputs("\\n", stdout);
        } else if (c < 0x20 || c == 0x7F) {
            printf("\\x%02x", c);
        } else {
            putchar(c);
        }
    }
}

static void print_excerpt(const struct uns_text *text)
{
    size_t len = text->len < EXCERPT_BYTES ? text->len : EXCERPT_BYTES;

    while (len < text->len && len != 0 &&
           ((unsigned char)text->data[len] & 0xC0) == 0x80) {
        len--; /* not inside of a character */
    }
    putchar('"');
    print_escaped(text->data != NULL ? text->data : "", len);
    fputs(len < text->len ? "\"..." : "\"", stdout);
}

static void print_event(void *ctx, const struct uns_event *event,
                        const struct uns_answer *answer)
{
    struct listing *listing = ctx;

    printf("%5llu %9llu  %-16s", (unsigned long long)++listing->count,
           (unsigned long long)event->offset, class_word(event));
    print_escaped(event->type.data, event->type.len);
    for (unsigned kind = 0; kind < UNS_KIND_COUNT; kind++) {
        if ((event->kinds >> kind & 1) != 0) {
            printf("%s%s ", event->type.len != 0 ? "  " : "", kind_words[kind]);
            print_excerpt(&answer->fresh[kind]);
        }
    }
    fputs(event->restart ? "  (the answer begins again)\n" : "\n", stdout);
}

static void print_number(const char *name, int64_t number)
{
    if (number == UNS_NULL) {
        printf("%s not told", name);
    } else {
        printf("%s %lld", name, (long long)number);
    }
}

static void print_summary(const struct uns_stream *stream,
                          const struct uns_answer *answer, bool told)
{
    static const char *const framings[] = {
        "unknown",      "server-sent events", "lines of JSON",
        "a JSON array", "one JSON document",  "unknown",
    };

    printf("\ndialect     %s%s\n", uns_dialect_long_name(stream->dialect),
           told ? "" : " (guessed)");
    printf("framing     %s, %llu bytes, %llu events\n",
           framings[stream->frame.framing], (unsigned long long)stream->bytes,
           (unsigned long long)stream->events);
    printf("content     %llu", (unsigned long long)stream->content);
    for (unsigned kind = 0; kind < UNS_KIND_COUNT; kind++) {
        if (answer->chunks[kind] != 0) {
            printf("; %s: %llu, %zu bytes", kind_words[kind],
                   (unsigned long long)answer->chunks[kind],
                   answer->text[kind].len);
        }
    }
    printf("\nstructural  %llu\nkeepalives  %llu\n",
           (unsigned long long)stream->structural,
           (unsigned long long)stream->keepalives);
    printf("model       %s\n", stream->model[0] != '\0' ? stream->model : "-");
    print_number("tokens      in", stream->tokens_in);
    print_number(", out", stream->tokens_out);
    printf("\nfinish      %s\n",
           stream->finish[0] != '\0' ? stream->finish : "-");
    printf("error       %s%s\n", phase_word(stream),
           stream->error[0] != '\0' ? stream->error : "-");
    printf("end         %s\n", end_word(stream));
}

/* ---- for programs ---- */

static void add_word(cJSON *object, const char *name, const char *prefix,
                     const char *word)
{
    char text[UNS_WORD_BYTES + 16];

    if (word[0] == '\0') {
        cJSON_AddNullToObject(object, name);
        return;
    }
    (void)snprintf(text, sizeof text, "%s%s", prefix, word);
    cJSON_AddStringToObject(object, name, text);
}

static void add_text(cJSON *object, const char *name,
                     const struct uns_text *text)
{
    cJSON_AddStringToObject(object, name, text->len != 0 ? text->data : "");
}

static void add_count(cJSON *object, const char *name, uint64_t count)
{
    cJSON_AddNumberToObject(object, name, (double)count);
}

static void add_tokens(cJSON *object, const char *name, int64_t tokens)
{
    if (tokens == UNS_NULL) {
        cJSON_AddNullToObject(object, name);
    } else {
        cJSON_AddNumberToObject(object, name, (double)tokens);
    }
}

static int print_json(const struct uns_stream *stream,
                      const struct uns_answer *answer)
{
    const struct uns_text *text = answer->text;
    cJSON *object = cJSON_CreateObject();

    add_count(object, "audio_chunks", answer->chunks[UNS_KIND_AUDIO]);
    add_count(object, "bytes", stream->bytes);
    add_count(object, "content_chunks", stream->content);
    cJSON_AddStringToObject(object, "dialect",
                            uns_dialect_long_name(stream->dialect));
    cJSON_AddStringToObject(object, "end", end_word(stream));
    add_word(object, "error", phase_word(stream), stream->error);
    add_word(object, "finish", "", stream->finish);
    add_count(object, "keepalives", stream->keepalives);
    add_word(object, "model", "", stream->model);
    add_text(object, "reasoning", &text[UNS_KIND_REASONING]);
    add_text(object, "refusal", &text[UNS_KIND_REFUSAL]);
    add_count(object, "structural", stream->structural);
    add_text(object, "text", &text[UNS_KIND_TEXT]);
    add_tokens(object, "tokens_in", stream->tokens_in);
    add_tokens(object, "tokens_out", stream->tokens_out);
    add_text(object, "tool_args", &text[UNS_KIND_TOOL_ARGS]);

    char *printed = cJSON_Print(object);
    cJSON_Delete(object);
    if (printed == NULL) {
        fputs("unstall inspect: out of memory\n", stderr);
        return UNS_EXIT_FAILED;
    }
    puts(printed);
    free(printed);
    return UNS_EXIT_OK;
}

static void print_text(const struct uns_text *text)
{
    if (text->data == NULL) {
        return;
    }
    (void)fwrite(text->data, 1, text->len, stdout);
    if (text->len != 0 && text->data[text->len - 1] != '\n') {
        putchar('\n');
    }
}

/* ---- the command ---- */

/* Where no content type tells, the body itself does. */
static void begin(struct uns_stream *stream, const struct uns_capture *capture,
                  enum uns_dialect dialect, const struct uns_sink *sink)
{
    static const char lines[] = "application/x-ndjson";
    enum uns_framing framing =
        capture->type.len != 0
            ? UNS_FRAMING_UNKNOWN
            : uns_guess_framing(capture->body.data, capture->body.len);

    uns_stream_init(stream, dialect, framing != UNS_FRAMING_DOCUMENT, sink);
    if (capture->type.len != 0) {
        uns_stream_type(stream, capture->type.data, capture->type.len);
    } else if (framing == UNS_FRAMING_NDJSON) {
        uns_stream_type(stream, lines, sizeof lines - 1);
    }
}

static int inspect(const struct options *opts,
                   const struct uns_capture *capture, enum uns_dialect dialect)
{
    static struct uns_stream stream; /* too big for a small stack */
    struct listing listing = {0};
    struct uns_answer answer = {.ctx = &listing};
    struct uns_sink sink = uns_answer_sink(&answer);
    int code = UNS_EXIT_OK;

    if (!opts->common.json && !opts->text) {
        answer.event = print_event;
        printf("%5s %9s  %-16s%s\n", "event", "offset", "class", "what");
    }
    begin(&stream, capture, dialect, &sink);
    uns_stream_feed(&stream, capture->body.data, capture->body.len);
    uns_stream_end(&stream);
    if (answer.nomem) {
        fputs("unstall inspect: out of memory\n", stderr);
        code = UNS_EXIT_FAILED;
    } else if (opts->common.json) {
        code = print_json(&stream, &answer);
    } else if (opts->text) {
        print_text(&answer.text[UNS_KIND_TEXT]);
    } else {
        print_summary(&stream, &answer, opts->dialect != NULL);
    }
    uns_answer_done(&answer);
    return code;
}

static int unknown_dialect(const char *name)
{
    char names[256] = "";
    size_t used = 0;

    for (unsigned i = UNS_DIALECT_NONE + 1; i < UNS_DIALECT_COUNT; i++) {
        int n = snprintf(names + used, sizeof names - used, "%s %s",
                         used != 0 ? "," : "",
                         uns_dialect_name((enum uns_dialect)i));
        used += n > 0 ? (size_t)n : 0;
    }
    return uns_args_fail("inspect", "no dialect '%s'; there are%s", name,
                         names);
}

int uns_cmd_inspect(int argc, char **argv)
{
    struct options opts = {0};
    struct uns_capture capture;
    enum uns_dialect dialect = UNS_DIALECT_NONE;
    int code = UNS_EXIT_OK;
    int operands = uns_args_parse(&usage, argc, argv, &opts, &code);

    if (operands < 0) {
        return code;
    }
    if (operands != 1) {
        return uns_args_fail("inspect", "one FILE is expected, or -");
    }
    if (opts.dialect != NULL) {
        dialect = uns_dialect_by_name(opts.dialect, strlen(opts.dialect));
        if (dialect == UNS_DIALECT_NONE) {
            return unknown_dialect(opts.dialect);
        }
    }
    int error = uns_capture_read(&capture, argv[1]);
    if (error != 0) {
        fprintf(stderr, "unstall inspect: %s: %s\n", argv[1], strerror(error));
        return UNS_EXIT_FAILED;
    }
    if (dialect == UNS_DIALECT_NONE) {
        dialect = uns_guess(capture.body.data, capture.body.len);
    }
    if (dialect != UNS_DIALECT_NONE) {
        code = inspect(&opts, &capture, dialect);
    } else {
        fprintf(stderr,
                "unstall inspect: %s: cannot tell the dialect; give it with "
                "--dialect NAME\n",
                argv[1]);
        code = UNS_EXIT_FAILED;
    }
    uns_capture_done(&capture);
    return code;
}
