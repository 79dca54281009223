/* Looks up keys in the near cache, and keeps values from memcached and from writes there. */
/* SPDX-License-Identifier: MIT */
#include "cache_near.h"

#include "../../../core/compiler.h"
#include "../../../store/wrapped/change_notifier.h"
#include "../entry/cache_envelope.h"
#include "../entry/cache_meter.h"
#include "../entry/cache_tags.h"

/* Whether a value can be kept in the near cache (P3). An envelope with a claim, a pause or a running number must be
 * read from memcached. So must a contested envelope, because a later write needs its expiry. */
static bool is_free(const mcp_envelope *envelope) {
	return !envelope->has_claim && !envelope->has_failure && !envelope->has_counter &&
		!envelope->is_contested;
}

static bool may_be_near(const mcp_cache_entry *entry) {
	return entry->verdict == MCP_VERDICT_FRESH && entry->has_value && !entry->is_suspect &&
		is_free(&entry->envelope);
}

uint64_t mcp_cache_near_tag_changes(const mcp_cache *cache, uint64_t fingerprint) {
	return cache->near != NULL
		? mcp_changes_snapshot(cache->near->host->changes, fingerprint).of_key
		: 0;
}

static inline mcp_change_snapshot with_tags(mcp_change_snapshot snapshot, uint64_t tag_changes) {
	snapshot.of_key = (snapshot.of_key + tag_changes) | MCP_NEAR_TAGGED;
	return snapshot;
}

/* Read the current change counters of the key and of the value's tags. */
static mcp_change_snapshot snapshot_of(const mcp_changes *changes, uint64_t hash, mcp_bytes tags) {
	mcp_change_snapshot snapshot = mcp_changes_snapshot(changes, hash);
	if (tags.length == 0) {
		return snapshot;
	}
	uint64_t tag_changes = 0;
	for (size_t i = 0; i < mcp_tags_count(tags); i++) {
		tag_changes += mcp_changes_snapshot(changes, mcp_tags_at(tags, i).fingerprint).of_key;
	}
	return with_tags(snapshot, tag_changes);
}

bool mcp_cache_near_tagged_is_valid(const mcp_near_host *host, const mcp_near_read *near_read,
	mcp_bytes tags, uint64_t now_ms) {
	return mcp_near_read_is_tagged(near_read) &&
		mcp_near_read_is_valid_by(near_read, host->age_max_ms, now_ms,
			snapshot_of(host->changes, near_read->hash, tags));
}

static inline void name_item(mcp_near_item *item, const mcp_near_host *host, const mcp_key *key,
	const mcp_near_read *near_read) {
	item->key = key->wire;
	item->hash = near_read->hash ^
		host->whose; /* items of the same key in two pools do not evict each other */
	item->whose = host->whose;
	item->whose_else = host->whose_else;
}

/* Keep an item whose value, payload, flags and `is_wanted` are set. */
static void keep_item(const mcp_near_host *host, const mcp_key *key, const mcp_near_read *near_read,
	const mcp_envelope *envelope, mcp_near_item *item) {
	name_item(item, host, key, near_read);
	item->asked_ms = near_read->asked_ms;
	item->until_ms = near_read->asked_ms + host->age_max_ms;
	item->snapshot = near_read->snapshot;
	item->facts = mcp_near_facts_of(envelope);
	mcp_near_writer writer = host->writer();
	mcp_shm_cache_keep(host->shm_cache, item, &writer);
}

MCP_INLINED void begin(const mcp_near_host *host, const mcp_key *key, const mcp_near_moment *now,
	mcp_near_read *near_read) {
	near_read->hash = key->fingerprint;
	near_read->snapshot = mcp_changes_snapshot(host->changes, near_read->hash);
	near_read->asked_ms = mcp_near_monotonic_ms(host->environment, now);
	near_read->may_be_kept = false;
}

void mcp_cache_near_begin(const mcp_near_host *host, const mcp_key *key, mcp_near_read *near_read) {
	begin(host, key, NULL, near_read);
}

/* Find the key's item in the near cache, if it is still valid. Otherwise, *near_read is the state for a read of
 * memcached. */
MCP_INLINED bool find_item(const mcp_near_host *host, const mcp_key *key,
	const mcp_near_moment *now, mcp_near_read *near_read, mcp_near_found *found) {
	begin(host, key, now, near_read);
	mcp_near_item *item = &found->item;
	name_item(item, host, key, near_read);
	if (host->shm_cache == NULL || !mcp_shm_cache_find(host->shm_cache, item, &found->place)) {
		found->near_read.snapshot.of_key = 0;
		return false;
	}
	found->near_read = (mcp_near_read){near_read->hash, item->snapshot, item->asked_ms, true};
	return mcp_near_read_is_valid_by(&found->near_read, host->age_max_ms, near_read->asked_ms,
		near_read->snapshot);
}

/* may_be_near was true when the item was kept, so only its TTL might have expired since. */
bool mcp_cache_near_open(const mcp_near_host *host, const mcp_key *key, const mcp_near_moment *now,
	mcp_near_read *near_read, mcp_near_found *found) {
	if (!find_item(host, key, now, near_read, found)) {
		return false;
	}
	found->judged_ms = mcp_near_early_wall_ms(host->environment, now);
	return !mcp_end_is_reached(found->item.facts.soft_ms, found->judged_ms);
}

/* Evaluate the item like a reply of memcached, including key, expiry and signature (P5). */
static bool judge_found(const mcp_cache *cache, const mcp_key *key, const mcp_near_found *found,
	mcp_cache_entry *entry) {
	char *copy = cache->near->host->copy;
	size_t length = found->item.value.length;
	if (!mcp_near_place_copy(&found->place, 0, length, copy)) {
		return false;
	}
	mcp_op reply;
	reply.status = MCP_OK;
	reply.item = (mcp_item){{copy, length}, found->item.flags, false, 0, 0};
	mcp_cache_judge(cache, key, &reply, entry);
	return may_be_near(entry);
}

bool mcp_cache_near_find(const mcp_cache *cache, const mcp_key *key, mcp_near_read *near_read,
	mcp_cache_entry *entry) {
	const mcp_near_host *host = cache->near->host;
	mcp_near_found found;
	bool counts = find_item(host, key, NULL, near_read, &found);
	bool is_tagged = !counts && mcp_near_read_is_tagged(&found.near_read);
	if ((!counts && !is_tagged) || !judge_found(cache, key, &found, entry)) {
		return false;
	}
	mcp_bytes tags = entry->envelope.tags;
	if (is_tagged &&
		!mcp_cache_near_tagged_is_valid(host, &found.near_read, tags, near_read->asked_ms)) {
		return false;
	}
	if (!mcp_cache_bears_tags(cache, entry)) {
		return false;
	}
	*near_read = found.near_read;
	return true;
}

/* View the item with the header in front of the payload. Encode the header again to get its length. */
static mcp_bytes whole_item(const mcp_cache_entry *entry) {
	char header[MCP_ENVELOPE_MAX_LENGTH];
	size_t length = mcp_envelope_encode(&entry->envelope, entry->stored.length, header);
	return mcp_bytes_of(entry->stored.data - length, length + entry->stored.length);
}

void mcp_cache_near_keep(const mcp_cache *cache, const mcp_key *key, mcp_near_read *near_read,
	const mcp_cache_entry *entry) {
	const mcp_near_host *host = cache->near->host;
	mcp_bytes tags = entry->envelope.tags;
	near_read->may_be_kept = entry->trouble == MCP_OK && may_be_near(entry);
	if (near_read->may_be_kept && tags.length > 0) {
		near_read->snapshot = with_tags(near_read->snapshot, entry->tag_changes);
	}
	near_read->may_be_kept = near_read->may_be_kept &&
		mcp_change_snapshots_equal(near_read->snapshot,
			snapshot_of(host->changes, near_read->hash, tags));
	if (!near_read->may_be_kept || host->shm_cache == NULL) {
		return;
	}
	mcp_near_item item;
	item.is_wanted = false;
	item.flags = mcp_envelope_item_flags(entry->flags);
	item.value = whole_item(entry);
	item.payload_at = (uint32_t)(item.value.length - entry->stored.length);
	keep_item(host, key, near_read, &entry->envelope, &item);
}

/* Keep the value if nothing but the write itself has changed the key since before the write was sent (P2). The value
 * is then valid until the key's change counter changes again. */
static void keep_stored(mcp_before_ring *work, uint64_t raised_from) {
	mcp_near_storing *storing = (mcp_near_storing *)work;
	const mcp_near_host *host = storing->host;
	const mcp_record *record = storing->record;
	size_t length = record->head.length + record->body.length;
	if (raised_from != storing->near_read.snapshot.of_key || length > MCP_NEAR_ITEM_MAX) {
		return;
	}
	storing->near_read.snapshot.of_key = raised_from + 1;
	memcpy(host->copy, record->head.data, record->head.length);
	if (record->body.length > 0) {
		memcpy(host->copy + record->head.length, record->body.data, record->body.length);
	}
	mcp_near_item item;
	item.is_wanted = true; /* the processes that wait for the wake-up want it */
	item.flags = record->flags;
	item.value = mcp_bytes_of(host->copy, length);
	item.payload_at = (uint32_t)record->head.length;
	keep_item(host, storing->key, &storing->near_read, storing->envelope, &item);
}

/* Values with tags are excluded, because the change counters of their tags were not recorded when the tag versions
 * were read. */
void mcp_cache_near_store(const mcp_near_host *host, const mcp_key *key,
	const mcp_envelope *envelope, mcp_record *record, mcp_near_storing *storing) {
	bool may_be_kept = host->shm_cache != NULL && host->copy != NULL && envelope->has_value &&
		is_free(envelope) && envelope->tags.length == 0;
	if (!may_be_kept) {
		return;
	}
	*storing = (mcp_near_storing){{keep_stored}, host, key, envelope, record, {.hash = 0}};
	begin(host, key, NULL, &storing->near_read);
	record->before_ring = &storing->work;
}

bool mcp_cache_near_is_drawn(const mcp_cache *cache, const mcp_near_draw *draw,
	const mcp_cache_entry *entry) {
	const mcp_remember *remember = draw->remember;
	bool is_drawn = remember->early > 0 &&
		mcp_freshness_is_early(&entry->envelope, mcp_wall_ms(cache->environment), remember->early,
			mcp_random_u64(cache->environment));
	if (is_drawn) {
		*draw->drawn = mcp_cache_value_id_of(entry);
	}
	return is_drawn;
}

void mcp_cache_near_count(const mcp_cache *cache, const mcp_key *key, uint32_t compute_ms,
	uint64_t judged_ms) {
	mcp_cache_count_near(cache, compute_ms);
	cache->statistics->counts[MCP_COUNT_NEAR_SHARED]++;
	if (cache->meter != NULL) {
		mcp_cache_meter_near(cache->meter, key, judged_ms);
	}
}

bool mcp_cache_near_take(const mcp_cache *cache, const mcp_key *key, const mcp_near_draw *draw,
	mcp_near_read *near_read, mcp_cache_entry *entry) {
	if (!mcp_cache_near_find(cache, key, near_read, entry)) {
		return false;
	}
	if (draw != NULL && mcp_cache_near_is_drawn(cache, draw, entry)) {
		mcp_cache_near_begin(cache->near->host, key, near_read);
		return false;
	}
	mcp_cache_near_count(cache, key, entry->envelope.compute_ms, entry->judged_ms);
	return true;
}

void mcp_cache_near_read(const mcp_cache *cache, const mcp_key *key, mcp_cache_read_there there,
	mcp_cache_entry *entry) {
	mcp_near_read *near_read = &cache->near->near_read;
	if (!cache->near->has_looked && mcp_cache_near_take(cache, key, NULL, near_read, entry)) {
		return;
	}
	there(cache, key, entry);
	mcp_cache_near_keep(cache, key, near_read, entry);
}
