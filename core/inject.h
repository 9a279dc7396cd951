/* SPDX-License-Identifier: MIT */
#ifndef UNS_INJECT_H
#define UNS_INJECT_H

/*
 * inject - the faults that `unstall run --inject` plays on a program's own
 * requests, as a list with commas between:
 *
 *   late=S     the body begins S seconds after the call
 *   stall@K=S  silence for S seconds after K content chunks; may be repeated
 *   drip=S     S seconds between two content chunks
 *   cut@K      the connection is lost after K content chunks
 *   status=C   the answer is an error of that status, 400 to 599, and nothing
 *              is sent; goes with late alone
 */

#include "units.h"

#include <stdbool.h>

#define UNS_INJECT_STALLS 8

/* The longest wait, an hour. */
#define UNS_INJECT_LONGEST (3600 * UNS_S)

struct uns_inject {
    uns_ns late_ns, drip_ns; /* 0: none */
    int64_t cut_at;          /* chunks; UNS_NULL: not cut */
    int status;              /* 0: the server's own */
    unsigned stalls;

    struct {
        int64_t at; /* chunks */
        uns_ns span_ns;
    } stall[UNS_INJECT_STALLS];
};

/* Read such a list.  NULL, or what is wrong, in words that go on after the
 * word at fault, which is then in *ret_word. */
const char *uns_inject_read(struct uns_slice text, struct uns_inject *ret,
                            struct uns_slice *ret_word);

/* How long to be silent once `chunks` have passed; 0: not at all. */
uns_ns uns_inject_silence(const struct uns_inject *inject, int64_t chunks);

#endif
