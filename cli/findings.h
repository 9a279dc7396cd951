/* SPDX-License-Identifier: MIT */
#ifndef UNS_CLI_FINDINGS_H
#define UNS_CLI_FINDINGS_H

/*
 * findings - what an examination found: a verdict in one sentence, then rows
 * that say what was looked at, what was found, what it means and what to do.
 * For people and, with the same words, as JSON.
 */

#include "term.h"

#include <stddef.h>

enum uns_level {
    UNS_LEVEL_NOTE, /* a fact */
    UNS_LEVEL_GOOD,
    UNS_LEVEL_WARN,
    UNS_LEVEL_BAD, /* it stands in the way */
    UNS_LEVEL_COUNT
};

struct uns_finding {
    enum uns_level level;
    const char *what; /* at most 12 characters; not owned */
    char *found;      /* these are, and may be NULL */
    char *means;
    char *todo;
};

/* What is beyond is dropped. */
#define UNS_FINDINGS 200

struct uns_findings {
    char *sentence;
    struct uns_finding list[UNS_FINDINGS + 1];
    size_t count;
};

/* A new row; never NULL. */
struct uns_finding *uns_findings_add(struct uns_findings *findings,
                                     enum uns_level level, const char *what);

/* Set a text; without memory for it, it is not said. */
void uns_findings_say(char **text, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

void uns_findings_clear(struct uns_findings *findings);

/* The sentence, an empty line, the rows. */
void uns_findings_print(const struct uns_findings *findings,
                        const struct uns_term *term);

/* {"verdict": ..., "sentence": ..., "findings": [{"what": ..., "level": ...,
 * "found": ..., "means": ..., "do": ...}]} */
void uns_findings_json(const struct uns_findings *findings,
                       const char *verdict);

#endif
