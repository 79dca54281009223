/* Caches that keep several copies: scenarios for them, and the rules that they are to keep (D1 to D6). */
/* SPDX-License-Identifier: MIT */
#ifndef SIM_COPIES_H
#define SIM_COPIES_H

#include "cache/judges/judge.h"
#include "cache/scenario.h"

/* Makes a few writers and readers of one key within some milliseconds, a fault or two, and an observer when all
 * is over. At most one copy is lost. */
void sim_copies_make(sim_scenario *scenario, uint64_t seed);

/* Makes them beside another client, which knows copy 0 alone. */
void sim_foreign_make(sim_scenario *scenario, uint64_t seed);
extern const sim_judge sim_judge_foreign;

/* A read may not show what was settled before a change that had been acknowledged when it began. */
extern const sim_judge sim_judge_copies;

/* --- of judge_copies.c --- */

/* Returns the one whose value it is; a rebuild's too. NULL if it is not known. */
const sim_entry *sim_copies_writer(const sim_world *world, unsigned key, const sim_value *value);

/* Says whether, by this fault, a request may take effect after its sender has given up. */
bool sim_copies_makes_late(sim_fault_kind kind);

/* --- of judge_copies_steps.c --- */

void sim_copies_judge_write(sim_world *world, const sim_client *client, sim_entry *entry,
	const sim_request *request, const sim_item *before);
/* Judges one that was elected just now. */
void sim_copies_judge_election(sim_world *world, const sim_client *client,
	const sim_entry *elected);
bool sim_copies_has_fault(const sim_world *world, bool (*is_one)(sim_fault_kind kind));
/* Says whether it has a value or a tombstone. */
bool sim_copies_is_version(const sim_item *item, unsigned key, mcp_envelope *envelope);
/* Says whether this client could reach the server all the time since then. */
bool sim_copies_was_in_reach(const sim_client *client, unsigned server, uint64_t since_ms);
/* Returns the world's time when it began: what its client's clock showed, without that clock's error. */
uint64_t sim_copies_began_ms(const sim_world *world, const sim_entry *entry);

/* --- of judge_copies_return.c --- */

/* Remembers what the copy has got with this write. */
void sim_copies_remember(sim_world *world, const sim_request *request, const sim_item *before);
/* Notes of a look that begins what its client is to compare. */
void sim_copies_begin_comparison(sim_world *world, sim_client *client, const sim_entry *look);
/* Judges its answer by that. */
void sim_copies_judge_comparison(sim_world *world, const sim_client *client, const sim_entry *look);

#endif
