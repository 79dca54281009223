/* What may be answered near, and what of it is to be seen before and after asking memcached. */
/* SPDX-License-Identifier: MIT */
#include "cache_near.h"

#include "../store/store_changes.h"
#include "cache_internal.h"

/* P3. What has a claim, a pause, a running number or tags is memcached's to answer. */
static bool may_be_near(const mcp_cache_entry *entry) {
	const mcp_envelope *envelope = &entry->envelope;
	return entry->verdict == MCP_VERDICT_FRESH && entry->has_value && !entry->is_suspect &&
		!envelope->has_claim && !envelope->has_failure && !envelope->has_counter &&
		envelope->tags.length == 0;
}

static mcp_near_item item_of(const mcp_near *near, const mcp_key *key, const mcp_near_look *look) {
	return (mcp_near_item){
		.key = key->wire,
		.hash = look->hash,
		.whose = near->whose,
		.whose_else = near->whose_else,
		.asked_ms = look->asked_ms,
		.note = look->note,
	};
}

void mcp_cache_near_begin(const mcp_cache *cache, const mcp_key *key, mcp_near_look *look) {
	look->hash = mcp_store_changes_hash(key);
	look->note = mcp_changes_look(cache->near->changes, look->hash);
	look->asked_ms = mcp_monotonic_ms(cache->environment);
	look->may_be_kept = false;
}

bool mcp_cache_near_find(const mcp_cache *cache, const mcp_key *key, mcp_near_look *look,
	mcp_cache_entry *entry) {
	const mcp_near *near = cache->near;
	mcp_cache_near_begin(cache, key, look);
	if (near->room == NULL) {
		return false;
	}
	mcp_near_item item = item_of(near, key, look);
	if (!mcp_near_room_find(near->room, &item, near->copy)) {
		return false;
	}
	mcp_near_look found = {.hash = look->hash, .note = item.note, .asked_ms = item.asked_ms};
	if (!mcp_near_look_counts(near->changes, near->age_max_ms, &found, look->asked_ms)) {
		return false;
	}
	/* As an answer of memcached's: signature, key and ends are looked at, too (P5). */
	mcp_reply reply = {MCP_OK, {item.value, item.flags, false, 0}};
	mcp_cache_judge(cache, key, &reply, entry);
	if (!may_be_near(entry)) {
		return false;
	}
	found.may_be_kept = true;
	*look = found;
	return true;
}

/* The header stands before the payload: what is written of an envelope is what was read. */
static mcp_bytes whole_item(const mcp_cache_entry *entry) {
	char header[MCP_ENVELOPE_MAX_LENGTH];
	size_t length = mcp_envelope_encode(&entry->envelope, entry->stored.length, header);
	return mcp_bytes_of(entry->stored.data - length, length + entry->stored.length);
}

void mcp_cache_near_keep(const mcp_cache *cache, const mcp_key *key, mcp_near_look *look,
	const mcp_cache_entry *entry) {
	const mcp_near *near = cache->near;
	look->may_be_kept = entry->trouble == MCP_OK && may_be_near(entry) &&
		mcp_change_notes_equal(look->note, mcp_changes_look(near->changes, look->hash));
	if (!look->may_be_kept || near->room == NULL) {
		return;
	}
	mcp_near_item item = item_of(near, key, look);
	item.flags = mcp_envelope_item_flags(entry->flags);
	item.value = whole_item(entry);
	mcp_near_room_keep(near->room, &item, &near->writer);
}

bool mcp_cache_near_is_drawn(const mcp_cache *cache, const mcp_remember *remember,
	const mcp_cache_entry *entry, mcp_distrust *drawn) {
	bool is_drawn = remember->early > 0 &&
		mcp_freshness_is_early(&entry->envelope, mcp_wall_ms(cache->environment), remember->early,
			mcp_random_u64(cache->environment));
	if (is_drawn) {
		*drawn = mcp_cache_distrust(entry);
	}
	return is_drawn;
}

void mcp_cache_near_count(const mcp_cache *cache, const mcp_key *key,
	const mcp_cache_entry *entry) {
	mcp_cache_statistics *statistics = cache->statistics;
	statistics->hits++;
	statistics->near_hits++;
	statistics->near_shared++;
	statistics->saved_ms += entry->envelope.compute_ms;
	if (cache->meter != NULL) {
		mcp_cache_meter_near_hit(cache->meter, key, entry);
	}
}

void mcp_cache_near_read(const mcp_cache *cache, const mcp_key *key, mcp_cache_look_there there,
	mcp_cache_entry *entry) {
	mcp_near_look *look = &cache->near->look;
	if (mcp_cache_near_find(cache, key, look, entry)) {
		mcp_cache_near_count(cache, key, entry);
		return;
	}
	there(cache, key, entry);
	mcp_cache_near_keep(cache, key, look, entry);
}
