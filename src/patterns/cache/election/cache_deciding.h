/* Decides on a key that was looked at for a caller that will compute: it is answered, elected, or waits (C4, C5, C10). */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PATTERNS_CACHE_ELECTION_CACHE_DECIDING_H
#define MCP_PATTERNS_CACHE_ELECTION_CACHE_DECIDING_H

#include "../cache.h"
#include "../entry/cache_envelope.h"
#include "../look/cache_near.h"

/* The election among those who find a value past its soft end, and the claim that it gives. */

/* A claim on its way: the envelope that bears it. */
typedef struct mcp_candidacy {
	mcp_envelope envelope;
	mcp_claim claim; /* its proof is filled in by the write */
	uint64_t breaks; /* of the key's server before it; of those over what was found alone */
} mcp_candidacy;

/* Forgets, after the election of one of many, if that broke the connection, the cas ids that were read before
 * of the other entries on the same server. */
void mcp_cache_forget_ids(const mcp_cache *cache, const mcp_cache_batch *batch, size_t index);

/* Elections that are held together: the claims of many keys are sent in one go to each server, first those over what was
 * found, whose cas ids a connection that breaks takes with it, then those of keys that have nothing. Each has an outcome of
 * its own. */

/* The election that a candidate stands for, which says what follows. */
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
	mcp_status status; /* the answer to its claim, once all have been sent */
	mcp_cache_record record;
} mcp_candidate;

typedef struct mcp_election_batch {
	size_t count, room;
	mcp_candidate *of;
	mcp_write *writes; /* scratch of as many, and of their headers */
	char *headers;
} mcp_election_batch;

/* Makes room for some of a batch that has been read, to be released. None, if there is no memory or the store sends many no
 * better than one: then each election is held by itself. */
void mcp_candidates_prepare(mcp_election_batch *candidates, const mcp_cache *cache,
	const mcp_cache_batch *batch);
void mcp_candidates_release(mcp_election_batch *candidates);

/* Sends the claims of all, and fills in their answers. Ends no view. */
void mcp_candidates_send(mcp_election_batch *candidates, const mcp_cache *cache,
	const mcp_cache_batch *batch);

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
