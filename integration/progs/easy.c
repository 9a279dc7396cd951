/* SPDX-License-Identifier: MIT */

/*
 * easy - a program that uses libcurl's easy interface in all the ways that a
 * test wants to compare without and with the preload.  The body goes to
 * stdout; what happened, and in which order, to stderr.  Nothing that it says
 * depends on time, unless it is asked to (`clock`).
 *
 *     easy URL BODY [VERB[=NUMBER]...]
 */

#define CURL_DISABLE_DEPRECATION
#include <curl/curl.h>

#include <dirent.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* How each is used: look for its name. */
#define VERBS                                                         \
    VERB(pause_at)        /* at the Nth piece, by the return value */ \
    VERB(pause_header_at) /* at the Nth header line */                \
    VERB(pause_call_at)   /* at the Nth piece, by curl_easy_pause */  \
    VERB(pause_after_ms)  /* from the progress callback */            \
    VERB(pause_for_ms)    /* how long these last; 200 */              \
    VERB(abort_at)        /* a short write at the Nth piece */        \
    VERB(abort_header_at)                                             \
    VERB(progress_abort_ms)                                           \
    VERB(progress_abort_at) /* once there were N pieces */            \
    VERB(read_abort)                                                  \
    VERB(swap_at)       /* another WRITEFUNCTION from piece N on */   \
    VERB(swap_data_at)  /* another WRITEDATA */                       \
    VERB(swap_progress) /* another XFERINFOFUNCTION */                \
    VERB(nest_at)       /* perform in a callback */                   \
    VERB(nest_header_at)                                              \
    VERB(dup_at)    /* duplicate in a callback, use it there */       \
    VERB(dup_later) /* duplicate in a callback, use it after */       \
    VERB(dup_after) /* duplicate and use after the call */            \
    VERB(end_at)    /* reset and cleanup in a callback */             \
    VERB(info)      /* getinfo in callbacks and after */              \
    VERB(fields)    /* the headers API in callbacks and after */      \
    VERB(clock)     /* are the times of the call plausible? */        \
    VERB(connects)                                                    \
    VERB(read)    /* the body from a READFUNCTION */                  \
    VERB(read_ms) /* how long each of its pieces takes */             \
    VERB(sized)                                                       \
    VERB(copy)        /* COPYPOSTFIELDS, its original destroyed */    \
    VERB(nobody)      /* set and unset before the call */             \
    VERB(header)      /* CURLOPT_HEADER */                            \
    VERB(header_data) /* HEADERDATA alone */                          \
    VERB(no_header)   /* neither */                                   \
    VERB(no_write)    /* no WRITEFUNCTION, no WRITEDATA */            \
    VERB(fail)                                                        \
    VERB(follow)                                                      \
    VERB(share)                                                       \
    VERB(curlu)                                                       \
    VERB(gzip)                                                        \
    VERB(accept_gzip) /* a header, not the option */                  \
    VERB(http10)                                                      \
    VERB(close)                                                       \
    VERB(max_size)                                                    \
    VERB(timeout_ms)                                                  \
    VERB(connect_timeout_ms)                                          \
    VERB(low_speed_s)                                                 \
    VERB(signals) /* NOSIGNAL unset */                                \
    VERB(times)   /* more calls on the same handle */                 \
    VERB(reset)   /* before each of them */                           \
    VERB(threads)                                                     \
    VERB(fds)                                                         \
    VERB(quiet)

struct verbs {
#define VERB(name) long name;
    VERBS
#undef VERB
};

/* What WRITEDATA points at. */
struct sink {
    struct run *run;
    const char *name;
};

enum pause {
    NOT_YET,
    PAUSED,
    RESUMED
};

/* One handle, and what happened to it. */
struct run {
    CURL *curl, *copy;
    const struct verbs *verbs;
    const char *url, *body;
    struct curl_slist *list;
    CURLSH *share;
    CURLU *parsed;
    FILE *out;
    struct sink first, second, lines;
    size_t read_at, bytes;
    int descriptors; /* before the first call */
    unsigned long sum;
    long pieces, headers, progress_calls, others;
    enum pause pause;
    struct timespec paused_at, begun_at;
    char error[CURL_ERROR_SIZE];
};

static double ms_since(const struct timespec *from)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - from->tv_sec) * 1e3 +
           (double)(now.tv_nsec - from->tv_nsec) / 1e6;
}

static void tell(const struct run *run, const char *what, long number)
{
    if (!run->verbs->quiet)
        fprintf(stderr, "%s %ld\n", what, number);
}

static size_t put(struct run *run, const char *bytes, size_t len)
{
    run->bytes += len;
    for (size_t i = 0; i < len; i++)
        run->sum = run->sum * 31 + (unsigned char)bytes[i];
    return fwrite(bytes, 1, len, run->out);
}

/* --- what a callback may ask -------------------------------------------- */

static void look(struct run *run)
{
    long status = 0, version = 0, redirects = 0;
    curl_off_t length = 0, sent = 0;
    void *mine = NULL;
    const char *type = NULL, *url = NULL, *method = NULL;

    curl_easy_getinfo(run->curl, CURLINFO_RESPONSE_CODE, &status);
    curl_easy_getinfo(run->curl, CURLINFO_HTTP_VERSION, &version);
    curl_easy_getinfo(run->curl, CURLINFO_REDIRECT_COUNT, &redirects);
    curl_easy_getinfo(run->curl, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &length);
    curl_easy_getinfo(run->curl, CURLINFO_SIZE_UPLOAD_T, &sent);
    curl_easy_getinfo(run->curl, CURLINFO_PRIVATE, &mine);
    curl_easy_getinfo(run->curl, CURLINFO_CONTENT_TYPE, &type);
    curl_easy_getinfo(run->curl, CURLINFO_EFFECTIVE_URL, &url);
    curl_easy_getinfo(run->curl, CURLINFO_EFFECTIVE_METHOD, &method);
    fprintf(stderr,
            "info %ld http %ld redirects %ld length %ld sent %ld "
            "private %s type %s method %s url %s\n",
            status, version, redirects, (long)length, (long)sent,
            mine == run ? "yes" : "no", type ? type : "-",
            method ? method : "-", url ? url : "-");
}

static void look_at_fields(struct run *run)
{
    struct curl_header *field = NULL;
    CURLHcode code = curl_easy_header(run->curl, "content-type", 0,
                                      CURLH_HEADER, -1, &field);

    fprintf(stderr, "field %d %s\n", code, code ? "-" : field->value);
    for (field = NULL;
         (field = curl_easy_nextheader(run->curl, CURLH_HEADER | CURLH_TRAILER,
                                       -1, field));)
        fprintf(stderr, "field %s: %s (%u)\n", field->name, field->value,
                field->origin);
}

static void look_at_clock(const struct run *run)
{
    double total = 0, first = 0, transfer = 0, connect = 0;
    double measured = ms_since(&run->begun_at) / 1000;
    curl_off_t total_us = 0;

    curl_easy_getinfo(run->curl, CURLINFO_TOTAL_TIME, &total);
    curl_easy_getinfo(run->curl, CURLINFO_TOTAL_TIME_T, &total_us);
    curl_easy_getinfo(run->curl, CURLINFO_STARTTRANSFER_TIME, &first);
    curl_easy_getinfo(run->curl, CURLINFO_PRETRANSFER_TIME, &transfer);
    curl_easy_getinfo(run->curl, CURLINFO_CONNECT_TIME, &connect);
    fprintf(stderr, "clock %s first %s order %s\n",
            total > measured - 0.1 && total < measured + 0.1 &&
                    (double)total_us / 1e6 - total < 0.01
                ? "right"
                : "wrong",
            first >= 0.25 ? "late" : "early",
            connect <= transfer && transfer <= first && first <= total
                ? "right"
                : "wrong");
}

/* The copy goes another way: an ordinary page, with the same callbacks. */
static void use_copy(struct run *run, CURL *copy)
{
    CURLcode code;

    curl_easy_setopt(copy, CURLOPT_URL, getenv("EASY_PLAIN_URL"));
    curl_easy_setopt(copy, CURLOPT_HTTPGET, 1L);
    code = curl_easy_perform(copy);
    tell(run, "copy", code);
    curl_easy_cleanup(copy);
}

static void nest(struct run *run)
{
    CURLcode code = curl_easy_perform(run->curl);

    fprintf(stderr, "nested %d '%s'\n", code, run->error);
}

/* --- the callbacks ------------------------------------------------------ */

static size_t other_body(char *bytes, size_t size, size_t count, void *arg)
{
    struct run *run = ((struct sink *)arg)->run;

    run->pieces++;
    tell(run, "other", (long)(size * count));
    return put(run, bytes, size * count);
}

static void begin_pause(struct run *run, const char *how)
{
    run->pause = PAUSED;
    clock_gettime(CLOCK_MONOTONIC, &run->paused_at);
    tell(run, how, 1);
}

static int pauses(struct run *run, long at, long now, const char *how)
{
    if (run->pause == PAUSED) /* nothing may be given meanwhile */
        tell(run, "pause ignored", now);
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
        look(run);
    if (v->fields && at <= 2)
        look_at_fields(run);
    if (at == v->dup_at)
        use_copy(run, curl_easy_duphandle(run->curl));
    if (at == v->dup_later)
        run->copy = curl_easy_duphandle(run->curl);
    if (at == v->swap_at)
        curl_easy_setopt(run->curl, CURLOPT_WRITEFUNCTION, other_body);
    if (at == v->swap_data_at)
        curl_easy_setopt(run->curl, CURLOPT_WRITEDATA, &run->second);
    if (at == v->swap_progress)
        curl_easy_setopt(run->curl, CURLOPT_XFERINFOFUNCTION, other_progress);
    if (at == v->nest_at)
        nest(run);
    if (pauses(run, v->pause_call_at, at, "pause call"))
        tell(run, "paused", curl_easy_pause(run->curl, CURLPAUSE_RECV));
    if (at == v->end_at) {
        curl_easy_reset(run->curl);
        curl_easy_cleanup(run->curl);
    }
}

static size_t on_body(char *bytes, size_t size, size_t count, void *arg)
{
    const struct sink *sink = arg;
    struct run *run = sink->run;
    const struct verbs *v = run->verbs;
    size_t len = size * count;

    if (pauses(run, v->pause_at, run->pieces + 1, "pause"))
        return CURL_WRITEFUNC_PAUSE;
    run->pieces++;
    tell(run, sink->name, (long)len);
    if (run->pieces == v->abort_at)
        return len - 1;
    act(run);
    return put(run, bytes, len);
}

static size_t on_header(char *bytes, size_t size, size_t count, void *arg)
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
        nest(run);
    return run->headers == v->abort_header_at ? len - 1 : len;
}

static void resume(struct run *run)
{
    long lasts = run->verbs->pause_for_ms ? run->verbs->pause_for_ms : 200;

    if (run->pause != PAUSED || ms_since(&run->paused_at) < (double)lasts)
        return;
    run->pause = RESUMED;
    tell(run, "resume", 0);
    tell(run, "resumed", curl_easy_pause(run->curl, CURLPAUSE_CONT));
}

static int on_progress(void *arg, curl_off_t dltotal, curl_off_t dlnow,
                       curl_off_t ultotal, curl_off_t ulnow)
{
    struct run *run = arg;
    const struct verbs *v = run->verbs;
    double ms = ms_since(&run->begun_at);

    (void)dltotal, (void)dlnow, (void)ultotal, (void)ulnow;
    run->progress_calls++;
    if (v->pause_after_ms && ms > (double)v->pause_after_ms &&
        run->pause == NOT_YET) {
        begin_pause(run, "pause progress");
        tell(run, "paused", curl_easy_pause(run->curl, CURLPAUSE_RECV));
    }
    resume(run);
    return (v->progress_abort_ms && ms > (double)v->progress_abort_ms) ||
           (v->progress_abort_at && run->pieces >= v->progress_abort_at);
}

static size_t on_read(char *out, size_t size, size_t count, void *arg)
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

/* --- a call ------------------------------------------------------------- */

static void set_body(struct run *run)
{
    const struct verbs *v = run->verbs;

    curl_easy_setopt(run->curl, CURLOPT_POST, 1L);
    if (v->read) {
        run->read_at = 0;
        curl_easy_setopt(run->curl, CURLOPT_READFUNCTION, on_read);
        curl_easy_setopt(run->curl, CURLOPT_READDATA, run);
        if (v->sized)
            curl_easy_setopt(run->curl, CURLOPT_POSTFIELDSIZE_LARGE,
                             (curl_off_t)strlen(run->body));
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
        curl_easy_setopt(run->curl, CURLOPT_WRITEFUNCTION, on_body);
        curl_easy_setopt(run->curl, CURLOPT_WRITEDATA, &run->first);
    }
    if (v->header_data) {
        curl_easy_setopt(run->curl, CURLOPT_HEADERDATA, &run->lines);
    } else if (!v->no_header) {
        curl_easy_setopt(run->curl, CURLOPT_HEADERFUNCTION, on_header);
        curl_easy_setopt(run->curl, CURLOPT_HEADERDATA, run);
    }
    curl_easy_setopt(run->curl, CURLOPT_XFERINFOFUNCTION, on_progress);
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

static void set_up(struct run *run)
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

static void report(struct run *run, CURLcode code)
{
    const struct verbs *v = run->verbs;
    long connects = 0, status = 0;

    curl_easy_getinfo(run->curl, CURLINFO_RESPONSE_CODE, &status);
    if (v->info)
        look(run);
    if (v->fields)
        look_at_fields(run);
    if (v->clock)
        look_at_clock(run);
    curl_easy_getinfo(run->curl, CURLINFO_NUM_CONNECTS, &connects);
    if (v->connects)
        tell(run, "connects", connects);
    if (v->swap_progress)
        tell(run, "other progress", run->others > 0);
    fprintf(stderr,
            "end %d status %ld bytes %ld sum %lx progress %s error '%s'\n",
            code, status, (long)run->bytes, run->sum,
            run->progress_calls ? "yes" : "no", run->error);
}

static CURLcode call(struct run *run)
{
    CURLcode code;

    run->pieces = run->headers = run->progress_calls = run->others = 0;
    run->pause = NOT_YET;
    run->bytes = 0;
    run->sum = 0;
    set_up(run);
    clock_gettime(CLOCK_MONOTONIC, &run->begun_at);
    code = curl_easy_perform(run->curl);
    fflush(run->out);
    if (!run->verbs->quiet)
        report(run, code);
    if (run->copy)
        use_copy(run, run->copy);
    run->copy = NULL;
    if (run->verbs->dup_after)
        use_copy(run, curl_easy_duphandle(run->curl));
    return code;
}

static int descriptors(void)
{
    DIR *dir = opendir("/proc/self/fd");
    int count = 0;

    while (dir && readdir(dir))
        count++;
    if (dir)
        closedir(dir);
    return count;
}

static CURLcode calls(struct run *run)
{
    CURLcode code = CURLE_OK;

    run->first = (struct sink){run, "body"};
    run->second = (struct sink){run, "second"};
    run->lines = (struct sink){run, "line"};
    run->list = curl_slist_append(NULL, "Content-Type: application/json");
    if (run->verbs->accept_gzip)
        run->list = curl_slist_append(run->list, "Accept-Encoding: gzip");
    run->share = curl_share_init();
    curl_share_setopt(run->share, CURLSHOPT_SHARE, CURL_LOCK_DATA_COOKIE);
    run->parsed = curl_url();
    run->curl = curl_easy_init();
    for (long i = 0; i <= run->verbs->times; i++) {
        if (i && run->verbs->reset)
            curl_easy_reset(run->curl);
        code = call(run);
    }
    if (run->verbs->fds) /* connections are kept, but not all of them */
        tell(run, "open", descriptors() > run->descriptors + 12);
    if (run->verbs->share) {
        curl_easy_setopt(run->curl, CURLOPT_SHARE, NULL);
        tell(run, "share", (long)curl_share_cleanup(run->share));
    } else {
        curl_share_cleanup(run->share);
    }
    curl_easy_cleanup(run->curl);
    curl_url_cleanup(run->parsed);
    curl_slist_free_all(run->list);
    return code;
}

/* --- many at once, and what is left behind ------------------------------ */

enum {
    MAX_THREADS = 16
};

struct job {
    pthread_t thread;
    struct run run;
    CURLcode code;
};

static void *work(void *arg)
{
    struct job *job = arg;

    job->code = calls(&job->run);
    return NULL;
}

static CURLcode in_threads(const struct run *like, long count)
{
    static struct job jobs[MAX_THREADS];
    CURLcode worst = CURLE_OK;

    for (long i = 0; i < count; i++) {
        jobs[i].run = *like;
        pthread_create(&jobs[i].thread, NULL, work, &jobs[i]);
    }
    for (long i = 0; i < count; i++) {
        pthread_join(jobs[i].thread, NULL);
        fprintf(stderr, "thread %ld: %d, %lu bytes, sum %lx\n", i, jobs[i].code,
                (unsigned long)jobs[i].run.bytes, jobs[i].run.sum);
        worst = jobs[i].code ? jobs[i].code : worst;
    }
    return worst;
}

static const struct {
    const char *name;
    size_t offset;
} table[] = {

#define VERB(name) {#name, offsetof(struct verbs, name)},
    VERBS
#undef VERB
};

static void parse(struct verbs *out, const char *arg)
{
    size_t len = strcspn(arg, "=");

    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (strlen(table[i].name) == len && !memcmp(table[i].name, arg, len)) {
            *(long *)(void *)((char *)out + table[i].offset) =
                arg[len] ? atol(arg + len + 1) : 1;
            return;
        }
    fprintf(stderr, "easy: unknown verb %s\n", arg);
    exit(2);
}

int main(int argc, char **argv)
{
    struct verbs verbs = {0};
    struct run run = {.verbs = &verbs};
    CURLcode code;

    if (argc < 3)
        return 2;
    for (int i = 3; i < argc; i++)
        parse(&verbs, argv[i]);
    run.url = argv[1];
    run.body = argv[2];
    run.out = verbs.threads ? fopen("/dev/null", "we") : stdout;
    curl_global_init(CURL_GLOBAL_DEFAULT);
    run.descriptors = descriptors();
    code = verbs.threads ? in_threads(&run, verbs.threads) : calls(&run);
    if (verbs.fds)
        fprintf(stderr, "descriptors: %d more\n",
                descriptors() - run.descriptors);
    curl_global_cleanup();
    return (int)code;
}
