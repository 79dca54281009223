/* The families of runs, by name. Each makes a run of its own kind out of a seed, and some can be searched: every
 * schedule of small programs is run. */
/* SPDX-License-Identifier: MIT */
#ifndef SIM_FAMILIES_H
#define SIM_FAMILIES_H

#include "world/report.h"

typedef struct sim_family sim_family;
struct plain_family;
struct sim_scenario;

typedef struct sim_outcome {
	const char *invariant; /* the one that broke; NULL if all held */
	const char *text;      /* how; until the next run */
	uint64_t steps, calls;
} sim_outcome;

typedef struct sim_search {
	unsigned part; /* the one that is searched, from 1 on; 0: all */
	bool is_deep;
	uint64_t runs_max;   /* of a program whose choices are too many to be gone through */
	unsigned faults_max; /* in one run of it */
} sim_search;

/* The ways to run the families of one kind. */
typedef struct sim_kind {
	sim_outcome (*run)(const sim_family *family, uint64_t seed);
	/* Runs a seed with its trace; one that fails is made smaller first, where that is known how to. */
	void (*show)(const sim_family *family, uint64_t seed, bool is_full);
	/* Runs every schedule of one part, prints what broke, and counts its tests. */
	void (*search)(const sim_family *family, unsigned part, const sim_search *wanted,
		sim_report *report);
	/* Prints behind the figures of random runs what else is to be known of them; NULL if nothing is. */
	void (*add_remark)(void);
} sim_kind;

struct sim_family {
	const char *name;
	const sim_kind *kind;
	unsigned parts; /* of its search; 0: it has none */
	/* Caches': makes the scenario that a seed stands for. */
	void (*make)(struct sim_scenario *scenario, uint64_t seed);
	/* The family of a pattern with plain items. */
	const struct plain_family *plain;
};

/* Finds a family; NULL if there is none of this name. */
const sim_family *sim_family_find(const char *name);
/* Returns what a seed is of when no family is named: one server. */
const sim_family *sim_family_first(void);

#endif
