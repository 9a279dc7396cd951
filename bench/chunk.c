/* SPDX-License-Identifier: MIT */

/*
 * chunk - what an event of a recorded stream costs core/stream.c, which reads
 * every byte of an LLM's answer: the file is fed in pieces of one line, ROUNDS
 * times.  Run below callgrind by bench/chunk.sh, which divides.
 *
 *   chunk DIALECT FILE ROUNDS      prints bytes and events of one round
 */

#include "core/stream.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *read_file(const char *path, size_t *ret_len)
{
    FILE *file = fopen(path, "rb");
    char *bytes = malloc(1 << 20);

    if (file == NULL || bytes == NULL) {
        perror(path);
        exit(1);
    }
    *ret_len = fread(bytes, 1, 1 << 20, file);
    fclose(file);
    return bytes;
}

/* Behind the blank line; behind the line, if lines are events. */
static const char *event_end(const char *p, const char *end)
{
    const char *line = p;

    do {
        p = line;
        line = memchr(p, '\n', (size_t)(end - p));
        line = line ? line + 1 : end;
    } while (line < end && *p != '{' && line - p > 2);
    return line;
}

static uint64_t feed(enum uns_dialect dialect, const char *bytes, size_t len)
{
    struct uns_stream stream;

    uns_stream_init(&stream, dialect, true, NULL);
    for (const char *p = bytes, *end = bytes + len; p < end;) {
        const char *next = event_end(p, end);
        uns_stream_feed(&stream, p, (size_t)(next - p));
        p = next;
    }
    uns_stream_end(&stream);
    return stream.events;
}

int main(int argc, char **argv)
{
    uint64_t events = 0;
    size_t len;

    if (argc != 4) {
        return 2;
    }
    enum uns_dialect dialect = uns_dialect_by_name(argv[1], strlen(argv[1]));
    char *bytes = read_file(argv[2], &len);
    for (int i = atoi(argv[3]); i > 0; i--) {
        events = feed(dialect, bytes, len);
    }
    printf("%zu %llu\n", len, (unsigned long long)events);
    free(bytes);
    return 0;
}
