/* A look at many values with tags: each server's multi-get asks for its values and, behind them, once for each of
 * their tags. Its memory is taken for the call alone. */
/* SPDX-License-Identifier: MIT */
#include "cache_tags_many.h"

#include "../../../core/key/key_tag.h"
#include "../entry/cache_envelope.h"
#include "cache_near.h"
#include "../entry/cache_contention.h"
#include "../entry/cache_side_number.h"
#include "../entry/cache_tags.h"
#include "../entry/cache_tags_judge.h"

#include <stdlib.h>

/* A tag on one server. */
typedef struct wanted {
	const mcp_store *owner;
	uint64_t fingerprint;
	mcp_bytes route;   /* of one of its values there */
	bool is_elsewhere; /* the route led to another server when it was asked for */
	mcp_cache_tag_found found;
} wanted;

typedef struct inquiry {
	const mcp_cache *cache;
	const mcp_cache_batch *batch;
	size_t wanted_count;
	size_t own_count; /* of these the cache's own, before they are sorted */
	wanted *wanted;   /* sorted by server and fingerprint, each once */
	mcp_key *keys;
	mcp_reply *replies;
	mcp_key_buffer *buffers; /* of the tags' keys */
} inquiry;

static int compare(const void *left, const void *right) {
	const wanted *a = left, *b = right;
	if (a->owner != b->owner) {
		return a->owner < b->owner ? -1 : 1;
	}
	return a->fingerprint < b->fingerprint ? -1 : a->fingerprint > b->fingerprint;
}

/* The answers that one of the entries is judged by. */
typedef struct finding {
	const inquiry *asked;
	const mcp_store *owner;
} finding;

static const mcp_cache_tag_found *find(const void *context, uint64_t fingerprint) {
	const finding *of = context;
	wanted sought = {.owner = of->owner, .fingerprint = fingerprint};
	const wanted *at = of->asked->wanted_count == 0
		? NULL
		: bsearch(&sought, of->asked->wanted, of->asked->wanted_count, sizeof(wanted), compare);
	return at != NULL && !at->is_elsewhere ? &at->found : NULL;
}

static bool is_answerable(const mcp_cache_entry *entry) {
	return entry->trouble == MCP_OK;
}

/* Counts the tags at most: the cache's on each server, and those of values from the second time on, when they have been
 * read. */
static size_t count_wanted(const inquiry *asking, bool is_again) {
	const mcp_cache_batch *batch = asking->batch;
	size_t own = asking->cache->tags != NULL ? mcp_cache_tags_names(asking->cache->tags) : 0;
	size_t servers = mcp_store_member_count(asking->cache->store);
	size_t count = own * (servers < batch->count ? servers : batch->count);
	for (size_t i = 0; is_again && i < batch->count; i++) {
		count += mcp_tags_count(batch->entries[i].envelope.tags);
	}
	return count;
}

static void want(inquiry *asking, const mcp_store *owner, const mcp_key *key,
	uint64_t fingerprint) {
	asking->wanted[asking->wanted_count++] = (wanted){
		.owner = owner,
		.fingerprint = fingerprint,
		.route = key->route,
		.found.changes = mcp_cache_near_tag_changes(asking->cache, fingerprint),
	};
}

/* Says whether the cache's tags on this server are wanted already: all of a server's stand together. */
static bool has_own(const inquiry *asking, const mcp_store *owner) {
	size_t own = mcp_cache_tags_names(asking->cache->tags);
	for (size_t i = 0; i < asking->own_count; i += own) {
		if (asking->wanted[i].owner == owner) {
			return true;
		}
	}
	return false;
}

static void want_own(inquiry *asking, size_t index) {
	const mcp_cache_tags *own = asking->cache->tags;
	const mcp_key *key = &asking->batch->keys[index];
	const mcp_store *owner = mcp_store_owner(asking->cache->store, key);
	if (own == NULL || has_own(asking, owner)) {
		return;
	}
	for (size_t i = 0; i < mcp_cache_tags_names(own); i++) {
		want(asking, owner, key, own->fingerprints[i]);
	}
	asking->own_count = asking->wanted_count;
}

static void want_of_entry(inquiry *asking, size_t index) {
	const mcp_key *key = &asking->batch->keys[index];
	const mcp_store *owner = mcp_store_owner(asking->cache->store, key);
	mcp_bytes tags = asking->batch->entries[index].envelope.tags;
	for (size_t i = 0; i < mcp_tags_count(tags); i++) {
		want(asking, owner, key, mcp_tags_at(tags, i).fingerprint);
	}
}

/* Collects before anything is read again: the entries' views end there. */
static void collect(inquiry *asking, bool is_again) {
	for (size_t i = 0; i < asking->batch->count; i++) {
		if (!is_again || is_answerable(&asking->batch->entries[i])) {
			want_own(asking, i);
		}
	}
	for (size_t i = 0; is_again && i < asking->batch->count; i++) {
		if (is_answerable(&asking->batch->entries[i])) {
			want_of_entry(asking, i);
		}
	}
	if (asking->wanted_count == 0) {
		return;
	}
	qsort(asking->wanted, asking->wanted_count, sizeof(wanted), compare);
	size_t kept = 1;
	for (size_t i = 1; i < asking->wanted_count; i++) {
		if (compare(&asking->wanted[kept - 1], &asking->wanted[i]) != 0) {
			asking->wanted[kept++] = asking->wanted[i];
		}
	}
	asking->wanted_count = kept;
}

static bool counts(const mcp_cache_entry *entry) {
	return entry->has_value && entry->envelope.has_counter;
}

/* Lists the values, each behind its side key where it counts, and then the tags. */
static size_t list_keys(inquiry *asking, bool is_again) {
	const mcp_cache_batch *batch = asking->batch;
	size_t asked = 0;
	for (size_t i = 0; i < batch->count; i++) {
		const mcp_cache_entry *entry = &batch->entries[i];
		if (is_again && !is_answerable(entry)) {
			continue;
		}
		if (is_again && counts(entry)) {
			asking->keys[asked++] = mcp_key_side(&batch->side_buffers[i], &batch->keys[i]);
		}
		asking->keys[asked++] = batch->keys[i];
	}
	for (size_t i = 0; i < asking->wanted_count; i++) {
		const wanted *tag = &asking->wanted[i];
		asking->keys[asked++] = mcp_key_tag(&asking->buffers[i], mcp_key_prefix(&batch->keys[0]),
			tag->fingerprint, tag->route);
	}
	return asked;
}

/* Returns the room for the cache's numbers where an entry of the batch is. */
static uint64_t *numbers_of(const inquiry *asked, size_t index) {
	const mcp_cache_tags *own = asked->cache->tags;
	return own != NULL ? asked->batch->tag_numbers + index * own->count : NULL;
}

/* Says whether it is judged altogether. */
static bool judge(const inquiry *asked, size_t index, const mcp_reply *side,
	const mcp_reply *reply) {
	const mcp_cache_batch *batch = asked->batch;
	mcp_cache_entry *entry = &batch->entries[index];
	mcp_cache_judge(asked->cache, &batch->keys[index], reply, entry);
	finding of = {asked, mcp_store_owner(asked->cache->store, &batch->keys[index])};
	if (!mcp_cache_judge_tags(asked->cache, entry, numbers_of(asked, index), find, &of)) {
		return false;
	}
	if (side != NULL) {
		mcp_cache_show_number(entry, side);
	}
	return side != NULL || !counts(entry);
}

/* Notes the tags' numbers. With failover a server goes away, or is back, while it is asked: then its keys' tags
 * are another server's numbers. */
static void note_tags(inquiry *asked, const mcp_key *keys, const mcp_reply *replies) {
	for (size_t i = 0; i < asked->wanted_count; i++) {
		wanted *tag = &asked->wanted[i];
		tag->found.status = replies[i].status;
		tag->found.number = mcp_cache_tag_number(&replies[i]);
		tag->is_elsewhere = mcp_store_owner(asked->cache->store, &keys[i]) != tag->owner;
	}
}

/* Says whether nothing more is to be asked for. */
static bool read_all(inquiry *asking, bool is_again) {
	const mcp_cache_batch *batch = asking->batch;
	size_t asked = list_keys(asking, is_again);
	mcp_store_get_many(asking->cache->store, asking->keys, asked, asking->replies);
	const mcp_reply *reply = asking->replies;
	size_t first_tag = asked - asking->wanted_count;
	note_tags(asking, asking->keys + first_tag, asking->replies + first_tag);
	bool is_done = true;
	for (size_t i = 0; i < batch->count; i++) {
		mcp_cache_entry *entry = &batch->entries[i];
		const mcp_reply *side = NULL;
		if (is_again && !is_answerable(entry)) {
			continue;
		}
		if (is_again && counts(entry)) {
			side = reply++;
		}
		is_done = judge(asking, i, side, reply++) && is_done;
	}
	return is_done;
}

static void release(inquiry *asking) {
	free(asking->wanted);
	free(asking->keys);
	free(asking->replies);
	free(asking->buffers);
}

/* Makes room for the tags, and wants them. False if there is no memory. */
static bool prepare(inquiry *asking, bool is_again) {
	size_t most = count_wanted(asking, is_again);
	asking->wanted = calloc(most + 1, sizeof(wanted));
	if (asking->wanted == NULL) {
		return false;
	}
	collect(asking, is_again);
	size_t tags = asking->wanted_count, all = 2 * asking->batch->count + tags;
	asking->keys = calloc(all, sizeof(mcp_key));
	asking->replies = calloc(all, sizeof(mcp_reply));
	asking->buffers = calloc(tags + 1, sizeof(mcp_key_buffer));
	return asking->keys != NULL && asking->replies != NULL && asking->buffers != NULL;
}

static void give_up(const mcp_cache_batch *batch, mcp_status status) {
	for (size_t i = 0; i < batch->count; i++) {
		mcp_cache_entry *entry = &batch->entries[i];
		*entry = (mcp_cache_entry){
			.freshness = MCP_COLD,
			.trouble = status,
			.tag_numbers = status == MCP_OK ? entry->tag_numbers : NULL,
		};
	}
}

void mcp_cache_read_many_closely(const mcp_cache *cache, const mcp_cache_batch *batch,
	bool is_again) {
	bool is_done = batch->count == 0;
	for (int round = 0; !is_done && round < MCP_CACHE_ROUNDS_MAX; round++) {
		inquiry asking = {.cache = cache, .batch = batch};
		if (!prepare(&asking, is_again)) {
			release(&asking);
			give_up(batch, MCP_UNREACHABLE);
			return;
		}
		is_done = read_all(&asking, is_again);
		release(&asking);
		is_again = true;
	}
	if (!is_done) {
		give_up(batch, MCP_OK);
	}
}

static void share(const mcp_cache *cache, const mcp_cache_entry *from, mcp_cache_entry *to) {
	if (cache->tags != NULL && from->tag_numbers != NULL && to->tag_numbers != NULL) {
		memcpy(to->tag_numbers, from->tag_numbers, cache->tags->count * sizeof(*from->tag_numbers));
	}
}

void mcp_cache_share_tags(const mcp_cache *cache, const mcp_cache_batch *batch, size_t index) {
	const mcp_cache_entry *entry = &batch->entries[index];
	const mcp_store *owner = mcp_store_owner(cache->store, &batch->keys[index]);
	for (size_t i = index + 1; i < batch->count; i++) {
		if (mcp_store_owner(cache->store, &batch->keys[i]) == owner) {
			share(cache, entry, &batch->entries[i]);
		}
	}
}

void mcp_cache_capture_among(const mcp_cache *cache, const mcp_cache_batch *batch, size_t index,
	mcp_captured_tags *captured) {
	mcp_cache_entry *entry = &batch->entries[index];
	bool lacks_tags = entry->trouble == MCP_OK && !mcp_cache_knows_tags(cache, entry);
	mcp_cache_capture_look(cache, &batch->keys[index], entry, captured);
	if (lacks_tags && entry->trouble == MCP_OK) {
		mcp_cache_share_tags(cache, batch, index);
	}
}
