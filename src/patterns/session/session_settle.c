/* Settles a turn that has found another version, or none, in the place of its own: the next one is made of what is there,
 * or there is none. A write is never merged once more over what was built on it. */
/* SPDX-License-Identifier: MIT */
#include "session_lock.h"
#include "session_writing.h"

#include "../../core/session/session_merge.h"

/* A tombstone may have come and gone since. */
#define PROVEN_FOR_MAX_MS (3600000 / 2)

typedef mcp_session_writing writing;

static bool end(writing *self, mcp_session_outcome outcome) {
	return mcp_session_writing_end(self, outcome);
}

bool mcp_session_writing_is_fresh(const writing *self) {
	uint64_t since_ms = mcp_monotonic_ms(self->session->environment) - self->known->read_ms;
	return since_ms < PROVEN_FOR_MAX_MS && since_ms < self->session->ttl_ms / 2;
}

bool mcp_session_writing_store_again(writing *self, bool is_proven) {
	/* A first write without an answer may have been carried out, read, and destroyed: by lock without a tombstone that stays. */
	bool is_first = self->is_born_here && !(self->is_unknown && self->known->is_by_lock);
	if (!is_first && !is_proven) {
		return end(self, MCP_SESSION_LOST);
	}
	self->is_there = false;
	self->is_touch = false;
	self->report->was_stored_again = self->had;
	return true;
}

/* --- building on what is there --- */

/* Merges what is there with what is to be stored. False if it cannot be. */
static bool merge(writing *self, const mcp_session_found *theirs) {
	mcp_session_versions versions = {
		.format = self->session->format,
		.depth = self->session->merge_depth,
		.base = mcp_bytes_of(self->base.data, self->base.length),
		.mine = self->value,
		.theirs = theirs->data,
	};
	size_t length = versions.base.length + versions.mine.length + versions.theirs.length;
	mcp_buffer memory = {0};
	for (size_t size = 65536 + 8 * length; mcp_buffer_reserve(&memory, size);) {
		mcp_session_room room = mcp_session_room_of(memory.data, memory.capacity);
		mcp_session_merged merged;
		if (mcp_session_merge(&versions, &room, &merged)) {
			mcp_buffer_free(&self->memory);
			self->memory = memory;
			self->value = merged.data;
			self->report->conflicts += merged.conflicts;
			self->report->was_merged = true;
			return true;
		}
		if (!mcp_session_room_is_short(&room)) {
			self->report->reason = room.reason;
			break;
		}
		size = 2 * room.wanted;
	}
	mcp_buffer_free(&memory);
	return false;
}

/* Says that there is what this write is made of: nothing is to be merged, and nothing needs to be taken apart. */
static bool is_base(const writing *self, const mcp_session_found *there) {
	return mcp_bytes_equal(there->data, mcp_bytes_of(self->base.data, self->base.length));
}

/* Goes on from what is there: what is theirs is the base of the next turn. */
static bool build_on(writing *self, const mcp_session_found *theirs, mcp_proof read) {
	bool is_changed = !is_base(self, theirs);
	if (self->is_touch && is_changed) {
		return end(self, MCP_SESSION_STORED); /* it was renewed by who has changed it */
	}
	if (read.cas == 0) {
		return mcp_session_writing_fail(self, MCP_NO_CAS);
	}
	bool merges = is_changed && self->session->locking != MCP_SESSION_NO_LOCK;
	if (merges && !merge(self, theirs)) {
		return end(self, MCP_SESSION_UNMERGEABLE);
	}
	mcp_buffer_clear(&self->base);
	if (!mcp_buffer_append(&self->base, theirs->data)) {
		return mcp_session_writing_fail(self, MCP_UNREACHABLE);
	}
	self->from = theirs->head;
	self->birth = theirs->birth;
	self->is_born_here = false;
	self->is_over_tombstone = theirs->head.is_over_tombstone;
	self->had = self->is_there = true;
	self->read = read;
	return true;
}

/* --- judging what is there --- */

/* Says whether what is there has grown out of what this write is made of: a write without an answer, which may be among
 * its forgotten stamps, is then not in it. */
static bool reaches_back(const writing *self, const mcp_session_found *there) {
	return self->from.stamp_count > 0 ? mcp_session_head_has(&there->head, self->from.stamps[0])
									  : there->head.stamp_count < MCP_SESSION_STAMPS_MAX;
}

/* Judges a session where this request had read one. */
static bool settle_known(writing *self, const mcp_session_found *there, mcp_proof read) {
	if (there->birth != self->birth) {
		bool is_after_end = there->kind == MCP_SESSION_VALUE && there->head.is_over_tombstone;
		return end(self, is_after_end ? MCP_SESSION_DROPPED : MCP_SESSION_BEGUN_ANEW);
	}
	if (self->is_unknown && !reaches_back(self, there)) {
		return end(self, MCP_SESSION_NOT_KNOWN);
	}
	return build_on(self, there, read);
}

/* Judges a session where there was none: begun by another request, or by this one's turn without an answer. */
static bool settle_new(writing *self, const mcp_session_found *there, mcp_proof read) {
	if (mcp_session_item_ended_since(self->known, there)) {
		return end(self, MCP_SESSION_DROPPED);
	}
	bool is_mine = self->is_unknown && there->birth == self->birth; /* and changed since */
	return is_mine ? end(self, MCP_SESSION_STORED) : build_on(self, there, read);
}

/* Judges a tombstone: the one that this write was to go over is an earlier session's end. */
static bool settle_ended(writing *self, const mcp_session_found *there, mcp_proof read) {
	if (self->had || mcp_session_item_ended_since(self->known, there)) {
		return end(self, MCP_SESSION_DROPPED);
	}
	self->is_there = true;
	self->read = read;
	return read.cas != 0 || mcp_session_writing_fail(self, MCP_NO_CAS);
}

static bool settle_with(writing *self, const mcp_session_found *there, mcp_proof read) {
	switch (there->kind) {
		case MCP_SESSION_TOMBSTONE:
			return settle_ended(self, there, read);
		case MCP_SESSION_STRANGE:
			return end(self, MCP_SESSION_BEGUN_ANEW);
		case MCP_SESSION_UNREADABLE:
			self->report->reason = "it is of a later version, or in another format";
			return end(self, MCP_SESSION_UNMERGEABLE);
		default:
			break;
	}
	if (self->is_unknown && mcp_session_head_has(&there->head, self->stamp)) {
		return end(self, MCP_SESSION_STORED);
	}
	return self->had ? settle_known(self, there, read) : settle_new(self, there, read);
}

/* --- looking --- */

/* Looks at what is there, and, where there is a lock, at that behind it. Returns the session's status. */
static mcp_status look(const writing *self, mcp_key *lock_key, mcp_store_step steps[2]) {
	const mcp_session *session = self->session;
	size_t count = self->known->is_by_lock ? 2 : 1;
	for (int i = 0; i < 2; i++) {
		steps[0] = (mcp_store_step){.verb = MCP_STEP_GET, .key = session->key};
		steps[1] = (mcp_store_step){.verb = MCP_STEP_GET, .key = lock_key};
		mcp_store_bypass_breaker(session->store, session->key, MCP_BYPASS_TO_RESOLVE);
		mcp_store_steps(session->store, steps, count);
		if (!mcp_status_is_unanswered(steps[0].status)) {
			break;
		}
	}
	return mcp_status_is_failure(steps[count - 1].status) ? steps[count - 1].status
														  : steps[0].status;
}

/* Says whether the lock that was found is this request's; what this write itself holds of it is given back with the next
 * turn, and what another handle of the process does is not. */
static bool note_lock(const mcp_session *session, mcp_session_known *known,
	const mcp_store_step *look) {
	bool is_ours = mcp_session_lock_is_ours(known, look);
	if (known->is_held && !is_ours) {
		mcp_session_lock_forget(session, known);
	}
	known->lock = known->is_held ? look->read : (mcp_proof){0};
	return is_ours;
}

bool mcp_session_writing_settle(writing *self) {
	mcp_store_step steps[2];
	mcp_key_buffer buffer;
	mcp_key lock_key = mcp_session_lock_key(&buffer, self->session);
	mcp_status status = look(self, &lock_key, steps);
	if (mcp_status_is_failure(status)) {
		return mcp_session_writing_fail(self, status);
	}
	mcp_session_known *known = self->known;
	bool holds = known->is_by_lock && note_lock(self->session, known, &steps[1]);
	if (status == MCP_NOT_FOUND) {
		bool is_same_connection = steps[0].read.connection == known->read.connection;
		return mcp_session_writing_store_again(self,
			known->is_by_lock ? holds : is_same_connection && mcp_session_writing_is_fresh(self));
	}
	mcp_session_found there = mcp_session_item_judge(self->session, &steps[0]);
	return settle_with(self, &there, steps[0].read);
}
