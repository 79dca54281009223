/* SPDX-License-Identifier: MIT */
#include "world/families.h"

#include "cache/families/families.h"
#include "cache/runs.h"
#include "plain/families/families.h"
#include "plain/runs.h"

static const sim_family families[] = {
	{"server", &sim_cache_runs, .parts = SIM_EXPLORED_PARTS, .make = sim_scenario_make},
	{"servers", &sim_cache_runs, .make = sim_servers_make},
	{"failover", &sim_cache_runs, .make = sim_failover_make},
	{"failover-tags", &sim_cache_runs, .make = sim_tags_make},
	{"copies", &sim_cache_runs, .make = sim_copies_make},
	{"foreign", &sim_cache_runs, .make = sim_foreign_make},
	{"lock", &plain_runs, .parts = 8, .plain = &plain_lock},
	{"semaphore", &plain_runs, .parts = 2, .plain = &plain_semaphore},
	{"counter", &plain_runs, .parts = 3, .plain = &plain_counter},
	{"limit", &plain_runs, .parts = 5, .plain = &plain_counter_limit},
	{"online", &plain_runs, .parts = 2, .plain = &plain_online},
	{"unique", &plain_runs, .parts = 1, .plain = &plain_unique},
	{"rate", &plain_runs, .parts = 4, .plain = &plain_rate},
	{"log", &plain_runs, .parts = 2, .plain = &plain_log},
	{"set", &plain_runs, .parts = 2, .plain = &plain_set},
	{"table", &plain_runs, .parts = 2, .plain = &plain_table},
	{"tags", &plain_runs, .parts = 20, .plain = &plain_tags},
	{"tagsnear", &plain_runs, .parts = 9, .plain = &plain_tags_near},
	{"tagskeys", &plain_runs, .parts = 9, .plain = &plain_tags_keys_changed},
	{"near", &plain_runs, .parts = 7, .plain = &plain_near},
	{"waking", &plain_runs, .parts = 6, .plain = &plain_waking},
	{"handover", &plain_runs, .parts = 4, .plain = &plain_handover},
	{"many", &plain_runs, .parts = 7, .plain = &plain_many},
	{"session", &plain_runs, .parts = 6, .plain = &plain_session},
	{"guarded", &plain_runs, .parts = 12, .plain = &plain_guarded},
	{"board", &plain_runs, .parts = 3, .plain = &plain_board},
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
