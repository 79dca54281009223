/* Removes parts of a failing scenario as long as it fails in the same way. */
/* SPDX-License-Identifier: MIT */
#ifndef SIM_SHRINK_H
#define SIM_SHRINK_H

#include "cache/world.h"

/* Runs it once. Returns the broken invariant or NULL. */
const char *sim_shrink_try(sim_world *world, sim_scenario *scenario);

/* Leaves the smallest scenario found that breaks the same invariant. Returns the number of runs. */
unsigned sim_shrink(sim_world *world, sim_scenario *scenario);

#endif
