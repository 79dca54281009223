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

/* A value being sent, and the proof of its write. */
typedef struct mcp_guarded_parcel {
	uint64_t epoch;
	uint64_t cap_ms;         /* 0: none */
	mcp_cache_record record; /* its header must be set before it is composed */
	mcp_proof proof;
} mcp_guarded_parcel;

/* Identity of an item, as in a read stamp, and the records that replace it: marks, and values that may have
 * to expire soon. */

/* Touches, claims and running numbers do not change the identity: every new value has another epoch or
 * election. */
static mcp_read_stamp note_of(const mcp_cache *cache, const mcp_cache_entry *entry) {
	mcp_read_stamp note = {.state = MCP_READ_STAMP_HELD};
	if (entry->is_unreadable) {
		note.epoch = mcp_foreign_epoch(entry->stored, entry->flags, entry->cas);
	} else {
		note.epoch = entry->envelope.epoch;
		note.election = entry->envelope.value_election;
		note.is_of_value = entry->envelope.has_value;
		note.cap_ms = mcp_cache_cap_of(cache, entry);
	}
	return note;
}

static bool stands(const mcp_cache_entry *entry) {
	return !mcp_status_is_failure(entry->trouble) && !entry->is_absent;
}

/* Record the entry's item; TORN if the entry is inconclusive. */
static void mcp_cache_guarded_hold(const mcp_cache *cache, mcp_read_stamp *note,
	const mcp_cache_entry *entry) {
	uint64_t made_ms = note->made_ms;
	*note = stands(entry) ? note_of(cache, entry) : (mcp_read_stamp){.state = MCP_READ_STAMP_TORN};
	note->made_ms = made_ms;
	if (entry->verdict == MCP_VERDICT_ELECTED) {
		note->proof = entry->claim.proof;
		note->cap_ms = 0;
	}
}

/* Whether the recorded item is still stored: the same epoch, and a value of the same election. */
static bool mcp_cache_guarded_is_noted(const mcp_cache *cache, const mcp_read_stamp *note,
	const mcp_cache_entry *entry) {
	if (note->state != MCP_READ_STAMP_HELD || !stands(entry)) {
		return false;
	}
	mcp_read_stamp found = note_of(cache, entry);
	return found.epoch == note->epoch && found.election == note->election &&
		found.is_of_value == note->is_of_value;
}

static void mcp_cache_guarded_compose_mark(const mcp_cache *cache, const mcp_key *key,
	mcp_cache_record *record, uint64_t epoch, bool is_contested) {
	uint64_t now_ms = mcp_wall_ms(cache->environment);
	mcp_envelope envelope = {
		.created_ms = now_ms,
		.soft_ms = now_ms + MCP_GUARDED_MARK_MS,
		.hard_ms = now_ms + MCP_GUARDED_MARK_MS,
		.key_fingerprint = key->fingerprint,
		.epoch = epoch,
		.is_contested = is_contested,
	};
	mcp_cache_compose_new(cache, key, record, &envelope, mcp_bytes_none(), 0);
	record->record.ttl_ms = MCP_GUARDED_MARK_MS;
}

/* Compose the value; it becomes stale at `cap_ms` at the latest (0: no limit). `to` must not move until it
 * is sent.
 * The epoch is new: under the mark's epoch, a remember that was elected over it earlier could still store
 * its older result. */
static void mcp_cache_guarded_compose(const mcp_cache *cache, const mcp_key *key,
	const mcp_cache_value *value, uint64_t cap_ms, mcp_guarded_parcel *to) {
	mcp_cache_value capped = *value;
	capped.cap_ms = cap_ms;
	mcp_envelope envelope = mcp_cache_envelope_of(cache, key, &capped);
	to->epoch = envelope.epoch;
	to->cap_ms = cap_ms;
	mcp_cache_compose_new(cache, key, &to->record, &envelope, value->payload, value->flags);
	to->record.record.proof = mcp_cache_wants(cache, &to->proof);
}

static void mcp_cache_guarded_note_stored(const mcp_cache *cache, const mcp_guarded_parcel *stored,
	mcp_read_stamp *note) {
	*note = (mcp_read_stamp){
		.state = MCP_READ_STAMP_HELD,
		.is_of_value = true,
		.epoch = stored->epoch,
		.made_ms = mcp_monotonic_ms(cache->environment),
		.cap_ms = stored->cap_ms,
		.proof = stored->proof,
	};
}

/* Latest time at which a value over the entry must become stale; 0: no limit. `entry` NULL: over the item of
 * the stamp's proof. A value after a capped value may be based on it. */
static uint64_t mcp_cache_guarded_cap(const mcp_cache *cache, const mcp_read_stamp *note,
	const mcp_cache_entry *entry, uint32_t holdoff_ms) {
	uint64_t now_ms = mcp_wall_ms(cache->environment);
	if (note->cap_ms != 0) {
		return note->cap_ms > now_ms ? note->cap_ms : now_ms + 1;
	}
	bool is_contested = entry != NULL && !entry->envelope.has_value && entry->envelope.is_contested;
	return is_contested ? now_ms + holdoff_ms : 0;
}

void mcp_cache_guarded_note_published(const mcp_cache *cache, mcp_read_stamp *note,
	const mcp_claim *claim) {
	*note = (mcp_read_stamp){
		.state = MCP_READ_STAMP_HELD,
		.made_ms = mcp_monotonic_ms(cache->environment),
		.is_of_value = true,
		.election = claim->election,
		.epoch = claim->epoch,
	};
}

/* Reads record their item, and leave a mark if the key is missing. Trust a mark only if it was stored before
 * the read ended: a mark that arrives late, after a delete, would accept data that was read before the
 * delete. */

/* Record the current item, before the caller reads its database. */
static void look_again(const mcp_cache *cache, const mcp_key *key, mcp_read_stamp *note) {
	mcp_cache_entry entry;
	mcp_cache_fetch(cache, key, &entry);
	mcp_cache_guarded_hold(cache, note, &entry);
}

/* Record a mark by the status of its write. */
static void note_mark(const mcp_cache *cache, const mcp_key *key, uint64_t epoch, mcp_status status,
	mcp_read_stamp *note) {
	if (status == MCP_OK) {
		note->state = MCP_READ_STAMP_HELD;
		note->epoch = epoch;
	} else if (status == MCP_NOT_STORED) {
		look_again(cache, key, note);
	} else if (status == MCP_UNKNOWN) {
		mcp_store_bypass_breaker(cache->store, key, MCP_BYPASS_TO_RESOLVE);
		look_again(cache, key, note);
	} else {
		note->state = MCP_READ_STAMP_TORN;
	}
}

static void leave_mark(const mcp_cache *cache, const mcp_key *key, mcp_read_stamp *note) {
	uint64_t epoch = mcp_epoch_u64(cache->environment, key->fingerprint);
	char header[MCP_ENVELOPE_UNTAGGED_MAX_LENGTH];
	mcp_cache_record record = {.header = header};
	mcp_cache_guarded_compose_mark(cache, key, &record, epoch, false);
	record.record.proof = mcp_cache_wants(cache, &note->proof);
	note_mark(cache, key, epoch, mcp_store_add(cache->store, key, &record.record), note);
}

static bool finds_nothing(const mcp_cache_entry *entry) {
	return entry->is_absent && entry->trouble == MCP_OK;
}

/* End the cap if the caller was elected over its own value: it recomputes. */
static void end_cap(const mcp_cache *cache, const mcp_cache_entry *entry, mcp_read_stamp *note) {
	if (entry->verdict == MCP_VERDICT_ELECTED && mcp_cache_guarded_is_noted(cache, note, entry)) {
		note->cap_ms = 0;
	}
}

/* Whether a new stamp starts: there is none, or its mark has expired. */
static bool is_first(const mcp_cache *cache, const mcp_read_stamp *note) {
	return note->state == MCP_READ_STAMP_NONE ||
		mcp_monotonic_ms(cache->environment) - note->made_ms >= MCP_GUARDED_MARK_MS;
}

void mcp_cache_guarded_note(const mcp_cache *cache, const mcp_key *key,
	const mcp_cache_entry *entry, mcp_read_stamp *note) {
	if (!is_first(cache, note)) {
		end_cap(cache, entry, note);
		return;
	}
	*note = (mcp_read_stamp){.made_ms = mcp_monotonic_ms(cache->environment)};
	if (finds_nothing(entry)) {
		leave_mark(cache, key, note);
	} else {
		mcp_cache_guarded_hold(cache, note, entry);
	}
}

/* Marks of one batch. The head of a record is a view into it. */
typedef struct batch_of_marks {
	size_t count;
	size_t places[MCP_CACHE_BATCH_MAX];
	uint64_t epochs[MCP_CACHE_BATCH_MAX];
	mcp_op writes[MCP_CACHE_BATCH_MAX];
	mcp_cache_record records[MCP_CACHE_BATCH_MAX];
	char headers[MCP_CACHE_BATCH_MAX][MCP_ENVELOPE_UNTAGGED_MAX_LENGTH];
} batch_of_marks;

static void add_mark(const mcp_cache *cache, const mcp_key *key, size_t place, batch_of_marks *to) {
	mcp_cache_record *record = &to->records[to->count];
	uint64_t epoch = mcp_epoch_u64(cache->environment, key->fingerprint);
	*record = (mcp_cache_record){.header = to->headers[to->count]};
	mcp_cache_guarded_compose_mark(cache, key, record, epoch, false);
	to->places[to->count] = place;
	to->epochs[to->count] = epoch;
	to->writes[to->count++] = (mcp_op){.verb = MCP_OP_ADD, .key = key, .record = &record->record};
}

/* Record the current items of the keys whose marks were not stored, or possibly not, with one batched read. */
static void look_again_among(const mcp_cache *cache, const mcp_cache_batch *batch,
	mcp_read_stamp *const *notes, const batch_of_marks *sent) {
	size_t places[MCP_CACHE_BATCH_MAX], count = 0;
	for (size_t i = 0; i < sent->count; i++) {
		mcp_status status = sent->writes[i].status;
		if (status == MCP_NOT_STORED || status == MCP_UNKNOWN) {
			batch->scratch_keys[count] = *sent->writes[i].key;
			places[count++] = sent->places[i];
		}
		if (status == MCP_UNKNOWN) {
			mcp_store_bypass_breaker(cache->store, sent->writes[i].key, MCP_BYPASS_TO_RESOLVE);
		}
	}
	if (count > 0) {
		mcp_store_get_many(cache->store, batch->scratch_keys, count, batch->replies);
	}
	for (size_t i = 0; i < count; i++) {
		mcp_cache_entry entry;
		mcp_cache_judge(cache, &batch->scratch_keys[i], &batch->replies[i], &entry);
		mcp_cache_guarded_hold(cache, notes[places[i]], &entry);
	}
}

static void leave_marks(const mcp_cache *cache, const mcp_cache_batch *batch,
	mcp_read_stamp *const *notes, batch_of_marks *marks) {
	mcp_store_run_all(cache->store, marks->writes, marks->count);
	for (size_t i = 0; i < marks->count; i++) {
		mcp_status status = marks->writes[i].status;
		*notes[marks->places[i]] = (mcp_read_stamp){
			.state = status == MCP_OK ? MCP_READ_STAMP_HELD : MCP_READ_STAMP_TORN,
			.epoch = marks->epochs[i],
			.made_ms = mcp_monotonic_ms(cache->environment),
		};
	}
	look_again_among(cache, batch, notes, marks);
	marks->count = 0;
}

static bool is_to_be_marked(const mcp_cache *cache, const mcp_cache_batch *batch,
	const mcp_read_stamp *note, size_t index) {
	return note != NULL && finds_nothing(&batch->entries[index]) && is_first(cache, note);
}

void mcp_cache_guarded_note_many(const mcp_cache *cache, const mcp_cache_batch *batch,
	mcp_read_stamp *const *notes) {
	batch_of_marks *marks = batch->count > 1 ? malloc(sizeof(*marks)) : NULL;
	if (marks != NULL) {
		marks->count = 0;
	}
	for (size_t i = 0; i < batch->count; i++) {
		if (marks != NULL && is_to_be_marked(cache, batch, notes[i], i)) {
			add_mark(cache, &batch->keys[i], i, marks);
		} else if (notes[i] != NULL) {
			mcp_cache_guarded_note(cache, &batch->keys[i], &batch->entries[i], notes[i]);
		}
		if (marks != NULL && marks->count == MCP_CACHE_BATCH_MAX) {
			leave_marks(cache, batch, notes, marks);
		}
	}
	if (marks != NULL && marks->count > 0) {
		leave_marks(cache, batch, notes, marks);
	}
	free(marks);
}

void mcp_cache_guarded_note_delete(mcp_read_stamp *note, mcp_status status) {
	if (!mcp_status_is_failure(status)) {
		*note = (mcp_read_stamp){.state = MCP_READ_STAMP_NONE};
	} else if (note->state != MCP_READ_STAMP_NONE) {
		note->state = MCP_READ_STAMP_TORN;
	}
}

/* Stores over the recorded item. If another item exists, it is unknown whose row is the latest. That item is
 * emptied at most once, and its next value lives for the holdoff. An item that stays gets a new epoch, so
 * that no earlier stamp or election can replace it. */

/* Maximum retries of a store that loses races. */
#define TURNS_MAX 8

typedef enum storing_verb { SET, ADD, REPLACE } storing_verb;

typedef struct storing {
	const mcp_cache *cache;
	const mcp_key *key;
	const mcp_cache_value *value;
	uint32_t holdoff_ms;
	mcp_read_stamp *note;
	storing_verb verb;
	bool is_in_vain;      /* an add met a fresh value, or a replace met no value */
	bool has_seen;        /* this call has read the key before ... */
	uint64_t first_epoch; /* ... and found this epoch; 0: none */
} storing;

/* Write the value over the current item `entry`. NULL: over the item of the stamp's proof. */
static mcp_status put(const storing *self, const mcp_cache_entry *entry) {
	mcp_store *store = self->cache->store;
	mcp_cache_value value = *self->value;
	if (entry != NULL) {
		value.lifetime = mcp_cache_lifetime_over(value.lifetime, entry);
	}
	uint64_t cap_ms = mcp_cache_guarded_cap(self->cache, self->note, entry, self->holdoff_ms);
	char header[MCP_ENVELOPE_MAX_LENGTH];
	mcp_guarded_parcel sent = {.record.header = header};
	mcp_cache_guarded_compose(self->cache, self->key, &value, cap_ms, &sent);
	const mcp_record *record = &sent.record.record;
	mcp_status status = entry != NULL
		? mcp_store_cas(store, self->key, record, entry->cas)
		: mcp_store_cas_proven(store, self->key, record, &self->note->proof);
	if (status == MCP_UNKNOWN) {
		status = mcp_cache_settle_epoch(self->cache, self->key, sent.epoch);
	}
	if (status == MCP_OK) {
		mcp_cache_guarded_note_stored(self->cache, &sent, self->note);
	}
	return status;
}

static mcp_status after_swap(mcp_status status, mcp_status answer) {
	return status == MCP_OK ? answer : status;
}

/* Whether the item was written after this call began: later stamps and elections may refer to it. */
static bool is_of_this_call(const storing *self, const mcp_cache_entry *entry) {
	return self->has_seen && entry->envelope.epoch != self->first_epoch;
}

/* Keep the value under a new epoch. If its bytes differ from ours, nothing may prolong its life. */
static mcp_status renew(const storing *self, const mcp_cache_entry *entry, mcp_status answer) {
	mcp_envelope envelope = entry->envelope;
	envelope.is_contested |= answer != MCP_OK;
	if (is_of_this_call(self, entry) && envelope.is_contested == entry->envelope.is_contested) {
		return answer;
	}
	envelope.epoch = mcp_epoch_u64(self->cache->environment, self->key->fingerprint);
	envelope.newest_election = envelope.value_election = 0;
	envelope.has_claim = false;
	return after_swap(mcp_cache_swap(self->cache, self->key, &envelope, entry), answer);
}

/* Replace the current item by a contested mark. */
static mcp_status contest(const storing *self, const mcp_cache_entry *entry) {
	bool keeps_epoch = mcp_cache_is_mark(entry);
	if (keeps_epoch && entry->envelope.is_contested) {
		return MCP_NOT_STORED;
	}
	uint64_t epoch = keeps_epoch ? entry->envelope.epoch
								 : mcp_epoch_u64(self->cache->environment, self->key->fingerprint);
	char header[MCP_ENVELOPE_UNTAGGED_MAX_LENGTH];
	mcp_cache_record record = {.header = header};
	mcp_cache_guarded_compose_mark(self->cache, self->key, &record, epoch, true);
	return after_swap(mcp_store_cas(self->cache->store, self->key, &record.record, entry->cas),
		MCP_NOT_STORED);
}

/* Whether the bytes and tags are equal. With other tags, this caller might not be served that value, or an
 * invalidation of its tags would miss it. */
static bool is_the_same(const storing *self, const mcp_cache_entry *entry) {
	return !entry->envelope.has_counter &&
		entry->flags == (self->value->flags & MCP_FLAG_VALUE_MASK) &&
		mcp_bytes_equal(entry->envelope.tags, self->value->tags) &&
		mcp_bytes_equal(entry->stored, self->value->payload);
}

static bool ends_soon(const storing *self, const mcp_cache_entry *entry) {
	return entry->envelope.soft_ms <= mcp_wall_ms(self->cache->environment) + self->holdoff_ms;
}

/* Handle an item that differs from the recorded one. */
static mcp_status refuse(const storing *self, const mcp_cache_entry *entry) {
	if (entry->is_absent) {
		return MCP_NOT_STORED;
	}
	if (entry->has_value && is_the_same(self, entry)) {
		return renew(self, entry, MCP_OK);
	}
	if (entry->has_value && ends_soon(self, entry)) {
		return renew(self, entry, MCP_NOT_STORED);
	}
	return contest(self, entry);
}

static void look(const storing *self, mcp_cache_entry *entry) {
	if (self->verb == SET) {
		mcp_cache_fetch(self->cache, self->key, entry);
	} else {
		mcp_cache_examine(self->cache, self->key, entry);
	}
	if (self->verb == REPLACE) {
		mcp_cache_hide_old(self->cache, entry);
	}
}

static bool is_in_vain(const storing *self, const mcp_cache_entry *entry) {
	return (self->verb == ADD && entry->freshness == MCP_FRESH) ||
		(self->verb == REPLACE && !entry->has_value);
}

/* End a refused add (no change) or replace: a mark that the caller's change has overtaken becomes contested. */
static mcp_status give_up(storing *self, const mcp_cache_entry *entry) {
	self->is_in_vain = true;
	bool is_to_be_told = self->verb == REPLACE && !entry->is_absent;
	return is_to_be_told ? contest(self, entry) : MCP_NOT_STORED;
}

static mcp_status take_turn(storing *self) {
	mcp_cache_entry entry;
	look(self, &entry);
	if (entry.trouble != MCP_OK) {
		return entry.trouble;
	}
	self->is_in_vain = false;
	if (is_in_vain(self, &entry)) {
		return give_up(self, &entry);
	}
	mcp_status status = mcp_cache_guarded_is_noted(self->cache, self->note, &entry)
		? put(self, &entry)
		: refuse(self, &entry);
	if (!self->has_seen) {
		self->has_seen = true;
		self->first_epoch = entry.envelope.epoch;
	}
	return status;
}

/* Delete an item that cannot be replaced, so that no outdated value stays. */
static mcp_status give_way(const storing *self, mcp_status answer) {
	mcp_status status = mcp_store_delete(self->cache->store, self->key);
	return mcp_status_is_failure(status) ? status : answer;
}

static mcp_status put_proven(const storing *self) {
	const mcp_read_stamp *note = self->note;
	bool is_proven =
		note->state == MCP_READ_STAMP_HELD && note->proof.cas != 0 && self->verb == SET;
	return is_proven ? put(self, NULL) : MCP_UNSUPPORTED;
}

static mcp_status go(storing *self) {
	if (!mcp_cache_fits(self->cache, self->key, self->value)) {
		return give_way(self, MCP_TOO_LARGE);
	}
	mcp_status status = put_proven(self);
	bool is_settled = status != MCP_UNSUPPORTED && status != MCP_EXISTS;
	for (int turn = 0; turn < TURNS_MAX && !is_settled; turn++) {
		status = take_turn(self);
		is_settled = status != MCP_EXISTS;
	}
	return is_settled ? status : give_way(self, MCP_NOT_STORED);
}

static mcp_status finish(const storing *self, mcp_status status) {
	status = status == MCP_NOT_FOUND ? MCP_NOT_STORED : status;
	mcp_cache_count_change(self->cache, self->key, status);
	mcp_cache_tally_stored(self->cache, self->key, status);
	if (mcp_status_is_failure(status)) {
		self->note->state = MCP_READ_STAMP_TORN;
	} else if (status == MCP_NOT_STORED && !self->is_in_vain) {
		mcp_cache_count_refused(self->cache, self->key, MCP_COUNT_CHANGED);
	}
	return status;
}

/* Write the value without a read, and record it. */
static mcp_status send_blindly(const storing *self) {
	const mcp_cache *cache = self->cache;
	char header[MCP_ENVELOPE_MAX_LENGTH];
	mcp_guarded_parcel sent = {.record.header = header};
	mcp_cache_guarded_compose(cache, self->key, self->value, 0, &sent);
	const mcp_record *record = &sent.record.record;
	mcp_status status = self->verb == ADD ? mcp_store_add(cache->store, self->key, record)
										  : mcp_store_set(cache->store, self->key, record);
	if (status == MCP_UNKNOWN && self->verb == ADD) {
		status = mcp_cache_settle_epoch(cache, self->key, sent.epoch);
	}
	if (status == MCP_OK) {
		mcp_cache_guarded_note_stored(cache, &sent, self->note);
	}
	return status;
}

static mcp_status store_blindly(const storing *self) {
	if (!mcp_cache_fits(self->cache, self->key, self->value)) {
		return MCP_TOO_LARGE;
	}
	uint64_t at_ms = mcp_wall_ms(self->cache->environment);
	mcp_store_begin_change(self->cache->store, self->key);
	mcp_status status = send_blindly(self);
	if (status == MCP_NOT_STORED) {
		return mcp_cache_add(self->cache, self->key, self->value);
	}
	return mcp_cache_finish_write(self->cache, self->key, status, at_ms);
}

static mcp_status store(storing *self) {
	if (self->note->state == MCP_READ_STAMP_NONE) {
		return self->verb == REPLACE ? mcp_cache_replace(self->cache, self->key, self->value)
									 : store_blindly(self);
	}
	mcp_store_begin_change(self->cache->store, self->key);
	return finish(self, go(self));
}

mcp_status mcp_cache_guarded_set(const mcp_cache *cache, const mcp_key *key,
	const mcp_cache_value *value, uint32_t holdoff_ms, mcp_read_stamp *note) {
	storing self = {cache, key, value, holdoff_ms, note, .verb = SET};
	return store(&self);
}

mcp_status mcp_cache_guarded_add(const mcp_cache *cache, const mcp_key *key,
	const mcp_cache_value *value, uint32_t holdoff_ms, mcp_read_stamp *note) {
	storing self = {cache, key, value, holdoff_ms, note, .verb = ADD};
	return store(&self);
}

mcp_status mcp_cache_guarded_replace(const mcp_cache *cache, const mcp_key *key,
	const mcp_cache_value *value, uint32_t holdoff_ms, mcp_read_stamp *note) {
	storing self = {cache, key, value, holdoff_ms, note, .verb = REPLACE};
	return store(&self);
}

mcp_status mcp_cache_guarded_discard(const mcp_cache *cache, const mcp_key *key) {
	mcp_status status = mcp_cache_delete(cache, key);
	if (status != MCP_OK) {
		return status;
	}
	mcp_cache_count_refused(cache, key, MCP_COUNT_CHANGED);
	return MCP_NOT_STORED;
}

/* Stores many values: one batched read of the current items, one batched write of those whose stamps match.
 * The others are stored one by one. */

/* Maximum bytes per batched read, assuming that stored and new values have the same size. */
#define BYTES_TOGETHER_MAX ((size_t)1024 * 1024)

/* The values of one batch. A write's record is a view into its parcel. */
typedef struct storing_many {
	const mcp_cache *cache;
	mcp_cache_setting *settings;
	mcp_read_stamp *const *notes;
	uint32_t holdoff_ms;
	size_t header_room;
	size_t count;                       /* of writes */
	size_t places[MCP_CACHE_BATCH_MAX]; /* index of each write's setting */
	mcp_op writes[MCP_CACHE_BATCH_MAX];
	mcp_guarded_parcel parcels[MCP_CACHE_BATCH_MAX];
	mcp_key keys[MCP_CACHE_BATCH_MAX];
	mcp_op replies[MCP_CACHE_BATCH_MAX];
	char headers[]; /* header_room for each write */
} storing_many;

/* Status of a value that will be stored separately. */
#define ALONE MCP_EXISTS

static void add_write(storing_many *self, size_t place, uint64_t cap_ms, uint64_t cas) {
	const mcp_cache_setting *setting = &self->settings[place];
	mcp_guarded_parcel *parcel = &self->parcels[self->count];
	parcel->record.header = self->headers + self->count * self->header_room;
	mcp_cache_guarded_compose(self->cache, &setting->key, &setting->value, cap_ms, parcel);
	parcel->record.record.proof = NULL; /* batched writes return no proof */
	self->places[self->count] = place;
	self->writes[self->count++] = (mcp_op){
		.verb = cas != 0 ? MCP_OP_CAS : MCP_OP_SET,
		.key = &setting->key,
		.record = &parcel->record.record,
		.expects.cas = cas,
	};
}

/* Finish a value whose status is final. MCP_EXISTS, MCP_NOT_FOUND: changed or deleted by others, so it is
 * stored separately. */
static void conclude(const storing_many *self, size_t place, mcp_status status) {
	mcp_cache_setting *setting = &self->settings[place];
	mcp_read_stamp *note = self->notes[place];
	if (status == MCP_EXISTS || status == MCP_NOT_FOUND) {
		setting->status = ALONE;
		return;
	}
	setting->status = mcp_cache_finish_write(self->cache, &setting->key, status,
		mcp_wall_ms(self->cache->environment));
	if (mcp_status_is_failure(status) && note->state != MCP_READ_STAMP_NONE) {
		note->state = MCP_READ_STAMP_TORN;
	}
}

static void send(storing_many *self) {
	mcp_store_run_all(self->cache->store, self->writes, self->count);
	for (size_t i = 0; i < self->count; i++) {
		const mcp_op *write = &self->writes[i];
		mcp_status status = write->status;
		if (status == MCP_UNKNOWN && write->verb == MCP_OP_CAS) {
			status = mcp_cache_settle_epoch(self->cache, write->key, self->parcels[i].epoch);
		}
		conclude(self, self->places[i], status);
		if (status == MCP_OK) {
			mcp_cache_guarded_note_stored(self->cache, &self->parcels[i],
				self->notes[self->places[i]]);
		}
	}
	self->count = 0;
}

/* Whether it can be batched. A value that is too large is handled separately: its key is deleted, or
 * MCP_TOO_LARGE returned. */
static bool goes_together(const storing_many *self, size_t place, mcp_read_stamp_state state) {
	const mcp_cache_setting *setting = &self->settings[place];
	return self->notes[place]->state == state && setting->status == ALONE &&
		mcp_cache_fits(self->cache, &setting->key, &setting->value);
}

/* Judge the current item, and add a write if it is the recorded one. */
static void judge(storing_many *self, size_t place, const mcp_op *reply) {
	mcp_cache_setting *setting = &self->settings[place];
	mcp_cache_entry entry;
	mcp_cache_judge(self->cache, &setting->key, reply, &entry);
	if (entry.trouble != MCP_OK) {
		conclude(self, place, entry.trouble);
	} else if (entry.cas != 0 &&
		mcp_cache_guarded_is_noted(self->cache, self->notes[place], &entry)) {
		uint64_t cap_ms =
			mcp_cache_guarded_cap(self->cache, self->notes[place], &entry, self->holdoff_ms);
		add_write(self, place, cap_ms, entry.cas);
	}
}

/* Store the values whose recorded items are unchanged. A TORN stamp is stored separately. */
static void store_over_noted(storing_many *self, size_t from, size_t to) {
	size_t places[MCP_CACHE_BATCH_MAX], count = 0;
	for (size_t i = from; i < to; i++) {
		if (goes_together(self, i, MCP_READ_STAMP_HELD)) {
			self->keys[count] = self->settings[i].key;
			places[count++] = i;
		}
	}
	if (count > 0) {
		mcp_store_get_many(self->cache->store, self->keys, count, self->replies);
	}
	for (size_t i = 0; i < count; i++) {
		judge(self, places[i], &self->replies[i]);
	}
	send(self);
}

static void store_all_blindly(storing_many *self, size_t from, size_t to) {
	for (size_t i = from; i < to; i++) {
		if (goes_together(self, i, MCP_READ_STAMP_NONE)) {
			add_write(self, i, 0, 0);
		}
	}
	send(self);
}

/* Store the values `from` to `to`, in batches if possible. */
static void store_some(storing_many *self, size_t from, size_t to) {
	for (size_t i = from; i < to; i++) {
		self->settings[i].status = ALONE;
	}
	store_all_blindly(self, from, to);
	store_over_noted(self, from, to);
	for (size_t i = from; i < to; i++) {
		mcp_cache_setting *setting = &self->settings[i];
		if (setting->status == ALONE) {
			setting->status = mcp_cache_guarded_set(self->cache, &setting->key, &setting->value,
				self->holdoff_ms, self->notes[i]);
		}
	}
}

/* End of the next batch. */
static size_t end_of_some(const mcp_cache_setting *settings, size_t from, size_t count) {
	size_t bytes = 0, to = from;
	while (to < count && to - from < MCP_CACHE_BATCH_MAX && bytes < BYTES_TOGETHER_MAX) {
		bytes += settings[to++].value.payload.length;
	}
	return to;
}

void mcp_cache_guarded_set_many(const mcp_cache *cache, mcp_cache_setting *settings,
	mcp_read_stamp *const *notes, size_t count, uint32_t holdoff_ms) {
	bool is_told_of_each = cache->store->operations->begin_change != NULL;
	size_t room = mcp_cache_header_room(settings, count);
	storing_many *self =
		count > 1 && !is_told_of_each ? malloc(sizeof(*self) + MCP_CACHE_BATCH_MAX * room) : NULL;
	if (self == NULL) {
		for (size_t i = 0; i < count; i++) {
			settings[i].status = mcp_cache_guarded_set(cache, &settings[i].key, &settings[i].value,
				holdoff_ms, notes[i]);
		}
		return;
	}
	self->cache = cache;
	self->settings = settings;
	self->notes = notes;
	self->holdoff_ms = holdoff_ms;
	self->header_room = room;
	self->count = 0;
	for (size_t from = 0, to; from < count; from = to) {
		to = end_of_some(settings, from, count);
		store_some(self, from, to);
	}
	free(self);
}
