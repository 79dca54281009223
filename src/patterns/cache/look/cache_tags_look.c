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

/* What is asked for of a key. */
typedef struct closer_look {
	const mcp_cache *cache;
	const mcp_key *key;
	mcp_cache_side *side; /* its key is made where it is asked for, `has_side` */
	bool has_side;
	size_t count;                 /* of tags */
	const uint64_t *fingerprints; /* the cache's own, or in one of the rooms */
	mcp_cache_tag_found *found;   /* in one of the rooms: ... */
	void *memory;                 /* ... this one, NULL as long as a few are enough */
	uint64_t few_fingerprints[MCP_CACHE_TAGS_FEW];
	mcp_cache_tag_found few_found[MCP_CACHE_TAGS_FEW];
} closer_look;

/* Begins without a look at what is not counted in it: clearing it costs a hit too much. */
static void begin(closer_look *look, const mcp_cache *cache, const mcp_key *key,
	mcp_cache_side *side) {
	look->cache = cache;
	look->key = key;
	look->side = side;
	look->has_side = false;
	look->count = 0;
	look->found = look->few_found;
	look->memory = NULL;
}

static void end(closer_look *look) {
	if (look->memory != NULL) {
		free(look->memory);
	}
}

/* Returns room for the fingerprints of so many tags, and makes room for what is found of them. NULL if there is no
 * memory. */
static uint64_t *reserve(closer_look *look, size_t count) {
	if (count <= MCP_CACHE_TAGS_FEW) {
		return look->few_fingerprints;
	}
	end(look);
	look->memory = malloc(count * (sizeof(*look->fingerprints) + sizeof(*look->found)));
	look->found = look->memory;
	return look->memory != NULL ? (uint64_t *)(look->found + count) : NULL;
}

/* Wants the cache's tags. False if there is no memory; so does the next one. */
static bool want_own(closer_look *look) {
	const mcp_cache_tags *own = look->cache->tags;
	if (own == NULL) {
		return true;
	}
	look->count = mcp_cache_tags_names(own);
	look->fingerprints = own->fingerprints;
	return reserve(look, look->count) != NULL;
}

static void want(closer_look *look, uint64_t *room, uint64_t fingerprint) {
	for (size_t i = 0; i < look->count; i++) {
		if (room[i] == fingerprint) {
			return;
		}
	}
	room[look->count++] = fingerprint;
}

/* Wants these, too, the value's, which were not asked for. The view of them ends with the next read. */
static bool want_others(closer_look *look, mcp_bytes tags) {
	const mcp_cache_tags *own = look->cache->tags;
	size_t own_count = own != NULL ? mcp_cache_tags_names(own) : 0;
	uint64_t *room = reserve(look, own_count + mcp_tags_count(tags));
	if (room == NULL) {
		return false;
	}
	look->fingerprints = room;
	look->count = own_count;
	if (own_count > 0) {
		memcpy(room, own->fingerprints, own_count * sizeof(*room));
	}
	for (size_t i = 0; i < mcp_tags_count(tags); i++) {
		want(look, room, mcp_tags_at(tags, i).fingerprint);
	}
	return true;
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
static void ask_in(closer_look *look, const mcp_cache_tag_room *room, mcp_cache_entry *entry) {
	size_t asked = 0;
	if (look->has_side) {
		room->keys[asked++] = look->side->key;
	}
	size_t main = asked;
	room->keys[asked++] = *look->key;
	for (size_t i = 0; i < look->count; i++) {
		room->keys[asked++] =
			mcp_key_tag_beside(&room->buffers[i], look->key, look->fingerprints[i]);
	}
	note_changes(look);
	mcp_store_get_many(look->cache->store, room->keys, asked, room->replies);
	mcp_cache_judge(look->cache, look->key, &room->replies[main], entry);
	for (size_t i = 0; i < look->count; i++) {
		const mcp_reply *reply = &room->replies[asked - look->count + i];
		look->found[i].status = reply->status;
		look->found[i].number = mcp_cache_tag_number(reply);
	}
	if (look->has_side) {
		look->side->reply = room->replies[0];
	}
}

/* Fails the entry for want of memory. */
static void fail(mcp_cache_entry *entry) {
	*entry = (mcp_cache_entry){.freshness = MCP_COLD, .trouble = MCP_UNREACHABLE};
}

/* False with the entry if there is no memory; so does the next one. */
static bool ask(closer_look *look, mcp_cache_entry *entry) {
	mcp_cache_tag_room room;
	bool is_there = mcp_cache_tag_room_take(&room, look->count + 2);
	if (is_there) {
		ask_in(look, &room, entry);
	} else {
		fail(entry);
	}
	mcp_cache_tag_room_give_back(&room);
	return is_there;
}

static bool want_more(closer_look *look, bool shows_number, mcp_cache_entry *entry) {
	if (!look->has_side && shows_number && entry->envelope.has_counter) {
		look->side->key = mcp_key_side(&look->side->buffer, look->key);
		look->has_side = true;
	}
	bool is_there = want_others(look, entry->envelope.tags);
	if (!is_there) {
		fail(entry);
	}
	return is_there;
}

/* Says whether the entry is judged altogether. */
static bool is_done(const closer_look *look, bool shows_number, mcp_cache_entry *entry) {
	uint64_t *numbers = look->cache->tags != NULL ? look->cache->tags->numbers : NULL;
	if (!mcp_cache_judge_tags(look->cache, entry, numbers, find, look)) {
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
		if (!ask(look, entry) || is_done(look, shows_number, entry) ||
			!want_more(look, shows_number, entry)) {
			return;
		}
	}
	*entry = (mcp_cache_entry){.freshness = MCP_COLD};
}

void mcp_cache_look_closely(const mcp_cache *cache, const mcp_key *key, bool shows_number,
	mcp_cache_side *side, mcp_cache_entry *entry) {
	closer_look look;
	mcp_cache_side own;
	begin(&look, cache, key, side != NULL ? side : &own);
	look.has_side = side != NULL;
	if (want_own(&look)) {
		look_on(&look, shows_number, entry);
	} else {
		fail(entry);
	}
	end(&look);
}

void mcp_cache_look_again(const mcp_cache *cache, const mcp_key *key, bool shows_number,
	mcp_cache_entry *entry) {
	closer_look look;
	mcp_cache_side side;
	begin(&look, cache, key, &side);
	if (want_more(&look, shows_number, entry)) {
		look_on(&look, shows_number, entry);
	}
	end(&look);
}
