/* SPDX-License-Identifier: MIT */
/* Cut primaries get a rest, as the product-limit estimate has it. */
#include "cli/pool.h"

#include "check.h"
#include "core/delay.h"
#include "pools.h"

static struct uns_trace cut_at(int ms)
{
    struct uns_trace trace = TRACE(TRACE_END, 0);

    uns_trace_close(&trace, ms * UNS_MS);
    trace.cut = true;
    return trace;
}

static void test_pool_gives_a_cut_call_the_rest_of_a_longer_one(void **state)
{
    struct uns_pool pool = {0};

    (void)state;
    for (int i = 0; i < 30; i++)
        pool_add(&pool, TRACE(500, 700, TRACE_END, 800), 0);
    pool_add(&pool, TRACE(4000, 4100, 6000, TRACE_END, 6300), 0);
    pool_add(&pool, cut_at(3000), 0);
    assert_true(uns_pool_complete(&pool, 20, 1));
    CHECK_INT("cut", pool.cut, 1);
    CHECK_INT("unbounded", pool.unbounded, 0);
    for (size_t i = 0; i < pool.count; i++) {
        const struct uns_trace *trace = &pool.call[i].trace;

        assert_false(trace->cut);
        if (trace->at_ns[0] == 500 * UNS_MS)
            continue;
        CHECK_INT("points", trace->points, 3);
        CHECK_INT("first", trace->at_ns[0] / UNS_MS, 4000);
        CHECK_INT("end", trace->end_ns / UNS_MS, 6300);
    }
    uns_pool_clear(&pool);
}

/* Silent for one second when it was stopped; two others were for longer. */
static void test_pool_ends_a_cut_silence_as_a_longer_one_ended(void **state)
{
    struct uns_trace cut = TRACE(500, 600, TRACE_END, 1600);
    struct uns_pool pool = {0};

    (void)state;
    cut.cut = true;
    for (int i = 0; i < 10; i++) {
        pool_add(&pool, TRACE(500, 600, TRACE_END, 700), 0);
        pool_add(&pool, TRACE(500, 1000, 1100, TRACE_END, 1200), 0);
        pool_add(&pool, TRACE(100, 3100, 3200, TRACE_END, 3500), 0);
    }
    pool_add(&pool, cut, 1);
    assert_true(uns_pool_complete(&pool, 100, 1));
    for (size_t i = 0; i < pool.count; i++) {
        const struct uns_trace *trace = &pool.call[i].trace;

        if (trace->at_ns[0] != 500 * UNS_MS || trace->end_ns < 2 * UNS_S)
            continue;
        CHECK_INT("it goes on after 3 s", trace->at_ns[2] / UNS_MS, 3600);
        CHECK_INT("and ends as that did", trace->end_ns / UNS_MS, 4000);
    }
    CHECK_INT("unbounded", pool.unbounded, 0);
    uns_pool_clear(&pool);
}

static void test_pool_says_when_nobody_was_silent_for_longer(void **state)
{
    struct uns_pool pool = {0};

    (void)state;
    for (int i = 0; i < 30; i++)
        pool_add(&pool, TRACE(500, 700, TRACE_END, 800), 0);
    pool_add(&pool, cut_at(3000), 0);
    assert_true(uns_pool_complete(&pool, 20, 1));
    CHECK_INT("unbounded", pool.unbounded, 1);
    for (size_t i = 0; i < pool.count; i++)
        if (pool.call[i].trace.at_ns[0] != 500 * UNS_MS) {
            CHECK_INT("at that moment", pool.call[i].trace.at_ns[0] / UNS_MS,
                      3000);
            CHECK_INT("and the rest", pool.call[i].trace.end_ns / UNS_MS, 3300);
        }
    uns_pool_clear(&pool);
}

static void test_pool_of_cut_calls_alone_is_no_loop(void **state)
{
    struct uns_pool pool = {0};

    (void)state;
    for (int i = 0; i < 30; i++)
        pool_add(&pool, cut_at(100 * i), 0);
    assert_true(uns_pool_complete(&pool, 20, 1));
    CHECK_INT("cut", pool.cut, 30);
    assert_true(uns_pool_complete(&(struct uns_pool){0}, 20, 1));
    uns_pool_clear(&pool);
}

/* Exponential waits, exponential cuts: the share of completed waits beyond a
 * time is what core/delay estimates of the same, but for chance. */
static void test_pool_agrees_with_the_product_limit_estimate(void **state)
{
    static const int times[] = {200, 500, 1000, 1500, 2000, 3000};
    struct uns_delay_window *window = calloc(1, sizeof *window);
    struct uns_delay_curve *curve = calloc(1, sizeof *curve);
    double later[ROWS(times)] = {0};
    const int seeds = 200, calls = 400;

    (void)state;
    for (int seed = 0; seed < seeds; seed++) {
        struct uns_pool pool = {0};
        struct uns_dice dice = {77};

        for (int i = 0; i < calls; i++) {
            int wait = (int)(-1000 * log(1 - uns_stats_uniform(&dice))) + 1;
            int cut = (int)(-1500 * log(1 - uns_stats_uniform(&dice))) + 1;

            if (seed == 0)
                uns_delay_add(window, wait < cut ? wait : cut, cut < wait);
            pool_add(&pool,
                     wait <= cut ? trace_smooth(wait, wait) : cut_at(cut), 0);
        }
        assert_true(uns_pool_complete(&pool, 20, (uint64_t)seed));
        for (size_t k = 0; k < ROWS(times); k++)
            for (int i = 0; i < calls; i++)
                later[k] += pool.call[i].trace.at_ns[0] > times[k] * UNS_MS;
        uns_pool_clear(&pool);
    }
    uns_delay_estimate(window, curve);
    for (size_t k = 0; k < ROWS(times); k++) {
        double want = 1;

        for (size_t i = 0; i < curve->steps; i++)
            if (curve->at_us[i] <= times[k])
                want = curve->later[i];
        if (fabs(later[k] / (seeds * calls) - want) > 0.012)
            fail_msg("later than %d ms: %.4f, not %.4f", times[k],
                     later[k] / (seeds * calls), want);
    }
    free(window);
    free(curve);
}

static void test_pool_takes_rivals_from_the_same_place(void **state)
{
    struct uns_pool pool = {0};
    struct uns_dice dice = {1};

    (void)state;
    for (int i = 0; i < 40; i++) {
        pool_add(&pool, TRACE(500, 700, TRACE_END, 800), 1);
        pool_add(&pool, TRACE(5000, 7000, TRACE_END, 8000), 2);
        if (i % 10 == 0)
            pool_add(&pool, TRACE(50, 70, TRACE_END, 80), 3 + (uint32_t)i);
    }
    assert_true(uns_pool_complete(&pool, 20, 1));
    for (size_t i = 0; i < pool.count; i++) {
        const struct uns_trace *trace = &pool.call[i].trace;
        const struct uns_trace *rival = uns_pool_rival(&pool, i, &dice);

        CHECK_INT("as fast", rival->at_ns[0], trace->at_ns[0]);
        assert_ptr_not_equal(rival, trace);
    }
    uns_pool_clear(&pool);
}

static void test_pool_draws_every_other_call_as_a_rival(void **state)
{
    struct uns_pool pool = {0};
    struct uns_dice dice = {1};
    int seen[10] = {0};

    (void)state;
    for (int i = 0; i < 10; i++)
        pool_add(&pool, TRACE(500, 700, TRACE_END, 800), 1);
    assert_true(uns_pool_complete(&pool, 20, 1));
    for (size_t i = 0; i < pool.count; i++)
        pool.call[i].trace.tokens = (double)i;
    for (int i = 0; i < 900; i++)
        seen[(int)uns_pool_rival(&pool, 4, &dice)->tokens]++;
    CHECK_INT("itself", seen[4], 0);
    for (int i = 0; i < 10; i++)
        if (i != 4)
            assert_in_range(seen[i], 60, 140);
    uns_pool_clear(&pool);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pool_gives_a_cut_call_the_rest_of_a_longer_one),
        cmocka_unit_test(test_pool_ends_a_cut_silence_as_a_longer_one_ended),
        cmocka_unit_test(test_pool_says_when_nobody_was_silent_for_longer),
        cmocka_unit_test(test_pool_of_cut_calls_alone_is_no_loop),
        cmocka_unit_test(test_pool_agrees_with_the_product_limit_estimate),
        cmocka_unit_test(test_pool_takes_rivals_from_the_same_place),
        cmocka_unit_test(test_pool_draws_every_other_call_as_a_rival),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
