/* Without a tag's number no value is valid by it; an advanced one makes the value old, another one makes it none. */
/* SPDX-License-Identifier: MIT */
#include "cache_tags_judge.h"

typedef enum tag_state {
	TAG_HOLDS,
	TAG_OUTDATED, /* invalidated: as past its soft end */
	TAG_LOST,     /* strictly invalidated, or the tag is gone: as past its hard end */
} tag_state;

static tag_state compare(uint64_t stored, uint64_t current) {
	if (!mcp_tag_is_known(current)) {
		return TAG_LOST;
	}
	if (stored == current) {
		return TAG_HOLDS;
	}
	return (stored ^ current) >> MCP_TAG_COUNT_BITS == 0 ? TAG_OUTDATED : TAG_LOST;
}

/* Says whether it has the tag under any of its names (T9). */
static bool has(mcp_bytes tags, const mcp_cache_tags *own, unsigned i) {
	for (size_t name = i; name < mcp_cache_tags_names(own); name += own->count) {
		if (mcp_tags_find(tags, own->fingerprints[name]) < mcp_tags_count(tags)) {
			return true;
		}
	}
	return false;
}

/* Finds the tags that a value lacks for this cache: without the namespace's it is no value (N1), without a
 * view's it is old. */
static tag_state find_lacking(const mcp_cache *cache, mcp_bytes tags) {
	tag_state state = TAG_HOLDS;
	for (unsigned i = 0; cache->tags != NULL && i < cache->tags->count; i++) {
		if (!has(tags, cache->tags, i)) {
			bool is_namespace = i == 0 && cache->tags->has_namespace;
			state = is_namespace ? TAG_LOST : state > TAG_OUTDATED ? state : TAG_OUTDATED;
		}
	}
	return state;
}

/* Outdates it; a strict value ends with its soft end. */
static void outdate(mcp_cache_entry *entry) {
	if (entry->freshness != MCP_FRESH) {
		return;
	}
	entry->freshness = mcp_envelope_grace_ms(&entry->envelope) > 0 ? MCP_STALE : MCP_COLD;
	entry->has_value = entry->freshness == MCP_STALE;
	entry->verdict = !entry->has_value          ? MCP_VERDICT_MISS
		: entry->opening == MCP_OPENING_CLAIMED ? MCP_VERDICT_BUSY
												: MCP_VERDICT_STALE;
}

static void lose(mcp_cache_entry *entry) {
	entry->freshness = MCP_COLD;
	entry->has_value = false;
	entry->verdict = MCP_VERDICT_MISS;
}

/* Fails the entry: without the tag nothing can be said of the value. */
static void fail(mcp_cache_entry *entry, mcp_status status) {
	*entry = (mcp_cache_entry){.freshness = MCP_COLD, .trouble = status};
}

/* Notes the cache's own numbers, up to one that could not be read. False if one was not asked for where the value is. */
static bool note_numbers(const mcp_cache *cache, mcp_cache_entry *entry, uint64_t *numbers,
	mcp_cache_tag_finder find, const void *context) {
	entry->tag_numbers = NULL;
	for (unsigned i = 0; cache->tags != NULL && i < cache->tags->count; i++) {
		const mcp_cache_tag_found *found = find(context, cache->tags->fingerprints[i]);
		if (found == NULL) {
			return false;
		}
		if (mcp_status_is_failure(found->status)) {
			fail(entry, found->status);
			return true;
		}
		numbers[i] = found->number;
	}
	entry->tag_numbers = numbers;
	return true;
}

bool mcp_cache_judge_tags(const mcp_cache *cache, mcp_cache_entry *entry, uint64_t *numbers,
	mcp_cache_tag_finder find, const void *context) {
	if (!note_numbers(cache, entry, numbers, find, context)) {
		return false;
	}
	if (!entry->has_value) {
		return true;
	}
	tag_state state = find_lacking(cache, entry->envelope.tags);
	entry->tag_changes = 0;
	for (size_t i = 0; i < mcp_tags_count(entry->envelope.tags); i++) {
		mcp_tag tag = mcp_tags_at(entry->envelope.tags, i);
		const mcp_cache_tag_found *found = find(context, tag.fingerprint);
		if (found == NULL) {
			return false;
		}
		if (mcp_status_is_failure(found->status)) {
			fail(entry, found->status);
			return true;
		}
		entry->tag_changes += found->changes;
		tag_state of_this = compare(tag.number, found->number);
		state = of_this > state ? of_this : state;
	}
	entry->is_outdated_by_tag = state != TAG_HOLDS && entry->freshness == MCP_FRESH;
	if (state == TAG_OUTDATED) {
		outdate(entry);
	} else if (state == TAG_LOST) {
		lose(entry);
	}
	return true;
}

bool mcp_cache_bears_tags(const mcp_cache *cache, mcp_cache_entry *entry) {
	for (unsigned i = 0; cache->tags != NULL && i < cache->tags->count; i++) {
		size_t place = mcp_tags_find(entry->envelope.tags, cache->tags->fingerprints[i]);
		if (place == mcp_tags_count(entry->envelope.tags)) {
			return false;
		}
		cache->tags->numbers[i] = mcp_tags_at(entry->envelope.tags, place).number;
		entry->tag_numbers = cache->tags->numbers;
	}
	return true;
}
