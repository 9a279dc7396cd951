/* SPDX-License-Identifier: MIT */
#include "fault.h"

#include "root.h"
#include "roster.h"

#include <stdlib.h>

bool uns_fault_open(struct uns_attempt *primary)
{
    const struct uns_inject *inject = uns_root_inject();

    if (!inject)
        return true;
    primary->fault = calloc(1, sizeof *primary->fault);
    if (!primary->fault)
        return false;
    primary->fault->inject = inject;
    if (!inject->status)
        return true;
    primary->fault->stand_in = uns_stand_in_new(primary, inject->status);
    return primary->fault->stand_in != NULL;
}

void uns_fault_close(struct uns_attempt *primary)
{
    if (!primary->fault)
        return;
    uns_stand_in_free(primary->fault->stand_in);
    uns_hold_clear(&primary->fault->queue);
    free(primary->fault);
    primary->fault = NULL;
}

size_t uns_fault_take(struct uns_attempt *a, enum uns_piece_kind kind,
                      const char *bytes, size_t len)
{
    if (a->cancelled)
        return len;
    if (uns_hold_add(&a->fault->queue, kind, bytes, len) != UNS_OK)
        return 0;
    uns_roster_touch(a->call);
    return len;
}

bool uns_fault_holds(const struct uns_attempt *a)
{
    struct uns_piece piece;

    return a->fault && !a->cancelled && !a->severed &&
           uns_hold_peek(&a->fault->queue, &piece);
}

uns_ns uns_fault_deadline(const struct uns_call *call)
{
    const struct uns_attempt *a = call->attempt[0];

    if (a->fault && a->fault->serve_ns)
        return a->fault->serve_ns;
    return uns_fault_holds(a) && !call->paused && !call->aborted
               ? a->fault->open_ns
               : UNS_NEVER;
}
