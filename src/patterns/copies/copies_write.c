/* One version on its way to all copies: over what is older, never over what is newer (D1), and once more a look at
 * copy 0, where a repair may have put back what was there before (D2, D3). */
/* SPDX-License-Identifier: MIT */
#include "copies_internal.h"

/* How often one copy is tried when others keep writing there; each of them made progress. */
#define TRIES_MAX 64
/* How often copy 0 is written again after the last look. */
#define LAST_LOOKS_MAX 3

bool mcp_copies_begin(mcp_copies *copies, const mcp_key *key, const mcp_record *record,
	mcp_copies_write *write) {
	mcp_buffer *pending = &copies->pending;
	mcp_buffer_clear(pending);
	if (!mcp_buffer_append(pending, record->head) || !mcp_buffer_append(pending, record->body)) {
		return false;
	}
	mcp_bytes payload;
	mcp_bytes item = mcp_bytes_of(pending->data, pending->length);
	*write = (mcp_copies_write){.key = key, .record = *record, .failure = MCP_OK};
	write->record.before_ring = NULL; /* it is not on all copies then */
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

void mcp_copies_survey(mcp_copies *copies, mcp_copies_write *write, unsigned except) {
	for (unsigned i = 0; i < mcp_copies_count(copies); i++) {
		if (i != except) {
			mcp_copies_look(copies, write->key, i, &write->copies[i]);
		}
	}
}

bool mcp_copies_has_reached_all(const mcp_copies *copies, const mcp_copies_write *write,
	unsigned except) {
	for (unsigned i = 0; i < mcp_copies_count(copies); i++) {
		if (i != except && write->copies[i].state == MCP_COPY_UNREACHED) {
			return false;
		}
	}
	return true;
}

static void fail(mcp_copies_write *write, mcp_status status) {
	/* A write without an answer is not on all copies, whatever reading it back would show: never unknown. */
	mcp_status known = status == MCP_UNKNOWN ? MCP_TIMEOUT : status;
	write->failure = write->failure == MCP_OK ? known : write->failure;
}

static bool has_same_ends(const mcp_copies_write *write, const mcp_copy *copy) {
	mcp_ends wanted = mcp_ends_of(&write->envelope);
	return mcp_ends_equal(&wanted, &copy->ends);
}

/* Says whether this version is there, or what came after it is. */
static bool stands(const mcp_copies_write *write, const mcp_copy *copy) {
	if (!mcp_copy_is_version(copy)) {
		return false;
	}
	int order = mcp_version_compare(&copy->version, &write->version);
	return order > 0 || (order == 0 && (!write->is_touch || has_same_ends(write, copy)));
}

static bool is_newer(const mcp_copies_write *write, const mcp_copy *copy) {
	return mcp_copy_is_version(copy) && mcp_version_compare(&copy->version, &write->version) > 0;
}

/* Says whether only what this version was made of is known to be older than it: where this one has stood, so that a repair
 * has brought back what is there now; or where the other one has come since, and stamps that follow nothing say
 * nothing. */
static bool is_order_unknown(const mcp_copies_write *write, const mcp_copy *copy, int tries) {
	bool has_stood_here = write->has_stood && copy->index == 0;
	return has_stood_here || (tries > 0 && mcp_version_follows_nothing(&write->made_of));
}

/* Says whether a version is another caller's, that this one was not made of: it must not be replaced. Also if
 * it is gone by now. */
static bool is_foreign(const mcp_copies_write *write, const mcp_copy *copy, int tries) {
	int order = mcp_version_compare(&copy->version, &write->made_of);
	bool is_another = is_order_unknown(write, copy, tries) ? order != 0 : order > 0;
	bool is_later = mcp_copy_is_version(copy) && is_another;
	bool was_later = tries > 0 && copy->state == MCP_COPY_ABSENT;
	return !write->overwrites && (is_later || was_later);
}

/* Says whether somebody was elected over this version on copy 0 since a touch got there: the claim has to stay. */
static bool is_claimed_since(const mcp_copies_write *write, const mcp_copy *copy) {
	return write->is_touch && copy->index == 0 && copy->state == MCP_COPY_VALUE &&
		mcp_version_compare(&copy->version, &write->version) == 0 &&
		copy->claim_mark != mcp_copies_claim_mark(&write->envelope);
}

static mcp_status send(const mcp_copies_write *write, const mcp_copy *copy) {
	return copy->state == MCP_COPY_ABSENT
		? mcp_store_add(copy->store, write->key, &write->record)
		: mcp_store_cas(copy->store, write->key, &write->record, copy->item.cas);
}

/* Deletes what was found where there is no memory for a tombstone: by its cas id; or, where that takes memory, too, whatever
 * it is by now. */
static mcp_status delete_instead(const mcp_copies_write *write, const mcp_copy *copy) {
	if (copy->state == MCP_COPY_ABSENT) {
		return MCP_OK;
	}
	mcp_status status = mcp_store_delete_if(copy->store, write->key, copy->item.cas);
	return status == MCP_REFUSED ? mcp_store_delete(copy->store, write->key) : status;
}

/* Sends it to a copy; a tombstone that the server has no memory for is not there, and its next try deletes. MCP_EXISTS: look
 * again, as a refusal may have ended the connection, and the cas id with it. */
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

/* Notes what the put met. */
static void note_put(mcp_copies_write *write, const mcp_copy *copy, bool is_there) {
	write->has_met_newer = write->has_met_newer || (is_there && is_newer(write, copy));
	write->has_stood = write->has_stood || copy->index == 0;
}

static void put(mcp_copies *copies, mcp_copies_write *write, mcp_copy *copy) {
	for (int tries = 0; tries < TRIES_MAX; tries++) {
		if (copy->state == MCP_COPY_UNREACHED) {
			fail(write, copy->status);
			return;
		}
		bool is_there = stands(write, copy);
		if (!is_there && is_claimed_since(write, copy)) {
			fail(write, MCP_EXISTS);
			return;
		}
		if (!is_there && is_foreign(write, copy, tries)) {
			fail(write, MCP_TIMEOUT);
			return;
		}
		mcp_status status = is_there ? MCP_OK : send_or_delete(write, copy);
		if (status == MCP_OK) {
			note_put(write, copy, is_there);
			return;
		}
		if (!is_lost(status)) {
			fail(write, status);
			return;
		}
		mcp_copies_look(copies, write->key, copy->index, copy);
	}
	fail(write, MCP_TIMEOUT);
}

/* Leads while nothing of this write is anywhere yet, so it may still be stamped anew: above whatever came in
 * between. A version in between may have been computed (an update, an expire) from what was there before this
 * write, so it must not stay in its place. */
static void lead(mcp_copies *copies, mcp_copies_write *write, mcp_copy *copy) {
	mcp_status status = MCP_EXISTS;
	for (int tries = 0; tries < TRIES_MAX && is_lost(status); tries++) {
		if (tries > 0) {
			mcp_copies_look(copies, write->key, copy->index, copy);
		}
		mcp_copies_restamp(copies, write);
		status = copy->state == MCP_COPY_UNREACHED ? copy->status : send_or_delete(write, copy);
	}
	if (status == MCP_OK) {
		write->has_stood = copy->index == 0;
	} else {
		fail(write, is_lost(status) ? MCP_TIMEOUT : status);
	}
}

mcp_status mcp_copies_overwrite(mcp_copies *copies, mcp_copies_write *write) {
	unsigned first = 0;
	write->overwrites = true;
	while (first < mcp_copies_count(copies) && write->copies[first].state == MCP_COPY_UNREACHED) {
		fail(write, write->copies[first++].status);
	}
	if (first < mcp_copies_count(copies)) {
		lead(copies, write, &write->copies[first]);
		mcp_copies_carry(copies, write, first);
	}
	return mcp_copies_finish(copies, write);
}

mcp_status mcp_copies_decide(mcp_copies *copies, mcp_copies_write *write, const mcp_copy *copy) {
	mcp_status status = send(write, copy);
	if (status == MCP_UNKNOWN) {
		/* When it is there, it goes on to the others; but not all have acknowledged it. */
		mcp_copy now;
		fail(write, status);
		mcp_store_bypass_breaker(copy->store, write->key, MCP_BYPASS_TO_RESOLVE);
		mcp_copies_look(copies, write->key, copy->index, &now);
		bool is_there =
			mcp_copy_is_version(&now) && mcp_version_compare(&now.version, &write->version) == 0;
		status = is_there ? MCP_OK : MCP_TIMEOUT;
	}
	if (status == MCP_OK) {
		write->has_stood = write->has_stood || copy->index == 0;
	}
	return is_lost(status) ? MCP_EXISTS : status;
}

void mcp_copies_carry(mcp_copies *copies, mcp_copies_write *write, unsigned except) {
	for (unsigned i = 0; i < mcp_copies_count(copies); i++) {
		if (i != except) {
			put(copies, write, &write->copies[i]);
		}
	}
}

/* Says whether copy 0 does not tell that what is newer came later: another copy has it, which was there before and was
 * lost from here; or it was made of what this version was made of, or took the place of, which a repair had put back here. */
static bool is_out_of_turn(const mcp_copies_write *write, const mcp_copy *home) {
	if (is_newer(write, home)) {
		return write->overwrites ? write->has_met_newer && write->was_put_back
								 : !mcp_copies_is_after(write, &home->version);
	}
	return write->has_met_newer && home->state != MCP_COPY_ABSENT;
}

/* Puts an overwrite after that one, too. A version made of a value was not made of that one, and must not take
 * its place. */
static void take_turn(mcp_copies *copies, mcp_copies_write *write, mcp_copy *home) {
	if (!write->overwrites) {
		fail(write, MCP_TIMEOUT);
		return;
	}
	write->has_met_newer = false;
	mcp_copies_restamp(copies, write);
	put(copies, write, home);
	mcp_copies_carry(copies, write, 0);
}

/* Finds out whether copy 0 has been lost since, and a version that came after this one is on another copy: a repair
 * is about to bring that, and this one would take its place. A round trip for each other copy. */
static bool is_superseded(mcp_copies *copies, mcp_copies_write *write) {
	mcp_copies_survey(copies, write, 0);
	for (unsigned i = 1; i < mcp_copies_count(copies); i++) {
		if (is_newer(write, &write->copies[i])) {
			return true;
		}
	}
	return false;
}

mcp_status mcp_copies_finish(mcp_copies *copies, mcp_copies_write *write) {
	mcp_copy *home = &write->copies[0];
	for (int looks = 0; write->failure == MCP_OK && looks < LAST_LOOKS_MAX; looks++) {
		mcp_copies_look(copies, write->key, 0, home);
		if (home->state == MCP_COPY_UNREACHED) {
			fail(write, home->status);
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
