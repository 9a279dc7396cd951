/* SPDX-License-Identifier: MIT */
/* Settings tried on calls, and which of them is taken. */
#include "cli/grid.h"

#include "check.h"
#include "pools.h"

#define ALL UNS_NEVER

static struct uns_grid *grid_new(const struct pool_plan *plan)
{
    struct uns_pool pool = pool_make(plan, 9);
    struct uns_grid *grid = uns_grid_new(&pool, 1);

    assert_non_null(grid);
    uns_pool_clear(&pool);
    return grid;
}

/* Each plan is tried once: that takes half a second. */
static struct uns_grid *grid_of(const struct pool_plan *plan)
{
    static struct {
        const struct pool_plan *plan;
        struct uns_grid *grid;
    } made[4];

    size_t i = 0;

    while (made[i].plan != NULL && made[i].plan != plan)
        i++;
    if (made[i].plan == NULL) {
        made[i].plan = plan;
        made[i].grid = grid_new(plan);
    }
    return made[i].grid;
}

static const struct pool_plan late = {1000, 0.05, 0, 20000, 0};
static const struct pool_plan stalled = {1000, 0, 0.05, 0, 20000};
static const struct pool_plan both = {1000, 0.03, 0.03, 10000, 10000};
static const struct pool_plan healthy = {1000, 0, 0, 0, 0};

static void test_grid_begins_with_calls_as_they_were(void **state)
{
    struct uns_grid *grid = grid_of(&late);
    const struct uns_grid_entry *none = &grid->entry[0];

    (void)state;
    CHECK_INT("after", none->setting.after_ns, UNS_NEVER);
    CHECK_INT("requests", none->price.requests, 0);
    CHECK_INT("saved", none->price.saved_ms, 0);
    assert_true(fabs(none->price.wall_ms - 3750) < 250);
    assert_true(none->price.first_ms[2] > 20000);
}

static void test_grid_tries_nothing_that_a_configuration_refuses(void **state)
{
    struct uns_grid *grid = grid_of(&both);

    (void)state;
    for (size_t i = 1; i < grid->count; i++) {
        const struct uns_setting *setting = &grid->entry[i].setting;
        bool stalls = setting->stall_after_ns != UNS_NEVER;

        assert_true(stalls || setting->after_ns != UNS_NEVER);
        assert_true(stalls == (setting->hold_ns > 0));
        assert_true(!stalls || setting->stall_after_ns < setting->hold_ns);
        assert_true(setting->after_ns >= 100 * UNS_MS);
    }
}

/* What is taken: R2 for late calls, R4 for stalled ones that may be held. */
static const struct {
    const char *name;
    const struct pool_plan *plan;
    double budget;
    uns_ns hold_ns;
    bool waits, stalls;
} choices[] = {
    {"late calls", &late, 0.1, 0, true, false},
    {"late calls, although answers may be held", &late, 0.1, ALL, true, false},
    {"stalled ones that may not be held", &stalled, 0.1, 0, false, false},
    {"stalled ones that may", &stalled, 0.1, ALL, false, true},
    {"stalled ones that may for a while", &stalled, 0.1, 5 * UNS_S, false,
     true},
    {"both", &both, 0.1, ALL, true, true},
    {"healthy calls", &healthy, 0.1, ALL, false, false},
    {"late calls without a budget", &late, 0, ALL, false, false},
};

static void test_grid_takes_what_helps_within_the_limits(void **state)
{
    (void)state;
    for (size_t i = 0; i < ROWS(choices); i++) {
        struct uns_grid *grid = grid_of(choices[i].plan);
        const struct uns_grid_limits limits = {choices[i].budget,
                                               choices[i].hold_ns};
        struct uns_grid_choice choice = uns_grid_choose(grid, &limits);
        const struct uns_grid_entry *knee = &grid->entry[choice.knee];
        const struct uns_grid_entry *most = &grid->entry[choice.most];

        CHECK_INT(choices[i].name, knee->setting.after_ns != UNS_NEVER,
                  choices[i].waits);
        CHECK_INT(choices[i].name, knee->setting.stall_after_ns != UNS_NEVER,
                  choices[i].stalls);
        assert_true(knee->price.requests <= choices[i].budget);
        assert_true(knee->setting.hold_ns <= choices[i].hold_ns);
        assert_true(knee->price.requests <= most->price.requests);
        assert_true(knee->price.saved_ms >= 0.9 * most->price.saved_ms);
    }
}

/* 5 % of the calls are 20 s late; a rival is late itself as rarely. */
static void test_grid_promises_what_it_can_keep(void **state)
{
    struct uns_grid *grid = grid_of(&late);
    const struct uns_grid_limits limits = {0.1, 0};
    struct uns_grid_choice choice = uns_grid_choose(grid, &limits);
    const struct uns_price *price = &grid->entry[choice.knee].price;

    (void)state;
    assert_true(price->saved_ms > 0.85 * 0.05 * 0.95 * 19000);
    assert_true(price->saved_ms < 1.25 * 0.05 * 20000);
    assert_true(price->requests > 0.03 && price->requests < 0.1);
    assert_true(price->first_ms[1] < 3000);
    assert_true(price->tokens >= 100 * price->requests);
}

static void test_grid_says_the_same_each_time(void **state)
{
    struct uns_grid *one = grid_of(&both), *other = grid_new(&both);

    (void)state;
    CHECK_INT("count", one->count, other->count);
    assert_memory_equal(one->entry, other->entry,
                        one->count * sizeof *one->entry);
    uns_grid_free(other);
}

static void test_grid_frontier_rises_with_the_price(void **state)
{
    struct uns_grid *grid = grid_of(&both);
    const struct uns_grid_limits limits = {0.5, ALL};
    struct uns_grid_choice choice = uns_grid_choose(grid, &limits);
    int count = 0;

    (void)state;
    for (size_t i = 1; i < grid->count; i++)
        for (size_t k = 1; k < grid->count; k++) {
            const struct uns_price *a = &grid->entry[i].price;
            const struct uns_price *b = &grid->entry[k].price;

            if (!uns_grid_is_frontier(grid, i, &limits) ||
                !uns_grid_is_frontier(grid, k, &limits))
                continue;
            count++;
            assert_true(i == k || (a->requests < b->requests) ==
                                      (a->saved_ms < b->saved_ms));
        }
    assert_true(count > 1);
    assert_true(uns_grid_is_frontier(grid, choice.most, &limits));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_grid_begins_with_calls_as_they_were),
        cmocka_unit_test(test_grid_tries_nothing_that_a_configuration_refuses),
        cmocka_unit_test(test_grid_takes_what_helps_within_the_limits),
        cmocka_unit_test(test_grid_promises_what_it_can_keep),
        cmocka_unit_test(test_grid_says_the_same_each_time),
        cmocka_unit_test(test_grid_frontier_rises_with_the_price),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
