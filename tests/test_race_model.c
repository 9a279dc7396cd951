/* SPDX-License-Identifier: MIT */
/*
 * Every order of events of three attempts, of answers, ticks, pauses and ends,
 * to a fixed depth, under rules that bring every row of the table into play.
 * race_watch.h says what must hold after each step (P1, P5, R3, R6, R7).
 * A state that was explored as deep before is not explored again.
 */
#include "race_script.h"
#include "race_watch.h"

#include <stdlib.h>

#define SEEN_BITS 21
#define DEPTH     9

struct seen {
    uint64_t key;
    int depth;
};

static struct {
    struct seen *seen;
    unsigned path[DEPTH];
    unsigned long states;
    unsigned reached[UNS_RACE_STATE_COUNT];
} model;

static uint64_t hash_of(const struct watch *w)
{
    const uint8_t *bytes = (const uint8_t *)w;
    uint64_t hash = 0, word;
    for (size_t i = 0; i + sizeof word <= sizeof *w; i += sizeof word) {
        memcpy(&word, bytes + i, sizeof word);
        hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
        hash ^= hash >> 29;
    }
    return hash | 1;
}

_Static_assert(sizeof(struct watch) % sizeof(uint64_t) == 0,
               "all of it is hashed");

/* True when the state was explored to this depth or deeper. */
static bool known(const struct watch *w, int depth)
{
    uint64_t key = hash_of(w);
    struct seen *seen = &model.seen[key >> (64 - SEEN_BITS)];
    if (seen->key == key && seen->depth >= depth)
        return true;
    *seen = (struct seen){key, depth};
    return false;
}

static void report(const char *rules, const char *wrong, int steps)
{
    print_error("%s\n  rules: %s\n  steps:", wrong, rules);
    for (int i = 0; i < steps; i++) {
        unsigned op = model.path[i];
        if (op < WATCH_TICK)
            print_error(" %s%u", uns_race_event_name(op % UNS_EV_COUNT),
                        op / UNS_EV_COUNT);
        else
            print_error(" op%u", op - WATCH_TICK);
    }
    print_error("\n");
    fail();
}

static void explore(const char *rules, const struct watch *before, int step)
{
    for (unsigned op = 0; op < WATCH_OPS && step < DEPTH; op++) {
        struct watch w;
        const char *wrong;
        if (!watch_possible(before, op))
            continue;
        memcpy(&w, before, sizeof w); /* with its padding, for the hash */
        w.now_ns += op == WATCH_TICK ? UNS_S : 0;
        model.path[step] = op;
        wrong = watch_step(&w, op);
        if (!wrong)
            wrong = watch_finish(w);
        if (wrong)
            report(rules, wrong, step + 1);
        model.reached[w.race.state]++;
        if (w.ended || known(&w, DEPTH - step))
            continue;
        model.states++;
        explore(rules, &w, step + 1);
    }
}

static void test_race_keeps_its_invariants_in_every_order(void **state)
{
    static const char *const all[] = {
        "",
        "after 1 max 3",
        "after 0 failover max 3",
        "after 2 failover max 3 ttft 3 quiet 2 total 6",
        "hold all stall 1 failover max 3",
        "after 0 hold 3 stall 2 failover max 3",
        "after 1 hold 2 stall 1 failover max 3 ttft 3 quiet 2",
        "after 0 hold all stall 1 failover max 3 complete",
        "after 1 hold all stall 2 max 3 complete quiet 3",
        "stall 1 resume max 3",
        "after 1 stall 2 resume failover max 3 ttft 3 quiet 3 total 8",
        "after 1 hold 1 stall 1 resume failover max 3",
        "retries 1 max 3",
        "after 2 retries 2 failover max 3",
        "after 2 retries 1 hold all stall 1 failover complete",
    };

    (void)state;
    model.seen = calloc((size_t)1 << SEEN_BITS, sizeof *model.seen);
    assert_non_null(model.seen);
    for (size_t i = 0; i < ROWS(all); i++) {
        struct uns_race_rules rules = script_rules(all[i]);
        struct watch w;
        const char *wrong = watch_start(&w, &rules, UNS_S);
        if (wrong)
            report(all[i], wrong, 0);
        explore(all[i], &w, 0);
    }
    free(model.seen);
    for (int i = 0; i < UNS_RACE_STATE_COUNT; i++)
        CHECK_INT(uns_race_state_name((enum uns_race_state)i),
                  model.reached[i] > 0, true);
    print_message("%lu states\n", model.states);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_race_keeps_its_invariants_in_every_order),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
