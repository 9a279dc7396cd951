/* SPDX-License-Identifier: MIT */

/*
 * client - an application of libcurl that knows nothing of unstall and measures
 * itself: bench/figures.py runs it in turn without and with the preload.
 * Times are ns, sizes bytes; what it prints is one line a round.
 *
 *   client get URL ROUNDS      a handle's whole life around a GET: ns
 *   client first URL ROUNDS    one handle, an LLM call a round: ns to the first
 *                              byte of body
 *   client stream URL ROUNDS   the same to the end: ns of processor, ns of
 *                              clock, bytes, pieces
 *   client crowd URL CALLS     as many at once in one multi, after one alone:
 *                              calls, whole ones, memory resident when all
 *                              wait for their server, above that before
 */

#include <curl/curl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define BODY     "{\"model\":\"m\",\"stream\":true,\"messages\":[]}"
#define END_MARK "data: [DONE]\n\n"

enum {
    QUIET_MS = 1000, /* so long nothing came: they all wait */
    TAIL = sizeof END_MARK - 1
};

struct answer {
    int64_t first_ns;
    size_t bytes, pieces;
    char tail[TAIL]; /* its last bytes */
};

static int64_t clock_ns(clockid_t clock)
{
    struct timespec now;

    clock_gettime(clock, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static void keep_tail(struct answer *answer, const char *bytes, size_t len)
{
    size_t from_bytes = len < TAIL ? len : TAIL;
    size_t kept = TAIL - from_bytes;

    memmove(answer->tail, answer->tail + from_bytes, kept);
    memcpy(answer->tail + kept, bytes + len - from_bytes, from_bytes);
}

static size_t on_body(char *bytes, size_t size, size_t count, void *arg)
{
    struct answer *answer = arg;
    size_t len = size * count;

    if (answer->pieces++ == 0)
        answer->first_ns = clock_ns(CLOCK_MONOTONIC);
    answer->bytes += len;
    keep_tail(answer, bytes, len);
    return len;
}

static int is_whole(const struct answer *answer)
{
    return memcmp(answer->tail, END_MARK, TAIL) == 0;
}

static CURL *new_handle(const char *url, struct answer *answer)
{
    CURL *easy = curl_easy_init();

    curl_easy_setopt(easy, CURLOPT_URL, url);
    curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(easy, CURLOPT_TIMEOUT, 300L);
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, on_body);
    curl_easy_setopt(easy, CURLOPT_WRITEDATA, answer);
    return easy;
}

static CURL *new_call(const char *url, struct answer *answer)
{
    CURL *easy = new_handle(url, answer);

    curl_easy_setopt(easy, CURLOPT_POSTFIELDS, BODY);
    return easy;
}

static void perform(CURL *easy)
{
    CURLcode code = curl_easy_perform(easy);

    if (code != CURLE_OK) {
        fprintf(stderr, "client: %s\n", curl_easy_strerror(code));
        exit(EXIT_FAILURE);
    }
}

static void get(const char *url, int rounds)
{
    while (rounds-- > 0) {
        struct answer answer = {0};
        int64_t began = clock_ns(CLOCK_MONOTONIC);
        CURL *easy = new_handle(url, &answer);

        perform(easy);
        curl_easy_cleanup(easy);
        printf("%lld\n", (long long)(clock_ns(CLOCK_MONOTONIC) - began));
    }
}

static void first(const char *url, int rounds)
{
    struct answer answer;
    CURL *easy = new_call(url, &answer);

    while (rounds-- > 0) {
        int64_t began = clock_ns(CLOCK_MONOTONIC);

        answer = (struct answer){0};
        perform(easy);
        printf("%lld\n", (long long)(answer.first_ns - began));
    }
    curl_easy_cleanup(easy);
}

static void stream(const char *url, int rounds)
{
    struct answer answer;
    CURL *easy = new_call(url, &answer);

    while (rounds-- > 0) {
        int64_t cpu = clock_ns(CLOCK_PROCESS_CPUTIME_ID);
        int64_t began = clock_ns(CLOCK_MONOTONIC);

        answer = (struct answer){0};
        perform(easy);
        printf("%lld %lld %zu %zu\n",
               (long long)(clock_ns(CLOCK_PROCESS_CPUTIME_ID) - cpu),
               (long long)(clock_ns(CLOCK_MONOTONIC) - began), answer.bytes,
               answer.pieces);
    }
    curl_easy_cleanup(easy);
}

static long resident_bytes(void)
{
    FILE *file = fopen("/proc/self/statm", "r");
    long pages = 0;

    if (file == NULL || fscanf(file, "%*d %ld", &pages) != 1)
        exit(EXIT_FAILURE);
    fclose(file);
    return pages * sysconf(_SC_PAGESIZE);
}

static size_t all_bytes(const struct answer *answers, int calls)
{
    size_t bytes = 0;

    for (int i = 0; i < calls; i++)
        bytes += answers[i].bytes;
    return bytes;
}

static int all_began(const struct answer *answers, int calls)
{
    int began = 0;

    for (int i = 0; i < calls; i++)
        began += answers[i].pieces > 0;
    return began == calls;
}

/* Returns the memory resident at the first silence of all of them. */
static long run_all(CURLM *multi, const struct answer *answers, int calls)
{
    int64_t moved = 0;
    size_t bytes = 0;
    long resident = 0;
    int running = 1;

    while (running > 0) {
        int64_t now = clock_ns(CLOCK_MONOTONIC);

        curl_multi_perform(multi, &running);
        if (all_bytes(answers, calls) != bytes) {
            bytes = all_bytes(answers, calls);
            moved = now;
        } else if (resident == 0 && all_began(answers, calls) &&
                   now - moved > (int64_t)QUIET_MS * 1000000) {
            resident = resident_bytes();
        }
        curl_multi_poll(multi, NULL, 0, 100, NULL);
    }
    return resident;
}

static void crowd(const char *url, int calls)
{
    struct answer *answers = calloc((size_t)calls, sizeof *answers);
    CURL **easy = calloc((size_t)calls, sizeof(CURL *));
    CURLM *multi = curl_multi_init();
    struct answer alone = {0};
    CURL *warm_up = new_call(url, &alone);
    long before, full;
    int whole = 0;

    perform(warm_up);
    curl_easy_cleanup(warm_up);
    for (int i = 0; i < calls; i++)
        easy[i] = new_call(url, &answers[i]);
    before = resident_bytes();
    for (int i = 0; i < calls; i++)
        curl_multi_add_handle(multi, easy[i]);
    full = run_all(multi, answers, calls);
    for (int i = 0; i < calls; i++) {
        whole += is_whole(&answers[i]);
        curl_multi_remove_handle(multi, easy[i]);
        curl_easy_cleanup(easy[i]);
    }
    curl_multi_cleanup(multi);
    printf("%d %d %ld\n", calls, whole, full - before);
    free(easy);
    free(answers);
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*run)(const char *url, int number);
    } verbs[] = {
        {"get",    get   },
        {"first",  first },
        {"stream", stream},
        {"crowd",  crowd },
    };

    curl_global_init(CURL_GLOBAL_DEFAULT);
    for (size_t i = 0; argc == 4 && i < sizeof verbs / sizeof *verbs; i++) {
        if (strcmp(argv[1], verbs[i].name) == 0) {
            verbs[i].run(argv[2], atoi(argv[3]));
            return EXIT_SUCCESS;
        }
    }
    fputs("usage: client get|first|stream|crowd URL NUMBER\n", stderr);
    return 2;
}
