/* SPDX-License-Identifier: MIT */
/*
 * easy - a program that uses libcurl's easy interface in all the ways that a
 * test wants to compare without and with the preload.  The body goes to
 * stdout; what happened, and in which order, to stderr.
 *
 *     easy URL BODY [VERB...]
 */
#include <curl/curl.h>

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct verbs {
    long pause_at, abort_at, swap_at, nest_at, dup_at, short_header_at;
    long progress_abort_ms, timeout_ms, times;
    int info, read, sized, copy, header, header_data, fail, pause_header;
    int reset, quiet;
};

struct run {
    CURL *curl;
    struct verbs verbs;
    const char *body;
    size_t read_at;
    long pieces, headers, progress_calls;
    int paused;
    struct timespec paused_at, begun_at;
    char error[CURL_ERROR_SIZE];
};

static double since(const struct timespec *from)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - from->tv_sec) +
           (double)(now.tv_nsec - from->tv_nsec) / 1e9;
}

static void tell(const struct run *run, const char *what, long number)
{
    if (!run->verbs.quiet)
        fprintf(stderr, "%s %ld\n", what, number);
}

static size_t other_body(char *bytes, size_t size, size_t count, void *arg)
{
    struct run *run = arg;

    run->pieces++;
    tell(run, "other", (long)(size * count));
    return fwrite(bytes, 1, size * count, stdout);
}

static void look(struct run *run)
{
    long status = 0, private_ok;
    double first = 0;
    void *mine = NULL;
    char *type = NULL;

    curl_easy_getinfo(run->curl, CURLINFO_RESPONSE_CODE, &status);
    curl_easy_getinfo(run->curl, CURLINFO_STARTTRANSFER_TIME, &first);
    curl_easy_getinfo(run->curl, CURLINFO_PRIVATE, &mine);
    curl_easy_getinfo(run->curl, CURLINFO_CONTENT_TYPE, &type);
    private_ok = mine == run;
    fprintf(stderr, "info %ld private %ld type %s first %s\n", status,
            private_ok, type ? type : "-", first >= 0.1 ? "late" : "early");
}

static void duplicate(struct run *run)
{
    CURL *copy = curl_easy_duphandle(run->curl);
    CURLcode code;

    curl_easy_setopt(copy, CURLOPT_URL, getenv("EASY_PLAIN_URL"));
    curl_easy_setopt(copy, CURLOPT_HTTPGET, 1L);
    code = curl_easy_perform(copy);
    fprintf(stderr, "copy %d\n", code);
    curl_easy_cleanup(copy);
}

static size_t on_body(char *bytes, size_t size, size_t count, void *arg)
{
    struct run *run = arg;
    size_t len = size * count;
    const struct verbs *verbs = &run->verbs;

    run->pieces++;
    if (run->pieces == verbs->pause_at && !run->paused) {
        run->paused = 1;
        run->pieces--;
        clock_gettime(CLOCK_MONOTONIC, &run->paused_at);
        tell(run, "pause", run->pieces + 1);
        return CURL_WRITEFUNC_PAUSE;
    }
    tell(run, "body", (long)len);
    if (run->pieces == verbs->abort_at)
        return len - 1;
    if (verbs->info && run->pieces <= 2)
        look(run);
    if (run->pieces == verbs->dup_at)
        duplicate(run);
    if (run->pieces == verbs->swap_at)
        curl_easy_setopt(run->curl, CURLOPT_WRITEFUNCTION, other_body);
    if (run->pieces == verbs->nest_at)
        fprintf(stderr, "nested %d\n", curl_easy_perform(run->curl));
    return fwrite(bytes, 1, len, stdout);
}

static size_t on_header(char *bytes, size_t size, size_t count, void *arg)
{
    struct run *run = arg;
    size_t len = size * count;

    run->headers++;
    if (run->verbs.pause_header && run->headers == 2 && !run->paused) {
        run->paused = 1;
        run->headers--;
        clock_gettime(CLOCK_MONOTONIC, &run->paused_at);
        tell(run, "pause header", run->headers + 1);
        return CURL_WRITEFUNC_PAUSE;
    }
    if (!run->verbs.quiet)
        fprintf(stderr, "header %.*s", (int)len, bytes);
    return run->headers == run->verbs.short_header_at ? len - 1 : len;
}

static int on_progress(void *arg, curl_off_t dltotal, curl_off_t dlnow,
                       curl_off_t ultotal, curl_off_t ulnow)
{
    struct run *run = arg;

    (void)dltotal, (void)dlnow, (void)ultotal, (void)ulnow;
    run->progress_calls++;
    if (run->paused == 1 && since(&run->paused_at) > 0.2) {
        run->paused = 2;
        curl_easy_pause(run->curl, CURLPAUSE_CONT);
    }
    return run->verbs.progress_abort_ms &&
           since(&run->begun_at) * 1000 > (double)run->verbs.progress_abort_ms;
}

static size_t on_read(char *out, size_t size, size_t count, void *arg)
{
    struct run *run = arg;
    size_t left = strlen(run->body + run->read_at);
    size_t len = left < 7 ? left : 7;

    if (len > size * count)
        len = size * count;
    memcpy(out, run->body + run->read_at, len);
    run->read_at += len;
    return len;
}

static const struct {
    const char *name;
    size_t offset;
    int is_long;
} verbs[] = {

#define NUMBER(name)                               \
    {                                              \
#        name "=", offsetof(struct verbs, name), 1 \
    }
#define FLAG(name)                             \
    {                                          \
#        name, offsetof(struct verbs, name), 0 \
    }
    NUMBER(pause_at),
    NUMBER(abort_at),
    NUMBER(swap_at),
    NUMBER(nest_at),
    NUMBER(dup_at),
    NUMBER(short_header_at),
    NUMBER(progress_abort_ms),
    NUMBER(timeout_ms),
    NUMBER(times),
    FLAG(info),
    FLAG(read),
    FLAG(sized),
    FLAG(copy),
    FLAG(header),
    FLAG(header_data),
    FLAG(fail),
    FLAG(pause_header),
    FLAG(reset),
    FLAG(quiet),
};

static void parse(struct verbs *out, const char *arg)
{
    for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++) {
        size_t len = strlen(verbs[i].name);
        char *field = (char *)out + verbs[i].offset;

        if (verbs[i].is_long && !strncmp(arg, verbs[i].name, len)) {
            *(long *)(void *)field = atol(arg + len);
            return;
        }
        if (!verbs[i].is_long && !strcmp(arg, verbs[i].name)) {
            *(int *)(void *)field = 1;
            return;
        }
    }
    fprintf(stderr, "easy: unknown verb %s\n", arg);
    exit(2);
}

static void set_body(struct run *run)
{
    CURL *curl = run->curl;
    const struct verbs *v = &run->verbs;

    curl_easy_setopt(curl, CURLOPT_POST, 1L);
    if (v->read) {
        run->read_at = 0;
        curl_easy_setopt(curl, CURLOPT_READFUNCTION, on_read);
        curl_easy_setopt(curl, CURLOPT_READDATA, run);
        if (v->sized)
            curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE_LARGE,
                             (curl_off_t)strlen(run->body));
    } else if (v->copy) {
        char *copy = strdup(run->body);

        curl_easy_setopt(curl, CURLOPT_COPYPOSTFIELDS, copy);
        memset(copy, 'x', strlen(copy));
        free(copy);
    } else {
        curl_easy_setopt(curl, CURLOPT_POSTFIELDS, run->body);
    }
}

static void set_up(struct run *run, const char *url, struct curl_slist *list)
{
    CURL *curl = run->curl;
    const struct verbs *v = &run->verbs;

    curl_easy_setopt(curl, CURLOPT_URL, url);
    curl_easy_setopt(curl, CURLOPT_HTTPHEADER, list);
    curl_easy_setopt(curl, CURLOPT_ERRORBUFFER, run->error);
    curl_easy_setopt(curl, CURLOPT_PRIVATE, run);
    curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, on_body);
    curl_easy_setopt(curl, CURLOPT_WRITEDATA, run);
    if (v->header_data) {
        curl_easy_setopt(curl, CURLOPT_HEADERDATA, run);
    } else {
        curl_easy_setopt(curl, CURLOPT_HEADERFUNCTION, on_header);
        curl_easy_setopt(curl, CURLOPT_HEADERDATA, run);
    }
    curl_easy_setopt(curl, CURLOPT_XFERINFOFUNCTION, on_progress);
    curl_easy_setopt(curl, CURLOPT_XFERINFODATA, run);
    curl_easy_setopt(curl, CURLOPT_NOPROGRESS, 0L);
    curl_easy_setopt(curl, CURLOPT_HEADER, (long)v->header);
    curl_easy_setopt(curl, CURLOPT_FAILONERROR, (long)v->fail);
    curl_easy_setopt(curl, CURLOPT_TIMEOUT_MS, v->timeout_ms);
    set_body(run);
}

static void report(const struct run *run, CURLcode code)
{
    long status = 0, connects = 0;
    struct curl_header *type = NULL;
    CURLHcode found =
        curl_easy_header(run->curl, "content-type", 0, CURLH_HEADER, -1, &type);

    curl_easy_getinfo(run->curl, CURLINFO_RESPONSE_CODE, &status);
    curl_easy_getinfo(run->curl, CURLINFO_NUM_CONNECTS, &connects);
    fprintf(stderr,
            "end %d status %ld pieces %ld headers %ld connects %ld type %s "
            "progress %s error '%s'\n",
            code, status, run->verbs.quiet ? 0 : run->pieces, run->headers,
            connects, found == CURLHE_OK ? type->value : "-",
            run->progress_calls ? "yes" : "no", run->error);
}

int main(int argc, char **argv)
{
    struct run run = {.body = argc > 2 ? argv[2] : ""};
    struct curl_slist *list =
        curl_slist_append(NULL, "Content-Type: application/json");
    CURLcode code = CURLE_OK;

    if (argc < 3)
        return 2;
    for (int i = 3; i < argc; i++)
        parse(&run.verbs, argv[i]);
    run.curl = curl_easy_init();
    for (long i = 0; i <= run.verbs.times; i++) {
        run.pieces = run.headers = run.progress_calls = 0;
        run.paused = 0;
        if (run.verbs.reset)
            curl_easy_reset(run.curl);
        set_up(&run, argv[1], list);
        clock_gettime(CLOCK_MONOTONIC, &run.begun_at);
        code = curl_easy_perform(run.curl);
        fflush(stdout);
        report(&run, code);
    }
    curl_easy_cleanup(run.curl);
    curl_slist_free_all(list);
    return (int)code;
}
