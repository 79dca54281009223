/* Takes what another client stored without an envelope for an old value (C19): a site moves over without a cold
 * start. Nothing is written for it but by an election or a change, which put it into an envelope as it is. */
/* SPDX-License-Identifier: MIT */
#include "cache_foreign.h"

#include "../../../core/envelope/foreign.h"
#include "cache_ends.h"

/* Makes an envelope past its soft end from now on, as nobody knows when the value was stored and how long it should
 * have lived. memcached ends it meanwhile when its writer said so. */
static mcp_envelope envelope_for(const mcp_cache *cache, const mcp_key *key, const mcp_item *item) {
	mcp_envelope envelope = {
		.key_fingerprint = key->fingerprint,
		.created_ms = MCP_CREATED_UNKNOWN,
		.epoch = mcp_foreign_epoch(item->value, item->flags, item->cas),
		.has_value = true,
	};
	uint64_t now_ms = mcp_wall_ms(cache->environment);
	mcp_cache_set_ends(&envelope, now_ms, cache->foreign_grace_ms);
	return envelope;
}

bool mcp_cache_take_foreign(const mcp_cache *cache, const mcp_key *key, const mcp_item *item,
	mcp_cache_entry *entry) {
	mcp_foreign_value value;
	/* A value without grace has ended. */
	if (!cache->reads_foreign || cache->foreign_grace_ms == 0 ||
		!mcp_foreign_read(item->value, item->flags, &value)) {
		return false;
	}
	/* Without room for a header it could never be claimed, and would never be rebuilt. */
	if (!mcp_cache_fits(cache, key, &(mcp_cache_value){.payload = item->value})) {
		return false;
	}
	entry->stored = entry->payload = value.payload;
	entry->flags = value.flags;
	entry->envelope = envelope_for(cache, key, item);
	return true;
}
