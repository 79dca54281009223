/* What may be answered near, and what of it is to be seen before and after asking memcached. */
/* SPDX-License-Identifier: MIT */
#include "cache_near.h"

#include "../store/store_changes.h"
#include "cache_internal.h"

#include <stddef.h>
#include <string.h>

/* P3. What has a claim, a pause, a running number or tags is memcached's to answer. */
static bool may_be_near(const mcp_cache_entry *entry) {
	const mcp_envelope *envelope = &entry->envelope;
	return entry->verdict == MCP_VERDICT_FRESH && entry->has_value && !entry->is_suspect &&
		!envelope->has_claim && !envelope->has_failure && !envelope->has_counter &&
		envelope->tags.length == 0;
}

static inline void name_item(mcp_near_item *item, const mcp_near *near, const mcp_key *key,
	const mcp_near_look *look) {
	item->key = key->wire;
	item->hash =
		look->hash ^ near->whose; /* two pools' items of one key do not drive each other out */
	item->whose = near->whose;
	item->whose_else = near->whose_else;
}

void mcp_cache_near_begin(const mcp_cache *cache, const mcp_key *key, mcp_near_look *look) {
	look->hash = mcp_store_changes_hash(key);
	look->note = mcp_changes_look(cache->near->changes, look->hash);
	look->asked_ms = mcp_monotonic_ms(cache->environment);
	look->may_be_kept = false;
}

/* What the room has of the key, if it counts still; else *look is for asking. */
static bool find_item(const mcp_cache *cache, const mcp_key *key, mcp_near_look *look,
	mcp_near_item *item, mcp_near_found *found) {
	const mcp_near *near = cache->near;
	mcp_cache_near_begin(cache, key, look);
	if (near->room == NULL) {
		return false;
	}
	name_item(item, near, key, look);
	if (!mcp_near_room_find(near->room, item, &found->place)) {
		return false;
	}
	found->look = *look;
	found->look.note = item->note;
	found->look.asked_ms = item->asked_ms;
	found->look.may_be_kept = true;
	return mcp_near_look_counts_by(&found->look, near->age_max_ms, look->asked_ms, look->note);
}

/* As an answer of memcached's: key and ends are looked at, too (P5). */
static bool judge_header(const mcp_cache *cache, const mcp_key *key, const mcp_near_item *item,
	mcp_cache_entry *entry) {
	memset(entry, 0, offsetof(mcp_cache_entry, envelope));
	if (!mcp_envelope_decode(item->value, item->flags, key->fingerprint, &entry->envelope,
			&entry->stored)) {
		return false;
	}
	entry->judged_ms = mcp_early_wall_ms(cache->environment);
	entry->flags = mcp_envelope_value_flags(item->flags);
	entry->payload = entry->stored;
	entry->freshness = mcp_freshness_at(&entry->envelope, entry->judged_ms);
	entry->has_value = entry->freshness == MCP_FRESH;
	entry->verdict = MCP_VERDICT_FRESH;
	return entry->has_value && may_be_near(entry);
}

/* What is kept has no more than these, and what has more is not answered, whatever is then read behind them. */
#define HEADER_MAX (MCP_ENVELOPE_FRESH_LENGTH + MCP_ENVELOPE_SIGNATURE_LENGTH)
_Static_assert(MCP_ENVELOPE_MAX_LENGTH <= MCP_NEAR_SLOT_MAX,
	"a header of any length is read in the scratch");

static bool open_item(const mcp_cache *cache, const mcp_key *key, mcp_near_item *item,
	mcp_near_found *found, mcp_cache_entry *entry) {
	char *copy = cache->near->copy;
	size_t length = item->value.length;
	size_t most = length < HEADER_MAX ? length : HEADER_MAX;
	if (!mcp_near_place_copy(&found->place, 0, most, copy)) {
		return false;
	}
	item->value.data = copy;
	bool is_fresh = judge_header(cache, key, item, entry);
	found->payload_at = is_fresh ? (size_t)(entry->payload.data - copy) : 0;
	return is_fresh;
}

bool mcp_cache_near_open(const mcp_cache *cache, const mcp_key *key, mcp_near_look *look,
	mcp_near_found *found, mcp_cache_entry *entry) {
	mcp_near_item item;
	return find_item(cache, key, look, &item, found) && open_item(cache, key, &item, found, entry);
}

/* Signatures are of the whole. */
static bool judge_whole(const mcp_cache *cache, const mcp_key *key, mcp_near_item *item,
	const mcp_near_found *found, mcp_cache_entry *entry) {
	char *copy = cache->near->copy;
	if (!mcp_near_place_copy(&found->place, 0, item->value.length, copy)) {
		return false;
	}
	mcp_reply reply = {MCP_OK, {{copy, item->value.length}, item->flags, false, 0}};
	mcp_cache_judge(cache, key, &reply, entry);
	return may_be_near(entry);
}

static bool take_item(const mcp_cache *cache, const mcp_key *key, mcp_near_item *item,
	mcp_near_found *found, mcp_cache_entry *entry) {
	if (cache->signing_keys != NULL) {
		return judge_whole(cache, key, item, found, entry);
	}
	return open_item(cache, key, item, found, entry) &&
		mcp_cache_near_take(found, entry, cache->near->copy + found->payload_at);
}

bool mcp_cache_near_find(const mcp_cache *cache, const mcp_key *key, mcp_near_look *look,
	mcp_cache_entry *entry) {
	mcp_near_item item;
	mcp_near_found found;
	if (!find_item(cache, key, look, &item, &found) ||
		!take_item(cache, key, &item, &found, entry)) {
		return false;
	}
	*look = found.look;
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
	mcp_near_item item;
	name_item(&item, near, key, look);
	item.asked_ms = look->asked_ms;
	item.note = look->note;
	item.flags = mcp_envelope_item_flags(entry->flags);
	item.value = whole_item(entry);
	mcp_near_writer writer = near->writer();
	mcp_near_room_keep(near->room, &item, &writer);
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
	if (!cache->near->has_looked && mcp_cache_near_find(cache, key, look, entry)) {
		mcp_cache_near_count(cache, key, entry);
		return;
	}
	there(cache, key, entry);
	mcp_cache_near_keep(cache, key, look, entry);
}
