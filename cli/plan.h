/* SPDX-License-Identifier: MIT */
#ifndef UNS_CLI_PLAN_H
#define UNS_CLI_PLAN_H

/* plan - the parts of `unstall plan`, private to them. */

#include "term.h"

#include <cjson/cJSON.h>

/* One described call (engine/plan_facts.h) for people. */
void uns_plan_print(const cJSON *facts, const struct uns_term *term);

#endif
