/* SPDX-License-Identifier: MIT */
/* callbacks - what libcurl calls: each tells what it got, and does what the
 * verbs want done inside of it. */
#include "easy.h"

#include <string.h>
#include <unistd.h>

static size_t other_body(char *bytes, size_t size, size_t count, void *arg)
{
    struct run *run = ((struct sink *)arg)->run;

    run->pieces++;
    easy_tell(run, "other", (long)(size * count));
    return easy_put(run, bytes, size * count);
}

static void begin_pause(struct run *run, const char *how)
{
    run->pause = PAUSED;
    clock_gettime(CLOCK_MONOTONIC, &run->paused_at);
    easy_tell(run, how, 1);
}

static int pauses(struct run *run, long at, long now, const char *how)
{
    if (run->pause == PAUSED) /* nothing may be given meanwhile */
        easy_tell(run, "pause ignored", now);
    if (now != at || run->pause != NOT_YET)
        return 0;
    begin_pause(run, how);
    return 1;
}

static int other_progress(void *arg, curl_off_t dltotal, curl_off_t dlnow,
                          curl_off_t ultotal, curl_off_t ulnow)
{
    struct run *run = arg;

    (void)dltotal, (void)dlnow, (void)ultotal, (void)ulnow;
    run->others++;
    return 0;
}

/* What is to happen inside the write callback, once the piece is taken. */
static void act(struct run *run)
{
    const struct verbs *v = run->verbs;
    long at = run->pieces;

    if (v->info && at <= 2)
        easy_look(run);
    if (v->fields && at <= 2)
        easy_look_at_fields(run);
    if (at == v->dup_at)
        easy_use_copy(run, curl_easy_duphandle(run->curl));
    if (at == v->dup_later)
        run->copy = curl_easy_duphandle(run->curl);
    if (at == v->reset_at)
        curl_easy_reset(run->curl);
    if (at == v->copy_at)
        curl_easy_setopt(run->curl, CURLOPT_COPYPOSTFIELDS, "another");
    if (at == v->swap_at)
        curl_easy_setopt(run->curl, CURLOPT_WRITEFUNCTION, other_body);
    if (at == v->swap_data_at)
        curl_easy_setopt(run->curl, CURLOPT_WRITEDATA, &run->second);
    if (at == v->swap_progress)
        curl_easy_setopt(run->curl, CURLOPT_XFERINFOFUNCTION, other_progress);
    if (at == v->nest_at)
        easy_nest(run);
    if (pauses(run, v->pause_call_at, at, "pause call"))
        easy_tell(run, "paused", curl_easy_pause(run->curl, CURLPAUSE_RECV));
    if (at == v->end_at)
        curl_easy_cleanup(run->curl);
}

size_t easy_on_body(char *bytes, size_t size, size_t count, void *arg)
{
    const struct sink *sink = arg;
    struct run *run = sink->run;
    const struct verbs *v = run->verbs;
    size_t len = size * count;

    if (pauses(run, v->pause_at, run->pieces + 1, "pause"))
        return CURL_WRITEFUNC_PAUSE;
    run->pieces++;
    easy_tell(run, sink->name, (long)len);
    if (run->pieces == v->abort_at)
        return len - 1;
    act(run);
    return easy_put(run, bytes, len);
}

size_t easy_on_header(char *bytes, size_t size, size_t count, void *arg)
{
    struct run *run = arg;
    const struct verbs *v = run->verbs;
    size_t len = size * count;

    if (pauses(run, v->pause_header_at, run->headers + 1, "pause header"))
        return CURL_WRITEFUNC_PAUSE;
    run->headers++;
    if (!v->quiet)
        fprintf(stderr, "header %.*s", (int)len, bytes);
    if (run->headers == v->nest_header_at)
        easy_nest(run);
    return run->headers == v->abort_header_at ? len - 1 : len;
}

static void resume(struct run *run)
{
    long lasts = run->verbs->pause_for_ms ? run->verbs->pause_for_ms : 200;

    if (run->pause != PAUSED || easy_ms_since(&run->paused_at) < (double)lasts)
        return;
    run->pause = RESUMED;
    easy_tell(run, "resume", 0);
    easy_tell(run, "resumed", curl_easy_pause(run->curl, CURLPAUSE_CONT));
}

int easy_on_progress(void *arg, curl_off_t dltotal, curl_off_t dlnow,
                     curl_off_t ultotal, curl_off_t ulnow)
{
    struct run *run = arg;
    const struct verbs *v = run->verbs;
    double ms = easy_ms_since(&run->begun_at);

    (void)dltotal, (void)dlnow, (void)ultotal, (void)ulnow;
    run->progress_calls++;
    if (v->progress_busy_ms && run->pieces >= 5 && !run->was_busy) {
        run->was_busy = 1;
        usleep((useconds_t)v->progress_busy_ms * 1000);
    }
    if (v->pause_after_ms && ms > (double)v->pause_after_ms &&
        run->pause == NOT_YET) {
        begin_pause(run, "pause progress");
        easy_tell(run, "paused", curl_easy_pause(run->curl, CURLPAUSE_RECV));
    }
    resume(run);
    return (v->progress_abort_ms && ms > (double)v->progress_abort_ms) ||
           (v->progress_abort_at && run->pieces >= v->progress_abort_at);
}

size_t easy_on_read(char *out, size_t size, size_t count, void *arg)
{
    struct run *run = arg;
    size_t left = strlen(run->body + run->read_at);
    size_t len = left < 7 ? left : 7;

    if (run->verbs->read_abort && run->read_at > 20)
        return CURL_READFUNC_ABORT;
    if (len > size * count)
        len = size * count;
    if (run->verbs->read_ms)
        usleep((useconds_t)run->verbs->read_ms * 1000);
    memcpy(out, run->body + run->read_at, len);
    run->read_at += len;
    return len;
}

int easy_on_seek(void *arg, curl_off_t offset, int origin)
{
    struct run *run = arg;

    easy_tell(run, "seek", (long)offset + origin);
    run->read_at = (size_t)offset;
    return CURL_SEEKFUNC_OK;
}

curlioerr easy_on_ioctl(CURL *curl, int command, void *arg)
{
    struct run *run = arg;

    easy_tell(run, curl == run->curl ? "ioctl" : "ioctl of a stranger",
              command);
    run->read_at = 0;
    return CURLIOE_OK;
}
