/* Invariants of a single step: changes that a write may make, requests that a client may send, and properties of a
 * server's items at any moment. */
/* SPDX-License-Identifier: MIT */
#ifndef SIM_CHECKS_H
#define SIM_CHECKS_H

#include "cache/world.h"

/* Opens an item of a server. False if it is not an envelope of this key. */
typedef struct sim_envelope {
	mcp_envelope envelope;
	mcp_bytes payload;
	uint32_t flags;
} sim_envelope;
bool sim_open(const sim_item *item, unsigned key, sim_envelope *found);
/* True for an item of a client without envelopes, if such values are read (C19). */
bool sim_is_plain(const sim_world *world, const sim_item *item);

/* Checks a request before it is sent (C13). */
void sim_check_request(sim_client *client, const sim_request *request);
void sim_check_answer(sim_client *client, const sim_request *request, mcp_status status);

/* Call it after each read. Records the first value that the current operation found. */
void sim_check_look(sim_client *client, const sim_request *request, const sim_item *item);
/* Checks each pause before it begins (C6). */
void sim_check_pause(const sim_client *client, const sim_entry *entry);
/* True if the envelope is the first one that the operation found. */
bool sim_is_first(const sim_entry *entry, const mcp_envelope *envelope);
/* A remember() with force that waits must not end with its first value before the end of its wait (C17). */
void sim_check_forced(const sim_client *client, const sim_entry *entry,
	const mcp_cache_entry *found);

/* Checks a write that changed an item. `before`: the previous item. `entry`: its operation, which can have ended or
 * whose client can have crashed. */
void sim_check_write(sim_world *world, const sim_client *client, sim_entry *entry,
	const sim_request *request, const sim_item *before);

/* Checks the result of an ended operation, regardless of events. */
void sim_check_ended(sim_world *world, const sim_client *client, const sim_entry *entry);

#endif
