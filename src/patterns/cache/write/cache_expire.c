/* Implements expire for one key and for many: a value becomes stale now, under a new epoch. */
/* SPDX-License-Identifier: MIT */
#include "../entry/cache_envelope.h"
#include "../entry/cache_meter.h"
#include "../look/cache_look.h"
#include "cache_write.h"

#include <stdlib.h>

/* Build an envelope whose grace period begins now. A value without a grace period is then gone. A tombstone keeps its
 * end. */
static mcp_envelope expired(const mcp_cache *cache, const mcp_envelope *before) {
	uint64_t now_ms = mcp_wall_ms(cache->environment);
	mcp_envelope envelope = *before;
	if (now_ms < before->soft_ms && !before->is_tombstone) {
		mcp_cache_set_ends(&envelope, now_ms, mcp_envelope_grace_ms(before));
	}
	envelope.epoch = mcp_epoch_u64(cache->environment, before->key_fingerprint);
	envelope.newest_election = 0;
	envelope.value_election = 0;
	envelope.has_claim = false;
	envelope.has_failure = false;
	return envelope;
}

/* Returns MCP_OK with the new envelope, or the status of the expiry. A placeholder also gets a new epoch, so that a
 * computation under the previous epoch is not stored (C3). */
static mcp_status begin_expiry(const mcp_cache *cache, const mcp_cache_entry *entry,
	mcp_envelope *envelope) {
	if (entry->trouble != MCP_OK) {
		return entry->trouble;
	}
	bool is_gone = entry->envelope.is_tombstone && !entry->envelope.has_claim;
	if (entry->is_absent || entry->is_unreadable || is_gone) {
		mcp_cache_count_unreadable(cache, entry);
		return MCP_NOT_FOUND;
	}
	*envelope = expired(cache, &entry->envelope);
	return MCP_OK;
}

/* Returns the status of the expiry whose write has this status. */
static mcp_status finish_expiry(const mcp_cache *cache, const mcp_key *key, uint64_t epoch,
	bool had_value, mcp_status status) {
	if (status == MCP_UNKNOWN) {
		status = mcp_cache_resolve_epoch(cache, key, epoch);
	}
	return status == MCP_OK && !had_value ? MCP_NOT_FOUND : status;
}

static mcp_status try_expire(const mcp_cache *cache, const mcp_key *key) {
	mcp_cache_entry entry;
	mcp_envelope envelope;
	mcp_cache_examine(cache, key, &entry);
	mcp_status status = begin_expiry(cache, &entry, &envelope);
	if (status != MCP_OK) {
		return status;
	}
	status = mcp_cache_swap(cache, key, &envelope, &entry);
	return finish_expiry(cache, key, envelope.epoch, entry.has_value, status);
}

mcp_status mcp_cache_expire(const mcp_cache *cache, const mcp_key *key) {
	mcp_contention contention = {0};
	mcp_status status;
	mcp_store_begin_change(cache->store, key);
	do {
		status = try_expire(cache, key);
	} while (mcp_cache_may_try_again(cache, &contention, status));
	return mcp_cache_count_change(cache, key, status);
}

/* Memory for the expiries of one batch. */
typedef struct expiring {
	mcp_cache_entry entries[MCP_CACHE_BATCH_MAX];
	mcp_op ops[2 * MCP_CACHE_BATCH_MAX]; /* the replies, then the writes */
	mcp_key keys[2 * MCP_CACHE_BATCH_MAX];
	mcp_key_buffer side_buffers[MCP_CACHE_BATCH_MAX];
	mcp_cache_record records[MCP_CACHE_BATCH_MAX];
	uint64_t tag_numbers[]; /* see mcp_cache_batch */
} expiring;

/* Compose a write over each entry that expires. Returns their number. */
static size_t compose_expired(const mcp_cache *cache, const mcp_cache_batch *batch,
	expiring *memory, char *headers, size_t header_size_max, mcp_status *statuses) {
	size_t writes = 0;
	for (size_t i = 0; i < batch->count; i++) {
		mcp_cache_entry *entry = &batch->entries[i];
		mcp_envelope envelope;
		statuses[i] = begin_expiry(cache, entry, &envelope);
		if (statuses[i] != MCP_OK) {
			continue;
		}
		mcp_cache_record *record = &memory->records[writes];
		record->header = headers + writes * header_size_max;
		mcp_cache_compose_over(cache, &batch->keys[i], record, &envelope, entry, NULL);
		entry->envelope.epoch = envelope.epoch;
		mcp_op *write = &memory->ops[writes++];
		mcp_op_begin(write, MCP_OP_CAS, &batch->keys[i], &record->record);
		write->expects.cas = entry->cas;
		write->by = i;
	}
	return writes;
}

/* Send the writes over the entries. If memory is exhausted, nothing is sent. */
static void write_expired(const mcp_cache *cache, const mcp_cache_batch *batch, expiring *memory,
	mcp_status *statuses) {
	size_t header = mcp_cache_header_size_max(&batch->entries->envelope.tags,
		sizeof(*batch->entries), batch->count);
	char *headers = malloc(batch->count * header);
	if (headers == NULL) {
		return;
	}
	size_t writes = compose_expired(cache, batch, memory, headers, header, statuses);
	mcp_store_run_all(cache->store, memory->ops, writes);
	for (size_t i = 0; i < writes; i++) {
		const mcp_op *write = &memory->ops[i];
		const mcp_cache_entry *entry = &batch->entries[write->by];
		statuses[write->by] = finish_expiry(cache, write->key, entry->envelope.epoch,
			entry->has_value, write->status);
	}
	free(headers);
}

/* Number of lost connections to all servers. */
static uint64_t breaks_of(mcp_store *store) {
	uint64_t sum = 0;
	for (size_t i = 0; i < mcp_store_member_count(store); i++) {
		sum += mcp_store_breaks(mcp_store_member(store, i));
	}
	return sum;
}

/* Statuses that remain MCP_EXISTS: memory is exhausted, the item was changed, or a connection was lost. CAS values of a
 * previous connection must not be compared. The read of tags can be over a later connection, and would hide the loss of
 * the first one. */
static void expire_batch(const mcp_cache *cache, const mcp_key *keys, size_t count,
	mcp_status *statuses) {
	size_t tags = cache->tags != NULL ? cache->tags->count : 0;
	expiring *memory = malloc(sizeof(*memory) + count * tags * sizeof(uint64_t));
	if (memory == NULL) {
		return;
	}
	mcp_cache_batch batch = {
		.keys = keys,
		.count = count,
		.entries = memory->entries,
		.replies = memory->ops,
		.scratch_keys = memory->keys,
		.side_buffers = memory->side_buffers,
		.tag_numbers = memory->tag_numbers,
	};
	uint64_t breaks = breaks_of(cache->store);
	mcp_cache_read_many(cache, &batch);
	if (breaks_of(cache->store) == breaks) {
		write_expired(cache, &batch, memory, statuses);
	}
	for (size_t i = 0; i < count; i++) {
		bool is_unread = mcp_status_is_failure(batch.entries[i].trouble);
		statuses[i] = is_unread ? batch.entries[i].trouble : statuses[i];
	}
	free(memory);
}

void mcp_cache_expire_many(const mcp_cache *cache, const mcp_key *keys, size_t count,
	mcp_status *statuses) {
	for (size_t i = 0; i < count; i++) {
		statuses[i] = MCP_EXISTS;
	}
	if (count > 1 && !mcp_store_sees_each_change(cache->store)) {
		expire_batch(cache, keys, count, statuses);
	}
	for (size_t i = 0; i < count; i++) {
		statuses[i] = statuses[i] == MCP_EXISTS
			? mcp_cache_expire(cache, &keys[i])
			: mcp_cache_count_change(cache, &keys[i], statuses[i]);
	}
}
