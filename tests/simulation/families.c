/* The list of families, and the one that needs nothing but more servers: every key lives on one of them,
 * so that the rules for one server hold for each. */
/* SPDX-License-Identifier: MIT */
#include "families.h"

#include "copies.h"
#include "failover.h"
#include "tags.h"

void sim_family_spread(sim_scenario *scenario, unsigned servers) {
	uint64_t random = sim_mix(scenario->seed + 0x5E12);
	scenario->server_count = servers;
	for (unsigned i = 0; i < scenario->fault_count; i++) {
		sim_fault *fault = &scenario->faults[i];
		bool is_of_item =
			fault->kind == SIM_EVICT || fault->kind == SIM_GARBLE || fault->kind == SIM_PLAIN;
		fault->server = (uint8_t)(is_of_item ? fault->item / 2 : sim_random(&random)) % servers;
		if (fault->kind == SIM_DOWN && (sim_random(&random) & 1) != 0) {
			fault->kind = SIM_CUT;
		}
	}
}

static void make_servers(sim_scenario *scenario, uint64_t seed) {
	sim_scenario_make(scenario, seed);
	sim_family_spread(scenario, 2 + (unsigned)(seed % (SIM_SERVERS_MAX - 1)));
}

static const sim_family families[] = {
	{"server", sim_scenario_make},
	{"servers", make_servers},
	{"failover", sim_failover_make},
	{"copies", sim_copies_make},
	{"foreign", sim_foreign_make},
	{"tags", sim_tags_make},
};

const sim_family *sim_family_first(void) {
	return &families[0];
}

const sim_family *sim_family_find(const char *name) {
	for (size_t i = 0; i < sizeof(families) / sizeof(families[0]); i++) {
		if (strcmp(families[i].name, name) == 0) {
			return &families[i];
		}
	}
	return NULL;
}
