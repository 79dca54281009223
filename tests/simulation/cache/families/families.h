/* The families of caches. Each makes scenarios from seeds. */
/* SPDX-License-Identifier: MIT */
#ifndef SIM_CACHE_FAMILIES_H
#define SIM_CACHE_FAMILIES_H

#include "cache/families/copies.h"
#include "cache/families/failover.h"
#include "cache/families/tags.h"
#include "cache/scenario.h"

void sim_servers_make(sim_scenario *scenario, uint64_t seed);

#endif
