/* SPDX-License-Identifier: MIT */
#include "wire_watch.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

static void watch_text(void *ctx, const char *bytes, size_t len)
{
    struct watch *watch = ctx;

    if (watch->fresh_len + len > WATCH_TEXT)
        return;
    memcpy(watch->fresh + watch->fresh_len, bytes, len);
    watch->fresh_len += len;
}

static void watch_kind(void *ctx, enum uns_kind kind)
{
    struct watch *watch = ctx;

    if (kind != UNS_KIND_COUNT && watch->parts < ROWS(watch->part)) {
        watch->part[watch->parts].kind = kind;
        watch->part[watch->parts].begin = watch->settled;
        watch->part[watch->parts++].end = watch->fresh_len;
    }
    watch->settled = watch->fresh_len;
}

static void watch_keep(struct watch *watch, unsigned kinds)
{
    for (size_t i = 0; i < watch->parts; i++) {
        enum uns_kind kind = watch->part[i].kind;
        size_t n = watch->part[i].end - watch->part[i].begin;

        if ((kinds >> kind & 1) == 0 || watch->len[kind] + n >= WATCH_TEXT)
            continue;
        memcpy(watch->text[kind] + watch->len[kind],
               watch->fresh + watch->part[i].begin, n);
        watch->len[kind] += n;
        watch->text[kind][watch->len[kind]] = '\0';
    }
}

static void watch_event(void *ctx, const struct uns_event *event)
{
    struct watch *watch = ctx;
    int n = snprintf(watch->log + watch->log_len, WATCH_LOG - watch->log_len,
                     "%llu news=%u kinds=%u %s%s%.*s\n",
                     (unsigned long long)event->offset, event->news,
                     event->kinds, event->keepalive ? "keepalive " : "",
                     event->restart ? "restart " : "", (int)event->type.len,
                     event->type.len ? event->type.data : "");

    watch->log_len += n > 0 ? (size_t)n : 0;
    if (watch->log_len >= WATCH_LOG)
        watch->log_len = WATCH_LOG - 1;
    for (unsigned kind = 0; kind < UNS_KIND_COUNT; kind++) {
        if (event->restart) {
            watch->len[kind] = 0;
            watch->text[kind][0] = '\0';
        }
        watch->chunks[kind] += event->kinds >> kind & 1;
    }
    watch_keep(watch, event->kinds);
    watch->fresh_len = watch->settled = watch->parts = 0;
}

void watch_begin(struct watch *watch, enum uns_dialect dialect, bool streamed,
                 const char *type)
{
    watch->news = 0;
    watch->log_len = watch->fresh_len = watch->settled = watch->parts = 0;
    watch->log[0] = '\0';
    for (unsigned kind = 0; kind < UNS_KIND_COUNT; kind++) {
        watch->len[kind] = watch->chunks[kind] = 0;
        watch->text[kind][0] = '\0';
    }
    watch->sink = (struct uns_sink){watch, watch_text, watch_kind, watch_event};
    uns_stream_init(&watch->stream, dialect, streamed, &watch->sink);
    if (type != NULL)
        uns_stream_type(&watch->stream, type, strlen(type));
}

/* Feed from a block of exactly that size. */
static void watch_feed(struct watch *watch, const char *bytes, size_t len)
{
    char *copy = malloc(len ? len : 1);

    assert_non_null(copy);
    memcpy(copy, bytes, len);
    watch->news |= uns_stream_feed(&watch->stream, copy, len);
    free(copy);
}

static void watch_end(struct watch *watch)
{
    watch->news |= uns_stream_end(&watch->stream);
}

/* --- ways of cutting ------------------------------------------------------ */

void watch_pieces(struct watch *watch, const struct watch_body *body,
                  size_t first, size_t step)
{
    watch_begin(watch, body->dialect, !body->document, body->type);
    watch_feed(watch, body->bytes, first);
    for (size_t at = first; at < body->len; at += step) {
        size_t left = body->len - at;
        watch_feed(watch, body->bytes + at, left < step ? left : step);
    }
    watch_end(watch);
}

void watch_whole(struct watch *watch, const struct watch_body *body)
{
    watch_pieces(watch, body, body->len, 1);
}

void watch_random(struct watch *watch, const struct watch_body *body,
                  uint32_t seed, size_t most)
{
    watch_begin(watch, body->dialect, !body->document, body->type);
    for (size_t at = 0; at < body->len;) {
        seed = seed * 1664525 + 1013904223;
        size_t n = 1 + (seed >> 8) % most;
        n = n < body->len - at ? n : body->len - at;
        watch_feed(watch, body->bytes + at, n);
        at += n;
    }
    watch_end(watch);
}

void watch_guarded(struct watch *watch, const struct watch_body *body,
                   size_t cut)
{
    size_t page = 4096;
    size_t room = (body->len / page + 1) * page;
    char *map = mmap(NULL, room + page, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    assert_true(map != MAP_FAILED);
    assert_int_equal(mprotect(map + room, page, PROT_NONE), 0);
    watch_begin(watch, body->dialect, !body->document, body->type);
    memcpy(map + room - cut, body->bytes, cut);
    watch->news |= uns_stream_feed(&watch->stream, map + room - cut, cut);
    size_t rest = body->len - cut;
    memcpy(map + room - rest, body->bytes + cut, rest);
    watch->news |= uns_stream_feed(&watch->stream, map + room - rest, rest);
    watch_end(watch);
    munmap(map, room + page);
}

/* --- comparing ------------------------------------------------------------ */

const char *watch_end_word(const struct watch *watch)
{
    const struct uns_stream *s = &watch->stream;

    if (s->truncated)
        return "truncated";
    if (s->phase != UNS_PHASE_NONE)
        return "error";
    return s->ended ? "done" : s->finished ? "eof" : "truncated";
}

const char *watch_error(const struct watch *watch)
{
    static const char *const phases[] = {"", "first:", "mid:", "after_finish:"};
    static char word[2 * UNS_WORD_BYTES];

    snprintf(word, sizeof word, "%s%s", phases[watch->stream.phase],
             watch->stream.error);
    return word;
}

void watch_same(const char *row, const struct watch *got,
                const struct watch *want)
{
    const struct uns_stream *g = &got->stream, *w = &want->stream;

    CHECK_TEXT(row, got->log, want->log);
    CHECK_INT(row, got->news, want->news);
    CHECK_INT(row, g->bytes, w->bytes);
    CHECK_INT(row, g->events, w->events);
    CHECK_INT(row, g->content, w->content);
    CHECK_INT(row, g->structural, w->structural);
    CHECK_INT(row, g->keepalives, w->keepalives);
    CHECK_INT(row, g->tokens_in, w->tokens_in);
    CHECK_INT(row, g->tokens_out, w->tokens_out);
    CHECK_TEXT(row, g->finish, w->finish);
    CHECK_TEXT(row, g->error, w->error);
    CHECK_TEXT(row, g->error_code, w->error_code);
    CHECK_TEXT(row, g->model, w->model);
    for (unsigned kind = 0; kind < UNS_KIND_COUNT; kind++)
        CHECK_TEXT(row, got->text[kind], want->text[kind]);
}
