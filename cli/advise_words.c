/* SPDX-License-Identifier: MIT */
/* advise_words - what the numbers mean, and what they rest on. */
#include "advise_words.h"

#include "findings.h"
#include "text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define WORDS UNS_ADVISE_WORDS

const char *uns_advise_seconds(char ret_text[UNS_ADVISE_WORDS], uns_ns ns)
{
    if (ns == UNS_NEVER)
        return "-";
    (void)snprintf(ret_text, WORDS, "%.6g s", (double)ns / (double)UNS_S);
    return ret_text;
}

const char *uns_advise_hold(char ret_text[UNS_ADVISE_WORDS], uns_ns ns)
{
    return ns == UNS_NEVER ? "all"
           : ns == 0       ? "-"
                           : uns_advise_seconds(ret_text, ns);
}

/* --- the configuration -------------------------------------------------- */

/* "all", a number of seconds, or `never`. */
static const char *json_seconds(char text[WORDS], uns_ns ns, const char *never)
{
    if (ns == UNS_NEVER)
        return never;
    (void)snprintf(text, WORDS, "%.6g", (double)ns / (double)UNS_S);
    return text;
}

char *uns_advise_config(const struct uns_advice *advice)
{
    const struct uns_setting *setting =
        &advice->grid->entry[advice->choice.knee].setting;
    char after[WORDS], stall[WORDS], hold[WORDS];
    char *text = NULL;

    uns_findings_say(&text,
                     "{\"mode\": \"hedge\",\n"
                     " \"hedge\": {\"after_s\": %s, \"stall_after_s\": %s, "
                     "\"hold_s\": %s,\n"
                     "           \"budget\": {\"ratio\": %.6g}}}",
                     json_seconds(after, setting->after_ns, "null"),
                     json_seconds(stall, setting->stall_after_ns, "null"),
                     json_seconds(hold, setting->hold_ns, "\"all\""),
                     advice->limits.budget);
    return text;
}

/* --- the sentence ------------------------------------------------------- */

/* "after 2.3 s without a first token, and after 3 s of silence while the
 * answer is kept back (all)" */
static void say_when(const struct uns_setting *setting, char **ret_text)
{
    bool waits = setting->after_ns != UNS_NEVER;
    bool stalls = setting->stall_after_ns != UNS_NEVER;
    char after[WORDS], stall[WORDS], hold[WORDS];

    uns_findings_say(
        ret_text, "%s%s%s%s%s%s%s%s", waits ? "after " : "",
        waits ? uns_advise_seconds(after, setting->after_ns) : "",
        waits ? " without a first token" : "",
        stalls ? (waits ? ", and after " : "after ") : "",
        stalls ? uns_advise_seconds(stall, setting->stall_after_ns) : "",
        stalls ? " of silence while the answer is kept back (" : "",
        stalls ? uns_advise_hold(hold, setting->hold_ns) : "",
        stalls ? ")" : "");
}

static void say_advice(const struct uns_advice *advice, char **ret_text)
{
    const struct uns_grid_entry *now = &advice->grid->entry[0];
    const struct uns_grid_entry *knee =
        &advice->grid->entry[advice->choice.knee];
    char saved[UNS_TEXT_TIME], before[UNS_TEXT_TIME], then[UNS_TEXT_TIME];
    char *when = NULL;

    say_when(&knee->setting, &when);
    uns_findings_say(ret_text,
                     "Ask again %s. That saves %s of the mean call (%.0f %%), "
                     "brings the p95 first token from %s to %s, and costs "
                     "%.1f %% more requests, about %.0f tokens a call.",
                     when ? when : "",
                     uns_text_ms(saved, (int64_t)knee->price.saved_ms),
                     100 * knee->price.saved_ms / now->price.wall_ms,
                     uns_text_ms(before, (int64_t)now->price.first_ms[1]),
                     uns_text_ms(then, (int64_t)knee->price.first_ms[1]),
                     100 * knee->price.requests, knee->price.tokens);
    free(when);
}

static void say_sentence(const struct uns_advice *advice, char **ret_text)
{
    size_t known = advice->calls->known;

    if (advice->grid == NULL)
        uns_findings_say(ret_text,
                         "Not enough data: the times of %zu calls are known, "
                         "and %d are the least to tell a tail from; record "
                         "%zu more.",
                         known, UNS_ADVISE_LEAST, UNS_ADVISE_LEAST - known);
    else if (advice->choice.knee == 0)
        uns_findings_say(ret_text,
                         "Leave it: within %.1f %% more requests no setting "
                         "saves as much as %.0f %% of these calls' time.",
                         100 * advice->limits.budget, 100 * UNS_GRID_WORTH);
    else
        say_advice(advice, ret_text);
}

/* --- the lines ---------------------------------------------------------- */

/* The next free line; lines are fewer than there is room for. */
static char **next_line(struct uns_advise_text *text)
{
    size_t count = 0;

    while (count < UNS_ADVISE_LINES - 1 && text->lines[count] != NULL)
        count++;
    return &text->lines[count];
}

static void say_knee(const struct uns_advice *advice,
                     struct uns_advise_text *text)
{
    const struct uns_grid_entry *most =
        &advice->grid->entry[advice->choice.most];
    char saved[UNS_TEXT_TIME];
    char *when = NULL;

    if (advice->choice.knee == advice->choice.most) {
        uns_findings_say(next_line(text),
                         "This is the knee, and also what saves the most "
                         "within the budget of %.1f %% more requests.",
                         100 * advice->limits.budget);
        return;
    }
    say_when(&most->setting, &when);
    uns_findings_say(next_line(text),
                     "This is the knee: the cheapest that saves nine tenths "
                     "of what any setting does within the budget of %.1f %% "
                     "more requests. The most, %s, comes from asking %s, for "
                     "%.1f %%.",
                     100 * advice->limits.budget,
                     uns_text_ms(saved, (int64_t)most->price.saved_ms),
                     when ? when : "", 100 * most->price.requests);
    free(when);
}

/* The knee of a budget twice as large, else of any; 0: there is none. */
static size_t beyond(const struct uns_advice *advice)
{
    struct uns_grid_limits twice = {2 * advice->limits.budget,
                                    advice->limits.hold_ns};
    struct uns_grid_limits any = {HUGE_VAL, advice->limits.hold_ns};
    size_t knee = uns_grid_choose(advice->grid, &twice).knee;

    return knee > 0 ? knee : uns_grid_choose(advice->grid, &any).knee;
}

/* What a larger budget would have saved, where this one saves nothing. */
static void say_beyond(const struct uns_advice *advice,
                       struct uns_advise_text *text)
{
    size_t knee = advice->choice.knee > 0 ? 0 : beyond(advice);
    const struct uns_grid_entry *entry = &advice->grid->entry[knee];
    double wall_ms = advice->grid->entry[0].price.wall_ms;
    char *when = NULL;

    if (knee == 0)
        return;
    say_when(&entry->setting, &when);
    uns_findings_say(next_line(text),
                     "Beyond the budget, at %.1f %% more requests: asking %s "
                     "saves %.0f %% of these calls' time; --budget %.3f tells "
                     "more.",
                     100 * entry->price.requests, when ? when : "",
                     100 * entry->price.saved_ms / wall_ms,
                     ceil(1000 * entry->price.requests) / 1000);
    free(when);
}

/* What else could be won by keeping answers back. */
static void say_hold(const struct uns_advice *advice,
                     struct uns_advise_text *text)
{
    struct uns_grid_limits any = {advice->limits.budget, UNS_NEVER};
    struct uns_grid_choice choice = uns_grid_choose(advice->grid, &any);
    double most = advice->grid->entry[choice.knee].price.saved_ms;
    double taken = advice->grid->entry[advice->choice.most].price.saved_ms;
    char saved[UNS_TEXT_TIME], hold[WORDS];

    if (choice.knee == 0 ||
        most - taken < UNS_GRID_WORTH * advice->grid->entry[0].price.wall_ms)
        return;
    uns_findings_say(
        next_line(text),
        "If the program can wait for its answers while they are "
        "kept back (%s), stalls can be cured too: %s saved; "
        "--hold all tells more.",
        uns_advise_hold(hold, advice->grid->entry[choice.knee].setting.hold_ns),
        uns_text_ms(saved, (int64_t)most));
}

static void say_ground(const struct uns_advice *advice,
                       struct uns_advise_text *text)
{
    const struct uns_advise_calls *calls = advice->calls;
    char first[UNS_TEXT_TIME], last[UNS_TEXT_TIME];

    uns_findings_say(next_line(text),
                     "Learned from %zu calls, %s to %s; of %zu the answer was "
                     "not waited for, so they tell only 'longer than'. %zu "
                     "that failed or were refused are left out.",
                     calls->pool.count, uns_text_moment(first, calls->first_us),
                     uns_text_moment(last, calls->last_us), calls->pool.cut,
                     calls->skipped);
    if (calls->untimed > 0)
        uns_findings_say(next_line(text),
                         "%zu have no timeline (store.timeline), so their "
                         "stalls are not known.",
                         calls->untimed);
    if (calls->pool.unbounded > 0)
        uns_findings_say(next_line(text),
                         "For %zu none was silent for longer: they are taken "
                         "to have gone on at that moment, which is too early.",
                         calls->pool.unbounded);
}

/* Extra requests are what the saving rests on. */
static void say_few(const struct uns_advice *advice,
                    struct uns_advise_text *text)
{
    double requests = advice->grid->entry[advice->choice.knee].price.requests;
    double times = requests * (double)advice->calls->pool.count;

    if (times < 20)
        uns_findings_say(next_line(text),
                         "It rests on only %.0f calls that were late or "
                         "stalled: look again when there are more.",
                         times);
}

void uns_advise_say(const struct uns_advice *advice,
                    struct uns_advise_text *ret_text)
{
    *ret_text = (struct uns_advise_text){0};
    say_sentence(advice, &ret_text->sentence);
    if (advice->grid == NULL)
        return;
    if (advice->choice.knee > 0) {
        say_knee(advice, ret_text);
        say_few(advice, ret_text);
    }
    say_beyond(advice, ret_text);
    say_hold(advice, ret_text);
    say_ground(advice, ret_text);
    uns_findings_say(next_line(ret_text),
                     "Assumed: a rival is as fast as another call to the same "
                     "place, drawn without regard to the one that it is sent "
                     "for; when all are slow together, it saves less. Answers "
                     "that the program has begun to read are not resumed.");
}

void uns_advise_unsay(struct uns_advise_text *text)
{
    free(text->sentence);
    for (size_t i = 0; i < UNS_ADVISE_LINES; i++)
        free(text->lines[i]);
    *text = (struct uns_advise_text){0};
}
