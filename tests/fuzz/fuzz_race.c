/* SPDX-License-Identifier: MIT */
/* Any rules, any order of events at any times: race_watch.h's promises hold,
 * and the call ends when its attempts have. */
#include "../race_watch.h"

#include <stdio.h>
#include <stdlib.h>

static void must(const char *wrong)
{
    if (!wrong)
        return;
    fprintf(stderr, "%s\n", wrong);
    abort();
}

/* 0..14: so many half seconds; 15: off. */
static uns_ns span(uint8_t nibble)
{
    return nibble % 16 == 15 ? UNS_NEVER : nibble % 16 * (UNS_S / 2);
}

static struct uns_race_rules rules_from(const uint8_t *data)
{
    return (struct uns_race_rules){
        .after_ns = span(data[0]),
        .stall_after_ns = span(data[0] >> 4),
        .hold_ns = span(data[1]),
        .ttft_timeout_ns = span(data[1] >> 4),
        .stall_timeout_ns = span(data[2]),
        .total_ns = span(data[2] >> 4),
        .max_attempts = 1 + data[3] % UNS_RACE_ATTEMPTS,
        .failover = data[3] & 0x40,
        .first_complete = data[3] & 0x80,
        .resume = data[3] & 0x20,
        .retries = data[4] % UNS_RACE_ATTEMPTS,
    };
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct watch w;
    struct uns_race_rules rules;
    if (size < 5)
        return 0;
    rules = rules_from(data);
    if (rules.first_complete)
        rules.hold_ns = UNS_NEVER;
    must(watch_start(&w, &rules, (data[4] >> 4) * (UNS_S / 4)));
    for (size_t i = 5; i + 1 < size; i += 2) {
        unsigned op = data[i] % WATCH_OPS;
        w.now_ns += data[i + 1] * (UNS_S / 32);
        if (watch_possible(&w, op))
            must(watch_step(&w, op));
    }
    must(watch_finish(w));
    return 0;
}
