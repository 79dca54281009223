/* Failover scenarios and their rules: F2, F3, F4 and F7. */
/* SPDX-License-Identifier: MIT */
#ifndef SIM_FAILOVER_H
#define SIM_FAILOVER_H

#include "cache/scenario.h"

/* A few clients on one key, whose server is down for all or some clients and returns with its previous items.
 * Nothing expires meanwhile, and no client writes an older value again. */
void sim_failover_make(sim_scenario *scenario, uint64_t seed);

#endif
