/* The programs of clients: small programs over the pattern's functions. Each records its requests and results in
 * the history. */
/* SPDX-License-Identifier: MIT */
#ifndef SIM_PROGRAMS_H
#define SIM_PROGRAMS_H

#include "cache/values.h"
#include "cache/world.h"

void sim_program_run(sim_client *client, const sim_task *task);

/* --- from programs_many.c --- */

/* Reads all keys in a batch, then competes for the expired ones, like getMultiple. */
void sim_program_read_many(sim_client *client, const sim_task *task);
/* Reads all keys, computes the elected ones, then waits for the others, like rememberMany. */
void sim_program_remember_many(sim_client *client, const sim_task *task);

/* --- from programs_changes.c --- */

void sim_program_update(sim_client *client, const sim_task *task);
void sim_program_pull(sim_client *client, const sim_task *task);
void sim_program_increment(sim_client *client, const sim_task *task);
void sim_program_alter(sim_client *client, const sim_task *task, sim_entry_kind kind);

/* --- for other programs (liveness.c, programs_changes.c, programs_many.c) --- */

/* NULL if the history is full. */
sim_entry *sim_program_begin(sim_client *client, sim_entry_kind kind, unsigned key);
void sim_program_end(sim_client *client, sim_entry *entry, mcp_status status);
/* Ends the entry with the result of the pattern. */
void sim_program_end_found(sim_client *client, sim_entry *entry, const mcp_cache_entry *found);

static inline int16_t sim_program_index(const sim_client *client, const sim_entry *entry) {
	return (int16_t)(entry - client->world->entries);
}

/* Fills in the value of a task. `payload` must outlive the call. */
mcp_cache_value sim_program_fill(const sim_task *task, sim_entry *entry, sim_payload *payload);

const sim_entry *sim_program_read(sim_client *client, unsigned index, mcp_cache_entry *found);

/* Computes as an elected caller, then handles the result as the task says. */
void sim_program_follow(sim_client *client, const sim_task *task, const sim_entry *elected);

/* `undecoded`: the entry whose value could not be decoded, or NULL. */
sim_entry *sim_program_begin_remember(sim_client *client, const sim_task *task, unsigned key,
	const sim_entry *undecoded);
/* True if it cannot decode the value that it was shown. */
bool sim_program_distrusts(const sim_task *task, const sim_entry *entry);

mcp_remember sim_program_wishes(const sim_client *client, const sim_task *task);

/* Stores under the claim of `elected`. */
mcp_status sim_program_publish(sim_client *client, const sim_task *task, const sim_entry *elected);
void sim_program_compute(sim_client *client, uint32_t duration_ms);

#endif
