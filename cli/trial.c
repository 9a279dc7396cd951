/* SPDX-License-Identifier: MIT */
/* trial - sorts the calls by process once, to see what was drawn. */
#include "trial.h"

#include <stdlib.h>
#include <string.h>

bool uns_trial_name(struct uns_trial *trial, const char *name,
                    uint32_t *ret_index)
{
    char **names;

    for (size_t i = trial->name_count; i > 0; i--)
        if (strcmp(trial->names[i - 1], name) == 0) {
            *ret_index = (uint32_t)(i - 1);
            return true;
        }
    names = realloc(trial->names, (trial->name_count + 1) * sizeof *names);
    if (names == NULL)
        return false;
    trial->names = names;
    names[trial->name_count] = strdup(name);
    if (names[trial->name_count] == NULL)
        return false;
    *ret_index = (uint32_t)trial->name_count++;
    return true;
}

bool uns_trial_add(struct uns_trial *trial, const struct uns_trial_call *call)
{
    size_t cap = trial->cap ? trial->cap * 2 : 256;
    struct uns_trial_call *calls = trial->call;

    if (trial->count == trial->cap) {
        calls = realloc(trial->call, cap * sizeof *calls);
        if (calls == NULL)
            return false;
        trial->call = calls;
        trial->cap = cap;
    }
    calls[trial->count++] = *call;
    return true;
}

/* A number is given up when the system has given it out again; that makes two
 * processes one unit, which is no more sure of itself than it may be. */
static int by_process(const void *left, const void *right)
{
    const struct uns_trial_call *a = *(struct uns_trial_call *const *)left;
    const struct uns_trial_call *b = *(struct uns_trial_call *const *)right;

    if (a->program != b->program)
        return a->program < b->program ? -1 : 1;
    if (a->pid != b->pid)
        return a->pid < b->pid ? -1 : 1;
    return (a->arm > b->arm) - (a->arm < b->arm);
}

static bool same_process(const struct uns_trial_call *a,
                         const struct uns_trial_call *b)
{
    return a->program == b->program && a->pid == b->pid;
}

/* `sorted` is by process, and within it by arm.  Processes of one call each
 * are no units of their own. */
static bool are_whole(struct uns_trial_call *const *sorted, size_t count)
{
    bool several = false;

    for (size_t i = 1; i < count; i++) {
        if (!same_process(sorted[i - 1], sorted[i]))
            continue;
        if (sorted[i - 1]->arm != sorted[i]->arm)
            return false;
        several = true;
    }
    return several;
}

static void number_units(struct uns_trial *trial,
                         struct uns_trial_call *const *sorted)
{
    for (size_t i = 0; i < trial->count; i++) {
        uint8_t arm = sorted[i]->arm;
        bool same = trial->by_process && i > 0 &&
                    same_process(sorted[i - 1], sorted[i]);

        if (!same)
            trial->units[arm]++;
        sorted[i]->unit = (uint32_t)trial->units[arm] - 1;
    }
}

bool uns_trial_divide(struct uns_trial *trial)
{
    struct uns_trial_call **sorted = calloc(trial->count + 1, sizeof *sorted);

    if (sorted == NULL)
        return false;
    for (size_t i = 0; i < trial->count; i++)
        sorted[i] = &trial->call[i];
    qsort(sorted, trial->count, sizeof *sorted, by_process);
    memset(trial->units, 0, sizeof trial->units);
    trial->by_process = are_whole(sorted, trial->count);
    number_units(trial, sorted);
    free(sorted);
    return true;
}

/* One arm's calls as compare.h wants them. */
struct columns {
    size_t calls;
    uint32_t *unit;
    double *value[UNS_COLUMN_COUNT];
};

static bool columns_init(struct columns *columns, size_t cap)
{
    bool good;

    *columns = (struct columns){.unit = calloc(cap + 1, sizeof(uint32_t))};
    good = columns->unit != NULL;
    for (unsigned i = 0; i < UNS_COLUMN_COUNT; i++) {
        columns->value[i] = calloc(cap + 1, sizeof(double));
        good = good && columns->value[i] != NULL;
    }
    return good;
}

static void columns_done(struct columns *columns)
{
    free(columns->unit);
    for (unsigned i = 0; i < UNS_COLUMN_COUNT; i++)
        free(columns->value[i]);
}

static void columns_add(struct columns *columns,
                        const struct uns_trial_call *call)
{
    columns->unit[columns->calls] = call->unit;
    for (unsigned i = 0; i < UNS_COLUMN_COUNT; i++)
        columns->value[i][columns->calls] = call->value[i];
    columns->calls++;
}

static struct uns_arm_calls as_arm(const struct columns *columns, size_t units)
{
    struct uns_arm_calls arm = {columns->calls, units, columns->unit, {NULL}};

    for (unsigned i = 0; i < UNS_COLUMN_COUNT; i++)
        arm.value[i] = columns->value[i];
    return arm;
}

bool uns_trial_compare(const struct uns_trial *trial, uint64_t seed,
                       struct uns_comparison *ret_comparison)
{
    struct columns columns[UNS_ARMS];
    struct uns_arm_calls arms[UNS_ARMS];
    bool good = columns_init(&columns[UNS_CONTROL], trial->count);

    good = columns_init(&columns[UNS_TREATMENT], trial->count) && good;
    for (size_t i = 0; good && i < trial->count; i++)
        columns_add(&columns[trial->call[i].arm], &trial->call[i]);
    for (unsigned arm = 0; arm < UNS_ARMS; arm++)
        arms[arm] = as_arm(&columns[arm], trial->units[arm]);
    good = good && uns_compare(arms, seed, ret_comparison);
    columns_done(&columns[UNS_CONTROL]);
    columns_done(&columns[UNS_TREATMENT]);
    return good;
}

void uns_trial_clear(struct uns_trial *trial)
{
    for (size_t i = 0; i < trial->name_count; i++)
        free(trial->names[i]);
    free(trial->names);
    free(trial->call);
    free(trial->experiment);
    *trial = (struct uns_trial){0};
}
