/* The cases that are explored: the operations, and the states of the key that they meet. */
/* SPDX-License-Identifier: MIT */
#ifndef SIM_EXPLORE_CASES_H
#define SIM_EXPLORE_CASES_H

#include "cache/explore.h"

/* Makes one task for each client. */
void sim_explore_make(sim_scenario *scenario, const sim_exploration *exploration);

/* Brings the key into the state, by a client of its own that does nothing else. */
void sim_explore_set_up(sim_world *world, unsigned state);

#endif
