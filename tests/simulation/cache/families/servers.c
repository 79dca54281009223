/* The family with several servers. Every key is on one server, so the rules for one server apply to each. */
/* SPDX-License-Identifier: MIT */
#include "cache/families/families.h"

/* Each fault affects one server, and some outages one client only. */
static void spread(sim_scenario *scenario, unsigned servers) {
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

void sim_servers_make(sim_scenario *scenario, uint64_t seed) {
	sim_scenario_make(scenario, seed);
	spread(scenario, 2 + (unsigned)(seed % (SIM_SERVERS_MAX - 1)));
}
