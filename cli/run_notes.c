/* SPDX-License-Identifier: MIT */
/*
 * run_notes - what `unstall run` says before the program starts: of a database
 * that cannot be used, of options that do less than they seem to, and of where
 * prompts may go.  Nothing here stops the start.
 */
#include "run.h"

#include "doctor.h"
#include "engine/config.h"
#include "engine/key.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void warn_of_finding(const struct uns_finding *row)
{
    if (row->level < UNS_LEVEL_WARN)
        return;
    fprintf(stderr, "unstall: warning: the database: %s", row->found);
    if (row->means != NULL)
        fprintf(stderr, ". %s", row->means);
    if (row->todo != NULL)
        fprintf(stderr, " %s", row->todo);
    fputc('\n', stderr);
}

/* The budget of extra requests lies in the database.  Returns whether any can
 * be paid for. */
static bool warn_of_store(const struct uns_config *config)
{
    static struct uns_doctor doctor = {.brief = true};
    const struct uns_findings *findings = &doctor.findings;

    if (!uns_config_store_path(config)) {
        fputs("unstall: warning: there is no place for the database (HOME is "
              "not set): nothing is hedged or recorded; name one with --db\n",
              stderr);
        return false;
    }
    uns_doctor_store(&doctor, uns_config_store_path(config));
    for (size_t i = 0; i < findings->count; i++)
        warn_of_finding(&findings->list[i]);
    uns_findings_clear(&doctor.findings);
    return !doctor.unpaid;
}

static bool hedges(const struct uns_policy *policy)
{
    return policy->mode == UNS_MODE_HEDGE;
}

static bool hedges_by_time(const struct uns_policy *policy)
{
    return hedges(policy) && (policy->hedge.after.how != UNS_DELAY_OFF ||
                              policy->hedge.stall_after_ns != UNS_NEVER);
}

/* A shadow is sent in any case. */
static void hint_at_time(const struct uns_run *run,
                         const struct uns_config *config)
{
    if (run->backups != NULL && uns_config_any(config, hedges) &&
        !uns_config_any(config, hedges_by_time))
        fputs("unstall: note: a backup alone is asked only after a failure: "
              "add --after S against slow beginnings, --stall-after S with "
              "--hold all against stalls (docs/resume.md: without --hold)\n",
              stderr);
}

static bool can_prefill(const struct uns_policy *policy)
{
    for (size_t i = 0; i < policy->source_count; i++)
        if (uns_source_prefill(policy, policy->sources[i]))
            return true;
    return false;
}

/* Only the request could make a stall of what the program has been given
 * resumable.  The other values of hedge.resume have warnings of their own, or
 * were chosen for this. */
static bool leaves_stalls(const struct uns_policy *policy)
{
    return hedges(policy) && policy->hedge.stall_after_ns != UNS_NEVER &&
           policy->hedge.hold_ns != UNS_NEVER &&
           policy->hedge.resume == UNS_RESUME_AUTO && !can_prefill(policy);
}

static bool is_given(const struct uns_run *run, const char *variable)
{
    for (size_t i = 0; i < run->labels; i++)
        if (strcmp(run->label[i].key, variable) == 0)
            return true;
    return false;
}

/* `unstall plan` says it of each call, and knows what the request says. */
static void hint_at_stalls(const struct uns_run *run,
                           const struct uns_config *config)
{
    const struct uns_policy *top = uns_config_top(config);
    const struct uns_source *first = top->source_count ? *top->sources : NULL;
    bool other = first != NULL && first->base_url != NULL;

    if (run->unsent || !is_given(run, "UNSTALL__HEDGE__STALL_AFTER_S") ||
        !uns_config_any(config, leaves_stalls))
        return;
    fprintf(stderr,
            "unstall: note: once the program has text, a stall is answered "
            "only with --hold all (it gets the answer when it is whole; --hold "
            "0.1 covers stalls in the first 0.1 s only), or if the request has "
            "temperature 0 or a seed, or with --set %s%s%s=HOW for a source "
            "that continues answers (docs/resume.md)\n",
            other ? "sources." : "hedge.self_prefill", other ? first->name : "",
            other ? ".prefill" : "");
}

/* Without its key a source is never asked. */
static bool has_key(const struct uns_source *source)
{
    char line[UNS_KEY_BYTES];
    enum uns_err err = uns_key_header(source, UNS_DIALECT_CHAT, line);

    uns_key_wipe(line);
    return err == UNS_OK;
}

/* Prompts may go to another company: say so before they do.  A move after a
 * failure is not paid for. */
static void announce(const struct uns_config *config, bool paid)
{
    size_t count;
    const struct uns_source *source = uns_config_sources(config, &count);

    for (size_t i = 0; i < count; i++) {
        struct uns_url url;
        const char *base = source[i].base_url;
        int len;

        if (base == NULL || !uns_config_uses(config, &source[i]) ||
            !has_key(&source[i]) || !uns_url_split(base, strlen(base), &url))
            continue;
        len = (int)(url.path.data - base);
        fprintf(stderr, "unstall: %s be sent to %.*s (source %s)\n",
                paid ? "calls may also" : "only calls that fail may", len, base,
                source[i].name);
    }
}

/* The environment keeps us out of the program.  Returns whether also out of
 * all that it starts. */
static bool warn_of_switch(const struct uns_run *run)
{
    static struct uns_doctor doctor;
    static struct uns_target target;
    const char *off = getenv("UNSTALL");
    const char *which = NULL;

    if (off != NULL && strcmp(off, "off") == 0) {
        fputs("unstall: note: UNSTALL=off in the environment: nothing is "
              "hedged or recorded; unset it\n",
              stderr);
        return true;
    }
    doctor.environment = environ;
    if (uns_doctor_target(run->program, &target) == NULL)
        which = uns_doctor_switch(&doctor, target.called, target.real);
    if (which != NULL)
        fprintf(stderr,
                "unstall: note: %s: %s, so unstall leaves it alone; what it "
                "starts goes by its own name\n",
                target.called, which);
    return false;
}

void uns_run_notes(const struct uns_run *run, const struct uns_config *config)
{
    bool paid;

    if (warn_of_switch(run))
        return;
    paid = warn_of_store(config);
    if (paid) {
        hint_at_time(run, config);
        hint_at_stalls(run, config);
    }
    if (!run->unsent && (paid || uns_config_any(config, hedges)))
        announce(config, paid);
}
