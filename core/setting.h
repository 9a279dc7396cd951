/* SPDX-License-Identifier: MIT */
#ifndef UNS_SETTING_H
#define UNS_SETTING_H

/*
 * setting - the table of settings (settings.def): key, type, unit, range,
 * default, meaning, and where the value goes.  Who reads a file, checks it,
 * shows it or documents it goes through this table.
 */

#include "arm.h"
#include "config.h"

/* Where calls are kept. */
struct uns_keeping {
    const char *path; /* NULL: the usual place */
    bool timeline;
    int64_t retain_days; /* UNS_NULL: for ever */
};

/* All settings of one level; what settings.def's offsets point into. */
struct uns_settings {
    struct uns_policy policy;
    const char *const *names; /* hedge.sources; NULL-terminated, or NULL */
    struct uns_experiment experiment;
    struct uns_keeping store;
};

enum uns_setting_type {
    UNS_SETTING_WORD,     /* one of `words` -> enum */
    UNS_SETTING_CHOICE,   /* the first or the second of `words` -> bool */
    UNS_SETTING_BOOL,     /* -> bool */
    UNS_SETTING_TEXT,     /* string or null -> const char * */
    UNS_SETTING_NUMBER,   /* -> double */
    UNS_SETTING_SMALL,    /* whole number -> uint8_t */
    UNS_SETTING_BYTES,    /* whole number -> uint64_t */
    UNS_SETTING_CAP,      /* whole number or null -> int64_t */
    UNS_SETTING_SPAN,     /* a number of `unit` -> uns_ns */
    UNS_SETTING_LIMIT,    /* a number of `unit`, or null -> uns_ns */
    UNS_SETTING_HOLD,     /* a number of `unit`, or "all" -> uns_ns */
    UNS_SETTING_DELAY,    /* number, "p95", "auto" or null -> uns_delay */
    UNS_SETTING_FAILOVER, /* statuses and codes -> uns_failover */
    UNS_SETTING_NAMES,    /* names of sources, or null -> names */
    UNS_SETTING_TYPE_COUNT
};

/* One row of settings.def. */
struct uns_setting {
    const char *key;      /* "hedge.after_s" */
    const char *unit;     /* "s", "ms", "bytes", "" */
    const char *words;    /* "off observe shadow hedge"; NULL: none */
    const char *fallback; /* the default, as JSON */
    const char *help;
    double min, max; /* of its number; for lists and words without meaning */
    enum uns_setting_type type;
    uint16_t offset; /* in struct uns_settings */
    bool per_route;
};

/* Every setting, in the documented order; *ret_count of them. */
const struct uns_setting *uns_settings(size_t *ret_count);

/* The setting with that key, or NULL. */
const struct uns_setting *uns_setting_by_key(struct uns_slice key);

/* The n-th of some words divided by spaces; len 0: there are fewer. */
struct uns_slice uns_setting_word(const char *words, size_t n);

/* Which word `text` is; SIZE_MAX: none of them. */
size_t uns_setting_word_index(const char *words, struct uns_slice text);

/* The words of enum uns_auth, and of enum uns_prefill, in order. */
extern const char uns_auth_words[];
extern const char uns_prefill_words[];

#endif
