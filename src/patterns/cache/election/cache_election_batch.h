/* Elections that are held together: the claims of many keys are sent in one go to each server, first those over what was
 * found, whose cas ids a connection that breaks takes with it, then those of keys that have nothing. Each has an outcome of
 * its own. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PATTERNS_CACHE_CANDIDATES_H
#define MCP_PATTERNS_CACHE_CANDIDATES_H

#include "../entry/cache_envelope.h"
#include "cache_lookup.h"

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

#endif
