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

/* Batched elections: the claims of many keys are sent together to each server. Claims over existing items
 * are first, because a broken connection invalidates their CAS values. Each has its own outcome. */

/* Kind of election, which decides what follows. */
typedef enum mcp_candidate_kind {
	MCP_CANDIDATE_NONE,
	MCP_CANDIDATE_COLD,
	MCP_CANDIDATE_OLD,
	MCP_CANDIDATE_EARLY,
} mcp_candidate_kind;

typedef struct mcp_candidate {
	mcp_candidate_kind kind;
	size_t place; /* of its key in the batch */
	mcp_candidacy standing;
	mcp_status status; /* status of its claim, after all have been sent */
	mcp_cache_record record;
} mcp_candidate;

typedef struct mcp_election_batch {
	size_t count, room;
	mcp_candidate *of;
	mcp_op *writes; /* scratch for that many writes and headers */
	char *headers;
} mcp_election_batch;

/* Allocate candidates for a batch that has been read; release them afterwards. Empty without memory or if
 * the store cannot batch: each election is then held separately. */
void mcp_candidates_prepare(mcp_election_batch *candidates, const mcp_cache *cache,
	const mcp_cache_batch *batch);
void mcp_candidates_release(mcp_election_batch *candidates);

/* Send all claims and fill in their status. Views stay valid. */
void mcp_candidates_send(mcp_election_batch *candidates, const mcp_cache *cache,
	const mcp_cache_batch *batch);

/* A caller that will compute, during one lookup. */
typedef struct mcp_waiting {
	const mcp_remember *remember;
	const mcp_near_draw *draw; /* for values in the near cache; NULL: do not use the near cache */
	mcp_value_id distrust;
	mcp_value_id drawn; /* a fresh value that this caller rebuilds early */
	bool is_over;       /* the deadline has passed */
	bool may_settle;    /* an unknown outcome may be read back: no other entry's views are in use */
	mcp_candidate *candidate; /* competes in a batched election; NULL: at once */
} mcp_waiting;

/* Decide on the entry, and elect if this caller competes. With a candidate whose kind is set afterwards, the
 * decision follows after its claim was sent. */
mcp_next_action mcp_cache_decide(const mcp_cache *cache, const mcp_key *key,
	const mcp_waiting *wait, mcp_cache_entry *entry);

/* Decide by the status of the candidate's claim. */
mcp_next_action mcp_cache_follow(const mcp_cache *cache, const mcp_key *key,
	const mcp_waiting *wait, mcp_candidate *candidate, mcp_cache_entry *entry);

#endif
