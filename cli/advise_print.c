/* SPDX-License-Identifier: MIT */
/* advise_print - the advice for people: a sentence, the settings around it,
 * the fragment to paste, and what all of it assumes. */
#include "advise_words.h"

#include "table.h"
#include "text.h"

#include <stdlib.h>
#include <string.h>

static const struct uns_table_column column_table[] = {
    {"",          false, 0, 0},
    {"AFTER",     true,  0, 0},
    {"STALL",     true,  0, 1},
    {"HOLD",      true,  0, 1},
    {"MORE",      true,  0, 0},
    {"TOKENS",    true,  0, 2},
    {"FIRST P50", true,  0, 3},
    {"P95",       true,  0, 0},
    {"P99",       true,  0, 0},
    {"WHOLE P95", true,  0, 4},
    {"SAVED",     true,  0, 0},
};

#define CELL UNS_ADVISE_WORDS

static void add(struct uns_table *table, const char *text)
{
    uns_table_add(table, text, UNS_HUE_PLAIN);
}

static void add_ms(struct uns_table *table, double ms)
{
    char text[UNS_TEXT_TIME];

    add(table, uns_text_ms(text, (int64_t)ms));
}

static void add_entry(struct uns_table *table, const struct uns_advice *advice,
                      size_t i)
{
    const struct uns_grid_entry *entry = &advice->grid->entry[i];
    const struct uns_price *price = &entry->price;
    char text[CELL];

    uns_table_add(table,
                  i == 0                     ? "none"
                  : i == advice->choice.knee ? "knee"
                  : i == advice->choice.most ? "most"
                                             : "",
                  i == advice->choice.knee ? UNS_HUE_BOLD : UNS_HUE_PLAIN);
    add(table, uns_advise_seconds(text, entry->setting.after_ns));
    add(table, uns_advise_seconds(text, entry->setting.stall_after_ns));
    add(table, uns_advise_hold(text, entry->setting.hold_ns));
    (void)snprintf(text, sizeof text, "%.1f %%", 100 * price->requests);
    add(table, text);
    (void)snprintf(text, sizeof text, "%.0f", price->tokens);
    add(table, text);
    for (unsigned q = 0; q < 3; q++)
        add_ms(table, price->first_ms[q]);
    add_ms(table, price->wall_p95_ms);
    if (i == 0)
        add(table, "-");
    else
        add_ms(table, price->saved_ms);
}

/* Rows around the knee, thinned when there are many. */
#define ROWS 10

static void add_frontier(struct uns_table *table,
                         const struct uns_advice *advice)
{
    const struct uns_grid *grid = advice->grid;
    size_t count = 0, seen = 0;

    for (size_t i = 1; i < grid->count; i++)
        count += uns_grid_is_frontier(grid, i, &advice->limits) ? 1 : 0;
    for (size_t i = 1; i < grid->count; i++) {
        bool named = i == advice->choice.knee || i == advice->choice.most;

        if (!uns_grid_is_frontier(grid, i, &advice->limits) && !named)
            continue;
        if (named || count <= ROWS || seen % (count / ROWS + 1) == 0)
            add_entry(table, advice, i);
        seen++;
    }
}

static void print_table(const struct uns_advice *advice,
                        const struct uns_term *term)
{
    struct uns_table *table = uns_table_new(
        column_table, sizeof column_table / sizeof *column_table, term);

    if (table == NULL)
        return;
    add_entry(table, advice, 0);
    add_frontier(table, advice);
    uns_table_print(table, stdout);
    uns_table_free(table);
    putchar('\n');
    uns_cli_wrap("MORE: extra requests a call, TOKENS: extra tokens a call, "
                 "FIRST: the first token that the program is given, SAVED: of "
                 "the mean call.",
                 0);
    putchar('\n');
}

static void print_lines(char *const *lines)
{
    for (; *lines != NULL; lines++) {
        fputs("- ", stdout);
        uns_cli_wrap(*lines, 2);
    }
}

static void print_config(const struct uns_advice *advice)
{
    char *config = uns_advise_config(advice);

    if (config != NULL)
        printf("%s\n\n", config);
    free(config);
}

void uns_advise_print(const struct uns_advice *advice)
{
    struct uns_term term = uns_term_stdout();
    struct uns_advise_text text;

    uns_advise_say(advice, &text);
    uns_cli_wrap(text.sentence ? text.sentence : "", 0);
    if (advice->grid != NULL || text.lines[0] != NULL)
        putchar('\n');
    if (advice->grid != NULL) {
        if (advice->choice.knee > 0)
            print_config(advice);
        print_table(advice, &term);
    }
    print_lines(text.lines);
    uns_advise_unsay(&text);
}
