/* A client's door to a server: the store that its patterns call. Each change becomes a request, which its world sends
 * when its turn has come; what reads is the world's own. */
/* SPDX-License-Identifier: MIT */
#ifndef SIM_DOOR_H
#define SIM_DOOR_H

#include "world/request.h"

typedef struct sim_door sim_door;

typedef struct sim_told {
	uint64_t number;
	bool has_proof;
	mcp_proof proof; /* what a write has left, if its world's transport knows that */
} sim_told;

/* The world's part of it. */
typedef struct sim_way {
	/* Gives a request for the key, which the door fills. */
	sim_request *(*begin)(sim_door *door, const mcp_key *key);
	/* Sends it, and lets others go on meanwhile. */
	mcp_status (*send)(sim_door *door, sim_request *request, sim_told *told);
	bool (*believes)(const sim_door *door, const mcp_proof *proof);
} sim_way;

struct sim_door {
	mcp_store store; /* first: a store is its door */
	const sim_way *way;
};

static inline sim_door *sim_door_of(mcp_store *store) {
	return (sim_door *)(void *)store;
}

/* Makes the request of a call; the world's reads begin with it, too. */
sim_request *sim_door_begin(mcp_store *store, sim_verb verb, const mcp_key *key);

/* --- for the worlds' tables of operations --- */

mcp_status sim_door_change(mcp_store *store, const mcp_key *key, const mcp_change *change);
mcp_store *sim_door_owner(mcp_store *store, const mcp_key *key);

#endif
