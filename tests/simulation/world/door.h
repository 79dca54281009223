/* The store that a client's patterns call. Each change becomes a request, which the world sends when it is scheduled.
 * The world implements reads itself. */
/* SPDX-License-Identifier: MIT */
#ifndef SIM_DOOR_H
#define SIM_DOOR_H

#include "world/request.h"

typedef struct sim_door sim_door;

typedef struct sim_told {
	uint64_t number;
	bool has_proof;
	mcp_proof proof; /* proof of a write, if the world's transport has proofs */
} sim_told;

/* Implemented by the world. */
typedef struct sim_way {
	/* Returns a request for the key, which the door fills in. */
	sim_request *(*begin)(sim_door *door, const mcp_key *key);
	/* Sends the request and lets other clients run meanwhile. */
	mcp_status (*send)(sim_door *door, sim_request *request, sim_told *told);
	bool (*believes)(const sim_door *door, const mcp_proof *proof);
} sim_way;

struct sim_door {
	mcp_store store; /* must be first: a store is converted to its door */
	const sim_way *way;
};

static inline sim_door *sim_door_of(mcp_store *store) {
	return (sim_door *)(void *)store;
}

/* Creates the request of a call. The world's reads begin with it, too. */
sim_request *sim_door_begin(mcp_store *store, mcp_op_verb verb, const mcp_key *key);

/* --- for the worlds' servers and tables of operations --- */

/* Creates a server's store with this clock. */
mcp_store *sim_store_create(mcp_environment *environment,
	uint64_t (*wall_ms)(const mcp_environment *environment), void *context);
/* Executes a write on the server's store. Joined values stay within `value_max` bytes. */
mcp_status sim_request_execute(const sim_request *request, uint64_t ttl_ms, mcp_store *memory,
	size_t value_max, sim_told *told);

mcp_status sim_door_change(mcp_store *store, mcp_op *op);

#endif
