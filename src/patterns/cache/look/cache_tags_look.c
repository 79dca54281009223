/* One look at a value with tags: the value first, then its tags, in one multi-get (T6). Asked the other way round it
 * would be as safe, but an invalidation in between would cost an election that nothing asked for. */
/* SPDX-License-Identifier: MIT */
#include "cache_tags_look.h"

#include "../../../core/key/key_tag.h"
#include "../entry/cache_envelope.h"
#include "cache_near.h"
#include "../entry/cache_contention.h"
#include "../entry/cache_tags.h"
#include "../entry/cache_tags_judge.h"

/* The cache's own, and as many of the value. */
#define WANTED_MAX (2 * MCP_ENVELOPE_TAGS_MAX)

typedef struct closer_look {
	const mcp_cache *cache;
	const mcp_key *key;
	mcp_cache_side *side; /* its key is made where it is asked for, `has_side` */
	bool has_side;
	size_t count;
	uint64_t fingerprints[WANTED_MAX];
	mcp_cache_tag_found found[WANTED_MAX];
} closer_look;

/* Begins without a look at what is not counted in it: clearing it costs a hit too much. */
static void begin(closer_look *look, const mcp_cache *cache, const mcp_key *key,
	mcp_cache_side *side) {
	look->cache = cache;
	look->key = key;
	look->side = side;
	look->has_side = false;
	look->count = 0;
}

static void want(closer_look *look, uint64_t fingerprint) {
	for (size_t i = 0; i < look->count; i++) {
		if (look->fingerprints[i] == fingerprint) {
			return;
		}
	}
	look->fingerprints[look->count++] = fingerprint;
}

static void want_own(closer_look *look) {
	const mcp_cache_tags *tags = look->cache->tags;
	look->count = 0;
	for (unsigned i = 0; tags != NULL && i < tags->count; i++) {
		want(look, tags->fingerprints[i]);
	}
}

static const mcp_cache_tag_found *find(const void *context, uint64_t fingerprint) {
	const closer_look *look = context;
	for (size_t i = 0; i < look->count; i++) {
		if (look->fingerprints[i] == fingerprint) {
			return &look->found[i];
		}
	}
	return NULL;
}

static void note_changes(closer_look *look) {
	for (size_t i = 0; i < look->count; i++) {
		look->found[i].changes = mcp_cache_near_tag_changes(look->cache, look->fingerprints[i]);
	}
}

/* Asks for side key, value, tags. */
static void ask(closer_look *look, mcp_cache_entry *entry) {
	mcp_key_buffer buffers[WANTED_MAX];
	mcp_key keys[WANTED_MAX + 2];
	mcp_reply replies[WANTED_MAX + 2];
	size_t asked = 0;
	if (look->has_side) {
		keys[asked++] = look->side->key;
	}
	size_t main = asked;
	keys[asked++] = *look->key;
	for (size_t i = 0; i < look->count; i++) {
		keys[asked++] = mcp_key_tag_beside(&buffers[i], look->key, look->fingerprints[i]);
	}
	note_changes(look);
	mcp_store_get_many(look->cache->store, keys, asked, replies);
	mcp_cache_judge(look->cache, look->key, &replies[main], entry);
	for (size_t i = 0; i < look->count; i++) {
		const mcp_reply *reply = &replies[asked - look->count + i];
		look->found[i].status = reply->status;
		look->found[i].number = mcp_cache_tag_number(reply);
	}
	if (look->has_side) {
		look->side->reply = replies[0];
	}
}

/* Wants the tags that the value has, and that were not asked for. The view of it ends with the next read. */
static void want_more(closer_look *look, bool shows_number, const mcp_cache_entry *entry) {
	want_own(look);
	for (size_t i = 0; i < mcp_tags_count(entry->envelope.tags); i++) {
		want(look, mcp_tags_at(entry->envelope.tags, i).fingerprint);
	}
	if (!look->has_side && shows_number && entry->envelope.has_counter) {
		look->side->key = mcp_key_side(&look->side->buffer, look->key);
		look->has_side = true;
	}
}

/* Says whether the entry is judged altogether. */
static bool is_done(const closer_look *look, bool shows_number, mcp_cache_entry *entry) {
	if (!mcp_cache_judge_tags(look->cache, entry, find, look)) {
		return false;
	}
	bool counts = entry->has_value && entry->envelope.has_counter;
	if (look->has_side) {
		mcp_cache_show_number(entry, &look->side->reply);
	}
	return !counts || look->has_side || !shows_number;
}

/* Looks until all is judged; a key whose value gets other tags every time is given up as one without a value. */
static void look_on(closer_look *look, bool shows_number, mcp_cache_entry *entry) {
	for (int round = 0; round < MCP_CACHE_ROUNDS_MAX; round++) {
		ask(look, entry);
		if (is_done(look, shows_number, entry)) {
			return;
		}
		want_more(look, shows_number, entry);
	}
	*entry = (mcp_cache_entry){.freshness = MCP_COLD};
}

void mcp_cache_look_closely(const mcp_cache *cache, const mcp_key *key, bool shows_number,
	mcp_cache_side *side, mcp_cache_entry *entry) {
	closer_look look;
	mcp_cache_side own;
	begin(&look, cache, key, side != NULL ? side : &own);
	look.has_side = side != NULL;
	want_own(&look);
	look_on(&look, shows_number, entry);
}

void mcp_cache_look_again(const mcp_cache *cache, const mcp_key *key, bool shows_number,
	mcp_cache_entry *entry) {
	closer_look look;
	mcp_cache_side side;
	begin(&look, cache, key, &side);
	want_more(&look, shows_number, entry);
	look_on(&look, shows_number, entry);
}
