/* Knows a value by its epoch and election: every change of the key has another epoch, and every rebuild another election. */
/* SPDX-License-Identifier: MIT */
#include "cache_presence.h"

#include "cache_look.h"

/* Says whether the item is one and the same since it was served, but for elections. */
static bool has_its_epoch(const mcp_cache_entry *entry, const mcp_served *served) {
	return entry->trouble == MCP_OK && entry->has_value && !entry->is_suspect &&
		!entry->envelope.is_tombstone && !entry->envelope.has_counter &&
		entry->envelope.epoch == served->facts.epoch;
}

mcp_presence mcp_cache_standing(const mcp_cache *cache, const mcp_key *key, mcp_served *served) {
	mcp_cache_statistics nowhere;
	mcp_cache uncounted = *cache;
	uncounted.statistics = &nowhere;
	uncounted.meter = NULL;
	uncounted.near = NULL;
	mcp_cache_entry entry;
	mcp_cache_examine(&uncounted, key, &entry);
	if (!has_its_epoch(&entry, served)) {
		return MCP_STANDING_NO;
	}
	served->is_tagged = served->is_tagged || entry.envelope.tags.length > 0;
	bool is_it = entry.envelope.value_election == served->facts.election;
	if (is_it && entry.freshness == MCP_FRESH) {
		return entry.opening == MCP_OPENING_CLAIMED ? MCP_STANDING_BUSY : MCP_STANDING_YES;
	}
	/* Whether tags have ended it cannot be told any more. */
	return served->is_tagged ? MCP_STANDING_NO : MCP_STANDING_ENDED;
}

uint64_t mcp_served_age_ms(const mcp_served *served, uint64_t served_ms) {
	uint64_t stored_ms = served->facts.created_ms;
	uint64_t age_ms = served_ms > stored_ms ? served_ms - stored_ms : 0;
	return age_ms + served->facts.compute_ms;
}
