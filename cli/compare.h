/* SPDX-License-Identifier: MIT */
#ifndef UNS_CLI_COMPARE_H
#define UNS_CLI_COMPARE_H

/*
 * compare - two arms of an experiment, and how sure their difference is.
 *
 * Calls are drawn anew, with replacement, in units: all calls of a process
 * together when processes were drawn into the arms, since such calls are alike
 * (Efron's bootstrap, by clusters; the 2.5th to the 97.5th percentile).  Only
 * one statistic, chosen before any data was seen, decides: of a dozen at
 * 95 % one or the other always looks like something.  Pure.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What is known of every call.  NAN: it does not count there. */
enum uns_column {
    UNS_COLUMN_TTFT,    /* ms; INFINITY: no token ever came */
    UNS_COLUMN_WALL,    /* ms */
    UNS_COLUMN_STALL,   /* ms */
    UNS_COLUMN_STALLED, /* 0, 1 */
    UNS_COLUMN_FAILED,  /* 0, 1 */
    UNS_COLUMN_REQUESTS,
    UNS_COLUMN_TOKENS,
    UNS_COLUMN_COUNT
};

enum uns_statistic {
    UNS_STAT_TTFT_P50,
    UNS_STAT_TTFT_P95, /* the primary one: hedging acts on the tail */
    UNS_STAT_TTFT_P99,
    UNS_STAT_WALL_P50,
    UNS_STAT_WALL_P95,
    UNS_STAT_STALL_P95,
    UNS_STAT_STALLED,
    UNS_STAT_FAILED,
    UNS_STAT_REQUESTS,
    UNS_STAT_TOKENS,
    UNS_STAT_COUNT
};

#define UNS_STAT_PRIMARY UNS_STAT_TTFT_P95

enum uns_stat_unit {
    UNS_STAT_MS,
    UNS_STAT_SHARE,
    UNS_STAT_NUMBER /* a call */
};

struct uns_stat {
    const char *name;  /* in JSON */
    const char *title; /* for people */
    enum uns_column column;
    unsigned per_mille; /* the quantile; 0: the mean */
    enum uns_stat_unit unit;
    bool ratio; /* differences are told as a share of the control's */
};

extern const struct uns_stat uns_stats[UNS_STAT_COUNT];

/* The calls of one arm; all is borrowed. */
struct uns_arm_calls {
    size_t calls, units;
    const uint32_t *unit; /* of each call, below units */
    const double *value[UNS_COLUMN_COUNT];
};

/* The two arms, control first. */
enum {
    UNS_CONTROL,
    UNS_TREATMENT,
    UNS_ARMS
};

/* Of the statistic: its value in each arm; the difference of treatment from
 * control (-0.3 with ratio: 30 % less) and its interval of 95 %.  NAN: it
 * cannot be told. */
struct uns_effect {
    double value[UNS_ARMS];
    double change, low, high;
    bool clear; /* the interval excludes 0 */
};

enum uns_verdict {
    UNS_VERDICT_TOO_FEW, /* calls or units for any statement */
    UNS_VERDICT_UNSURE,  /* no difference is clear, but UNS_COMPARE_DETECT
                            could have hidden */
    UNS_VERDICT_NONE,    /* ... and could hardly have */
    UNS_VERDICT_LESS,    /* treatment's is less than control's */
    UNS_VERDICT_MORE
};

/* A relative difference that should be found, four times in five. */
#define UNS_COMPARE_DETECT 0.2

/* The primary statistic is not judged with fewer in an arm: the interval of a
 * 95th percentile needs some calls beyond it, and the bootstrap some units. */
#define UNS_COMPARE_CALLS 100
#define UNS_COMPARE_UNITS 20

struct uns_comparison {
    struct uns_effect effect[UNS_STAT_COUNT];
    enum uns_verdict verdict; /* on the primary statistic */
    size_t more; /* TOO_FEW, UNSURE: calls in both arms together that are
                    missing, by estimate; 0: that cannot be told */
};

/* False: no memory. */
bool uns_compare(const struct uns_arm_calls arms[UNS_ARMS], uint64_t seed,
                 struct uns_comparison *ret_comparison);

#endif
