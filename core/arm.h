/* SPDX-License-Identifier: MIT */
#ifndef UNS_ARM_H
#define UNS_ARM_H

/*
 * arm - into which arm of an experiment a unit falls.  A pure function of the
 * experiment's name and of the unit: no dice, no state, the same on every
 * machine and in every version.  Raising the share moves units from control to
 * treatment and none back; two experiments divide the same units
 * independently.
 */

#include "units.h"

enum uns_arm {
    UNS_ARM_NONE, /* no experiment */
    UNS_ARM_CONTROL,
    UNS_ARM_TREATMENT,
    UNS_ARM_COUNT
};

/* What falls into an arm as a whole; the words of experiment.unit, in order. */
enum uns_unit {
    UNS_UNIT_CALL,
    UNS_UNIT_PROCESS,
    UNS_UNIT_KEY /* the credential that the application sends */
};

struct uns_experiment {
    const char *name; /* NULL: there is none */
    double treatment; /* share of the units, 0..1 */
    enum uns_unit unit;
};

/* The arm of a unit; never NONE. */
enum uns_arm uns_arm_of(const struct uns_experiment *experiment,
                        struct uns_slice unit);

/* As stored: "control", "treatment"; "" for NONE. */
const char *uns_arm_name(enum uns_arm arm);

#endif
