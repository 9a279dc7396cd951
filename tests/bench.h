/* SPDX-License-Identifier: MIT */
#ifndef UNS_TESTS_BENCH_H
#define UNS_TESTS_BENCH_H

/*
 * bench - one call of an application through the engine's driver: its handle
 * and callbacks, the policy, and where the call's record goes, all under the
 * test's hand.  libcurl and the clock are fake_curl's; the settings and the
 * journal have stand-ins here.
 */

#include "fake_curl.h"
#include "fake_memory.h"

#include "core/inject.h"
#include "engine/call.h"
#include "engine/store.h"

#define APP_URL                                              \
    "https://user:pass@app.example:8443/v1/chat/completions" \
    "?key=app-url-secret&api-version=7"
#define APP_BODY "{\"model\":\"gpt-4o\",\"stream\":true,\"messages\":[]}"

#define OK_HEAD "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n"
#define DELTA(word)                                                   \
    "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"" word \
    "\"}}]}\n\n"
#define STOP                                         \
    "data: {\"choices\":[{\"index\":0,\"delta\":{}," \
    "\"finish_reason\":\"stop\"}]}\n\n"
#define DONE "data: [DONE]\n\n"
#define ROLE                                                \
    "data: {\"choices\":[{\"index\":0,\"delta\":{\"role\":" \
    "\"assistant\",\"content\":\"\"}}]}\n\n"

/* What the application does with a piece; NULL: takes it. */
typedef size_t bench_taker(enum uns_piece_kind kind, const char *bytes,
                           size_t len);

#define BENCH_HEADERS 16

struct bench {
    struct uns_app *app;
    struct uns_policy policy;
    struct uns_experiment experiment; /* no name: there is none */
    struct uns_source source[3];
    const struct uns_source *sources[3];
    struct curl_slist headers[BENCH_HEADERS];
    bench_taker *taker;
    int progress; /* what the progress callback returns */
    unsigned progress_calls;
    char error[CURL_ERROR_SIZE];
    char body[1 << 17]; /* what the write callback was given */
    char pieces[8192];  /* all callbacks: "h17 b20 " */
    char head[8192];
    CURLcode code;
    bool ours;               /* the engine did it, not the real function */
    struct uns_entry *entry; /* the record; NULL: none was made */
    unsigned entries;
    struct uns_flight_slot *slot; /* the recorder's only one, or NULL */
    bool may_wait; /* for the store's lock, when it was handed over */
    bool has_policy, has_store;
    const char *db; /* NULL: a place where there is none */
    struct uns_inject inject;
    const char *injected; /* NULL: nothing is */
    const char *capture;  /* a directory; NULL: nothing is captured */
    const char *broke;    /* why the budget gives no token; NULL: it gives */
    unsigned asked, taken, given_back;
    unsigned locked;  /* so many times it is busy, before all else */
    double left;      /* what is in the bucket, for who only looks */
    const char *plan; /* the file of UNSTALL_PLAN; NULL: calls are sent */
    int patience_ms;  /* with which it was asked last */
};

extern struct bench bench;

/* A fresh application: a streaming chat request at APP_URL, callbacks set,
 * mode hedge with nothing on, no sources. */
void bench_open(void);

/* Clean up, and check that nothing is left anywhere. */
void bench_close(const char *row);

/* As the application: what the preload does with curl_easy_setopt. */
#define bench_set(id, value) bench_set_slot((id), (void *)(intptr_t)(value))
void bench_set_slot(CURLoption id, void *value);

/* Set CURLOPT_HTTPHEADER to these lines, which are borrowed. */
void bench_headers(const char *const *lines, size_t count);

/* Sources "one", "two", "three" at https://NAME.example/v1, bearer keys from
 * KEY_ONE, KEY_TWO, KEY_THREE, which are set. */
void bench_sources(unsigned count);

/* Perform, each request playing one of the plays; what is allocated meanwhile
 * is counted (fake_memory.h). */
void bench_run(const struct fake_beat *const *plays, size_t count);
#define BENCH_RUN(...)                                                 \
    bench_run((const struct fake_beat *const[]){__VA_ARGS__},          \
              sizeof((const struct fake_beat *const[]){__VA_ARGS__}) / \
                  sizeof(const struct fake_beat *))

/* Did a request's handle get the text in any option, header or body? */
bool bench_leaked(const struct fake_easy *easy, const char *text);

#endif
