/* SPDX-License-Identifier: MIT */
/* Learned delays at work (R2, P5): each call is hedged as the estimate says,
 * and the estimate is made of such calls. */
#include "core/delay.h"

#include "check.h"
#include "draw.h"

#include <stdlib.h>

#define S 1000000 /* in us */

static struct uns_delay_window window;
static struct uns_delay_curve curve;

static void fresh(void)
{
    window = (struct uns_delay_window){0};
}

static const struct draw_kind usual = {900, 400, 0.05, 10, 0, 0};
static const struct draw_kind one_mode = {900, 400, 0, 0, 0, 0};

static void estimate_of(const struct draw_kind *kind, uint64_t seed, size_t n)
{
    struct draw draw = {seed};

    fresh();
    for (size_t i = 0; i < n; i++)
        uns_delay_add(&window, (int64_t)(draw_time(&draw, kind) * 1000), false);
    uns_delay_estimate(&window, &curve);
}

struct world {
    struct draw draw;
    struct draw_kind kind;
    double tokens; /* a budget of burst 10, ratio 0.1 */
    size_t calls, hedged;
    double quantile; /* 0: auto */
};

static int64_t wait_of(const struct world *world)
{
    uns_delay_estimate(&window, &curve);
    if (window.samples < UNS_DELAY_LEAST)
        return 5 * S;
    return world->quantile > 0 ? uns_delay_quantile(&curve, world->quantile)
                               : uns_delay_auto(&curve, &curve, 0.1);
}

/* The primary of a hedged call is cancelled when its rival is first. */
static void live(struct world *world, size_t calls)
{
    for (size_t i = 0; i < calls; i++) {
        int64_t wait = wait_of(world);
        int64_t x = (int64_t)(draw_time(&world->draw, &world->kind) * 1000);
        int64_t y = (int64_t)(draw_time(&world->draw, &world->kind) * 1000);
        bool hedges = x > wait && world->tokens >= 1;

        world->hedged += hedges;
        world->tokens -= hedges;
        world->tokens = fmin(10, world->tokens + 0.1);
        world->calls++;
        if (hedges && wait + y < x)
            uns_delay_add(&window, wait + y, true);
        else
            uns_delay_add(&window, x, false);
    }
}

static const double learners[] = {0, 0.9, 0.95};

/* The estimate after thousands of its own hedges is that without any. */
static void test_delay_learns_nothing_from_its_own_hedges(void **state)
{
    (void)state;
    for (size_t i = 0; i < ROWS(learners); i++) {
        struct world world = {
            .draw = {5}, .kind = usual, .tokens = 10, .quantile = learners[i]};
        int64_t want, sum = 0;

        estimate_of(&usual, 99, UNS_DELAY_TIMES);
        fresh();
        live(&world, 1000);
        for (int n = 0; n < 40; n++) {
            live(&world, 100);
            sum += wait_of(&world);
        }
        estimate_of(&usual, 99, UNS_DELAY_TIMES);
        want = learners[i] > 0 ? uns_delay_quantile(&curve, learners[i])
                               : uns_delay_auto(&curve, &curve, 0.1);
        CHECK_INT("percent of the true wait, 75 to 133",
                  sum / 40 > want * 3 / 4 && sum / 40 < want * 4 / 3, true);
    }
}

/* P5: everybody is slow for half an hour.  Not everybody is hedged, and
 * afterwards the wait is what it was. */
static void test_delay_survives_an_incident(void **state)
{
    (void)state;
    for (size_t i = 0; i < ROWS(learners); i++)
        for (uint64_t seed = 1; seed <= 10; seed++) {
            struct world world = {.draw = {seed},
                                  .kind = one_mode,
                                  .tokens = 10,
                                  .quantile = learners[i]};
            int64_t before, during, after;

            fresh();
            live(&world, 1024);
            before = wait_of(&world);
            world.kind.mean *= 20;
            world.kind.sd *= 20;
            live(&world, 300);
            during = wait_of(&world);
            world.kind = one_mode;
            live(&world, UNS_DELAY_TIMES);
            after = wait_of(&world);
            assert_true(during > 4 * before);
            assert_true((double)world.hedged <= 10 + 0.1 * (double)world.calls);
            if (llabs(after - before) * 4 > before)
                CHECK_INT("wait, us", after, before);
        }
}

/* The same, replayed: the very same 512 times as before the incident. */
static void test_delay_is_back_after_512_calls(void **state)
{
    static int64_t healthy[UNS_DELAY_TIMES];
    struct draw draw = {11};

    (void)state;
    for (size_t i = 0; i < ROWS(healthy); i++)
        healthy[i] = (int64_t)(draw_time(&draw, &usual) * 1000);
    for (size_t i = 0; i < ROWS(learners); i++) {
        struct world world = {.quantile = learners[i]};
        int64_t before, after;

        fresh();
        for (size_t n = 0; n < ROWS(healthy); n++)
            uns_delay_add(&window, healthy[n], false);
        before = wait_of(&world);
        for (size_t n = 0; n < ROWS(healthy); n++)
            uns_delay_add(&window, 40 * S + (int64_t)n, n % 3 == 0);
        assert_true(wait_of(&world) >= 40 * S);
        for (size_t n = 0; n < ROWS(healthy); n++)
            uns_delay_add(&window, healthy[n], healthy[n] > before);
        after = wait_of(&world);
        CHECK_INT("within 10 %", llabs(after - before) * 10 <= before, true);
    }
}

/* The primary hangs in every third call: those are only ever censored, later
 * and later if the wait followed them. */
static void test_delay_does_not_chase_its_hedges(void **state)
{
    int64_t first = 0;

    (void)state;
    fresh();
    for (size_t i = 0; i < 100; i++)
        uns_delay_add(&window, (int64_t)(800 + i) * 1000, false);
    for (size_t i = 0; i < 3000; i++) {
        int64_t wait;

        uns_delay_estimate(&window, &curve);
        wait = uns_delay_quantile(&curve, 0.95);
        if (i == 0)
            first = wait;
        if (i % 3 == 0)
            uns_delay_add(&window, wait + S, true);
        else
            uns_delay_add(&window, (int64_t)(800 + i % 100) * 1000, false);
        assert_true(wait <= first + S / 10);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_delay_learns_nothing_from_its_own_hedges),
        cmocka_unit_test(test_delay_survives_an_incident),
        cmocka_unit_test(test_delay_is_back_after_512_calls),
        cmocka_unit_test(test_delay_does_not_chase_its_hedges),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
