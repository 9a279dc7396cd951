/* SPDX-License-Identifier: MIT */
#ifndef UNS_SHIM_ABI_OPTION_H
#define UNS_SHIM_ABI_OPTION_H

/*
 * abi_option - the part of the joint that is about options: what the
 * application set one to, and what the table knows of it.
 */

#include "api.h"

#include <stdbool.h>
#include <stdint.h>

/* What an option's value is. */
enum uns_opt_kind {
    UNS_OPT_LONG,
    UNS_OPT_OFF_T,
    UNS_OPT_STRING,  /* libcurl copies it, and so do we */
    UNS_OPT_POINTER, /* data of the application's: lists, files, user data */
    UNS_OPT_FUNCTION,
    UNS_OPT_BLOB, /* copied when its flag says so */
    UNS_OPT_BODY  /* COPYPOSTFIELDS: copied, size bytes */
};

/* Options are numbered apart from their type: id % 10000. */
#define UNS_OPT_SLOTS 400

/* One option as the application set it last. */
struct uns_opt {
    union {
        long l;
        curl_off_t o;
        void *p; /* STRING, BODY, BLOB (a struct curl_blob): our own copy */
        void (*f)(void);
    } value;

    uint32_t order; /* 0: never set (or reset since); rises with each set */
    uint32_t size;  /* of a BODY; UINT32_MAX: too big, not kept */
};

/* What a rival may take over from the application's handle. */
enum uns_inherit {
    UNS_INHERIT_NEVER, /* the engine sets its own, or nobody does */
    UNS_INHERIT_SELF,  /* by a rival at the same origin only */
    UNS_INHERIT_ALWAYS /* also by a rival at another origin (P3's list) */
};

/* One row per option of libcurl (shim/options.c), at [id % 10000]. */
struct uns_option {
    CURLoption id; /* 0: a hole, no option has this number */
    enum uns_opt_kind kind;
    enum uns_inherit inherit;
    bool replaced; /* the engine swaps it on the application's own handle for
                      the time of a call */
};

#endif
