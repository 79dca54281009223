/* Takes parts out of a failing scenario as long as it fails in the same way. */
/* SPDX-License-Identifier: MIT */
#ifndef SIM_SHRINK_H
#define SIM_SHRINK_H

#include "cache/world.h"

/* Runs it once; the invariant that broke, or NULL. */
const char *sim_shrink_try(sim_world *world, sim_scenario *scenario);

/* Leaves the smallest scenario found that still breaks the same invariant; returns how many it ran. */
unsigned sim_shrink(sim_world *world, sim_scenario *scenario);

#endif
