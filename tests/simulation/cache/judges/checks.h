/* The invariants that can be seen in a single step: what a write may make of what was there, what a
 * client may send, and what must hold of the server's items at any moment. */
/* SPDX-License-Identifier: MIT */
#ifndef SIM_CHECKS_H
#define SIM_CHECKS_H

#include "cache/world.h"

/* An item of a server, opened; false if it is not an envelope of this key. */
typedef struct sim_envelope {
	mcp_envelope envelope;
	mcp_bytes payload;
	uint32_t flags;
} sim_envelope;
bool sim_open(const sim_item *item, unsigned key, sim_envelope *found);
/* Recognizes what a client without envelopes has written, where such values are read (C19). */
bool sim_is_plain(const sim_world *world, const sim_item *item);

/* Checks by C13 a request before it leaves its client. */
void sim_check_request(sim_client *client, const sim_request *request);
/* Checks an answer when it is there. */
void sim_check_answer(sim_client *client, const sim_request *request, mcp_status status);

/* Notes after each read what the current operation came upon first. */
void sim_check_look(sim_client *client, const sim_request *request, const sim_item *item);
/* Checks by C6 before each of its pauses. */
void sim_check_pause(const sim_client *client, const sim_entry *entry);
/* Says whether this is still what it came upon first. */
bool sim_is_first(const sim_entry *entry, const mcp_envelope *envelope);
/* Checks by C17 that one that forces and would wait does not end with what it came upon before its wait is over. */
void sim_check_forced(const sim_client *client, const sim_entry *entry,
	const mcp_cache_entry *found);

/* Checks a write that changed something: `before` is what was there. `entry` is the operation that sent it (it
 * may have ended, or its client have died). */
void sim_check_write(sim_world *world, const sim_client *client, sim_entry *entry,
	const sim_request *request, const sim_item *before);

/* Checks when an operation has ended what a client may be told, whatever happened. */
void sim_check_ended(sim_world *world, const sim_client *client, const sim_entry *entry);

#endif
