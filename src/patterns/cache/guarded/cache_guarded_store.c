/* Stores in the place of what was noted. Where something else stands, nobody can say whose row is the last one: that is
 * emptied, at most once, and what fills it then lives for the holdoff. Whatever is left standing gets another epoch, so
 * that nothing that was noted, or elected, before this call goes in its place. */
/* SPDX-License-Identifier: MIT */
#include "../entry/cache_ends.h"
#include "../entry/cache_meter.h"
#include "../look/cache_look.h"
#include "../write/cache_store_over.h"
#include "../write/cache_write.h"
#include "cache_guarded_note.h"

/* How often a store begins anew when others keep coming first. */
#define TURNS_MAX 8

typedef struct storing {
	const mcp_cache *cache;
	const mcp_key *key;
	const mcp_cache_value *value;
	uint32_t holdoff_ms;
	mcp_guarded_note *note;
	bool is_add;
	bool is_taken;        /* an add has found a fresh value */
	bool has_seen;        /* this call has read the key before ... */
	uint64_t first_epoch; /* ... and found this epoch then; 0: none */
} storing;

/* Returns the soft end that a value must not outlive; 0: none. One that follows an own capped value was not read later. */
static uint64_t cap_over(const storing *self, const mcp_cache_entry *entry, uint64_t now_ms) {
	uint64_t kept_ms = self->note->cap_ms;
	if (kept_ms != 0) {
		return kept_ms > now_ms ? kept_ms : now_ms + 1;
	}
	bool is_contested = entry != NULL && entry->envelope.is_contested;
	return is_contested ? now_ms + self->holdoff_ms : 0;
}

static void cap(mcp_envelope *envelope, uint64_t soft_ms) {
	if (soft_ms != 0 && envelope->soft_ms > soft_ms) {
		envelope->soft_ms = soft_ms;
		envelope->grace_ms = 0;
	}
}

/* The value on its way, and what its write proves. */
typedef struct composed {
	uint64_t epoch;
	mcp_cache_record record;
	mcp_proof proof;
} composed;

/* Composes the value, to end softly at `cap_ms` at the latest; 0: when it wants. `to` must stay where it is until it is
 * sent. */
static void compose(const storing *self, uint64_t cap_ms, composed *to) {
	mcp_envelope envelope = mcp_cache_envelope_of(self->cache, self->key, self->value);
	cap(&envelope, cap_ms);
	to->epoch = envelope.epoch;
	mcp_cache_compose_new(self->cache, self->key, &to->record, &envelope, self->value->payload,
		self->value->flags);
	to->record.record.proof = mcp_cache_wants(self->cache, &to->proof);
}

static void note_stored(const storing *self, const composed *stored, uint64_t cap_ms) {
	*self->note = (mcp_guarded_note){
		.state = MCP_NOTE_HELD,
		.is_of_value = true,
		.epoch = stored->epoch,
		.cap_ms = cap_ms,
		.proof = stored->proof,
	};
}

/* Puts the value over the entry, which is what stands there; NULL: over what the note's proof is of. Its epoch is a new
 * one: under the mark's own, a remember that was elected over that before would still store what it computed then. */
static mcp_status put(const storing *self, const mcp_cache_entry *entry) {
	mcp_store *store = self->cache->store;
	uint64_t cap_ms = cap_over(self, entry, mcp_wall_ms(self->cache->environment));
	composed sent;
	compose(self, cap_ms, &sent);
	const mcp_record *record = &sent.record.record;
	mcp_status status = entry != NULL
		? mcp_store_cas(store, self->key, record, entry->cas)
		: mcp_store_cas_proven(store, self->key, record, &self->note->proof);
	if (status == MCP_UNKNOWN) {
		status = mcp_cache_settle_epoch(self->cache, self->key, sent.epoch);
	}
	if (status == MCP_OK) {
		note_stored(self, &sent, cap_ms);
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

/* Leaves the value where it is, under another epoch. */
static mcp_status renew(const storing *self, const mcp_cache_entry *entry, mcp_status answer) {
	if (is_of_this_call(self, entry)) {
		return answer;
	}
	mcp_envelope envelope = entry->envelope;
	envelope.epoch = mcp_epoch_u64(self->cache->environment, self->key->fingerprint);
	envelope.newest_election = envelope.value_election = 0;
	envelope.has_claim = false;
	return after_swap(mcp_cache_swap(self->cache, self->key, &envelope, entry), answer);
}

/* Finds a mark that no caller has been elected over: it may keep its epoch. */
static bool is_mark(const mcp_cache_entry *entry) {
	const mcp_envelope *envelope = &entry->envelope;
	return !entry->is_unreadable && !envelope->has_value && !envelope->is_tombstone &&
		!envelope->has_claim && envelope->newest_election == envelope->value_election;
}

/* Puts a contested mark in the place of what stands there. */
static mcp_status contest(const storing *self, const mcp_cache_entry *entry) {
	bool keeps_epoch = is_mark(entry);
	if (keeps_epoch && entry->envelope.is_contested) {
		return MCP_NOT_STORED;
	}
	uint64_t epoch = keeps_epoch ? entry->envelope.epoch
								 : mcp_epoch_u64(self->cache->environment, self->key->fingerprint);
	mcp_cache_record record;
	mcp_cache_guarded_compose_mark(self->cache, self->key, &record, epoch, true);
	return after_swap(mcp_store_cas(self->cache->store, self->key, &record.record, entry->cas),
		MCP_NOT_STORED);
}

static bool is_the_same(const storing *self, const mcp_cache_entry *entry) {
	return !entry->envelope.has_counter &&
		entry->flags == (self->value->flags & MCP_FLAG_VALUE_MASK) &&
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

static mcp_status take_turn(storing *self) {
	mcp_cache_entry entry;
	if (self->is_add) {
		mcp_cache_examine(self->cache, self->key, &entry);
	} else {
		mcp_cache_fetch(self->cache, self->key, &entry);
	}
	if (entry.trouble != MCP_OK) {
		return entry.trouble;
	}
	if (self->is_add && entry.freshness == MCP_FRESH) {
		self->is_taken = true;
		return MCP_NOT_STORED;
	}
	mcp_status status =
		mcp_cache_guarded_is_noted(self->note, &entry) ? put(self, &entry) : refuse(self, &entry);
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
	const mcp_guarded_note *note = self->note;
	bool is_proven = note->state == MCP_NOTE_HELD && note->proof.cas != 0 && !self->is_add;
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
		self->note->state = MCP_NOTE_TORN;
	} else if (status == MCP_NOT_STORED && !self->is_taken) {
		mcp_cache_count_refused(self->cache, self->key);
	}
	return status;
}

/* Sends the value without a look, as the verb says, and notes it. */
static mcp_status send_blindly(const storing *self) {
	composed sent;
	compose(self, 0, &sent);
	mcp_status status = (self->is_add ? mcp_store_add : mcp_store_set)(self->cache->store,
		self->key, &sent.record.record);
	if (status == MCP_UNKNOWN && self->is_add) {
		status = mcp_cache_settle_epoch(self->cache, self->key, sent.epoch);
	}
	if (status == MCP_OK) {
		note_stored(self, &sent, 0);
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
	if (self->note->state == MCP_NOTE_NONE) {
		return store_blindly(self);
	}
	mcp_store_begin_change(self->cache->store, self->key);
	return finish(self, go(self));
}

mcp_status mcp_cache_guarded_set(const mcp_cache *cache, const mcp_key *key,
	const mcp_cache_value *value, uint32_t holdoff_ms, mcp_guarded_note *note) {
	storing self = {cache, key, value, holdoff_ms, note, .is_add = false};
	return store(&self);
}

mcp_status mcp_cache_guarded_add(const mcp_cache *cache, const mcp_key *key,
	const mcp_cache_value *value, uint32_t holdoff_ms, mcp_guarded_note *note) {
	storing self = {cache, key, value, holdoff_ms, note, .is_add = true};
	return store(&self);
}

void mcp_cache_guarded_set_many(const mcp_cache *cache, mcp_cache_setting *settings,
	mcp_guarded_note *const *notes, size_t count, uint32_t holdoff_ms) {
	for (size_t i = 0; i < count; i++) {
		mcp_cache_setting *setting = &settings[i];
		setting->status =
			mcp_cache_guarded_set(cache, &setting->key, &setting->value, holdoff_ms, notes[i]);
	}
}

mcp_status mcp_cache_guarded_discard(const mcp_cache *cache, const mcp_key *key) {
	mcp_status status = mcp_cache_delete(cache, key);
	if (status != MCP_OK) {
		return status;
	}
	mcp_cache_count_refused(cache, key);
	return MCP_NOT_STORED;
}
