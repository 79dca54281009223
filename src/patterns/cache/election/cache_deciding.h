/* Decides on a key that was looked at for a caller that will compute: it is answered, elected, or waits (C4, C5, C10). */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PATTERNS_CACHE_DECIDING_H
#define MCP_PATTERNS_CACHE_DECIDING_H

#include "../look/cache_near.h"
#include "cache_election_batch.h"

/* A caller that will compute, at one look. */
typedef struct mcp_waiting {
	const mcp_remember *remember;
	const mcp_near_draw *draw; /* for what is near; NULL: nothing is to be looked for there */
	mcp_value_id distrust;
	mcp_value_id drawn; /* the value that this caller rebuilds early, as fresh as it is */
	bool is_over;       /* the deadline has passed */
	bool may_settle;    /* an unknown outcome may be read back: no other entry's views are in use */
	mcp_candidate
		*candidate; /* stands for election with others, instead of at once; NULL: at once */
} mcp_waiting;

/* Decides on what was found, and elects where this caller stands for election. With a candidate that does so, of a kind of
 * its own from then on, nothing is decided before it was sent and followed. */
mcp_next_action mcp_cache_decide(const mcp_cache *cache, const mcp_key *key,
	const mcp_waiting *wait, mcp_cache_entry *entry);

/* Follows the election that a candidate stood for, by the answer to its claim. */
mcp_next_action mcp_cache_follow(const mcp_cache *cache, const mcp_key *key,
	const mcp_waiting *wait, mcp_candidate *candidate, mcp_cache_entry *entry);

#endif
