/* SPDX-License-Identifier: MIT */
#ifndef UNS_TESTS_BUDGET_FIXTURE_H
#define UNS_TESTS_BUDGET_FIXTURE_H

/* budget_fixture - a bucket in a real database: calls that pay into it, and
 * what can be taken out. */

#include "engine/budget.h"

#include "store_fixture.h"

#include <stdatomic.h>

#define WAIT_MS 5000

static inline struct uns_policy policy_of(const char *route, double burst,
                                          double ratio)
{
    return (struct uns_policy){
        .route = route,
        .hedge = {.budget_burst = burst,
                  .budget_ratio = ratio,
                  .budget_per_hour = UNS_NULL,
                  .budget_per_day = UNS_NULL},
    };
}

static inline const char *take(const char *path,
                               const struct uns_policy *policy)
{
    return uns_budget_take(path, policy, WAIT_MS);
}

/* How many tokens there are before it is empty, up to `most`. */
static inline int take_all(const char *path, const struct uns_policy *policy,
                           int most)
{
    int taken = 0;

    while (taken < most && take(path, policy) == NULL)
        taken++;
    return taken;
}

/* Calls that have ended, `count` of them in one batch. */
static inline void finish(const char *path, const struct uns_policy *policy,
                          int count)
{
    static atomic_long number;
    struct uns_entry *list = NULL;

    for (int i = 0; i < count; i++) {
        struct uns_entry *entry =
            entry_numbered(getpid() * 1000000L + number++);

        snprintf(entry->call.route, sizeof entry->call.route, "%s",
                 policy->route ? policy->route : "");
        entry->pays = &policy->hedge;
        entry->next = list;
        list = entry;
    }
    assert_int_equal(uns_store_write(path, list, WAIT_MS), UNS_OK);
    while (list) {
        struct uns_entry *next = list->next;

        uns_entry_free(list);
        list = next;
    }
}

/* Extra requests so far, by the row of the policy's route. */
static inline int64_t spent(const char *path)
{
    return ask(path, "SELECT sum(spent) FROM budget");
}

#endif
