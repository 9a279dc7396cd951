/* SPDX-License-Identifier: MIT */
/*
 * bench - see the header.  The stand-ins bear the names of engine/root.c,
 * engine/journal.c and of what asks the settings; the linker takes these and
 * leaves the archive's aside.
 */
#include "bench.h"

#include "check.h"
#include "engine/again.h"
#include "engine/budget.h"
#include "engine/easy.h"
#include "engine/grip.h"
#include "engine/journal.h"
#include "engine/keep.h"
#include "engine/promotion.h"
#include "engine/pushback.h"
#include "engine/recorder.h"
#include "engine/root.h"
#include "shim/note.h"
#include "shim/options.h"

#include <stdio.h>
#include <stdlib.h>

struct bench bench;

static struct uns_app *find_app(CURL *easy)
{
    return bench.app && bench.app->easy == easy ? bench.app : NULL;
}

const struct uns_host *uns_root_host(void)
{
    static const struct uns_host host = {
        .abi = UNS_ABI,
        .options = uns_options,
        .option_count = UNS_OPT_SLOTS,
        .restore = uns_note_restore,
        .forget = uns_note_clear,
        .find = find_app,
    };

    return &host;
}

const char *uns_root_capture(void)
{
    return bench.capture;
}

const struct uns_inject *uns_root_inject(void)
{
    return bench.injected ? &bench.inject : NULL;
}

const char *uns_root_injected(void)
{
    return bench.injected;
}

const struct uns_policy *uns_root_policy(const struct uns_url *url)
{
    (void)url;
    return bench.has_policy ? &bench.policy : NULL;
}

const struct uns_config *uns_root_config(void)
{
    return NULL;
}

const char *uns_root_plan(void)
{
    return bench.plan;
}

const char *uns_config_store_path(const struct uns_config *config)
{
    (void)config;
    if (!bench.has_store)
        return NULL;
    return bench.db ? bench.db : "/nowhere/unstall.db";
}

const struct uns_experiment *
uns_config_experiment(const struct uns_config *config)
{
    (void)config;
    return bench.experiment.name ? &bench.experiment : NULL;
}

bool uns_config_store_timeline(const struct uns_config *config)
{
    (void)config;
    return true;
}

int64_t uns_config_store_retain_days(const struct uns_config *config)
{
    (void)config;
    return UNS_NULL;
}

void uns_journal_put(const char *path, struct uns_entry *entry, bool may_wait)
{
    (void)path;
    uns_entry_free(bench.entry);
    bench.entry = entry;
    bench.entries++;
    bench.may_wait = may_wait;
}

struct uns_flight_slot *uns_recorder_slot(const char *store)
{
    assert_non_null(store);
    return bench.slot && uns_flight_take(bench.slot) ? bench.slot : NULL;
}

void uns_recorder_free(struct uns_flight_slot *slot)
{
    if (slot)
        uns_flight_release(slot);
}

const char uns_budget_busy[] = "budget_unreadable";

const char *uns_budget_take(const char *path, const struct uns_policy *policy,
                            int wait_ms)
{
    (void)path;
    assert_ptr_equal(policy, &bench.policy);
    bench.patience_ms = wait_ms;
    bench.asked++;
    if (bench.asked <= bench.locked)
        return uns_budget_busy;
    bench.taken += !bench.broke;
    return bench.broke;
}

bool uns_budget_look(const char *path, const struct uns_policy *policy,
                     double *ret_left)
{
    (void)policy;
    *ret_left = bench.left;
    return path != NULL;
}

void uns_budget_give_back(const char *path, const struct uns_policy *policy,
                          int wait_ms)
{
    (void)path;
    (void)policy;
    (void)wait_ms;
    bench.given_back++;
}

enum uns_err uns_budget_refill(struct sqlite3 *db, const char *route,
                               const struct uns_hedge *hedge)
{
    (void)db;
    (void)route;
    (void)hedge;
    return UNS_OK;
}

static void append(char *to, size_t room, const char *bytes, size_t len)
{
    size_t at = strlen(to);

    assert_true(at + len < room);
    memcpy(to + at, bytes, len);
    to[at + len] = '\0';
}

static size_t take(enum uns_piece_kind kind, const char *bytes, size_t len)
{
    bool counted = fake_memory_counts();
    size_t taken;
    char mark[24];
    int n;

    fake_memory_count(false);
    taken = bench.taker ? bench.taker(kind, bytes, len) : len;
    if (taken == len) {
        n = snprintf(mark, sizeof mark, "%c%zu ",
                     kind == UNS_PIECE_BODY ? 'b' : 'h', len);
        append(bench.pieces, sizeof bench.pieces, mark, (size_t)n);
        if (kind == UNS_PIECE_BODY)
            append(bench.body, sizeof bench.body, bytes, len);
        else
            append(bench.head, sizeof bench.head, bytes, len);
    }
    fake_memory_count(counted);
    return taken;
}

static size_t on_body(char *bytes, size_t size, size_t count, void *arg)
{
    assert_ptr_equal(arg, &bench);
    return take(UNS_PIECE_BODY, bytes, size * count);
}

static size_t on_header(char *bytes, size_t size, size_t count, void *arg)
{
    assert_ptr_equal(arg, &bench.head);
    return take(UNS_PIECE_HEADER, bytes, size * count);
}

void bench_set_slot(CURLoption id, void *value)
{
    const struct uns_option *row = uns_option_find(id);

    if (!(bench.app->busy && row && row->replaced))
        fake_real.curl_easy_setopt(bench.app->easy, id, value);
    uns_note(bench.app, id, value);
}

void bench_headers(const char *const *lines, size_t count)
{
    assert_true(count > 0 && count <= BENCH_HEADERS);
    for (size_t i = 0; i < count; i++) {
        bench.headers[i].data = (char *)(uintptr_t)lines[i];
        bench.headers[i].next = i + 1 < count ? &bench.headers[i + 1] : NULL;
    }
    bench_set(CURLOPT_HTTPHEADER, bench.headers);
}

static struct uns_policy quiet_policy(void)
{
    return (struct uns_policy){
        .mode = UNS_MODE_HEDGE,
        .hedge =
            {
                .after = {.how = UNS_DELAY_OFF},
                .stall_after_ns = UNS_NEVER,
                .hold_limit_bytes = 8388608,
                .max_attempts = 2,
                .warmup_ns = 5 * UNS_S,
            },
        .stream =
            {
                .stall_threshold_ns = 2 * UNS_S,
                .ttft_timeout_ns = UNS_NEVER,
                .stall_timeout_ns = UNS_NEVER,
                .tcp_keepalive_ns = UNS_NEVER,
            },
    };
}

void bench_open(void)
{
    fake_reset();
    uns_pushback_forget();
    uns_promotion_forget_places();
    uns_again_forget();
    memset(&bench, 0, sizeof bench);
    fake_memory_count(false);
    fake_memory_fail(0, false);
    bench.has_policy = bench.has_store = true;
    bench.policy = quiet_policy();
    bench.app = uns_app_new(fake_real.curl_easy_init(), &fake_real);
    assert_non_null(bench.app);
    bench.app->dialect = UNS_DIALECT_CHAT;
    bench_set(CURLOPT_URL, APP_URL);
    bench_set(CURLOPT_POSTFIELDS, APP_BODY);
    bench_set(CURLOPT_WRITEFUNCTION, on_body);
    bench_set(CURLOPT_WRITEDATA, &bench);
    bench_set(CURLOPT_HEADERFUNCTION, on_header);
    bench_set(CURLOPT_HEADERDATA, &bench.head);
    bench_set(CURLOPT_ERRORBUFFER, bench.error);
}

void bench_close(const char *row)
{
    uns_grip_release(bench.app, true);
    CHECK_INT(row, bench.app->call == NULL, true);
    fake_real.curl_easy_cleanup(bench.app->easy);
    uns_app_free(bench.app);
    uns_entry_free(bench.entry);
    fake_check(row);
}

void bench_sources(unsigned count)
{
    static const struct {
        const char *name, *url, *variable, *key;
    } rows[] = {
        {"one", "https://one.example/v1", "KEY_ONE", "sk-one"},
        {"two", "https://two.example/v1", "KEY_TWO", "sk-two"},
        {"three", "https://three.example/v1", "KEY_THREE", "sk-three"},
    };

    for (unsigned i = 0; i < count; i++) {
        setenv(rows[i].variable, rows[i].key, 1);
        bench.source[i] = (struct uns_source){
            .name = rows[i].name,
            .base_url = rows[i].url,
            .api_key_env = rows[i].variable,
        };
        bench.sources[i] = &bench.source[i];
    }
    bench.policy.sources = bench.sources;
    bench.policy.source_count = count;
}

void bench_run(const struct fake_beat *const *plays, size_t count)
{
    fake.plays = plays;
    fake.play_count = count;
    fake_memory_count(true);
    bench.ours = uns_easy_perform(bench.app, &bench.code);
    fake_memory_count(false);
    if (!bench.ours)
        bench.code = fake_real.curl_easy_perform(bench.app->easy);
    assert_false(bench.app->busy);
}

bool bench_leaked(const struct fake_easy *easy, const char *text)
{
    for (unsigned i = 0; i < UNS_OPT_SLOTS; i++)
        if (easy->opt[i].text && strstr(easy->opt[i].text, text))
            return true;
    if (easy->headers && strstr(easy->headers, text))
        return true;
    return memmem(easy->body, easy->body_len, text, strlen(text)) != NULL;
}
