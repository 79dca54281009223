/* Who says whether a run was right: the rules that its servers, caches and faults are to keep. Those for
 * one server are checks.c and linearize.c; what runs on several brings its own. */
/* SPDX-License-Identifier: MIT */
#ifndef SIM_JUDGE_H
#define SIM_JUDGE_H

#include "cache/world.h"

/* Each may fail the world. NULL: nothing to say. */
typedef struct sim_judge {
	/* After a write of a key's own or side item that changed something: `before` is what was there, and
	 * `entry` the operation that sent it (it may have ended, or its client have died); NULL: of none. */
	void (*wrote)(sim_world *world, const sim_client *client, sim_entry *entry,
		const sim_request *request, const sim_item *before);
	/* When an operation begins. */
	void (*began)(sim_world *world, sim_client *client, const sim_entry *entry);
	/* When it has ended. */
	void (*ended)(sim_world *world, const sim_client *client, const sim_entry *entry);
	/* When the run has, with its history. */
	void (*judged)(sim_world *world);
	/* Says whether a fault that is over excuses that one rebuild was not stored. NULL: none does. */
	bool (*forgives)(const sim_world *world);
} sim_judge;

extern const sim_judge sim_judge_one_server;

static inline const sim_judge *sim_judge_of(const sim_world *world) {
	const sim_judge *own = world->scenario->judge;
	return own != NULL ? own : &sim_judge_one_server;
}

static inline void sim_judge_write(sim_world *world, const sim_client *client, sim_entry *entry,
	const sim_request *request, const sim_item *before) {
	if (sim_judge_of(world)->wrote != NULL) {
		sim_judge_of(world)->wrote(world, client, entry, request, before);
	}
}

static inline void sim_judge_begin(sim_world *world, sim_client *client, const sim_entry *entry) {
	if (sim_judge_of(world)->began != NULL) {
		sim_judge_of(world)->began(world, client, entry);
	}
}

static inline void sim_judge_end(sim_world *world, const sim_client *client,
	const sim_entry *entry) {
	if (sim_judge_of(world)->ended != NULL) {
		sim_judge_of(world)->ended(world, client, entry);
	}
}

static inline bool sim_judge_forgives(const sim_world *world) {
	return sim_judge_of(world)->forgives != NULL && sim_judge_of(world)->forgives(world);
}

static inline void sim_judge_history(sim_world *world) {
	if (sim_judge_of(world)->judged != NULL) {
		sim_judge_of(world)->judged(world);
	}
}

#endif
