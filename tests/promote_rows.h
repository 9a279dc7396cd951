/* SPDX-License-Identifier: MIT */
#ifndef UNS_TESTS_PROMOTE_ROWS_H
#define UNS_TESTS_PROMOTE_ROWS_H

/* promote_rows - streams of every dialect and the bodies that they are; and
 * those that are none.  ' stands for ". */

#include "core/dialect.h"
#include "core/err.h"

#define PROMOTE_ROWS     32
#define PROMOTE_FAILURES 17

struct promote_row {
    const char *name;
    enum uns_dialect dialect;
    const char *stream, *want;
};

extern const struct promote_row promote_rows[PROMOTE_ROWS];

struct promote_failure {
    const char *name;
    enum uns_dialect dialect;
    enum uns_err err;
    const char *stream;
};

extern const struct promote_failure promote_failures[PROMOTE_FAILURES];

#endif
