/* Scenarios and rules for caches with several copies (D1 to D6). */
/* SPDX-License-Identifier: MIT */
#ifndef SIM_COPIES_H
#define SIM_COPIES_H

#include "cache/judges/judge.h"
#include "cache/scenario.h"

/* A few writers and readers of one key within some milliseconds, 1 or 2 faults, and an observer at the end. At most
 * 1 copy is lost. */
void sim_copies_make(sim_scenario *scenario, uint64_t seed);

/* The same with another client, which uses copy 0 only. */
void sim_foreign_make(sim_scenario *scenario, uint64_t seed);
extern const sim_judge sim_judge_foreign;

/* After an acknowledged change, a later read must not show a value that was settled before the change. */
extern const sim_judge sim_judge_copies;

/* --- from judge_copies.c --- */

/* Returns the entry that stored the value, rebuilds included. NULL if unknown. */
const sim_entry *sim_copies_writer(const sim_world *world, unsigned key, const sim_value *value);

/* True if this fault can delay a request until its sender has given up. */
bool sim_copies_makes_late(sim_fault_kind kind);

/* --- from judge_copies_steps.c --- */

void sim_copies_judge_write(sim_world *world, const sim_client *client, sim_entry *entry,
	const sim_request *request, const sim_item *before);
/* Checks a new election. */
void sim_copies_judge_election(sim_world *world, const sim_client *client,
	const sim_entry *elected);
bool sim_copies_has_fault(const sim_world *world, bool (*is_one)(sim_fault_kind kind));
/* True if the item has a value or a tombstone. */
bool sim_copies_is_version(const sim_item *item, unsigned key, mcp_envelope *envelope);
/* True if the client could reach the server at all times since then. */
bool sim_copies_was_in_reach(const sim_client *client, unsigned server, uint64_t since_ms);
/* Returns the world's time of the beginning: the client's clock without its error. */
uint64_t sim_copies_began_ms(const sim_world *world, const sim_entry *entry);

/* --- from judge_copies_return.c --- */

/* Records the copy's version after this write. */
void sim_copies_remember(sim_world *world, const sim_request *request, const sim_item *before);
/* Records the state that a beginning read must compare. */
void sim_copies_begin_comparison(sim_world *world, sim_client *client, const sim_entry *look);
/* Checks the result of the read against it. */
void sim_copies_judge_comparison(sim_world *world, const sim_client *client, const sim_entry *look);

#endif
