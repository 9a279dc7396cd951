/* SPDX-License-Identifier: MIT */
/*
 * pool - spells of silence, sorted by place and length.  A spell is a wait for
 * the first token, or a silence between two points; an open one was cut.
 */
#include "pool.h"

#include <stdlib.h>

/* A rest can be cut again; one that is so often is taken as it is. */
#define MOST_RESTS 8

struct spell {
    uns_ns length_ns;
    uint32_t place;
    uint32_t call;
    uint32_t point; /* that ends it; an open one: behind the last */
    bool open;
};

struct spells {
    struct spell *list;
    size_t count;
};

bool uns_pool_add(struct uns_pool *pool, const struct uns_pool_call *call)
{
    size_t cap = pool->cap ? pool->cap * 2 : 256;
    struct uns_pool_call *calls = pool->call;

    if (pool->count == pool->cap) {
        calls = realloc(calls, cap * sizeof *calls);
        if (calls == NULL)
            return false;
        pool->call = calls;
        pool->cap = cap;
    }
    calls[pool->count++] = *call;
    return true;
}

void uns_pool_clear(struct uns_pool *pool)
{
    free(pool->call);
    *pool = (struct uns_pool){0};
}

/* --- places ------------------------------------------------------------- */

static int by_place(const void *left, const void *right)
{
    const struct uns_pool_call *a = left, *b = right;

    return (a->place > b->place) - (a->place < b->place);
}

static size_t end_of_place(const struct uns_pool *pool, size_t from)
{
    size_t to = from;

    while (to < pool->count && pool->call[to].place == pool->call[from].place)
        to++;
    return to;
}

/* The common place is one that no other can be. */
static void join_small_places(struct uns_pool *pool, size_t least)
{
    for (size_t from = 0, to; from < pool->count; from = to) {
        to = end_of_place(pool, from);
        for (size_t i = from; to - from < least && i < to; i++)
            pool->call[i].place = UINT32_MAX;
    }
}

static void note_places(struct uns_pool *pool)
{
    for (size_t from = 0, to; from < pool->count; from = to) {
        to = end_of_place(pool, from);
        for (size_t i = from; i < to; i++) {
            pool->call[i].from = from;
            pool->call[i].to = to;
        }
    }
}

/* qsort() may change the order of equals, but always in the same way. */
static void order_by_place(struct uns_pool *pool, size_t least)
{
    if (pool->count == 0)
        return;
    qsort(pool->call, pool->count, sizeof *pool->call, by_place);
    join_small_places(pool, least);
    qsort(pool->call, pool->count, sizeof *pool->call, by_place);
    note_places(pool);
}

/* --- spells ------------------------------------------------------------- */

static int by_length(const void *left, const void *right)
{
    const struct spell *a = left, *b = right;

    if (a->place != b->place)
        return a->place < b->place ? -1 : 1;
    if (a->length_ns != b->length_ns)
        return a->length_ns < b->length_ns ? -1 : 1;
    if (a->call != b->call)
        return a->call < b->call ? -1 : 1;
    return (a->point > b->point) - (a->point < b->point);
}

static void add_spell(struct spells *spells, const struct uns_pool *pool,
                      size_t i, size_t point)
{
    const struct uns_trace *trace = &pool->call[i].trace;
    bool open = point == trace->points;
    uns_ns from_ns = point > 0 ? trace->at_ns[point - 1] : 0;
    uns_ns to_ns = open ? trace->end_ns : trace->at_ns[point];

    spells->list[spells->count++] =
        (struct spell){to_ns - from_ns, pool->call[i].place, (uint32_t)i,
                       (uint32_t)point, open};
}

static void add_wait(struct spells *spells, const struct uns_pool *pool,
                     size_t i)
{
    const struct uns_trace *trace = &pool->call[i].trace;

    if (trace->points > 0 || trace->cut)
        add_spell(spells, pool, i, 0);
}

static void add_silences(struct spells *spells, const struct uns_pool *pool,
                         size_t i)
{
    const struct uns_trace *trace = &pool->call[i].trace;

    for (size_t k = 1; k < trace->points; k++)
        if (uns_trace_is_silence(trace, k - 1))
            add_spell(spells, pool, i, k);
    if (trace->cut && trace->points > 0)
        add_spell(spells, pool, i, trace->points);
}

/* NULL list: no memory. */
static struct spells spells_of(const struct uns_pool *pool,
                               void (*add)(struct spells *spells,
                                           const struct uns_pool *pool,
                                           size_t i))
{
    size_t most = 1;
    struct spells spells = {0};

    for (size_t i = 0; i < pool->count; i++)
        most += pool->call[i].trace.points + 1;
    spells.list = calloc(most, sizeof *spells.list);
    for (size_t i = 0; spells.list != NULL && i < pool->count; i++)
        add(&spells, pool, i);
    if (spells.list != NULL)
        qsort(spells.list, spells.count, sizeof *spells.list, by_length);
    return spells;
}

/* The first spell of `place` that is longer than `length_ns`. */
static size_t beyond(const struct spells *spells, uint32_t place,
                     uns_ns length_ns)
{
    size_t low = 0, high = spells->count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const struct spell *spell = &spells->list[middle];

        if (spell->place < place ||
            (spell->place == place && spell->length_ns <= length_ns))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* A closed spell that is longer, drawn as the pool's head says.  NULL: the
 * draw ended with an open one that is longer than all others.  *length_ns
 * becomes the length of what was drawn last. */
static const struct spell *draw_longer(const struct spells *spells,
                                       uint32_t place, uns_ns *length_ns,
                                       struct uns_dice *dice)
{
    size_t to = beyond(spells, place, INT64_MAX);
    const struct spell *spell;

    do {
        size_t from = beyond(spells, place, *length_ns);

        if (from == to)
            return NULL;
        spell = &spells->list[from + uns_stats_roll(dice, to - from)];
        *length_ns = spell->length_ns;
    } while (spell->open);
    return spell;
}

/* The longest closed one: what the estimate has when all beyond is cut. */
static const struct spell *longest(const struct spells *spells, uint32_t place)
{
    size_t from = beyond(spells, place, -1);
    size_t to = beyond(spells, place, INT64_MAX);

    while (to > from && spells->list[to - 1].open)
        to--;
    return to > from ? &spells->list[to - 1] : NULL;
}

/* --- rests -------------------------------------------------------------- */

/* Behind `base_ns` and a silence of that length comes what came of `donor`
 * from the end of its spell on. */
static void add_rest(struct uns_trace *trace, const struct uns_trace *donor,
                     size_t point, uns_ns resumed_ns)
{
    uns_ns shift_ns = resumed_ns - donor->at_ns[point];

    for (size_t k = point; k < donor->points; k++)
        uns_trace_note(trace, donor->at_ns[k] + shift_ns);
    uns_trace_close(trace, donor->end_ns + shift_ns);
    trace->cut = donor->cut;
    if (donor->tokens > trace->tokens)
        trace->tokens = donor->tokens;
}

/* Donors are read from `before`: as they were recorded. */
struct work {
    const struct uns_pool_call *before;
    struct spells waits, silences;
    struct uns_dice dice;
};

static void complete(struct uns_pool *pool, size_t i, struct work *work)
{
    struct uns_trace *trace = &pool->call[i].trace;

    pool->cut += trace->cut ? 1 : 0;
    for (int rests = 0; trace->cut && rests < MOST_RESTS; rests++) {
        const struct spells *spells =
            trace->points > 0 ? &work->silences : &work->waits;
        uns_ns base_ns = trace->points ? trace->at_ns[trace->points - 1] : 0;
        uns_ns silent_ns = trace->end_ns - base_ns;
        uint32_t place = pool->call[i].place;
        const struct spell *spell =
            draw_longer(spells, place, &silent_ns, &work->dice);

        if (spell == NULL) {
            spell = longest(spells, place);
            pool->unbounded++;
        }
        if (spell == NULL)
            break;
        add_rest(trace, &work->before[spell->call].trace, spell->point,
                 base_ns + silent_ns);
    }
    trace->cut = false;
}

static struct uns_pool_call *copy_calls(const struct uns_pool *pool)
{
    struct uns_pool_call *copy = calloc(pool->count + 1, sizeof *copy);

    for (size_t i = 0; copy != NULL && i < pool->count; i++)
        copy[i] = pool->call[i];
    return copy;
}

bool uns_pool_complete(struct uns_pool *pool, size_t least, uint64_t seed)
{
    struct uns_pool_call *before;
    struct work work;
    bool good;

    order_by_place(pool, least);
    before = copy_calls(pool);
    work = (struct work){before,
                         spells_of(pool, add_wait),
                         spells_of(pool, add_silences),
                         {seed}};
    good =
        before != NULL && work.waits.list != NULL && work.silences.list != NULL;
    for (size_t i = 0; good && i < pool->count; i++)
        complete(pool, i, &work);
    free(work.waits.list);
    free(work.silences.list);
    free(before);
    return good;
}

const struct uns_trace *uns_pool_rival(const struct uns_pool *pool, size_t i,
                                       struct uns_dice *dice)
{
    size_t from = pool->call[i].from, to = pool->call[i].to, other;

    if (to - from < 2)
        return &pool->call[i].trace;
    other = from + uns_stats_roll(dice, to - from - 1);
    return &pool->call[other >= i ? other + 1 : other].trace;
}
