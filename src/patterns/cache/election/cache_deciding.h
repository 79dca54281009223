/* Decides on a key after a lookup by a caller that will compute: return, elect or wait (C4, C5, C10). */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PATTERNS_CACHE_ELECTION_CACHE_DECIDING_H
#define MCP_PATTERNS_CACHE_ELECTION_CACHE_DECIDING_H

#include "../cache.h"
#include "../entry/cache_envelope.h"
#include "../look/cache_near.h"

/* Election for a stale value, and its claim. */

/* A claim that is being sent, with its envelope. */
typedef struct mcp_candidacy {
	mcp_envelope envelope;
	mcp_claim claim; /* its proof is filled in by the write */
	/* breaks of the server's connection before it; only for elections over a single read */
	uint64_t breaks;
} mcp_candidacy;

/* If the election of one key broke the connection, clear the CAS values of other entries of the same server. */
void mcp_cache_forget_ids(const mcp_cache *cache, const mcp_cache_batch *batch, size_t index);

/* A caller that will compute, and its keys: one or a batch. */
typedef struct mcp_waiting {
	const mcp_remember *remember;
	bool is_over;    /* the deadline has passed */
	bool may_settle; /* an unknown outcome may be read back: no other entry's views are in use */
} mcp_waiting;

/* A key's turn: one lookup of a caller that will compute. Contains pointers into itself while its claim is sent. */
typedef struct mcp_key_turn {
	const mcp_key *key;
	mcp_cache_entry *entry;
	mcp_value_id distrust;
	mcp_value_id drawn; /* a fresh value that this caller rebuilds early */
	mcp_next_action next;
	mcp_candidacy standing;
	mcp_cache_record record; /* its header must be set before its claim is sent */
	mcp_status status;       /* of its claim */
} mcp_key_turn;

/* Whether the caller is to compute: it competes for the key, or computes without a claim. */
static inline bool mcp_turn_is_to_compute(const mcp_key_turn *turn) {
	return turn->next >= MCP_REMEMBER_COMPUTE;
}

/* Decide on the entry. No I/O. */
mcp_next_action mcp_cache_decide(const mcp_cache *cache, const mcp_waiting *wait,
	const mcp_key_turn *turn);

/* Prepare a caller that is to compute. Creates missing tags. Returns true if its claim must be sent. */
bool mcp_cache_stand(const mcp_cache *cache, const mcp_waiting *wait, mcp_key_turn *turn);

/* Send the claims of all turns to each server in 2 batches, and decide by their status. Claims over existing items are
 * first, because a broken connection invalidates their CAS values. Views stay valid, unless an outcome is read back.
 * `ops`: scratch, count. */
void mcp_cache_elect_all(const mcp_cache *cache, const mcp_waiting *wait, mcp_key_turn *turns,
	mcp_op *ops, size_t count);

#endif
