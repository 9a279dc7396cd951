/* SPDX-License-Identifier: MIT */
#include "race_script.h"

#include <stdio.h>
#include <stdlib.h>

uns_ns script_seconds(const char *text)
{
    if (strcmp(text, "all") == 0)
        return UNS_NEVER;
    return (uns_ns)(strtod(text, NULL) * 1000 + 0.5) * UNS_MS;
}

static void script_rule(struct uns_race_rules *rules, const char *word,
                        const char *value)
{
    const struct {
        const char *word;
        uns_ns *ns;
    } spans[] = {
        {"after", &rules->after_ns},         {"stall", &rules->stall_after_ns},
        {"hold", &rules->hold_ns},           {"ttft", &rules->ttft_timeout_ns},
        {"quiet", &rules->stall_timeout_ns}, {"total", &rules->total_ns},
    };

    for (size_t i = 0; i < ROWS(spans); i++)
        if (strcmp(spans[i].word, word) == 0)
            *spans[i].ns = script_seconds(value);
    if (strcmp(word, "max") == 0)
        rules->max_attempts = (uint8_t)atoi(value);
    if (strcmp(word, "retries") == 0)
        rules->retries = (uint8_t)atoi(value);
    rules->failover = rules->failover || strcmp(word, "failover") == 0;
    rules->first_complete =
        rules->first_complete || strcmp(word, "complete") == 0;
    rules->resume = rules->resume || strcmp(word, "resume") == 0;
}

struct uns_race_rules script_rules(const char *text)
{
    struct uns_race_rules rules = {
        .after_ns = UNS_NEVER,
        .stall_after_ns = UNS_NEVER,
        .ttft_timeout_ns = UNS_NEVER,
        .stall_timeout_ns = UNS_NEVER,
        .total_ns = UNS_NEVER,
        .max_attempts = 2,
    };
    char copy[SCRIPT_TEXT], *rest = copy, *word;
    snprintf(copy, sizeof copy, "%s", text);
    while ((word = strtok_r(rest, " ", &rest))) {
        bool alone = !strcmp(word, "failover") || !strcmp(word, "complete") ||
                     !strcmp(word, "resume");
        char *value = alone ? NULL : strtok_r(rest, " ", &rest);
        script_rule(&rules, word, value ? value : "");
    }
    return rules;
}

__attribute__((format(printf, 2, 3))) static void
script_say(char *out, const char *format, ...)
{
    size_t len = strlen(out);
    va_list args;
    va_start(args, format);
    vsnprintf(out + len, SCRIPT_TEXT - len, format, args);
    va_end(args);
}

static void script_answer(struct uns_race *race, char *out)
{
    struct uns_race_todo todo = uns_race_take(race);
    if (todo.launch)
        script_say(out, " launch(%s)", uns_why_name(todo.why));
    if (todo.spent)
        script_say(out, " spent");
    if (todo.give)
        script_say(out, " give(%d)", todo.lead);
    if (todo.join)
        script_say(out, " join(%d)", todo.lead);
    for (int a = 0; a < UNS_RACE_ATTEMPTS; a++)
        if (todo.cancel & 1 << a)
            script_say(out, " cancel(%d)", a);
    if (todo.end == UNS_END_NONE)
        return;
    if (todo.lead == UNS_RACE_NOBODY)
        script_say(out, " end(%s)", uns_race_end_name(todo.end));
    else
        script_say(out, " end(%s %d)", uns_race_end_name(todo.end), todo.lead);
}

static void script_event(struct uns_race *race, const char *word, uns_ns now_ns)
{
    static const char letters[] = "bpfcrlomy"; /* in the order of the enum */
    const char *letter = strchr(letters, word[0]);
    if (!letter)
        fail_msg("no such word: %s", word);
    else
        uns_race_event(race, (enum uns_race_event)(letter - letters),
                       (unsigned)atoi(word + 1), now_ns);
}

static void script_word(struct uns_race *race, const char *word, uns_ns *now_ns)
{
    static const struct {
        char letter;
        void (*act)(struct uns_race *race, uns_ns now_ns);
    } acts[] = {
        {'T', uns_race_tick},    {'-', uns_race_none},  {'X', uns_race_timeout},
        {'A', uns_race_abort},   {'F', uns_race_fault}, {'Z', uns_race_pause},
        {'U', uns_race_unpause}, {'G', uns_race_forgo},
    };

    for (size_t i = 0; i < ROWS(acts); i++)
        if (acts[i].letter == word[0]) {
            acts[i].act(race, *now_ns);
            return;
        }
    if (word[0] == '@')
        *now_ns = script_seconds(word + 1);
    else if (word[0] == '+')
        (void)uns_race_launched(race, *now_ns);
    else if (word[0] == 'n')
        race->attempt[word[1] - '0'].bytes = (uint64_t)atoi(word + 3);
    else if (word[0] == 't')
        uns_race_limit(race, script_seconds(word + 2));
    else if (word[0] == 'w')
        race->attempt[word[1] - '0'].wait_ns = script_seconds(word + 3);
    else
        script_event(race, word, *now_ns);
}

void script_play(struct uns_race *race, const char *rules, const char *script,
                 char out[SCRIPT_TEXT])
{
    struct uns_race_rules r = script_rules(rules);
    char copy[SCRIPT_TEXT], *rest = copy, *word;
    uns_ns now_ns = 0;

    out[0] = out[1] = '\0';
    uns_race_init(race, &r, now_ns);
    script_answer(race, out);
    snprintf(copy, sizeof copy, "%s", script);
    while ((word = strtok_r(rest, " ", &rest))) {
        script_word(race, word, &now_ns);
        script_answer(race, out);
    }
    memmove(out, out + 1, SCRIPT_TEXT - 1);
}

void script_check(const struct script_case *cases, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct uns_race race;
        char out[SCRIPT_TEXT];
        script_play(&race, cases[i].rules, cases[i].script, out);
        CHECK_TEXT(cases[i].name, out, cases[i].answer);
        CHECK_TEXT(cases[i].name, uns_race_state_name(race.state),
                   cases[i].state);
    }
}
