/* Every schedule of a few operations: two clients with up to six store calls each, three with up to
 * four, from each of some typical states of the key. */
/* SPDX-License-Identifier: MIT */
#ifndef SIM_EXPLORE_H
#define SIM_EXPLORE_H

#include "cache/world.h"

enum { SIM_EXPLORED_CLIENTS_MAX = 3 };

typedef struct sim_exploration {
	unsigned clients;
	bool common_only; /* for whoever goes through all groups and states */
	bool hot_only;    /* those that count on a number or freeze it, on one that is running */
	unsigned operations[SIM_EXPLORED_CLIENTS_MAX]; /* numbers of sim_explore_operation_name */
	unsigned state;                                /* of sim_explore_state_name */
	unsigned calls_max;  /* of each client; a schedule is followed no further */
	unsigned faults_max; /* of lost requests, lost answers, late effects and deaths, anywhere */
	uint32_t jump_ms;    /* once, anywhere, time goes by; 0: never */
	/* what came of it */
	uint64_t schedules; /* followed to their end */
	uint64_t pruned;    /* that had led to a state from which all had been followed */
	uint64_t cut;       /* at calls_max */
} sim_exploration;

unsigned sim_explore_operation_count(void);
const char *sim_explore_operation_name(unsigned operation);
/* Names one of the few that three clients explore in every run. */
bool sim_explore_is_common(unsigned operation);
bool sim_explore_state_is_common(unsigned state);
bool sim_explore_is_hot(unsigned operation);
bool sim_explore_state_is_hot(unsigned state);
unsigned sim_explore_state_count(void);
const char *sim_explore_state_name(unsigned state);

/* False if a schedule breaks an invariant; the world then holds the failure, and is run once more with its
 * trace on `trace` if that is not NULL. */
bool sim_explore(sim_world *world, sim_exploration *exploration, FILE *trace);

#endif
