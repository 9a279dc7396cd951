/* SPDX-License-Identifier: MIT */
#ifndef UNS_CLI_ADVISE_WORDS_H
#define UNS_CLI_ADVISE_WORDS_H

/* advise_words - an advice in sentences, and as a configuration. */

#include "advise.h"

#define UNS_ADVISE_WORDS 48

/* "2.3 s"; "-" for UNS_NEVER. */
const char *uns_advise_seconds(char ret_text[UNS_ADVISE_WORDS], uns_ns ns);

/* "all", "5 s", "-". */
const char *uns_advise_hold(char ret_text[UNS_ADVISE_WORDS], uns_ns ns);

/* The recommended settings as a configuration in JSON (malloc'd); NULL: no
 * memory. */
char *uns_advise_config(const struct uns_advice *advice);

#define UNS_ADVISE_LINES 8

/* All malloc'd; what there was no memory for is missing. */
struct uns_advise_text {
    char *sentence;
    char *lines[UNS_ADVISE_LINES + 1]; /* the knee, and what is assumed */
};

void uns_advise_say(const struct uns_advice *advice,
                    struct uns_advise_text *ret_text);
void uns_advise_unsay(struct uns_advise_text *text);

#endif
