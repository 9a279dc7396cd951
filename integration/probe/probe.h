/* SPDX-License-Identifier: MIT */
#ifndef UNS_PROBE_H
#define UNS_PROBE_H

/* probe - what the two halves of the probe share. */

#include "shim/abi_multi.h"

extern const struct uns_multi_engine probe_multi;

#endif
