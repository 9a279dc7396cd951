/* SPDX-License-Identifier: MIT */
/* tape_read - a cursor over the text.  Nothing is copied: pieces are slices. */
#include "tape_read.h"

#include <stdlib.h>
#include <string.h>

#define BEGIN  "{\"unstall_capture\":"
#define FORMAT 1

static const struct {
    const char *word;
    enum uns_tape_how how;
} ends[] = {
    {"whole", UNS_TAPE_WHOLE},
    {"lost",  UNS_TAPE_LOST },
    {"left",  UNS_TAPE_LEFT },
    {"full",  UNS_TAPE_FULL },
};

bool uns_tape_read_is(struct uns_slice text)
{
    size_t len = strlen(BEGIN);

    return text.len >= len && memcmp(text.data, BEGIN, len) == 0;
}

/* The next line without its end.  False: there is no whole one. */
static bool take_line(struct uns_slice *rest, struct uns_slice *ret_line)
{
    const char *end = rest->len ? memchr(rest->data, '\n', rest->len) : NULL;

    if (end == NULL)
        return false;
    *ret_line = (struct uns_slice){rest->data, (size_t)(end - rest->data)};
    rest->len -= ret_line->len + 1;
    rest->data = end + 1;
    return true;
}

/* Digits up to a space or the end; what follows is left in *line. */
static bool take_number(struct uns_slice *line, int64_t *ret_number)
{
    int64_t number = 0;
    size_t i = 0;

    for (; i < line->len && line->data[i] >= '0' && line->data[i] <= '9'; i++) {
        if (number > (INT64_MAX - 9) / 10)
            return false;
        number = number * 10 + (line->data[i] - '0');
    }
    if (i == 0 || (i < line->len && line->data[i] != ' '))
        return false;
    i += i < line->len;
    line->data += i;
    line->len -= i;
    *ret_number = number;
    return true;
}

/* "end whole", "end lost 56" */
static bool take_end(struct uns_slice line, struct uns_tape_text *tape)
{
    static const char before[] = "end ";
    const size_t skip = sizeof before - 1;

    if (line.len < skip || memcmp(line.data, before, skip) != 0)
        return false;
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        size_t len = strlen(ends[i].word);

        if (line.len - skip < len ||
            memcmp(line.data + skip, ends[i].word, len) != 0)
            continue;
        tape->how = ends[i].how;
        return true;
    }
    return false;
}

static bool add_piece(struct uns_tape_text *tape, size_t *room,
                      struct uns_tape_piece piece)
{
    struct uns_tape_piece *more;

    if (tape->pieces == *room) {
        *room = *room ? *room * 2 : 64;
        more = realloc(tape->piece, *room * sizeof *more);
        if (more == NULL)
            return false;
        tape->piece = more;
    }
    tape->piece[tape->pieces++] = piece;
    return true;
}

/* NULL: go on while there is more. */
static const char *take_record(struct uns_slice *rest, size_t *room,
                               struct uns_tape_text *tape)
{
    struct uns_slice line;
    int64_t at_ns, len;

    if (!take_line(rest, &line)) {
        rest->len = 0;
        return NULL;
    }
    if (line.len == 0 || *line.data != '@')
        return "a line with a time is expected";
    line.data++;
    line.len--;
    if (!take_number(&line, &at_ns))
        return "a line's time is none";
    tape->end_ns = at_ns > tape->end_ns ? at_ns : tape->end_ns;
    if (take_end(line, tape)) {
        rest->len = 0;
        return NULL;
    }
    if (!take_number(&line, &len))
        return "a line's length is none";
    if ((uint64_t)len >= rest->len) {
        rest->len = 0; /* cut off in the middle of it */
        return NULL;
    }
    if (!add_piece(tape, room,
                   (struct uns_tape_piece){
                       tape->end_ns, {rest->data, (size_t)len}
    }))
        return "out of memory";
    rest->data += len + 1;
    rest->len -= (size_t)len + 1;
    return NULL;
}

static double number_of(const cJSON *object, const char *name)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, name);

    return cJSON_IsNumber(item) ? item->valuedouble : 0;
}

static const char *read_header(struct uns_slice *rest,
                               struct uns_tape_text *tape)
{
    struct uns_slice line;
    double status, head_ns;

    if (!uns_tape_read_is(*rest) || !take_line(rest, &line))
        return "it is no capture";
    tape->header = cJSON_ParseWithLength(line.data, line.len);
    if (tape->header == NULL)
        return "its first line is no JSON";
    if (number_of(tape->header, "unstall_capture") != FORMAT)
        return "it is of a later version of unstall";
    status = number_of(tape->header, "status");
    head_ns = number_of(tape->header, "head_ns");
    if (status != 0 && !(status >= 100 && status <= 999))
        return "its status is none";
    tape->status = (int)status;
    tape->head_ns = head_ns >= 0 && head_ns < 9e18 ? (uns_ns)head_ns : 0;
    return NULL;
}

const char *uns_tape_read(struct uns_slice text, struct uns_tape_text *ret_tape)
{
    struct uns_slice rest = text;
    size_t room = 0;
    const char *wrong;

    *ret_tape = (struct uns_tape_text){0};
    wrong = read_header(&rest, ret_tape);
    if (wrong == NULL)
        ret_tape->end_ns = ret_tape->head_ns;
    while (wrong == NULL && rest.len > 0)
        wrong = take_record(&rest, &room, ret_tape);
    if (wrong != NULL)
        uns_tape_read_done(ret_tape);
    return wrong;
}

void uns_tape_read_done(struct uns_tape_text *tape)
{
    cJSON_Delete(tape->header);
    free(tape->piece);
    *tape = (struct uns_tape_text){0};
}

const char *uns_tape_read_word(const struct uns_tape_text *tape,
                               const char *name)
{
    return cJSON_GetStringValue(
        cJSON_GetObjectItemCaseSensitive(tape->header, name));
}

const char *uns_tape_read_header(const struct uns_tape_text *tape,
                                 const char *name)
{
    const cJSON *headers =
        cJSON_GetObjectItemCaseSensitive(tape->header, "headers");

    return cJSON_GetStringValue(
        cJSON_GetObjectItemCaseSensitive(headers, name));
}
