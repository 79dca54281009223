/* Which change goes where: a new version to all copies, a claim to the one that was read. */
/* SPDX-License-Identifier: MIT */
#include "copies_internal.h"

/* memcached's longest relative TTL: how long a tombstone of a value without an end is kept. */
#define TOMBSTONE_MAX_MS ((uint64_t)30 * 24 * 60 * 60 * 1000)

static unsigned all(const mcp_copies *copies) {
	return mcp_copies_count(copies);
}

static mcp_status set(mcp_copies *copies, const mcp_key *key, const mcp_record *record) {
	mcp_copies_write write;
	mcp_copies_forget(copies);
	if (!mcp_copies_begin(copies, key, record, &write)) {
		return MCP_UNREACHABLE;
	}
	mcp_copies_survey(copies, &write, all(copies));
	write.version.epoch = 0; /* stamped by what was found */
	return mcp_copies_overwrite(copies, &write);
}

static bool has_value(const mcp_copies *copies, const mcp_copies_write *write) {
	for (unsigned i = 0; i < all(copies); i++) {
		if (mcp_copies_is_alive(copies, &write->copies[i])) {
			return true;
		}
	}
	return false;
}

/* Spreads from copy 0 to all. */
static mcp_status spread(mcp_copies *copies, mcp_copies_write *write) {
	mcp_status status = mcp_copies_decide(copies, write, &write->copies[0]);
	if (status != MCP_OK) {
		return status;
	}
	mcp_copies_carry(copies, write, 0);
	return mcp_copies_finish(copies, write);
}

/* Returns the newest of what was surveyed; all zero if there is none. */
static mcp_version newest_of(const mcp_copies *copies, const mcp_copies_write *write) {
	mcp_version newest = {.epoch = 0};
	for (unsigned i = 0; i < all(copies); i++) {
		const mcp_copy *copy = &write->copies[i];
		if (mcp_copy_is_version(copy) && mcp_version_compare(&copy->version, &newest) > 0) {
			newest = copy->version;
		}
	}
	return newest;
}

/* Stamps a version that was made of what was read. Where a copy is out of reach it may have what is older: by the clock. */
static void stamp(mcp_copies *copies, mcp_copies_write *write, uint64_t place_us) {
	if (mcp_copies_has_reached_all(copies, write, all(copies))) {
		mcp_copies_stamp_made(copies, write, place_us);
	} else {
		write->version.epoch = 0;
		mcp_copies_restamp(copies, write);
	}
}

/* Adds where nothing is, on no copy. Whoever is first on copy 0 has it. */
static mcp_status add_value(mcp_copies *copies, mcp_copies_write *write) {
	mcp_copies_forget(copies);
	mcp_copies_survey(copies, write, all(copies));
	const mcp_copy *home = &write->copies[0];
	if (home->state == MCP_COPY_UNREACHED) {
		return home->status;
	}
	if (home->state != MCP_COPY_ABSENT || has_value(copies, write)) {
		return MCP_NOT_STORED;
	}
	write->made_of = newest_of(copies, write);
	stamp(copies, write, copies->newest_us);
	mcp_status status = spread(copies, write);
	return status == MCP_EXISTS ? MCP_NOT_STORED : status;
}

/* Adds; a placeholder goes where the read before it found that nothing was. */
static mcp_status add(mcp_copies *copies, const mcp_key *key, const mcp_record *record) {
	mcp_copies_write write;
	if (!mcp_copies_begin(copies, key, record, &write)) {
		return MCP_UNREACHABLE;
	}
	if (write.envelope.has_value) {
		return add_value(copies, &write);
	}
	const mcp_copies_memo *memo = mcp_copies_recall(copies, key->fingerprint);
	mcp_store *home = memo != NULL ? mcp_copies_remembered(copies, key, memo)
								   : mcp_store_candidate(copies->beneath, key, 0);
	return mcp_store_add(home, key, record);
}

static bool is_same_version(const mcp_copies_write *write, const mcp_copy *seen) {
	return seen->state == MCP_COPY_VALUE &&
		mcp_version_compare(&write->version, &seen->version) == 0;
}

/* Recognizes a touch by the claim, which stays: the new ends may be those that are there. */
static bool is_touch(const mcp_copies_write *write, const mcp_copy *seen) {
	return is_same_version(write, seen) &&
		mcp_copies_claim_mark(&write->envelope) == seen->claim_mark;
}

/* Recognizes a result, to which C3 has said yes: that of an election keeps its epoch. */
static bool is_result(const mcp_copies_write *write, const mcp_copy *seen) {
	return write->version.epoch == seen->version.epoch;
}

/* Returns the copy as it was when the caller read it. */
static mcp_copy seen_by(const mcp_copies *copies, const mcp_key *key, const mcp_copies_memo *memo,
	uint64_t cas) {
	mcp_copy seen = memo->copy;
	seen.store = mcp_copies_remembered(copies, key, memo);
	seen.item.cas = cas;
	return seen;
}

/* Says whether it has a place in the order; an item that is no envelope has none. */
static bool has_place(const mcp_copy *copy) {
	return mcp_copy_is_version(copy) || copy->state == MCP_COPY_PLACEHOLDER;
}

/* Surveys so that a version made of a value that was read takes its place only when copy 0 says so: two copies that
 * decide would let it take the place of a newer one. MCP_EXISTS: another copy had something newer, of which this is to be
 * made; a failure: copy 0 cannot be asked. Nothing is written then. */
static mcp_status survey_for(mcp_copies *copies, mcp_copies_write *write, const mcp_copy *seen) {
	mcp_copies_survey(copies, write, seen->index);
	write->copies[seen->index] = *seen;
	if (write->copies[0].state == MCP_COPY_UNREACHED) {
		return write->copies[0].status;
	}
	bool gives_way = has_place(seen) && mcp_copies_give_way(copies, write, seen) != MCP_OK;
	return gives_way ? MCP_EXISTS : MCP_OK;
}

/* Returns the time behind which a version made of `seen` comes: that one's; or the claim's of a caller who could not reach
 * it, and whose result is dated by the claim. A claim on copy 0 ends when this version gets there. */
static uint64_t place_behind(const mcp_copies *copies, const mcp_copies_write *write,
	const mcp_copy *seen) {
	uint64_t place_us = mcp_version_place_us(&seen->version);
	for (unsigned i = 0; i < all(copies); i++) {
		const mcp_copy *copy = &write->copies[i];
		bool is_later = i != 0 && copy->has_claim && copy->place_us > place_us;
		place_us = is_later ? copy->place_us : place_us;
	}
	return place_us;
}

/* Puts a version behind what it was made of. What takes the place of no envelope comes after all that was surveyed, by the
 * clock. */
static void follow(mcp_copies *copies, mcp_copies_write *write, const mcp_copy *seen) {
	if (has_place(seen)) {
		write->made_of = mcp_copies_version_under(seen);
		stamp(copies, write, place_behind(copies, write, seen));
	} else {
		write->made_of = newest_of(copies, write);
		write->version.epoch = 0;
		mcp_copies_restamp(copies, write);
	}
}

static mcp_status change(mcp_copies *copies, mcp_copies_write *write, const mcp_copy *seen) {
	write->made_of = mcp_copies_version_under(seen);
	write->is_touch = is_touch(write, seen);
	write->carries_old = write->version.created_ms == seen->version.created_ms;
	if (!write->is_touch && is_result(write, seen)) {
		return mcp_copies_publish(copies, write, seen);
	}
	mcp_status status = survey_for(copies, write, seen);
	if (status != MCP_OK) {
		return status;
	}
	if (!write->is_touch) {
		follow(copies, write, seen);
	}
	return spread(copies, write);
}

/* --- tombstones --- */

/* Ends a tombstone by D4: it lives as long as what it deletes could live, also where that is out of reach now. */
static uint64_t tombstone_end_ms(const mcp_copies *copies, const mcp_copies_write *write,
	uint64_t now_ms) {
	uint64_t end_ms = now_ms + copies->lease_ms;
	for (unsigned i = 0; i < all(copies); i++) {
		const mcp_copy *copy = &write->copies[i];
		bool is_later = mcp_copy_is_version(copy) && copy->ends.hard_ms > end_ms;
		end_ms = is_later ? copy->ends.hard_ms : end_ms;
	}
	return end_ms > now_ms + TOMBSTONE_MAX_MS ? now_ms + TOMBSTONE_MAX_MS : end_ms;
}

static bool bury(mcp_copies *copies, mcp_copies_write *write, const mcp_key *key) {
	uint64_t now_ms = mcp_wall_ms(copies->host);
	uint64_t end_ms = tombstone_end_ms(copies, write, now_ms);
	mcp_envelope envelope = {
		.key_fingerprint = key->fingerprint,
		.created_ms = now_ms,
		.soft_ms = end_ms,
		.hard_ms = end_ms,
		.epoch = mcp_copies_stamp(copies),
		.is_tombstone = true,
	};
	char header[MCP_ENVELOPE_MAX_LENGTH];
	mcp_record record = {
		.head = mcp_bytes_of(header, mcp_envelope_encode(&envelope, 0, header)),
		.body = mcp_bytes_none(),
		.flags = mcp_envelope_item_flags(0),
		.ttl_ms = end_ms - now_ms,
	};
	mcp_copy known[MCP_COPIES_MAX];
	memcpy(known, write->copies, sizeof(known));
	bool is_begun = mcp_copies_begin(copies, key, &record, write);
	memcpy(write->copies, known, sizeof(known));
	return is_begun;
}

static mcp_status delete_one(mcp_copies *copies, const mcp_key *key) {
	mcp_copies_write write = {.key = key};
	mcp_copies_forget(copies);
	mcp_copies_survey(copies, &write, all(copies));
	bool was_there = has_value(copies, &write);
	if (!bury(copies, &write, key)) {
		return MCP_UNREACHABLE;
	}
	mcp_status status = mcp_copies_overwrite(copies, &write);
	return status == MCP_OK && !was_there ? MCP_NOT_FOUND : status;
}

/* Buries what was read, copy 0 deciding. */
static mcp_status delete_if(mcp_copies *copies, const mcp_key *key, uint64_t id) {
	const mcp_copies_memo *memo = mcp_copies_recall(copies, key->fingerprint);
	mcp_copies_write write = {.key = key};
	if (memo == NULL || id == 0) {
		return MCP_EXISTS;
	}
	mcp_copy seen = seen_by(copies, key, memo, id);
	mcp_status status = survey_for(copies, &write, &seen);
	if (status != MCP_OK) {
		return status;
	}
	if (!bury(copies, &write, key)) {
		return MCP_UNREACHABLE;
	}
	follow(copies, &write, &seen);
	return spread(copies, &write);
}

/* --- compare-and-swap --- */

/* Takes a claim that was not there. */
static bool claims(const mcp_copies_write *write, const mcp_copy *seen) {
	return write->envelope.has_claim && write->envelope.claim_token != seen->claim_token;
}

static mcp_status cas(mcp_copies *copies, const mcp_key *key, const mcp_record *record,
	uint64_t id) {
	const mcp_copies_memo *memo = mcp_copies_recall(copies, key->fingerprint);
	mcp_copies_write write;
	if (memo == NULL || id == 0) {
		return MCP_EXISTS;
	}
	if (!mcp_copies_begin(copies, key, record, &write)) {
		return MCP_UNREACHABLE;
	}
	mcp_copy seen = seen_by(copies, key, memo, id);
	bool is_claim = claims(&write, &seen);
	bool is_of_claim = is_same_version(&write, &seen) && !is_touch(&write, &seen);
	if (is_of_claim || !write.envelope.has_value) {
		return is_claim ? mcp_copies_claim(copies, &write, &seen)
						: mcp_store_cas(seen.store, key, record, id);
	}
	return change(copies, &write, &seen);
}

mcp_status mcp_copies_change(mcp_store *store, const mcp_key *key, const mcp_change *change) {
	mcp_copies *copies = mcp_copies_of(store);
	switch (change->verb) {
		case MCP_CHANGE_ADD:
			return add(copies, key, change->record);
		case MCP_CHANGE_SET:
			return set(copies, key, change->record);
		case MCP_CHANGE_CAS:
			return cas(copies, key, change->record, change->cas);
		case MCP_CHANGE_DELETE:
			return delete_one(copies, key);
		case MCP_CHANGE_DELETE_IF:
			return delete_if(copies, key, change->cas);
		case MCP_CHANGE_CAS_PROVEN:
		case MCP_CHANGE_DELETE_PROVEN:
			return MCP_UNSUPPORTED;
		default:
			/* Items that one copy has alone: a number, or bytes written beside a value. */
			return mcp_store_change(copies->beneath, key, change);
	}
}
