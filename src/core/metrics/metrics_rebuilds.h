/* Which keys cost most computing in the last minute: a space-saving sketch for every five seconds (Metwally, Agrawal,
 * El Abbadi, "Efficient computation of frequent and top-k elements in data streams", 2005), weighted by time. Exact while
 * no more keys than it has places are computed within one of them; of more, the dear ones are still there. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_CORE_METRICS_REBUILDS_H
#define MCP_CORE_METRICS_REBUILDS_H

#include "metrics_text.h"

#define MCP_REBUILDS_SLICE_MS 5000
/* A minute, the slice under way included, ... */
#define MCP_REBUILDS_SLICES 12
/* ... and one that is not read any more while it is taken into use. */
#define MCP_REBUILDS_SLICES_KEPT 13
#define MCP_REBUILDS_PLACES 64
#define MCP_REBUILDS_KEY_MAX 56
/* How many a reader is given. */
#define MCP_REBUILDS_SHOWN 32

/* `key` is the slice's number in 24 bits and of the key's hash 40. The three sums bear the key's mark in their upper 24
 * bits: a sum with another mark is what a key of before has left, and counts as 0. So a place is taken by one change of
 * `key`, and nothing needs to be cleared. */
typedef struct mcp_rebuilds_place {
	mcp_metrics_word key;
	mcp_metrics_word spent_ms;
	mcp_metrics_word count;
	mcp_metrics_word inherited_ms; /* of spent_ms, from the keys that had the place before */
	mcp_metrics_text_head head;    /* its note is the group */
	mcp_metrics_word name[MCP_REBUILDS_KEY_MAX / 8];
} mcp_rebuilds_place;

typedef struct mcp_rebuilds {
	mcp_rebuilds_place slices[MCP_REBUILDS_SLICES_KEPT][MCP_REBUILDS_PLACES];
} mcp_rebuilds;

typedef struct mcp_rebuild {
	uint64_t hash; /* of the whole key */
	uint64_t count;
	uint64_t spent_ms;
	uint32_t group;
	size_t key_length;
	char key[MCP_REBUILDS_KEY_MAX];
} mcp_rebuild;

/* Notes that a key of this group was computed. */
void mcp_rebuilds_add(mcp_rebuilds *rebuilds, uint64_t now_ms, uint32_t group, mcp_bytes key,
	uint64_t spent_ms);

#define MCP_REBUILDS_SCRATCH ((size_t)MCP_REBUILDS_SLICES * MCP_REBUILDS_PLACES)
/* Lists the dearest first, at most MCP_REBUILDS_SHOWN; returns how many. `scratch`: MCP_REBUILDS_SCRATCH, the answer
 * at its beginning. */
size_t mcp_rebuilds_read(const mcp_rebuilds *rebuilds, uint64_t now_ms, mcp_rebuild *scratch);
void mcp_rebuilds_clear(mcp_rebuilds *rebuilds);

#endif
