/* SPDX-License-Identifier: MIT */
/* fake_play - plays a request's beats through the handle's callbacks. */
#include "fake_parts.h"

#include "check.h"

#include <stdio.h>

enum {
    TO_WRITE = 1,
    TO_HEADER = 2
};

static long number(const struct fake_easy *easy, CURLoption id)
{
    return fake_opt(easy, id)->value.l;
}

static void end(struct fake_easy *easy, CURLcode code)
{
    char *text = fake_opt(easy, CURLOPT_ERRORBUFFER)->value.p;

    easy->done = true;
    easy->code = code;
    if (!text || code == CURLE_OK)
        return;
    if (code == CURLE_OPERATION_TIMEDOUT)
        snprintf(text, CURL_ERROR_SIZE, "fake: timed out");
    else
        snprintf(text, CURL_ERROR_SIZE, "fake: error %d", (int)code);
}

static size_t to_stdout(char *bytes, size_t size, size_t count, void *file)
{
    (void)bytes;
    (void)size;
    (void)file;
    return count;
}

static size_t call_back(const struct fake_easy *easy, unsigned to, char *bytes,
                        size_t len)
{
    CURLoption function =
        to == TO_WRITE ? CURLOPT_WRITEFUNCTION : CURLOPT_HEADERFUNCTION;
    CURLoption data = to == TO_WRITE ? CURLOPT_WRITEDATA : CURLOPT_HEADERDATA;
    curl_write_callback write =
        (curl_write_callback)fake_opt(easy, function)->value.f;
    size_t taken;

    if (!write && to == TO_HEADER && !fake_opt(easy, data)->value.p)
        return len;
    if (!write)
        write =
            (curl_write_callback)fake_opt(easy, CURLOPT_WRITEFUNCTION)->value.f;
    if (!write)
        write = to_stdout;
    fake.in_callback++;
    taken = write(bytes, 1, len, fake_opt(easy, data)->value.p);
    fake.in_callback--;
    return taken;
}

/* As lib/sendf.c: the write callback first; what a pause keeps is given
 * again, to the callbacks that had not taken it. */
static void hand(struct fake_easy *easy, unsigned to, const char *bytes,
                 size_t len)
{
    for (unsigned bit = TO_WRITE; bit <= TO_HEADER; bit <<= 1) {
        size_t taken;

        if (!(to & bit))
            continue;
        taken = call_back(easy, bit, (char *)(uintptr_t)bytes, len);
        if (taken == CURL_WRITEFUNC_PAUSE) {
            easy->paused = true;
            easy->owed = to & ~(bit - 1);
            easy->owed_bytes = bytes;
            easy->owed_len = len;
            return;
        }
        if (taken != len) {
            end(easy, CURLE_WRITE_ERROR);
            return;
        }
    }
}

static void play_head(struct fake_easy *easy)
{
    const char *at = easy->line ? easy->line : easy->beat->text;
    size_t len = strcspn(at, "\n") + 1;
    bool in_body = number(easy, CURLOPT_HEADER);

    if (!strncmp(at, "HTTP/", 5))
        sscanf(at, "%*s %d", &easy->status);
    easy->line = at + len;
    if (!*easy->line) {
        easy->line = NULL;
        easy->beat++;
    }
    hand(easy, TO_HEADER | (in_body ? TO_WRITE : 0u), at, len);
}

static void play(struct fake_easy *easy)
{
    const struct fake_beat *beat = easy->beat;

    if (beat->deed == FAKE_HEAD) {
        play_head(easy);
        return;
    }
    easy->beat++;
    if (beat->deed == FAKE_END) {
        end(easy, beat->code);
        return;
    }
    easy->received += (curl_off_t)strlen(beat->text);
    hand(easy, TO_WRITE, beat->text, strlen(beat->text));
}

static uns_ns timeout_of(const struct fake_easy *easy)
{
    long ms = number(easy, CURLOPT_TIMEOUT_MS);

    if (!ms)
        ms = number(easy, CURLOPT_TIMEOUT) * 1000;
    return ms ? easy->start_ns + ms * UNS_MS : UNS_NEVER;
}

uns_ns fake_due_of(const struct fake_easy *easy)
{
    uns_ns timeout = timeout_of(easy);
    uns_ns beat = UNS_NEVER;

    if (!easy->paused && easy->beat && easy->beat->deed != FAKE_SILENCE)
        beat = easy->start_ns + easy->beat->at_ms * UNS_MS;
    return beat < timeout ? beat : timeout;
}

/* The whole body, from the read callback if there is one. */
static void send_body(struct fake_easy *easy)
{
    curl_read_callback read =
        (curl_read_callback)fake_opt(easy, CURLOPT_READFUNCTION)->value.f;
    const char *fields = fake_opt(easy, CURLOPT_POSTFIELDS)->value.p;
    size_t got = 1;

    easy->read = true;
    if (fields) {
        curl_off_t size = fake_opt(easy, CURLOPT_POSTFIELDSIZE_LARGE)->value.o;

        got = size > 0 ? (size_t)size : strlen(fields);
        assert_true(got < sizeof easy->body);
        memcpy(easy->body, fields, got);
        easy->body_len = got;
        return;
    }
    while (read && got && got <= 16) {
        fake.in_callback++;
        got = read(easy->body + easy->body_len, 1, 16,
                   fake_opt(easy, CURLOPT_READDATA)->value.p);
        fake.in_callback--;
        if (got == CURL_READFUNC_ABORT)
            end(easy, CURLE_ABORTED_BY_CALLBACK);
        else if (got <= 16)
            easy->body_len += got;
    }
}

static int tell_application(struct fake_easy *easy)
{
    curl_xferinfo_callback newer =
        (curl_xferinfo_callback)fake_opt(easy, CURLOPT_XFERINFOFUNCTION)
            ->value.f;
    curl_progress_callback older =
        (curl_progress_callback)fake_opt(easy, CURLOPT_PROGRESSFUNCTION)
            ->value.f;
    void *data = fake_opt(easy, CURLOPT_XFERINFODATA)->value.p;

    if (newer)
        return newer(data, 0, easy->received, 0, 0);
    return older ? older(data, 0, (double)easy->received, 0, 0)
                 : CURL_PROGRESSFUNC_CONTINUE;
}

/* As lib/progress.c: who says "continue" gets libcurl's own meter. */
static void tell_progress(struct fake_easy *easy)
{
    int stop;

    if (number(easy, CURLOPT_NOPROGRESS))
        return;
    fake.in_callback++;
    fake.progress++;
    stop = tell_application(easy);
    fake.in_callback--;
    if (stop == CURL_PROGRESSFUNC_CONTINUE)
        fake.meters++;
    else if (stop)
        end(easy, CURLE_ABORTED_BY_CALLBACK);
}

void fake_work(struct fake_easy *easy)
{
    bool begins = !easy->read;

    if (easy->done || (fake.unsent && easy == fake.request[fake.unsent]))
        return;
    if (begins)
        send_body(easy);
    if (begins && !easy->done && !fake_opt(easy, CURLOPT_URL)->text)
        end(easy, CURLE_URL_MALFORMAT);
    if (!easy->done)
        tell_progress(easy);
    while (!easy->done && fake_due_of(easy) <= fake.now_ns) {
        if (timeout_of(easy) <= fake.now_ns)
            end(easy, CURLE_OPERATION_TIMEDOUT);
        else
            play(easy);
    }
}

void fake_start(struct fake_easy *easy)
{
    unsigned n = fake.requests++;
    char *text = fake_opt(easy, CURLOPT_ERRORBUFFER)->value.p;

    assert_true(n < FAKE_EASIES);
    fake.request[n] = easy;
    easy->start_ns = fake.now_ns;
    easy->headers = fake_opt(easy, CURLOPT_HTTPHEADER)->text;
    easy->sent = true;
    easy->done = easy->told = easy->read = easy->paused = false;
    easy->body_len = 0;
    easy->beat = n < fake.play_count ? fake.plays[n] : NULL;
    easy->line = NULL;
    if (text)
        text[0] = '\0';
}

CURLcode fake_pause(CURL *handle, int mask)
{
    struct fake_easy *easy = fake_easy_of(handle);
    unsigned owed = easy->owed;

    fake.pauses++;
    if (!easy->in_multi || easy->done)
        return CURLE_BAD_FUNCTION_ARGUMENT; /* it has no connection */
    easy->paused = mask & CURLPAUSE_RECV;
    if (easy->paused || !owed || easy->done)
        return CURLE_OK;
    easy->owed = 0;
    hand(easy, owed, easy->owed_bytes, easy->owed_len);
    return easy->done ? easy->code : CURLE_OK;
}
