/* SPDX-License-Identifier: MIT */
/*
 * tape - the header line is written with the first piece of the body, when the
 * last block of headers is known, or at the end.  libcurl decodes a compressed
 * body where the application asked it to: Content-Encoding is kept only where
 * the bytes are still encoded.
 */
#include "tape.h"

#include "call.h"
#include "clock.h"
#include "facts.h"
#include "origin.h"
#include "root.h"
#include "tape_file.h"

#include "core/ascii.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEADERS     8
#define VALUE_BYTES 128
#define MODEL_BYTES 128
#define PATH_BYTES  512

struct uns_tape {
    struct uns_tape_file file;
    bool begun, ended;
    uns_ns head_ns; /* when the last header line came; 0: none did */
    size_t headers;

    struct {
        const char *name; /* of the table below */
        char value[VALUE_BYTES];
    } header[HEADERS];
};

/* Of a response: what tells how it is to be read and when to come back. */
static const char *const kept[] = {
    "content-type",   "content-encoding", "retry-after",
    "retry-after-ms", "x-should-retry",   "server",
};

struct uns_tape *uns_tape_new(void)
{
    return uns_root_capture() ? calloc(1, sizeof(struct uns_tape)) : NULL;
}

static struct uns_slice trimmed(struct uns_slice text)
{
    while (text.len && (*text.data == ' ' || *text.data == '\t')) {
        text.data++;
        text.len--;
    }
    while (text.len && strchr("\r\n \t", text.data[text.len - 1]) != NULL)
        text.len--;
    return text;
}

static const char *kept_name(struct uns_slice name)
{
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
        if (uns_same_fold(name, uns_slice_of(kept[i])))
            return kept[i];
    return NULL;
}

/* One line; a status line begins a new block, and the last one counts. */
static void keep_line(struct uns_tape *tape, struct uns_slice line)
{
    const char *colon = memchr(line.data, ':', line.len);
    const char *name;
    struct uns_slice value;
    size_t len;

    if (line.len >= 5 && memcmp(line.data, "HTTP/", 5) == 0)
        tape->headers = 0;
    if (colon == NULL || tape->headers == HEADERS)
        return;
    len = (size_t)(colon - line.data);
    name = kept_name((struct uns_slice){line.data, len});
    value = trimmed((struct uns_slice){colon + 1, line.len - len - 1});
    if (name == NULL || value.len >= VALUE_BYTES)
        return;
    tape->header[tape->headers].name = name;
    memcpy(tape->header[tape->headers].value, value.data, value.len);
    tape->header[tape->headers++].value[value.len] = '\0';
}

void uns_tape_head(const struct uns_attempt *a, struct uns_slice lines)
{
    struct uns_tape *tape = a->tape;

    if (tape != NULL)
        tape->head_ns = a->piece_ns;
    while (tape && lines.len) {
        const char *end = memchr(lines.data, '\n', lines.len);
        size_t len = end ? (size_t)(end - lines.data) + 1 : lines.len;

        keep_line(tape, (struct uns_slice){lines.data, len});
        lines.data += len;
        lines.len -= len;
    }
}

static void add_headers(const struct uns_attempt *a, cJSON *object)
{
    const struct uns_tape *tape = a->tape;
    cJSON *headers = cJSON_AddObjectToObject(object, "headers");

    for (size_t i = 0; i < tape->headers; i++)
        if (a->opaque || strcmp(tape->header[i].name, "content-encoding") != 0)
            cJSON_AddStringToObject(headers, tape->header[i].name,
                                    tape->header[i].value);
}

/* malloc'd; NULL: no memory. */
static char *print_header(const struct uns_attempt *a, uns_ns now_ns)
{
    const struct uns_call *call = a->call;
    struct uns_origin origin = uns_origin_of(call, a->source);
    cJSON *object = cJSON_CreateObject();
    uns_ns head_ns = a->tape->head_ns ? a->tape->head_ns : now_ns;
    char *text, path[PATH_BYTES], model[MODEL_BYTES];
    char name[UNS_FACTS_NAME_BYTES];

    (void)snprintf(path, sizeof path, "%.*s", (int)call->url.path.len,
                   call->url.path.data);
    cJSON_AddNumberToObject(object, "unstall_capture", 1);
    cJSON_AddStringToObject(object, "version", UNS_VERSION);
    uns_facts_name(call, name);
    cJSON_AddStringToObject(object, "call", name);
    cJSON_AddStringToObject(object, "source",
                            a->source ? a->source->name : "primary");
    cJSON_AddNumberToObject(object, "attempt", a->seq);
    cJSON_AddStringToObject(object, "origin", origin.text);
    cJSON_AddStringToObject(object, "path", path);
    cJSON_AddStringToObject(object, "dialect",
                            uns_dialect_name(call->request.dialect));
    uns_request_model(&call->request, model, sizeof model);
    cJSON_AddStringToObject(object, "model", model);
    cJSON_AddBoolToObject(object, "streams", call->request.streams);
    cJSON_AddNumberToObject(object, "status", a->head.status);
    cJSON_AddNumberToObject(object, "head_ns", (double)(head_ns - a->start_ns));
    add_headers(a, object);
    text = cJSON_PrintUnformatted(object);
    cJSON_Delete(object);
    return text;
}

/* Whatever goes wrong is the end of the tape. */
static void add(struct uns_tape *tape, const struct uns_slice *slices,
                size_t count)
{
    if (uns_tape_file_add(&tape->file, slices, count) != UNS_OK)
        tape->ended = true;
}

static void begin(const struct uns_attempt *a, uns_ns now_ns)
{
    struct uns_tape *tape = a->tape;
    char *text;

    if (tape->begun || tape->ended)
        return;
    tape->begun = true;
    text = print_header(a, now_ns);
    if (text != NULL && uns_tape_file_make(&tape->file, uns_root_capture(),
                                           a->call->number, a->seq) == UNS_OK)
        add(tape,
            (const struct uns_slice[]){
                uns_slice_of(text), {"\n", 1}
        },
            2);
    else
        tape->ended = true;
    free(text);
}

static void add_end(const struct uns_attempt *a, uns_ns now_ns, const char *how)
{
    char line[96];

    (void)snprintf(line, sizeof line, "@%lld end %s\n",
                   (long long)(now_ns - a->start_ns), how);
    add(a->tape, &(struct uns_slice){line, strlen(line)}, 1);
    a->tape->ended = true;
}

void uns_tape_body(const struct uns_attempt *a, struct uns_slice piece)
{
    struct uns_tape *tape = a->tape;
    char line[64];

    if (!tape || !piece.len)
        return;
    begin(a, a->piece_ns);
    if (tape->ended)
        return;
    if (tape->file.size + piece.len > UNS_TAPE_BYTES) {
        add_end(a, a->piece_ns, "full");
        return;
    }
    (void)snprintf(line, sizeof line, "@%lld %zu\n",
                   (long long)(a->piece_ns - a->start_ns), piece.len);
    add(tape,
        (const struct uns_slice[]){
            {line, strlen(line)},
            piece, {"\n", 1           }
    },
        3);
}

/* Did the connection end, or did the client go? */
static bool client_left(const struct uns_attempt *a)
{
    return a->cancelled || !a->done || a->code == CURLE_OPERATION_TIMEDOUT ||
           a->code == CURLE_ABORTED_BY_CALLBACK || a->code == CURLE_WRITE_ERROR;
}

void uns_tape_end(const struct uns_attempt *a, uns_ns now_ns)
{
    char how[32] = "whole";

    if (!a->tape || a->tape->ended)
        return;
    begin(a, now_ns);
    if (client_left(a))
        (void)snprintf(how, sizeof how, "left %d", a->done ? (int)a->code : -1);
    else if (a->code != CURLE_OK)
        (void)snprintf(how, sizeof how, "lost %d", (int)a->code);
    if (!a->tape->ended)
        add_end(a, now_ns, how);
}

void uns_tape_free(struct uns_attempt *a)
{
    uns_tape_end(a, uns_clock_now());
    free(a->tape);
    a->tape = NULL;
}
