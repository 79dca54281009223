/* What a seed can stand for: each family makes scenarios of its own kind. */
/* SPDX-License-Identifier: MIT */
#ifndef SIM_FAMILIES_H
#define SIM_FAMILIES_H

#include "scenario.h"

typedef struct sim_family {
	const char *name;
	void (*make)(sim_scenario *scenario, uint64_t seed);
} sim_family;

/* NULL: there is none of this name. */
const sim_family *sim_family_find(const char *name);

/* What a seed stands for when no family is named: one server. */
const sim_family *sim_family_first(void);

/* --- for families --- */

/* Puts a scenario that was made for one server on several: each fault strikes one of them, and some
 * outages are one client's alone. */
void sim_family_spread(sim_scenario *scenario, unsigned servers);

#endif
