/* The families of runs, by name. Each family makes runs from seeds. Some can be searched: every schedule of small
 * programs is run. */
/* SPDX-License-Identifier: MIT */
#ifndef SIM_FAMILIES_H
#define SIM_FAMILIES_H

#include "world/report.h"

typedef struct sim_family sim_family;
struct plain_family;
struct sim_scenario;

typedef struct sim_outcome {
	const char *invariant; /* the broken invariant; NULL if all held */
	const char *text;      /* details; valid until the next run */
	uint64_t steps, calls;
} sim_outcome;

typedef struct sim_search {
	unsigned part; /* the searched part, from 1; 0: all parts */
	bool is_deep;
	uint64_t runs_max;   /* for a program with too many choices to run them all */
	unsigned faults_max; /* per run */
} sim_search;

/* How to run the families of one kind. */
typedef struct sim_kind {
	sim_outcome (*run)(const sim_family *family, uint64_t seed);
	/* Runs a seed with its trace. A failing run is made smaller first, if the kind supports this. */
	void (*show)(const sim_family *family, uint64_t seed, bool is_full);
	/* Runs every schedule of one part, prints failures and counts its tests. */
	void (*search)(const sim_family *family, unsigned part, const sim_search *wanted,
		sim_report *report);
	/* Prints a remark after the figures of random runs. Can be NULL. */
	void (*add_remark)(void);
} sim_kind;

struct sim_family {
	const char *name;
	const sim_kind *kind;
	unsigned parts; /* number of parts of its search; 0: no search */
	/* Caches only: makes the scenario of a seed. */
	void (*make)(struct sim_scenario *scenario, uint64_t seed);
	/* For patterns with plain items. */
	const struct plain_family *plain;
};

/* Returns the family with this name, or NULL. */
const sim_family *sim_family_find(const char *name);
/* Returns the default family: one server. */
const sim_family *sim_family_first(void);

#endif
