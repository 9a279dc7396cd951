/* SPDX-License-Identifier: MIT */
/* ab_load - rows of the store as calls of a trial. */
#include "ab.h"
#include "nan.h"

#include <math.h>
#include <string.h>

enum {
    ARM,
    PROGRAM,
    PID,
    MODE,
    STARTED,
    WAIT,
    OUTCOME,
    TTFT_US,
    WALL,
    STALL,
    STALLS,
    ATTEMPTS,
    TOKENS_IN,
    LOSERS
};

/* What the losers wrote is what they told, else a token a chunk: it was at
 * least that.  What they read is what the winner read. */
static const char select_sql[] =
    "SELECT arm = 'treatment', ifnull(program, ''), pid, ifnull(mode, ''),"
    " started_at,"
    " CASE WHEN attempts > 1 THEN (SELECT min(a.started_ms) FROM attempts a"
    "  WHERE a.call_id = calls.id AND a.why = 'first_token') END,"
    " outcome, ttft_us, wall_ms, stall_ms, stall_count, attempts, tokens_in,"
    " CASE WHEN attempts > 1 THEN (SELECT"
    "  sum(coalesce(a.tokens_out, a.chunk_count, 0)) FROM attempts a"
    "  WHERE a.call_id = calls.id AND a.seq IS NOT calls.winner)"
    "  ELSE 0 END" UNS_SELECT_FROM
    " AND arm IN ('control', 'treatment') ORDER BY started_at, calls.id";

static double number(sqlite3_stmt *stmt, int column)
{
    return sqlite3_column_type(stmt, column) == SQLITE_NULL
               ? UNS_NAN
               : sqlite3_column_double(stmt, column);
}

static bool is_one_of(const char *word, const char *const *words)
{
    for (; *words != NULL; words++)
        if (strcmp(word, *words) == 0)
            return true;
    return false;
}

/* A refusal is about the request and comes in either arm: it is nobody's
 * first token.  Who got none for another reason waited for ever: left out, the
 * worst calls would make their arm look better. */
static double first_token(sqlite3_stmt *stmt, const char *outcome)
{
    double us = number(stmt, TTFT_US);

    if (!isnan(us))
        return us / 1000;
    return strcmp(outcome, "refused") == 0 || strcmp(outcome, "ok") == 0
               ? UNS_NAN
               : (double)INFINITY;
}

static double has_failed(const char *outcome)
{
    static const char *const words[] = {"failed", "truncated", "timeout",
                                        "killed", NULL};

    return is_one_of(outcome, words);
}

static double extra_tokens(sqlite3_stmt *stmt)
{
    double more = number(stmt, ATTEMPTS) - 1;
    double read = number(stmt, TOKENS_IN);

    return more > 0 ? (isnan(read) ? 0 : read) * more + number(stmt, LOSERS)
                    : 0;
}

static void take_values(sqlite3_stmt *stmt, double value[UNS_COLUMN_COUNT])
{
    const char *outcome = (const char *)sqlite3_column_text(stmt, OUTCOME);
    const char *word = outcome ? outcome : "";

    value[UNS_COLUMN_TTFT] = first_token(stmt, word);
    value[UNS_COLUMN_WALL] = number(stmt, WALL);
    value[UNS_COLUMN_STALL] = number(stmt, STALL);
    value[UNS_COLUMN_STALLED] =
        isnan(number(stmt, STALLS)) ? UNS_NAN : number(stmt, STALLS) > 0;
    value[UNS_COLUMN_FAILED] = has_failed(word);
    value[UNS_COLUMN_REQUESTS] = number(stmt, ATTEMPTS) - 1;
    value[UNS_COLUMN_TOKENS] = extra_tokens(stmt);
}

static bool take_call(sqlite3_stmt *stmt, struct uns_trial *trial)
{
    struct uns_trial_call call = {
        .arm = sqlite3_column_int(stmt, ARM) ? UNS_TREATMENT : UNS_CONTROL,
        .pid = sqlite3_column_int64(stmt, PID),
        .started_us = sqlite3_column_int64(stmt, STARTED),
        .wait_ms = sqlite3_column_type(stmt, WAIT) == SQLITE_NULL
                       ? UNS_NULL
                       : sqlite3_column_int64(stmt, WAIT),
    };
    const char *program = (const char *)sqlite3_column_text(stmt, PROGRAM);
    const char *mode = (const char *)sqlite3_column_text(stmt, MODE);

    take_values(stmt, call.value);
    return program != NULL && mode != NULL &&
           uns_trial_name(trial, program, &call.program) &&
           uns_trial_name(trial, mode, &call.mode) &&
           uns_trial_add(trial, &call);
}

int uns_ab_load(sqlite3 *db, const struct uns_select *select,
                const char *experiment, struct uns_trial *ret_trial)
{
    struct uns_select of = *select;
    sqlite3_stmt *stmt;
    int rc = SQLITE_ROW;

    of.experiment = experiment;
    ret_trial->experiment = strdup(experiment);
    stmt = uns_select_prepare(db, select_sql, &of);
    if (stmt == NULL || ret_trial->experiment == NULL)
        rc = SQLITE_ERROR;
    while (rc == SQLITE_ROW && (rc = sqlite3_step(stmt)) == SQLITE_ROW)
        if (!take_call(stmt, ret_trial))
            rc = SQLITE_NOMEM;
    sqlite3_finalize(stmt);
    if (rc == SQLITE_DONE && !uns_trial_divide(ret_trial))
        rc = SQLITE_NOMEM;
    return rc;
}
