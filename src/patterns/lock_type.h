/* Which lock is meant, in whose name and for how long: what lock.h and lock_terms.h are asked with. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PATTERNS_LOCK_TYPE_H
#define MCP_PATTERNS_LOCK_TYPE_H

#include "../store/store.h"
#include "waiting.h"

/* Borrows everything; made on the stack for each call. */
typedef struct mcp_lock {
	mcp_store *store;
	const mcp_environment *environment;
	const mcp_key *key; /* of MCP_SPACE_LOCK */
	mcp_bytes owner;    /* stored in the item: the holder's name, not empty */
	uint64_t ttl_ms;    /* > 0; MCP_LOCK_FOREVER: until it is released */
	/* L11: by how much hosts' wall clocks may differ, at most: others take an item over when its end is
	 * so long ago. MCP_LOCK_FOREVER: no wall clock is believed, memcached's TTL ends the item. */
	uint64_t skew_ms;
	mcp_pauses *pauses; /* kept over an interruption; NULL: a wait begins with its call */
} mcp_lock;

#define MCP_LOCK_FOREVER UINT64_MAX
/* What hosts keep that ask a time server. */
#define MCP_LOCK_SKEW_MS 1000

/* What a holder knows of its acquisition. Zero-initialised: nothing held. `stamp` is random and stands
 * in the item, so that an earlier acquisition under the same owner's name does not release a later one.
 * Both ends must not have passed: the steady clock is the holder's own promise, and the wall clock what
 * the item tells others, who may have taken the lock over when it was set forward. */
typedef struct mcp_hold {
	uint64_t deadline_ms; /* monotonic, counted from before the item was written; 0: not held */
	uint64_t until_ms;    /* Unix time, as the item says; 0: the item tells no end */
	uint64_t fencing;     /* remembered fencing token; 0: not asked for yet */
	uint64_t stamp;       /* 0: nothing to give back */
	/* Of the item as it was written last: until its connection ends it is ours as long as it is unchanged, and who
	 * can tell that need not read it. */
	mcp_proof proof;
} mcp_hold;

/* There may be an item of ours on the server: held, run out, or a write whose answer never came. */
static inline bool mcp_hold_is_open(const mcp_hold *hold) {
	return hold->stamp != 0;
}

#endif
