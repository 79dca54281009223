/* Rules by which a run is correct. checks.c and linearize.c have the rules for one server. Families on several
 * servers bring their own. */
/* SPDX-License-Identifier: MIT */
#ifndef SIM_JUDGE_H
#define SIM_JUDGE_H

#include "cache/world.h"

/* Each function can fail the world. NULL: no rule. */
typedef struct sim_judge {
	/* After a write that changed an item of a key. `before`: the previous item. `entry`: its operation, which can
	 * have ended or whose client can have crashed; NULL: none. */
	void (*wrote)(sim_world *world, const sim_client *client, sim_entry *entry,
		const sim_request *request, const sim_item *before);
	void (*began)(sim_world *world, sim_client *client, const sim_entry *entry);
	void (*ended)(sim_world *world, const sim_client *client, const sim_entry *entry);
	/* At the end of the run, with its history. */
	void (*judged)(sim_world *world);
	/* True if a past fault excuses one rebuild that was not stored. NULL: never. */
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
