/* Scenarios of servers that stand in for each other, and what they must keep: F2, F3, F4 and F7. */
/* SPDX-License-Identifier: MIT */
#ifndef SIM_FAILOVER_H
#define SIM_FAILOVER_H

#include "cache/scenario.h"

/* Makes a few clients on one key, whose server goes away for all of them or for some, and comes back with what
 * it had. Nothing expires meanwhile, and no client writes an old value again. */
void sim_failover_make(sim_scenario *scenario, uint64_t seed);

#endif
