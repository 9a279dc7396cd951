/* SPDX-License-Identifier: MIT */
#ifndef UNS_CLI_REPORT_H
#define UNS_CLI_REPORT_H

/*
 * report - the parts of `unstall report`: what is made of the selected calls,
 * and the three ways to tell it.  All of them tell the same numbers.
 */

#include "select.h"
#include "table.h"
#include "tally.h"

/* Spans of the history, and calls that are drawn, at most. */
#define UNS_REPORT_SPANS 48
#define UNS_REPORT_SLOW  8

/* What the calls are grouped by. */
struct uns_report_by {
    const char *name;  /* as on the command line */
    const char *title; /* "host" */
    const char *key;   /* SQL over the columns of calls */
    bool in_order;     /* of the keys; else the largest group first */
};

/* NULL: there is no such word. */
const struct uns_report_by *uns_report_by_name(const char *name);

/* What is wanted. */
struct uns_report_plan {
    struct uns_select select;
    const struct uns_report_by *by;
    uns_ns threshold_ns; /* UNS_NEVER: the stalls as they were recorded */
};

struct uns_report_group {
    char *key; /* NULL: the calls that have none */
    struct uns_figures figures;
};

/* The calls that began in one span of the history. */
struct uns_report_span {
    int64_t calls, stalled_calls, silent_calls, stalls, stall_ms;
};

struct uns_report {
    const struct uns_report_by *by;
    uns_ns threshold_ns;            /* as in the plan */
    char filters[UNS_SELECT_WORDS]; /* "--program php --stalled"; "": none */
    struct uns_figures all;
    struct uns_report_group *group;
    size_t groups;
    int64_t span_us; /* length of each */
    int64_t from_us; /* begin of the first */
    size_t spans;
    struct uns_report_span span[UNS_REPORT_SPANS];
    int64_t slow_id[UNS_REPORT_SLOW]; /* calls.id, the slowest first */
    size_t slow;
};

/* Go through the calls.  Returns SQLITE_DONE, or what went wrong.  Clear it in
 * any case. */
int uns_report_collect(sqlite3 *db, const struct uns_report_plan *plan,
                       struct uns_report *ret_report);
void uns_report_clear(struct uns_report *report);

/* A number in JSON: at most three digits after the point, or null. */
#define UNS_REPORT_NUMBER 32
const char *uns_report_number(char ret_text[UNS_REPORT_NUMBER], double number);

/* For people: a quantity's name ("first token") and value ("812 ms", "-"). */
#define UNS_REPORT_VALUE 64
const char *uns_report_title(enum uns_quantity quantity);
const char *uns_report_value(char ret_text[UNS_REPORT_VALUE],
                             enum uns_quantity quantity, double value);

/* The row of the calls without one, below that of the first token. */
#define UNS_REPORT_WITHOUT "no first token"

/* The key of a group; "(none)" for NULL. */
const char *uns_report_key(const char *key);

/* What hedges were sent for, in the order of the counts won_... */
#define UNS_REPORT_WHYS 5
const char *uns_report_why(unsigned i);

/* What became of wasted hedges, in the order of the counts lost_... */
#define UNS_REPORT_LOSSES 7
const char *uns_report_loss(unsigned i);

/* Why nothing was sent, in the order of the counts unsent_... */
#define UNS_REPORT_UNSENTS \
    (UNS_COUNT_unsent_paused - UNS_COUNT_unsent_budget_exhausted + 1)

/* Is `metric` called `label` in the report's text, in whatever case? */
bool uns_report_names(const char *metric, const char *label);

/* A table of counts: which, under which titles, and in which colour. */
struct uns_report_counts {
    const char *title;
    const struct uns_table_column *columns; /* the first is the group's */
    const enum uns_count *count;
    size_t size;
    enum uns_hue hue; /* of those that are not 0, but for the first */
};

extern const struct uns_report_counts uns_report_outcomes;
extern const struct uns_report_counts uns_report_phases;
extern const struct uns_report_counts uns_report_hedges;

/* For people; `limit` groups at most, 0: all. */
void uns_report_text(const struct uns_report *report, int64_t limit,
                     const struct uns_term *term);

/* An array of objects: of all calls, then one of each group. */
void uns_report_json(const struct uns_report *report, FILE *out);

/* The page for a browser, with the slowest calls drawn from `db`.  Returns
 * SQLITE_DONE, or what went wrong. */
int uns_report_page(const struct uns_report *report, sqlite3 *db, FILE *out);

#endif
