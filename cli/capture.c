/* SPDX-License-Identifier: MIT */

/*
 * Reading a captured body, and adding up its payload by kind.  The kind of a
 * text, and whether the event that holds it counts, is told after the text:
 * so texts wait in `open`, then in `fresh`, until their event has ended.
 */

#include "cli/capture.h"

#include "cli/tape_read.h"
#include "core/ascii.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

static bool append(struct uns_text *text, const char *bytes, size_t len)
{
    if (text->size - text->len <= len) {
        size_t size = (text->len + len + 64) * 2;
        char *data = realloc(text->data, size);
        if (data == NULL) {
            return false;
        }
        text->data = data;
        text->size = size;
    }
    memcpy(text->data + text->len, bytes, len);
    text->len += len;
    text->data[text->len] = '\0';
    return true;
}

static void clear(struct uns_text *text)
{
    text->len = 0;
}

/* ---- the file ---- */

static int read_all(struct uns_text *into, FILE *file)
{
    char piece[65536];
    size_t n;

    while ((n = fread(piece, 1, sizeof piece, file)) != 0) {
        if (!append(into, piece, n)) {
            return ENOMEM;
        }
    }
    return ferror(file) ? EIO : 0;
}

static struct uns_slice next_line(struct uns_slice *rest)
{
    const char *lf = memchr(rest->data, '\n', rest->len);
    size_t len = lf != NULL ? (size_t)(lf - rest->data) : rest->len;
    struct uns_slice line = {rest->data, len};
    size_t used = lf != NULL ? len + 1 : len;

    rest->data += used;
    rest->len -= used;
    if (line.len != 0 && line.data[line.len - 1] == '\r') {
        line.len--;
    }
    return line;
}

static bool begins(struct uns_slice text, const char *word)
{
    struct uns_slice wanted = uns_slice_of(word);

    return text.len >= wanted.len &&
           uns_same_fold((struct uns_slice){text.data, wanted.len}, wanted);
}

static struct uns_slice without_spaces(struct uns_slice text)
{
    while (text.len != 0 && *text.data == ' ') {
        text.data++;
        text.len--;
    }
    return text;
}

/* One block of headers, up to its blank line. */
static void skip_block(struct uns_capture *capture)
{
    static const char field[] = "content-type:";
    const size_t width = sizeof field - 1;
    struct uns_slice line = next_line(&capture->body);

    capture->type = (struct uns_slice){"", 0};
    while (line.len != 0) {
        if (begins(line, field)) {
            capture->type = without_spaces(
                (struct uns_slice){line.data + width, line.len - width});
        }
        line = next_line(&capture->body);
    }
}

/* `curl -i` writes the headers, too, of every response on the way. */
static void skip_headers(struct uns_capture *capture)
{
    while (begins(capture->body, "HTTP/")) {
        skip_block(capture);
    }
}

int uns_capture_load(struct uns_text *text, const char *path)
{
    FILE *file = strcmp(path, "-") == 0 ? stdin : fopen(path, "rb");

    if (file == NULL) {
        return errno;
    }
    int error = append(text, "", 0) ? read_all(text, file) : ENOMEM;
    if (file != stdin) {
        (void)fclose(file);
    }
    if (error != 0) {
        free(text->data);
    }
    return error;
}

/* The pieces one behind the other, where they are. */
static int join_tape(struct uns_capture *capture)
{
    struct uns_tape_text tape;
    char *at = capture->bytes;

    if (uns_tape_read(capture->body, &tape) != NULL) {
        return EBADMSG;
    }
    for (size_t i = 0; i < tape.pieces; i++) {
        struct uns_slice piece = tape.piece[i].bytes;
        memmove(at, piece.data, piece.len);
        at += piece.len;
    }
    capture->body =
        (struct uns_slice){capture->bytes, (size_t)(at - capture->bytes)};
    uns_tape_read_done(&tape);
    return 0;
}

int uns_capture_read(struct uns_capture *ret_capture, const char *path)
{
    struct uns_text text = {0};
    int error = uns_capture_load(&text, path);

    if (error != 0) {
        return error;
    }
    *ret_capture = (struct uns_capture){
        text.data, {text.data, text.len},
         {"",        0       }
    };
    if (uns_tape_read_is(ret_capture->body)) {
        error = join_tape(ret_capture);
    } else {
        skip_headers(ret_capture);
    }
    if (error != 0) {
        uns_capture_done(ret_capture);
    }
    return error;
}

void uns_capture_done(struct uns_capture *capture)
{
    free(capture->bytes);
    capture->bytes = NULL;
}

/* ---- the sink ---- */

/* A NUL would end the text where it is printed: U+FFFD stands for it. */
static void on_text(void *ctx, const char *bytes, size_t len)
{
    struct uns_answer *answer = ctx;

    while (len != 0) {
        const char *nul = memchr(bytes, '\0', len);
        size_t plain = nul != NULL ? (size_t)(nul - bytes) : len;
        size_t used = nul != NULL ? plain + 1 : len;
        answer->nomem |= !append(&answer->open, bytes, plain);
        if (nul != NULL) {
            answer->nomem |= !append(&answer->open, "\xEF\xBF\xBD", 3);
        }
        bytes += used;
        len -= used;
    }
}

static void on_kind(void *ctx, enum uns_kind kind)
{
    struct uns_answer *answer = ctx;

    if (kind < UNS_KIND_COUNT && answer->open.len != 0) {
        answer->nomem |=
            !append(&answer->fresh[kind], answer->open.data, answer->open.len);
    }
    clear(&answer->open);
}

static void on_event(void *ctx, const struct uns_event *event)
{
    struct uns_answer *answer = ctx;

    for (unsigned kind = 0; kind < UNS_KIND_COUNT; kind++) {
        struct uns_text *fresh = &answer->fresh[kind];
        if (event->restart) {
            clear(&answer->text[kind]);
        }
        if ((event->kinds >> kind & 1) == 0) {
            clear(fresh);
            continue;
        }
        answer->chunks[kind]++;
        if (fresh->len != 0) {
            answer->nomem |=
                !append(&answer->text[kind], fresh->data, fresh->len);
        }
    }
    if (answer->event != NULL) {
        answer->event(answer->ctx, event, answer);
    }
    clear(&answer->open);
    for (unsigned kind = 0; kind < UNS_KIND_COUNT; kind++) {
        clear(&answer->fresh[kind]);
    }
}

struct uns_sink uns_answer_sink(struct uns_answer *answer)
{
    return (struct uns_sink){answer, on_text, on_kind, on_event};
}

void uns_answer_done(struct uns_answer *answer)
{
    free(answer->open.data);
    for (unsigned kind = 0; kind < UNS_KIND_COUNT; kind++) {
        free(answer->text[kind].data);
        free(answer->fresh[kind].data);
    }
}
