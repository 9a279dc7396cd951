/* SPDX-License-Identifier: MIT */
/*
 * hedge_incident - everybody is slow for a minute, then well again, replayed
 * without sockets with core/delay and the budget's bucket: what the provider
 * gets on top while it is down, and what the learned delay is before, in and
 * 512 calls after it.  Calls of the world `simulate`, ten a second, twenty
 * times slower in the minute.  Two windows of 512 healthy calls differ by
 * chance, too: by how much is told beside it.
 *
 *   hedge_incident RUNS BURST RATIO
 */
#include "hedge_world.h"

#include "core/delay.h"

#define WARM     1024
#define SLOW     600 /* a minute of ten calls a second */
#define SLOWER   20
#define WARMUP_S 0.01

struct service {
    struct draw draw;
    struct draw_kind kind;
    double tokens, burst, ratio;
    size_t calls, hedged;
};

static struct uns_delay_window window;
static struct uns_delay_curve curve;

static double wait_ms(const struct service *service)
{
    if (window.samples < UNS_DELAY_LEAST)
        return WARMUP_S * 1000;
    uns_delay_estimate(&window, &curve);
    return (double)uns_delay_auto(&curve, &curve, service->ratio) / 1000;
}

static void call(struct service *service)
{
    double wait = wait_ms(service);
    double x = draw_time(&service->draw, &service->kind);
    double y = draw_time(&service->draw, &service->kind);
    bool hedges = x > wait && service->tokens >= 1;

    service->calls++;
    service->hedged += hedges;
    service->tokens =
        fmin(service->burst, service->tokens - hedges + service->ratio);
    uns_delay_add(&window, (int64_t)(1000 * (hedges ? fmin(x, wait + y) : x)),
                  hedges && wait + y < x);
}

static void calls(struct service *service, size_t count)
{
    while (count-- > 0)
        call(service);
}

/* Of all runs: the mean, and the worst. */
struct row {
    const char *name, *unit;
    double sum, worst;
};

static void note(struct row *row, double value)
{
    row->sum += value;
    row->worst = fmax(row->worst, value);
}

enum {
    BEFORE,
    DURING,
    AFTER,
    DRIFT,
    CHANCE,
    EXTRA,
    OVER,
    ROWS
};

/* A minute in which all times are longer by that factor. */
static void minute(struct service *service, double slower, struct row *rows)
{
    struct draw_kind well = service->kind;
    size_t before = service->hedged;
    double hedged;

    service->kind.mean *= slower;
    service->kind.sd *= slower;
    calls(service, SLOW);
    service->kind = well;
    if (slower == 1)
        return;
    hedged = (double)(service->hedged - before);
    note(&rows[DURING], wait_ms(service));
    note(&rows[EXTRA], 100 * hedged / SLOW);
    note(&rows[OVER], hedged - (service->burst + service->ratio * SLOW));
}

static void run(struct service service, double slower, struct row *rows)
{
    double before, after, apart;

    window = (struct uns_delay_window){0};
    calls(&service, WARM);
    before = wait_ms(&service);
    minute(&service, slower, rows);
    calls(&service, UNS_DELAY_TIMES);
    after = wait_ms(&service);
    apart = 100 * fabs(after - before) / before;
    note(&rows[slower == 1 ? CHANCE : DRIFT], apart);
    if (slower == 1)
        return;
    note(&rows[BEFORE], before);
    note(&rows[AFTER], after);
}

int main(int argc, char **argv)
{
    /* clang-format off */
    struct row rows[ROWS] = {
        [BEFORE] = {"delay before",                 "ms", 0, 0},
        [DURING] = {"delay after a minute of it",   "ms", 0, 0},
        [AFTER]  = {"delay 512 calls later",        "ms", 0, 0},
        [DRIFT]  = {"they differ by",               "%",  0, 0},
        [CHANCE] = {"without an incident by",       "%",  0, 0},
        [EXTRA]  = {"extra requests in the minute", "%",  0, 0},
        [OVER]   = {"over burst + ratio x calls", "requests", 0, -1e9},
    };
    /* clang-format on */
    struct service service = {.kind = world_of("simulate")->kind};
    int count;

    if (argc < 4)
        return 2;
    count = atoi(argv[1]);
    service.burst = service.tokens = strtod(argv[2], NULL);
    service.ratio = strtod(argv[3], NULL);
    for (int i = 0; i < count; i++) {
        service.draw.state = (uint64_t)i;
        run(service, SLOWER, rows);
        run(service, 1, rows);
    }
    printf("%-30s %9s %9s\n", "", "mean", "worst");
    for (size_t i = 0; i < ROWS; i++)
        printf("%-30s %9.1f %9.1f %s\n", rows[i].name, rows[i].sum / count,
               rows[i].worst, rows[i].unit);
    printf("%-30s %9.1f           %%\n", "the means differ by",
           100 * fabs(rows[AFTER].sum / rows[BEFORE].sum - 1));
    return 0;
}
