/* Writes a version to all copies: over older versions, never over newer versions (D1). Then reads copy 0 again,
 * because a repair might have restored the previous version there (D2, D3). */
/* SPDX-License-Identifier: MIT */
#include "../../core/waking/wakeups.h"
#include "../../store/store.h"
#include "copies_internal.h"

#include <stdlib.h>

/* Maximum number of attempts on one copy under contention. Each lost race means that another writer has made
 * progress. */
#define TRIES_MAX 64
/* Maximum number of reads of copy 0 at the end of a write. */
#define LAST_LOOKS_MAX 3

/* Begin a write. Copies the record, because its views can become invalid. Returns false if the record is not an
 * envelope, or memory is exhausted. */
static bool begin_copies_write(mcp_copies *copies, const mcp_key *key, const mcp_record *record,
	mcp_copies_write *write) {
	mcp_buffer *pending = &copies->pending;
	mcp_buffer_clear(pending);
	if (!mcp_buffer_append(pending, record->head) || !mcp_buffer_append(pending, record->body)) {
		return false;
	}
	mcp_bytes payload;
	mcp_bytes item = mcp_bytes_of(pending->data, pending->length);
	*write = (mcp_copies_write){.key = key, .record = *record, .failure = MCP_OK};
	write->record.before_ring = NULL; /* the value is not yet on all copies then */
	if (!mcp_envelope_decode(item, record->flags, key->fingerprint, &write->envelope, &payload)) {
		return false;
	}
	write->record.head = mcp_bytes_of(pending->data, record->head.length);
	write->record.body = mcp_bytes_of(pending->data + record->head.length, record->body.length);
	write->version = (mcp_version){
		.epoch = write->envelope.epoch,
		.created_ms = write->envelope.created_ms,
		.election = write->envelope.value_election,
	};
	return true;
}

/* Read all copies except copy `except`; the number of copies: except none. Cost: 1 round trip per copy. */
static void survey(mcp_copies *copies, mcp_copies_write *write, unsigned except) {
	for (unsigned i = 0; i < mcp_copies_count(copies); i++) {
		if (i != except) {
			mcp_copies_read_one(copies, write->key, i, &write->copies[i]);
		}
	}
}

/* Whether all copies except copy `except` were reached. */
static bool has_reached_all(const mcp_copies *copies, const mcp_copies_write *write,
	unsigned except) {
	for (unsigned i = 0; i < mcp_copies_count(copies); i++) {
		if (i != except && write->copies[i].state == MCP_COPY_UNREACHED) {
			return false;
		}
	}
	return true;
}

/* Return the surveyed copy, except copy `except`, with the newest version that is newer than `newest`; NULL: none. */
static const mcp_copy *find_newer(const mcp_copies *copies, const mcp_copies_write *write,
	unsigned except, mcp_version newest) {
	const mcp_copy *newer = NULL;
	for (unsigned i = 0; i < mcp_copies_count(copies); i++) {
		const mcp_copy *copy = &write->copies[i];
		if (i != except && mcp_copy_is_version(copy) &&
			mcp_version_compare(&copy->version, &newest) > 0) {
			newest = copy->version;
			newer = copy;
		}
	}
	return newer;
}

/* Return the newest surveyed version; all zero if there is no version. */
static mcp_version newest_of(const mcp_copies *copies, const mcp_copies_write *write) {
	const mcp_copy *newest =
		find_newer(copies, write, mcp_copies_count(copies), (mcp_version){.epoch = 0});
	return newest != NULL ? newest->version : (mcp_version){.epoch = 0};
}

static void fail_copies_write(mcp_copies_write *write, mcp_status status) {
	/* After a write that was not answered, the version counts as not on all copies. A read of this copy would not
	 * prove more, so the status is never MCP_UNKNOWN. */
	mcp_status known = status == MCP_UNKNOWN ? MCP_TIMEOUT : status;
	write->failure = write->failure == MCP_OK ? known : write->failure;
}

/* Whether the copy has the version that is being written, or a later one. */
static bool stands(const mcp_copies_write *write, const mcp_copy *copy) {
	if (!mcp_copy_is_version(copy)) {
		return false;
	}
	int order = mcp_version_compare(&copy->version, &write->version);
	mcp_ends wanted = mcp_ends_of(&write->envelope);
	return order > 0 || (order == 0 && (!write->is_touch || mcp_ends_equal(&wanted, &copy->ends)));
}

static bool is_newer(const mcp_copies_write *write, const mcp_copy *copy) {
	return mcp_copy_is_version(copy) && mcp_version_compare(&copy->version, &write->version) > 0;
}

/* Whether the copy has, or had, another caller's version on which this version is not based. This version must not
 * replace it. */
static bool is_foreign(const mcp_copies_write *write, const mcp_copy *copy, int tries) {
	int order = mcp_version_compare(&copy->version, &write->made_of);
	/* In two cases, only the base is certainly older than this version. If this version was stored here, a repair has
	 * restored the current version. If the base follows a miss, the current version came in between, and the stamps
	 * have no order. */
	bool is_order_unknown = (write->has_stood && copy->index == 0) ||
		(tries > 0 && mcp_version_follows_nothing(&write->made_of));
	bool is_another = is_order_unknown ? order != 0 : order > 0;
	bool is_later = mcp_copy_is_version(copy) && is_another;
	bool was_later = tries > 0 && copy->state == MCP_COPY_ABSENT;
	return !write->overwrites && (is_later || was_later);
}

/* Whether a caller was elected over this version on copy 0 after the touch. The claim must then be kept. */
static bool is_claimed_since(const mcp_copies_write *write, const mcp_copy *copy) {
	return write->is_touch && copy->index == 0 && copy->state == MCP_COPY_VALUE &&
		mcp_version_compare(&copy->version, &write->version) == 0 &&
		copy->claim_hash != mcp_copies_claim_hash(&write->envelope);
}

static mcp_status send(const mcp_copies_write *write, const mcp_copy *copy) {
	return copy->state == MCP_COPY_ABSENT
		? mcp_store_add(copy->store, write->key, &write->record)
		: mcp_store_cas(copy->store, write->key, &write->record, copy->item.cas);
}

/* Delete the item, because the server has no memory for a tombstone. Delete it only if its CAS value is unchanged or,
 * if this also needs memory, unconditionally. */
static mcp_status delete_instead(const mcp_copies_write *write, const mcp_copy *copy) {
	if (copy->state == MCP_COPY_ABSENT) {
		return MCP_OK;
	}
	mcp_status status = mcp_store_delete_if(copy->store, write->key, copy->item.cas);
	return status == MCP_REFUSED ? mcp_store_delete(copy->store, write->key) : status;
}

/* Send the version to a copy. If the server is out of memory for a tombstone, returns MCP_EXISTS, and the next
 * attempt deletes the item. The caller reads again before, because the refusal might have ended the connection and
 * invalidated the CAS value. */
static mcp_status send_or_delete(const mcp_copies_write *write, mcp_copy *copy) {
	bool deletes = write->overwrites && write->envelope.is_tombstone;
	if (deletes && copy->has_no_memory) {
		return delete_instead(write, copy);
	}
	mcp_status status = send(write, copy);
	copy->has_no_memory = deletes && status == MCP_REFUSED;
	return copy->has_no_memory ? MCP_EXISTS : status;
}

static bool is_lost(mcp_status status) {
	return status == MCP_NOT_STORED || status == MCP_EXISTS || status == MCP_NOT_FOUND;
}

static void put(mcp_copies *copies, mcp_copies_write *write, mcp_copy *copy) {
	for (int tries = 0; tries < TRIES_MAX; tries++) {
		if (copy->state == MCP_COPY_UNREACHED) {
			fail_copies_write(write, copy->status);
			return;
		}
		bool is_there = stands(write, copy);
		if (!is_there && is_claimed_since(write, copy)) {
			fail_copies_write(write, MCP_EXISTS);
			return;
		}
		if (!is_there && is_foreign(write, copy, tries)) {
			fail_copies_write(write, MCP_TIMEOUT);
			return;
		}
		mcp_status status = is_there ? MCP_OK : send_or_delete(write, copy);
		if (status == MCP_OK) {
			write->has_met_newer = write->has_met_newer || (is_there && is_newer(write, copy));
			write->has_stood = write->has_stood || copy->index == 0;
			return;
		}
		if (!is_lost(status)) {
			fail_copies_write(write, status);
			return;
		}
		mcp_copies_read_one(copies, write->key, copy->index, copy);
	}
	fail_copies_write(write, MCP_TIMEOUT);
}

/* Write an overwrite to the first copy. The write is not stored yet, so it can get a new stamp after concurrent
 * versions. A concurrent version must be replaced, because it might be an update or expire of the version before this
 * write. */
static void lead(mcp_copies *copies, mcp_copies_write *write, mcp_copy *copy) {
	mcp_status status = MCP_EXISTS;
	for (int tries = 0; tries < TRIES_MAX && is_lost(status); tries++) {
		if (tries > 0) {
			mcp_copies_read_one(copies, write->key, copy->index, copy);
		}
		mcp_copies_restamp(copies, write);
		status = copy->state == MCP_COPY_UNREACHED ? copy->status : send_or_delete(write, copy);
	}
	if (status == MCP_OK) {
		write->has_stood = copy->index == 0;
	} else {
		fail_copies_write(write, is_lost(status) ? MCP_TIMEOUT : status);
	}
}

/* Send the write that decides, over `copy` exactly as the caller has read it. MCP_OK. MCP_EXISTS: another caller has
 * written first. Or a failure. If the version might be stored nevertheless, the failure is also noted in `write`. */
static mcp_status decide(mcp_copies *copies, mcp_copies_write *write, const mcp_copy *copy) {
	mcp_status status = send(write, copy);
	if (status == MCP_UNKNOWN) {
		/* If the version is stored, write it to the other copies, although this copy has not acknowledged it. */
		mcp_copy now;
		fail_copies_write(write, status);
		mcp_store_bypass_breaker(copy->store, write->key, MCP_BYPASS_TO_RESOLVE);
		mcp_copies_read_one(copies, write->key, copy->index, &now);
		bool is_there =
			mcp_copy_is_version(&now) && mcp_version_compare(&now.version, &write->version) == 0;
		status = is_there ? MCP_OK : MCP_TIMEOUT;
	}
	if (status == MCP_OK) {
		write->has_stood = write->has_stood || copy->index == 0;
	}
	return is_lost(status) ? MCP_EXISTS : status;
}

/* Write to all copies except copy `except`, in order, over older versions. */
static void carry(mcp_copies *copies, mcp_copies_write *write, unsigned except) {
	for (unsigned i = 0; i < mcp_copies_count(copies); i++) {
		if (i != except) {
			put(copies, write, &write->copies[i]);
		}
	}
}

/* Whether a newer version might nevertheless have come before this version. Either another copy had it before, and
 * copy 0 had lost it. Or it is based on the base of this version, or has replaced it, after a repair had restored the
 * base on copy 0. */
static bool is_out_of_turn(const mcp_copies_write *write, const mcp_copy *home) {
	if (is_newer(write, home)) {
		return write->overwrites ? write->has_met_newer && write->was_put_back
								 : !mcp_copies_is_after(write, &home->version);
	}
	return write->has_met_newer && home->state != MCP_COPY_ABSENT;
}

/* Write an overwrite again with a stamp after the newer version. A version with a base fails, because it is not based
 * on the newer version, and must not replace it. */
static void take_turn(mcp_copies *copies, mcp_copies_write *write, mcp_copy *home) {
	if (!write->overwrites) {
		fail_copies_write(write, MCP_TIMEOUT);
		return;
	}
	write->has_met_newer = false;
	mcp_copies_restamp(copies, write);
	put(copies, write, home);
	carry(copies, write, 0);
}

/* After copy 0 was lost: whether another copy has a later version. A repair will restore the later version, and this
 * version must not replace it. Cost: 1 round trip per other copy. */
static bool is_superseded(mcp_copies *copies, mcp_copies_write *write) {
	survey(copies, write, 0);
	return find_newer(copies, write, 0, write->version) != NULL;
}

/* Read copy 0 for the last time, and return the outcome of the write. */
static mcp_status finish_on_home(mcp_copies *copies, mcp_copies_write *write) {
	mcp_copy *home = &write->copies[0];
	for (int looks = 0; write->failure == MCP_OK && looks < LAST_LOOKS_MAX; looks++) {
		mcp_copies_read_one(copies, write->key, 0, home);
		if (home->state == MCP_COPY_UNREACHED) {
			fail_copies_write(write, home->status);
		} else if (is_out_of_turn(write, home)) {
			take_turn(copies, write, home);
		} else if (home->state == MCP_COPY_ABSENT || stands(write, home) ||
			is_superseded(copies, write)) {
			return MCP_OK;
		} else {
			write->was_put_back = true;
			put(copies, write, home);
		}
	}
	return write->failure == MCP_OK ? MCP_TIMEOUT : write->failure;
}

/* Replace any version, on all copies. The first copy that can be reached determines which versions came before. */
static mcp_status overwrite(mcp_copies *copies, mcp_copies_write *write) {
	unsigned first = 0;
	write->overwrites = true;
	while (first < mcp_copies_count(copies) && write->copies[first].state == MCP_COPY_UNREACHED) {
		fail_copies_write(write, write->copies[first++].status);
	}
	if (first < mcp_copies_count(copies)) {
		lead(copies, write, &write->copies[first]);
		carry(copies, write, first);
	}
	return finish_on_home(copies, write);
}

/* --- elections and results --- */

/* Neither a claim nor a result may replace a value if another copy has a newer version (D2, D5). The newer version
 * was written while the server of this copy was down, because writers begin with copy 0. */

/* Return a lower limit for versions after `over`. A placeholder is later than the value that it replaced. */
static mcp_version version_under(const mcp_copy *over) {
	mcp_version version = over->version;
	if (over->state == MCP_COPY_PLACEHOLDER) {
		version.created_ms = MCP_NEVER_MS;
	}
	return version;
}

/* If another surveyed copy has a newer version, copy this version over `over`. MCP_OK: no version is newer.
 * MCP_NOT_STORED: a newer version was copied. MCP_EXISTS: `over` has changed. The cas has the CAS value that the
 * caller has read, which a concurrent set or delete would have changed first. */
static mcp_status give_way(mcp_copies *copies, const mcp_copies_write *write,
	const mcp_copy *over) {
	const mcp_copy *newer = find_newer(copies, write, over->index, version_under(over));
	if (newer == NULL) {
		return MCP_OK;
	}
	mcp_status status = mcp_copies_put_back(copies, write->key, over, newer);
	return status == MCP_EXISTS || status == MCP_NOT_FOUND ? MCP_EXISTS : MCP_NOT_STORED;
}

/* Claim the version on the copy that was read. MCP_NOT_STORED: not claimed. Either another copy has a newer version,
 * which was copied unless another caller did so first. Or copy 0, on which callers are elected, now has this version.
 * The other copies are read before the claim, because a reader that compares the copies of a recovered server would
 * trust a stale value with a new claim (D4). */
static mcp_status claim(mcp_copies *copies, mcp_copies_write *write, const mcp_copy *over) {
	if (over->state != MCP_COPY_ODD) {
		survey(copies, write, over->index);
		/* Whether copy 0 now has the value that was found on another copy. The next read then finds it on copy 0, and
		 * without this check, two callers could be elected on two copies (D6). */
		const mcp_copy *home = &write->copies[0];
		bool is_at_home = over->index > 0 && mcp_copies_is_alive(copies, home) &&
			mcp_version_compare(&home->version, &over->version) == 0;
		if (give_way(copies, write, over) != MCP_OK || is_at_home) {
			return MCP_NOT_STORED;
		}
	}
	return mcp_store_cas(over->store, write->key, &write->record, over->item.cas);
}

/* Store a result over `over`, and on all other copies. MCP_NOT_STORED: a copy has a newer version, which replaces
 * `over`. MCP_EXISTS: `over` has changed. A failure: the result is not on all copies, but might be on some. */
static mcp_status publish(mcp_copies *copies, mcp_copies_write *write, const mcp_copy *over) {
	survey(copies, write, over->index);
	mcp_status status = give_way(copies, write, over);
	if (status != MCP_OK) {
		return status;
	}
	if (!has_reached_all(copies, write, over->index)) {
		/* An unreachable copy might have a later election number, and would be newer when its server recovers. */
		mcp_copies_stamp_result(copies, write, over);
	}
	status = decide(copies, write, over);
	if (status != MCP_OK) {
		return status;
	}
	carry(copies, write, over->index);
	/* Check copy 0 again, because it might have been lost, and a repair might have restored an older version from
	 * another copy. */
	return write->has_met_newer ? MCP_NOT_STORED : finish_on_home(copies, write);
}

/* --- changes: a new version is written to all copies, a claim to the copy that was read --- */

/* Lifetime of a tombstone for a value that never expires: memcached's longest relative TTL. */
#define TOMBSTONE_MAX_MS ((uint64_t)30 * 24 * 60 * 60 * 1000)

static mcp_status set(mcp_copies *copies, const mcp_key *key, const mcp_record *record) {
	mcp_copies_write write;
	mcp_copies_forget(copies);
	if (!begin_copies_write(copies, key, record, &write)) {
		return MCP_UNREACHABLE;
	}
	survey(copies, &write, mcp_copies_count(copies));
	write.version.epoch = 0; /* stamped after the versions that were read */
	return overwrite(copies, &write);
}

static bool has_value(const mcp_copies *copies, const mcp_copies_write *write) {
	for (unsigned i = 0; i < mcp_copies_count(copies); i++) {
		if (mcp_copies_is_alive(copies, &write->copies[i])) {
			return true;
		}
	}
	return false;
}

/* Write a version with a base to copy 0, which decides, and then to the other copies. */
static mcp_status spread(mcp_copies *copies, mcp_copies_write *write) {
	mcp_status status = decide(copies, write, &write->copies[0]);
	if (status != MCP_OK) {
		return status;
	}
	carry(copies, write, 0);
	return finish_on_home(copies, write);
}

/* Stamp a version with a base, whose place this is. Use the clock if a copy is unreachable, because this copy might
 * have an older version with a later stamp. */
static void stamp(mcp_copies *copies, mcp_copies_write *write, uint64_t place_us) {
	if (has_reached_all(copies, write, mcp_copies_count(copies))) {
		mcp_copies_stamp_made(copies, write, place_us);
	} else {
		write->version.epoch = 0;
		mcp_copies_restamp(copies, write);
	}
}

/* Add a value if no copy has one. Of concurrent callers, the first on copy 0 succeeds. */
static mcp_status add_value(mcp_copies *copies, mcp_copies_write *write) {
	mcp_copies_forget(copies);
	survey(copies, write, mcp_copies_count(copies));
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

/* Add a placeholder to the copy that the last read has chosen, or a value to all copies. */
static mcp_status add_placeholder_copy(mcp_copies *copies, const mcp_key *key,
	const mcp_record *record) {
	mcp_copies_write write;
	if (!begin_copies_write(copies, key, record, &write)) {
		return MCP_UNREACHABLE;
	}
	if (write.envelope.has_value) {
		return add_value(copies, &write);
	}
	const mcp_copies_memo *memo = mcp_copies_recall(copies, key->fingerprint);
	mcp_store *home =
		mcp_store_candidate(copies->store.beneath, key, memo != NULL ? memo->copy.index : 0);
	return mcp_store_add(home, key, record);
}

static bool is_same_version(const mcp_copies_write *write, const mcp_copy *seen) {
	return seen->state == MCP_COPY_VALUE &&
		mcp_version_compare(&write->version, &seen->version) == 0;
}

/* Whether the write is a touch, which keeps the version and the claim. Even its expiry can be unchanged. */
static bool is_touch(const mcp_copies_write *write, const mcp_copy *seen) {
	return is_same_version(write, seen) &&
		mcp_copies_claim_hash(&write->envelope) == seen->claim_hash;
}

/* Return the copy that the caller has read. */
static mcp_copy seen_by(const mcp_copies *copies, const mcp_key *key, const mcp_copies_memo *memo,
	uint64_t cas) {
	mcp_copy seen = memo->copy;
	seen.store = mcp_store_candidate(copies->store.beneath, key, memo->copy.index);
	seen.item.cas = cas;
	return seen;
}

/* Whether the copy is an envelope, and so has a place in the order of versions. */
static bool has_place(const mcp_copy *copy) {
	return mcp_copy_is_version(copy) || copy->state == MCP_COPY_PLACEHOLDER;
}

/* Read all other copies before a version with a base is written. Only copy 0 decides, because with 2 deciding copies,
 * the version could replace a newer one. MCP_OK. MCP_EXISTS: another copy has a newer version, which must be the
 * base. A failure: copy 0 is unreachable, and nothing must be written. */
static mcp_status survey_for(mcp_copies *copies, mcp_copies_write *write, const mcp_copy *seen) {
	survey(copies, write, seen->index);
	write->copies[seen->index] = *seen;
	if (write->copies[0].state == MCP_COPY_UNREACHED) {
		return write->copies[0].status;
	}
	bool gives_way = has_place(seen) && give_way(copies, write, seen) != MCP_OK;
	return gives_way ? MCP_EXISTS : MCP_OK;
}

/* Return the time after which a successor of `seen` must be stamped: the place of the version of `seen`, or of a
 * later claim on another copy. The holder of such a claim could not reach copy 0, and its result is stamped with the
 * time of the claim. A claim on copy 0 ends with this write. */
static uint64_t place_behind(const mcp_copies *copies, const mcp_copies_write *write,
	const mcp_copy *seen) {
	uint64_t place_us = mcp_version_place_us(&seen->version);
	for (unsigned i = 0; i < mcp_copies_count(copies); i++) {
		const mcp_copy *copy = &write->copies[i];
		bool is_later = i != 0 && copy->has_claim && copy->place_us > place_us;
		place_us = is_later ? copy->place_us : place_us;
	}
	return place_us;
}

/* Stamp a version after its base. If the base is not an envelope, stamp the version with the clock, and after all
 * surveyed versions. */
static void follow(mcp_copies *copies, mcp_copies_write *write, const mcp_copy *seen) {
	if (has_place(seen)) {
		write->made_of = version_under(seen);
		stamp(copies, write, place_behind(copies, write, seen));
	} else {
		write->made_of = newest_of(copies, write);
		write->version.epoch = 0;
		mcp_copies_restamp(copies, write);
	}
}

static mcp_status change(mcp_copies *copies, mcp_copies_write *write, const mcp_copy *seen) {
	write->made_of = version_under(seen);
	write->is_touch = is_touch(write, seen);
	write->carries_old = write->version.created_ms == seen->version.created_ms;
	/* A result keeps the epoch of its election (C3). */
	if (!write->is_touch && write->version.epoch == seen->version.epoch) {
		return publish(copies, write, seen);
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

/* A tombstone lives as long as any deleted version could, also on an unreachable copy (D4). */
static uint64_t tombstone_end_ms(const mcp_copies *copies, const mcp_copies_write *write,
	uint64_t now_ms) {
	uint64_t end_ms = now_ms + copies->lease_ms;
	for (unsigned i = 0; i < mcp_copies_count(copies); i++) {
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
	bool is_begun = begin_copies_write(copies, key, &record, write);
	memcpy(write->copies, known, sizeof(known));
	return is_begun;
}

static mcp_status delete_one(mcp_copies *copies, const mcp_key *key) {
	mcp_copies_write write = {.key = key};
	mcp_copies_forget(copies);
	survey(copies, &write, mcp_copies_count(copies));
	bool was_there = has_value(copies, &write);
	if (!bury(copies, &write, key)) {
		return MCP_UNREACHABLE;
	}
	mcp_status status = overwrite(copies, &write);
	return status == MCP_OK && !was_there ? MCP_NOT_FOUND : status;
}

/* Write a tombstone over the version that was read. Copy 0 decides. */
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

static mcp_status cas(mcp_copies *copies, const mcp_key *key, const mcp_record *record,
	uint64_t id) {
	const mcp_copies_memo *memo = mcp_copies_recall(copies, key->fingerprint);
	mcp_copies_write write;
	if (memo == NULL || id == 0) {
		return MCP_EXISTS;
	}
	if (!begin_copies_write(copies, key, record, &write)) {
		return MCP_UNREACHABLE;
	}
	mcp_copy seen = seen_by(copies, key, memo, id);
	bool is_claim =
		/* a new claim */
		write.envelope.has_claim && write.envelope.claim_token != seen.claim_token;
	bool is_of_claim = is_same_version(&write, &seen) && !is_touch(&write, &seen);
	if (is_of_claim || !write.envelope.has_value) {
		return is_claim ? claim(copies, &write, &seen) : mcp_store_cas(seen.store, key, record, id);
	}
	return change(copies, &write, &seen);
}

mcp_status mcp_copies_change(mcp_store *store, mcp_op *op) {
	mcp_copies *copies = mcp_copies_of(store);
	if (op->expects.connection != 0 || (mcp_op_is_read(op) && op->key != NULL)) {
		return MCP_UNSUPPORTED;
	}
	switch (op->verb) {
		case MCP_OP_ADD:
			return add_placeholder_copy(copies, op->key, op->record);
		case MCP_OP_SET:
			return set(copies, op->key, op->record);
		case MCP_OP_CAS:
			return cas(copies, op->key, op->record, op->expects.cas);
		case MCP_OP_DELETE:
			return delete_one(copies, op->key);
		case MCP_OP_DELETE_IF:
			return delete_if(copies, op->key, op->expects.cas);
		default:
			/* A change of an item that only one server has, such as a number, or a request without a key. */
			return mcp_store_change(copies->store.beneath, op);
	}
}

/* Operations of the copies' store, including operations that only copy 0 gets. */

/* --- the servers of a key --- */

/* Return the server whose connection returned the last CAS value of the key. */
static mcp_store *owner(mcp_store *store, const mcp_key *key) {
	const mcp_copies *copies = mcp_copies_of(store);
	const mcp_copies_memo *memo = mcp_copies_recall(copies, key->fingerprint);
	return memo != NULL ? mcp_store_candidate(copies->store.beneath, key, memo->copy.index)
						: mcp_store_owner(copies->store.beneath, key);
}

static size_t item_max(mcp_store *store, const mcp_key *key, size_t wanted) {
	mcp_copies *copies = mcp_copies_of(store);
	size_t least = SIZE_MAX;
	for (unsigned i = 0; i < mcp_copies_count(copies); i++) {
		size_t one = mcp_store_item_max(mcp_store_candidate(store, key, i), key, wanted);
		least = one < least ? one : least;
	}
	return least;
}

static bool gives_no_cas(mcp_store *store, const mcp_key *key) {
	return mcp_store_gives_no_cas(owner(store, key), key);
}

static void insist(mcp_store *store, const mcp_key *key, mcp_bypass what_for) {
	mcp_copies *copies = mcp_copies_of(store);
	for (unsigned i = 0; i < mcp_copies_count(copies); i++) {
		mcp_store_bypass_breaker(mcp_store_candidate(store, key, i), key, what_for);
	}
}

static const mcp_store_operations operations = {
	.get = mcp_copies_get,
	.change = mcp_copies_change,
	.get_many = mcp_copies_get_many,
	.owner = owner,
	.item_max = item_max,
	.gives_no_cas = gives_no_cas,
	.insist = insist,
};

/* --- the environment --- */

/* Make the stamp of a claim on a missing key, after the versions that were read on other copies, such as a tombstone.
 * Use the clock if a copy did not reply, because this copy might have an older version. All other writes get a new
 * stamp later. */
static uint64_t epoch_u64(const mcp_environment *environment, uint64_t fingerprint) {
	const mcp_copies *copies =
		(const void *)((const char *)environment - offsetof(mcp_copies, environment));
	const mcp_copies_memo *memo = mcp_copies_recall(copies, fingerprint);
	bool is_known = memo != NULL && memo->has_all;
	return is_known ? mcp_copies_date(copies, memo->newest_us, MCP_DISTANCE_CARRIED)
					: mcp_copies_stamp(copies);
}

/* --- creation --- */

mcp_copies *mcp_copies_create(unsigned count) {
	mcp_copies *copies = calloc(1, sizeof(*copies));
	if (copies == NULL) {
		return NULL;
	}
	copies->wanted = count;
	copies->store = (mcp_store){&operations, "copies", NULL};
	return copies;
}

void mcp_copies_free(mcp_copies *copies) {
	mcp_buffer_free(&copies->memos);
	mcp_buffer_free(&copies->kept);
	mcp_buffer_free(&copies->pending);
	free(copies);
}

void mcp_copies_prepare(mcp_copies *copies, mcp_store *store, const mcp_environment *environment,
	uint32_t lease_ms) {
	copies->store.beneath = store;
	copies->host = environment;
	copies->lease_ms = lease_ms;
	/* The host's environment, but with other epochs, and without the early clock. */
	copies->environment = *environment;
	copies->environment.epoch_u64 = epoch_u64;
	copies->environment.early_wall_ms = NULL;
}

mcp_store *mcp_copies_store(mcp_copies *copies) {
	return &copies->store;
}

const mcp_environment *mcp_copies_environment(const mcp_copies *copies) {
	return &copies->environment;
}
