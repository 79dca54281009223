/* The explored cases: operations, and initial states of the key. */
/* SPDX-License-Identifier: MIT */
#ifndef SIM_EXPLORE_CASES_H
#define SIM_EXPLORE_CASES_H

#include "cache/explore.h"

/* Creates one task per client. */
void sim_explore_make(sim_scenario *scenario, const sim_exploration *exploration);

/* Brings the key into the state, by a separate client. */
void sim_explore_set_up(sim_world *world, unsigned state);

#endif
