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

typedef enum verb { SET, ADD, REPLACE } verb;

typedef struct storing {
	const mcp_cache *cache;
	const mcp_key *key;
	const mcp_cache_value *value;
	uint32_t holdoff_ms;
	mcp_read_stamp *note;
	verb verb;
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
