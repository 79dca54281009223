/* What clients do: small programs over the pattern's functions, each noting in the history what it
 * asked and was told. */
/* SPDX-License-Identifier: MIT */
#ifndef SIM_PROGRAMS_H
#define SIM_PROGRAMS_H

#include "world.h"

/* Runs one task on the client's fiber. */
void sim_program_run(sim_client *client, const sim_task *task);

/* --- for other programs (liveness.c) --- */

/* NULL when the history is full. */
sim_entry *sim_program_begin(sim_client *client, sim_entry_kind kind, unsigned key);
void sim_program_end(sim_client *client, sim_entry *entry, mcp_status status);
/* Ends it with what the pattern found. */
void sim_program_end_found(sim_client *client, sim_entry *entry, const mcp_cache_entry *found);

/* Stores under the claim that `elected` was given. */
mcp_status sim_program_publish(sim_client *client, const sim_task *task, const sim_entry *elected);
void sim_program_compute(sim_client *client, uint32_t duration_ms);

#endif
