/* SPDX-License-Identifier: MIT */
#ifndef UNS_CLI_SELECT_H
#define UNS_CLI_SELECT_H

/*
 * select - which of the recorded calls a command looks at: one set of options
 * and one condition for all commands that list, count or compare calls.
 */

#include "cli.h"
#include "core/units.h"
#include "engine/sql.h"

/* What is NULL or false, or UNS_NULL for a time, leaves nothing out.  Texts
 * are borrowed. */
struct uns_select {
    int64_t since_us, until_us;         /* since the epoch, both included */
    int64_t after_id;                   /* calls.id, not included; 0: all */
    const char *program, *host, *model; /* with * and ? */
    const char *outcome, *mode, *experiment, *arm;
    bool stalled, hedged, truncated, killed;
};

/* The initializer that leaves nothing out. */
#define UNS_SELECT_ALL                              \
    {                                               \
        .since_us = UNS_NULL, .until_us = UNS_NULL, \
    }

/* They take the values of the options below. */
bool uns_select_take_when(void *into, const struct uns_cli_option *option,
                          const char *value);
bool uns_select_take_word(void *into, const struct uns_cli_option *option,
                          const char *value);

/* Rows for a command's table of options.  `at` is a macro of the command: the
 * offset of a member of its uns_select in the struct of its options. */

/* clang-format off */
/* Which calls: since when, whose, where to. */
#define UNS_SELECT_PLACE_OPTIONS(at)                                           \
    {"since",      "WHEN", "Not older than 90s, 15m, 2h or 7d, or than a "     \
                           "time: 2026-07-30, 14:03, \"2026-07-30 14:03\".",   \
     at(since_us),   uns_select_take_when},                                    \
    {"until",      "WHEN", "Not younger than that.",                           \
     at(until_us),   uns_select_take_when},                                    \
    {"program",    "NAME", "Of that program. Here and in the next two, * "     \
                           "stands for anything, ? for one character.",        \
     at(program),    NULL},                                                    \
    {"host",       "NAME", "To that host, at any port unless one is given.",   \
     at(host),       NULL},                                                    \
    {"model",      "NAME", "For that model.",                                  \
     at(model),      NULL}

/* The same, and how they ended. */
#define UNS_SELECT_OPTIONS(at)                                                 \
    UNS_SELECT_PLACE_OPTIONS(at),                                              \
    {"outcome",    "OUTCOME", "That ended so: ok, refused, failed, truncated, "\
                              "timeout, aborted or killed.",                   \
     at(outcome),    uns_select_take_word},                                    \
    {"mode",       "MODE", "Made in that mode: observe, shadow or hedge.",     \
     at(mode),       uns_select_take_word},                                    \
    {"experiment", "NAME", "Of that experiment.",                              \
     at(experiment), NULL},                                                    \
    {"arm",        "ARM",  "Of that arm of an experiment: control or "         \
                           "treatment.",                                       \
     at(arm),        uns_select_take_word},                                    \
    {"stalled",    NULL,   "Only those that stalled, or would have: another "  \
                           "request was sent for a stall, or a time limit or " \
                           "the process's death ended a silence of over 2 s.", \
     at(stalled),    NULL},                                                    \
    {"hedged",     NULL,   "Only those with more than one request.",           \
     at(hedged),     NULL},                                                    \
    {"truncated",  NULL,   "Only those whose answer is incomplete.",           \
     at(truncated),  NULL},                                                    \
    {"killed",     NULL,   "Only those whose process died, and in what "       \
                           "silence.",                                         \
     at(killed),     NULL}
/* clang-format on */

/* Stalls are the winner's: who was replaced in time, or never went on, has
 * none.  The silence at the end is that of the tail, if there was content. */
#define UNS_SELECT_STALLED                                \
    "(stall_count > 0 OR hedge_reason = 'stall'"          \
    " OR (resumed = 1 AND EXISTS (SELECT 1 FROM attempts" \
    "     WHERE call_id = calls.id AND seq = 0"           \
    "     AND outcome = 'hedge_cancelled'))"              \
    " OR (outcome IN ('timeout', 'truncated', 'killed')"  \
    "     AND coalesce(silent_ms, tail_ms, wall_ms) > 2000))"

/* The condition, from FROM on: behind it AND, GROUP and ORDER may follow. */
#define UNS_SELECT_FROM                                                \
    " FROM calls WHERE (:since_us IS NULL OR started_at >= :since_us)" \
    " AND (:until_us IS NULL OR started_at <= :until_us)"              \
    " AND (:program IS NULL OR program GLOB :program)"                 \
    " AND (:host IS NULL OR host_of(endpoint) GLOB :host"              \
    "      OR host_of(endpoint) GLOB :host || ':*')"                   \
    " AND (:model IS NULL OR model GLOB :model)"                       \
    " AND (:outcome IS NULL OR outcome = :outcome)"                    \
    " AND (:mode IS NULL OR mode = :mode)"                             \
    " AND (:experiment IS NULL OR experiment = :experiment)"           \
    " AND (:arm IS NULL OR arm = :arm)"                                \
    " AND (NOT :stalled OR " UNS_SELECT_STALLED ")"                    \
    " AND (NOT :hedged OR attempts > 1)"                               \
    " AND (NOT :truncated OR truncated = 1)"                           \
    " AND (NOT :killed OR outcome = 'killed')"                         \
    " AND id > :after_id"

/* Does it leave nothing out? */
bool uns_select_is_all(const struct uns_select *select);

/* One of its options; the moments are none of these. */
struct uns_select_term {
    const char *option;
    const char *value; /* "" of a flag; NULL: it was not given */
};

/* All of them, in the order of the options. */
#define UNS_SELECT_TERMS 11
void uns_select_terms(const struct uns_select *select,
                      struct uns_select_term ret_terms[UNS_SELECT_TERMS]);

/* As its options were given, "--program php --stalled"; a moment as a time. */
#define UNS_SELECT_WORDS 512
const char *uns_select_words(const struct uns_select *select,
                             char ret_words[UNS_SELECT_WORDS]);

/* A statement with UNS_SELECT_FROM in it, its parameters set; others are left
 * to the caller.  `db` is of uns_db_open().  NULL: sqlite3_errmsg() tells. */
sqlite3_stmt *uns_select_prepare(sqlite3 *db, const char *sql,
                                 const struct uns_select *select);

#endif
