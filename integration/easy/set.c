/* SPDX-License-Identifier: MIT */
/* set - the options of one call, from the verbs. */
#include "easy.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void set_reader(struct run *run)
{
    const struct verbs *v = run->verbs;

    run->read_at = 0;
    curl_easy_setopt(run->curl, CURLOPT_READFUNCTION, easy_on_read);
    curl_easy_setopt(run->curl, CURLOPT_READDATA, run);
    if (v->seeks) {
        curl_easy_setopt(run->curl, CURLOPT_SEEKFUNCTION, easy_on_seek);
        curl_easy_setopt(run->curl, CURLOPT_SEEKDATA, run);
    }
    if (v->ioctls) {
        curl_easy_setopt(run->curl, CURLOPT_IOCTLFUNCTION, easy_on_ioctl);
        curl_easy_setopt(run->curl, CURLOPT_IOCTLDATA, run);
    }
}

/* The body is in it, to be read from its beginning. */
static FILE *open_pipe(const char *body)
{
    int ends[2];

    if (pipe(ends) != 0 || write(ends[1], body, strlen(body)) < 0)
        exit(EXIT_FAILURE);
    close(ends[1]);
    return fdopen(ends[0], "r");
}

static void set_file(struct run *run)
{
    if (run->in)
        fclose(run->in);
    run->in = run->verbs->pipe ? open_pipe(run->body)
                               : fmemopen((void *)(uintptr_t)run->body,
                                          strlen(run->body), "r");
    curl_easy_setopt(run->curl, CURLOPT_READDATA, run->in);
    if (run->verbs->file == 2)
        curl_easy_setopt(run->curl, CURLOPT_READFUNCTION,
                         (curl_read_callback)fread);
}

static void set_body(struct run *run)
{
    const struct verbs *v = run->verbs;

    curl_easy_setopt(run->curl, CURLOPT_POST, 1L);
    if (v->sized)
        curl_easy_setopt(run->curl, CURLOPT_POSTFIELDSIZE_LARGE,
                         (curl_off_t)strlen(run->body));
    if (v->read) {
        set_reader(run);
    } else if (v->file || v->pipe) {
        set_file(run);
    } else if (v->copy) {
        char *copy = strdup(run->body);

        curl_easy_setopt(run->curl, CURLOPT_COPYPOSTFIELDS, copy);
        memset(copy, 'x', strlen(copy));
        free(copy);
    } else {
        curl_easy_setopt(run->curl, CURLOPT_POSTFIELDS, run->body);
    }
    for (long i = v->nobody; i > 0; i--)
        curl_easy_setopt(run->curl, CURLOPT_NOBODY, i % 2 ? 0L : 1L);
}

static void set_callbacks(struct run *run)
{
    const struct verbs *v = run->verbs;

    if (!v->no_write) {
        curl_easy_setopt(run->curl, CURLOPT_WRITEFUNCTION, easy_on_body);
        curl_easy_setopt(run->curl, CURLOPT_WRITEDATA, &run->first);
    }
    if (v->header_data) {
        curl_easy_setopt(run->curl, CURLOPT_HEADERDATA, &run->lines);
    } else if (!v->no_header) {
        curl_easy_setopt(run->curl, CURLOPT_HEADERFUNCTION, easy_on_header);
        curl_easy_setopt(run->curl, CURLOPT_HEADERDATA, run);
    }
    curl_easy_setopt(run->curl, CURLOPT_XFERINFOFUNCTION, easy_on_progress);
    curl_easy_setopt(run->curl, CURLOPT_XFERINFODATA, run);
    curl_easy_setopt(run->curl, CURLOPT_NOPROGRESS, 0L);
}

/* What is set to a number. */
static void set_numbers(const struct run *run)
{
    const struct verbs *v = run->verbs;

    const struct {
        CURLoption option;
        long value;
    } numbers[] = {
        {CURLOPT_HEADER, v->header},
        {CURLOPT_FAILONERROR, v->fail},
        {CURLOPT_FOLLOWLOCATION, v->follow},
        {CURLOPT_FORBID_REUSE, v->close},
        {CURLOPT_MAXFILESIZE, v->max_size},
        {CURLOPT_TIMEOUT_MS, v->timeout_ms},
        {CURLOPT_CONNECTTIMEOUT_MS, v->connect_timeout_ms},
        {CURLOPT_LOW_SPEED_TIME, v->low_speed_s},
        {CURLOPT_LOW_SPEED_LIMIT, v->low_speed_s * 1000},
        {CURLOPT_NOSIGNAL, !v->signals},
    };

    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (numbers[i].value)
            curl_easy_setopt(run->curl, numbers[i].option, numbers[i].value);
    if (v->http10)
        curl_easy_setopt(run->curl, CURLOPT_HTTP_VERSION,
                         CURL_HTTP_VERSION_1_0);
}

void easy_set_up(struct run *run)
{
    const struct verbs *v = run->verbs;

    if (v->curlu) {
        curl_url_set(run->parsed, CURLUPART_URL, run->url, 0);
        curl_easy_setopt(run->curl, CURLOPT_CURLU, run->parsed);
    } else {
        curl_easy_setopt(run->curl, CURLOPT_URL, run->url);
    }
    curl_easy_setopt(run->curl, CURLOPT_HTTPHEADER, run->list);
    curl_easy_setopt(run->curl, CURLOPT_ERRORBUFFER, run->error);
    curl_easy_setopt(run->curl, CURLOPT_PRIVATE, run);
    if (v->gzip)
        curl_easy_setopt(run->curl, CURLOPT_ACCEPT_ENCODING, "");
    if (v->share)
        curl_easy_setopt(run->curl, CURLOPT_SHARE, run->share);
    set_callbacks(run);
    set_numbers(run);
    set_body(run);
}
