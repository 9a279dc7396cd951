/* SPDX-License-Identifier: MIT */
#include "retry.h"

#include "again.h"
#include "clock.h"
#include "pushback.h"
#include "source.h"

#include "core/backoff.h"

#include <errno.h>
#include <sys/random.h>

/* Without the kernel's chance, that of the moment. */
static uint32_t roll(void)
{
    int saved_errno = errno;
    uint32_t random;

    if (getrandom(&random, sizeof random, GRND_NONBLOCK) != sizeof random)
        random = (uint32_t)uns_clock_now() * 2654435769u;
    errno = saved_errno;
    return random;
}

static unsigned retries(const struct uns_call *call)
{
    unsigned count = 0;

    for (unsigned i = 1; i < call->attempts; i++)
        count += call->attempt[i]->why == UNS_WHY_RETRY;
    return count;
}

static uns_ns wait_of(const struct uns_attempt *a)
{
    const struct uns_call *call = a->call;

    return a->head.retry_ns ? a->head.retry_ns
                            : uns_backoff_wait(call->policy->retry.backoff_ns,
                                               retries(call), roll());
}

const char *uns_retry_obstacle(const struct uns_call *call, uns_ns now_ns)
{
    if (call->policy->retry.max == 0)
        return "retry.max is 0";
    return uns_again_is(call, now_ns)
               ? "the program has sent it before, and in vain: it retries by "
                 "itself"
               : NULL;
}

bool uns_retry_may(const struct uns_attempt *a, uns_ns *ret_wait_ns)
{
    const struct uns_call *call = a->call;
    uns_ns wait;

    if (a->head.no_retry || uns_retry_obstacle(call, a->piece_ns))
        return false;
    wait = wait_of(a);
    /* Another call may have been told to stay away for longer. */
    if (uns_pushback_blocks(call, &uns_source_self, UNS_WHY_RETRY,
                            a->piece_ns + wait))
        return false;
    *ret_wait_ns = wait;
    return true;
}
