/* SPDX-License-Identifier: MIT */
/*
 * hedge_sim - the same policies without sockets: what they could reach if
 * nothing but waiting took time.  The learned delay is core/delay's own, with
 * its window and the budget's bucket; `best` knows the distribution, and
 * hedges at the one delay that costs as many extra requests as the learned
 * one did.
 *
 *   hedge_sim WORLD CALLS BURST RATIO
 */
#include "hedge_world.h"

#include "core/delay.h"

#define LOOK 16 /* calls between two estimates, for speed */

struct policy {
    double wait_ms; /* < 0: never */
    bool learned;
    double burst, ratio; /* of the bucket; burst < 0: none */
};

struct run {
    const struct world *world;
    struct draw draw;
    double *times;
    size_t calls, extra;
};

static struct uns_delay_window window;

static double learned_wait(double ratio)
{
    static struct uns_delay_curve curve;

    if (window.samples < UNS_DELAY_LEAST)
        return 10;
    uns_delay_estimate(&window, &curve);
    return (double)uns_delay_auto(&curve, &curve, ratio) / 1000;
}

static void run(struct run *run, const struct policy *policy)
{
    double tokens = policy->burst, wait = policy->wait_ms;

    run->extra = 0;
    window = (struct uns_delay_window){0};
    for (size_t i = 0; i < run->calls; i++) {
        double x = draw_time(&run->draw, &run->world->kind);
        double y = draw_time(&run->draw, &run->world->kind);
        bool hedges;

        if (policy->learned && i % LOOK == 0)
            wait = learned_wait(policy->ratio);
        hedges = wait >= 0 && x > wait && (policy->burst < 0 || tokens >= 1);
        run->extra += hedges;
        tokens = fmin(policy->burst, tokens - hedges + policy->ratio);
        run->times[i] = hedges ? fmin(x, wait + y) : x;
        uns_delay_add(&window, (int64_t)(run->times[i] * 1000),
                      hedges && wait + y < x);
    }
}

static void show(struct run *what, const char *name, const char *note)
{
    printf("simulation: %-16s", name);
    print_times(what->times, what->calls);
    printf(" %6.1f %%%s\n", 100 * (double)what->extra / (double)what->calls,
           note);
}

/* The time that a share of `later` exceeds, by drawing. */
static double true_quantile(struct run *what, double later)
{
    size_t at = (size_t)((1 - later) * (double)(what->calls - 1));

    for (size_t i = 0; i < what->calls; i++)
        what->times[i] = draw_time(&what->draw, &what->world->kind);
    qsort(what->times, what->calls, sizeof *what->times, compare_times);
    return what->times[at];
}

int main(int argc, char **argv)
{
    struct run what = {.world = world_of(argv[1]), .draw = {42}};
    struct policy none = {-1, false, -1, 0}, fixed = {10, false, -1, 0};
    struct policy learned = {10, true, 0, 0}, best = {0, false, -1, 0};
    double extra;
    char note[40];

    if (argc < 5)
        return 2;
    what.calls = strtoul(argv[2], NULL, 10);
    learned.burst = strtod(argv[3], NULL);
    learned.ratio = strtod(argv[4], NULL);
    what.times = calloc(what.calls, sizeof *what.times);
    run(&what, &none);
    show(&what, "none", "");
    run(&what, &fixed);
    show(&what, "static 10 ms", "");
    run(&what, &learned);
    extra = (double)what.extra / (double)what.calls;
    show(&what, "learned (auto)", "");
    best.wait_ms = true_quantile(&what, extra);
    snprintf(note, sizeof note, "  (at %.1f ms)", best.wait_ms);
    run(&what, &best);
    show(&what, "best, same extra", note);
    free(what.times);
    return 0;
}
