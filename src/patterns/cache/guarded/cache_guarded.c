/* Guarded reads, which leave a read stamp, and guarded writes, which check it, for one key and many (V1 to
 * V4). */
/* SPDX-License-Identifier: MIT */
#include "cache_guarded.h"

#include "../../../core/envelope/foreign.h"
#include "../entry/cache_envelope.h"
#include "../entry/cache_meter.h"
#include "../look/cache_look.h"
#include "../write/cache_write.h"

#include <stdlib.h>

/* --- identity of an item, as in a read stamp, and the records that replace it: markers, and values that might have to
 * expire soon --- */

/* Touches, claims and running numbers do not change the identity. Every new value has another epoch or election. */
static mcp_read_stamp stamp_of(const mcp_cache *cache, const mcp_cache_entry *entry) {
	mcp_read_stamp stamp = {.state = MCP_READ_STAMP_HELD};
	if (entry->is_unreadable) {
		stamp.epoch = mcp_foreign_epoch(entry->stored, entry->flags, entry->cas);
	} else {
		stamp.epoch = entry->envelope.epoch;
		stamp.election = entry->envelope.value_election;
		stamp.is_of_value = entry->envelope.has_value;
		stamp.cap_ms = mcp_cache_cap_of(cache, entry);
	}
	return stamp;
}

static bool stands(const mcp_cache_entry *entry) {
	return !mcp_status_is_failure(entry->trouble) && !entry->is_absent;
}

/* Record the entry's item; TORN if the entry is inconclusive. */
static void stamp_entry(const mcp_cache *cache, mcp_read_stamp *stamp,
	const mcp_cache_entry *entry) {
	uint64_t made_ms = stamp->made_ms;
	*stamp =
		stands(entry) ? stamp_of(cache, entry) : (mcp_read_stamp){.state = MCP_READ_STAMP_TORN};
	stamp->made_ms = made_ms;
	if (entry->verdict == MCP_VERDICT_ELECTED) {
		stamp->proof = entry->claim.proof;
		stamp->cap_ms = 0;
	}
}

/* Whether the recorded item is still stored: the epoch and the value's election are the same. */
static bool is_stamped(const mcp_cache *cache, const mcp_read_stamp *stamp,
	const mcp_cache_entry *entry) {
	if (stamp->state != MCP_READ_STAMP_HELD || !stands(entry)) {
		return false;
	}
	mcp_read_stamp found = stamp_of(cache, entry);
	return found.epoch == stamp->epoch && found.election == stamp->election &&
		found.is_of_value == stamp->is_of_value;
}

static void compose_marker(const mcp_cache *cache, const mcp_key *key, mcp_cache_record *record,
	uint64_t epoch, bool is_contested) {
	uint64_t now_ms = mcp_wall_ms(cache->environment);
	mcp_envelope envelope = {
		.created_ms = now_ms,
		.soft_ms = now_ms + MCP_GUARDED_MARKER_MS,
		.hard_ms = now_ms + MCP_GUARDED_MARKER_MS,
		.key_fingerprint = key->fingerprint,
		.epoch = epoch,
		.is_contested = is_contested,
	};
	mcp_cache_compose_new(cache, key, record, &envelope, mcp_bytes_none(), 0);
	record->record.ttl_ms = MCP_GUARDED_MARKER_MS;
}

/* Latest time at which a value over the entry must become stale; 0: no limit. `entry` NULL: over the item of the
 * stamp's proof. A value after a capped value can be based on it. */
static uint64_t cap_over(const mcp_cache *cache, const mcp_read_stamp *stamp,
	const mcp_cache_entry *entry, uint32_t holdoff_ms) {
	bool is_contested = entry != NULL && !entry->envelope.has_value && entry->envelope.is_contested;
	if (stamp->cap_ms == 0) {
		return is_contested ? mcp_wall_ms(cache->environment) + holdoff_ms : 0;
	}
	uint64_t now_ms = mcp_wall_ms(cache->environment);
	return stamp->cap_ms > now_ms ? stamp->cap_ms : now_ms + 1;
}

void mcp_cache_guarded_stamp_published(const mcp_cache *cache, mcp_read_stamp *stamp,
	const mcp_claim *claim) {
	*stamp = (mcp_read_stamp){
		.state = MCP_READ_STAMP_HELD,
		.made_ms = mcp_monotonic_ms(cache->environment),
		.is_of_value = true,
		.election = claim->election,
		.epoch = claim->epoch,
	};
}

/* --- reading: reads record their item, and store a marker if the key is missing --- */

/* Trust a marker only if it was stored before the read ended. A marker that arrives late, after a delete, would
 * accept data that was read before the delete. */

/* A marker being sent. The head of its record is a view into it. */
typedef struct mark {
	mcp_read_stamp *stamp;
	uint64_t epoch;
	mcp_cache_record record;
	char header[MCP_ENVELOPE_UNTAGGED_MAX_LENGTH];
} mark;

/* Marks that wait to be sent, and their requests; `by` is the index of a request's marker. */
typedef struct marking {
	const mcp_cache *cache;
	size_t count, size;
	mark *markers;
	mcp_op *ops;
} marking;

static void add_marker(marking *self, const mcp_key *key, mcp_read_stamp *stamp) {
	mark *one = &self->markers[self->count];
	one->stamp = stamp;
	one->epoch = mcp_epoch_u64(self->cache->environment, key->fingerprint);
	one->record.header = one->header;
	compose_marker(self->cache, key, &one->record, one->epoch, false);
	if (self->size == 1) { /* batched writes return no proof */
		one->record.record.proof = mcp_cache_wants(self->cache, &stamp->proof);
	}
	mcp_op_begin(&self->ops[self->count++], MCP_OP_ADD, key, &one->record.record);
}

/* Record the markers by the status of their writes. If a marker was not, or possibly not, stored, record the current
 * item before the caller reads its database. Reads reuse the places of completed writes. */
static void leave_markers(marking *self) {
	size_t asked = 0;
	mcp_store_run_all(self->cache->store, self->ops, self->count);
	for (size_t i = 0; i < self->count; i++) {
		mcp_read_stamp *stamp = self->markers[i].stamp;
		const mcp_key *key = self->ops[i].key;
		mcp_status status = self->ops[i].status;
		stamp->state = status == MCP_OK ? MCP_READ_STAMP_HELD : MCP_READ_STAMP_TORN;
		stamp->epoch = self->markers[i].epoch;
		if (status == MCP_UNKNOWN) {
			mcp_store_bypass_breaker(self->cache->store, key, MCP_BYPASS_TO_RESOLVE);
		}
		if (status == MCP_NOT_STORED || status == MCP_UNKNOWN) {
			mcp_op_begin(&self->ops[asked], MCP_OP_GET, key, NULL);
			self->ops[asked++].by = i;
		}
	}
	mcp_store_run_all(self->cache->store, self->ops, asked);
	for (size_t i = 0; i < asked; i++) {
		mcp_cache_entry entry;
		mcp_cache_judge(self->cache, self->ops[i].key, &self->ops[i], &entry);
		stamp_entry(self->cache, self->markers[self->ops[i].by].stamp, &entry);
	}
	self->count = 0;
}

/* Whether a new stamp starts: there is no stamp, or its marker has expired. */
static bool is_first(const mcp_cache *cache, const mcp_read_stamp *stamp) {
	return stamp->state == MCP_READ_STAMP_NONE ||
		mcp_monotonic_ms(cache->environment) - stamp->made_ms >= MCP_GUARDED_MARKER_MS;
}

static void note_entry(marking *self, const mcp_key *key, const mcp_cache_entry *entry,
	mcp_read_stamp *stamp) {
	if (!is_first(self->cache, stamp)) {
		bool recomputes =
			entry->verdict == MCP_VERDICT_ELECTED && is_stamped(self->cache, stamp, entry);
		stamp->cap_ms = recomputes ? 0 : stamp->cap_ms;
		return;
	}
	*stamp = (mcp_read_stamp){.made_ms = mcp_monotonic_ms(self->cache->environment)};
	if (!entry->is_absent || entry->trouble != MCP_OK) {
		stamp_entry(self->cache, stamp, entry);
		return;
	}
	add_marker(self, key, stamp);
	if (self->count == self->size) {
		leave_markers(self);
	}
}

void mcp_cache_guarded_stamp(const mcp_cache *cache, const mcp_key *key,
	const mcp_cache_entry *entry, mcp_read_stamp *stamp) {
	mark one;
	mcp_op op;
	marking self = {cache, 0, 1, &one, &op};
	note_entry(&self, key, entry, stamp);
}

/* Memory of a batch. */
typedef struct marking_memory {
	mark markers[MCP_CACHE_BATCH_MAX];
	mcp_op ops[MCP_CACHE_BATCH_MAX];
} marking_memory;

void mcp_cache_guarded_stamp_many(const mcp_cache *cache, const mcp_cache_batch *batch,
	mcp_read_stamp *const *stamps) {
	mark one;
	mcp_op op;
	marking self = {cache, 0, 1, &one, &op};
	marking_memory *memory = batch->count > 1 ? malloc(sizeof(*memory)) : NULL;
	if (memory != NULL) {
		self = (marking){cache, 0, MCP_CACHE_BATCH_MAX, memory->markers, memory->ops};
	}
	for (size_t i = 0; i < batch->count; i++) {
		if (stamps[i] != NULL) {
			note_entry(&self, &batch->keys[i], &batch->entries[i], stamps[i]);
		}
	}
	leave_markers(&self);
	free(memory);
}

void mcp_cache_guarded_stamp_deleted(mcp_read_stamp *stamp, mcp_status status) {
	if (!mcp_status_is_failure(status)) {
		*stamp = (mcp_read_stamp){.state = MCP_READ_STAMP_NONE};
	} else if (stamp->state != MCP_READ_STAMP_NONE) {
		stamp->state = MCP_READ_STAMP_TORN;
	}
}

/* --- storing over the recorded item --- */

/* If another item exists, it is unknown whose row is the latest. That item is emptied at most once, and its next
 * value lives for the holdoff. An item that is kept gets a new epoch, so that no older stamp or election can
 * replace it. */

/* Maximum retries of a store that loses races. */
#define TURNS_MAX 8

/* Maximum bytes per batched read, assuming that stored and new values have the same size. */
#define BYTES_TOGETHER_MAX ((size_t)1024 * 1024)

/* A key's turn. Contains pointers into itself: must not move until the reply. */
typedef struct turn {
	const mcp_key *key;
	const mcp_cache_value *value;
	mcp_read_stamp *stamp;
	mcp_status status;    /* MCP_EXISTS until it is decided */
	bool is_blind;        /* the key has no stamp */
	bool is_in_vain;      /* an add found a fresh value, or a replace found no value */
	bool has_seen;        /* this call has read the key before */
	uint64_t first_epoch; /* epoch found by that read; 0: none */
	/* the record that is sent */
	uint64_t epoch;
	uint64_t cap_ms;         /* 0: no cap */
	mcp_cache_record record; /* its header must be set before it is composed */
	mcp_proof proof;
} turn;

/* Values being stored, and the requests of one round; `by` is the index of a request's turn. */
typedef struct storing {
	const mcp_cache *cache;
	/* MCP_OP_SET, MCP_OP_ADD, or MCP_OP_CAS (replace); MCP_OP_SET for many keys */
	mcp_op_verb verb;
	uint32_t holdoff_ms;
	turn *turns;
	mcp_op *ops;
	size_t count;
	size_t writes;
} storing;

/* Add a write over the current item `entry`. NULL: over any item if there is no stamp, otherwise over the item of the
 * stamp's proof. The epoch is new, because under the marker's epoch, a remember that was elected over the marker before
 * could still store its older result. */
static void add_write(storing *self, size_t index, const mcp_cache_entry *entry) {
	turn *one = &self->turns[index];
	mcp_cache_value value = *one->value;
	if (self->verb == MCP_OP_CAS) { /* a replace, which has read the item (C7) */
		value.lifetime = mcp_cache_lifetime_over(value.lifetime, entry);
	}
	value.cap_ms = cap_over(self->cache, one->stamp, entry, self->holdoff_ms);
	one->epoch = mcp_cache_compose_value(self->cache, one->key, &value, NULL, &one->record).epoch;
	one->cap_ms = value.cap_ms;
	one->proof = (mcp_proof){0};
	mcp_record *record = &one->record.record;
	if (self->count == 1) { /* batched writes return no proof */
		record->proof = mcp_cache_wants(self->cache, &one->proof);
	}
	mcp_op *write = &self->ops[self->writes++];
	mcp_op_begin(write, one->is_blind ? self->verb : MCP_OP_CAS, one->key, record);
	write->expects = entry != NULL ? (mcp_proof){.cas = entry->cas} : one->stamp->proof;
	write->by = index;
}

static void stamp_stored(const mcp_cache *cache, const turn *stored) {
	*stored->stamp = (mcp_read_stamp){
		.state = MCP_READ_STAMP_HELD,
		.is_of_value = true,
		.epoch = stored->epoch,
		.made_ms = mcp_monotonic_ms(cache->environment),
		.cap_ms = stored->cap_ms,
		.proof = stored->proof,
	};
}

/* Send the writes. A value whose item has changed keeps MCP_EXISTS: it is read. */
static void send(storing *self) {
	mcp_store_run_all(self->cache->store, self->ops, self->writes);
	for (size_t i = 0; i < self->writes; i++) {
		const mcp_op *write = &self->ops[i];
		turn *one = &self->turns[write->by];
		mcp_status status = write->status == MCP_UNSUPPORTED ? MCP_EXISTS : write->status;
		if (status == MCP_UNKNOWN && write->verb != MCP_OP_SET) {
			status = mcp_cache_resolve_epoch(self->cache, write->key, one->epoch);
		}
		if (status == MCP_OK) {
			stamp_stored(self->cache, one);
		}
		one->status = status;
	}
	self->writes = 0;
}

static mcp_status after_swap(mcp_status status, mcp_status answer) {
	return status == MCP_OK ? answer : status;
}

/* Whether the item was written after this call began: later stamps and elections can refer to it. */
static bool is_of_this_call(const turn *one, const mcp_cache_entry *entry) {
	return one->has_seen && entry->envelope.epoch != one->first_epoch;
}

/* Keep the value under a new epoch. If its bytes differ from ours, its life must not be extended. */
static mcp_status renew(const storing *self, const turn *one, const mcp_cache_entry *entry,
	mcp_status answer) {
	mcp_envelope envelope = entry->envelope;
	envelope.is_contested |= answer != MCP_OK;
	if (is_of_this_call(one, entry) && envelope.is_contested == entry->envelope.is_contested) {
		return answer;
	}
	envelope.epoch = mcp_epoch_u64(self->cache->environment, one->key->fingerprint);
	envelope.newest_election = envelope.value_election = 0;
	envelope.has_claim = false;
	return after_swap(mcp_cache_swap(self->cache, one->key, &envelope, entry), answer);
}

/* Replace the current item with a contested marker. */
static mcp_status contest(const storing *self, const turn *one, const mcp_cache_entry *entry) {
	const mcp_key *key = one->key;
	bool keeps_epoch = mcp_cache_is_marker(entry);
	if (keeps_epoch && entry->envelope.is_contested) {
		return MCP_NOT_STORED;
	}
	uint64_t epoch = keeps_epoch ? entry->envelope.epoch
								 : mcp_epoch_u64(self->cache->environment, key->fingerprint);
	char header[MCP_ENVELOPE_UNTAGGED_MAX_LENGTH];
	mcp_cache_record record = {.header = header};
	compose_marker(self->cache, key, &record, epoch, true);
	return after_swap(mcp_store_cas(self->cache->store, key, &record.record, entry->cas),
		MCP_NOT_STORED);
}

/* Whether the bytes and tags are equal. With other tags, this caller might not be served that value, or an
 * invalidation of its tags would miss it. */
static bool is_the_same(const mcp_cache_value *value, const mcp_cache_entry *entry) {
	return !entry->envelope.has_counter && entry->flags == (value->flags & MCP_FLAG_VALUE_MASK) &&
		mcp_bytes_equal(entry->envelope.tags, value->tags) &&
		mcp_bytes_equal(entry->stored, value->payload);
}

static bool ends_soon(const storing *self, const mcp_cache_entry *entry) {
	return entry->envelope.soft_ms <= mcp_wall_ms(self->cache->environment) + self->holdoff_ms;
}

/* Handle an item that differs from the recorded one. Does not read. */
static mcp_status refuse_other(const storing *self, const turn *one, const mcp_cache_entry *entry) {
	if (entry->is_absent) {
		return MCP_NOT_STORED;
	}
	if (entry->has_value && is_the_same(one->value, entry)) {
		return renew(self, one, entry, MCP_OK);
	}
	if (entry->has_value && ends_soon(self, entry)) {
		return renew(self, one, entry, MCP_NOT_STORED);
	}
	return contest(self, one, entry);
}

/* End a refused add (no change) or replace: a marker that the caller's change has overtaken becomes contested. */
static mcp_status give_up(const storing *self, const turn *one, const mcp_cache_entry *entry) {
	bool is_to_be_told = self->verb == MCP_OP_CAS && !entry->is_absent;
	return is_to_be_told ? contest(self, one, entry) : MCP_NOT_STORED;
}

/* Check the current item, and add a write if it is the recorded item. */
static void judge_current(storing *self, size_t index, const mcp_cache_entry *entry) {
	turn *one = &self->turns[index];
	if (entry->trouble != MCP_OK) {
		one->status = entry->trouble;
		return;
	}
	one->is_in_vain = (self->verb == MCP_OP_ADD && entry->freshness == MCP_FRESH) ||
		(self->verb == MCP_OP_CAS && !entry->has_value);
	if (one->is_in_vain) {
		one->status = give_up(self, one, entry);
		return;
	}
	if (is_stamped(self->cache, one->stamp, entry)) {
		add_write(self, index, entry);
	} else {
		one->status = refuse_other(self, one, entry);
	}
	if (!one->has_seen) {
		one->has_seen = true;
		one->first_epoch = entry->envelope.epoch;
	}
}

/* The tags are needed only for an add or a replace, and only single calls add or replace. */
static void read_current(storing *self) {
	mcp_cache_entry entry;
	mcp_cache_examine(self->cache, self->turns->key, &entry);
	if (self->verb == MCP_OP_CAS) {
		mcp_cache_hide_stale(self->cache, &entry);
	}
	judge_current(self, 0, &entry);
}

/* Read the undecided items, and store over the recorded items. Writes reuse the places of completed reads. */
static void store_over_read(storing *self) {
	size_t asked = 0;
	for (size_t i = 0; self->verb == MCP_OP_SET && i < self->count; i++) {
		if (self->turns[i].status == MCP_EXISTS) {
			mcp_op_begin(&self->ops[asked], MCP_OP_GET, self->turns[i].key, NULL);
			self->ops[asked++].by = i;
		}
	}
	mcp_store_run_all(self->cache->store, self->ops, asked);
	for (size_t i = 0; i < asked; i++) {
		mcp_cache_entry entry;
		mcp_cache_judge(self->cache, self->ops[i].key, &self->ops[i], &entry);
		judge_current(self, self->ops[i].by, &entry);
	}
	if (self->verb != MCP_OP_SET) {
		read_current(self);
	}
	send(self);
}

/* Delete an item that cannot be replaced, so that no outdated value remains. */
static mcp_status give_way(const storing *self, const mcp_key *key, mcp_status answer) {
	mcp_status status = mcp_store_delete(self->cache->store, key);
	return mcp_status_is_failure(status) ? status : answer;
}

/* Add a value without a stamp, which does not require a read. */
static void begin(storing *self, size_t index) {
	turn *one = &self->turns[index];
	mcp_store *store = self->cache->store;
	bool fits = mcp_cache_fits(self->cache, one->key, one->value);
	one->is_blind = one->stamp->state == MCP_READ_STAMP_NONE;
	one->is_in_vain = one->has_seen = false;
	if (one->is_blind && !fits) {
		one->status = MCP_TOO_LARGE;
		return;
	}
	mcp_store_begin_change(store, one->key);
	one->status = fits ? MCP_EXISTS : give_way(self, one->key, MCP_TOO_LARGE);
	if (one->is_blind) {
		add_write(self, index, NULL);
	}
}

/* Store over the items that this process has written. Their CAS values are known, so no read is needed. */
static void store_proven(storing *self) {
	for (size_t i = 0; i < self->count; i++) {
		const turn *one = &self->turns[i];
		bool is_proven = one->stamp->state == MCP_READ_STAMP_HELD && self->verb == MCP_OP_SET &&
			mcp_store_may_take(self->cache->store, &one->stamp->proof);
		if (one->status == MCP_EXISTS && is_proven) {
			add_write(self, i, NULL);
		}
	}
	send(self);
}

static bool has_undecided(const storing *self) {
	for (size_t i = 0; i < self->count; i++) {
		if (self->turns[i].status == MCP_EXISTS) {
			return true;
		}
	}
	return false;
}

static mcp_status finish_blind(const storing *self, const turn *one, uint64_t at_ms) {
	if (one->status == MCP_TOO_LARGE) {
		return MCP_TOO_LARGE;
	}
	return one->status == MCP_NOT_STORED
		? mcp_cache_add(self->cache, one->key, one->value)
		: mcp_cache_finish_write(self->cache, one->key, one->status, at_ms);
}

static mcp_status finish_storing(const storing *self, const turn *one) {
	const mcp_key *key = one->key;
	mcp_status status = one->status;
	if (status == MCP_EXISTS) {
		status = give_way(self, key, MCP_NOT_STORED);
	}
	status = status == MCP_NOT_FOUND ? MCP_NOT_STORED : status;
	mcp_cache_count_change(self->cache, key, status);
	mcp_cache_tally_stored(self->cache, key, status);
	if (mcp_status_is_failure(status)) {
		one->stamp->state = MCP_READ_STAMP_TORN;
	} else if (status == MCP_NOT_STORED && !one->is_in_vain) {
		mcp_cache_count_refused(self->cache, key, MCP_COUNT_CHANGED);
	}
	return status;
}

static void store(storing *self) {
	uint64_t at_ms = mcp_wall_ms(self->cache->environment);
	self->writes = 0;
	for (size_t i = 0; i < self->count; i++) {
		begin(self, i);
	}
	send(self);
	store_proven(self);
	for (int round = 0; round < TURNS_MAX && has_undecided(self); round++) {
		store_over_read(self);
	}
	for (size_t i = 0; i < self->count; i++) {
		turn *one = &self->turns[i];
		one->status = one->is_blind ? finish_blind(self, one, at_ms) : finish_storing(self, one);
	}
}

static mcp_status store_one(const mcp_cache *cache, const mcp_key *key,
	const mcp_cache_value *value, uint32_t holdoff_ms, mcp_read_stamp *stamp, mcp_op_verb verb) {
	char header[MCP_ENVELOPE_MAX_LENGTH];
	turn one;
	one.key = key;
	one.value = value;
	one.stamp = stamp;
	one.record.header = header;
	mcp_op op;
	storing self = {cache, verb, holdoff_ms, &one, &op, 1, 0};
	store(&self);
	return one.status;
}

mcp_status mcp_cache_guarded_set(const mcp_cache *cache, const mcp_key *key,
	const mcp_cache_value *value, uint32_t holdoff_ms, mcp_read_stamp *stamp) {
	return store_one(cache, key, value, holdoff_ms, stamp, MCP_OP_SET);
}

mcp_status mcp_cache_guarded_add(const mcp_cache *cache, const mcp_key *key,
	const mcp_cache_value *value, uint32_t holdoff_ms, mcp_read_stamp *stamp) {
	return store_one(cache, key, value, holdoff_ms, stamp, MCP_OP_ADD);
}

mcp_status mcp_cache_guarded_replace(const mcp_cache *cache, const mcp_key *key,
	const mcp_cache_value *value, uint32_t holdoff_ms, mcp_read_stamp *stamp) {
	return stamp->state == MCP_READ_STAMP_NONE
		? mcp_cache_replace(cache, key, value)
		: store_one(cache, key, value, holdoff_ms, stamp, MCP_OP_CAS);
}

/* Number of values in the next batch. */
static size_t count_together(const mcp_cache_setting *settings, size_t left) {
	size_t bytes = 0, count = 0;
	while (count < left && count < MCP_CACHE_BATCH_MAX && bytes < BYTES_TOGETHER_MAX) {
		bytes += settings[count++].value.payload.length;
	}
	return count;
}

/* Memory of a batch. */
typedef struct storing_memory {
	turn turns[MCP_CACHE_BATCH_MAX];
	mcp_op ops[MCP_CACHE_BATCH_MAX];
	char headers[];
} storing_memory;

void mcp_cache_guarded_set_many(const mcp_cache *cache, mcp_cache_setting *settings,
	mcp_read_stamp *const *stamps, size_t count, uint32_t holdoff_ms) {
	size_t header = mcp_cache_header_size_max(&settings->value.tags, sizeof(*settings), count);
	storing_memory *memory = count > 1 && !mcp_store_sees_each_change(cache->store)
		? malloc(sizeof(*memory) + MCP_CACHE_BATCH_MAX * header)
		: NULL;
	for (size_t i = 0; memory == NULL && i < count; i++) {
		settings[i].status = mcp_cache_guarded_set(cache, &settings[i].key, &settings[i].value,
			holdoff_ms, stamps[i]);
	}
	for (size_t from = 0; memory != NULL && from < count;) {
		storing self = {cache, MCP_OP_SET, holdoff_ms, memory->turns, memory->ops,
			count_together(settings + from, count - from), 0};
		for (size_t i = 0; i < self.count; i++) {
			self.turns[i].key = &settings[from + i].key;
			self.turns[i].value = &settings[from + i].value;
			self.turns[i].stamp = stamps[from + i];
			self.turns[i].record.header = memory->headers + i * header;
		}
		store(&self);
		for (size_t i = 0; i < self.count; i++) {
			settings[from++].status = self.turns[i].status;
		}
	}
	free(memory);
}

mcp_status mcp_cache_guarded_discard(const mcp_cache *cache, const mcp_key *key) {
	mcp_status status = mcp_cache_delete(cache, key);
	if (status != MCP_OK) {
		return status;
	}
	mcp_cache_count_refused(cache, key, MCP_COUNT_CHANGED);
	return MCP_NOT_STORED;
}
