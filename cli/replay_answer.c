/* SPDX-License-Identifier: MIT */
/*
 * replay_answer - one request, one answer, one connection: "Connection: close"
 * spares the question where the next request begins.  Each captured piece is
 * a chunk of its own.  What the client had left in the middle, or was killed
 * in, stays silent from there on, until this client goes too.
 */
#include "replay.h"

#include "core/ascii.h"

#include <stdlib.h>
#include <string.h>

void uns_replay_init(struct uns_replay *replay,
                     const struct uns_tape_text *tape, double speed, FILE *out)
{
    *replay = (struct uns_replay){.tape = tape, .speed = speed, .out = out};
}

static uns_ns scaled(const struct uns_replay *replay, uns_ns at_ns)
{
    return replay->begin_ns + (uns_ns)((double)at_ns / replay->speed);
}

/* The value of a request header; empty: there is none. */
static struct uns_slice request_header(const struct uns_replay *replay,
                                       const char *name)
{
    const char *line = replay->head;
    size_t len = strlen(name);

    while ((line = strchr(line, '\n')) != NULL) {
        line++;
        if (strncasecmp(line, name, len) != 0 || line[len] != ':')
            continue;
        line += len + 1;
        line += strspn(line, " \t");
        return (struct uns_slice){line, strcspn(line, "\r\n")};
    }
    return (struct uns_slice){"", 0};
}

/* The body is not looked at.  One in chunks is known to end by its last
 * bytes alone, so it is not waited for. */
static bool begin_answer(struct uns_replay *replay, uns_ns now_ns)
{
    struct uns_slice length = request_header(replay, "content-length");
    char *end;
    unsigned long long left = length.len ? strtoull(length.data, &end, 10) : 0;

    if (strncmp(replay->head, "POST ", 5) != 0 &&
        strncmp(replay->head, "GET ", 4) != 0)
        return false;
    if (request_header(replay, "expect").len)
        fputs("HTTP/1.1 100 Continue\r\n\r\n", replay->out);
    replay->head_whole = true;
    replay->body_left = (size_t)left;
    replay->begin_ns = now_ns;
    return true;
}

/* Returns how many bytes were of the request's head; SIZE_MAX: too many. */
static size_t take_head(struct uns_replay *replay, struct uns_slice bytes)
{
    size_t room = sizeof replay->head - 1 - replay->head_len;
    size_t len = bytes.len < room ? bytes.len : room;
    size_t before = replay->head_len;
    char *end;

    memcpy(replay->head + before, bytes.data, len);
    replay->head_len += len;
    replay->head[replay->head_len] = '\0';
    end = strstr(replay->head, "\r\n\r\n");
    if (end == NULL)
        return replay->head_len == sizeof replay->head - 1 ? SIZE_MAX : len;
    end[2] = '\0';
    return (size_t)(end + 4 - replay->head) - before;
}

bool uns_replay_take(struct uns_replay *replay, struct uns_slice bytes,
                     uns_ns now_ns)
{
    if (replay->state != UNS_REPLAY_READING)
        return true;
    if (!replay->head_whole) {
        size_t used = take_head(replay, bytes);

        if (used == SIZE_MAX)
            return false;
        bytes.data += used;
        bytes.len -= used;
        if (strlen(replay->head) == replay->head_len)
            return true; /* not whole yet */
        if (!begin_answer(replay, now_ns))
            return false;
    }
    replay->body_left -=
        bytes.len < replay->body_left ? bytes.len : replay->body_left;
    if (replay->body_left == 0)
        replay->state = UNS_REPLAY_ANSWERING;
    return true;
}

static void send_head(struct uns_replay *replay)
{
    static const char *const names[] = {
        "content-type",   "content-encoding", "retry-after",
        "retry-after-ms", "x-should-retry",
    };

    replay->head_sent = true;
    fprintf(replay->out, "HTTP/1.1 %d Replayed\r\n", replay->tape->status);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *value = uns_tape_read_header(replay->tape, names[i]);

        if (value != NULL && strpbrk(value, "\r\n") == NULL)
            fprintf(replay->out, "%s: %s\r\n", names[i], value);
    }
    fputs("Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n",
          replay->out);
}

static void send_piece(struct uns_replay *replay)
{
    const struct uns_tape_piece *piece = &replay->tape->piece[replay->next++];

    if (piece->bytes.len == 0)
        return; /* it would be the end */
    fprintf(replay->out, "%zx\r\n", piece->bytes.len);
    fwrite(piece->bytes.data, 1, piece->bytes.len, replay->out);
    fputs("\r\n", replay->out);
}

/* Of what comes next; UNS_NEVER: nothing does. */
static uns_ns next_ns(const struct uns_replay *replay)
{
    const struct uns_tape_text *tape = replay->tape;

    if (!replay->head_sent && tape->status != 0)
        return tape->head_ns;
    if (replay->next < tape->pieces)
        return tape->piece[replay->next].at_ns;
    if (tape->how == UNS_TAPE_WHOLE || tape->how == UNS_TAPE_LOST ||
        tape->how == UNS_TAPE_FULL)
        return tape->end_ns;
    return UNS_NEVER;
}

static void send_next(struct uns_replay *replay)
{
    const struct uns_tape_text *tape = replay->tape;

    if (!replay->head_sent && tape->status != 0) {
        send_head(replay);
        return;
    }
    if (replay->next < tape->pieces) {
        send_piece(replay);
        return;
    }
    if (tape->how == UNS_TAPE_WHOLE)
        fputs("0\r\n\r\n", replay->out);
    replay->state = UNS_REPLAY_OVER;
}

uns_ns uns_replay_deadline(const struct uns_replay *replay)
{
    uns_ns at_ns;

    if (replay->state != UNS_REPLAY_ANSWERING)
        return UNS_NEVER;
    at_ns = next_ns(replay);
    return at_ns == UNS_NEVER ? UNS_NEVER : scaled(replay, at_ns);
}

void uns_replay_pump(struct uns_replay *replay, uns_ns now_ns)
{
    while (uns_replay_deadline(replay) <= now_ns)
        send_next(replay);
}
