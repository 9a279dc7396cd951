/* SPDX-License-Identifier: MIT */
#ifndef UNS_PARTS_TABLE_H
#define UNS_PARTS_TABLE_H

/* parts_table - the rows of parts.c: which values matter in which dialect.
 * Private to parts*.c. */

#include "parts.h"

/* Two rows with one group say the same thing; those of dialects that name the
 * types of their frames are told apart by these, too. */
enum uns_part_about {
    UNS_ABOUT_TEXT,
    UNS_ABOUT_REASONING,
    UNS_ABOUT_DETAIL,
    UNS_ABOUT_REFUSAL,
    UNS_ABOUT_CALL, /* a tool's arguments */
    UNS_ABOUT_OLD_CALL,
    UNS_ABOUT_ID,
    UNS_ABOUT_MODEL,
    UNS_ABOUT_TIME,
    UNS_ABOUT_PRINT,
    UNS_ABOUT_ROLE,
    UNS_ABOUT_CALL_ID,
    UNS_ABOUT_NAME,
    UNS_ABOUT_OLD_NAME,
    UNS_ABOUT_TYPE,
    UNS_ABOUT_ITEM_ID,
    UNS_ABOUT_DELTA, /* its frame's type says what it is */
    UNS_ABOUT_OTHER
};

struct uns_parts_row {
    const char *path; /* as uns_walk_is_at() has it */
    size_t len;       /* of the path */
    enum uns_part_verb verb;
    enum uns_part_about about;
};

struct uns_parts_table {
    const struct uns_parts_row *rows; /* NULL: the dialect is not known here */
    size_t count;
    bool typed; /* frames have a type, and are about a numbered place */
};

const struct uns_parts_table *uns_parts_table(enum uns_dialect dialect);

#endif
