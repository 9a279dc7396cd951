/* SPDX-License-Identifier: MIT */
/* advise_json - the advice for programs, with every setting that was tried. */
#include "advise_words.h"

#include "json.h"

#include <stdlib.h>

static void put_ns(const char *name, uns_ns ns, const char *never)
{
    if (ns == UNS_NEVER)
        printf("\"%s\": %s, ", name, never);
    else
        printf("\"%s\": %.6g, ", name, (double)ns / (double)UNS_S);
}

static void put_entry(const struct uns_grid_entry *entry)
{
    const struct uns_price *price = &entry->price;

    putchar('{');
    put_ns("after_s", entry->setting.after_ns, "null");
    put_ns("stall_after_s", entry->setting.stall_after_ns, "null");
    put_ns("hold_s", entry->setting.hold_ns, "\"all\"");
    printf("\"extra_requests\": %.6g, \"extra_tokens\": %.6g, "
           "\"first_p50_ms\": %.6g, \"first_p95_ms\": %.6g, "
           "\"first_p99_ms\": %.6g, \"wall_mean_ms\": %.6g, "
           "\"wall_p95_ms\": %.6g, \"saved_ms\": %.6g}",
           price->requests, price->tokens, price->first_ms[0],
           price->first_ms[1], price->first_ms[2], price->wall_ms,
           price->wall_p95_ms, price->saved_ms);
}

static void put_choice(const struct uns_advice *advice)
{
    char *config = uns_advise_config(advice);

    printf(",\n \"config\": %s", config ? config : "null");
    fputs(",\n \"knee\": ", stdout);
    put_entry(&advice->grid->entry[advice->choice.knee]);
    fputs(",\n \"most\": ", stdout);
    put_entry(&advice->grid->entry[advice->choice.most]);
    free(config);
}

static void put_lines(const struct uns_advise_text *text)
{
    fputs(",\n \"notes\": [", stdout);
    for (size_t i = 0; text->lines[i] != NULL; i++) {
        fputs(i ? ",\n  " : "\n  ", stdout);
        uns_json_text(stdout, text->lines[i]);
    }
    fputs("]", stdout);
}

static void put_grid(const struct uns_grid *grid)
{
    fputs(",\n \"grid\": [", stdout);
    for (size_t i = 0; i < grid->count; i++) {
        fputs(i ? ",\n  " : "\n  ", stdout);
        put_entry(&grid->entry[i]);
    }
    fputs("]", stdout);
}

static const char *verdict_of(const struct uns_advice *advice)
{
    if (advice->grid == NULL)
        return "too_few";
    return advice->choice.knee > 0 ? "advice" : "nothing";
}

void uns_advise_json(const struct uns_advice *advice)
{
    const struct uns_advise_calls *calls = advice->calls;
    struct uns_advise_text text;

    uns_advise_say(advice, &text);
    printf("{\"verdict\": \"%s\", \"sentence\": ", verdict_of(advice));
    uns_json_text(stdout, text.sentence ? text.sentence : "");
    printf(",\n \"calls\": %zu, \"known\": %zu, \"censored\": %zu, "
           "\"left_out\": %zu, \"more_calls\": %zu",
           calls->pool.count, calls->known, calls->pool.count - calls->known,
           calls->skipped,
           calls->known < UNS_ADVISE_LEAST ? UNS_ADVISE_LEAST - calls->known
                                           : 0);
    put_lines(&text);
    if (advice->grid != NULL && advice->choice.knee > 0)
        put_choice(advice);
    if (advice->grid != NULL)
        put_grid(advice->grid);
    fputs("}\n", stdout);
    uns_advise_unsay(&text);
}
