/* The election among those who find a value past its soft end, and the claim that it gives. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PATTERNS_CACHE_LOOKUP_H
#define MCP_PATTERNS_CACHE_LOOKUP_H

#include "../cache.h"

/* Writes a new claim into the envelope (its election number, its end, doubled after a takeover). */
mcp_claim mcp_cache_claim(const mcp_cache *cache, mcp_envelope *envelope, mcp_opening opening,
	uint64_t now_ms);

/* A claim on its way: the envelope that bears it. */
typedef struct mcp_candidacy {
	mcp_envelope envelope;
	mcp_claim claim; /* its proof is filled in by the write */
	uint64_t breaks; /* of the key's server before it; of those over what was found alone */
} mcp_candidacy;

/* Stands for election over what was found. */
void mcp_cache_enter_election(const mcp_cache *cache, const mcp_key *key,
	const mcp_cache_entry *entry, mcp_candidacy *standing);
/* Ends the election by what its cas was answered, as mcp_cache_elect does. */
bool mcp_cache_end_election(const mcp_cache *cache, const mcp_key *key, mcp_candidacy *standing,
	mcp_status status, bool settle, mcp_cache_entry *entry);

/* Elects on its own for an entry just found STALE (or FRESH, for an early refresh): it becomes ELECTED, or BUSY if
 * somebody else was faster. Never reads, so that other entries' views stay, except that `settle` allows a read-back
 * when the answer did not come. False if it is BUSY, too, but what was read is not the newest version, or the claim was not
 * sent, as the connection that it was read over has gone; look again. */
bool mcp_cache_elect(const mcp_cache *cache, const mcp_key *key, mcp_cache_entry *entry,
	bool settle);

/* Forgets, after the election of one of many, if that broke the connection, the cas ids that were read before
 * of the other entries on the same server. */
void mcp_cache_forget_ids(const mcp_cache *cache, const mcp_cache_batch *batch, size_t index);

/* Reads the key again after a cas or add of `claim` whose answer did not come; true if the claim is there.
 * *entry is judged anew either way. */
bool mcp_cache_settle_claim(const mcp_cache *cache, const mcp_key *key, const mcp_claim *claim,
	mcp_cache_entry *entry);

#endif
