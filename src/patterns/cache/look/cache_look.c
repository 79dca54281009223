/* Reading a key: the value, its running number and its tags are one look. */
/* SPDX-License-Identifier: MIT */
#include "cache_look.h"

#include "../../../core/compiler.h"
#include "../entry/cache_envelope.h"
#include "../entry/cache_meter.h"
#include "cache_near.h"
#include "../entry/cache_side_number.h"
#include "cache_tags_look.h"
#include "cache_tags_many.h"

static inline bool is_tagged(const mcp_cache_entry *entry) {
	return entry->envelope.tags.length > 0;
}

void mcp_cache_examine(const mcp_cache *cache, const mcp_key *key, mcp_cache_entry *entry) {
	if (cache->tags != NULL) {
		mcp_cache_look_closely(cache, key, false, NULL, entry);
		return;
	}
	mcp_cache_fetch(cache, key, entry);
	if (entry->has_value && is_tagged(entry)) {
		mcp_cache_look_again(cache, key, false, entry);
	}
}

void mcp_cache_observe(const mcp_cache *cache, const mcp_key *key, mcp_cache_entry *entry) {
	if (cache->tags != NULL) {
		mcp_cache_look_closely(cache, key, true, NULL, entry);
		return;
	}
	mcp_cache_fetch(cache, key, entry);
	if (entry->has_value && (entry->envelope.has_counter || is_tagged(entry))) {
		mcp_cache_look_again(cache, key, true, entry);
	}
}

void mcp_cache_hide_old(const mcp_cache *cache, mcp_cache_entry *entry) {
	if (cache->is_strict && entry->freshness == MCP_STALE) {
		entry->has_value = false;
		entry->freshness = MCP_COLD;
		entry->verdict = MCP_VERDICT_MISS;
	}
}

static void read_there(const mcp_cache *cache, const mcp_key *key, mcp_cache_entry *entry) {
	mcp_cache_observe(cache, key, entry);
	mcp_cache_count(cache, key, entry);
}

void mcp_cache_read(const mcp_cache *cache, const mcp_key *key, mcp_cache_entry *entry) {
	if (cache->near != NULL) {
		mcp_cache_near_read(cache, key, read_there, entry);
	} else {
		read_there(cache, key, entry);
	}
}

static void peek_there(const mcp_cache *cache, const mcp_key *key, mcp_cache_entry *entry) {
	mcp_cache_observe(cache, key, entry);
	mcp_cache_hide_old(cache, entry);
	mcp_cache_count(cache, key, entry);
}

void mcp_cache_peek(const mcp_cache *cache, const mcp_key *key, mcp_cache_entry *entry) {
	if (cache->near != NULL) {
		mcp_cache_near_read(cache, key, peek_there, entry);
	} else {
		peek_there(cache, key, entry);
	}
}

static bool shows_counters(const mcp_cache_batch *batch) {
	for (size_t i = 0; i < batch->count; i++) {
		if (batch->entries[i].has_value && batch->entries[i].envelope.has_counter) {
			return true;
		}
	}
	return false;
}

/* Reads the numbers by I2 for many: every key again, and before each that has a running number its side key.
 * All of them, because the views of the first answers die with the second ones; but not what has failed:
 * whether it has a side key is not known. */
static void read_numbers(const mcp_cache *cache, const mcp_cache_batch *batch) {
	size_t asked = 0;
	for (size_t i = 0; i < batch->count; i++) {
		if (batch->entries[i].trouble != MCP_OK) {
			continue;
		}
		if (batch->entries[i].has_value && batch->entries[i].envelope.has_counter) {
			batch->scratch_keys[asked++] = mcp_key_side(&batch->side_buffers[i], &batch->keys[i]);
		}
		batch->scratch_keys[asked++] = batch->keys[i];
	}
	mcp_store_get_many(cache->store, batch->scratch_keys, asked, batch->replies);
	const mcp_reply *reply = batch->replies;
	for (size_t i = 0; i < batch->count; i++) {
		mcp_cache_entry *entry = &batch->entries[i];
		const mcp_reply *side = NULL;
		if (entry->trouble != MCP_OK) {
			continue;
		}
		if (entry->has_value && entry->envelope.has_counter) {
			side = reply++;
		}
		mcp_cache_judge(cache, &batch->keys[i], reply++, entry);
		if (side != NULL) {
			mcp_cache_show_number(entry, side);
		}
	}
}

static bool shows_tags(const mcp_cache_batch *batch) {
	for (size_t i = 0; i < batch->count; i++) {
		if (batch->entries[i].has_value && is_tagged(&batch->entries[i])) {
			return true;
		}
	}
	return false;
}

static MCP_SELDOM void read_more(const mcp_cache *cache, const mcp_cache_batch *batch) {
	if (shows_tags(batch)) {
		mcp_cache_read_many_closely(cache, batch, true);
	} else if (shows_counters(batch)) {
		read_numbers(cache, batch);
	}
}

void mcp_cache_read_many(const mcp_cache *cache, const mcp_cache_batch *batch) {
	if (cache->tags != NULL) {
		mcp_cache_read_many_closely(cache, batch, false);
		return;
	}
	mcp_store_get_many(cache->store, batch->keys, batch->count, batch->replies);
	if (mcp_cache_judge_many(cache, batch)) {
		read_more(cache, batch);
	}
}

void mcp_cache_peek_many(const mcp_cache *cache, const mcp_cache_batch *batch) {
	mcp_cache_read_many(cache, batch);
	for (size_t i = 0; cache->is_strict && i < batch->count; i++) {
		mcp_cache_hide_old(cache, &batch->entries[i]);
	}
}
