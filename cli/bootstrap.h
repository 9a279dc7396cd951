/* SPDX-License-Identifier: MIT */
#ifndef UNS_CLI_BOOTSTRAP_H
#define UNS_CLI_BOOTSTRAP_H

/*
 * bootstrap - the statistics of one arm, as it is and drawn anew.  A drawn
 * arm is a weight per unit: how often the unit was drawn.  Values stay sorted
 * as they are, so that a quantile is one walk.
 */

#include "compare.h"
#include "stats.h"

/* One column in rising order; NANs are left out. */
struct uns_ranked {
    size_t count;
    double *value;
    uint32_t *unit; /* of each value's call */
};

struct uns_bootstrap {
    size_t units;
    uint32_t *weight; /* of each unit */
    struct uns_ranked column[UNS_COLUMN_COUNT];
};

/* Copies what it needs; every unit has the weight 1.  NULL: no memory. */
struct uns_bootstrap *uns_bootstrap_new(const struct uns_arm_calls *calls);
void uns_bootstrap_free(struct uns_bootstrap *bootstrap);

/* Draw as many units as there are. */
void uns_bootstrap_draw(struct uns_bootstrap *bootstrap, struct uns_dice *dice);

/* Every statistic of the units that are drawn; NAN: no call counts. */
void uns_bootstrap_tell(const struct uns_bootstrap *bootstrap,
                        double ret_value[UNS_STAT_COUNT]);

#endif
