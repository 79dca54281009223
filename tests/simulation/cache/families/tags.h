/* Tagged values on servers with failover: views, invalidations, and reads of many values while a server goes down
 * or recovers. */
/* SPDX-License-Identifier: MIT */
#ifndef SIM_TAGS_H
#define SIM_TAGS_H

#include "cache/scenario.h"
#include "cache/world.h"

void sim_tags_make(sim_scenario *scenario, uint64_t seed);

/* --- for programs --- */

/* From now on, the client's cache uses these tags, one bit per tag. */
void sim_tags_look_through(sim_client *client, unsigned through);
/* Records the tag versions that the read found. */
void sim_tags_note(const sim_client *client, sim_entry *entry, const mcp_cache_entry *found);
/* Returns the tag versions for a result: those of the electing read. */
mcp_bytes sim_tags_of_look(sim_entry *entry, const sim_entry *elected, mcp_captured_tags *captured);
/* Captures the current tag versions. */
mcp_status sim_tags_of_now(sim_client *client, sim_entry *entry, mcp_captured_tags *captured);
void sim_program_invalidate(sim_client *client, const sim_task *task);

/* Call it before a read of many. If no other client works, the read must show a value whose tag versions match on
 * the last server that it used (T5). */
void sim_tags_begin_look(sim_client *client, sim_entry *entry);
void sim_tags_check_look(sim_client *client, const sim_entry *entry, const mcp_cache_entry *found);

#endif
