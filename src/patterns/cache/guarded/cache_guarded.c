/* Reads that leave a stamp, and writes that go by it, for one key and for many (V1 to V4). */
/* SPDX-License-Identifier: MIT */
#include "cache_guarded.h"

#include "../../../core/envelope/foreign.h"
#include "../entry/cache_envelope.h"
#include "../entry/cache_meter.h"
#include "../look/cache_look.h"
#include "../write/cache_write.h"

#include <stdlib.h>

/* A value on its way, and what its write proves. */
typedef struct mcp_guarded_parcel {
	uint64_t epoch;
	uint64_t cap_ms;         /* 0: none */
	mcp_cache_record record; /* whose header is set before it is composed */
	mcp_proof proof;
} mcp_guarded_parcel;

/* An item's identity, as a note has it, and the records that go in its place: marks, and values that may have to end soon. */

/* Touches, claims and running numbers do not count: whoever sets a value gives it another epoch or election. */
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

/* Notes what the entry says stands there. Torn where it says nothing. */
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

/* Says whether it stands there still: an item of the same epoch, with a value of the same election. */
static bool mcp_cache_guarded_is_noted(const mcp_cache *cache, const mcp_read_stamp *note,
	const mcp_cache_entry *entry) {
	if (note->state != MCP_READ_STAMP_HELD || !stands(entry)) {
		return false;
	}
	mcp_read_stamp found = note_of(cache, entry);
	return found.epoch == note->epoch && found.election == note->election &&
		found.is_of_value == note->is_of_value;
}

/* Fills *record with a mark of this epoch. */
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

/* Composes the value, to end softly at `cap_ms` at the latest; 0: when it wants. `to` must stay where it is until it is
 * sent. Gives it a new epoch: under a mark's own, a remember that was elected over that before would still store what it computed
 * then. */
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

/* Notes what was stored, as an own value. */
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

/* Returns when a value must end softly that is stored over the entry; 0: when it wants. `entry` NULL: over what the note's
 * proof is of. One that follows a capped value may be made of that. */
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

/* Notes what looks have found, and leaves marks where they found nothing. A mark is believed only when it is known to
 * have come before the look was over: one that comes late, after a delete, would let in what was read before that. */

/* Notes what stands there by now, before the caller asks its database. */
static void look_again(const mcp_cache *cache, const mcp_key *key, mcp_read_stamp *note) {
	mcp_cache_entry entry;
	mcp_cache_fetch(cache, key, &entry);
	mcp_cache_guarded_hold(cache, note, &entry);
}

/* Notes a mark that was sent, by what became of it. */
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

/* Ends the cap where the caller was elected over the own value: it computes anew. */
static void end_cap(const mcp_cache *cache, const mcp_cache_entry *entry, mcp_read_stamp *note) {
	if (entry->verdict == MCP_VERDICT_ELECTED && mcp_cache_guarded_is_noted(cache, note, entry)) {
		note->cap_ms = 0;
	}
}

/* Says whether a look begins anew: there was none, or so long ago that its mark is gone. */
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

/* Marks that are sent together. A record's head is a view into it. */
typedef struct batch_of_marks {
	size_t count;
	size_t places[MCP_CACHE_BATCH_MAX];
	uint64_t epochs[MCP_CACHE_BATCH_MAX];
	mcp_write writes[MCP_CACHE_BATCH_MAX];
	char headers[MCP_CACHE_BATCH_MAX][MCP_ENVELOPE_UNTAGGED_MAX_LENGTH];
} batch_of_marks;

static void add_mark(const mcp_cache *cache, const mcp_key *key, size_t place, batch_of_marks *to) {
	mcp_cache_record record = {.header = to->headers[to->count]};
	uint64_t epoch = mcp_epoch_u64(cache->environment, key->fingerprint);
	mcp_cache_guarded_compose_mark(cache, key, &record, epoch, false);
	to->places[to->count] = place;
	to->epochs[to->count] = epoch;
	to->writes[to->count++] = (mcp_write){.key = *key, .record = record.record};
}

/* Notes by one read of many what stands at the keys of those writes that have not left their marks, or may not have. */
static void look_again_among(const mcp_cache *cache, const mcp_cache_batch *batch,
	mcp_read_stamp *const *notes, const batch_of_marks *sent) {
	size_t places[MCP_CACHE_BATCH_MAX], count = 0;
	for (size_t i = 0; i < sent->count; i++) {
		mcp_status status = sent->writes[i].status;
		if (status == MCP_NOT_STORED || status == MCP_UNKNOWN) {
			batch->scratch_keys[count] = sent->writes[i].key;
			places[count++] = sent->places[i];
		}
		if (status == MCP_UNKNOWN) {
			mcp_store_bypass_breaker(cache->store, &sent->writes[i].key, MCP_BYPASS_TO_RESOLVE);
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
	mcp_store_write_many(cache->store, MCP_CHANGE_ADD, marks->writes, marks->count);
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

/* Stores in the place of what was noted. Where something else stands, nobody can say whose row is the last one: that is
 * emptied, at most once, and what fills it then lives for the holdoff. Whatever is left standing gets another epoch, so
 * that nothing that was noted, or elected, before this call goes in its place. */

/* How often a store begins anew when others keep coming first. */
#define TURNS_MAX 8

typedef enum storing_verb { SET, ADD, REPLACE } storing_verb;

typedef struct storing {
	const mcp_cache *cache;
	const mcp_key *key;
	const mcp_cache_value *value;
	uint32_t holdoff_ms;
	mcp_read_stamp *note;
	storing_verb verb;
	bool is_in_vain;      /* an add has found a fresh value, or a replace none */
	bool has_seen;        /* this call has read the key before ... */
	uint64_t first_epoch; /* ... and found this epoch then; 0: none */
} storing;

/* Puts the value over the entry, which is what stands there; NULL: over what the note's proof is of. */
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

/* Says whether it was put there since this call began: whoever has noted or elected over it did so later. */
static bool is_of_this_call(const storing *self, const mcp_cache_entry *entry) {
	return self->has_seen && entry->envelope.epoch != self->first_epoch;
}

/* Leaves the value where it is, under another epoch. One of other bytes is not to live longer than it does now. */
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

/* Puts a contested mark in the place of what stands there. */
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

/* Finds these very bytes, under these very tags: under others this caller would not be served what it was told is there, or
 * an invalidation of its tags would leave it. */
static bool is_the_same(const storing *self, const mcp_cache_entry *entry) {
	return !entry->envelope.has_counter &&
		entry->flags == (self->value->flags & MCP_FLAG_VALUE_MASK) &&
		mcp_bytes_equal(entry->envelope.tags, self->value->tags) &&
		mcp_bytes_equal(entry->stored, self->value->payload);
}

static bool ends_soon(const storing *self, const mcp_cache_entry *entry) {
	return entry->envelope.soft_ms <= mcp_wall_ms(self->cache->environment) + self->holdoff_ms;
}

/* Does what is to be done where something else stands than was noted. */
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

/* Ends an add in vain, which changes nothing, or a replace: a mark that its caller's change has overtaken says so from now
 * on. */
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

/* Deletes what cannot be stored over: nothing older than that stays. */
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

/* Sends the value without a look, as the verb says, and notes it. */
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

/* Stores many: reads what stands at their keys in one go, and stores in another those whose notes hold. Whatever else there
 * is to be done is done for each by itself. */

/* So many bytes are read together at most, if what stands there is as long as what is to be stored. */
#define BYTES_TOGETHER_MAX ((size_t)1024 * 1024)

/* The values that are stored together. A write's record is a view into its parcel. */
typedef struct storing_many {
	const mcp_cache *cache;
	mcp_cache_setting *settings;
	mcp_read_stamp *const *notes;
	uint32_t holdoff_ms;
	size_t header_room;
	size_t count;                       /* of writes */
	size_t places[MCP_CACHE_BATCH_MAX]; /* theirs among the settings */
	mcp_write writes[MCP_CACHE_BATCH_MAX];
	mcp_guarded_parcel parcels[MCP_CACHE_BATCH_MAX];
	mcp_key keys[MCP_CACHE_BATCH_MAX];
	mcp_reply replies[MCP_CACHE_BATCH_MAX];
	char headers[]; /* header_room for each write */
} storing_many;

/* Stands for a store that goes by itself, until it has. */
#define ALONE MCP_EXISTS

static void add_write(storing_many *self, size_t place, uint64_t cap_ms, uint64_t cas) {
	const mcp_cache_setting *setting = &self->settings[place];
	mcp_guarded_parcel *parcel = &self->parcels[self->count];
	parcel->record.header = self->headers + self->count * self->header_room;
	mcp_cache_guarded_compose(self->cache, &setting->key, &setting->value, cap_ms, parcel);
	parcel->record.record.proof = NULL; /* many prove nothing */
	self->places[self->count] = place;
	self->writes[self->count++] =
		(mcp_write){.key = setting->key, .record = parcel->record.record, .cas = cas};
}

/* Finishes what has an answer. MCP_EXISTS, MCP_NOT_FOUND: others were there first, or have deleted it, which is looked at by
 * itself. */
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

static void send(storing_many *self, mcp_change_verb verb) {
	if (self->count == 0) {
		return;
	}
	mcp_store_write_many(self->cache->store, verb, self->writes, self->count);
	for (size_t i = 0; i < self->count; i++) {
		const mcp_write *write = &self->writes[i];
		mcp_status status = write->status;
		if (status == MCP_UNKNOWN && verb == MCP_CHANGE_CAS) {
			status = mcp_cache_settle_epoch(self->cache, &write->key, self->parcels[i].epoch);
		}
		conclude(self, self->places[i], status);
		if (status == MCP_OK) {
			mcp_cache_guarded_note_stored(self->cache, &self->parcels[i],
				self->notes[self->places[i]]);
		}
	}
	self->count = 0;
}

/* Says whether it can go with others. A value that is too large has its key deleted, or is answered so. */
static bool goes_together(const storing_many *self, size_t place, mcp_read_stamp_state state) {
	const mcp_cache_setting *setting = &self->settings[place];
	return self->notes[place]->state == state && setting->status == ALONE &&
		mcp_cache_fits(self->cache, &setting->key, &setting->value);
}

/* Judges what stands where a note was made, and adds the store if that is what was noted. */
static void judge(storing_many *self, size_t place, const mcp_reply *reply) {
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

/* Stores those over what their notes say stands there, if it does; a torn note's store has to look for itself. */
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
	send(self, MCP_CHANGE_CAS);
}

static void store_all_blindly(storing_many *self, size_t from, size_t to) {
	for (size_t i = from; i < to; i++) {
		if (goes_together(self, i, MCP_READ_STAMP_NONE)) {
			add_write(self, i, 0, 0);
		}
	}
	send(self, MCP_CHANGE_SET);
}

/* Stores those from `from` to `to` together, as far as they can be. */
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

/* Returns the end of those that are read together from `from` on. */
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
