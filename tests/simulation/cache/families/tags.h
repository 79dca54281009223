/* Values with tags on servers that stand in for each other: views, what an invalidation may no longer show, and
 * reads of many values while a server goes away or is back. */
/* SPDX-License-Identifier: MIT */
#ifndef SIM_TAGS_H
#define SIM_TAGS_H

#include "cache/scenario.h"
#include "cache/world.h"

void sim_tags_make(sim_scenario *scenario, uint64_t seed);

/* --- for programs --- */

/* Gives the client's cache from now on these tags, a bit for each. */
void sim_tags_look_through(sim_client *client, unsigned through);
/* Notes what the look knows of its view's tags. */
void sim_tags_note(const sim_client *client, sim_entry *entry, const mcp_cache_entry *found);
/* Returns the numbers that a result is stored with: those of the look that its caller was elected by. */
mcp_bytes sim_tags_of_look(sim_entry *entry, const sim_entry *elected, mcp_captured_tags *captured);
/* Captures them as of the call. */
mcp_status sim_tags_of_now(sim_client *client, sim_entry *entry, mcp_captured_tags *captured);
void sim_program_invalidate(sim_client *client, const sim_task *task);

/* Begins a look around a read of many, before anything else is asked for: where no other client is at work,
 * what stands with its tags' numbers on the server that the read ended at is shown (T5). */
void sim_tags_begin_look(sim_client *client, sim_entry *entry);
void sim_tags_check_look(sim_client *client, const sim_entry *entry, const mcp_cache_entry *found);

#endif
