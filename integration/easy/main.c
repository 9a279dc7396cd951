/* SPDX-License-Identifier: MIT */
/* main - one call or several, on one handle or in threads. */
#include "easy.h"

#include <dirent.h>
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static void report(struct run *run, CURLcode code)
{
    const struct verbs *v = run->verbs;
    long connects = 0, status = 0;

    curl_easy_getinfo(run->curl, CURLINFO_RESPONSE_CODE, &status);
    if (v->info)
        easy_look(run);
    if (v->fields)
        easy_look_at_fields(run);
    if (v->clock)
        easy_look_at_clock(run);
    curl_easy_getinfo(run->curl, CURLINFO_NUM_CONNECTS, &connects);
    if (v->connects)
        easy_tell(run, "connects", connects);
    if (v->swap_progress)
        easy_tell(run, "other progress", run->others > 0);
    fprintf(stderr,
            "end %d status %ld bytes %ld sum %lx progress %s error '%s'\n",
            code, status, (long)run->bytes, run->sum,
            run->progress_calls ? "yes" : "no", run->error);
}

static CURLcode call(struct run *run)
{
    CURLcode code;

    run->pieces = run->headers = run->progress_calls = run->others =
        run->was_busy = 0;
    run->pause = NOT_YET;
    run->bytes = 0;
    run->sum = 0;
    easy_set_up(run);
    clock_gettime(CLOCK_MONOTONIC, &run->begun_at);
    code = curl_easy_perform(run->curl);
    fflush(run->out);
    if (!run->verbs->quiet)
        report(run, code);
    if (run->copy)
        easy_use_copy(run, run->copy);
    run->copy = NULL;
    if (run->verbs->dup_after)
        easy_use_copy(run, curl_easy_duphandle(run->curl));
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
        easy_tell(run, "open", descriptors() > run->descriptors + 12);
    if (run->verbs->share) {
        curl_easy_setopt(run->curl, CURLOPT_SHARE, NULL);
        easy_tell(run, "share", (long)curl_share_cleanup(run->share));
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
#include "verbs.def"
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
