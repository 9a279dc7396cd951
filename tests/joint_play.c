/* SPDX-License-Identifier: MIT */
#include "joint_play.h"

#include <stdlib.h>

static void *play_resize(void *ctx, void *old, size_t size)
{
    struct play_heap *heap = ctx;

    if (heap->fail_at && ++heap->asked >= heap->fail_at)
        return NULL;
    heap->live += old == NULL;
    return realloc(old, size);
}

static void play_release(void *ctx, void *old)
{
    ((struct play_heap *)ctx)->live--;
    free(old);
}

bool play_pass(void *ctx, struct uns_slice frame)
{
    struct play *play = ctx;

    assert_true(play->len + frame.len < PLAY_BYTES);
    memcpy(play->out + play->len, frame.data, frame.len);
    play->len += frame.len;
    play->out[play->len] = '\0';
    play->frames++;
    return true;
}

void play_begin(struct play *play, enum uns_dialect dialect)
{
    play->memory = (struct play_heap){0};
    play->heap = (struct uns_heap){&play->memory, play_resize, play_release};
    play->len = play->frames = 0;
    uns_told_init(&play->told, dialect, &play->heap, PLAY_BYTES);
}

void play_tell(struct play *play, const char *bytes, size_t len)
{
    size_t good = uns_told_hear(&play->told, bytes, len);

    (void)play_pass(play, (struct uns_slice){bytes, good});
    play->frames = 0;
}

enum uns_joint_state play_join(struct play *play, enum uns_joint_how how,
                               const char *bytes, size_t step)
{
    size_t len = strlen(bytes);

    uns_joint_init(&play->joint, &play->told, how);
    uns_joint_to(&play->joint, play_pass, play);
    for (size_t at = 0; at < len; at += step) {
        step = step && step < len - at ? step : len - at;
        uns_joint_feed(&play->joint, bytes + at, step);
    }
    return uns_joint_end(&play->joint);
}

void play_end(struct play *play)
{
    uns_joint_done(&play->joint);
    uns_told_done(&play->told);
    CHECK_INT("memory", play->memory.live, 0);
}

static void play_on_text(void *ctx, const char *bytes, size_t len)
{
    struct play_reading *r = ctx;

    memcpy(r->piece + r->piece_len, bytes, len);
    r->piece_len += len;
}

static void play_on_kind(void *ctx, enum uns_kind kind)
{
    struct play_reading *r = ctx;

    if (kind == UNS_KIND_TEXT) {
        memcpy(r->text + r->len, r->piece, r->piece_len);
        r->len += r->piece_len;
    }
    r->piece_len = 0;
}

static void play_on_event(void *ctx, const struct uns_event *event)
{
    struct play_reading *r = ctx;

    if (!event->kinds)
        r->len = r->sure;
    r->sure = r->len;
    r->piece_len = 0;
    r->finishes += (event->news & UNS_NEWS_FINISH) != 0;
    r->ends += (event->news & UNS_NEWS_END) != 0;
    r->errors += (event->news & UNS_NEWS_ERROR) != 0;
    r->restarts += event->restart;
}

void play_read(struct play_reading *r, enum uns_dialect dialect,
               const char *bytes, size_t len)
{
    static struct uns_sink sink = {NULL, play_on_text, play_on_kind,
                                   play_on_event};

    memset(r, 0, sizeof *r);
    sink.ctx = r;
    uns_stream_init(&r->stream, dialect, true, &sink);
    uns_stream_feed(&r->stream, bytes, len);
    uns_stream_end(&r->stream);
    r->text[r->sure] = '\0';
}
