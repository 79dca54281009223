/* Every schedule of a few operations from each of some typical states of the key: 2 clients with up to 6 store
 * calls each, or 3 with up to 4. */
/* SPDX-License-Identifier: MIT */
#ifndef SIM_EXPLORE_H
#define SIM_EXPLORE_H

#include "cache/world.h"

enum { SIM_EXPLORED_CLIENTS_MAX = 3 };

typedef struct sim_exploration {
	unsigned clients;
	bool common_only; /* for callers that go through all groups and states */
	bool hot_only;    /* operations that increment or freeze a running number */
	unsigned operations[SIM_EXPLORED_CLIENTS_MAX]; /* of sim_explore_operation_name */
	unsigned state;                                /* of sim_explore_state_name */
	unsigned calls_max;                            /* per client; a schedule ends there */
	unsigned faults_max; /* lost requests and replies, late effects and crashes */
	uint32_t jump_ms;    /* one passage of time, at any point; 0: none */
	/* results */
	uint64_t schedules; /* completed */
	uint64_t pruned;    /* ended at a state that was seen */
	uint64_t cut;       /* ended at calls_max */
} sim_exploration;

unsigned sim_explore_operation_count(void);
const char *sim_explore_operation_name(unsigned operation);
/* True for the few operations that 3 clients explore in every run. */
bool sim_explore_is_common(unsigned operation);
bool sim_explore_state_is_common(unsigned state);
bool sim_explore_is_hot(unsigned operation);
bool sim_explore_state_is_hot(unsigned state);
unsigned sim_explore_state_count(void);
const char *sim_explore_state_name(unsigned state);

/* False if a schedule breaks an invariant. The world then has the failure, and repeats the run with its trace on
 * `trace` unless that is NULL. */
bool sim_explore(sim_world *world, sim_exploration *exploration, FILE *trace);

#endif
