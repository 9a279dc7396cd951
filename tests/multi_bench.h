/* SPDX-License-Identifier: MIT */
#ifndef UNS_TESTS_MULTI_BENCH_H
#define UNS_TESTS_MULTI_BENCH_H

/* multi_bench - the bench's application with a multi of its own. */

#include "bench.h"

#include "check.h"
#include "engine/multi.h"

#define HI DELTA("Hi") STOP DONE

static const struct fake_beat silent[] = {SILENCE};
static const struct fake_beat healthy[] = {
    HEAD(100, OK_HEAD), BODY(300, DELTA("Hi")), BODY(500, STOP),
    BODY(500, DONE),    END(600, CURLE_OK),
};
static const struct uns_multi_engine *const engine = &uns_multi_engine;
static struct uns_multi multi;

static struct {
    unsigned messages;
    CURLcode code;
    CURL *easy;
    int running;
    uns_ns due_ns; /* as the timer callback was told */
    unsigned timers;
} seen;

static inline void multi_set(CURLMoption option, void *value)
{
    struct uns_opt *opt = &multi.opt[(unsigned)option % 10000];

    opt->value.p = value;
    opt->order = ++multi.order;
    if (multi.lane)
        engine->setopt(&multi, option, value);
    else
        fake_real.curl_multi_setopt(multi.multi, option, value);
}

static inline void open_multi(uns_ns after_ns)
{
    bench_open();
    bench_sources(1);
    bench.policy.hedge.after =
        (struct uns_delay){.how = UNS_DELAY_FIXED, .fixed_ns = after_ns};
    memset(&seen, 0, sizeof seen);
    multi = (struct uns_multi){
        .multi = fake_real.curl_multi_init(),
        .real = &fake_real,
    };
}

static inline void add_call(struct uns_app *app)
{
    CURLMcode code = CURLM_INTERNAL_ERROR;

    assert_true(engine->add(&multi, app, &code));
    assert_int_equal(code, CURLM_OK);
}

static inline void play(const struct fake_beat *const *plays, size_t count)
{
    fake.plays = plays;
    fake.play_count = count;
}

static inline void close_multi(const char *row)
{
    if (multi.lane) {
        engine->remove(&multi, bench.app, bench.app->easy);
        assert_true(engine->cleanup(&multi));
    }
    assert_null(multi.lane);
    fake_real.curl_multi_cleanup(multi.multi);
    bench_close(row);
}

static inline void read_messages(void)
{
    CURLMsg *message;
    int left;

    while ((message = engine->info_read(&multi, &left))) {
        assert_int_equal(message->msg, CURLMSG_DONE);
        seen.messages++;
        seen.code = message->data.result;
        seen.easy = message->easy_handle;
    }
}

/* One turn of a loop of perform and poll. */
static inline void turn(void)
{
    const struct uns_multi_wait how = {.timeout_ms = 1000, .poll = true};

    assert_int_equal(engine->perform(&multi, &seen.running), CURLM_OK);
    read_messages();
    if (seen.running > 0)
        assert_int_equal(engine->wait(&multi, &how), CURLM_OK);
}

static inline void loop_of_poll(void)
{
    for (int i = 0; i < 100 && !seen.messages; i++)
        turn();
}

#endif
