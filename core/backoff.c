/* SPDX-License-Identifier: MIT */
#include "backoff.h"

uns_ns uns_backoff_wait(uns_ns base_ns, unsigned nth, uint32_t random)
{
    uns_ns whole = base_ns;
    uns_ns half;

    while (nth-- && whole < UNS_BACKOFF_MAX)
        whole *= 2;
    if (whole > UNS_BACKOFF_MAX)
        whole = UNS_BACKOFF_MAX;
    half = whole / 2;
    /* Of 32 bits of chance: the product stays below 2^63. */
    return whole - (uns_ns)(((uint64_t)half >> 4) * (random >> 4) >> 24);
}
