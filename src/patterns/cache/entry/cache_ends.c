/* When a value ends: its soft and its hard end, and whether it fits into an item at all. */
/* SPDX-License-Identifier: MIT */
#include "cache_ends.h"

static uint64_t later(uint64_t from_ms, uint64_t by_ms) {
	return by_ms >= MCP_NEVER_MS - from_ms ? MCP_NEVER_MS : from_ms + by_ms;
}

void mcp_cache_set_ends(mcp_envelope *envelope, uint64_t soft_ms, uint64_t grace_ms) {
	envelope->soft_ms = soft_ms;
	envelope->hard_ms = later(soft_ms, grace_ms);
	envelope->grace_ms = soft_ms == MCP_NEVER_MS ? grace_ms : 0;
}

void mcp_cache_cap(mcp_envelope *envelope, uint64_t cap_ms) {
	envelope->is_contested = true;
	if (envelope->soft_ms > cap_ms) {
		mcp_cache_set_ends(envelope, cap_ms, mcp_envelope_grace_ms(envelope));
	}
}

uint64_t mcp_cache_cap_of(const mcp_cache *cache, const mcp_cache_entry *entry) {
	bool is_shown = entry->has_value && (!cache->is_strict || entry->freshness == MCP_FRESH);
	return is_shown && entry->envelope.is_contested ? entry->envelope.soft_ms : 0;
}

mcp_lifetime mcp_cache_lifetime_over(mcp_lifetime lifetime, const mcp_cache_entry *before) {
	if (lifetime.keeps_grace && before->has_value) {
		lifetime.grace_ms = mcp_envelope_grace_ms(&before->envelope);
	}
	return lifetime;
}

static uint64_t at_most(uint64_t duration_ms, uint64_t longest_ms) {
	return duration_ms < longest_ms ? duration_ms : longest_ms;
}

mcp_lifetime mcp_cache_lifetime_within(const mcp_cache *cache, mcp_lifetime lifetime,
	const mcp_cache_entry *entry) {
	uint64_t now_ms = mcp_wall_ms(cache->environment);
	uint64_t hard_ms = entry->envelope.hard_ms;
	if (entry->envelope.signer == 0 || hard_ms == MCP_NEVER_MS) {
		return lifetime;
	}
	uint64_t left_ms = hard_ms > now_ms ? hard_ms - now_ms : 1;
	lifetime.ttl_ms = lifetime.ttl_ms == 0 ? left_ms : at_most(lifetime.ttl_ms, left_ms);
	lifetime.grace_ms = at_most(lifetime.grace_ms, left_ms - lifetime.ttl_ms);
	return lifetime;
}

/* The longest life of what is kept on another server than its own: when the own one is back, none of it is
 * looked at. */
#define AWAY_MAX_MS 60000

static mcp_lifetime lifetime_away(mcp_lifetime lifetime) {
	uint64_t ttl_ms = lifetime.ttl_ms == 0 ? AWAY_MAX_MS : lifetime.ttl_ms;
	lifetime.ttl_ms = at_most(ttl_ms, AWAY_MAX_MS);
	lifetime.grace_ms = at_most(lifetime.grace_ms, AWAY_MAX_MS);
	return lifetime;
}

mcp_envelope mcp_cache_new_envelope(const mcp_cache *cache, const mcp_key *key, uint64_t now_ms,
	mcp_lifetime lifetime) {
	mcp_envelope envelope = {
		.key_fingerprint = key->fingerprint,
		.created_ms = now_ms,
		.epoch = mcp_epoch_u64(cache->environment, key->fingerprint),
	};
	if (mcp_store_is_away(cache->store, key)) {
		lifetime = lifetime_away(lifetime);
	}
	uint64_t soft_ms = lifetime.ttl_ms == 0 ? MCP_NEVER_MS : later(now_ms, lifetime.ttl_ms);
	mcp_cache_set_ends(&envelope, soft_ms, lifetime.grace_ms);
	return envelope;
}

bool mcp_cache_fits(const mcp_cache *cache, const mcp_key *key, const mcp_cache_value *value) {
	size_t tags = value->tags.length > 0 ? 1 + value->tags.length : 0;
	size_t header = MCP_ENVELOPE_UNTAGGED_MAX_LENGTH + tags;
	size_t size = key->wire.length + header + value->payload.length;
	return size < mcp_store_item_max(cache->store, key, size);
}
