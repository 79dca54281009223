/* Stores by turns: each writes over the version that it knows, and where another one, or none, is found there, the next
 * goes by that. A turn without an answer is found again by its stamp, and never merged once more over what was built on
 * it. */
/* SPDX-License-Identifier: MIT */
#include "session_lock.h"

#include "../../core/session/session_merge.h"

#define TURNS_MAX 64
/* From this one on there are pauses. */
#define TURNS_AT_ONCE 4
#define PAUSE_MAX_MS 20
/* A tombstone may have come and gone since. */
#define PROVEN_FOR_MAX_MS (3600000 / 2)

typedef struct writing {
	const mcp_session *session;
	mcp_session_known *known;
	mcp_session_report *report;
	mcp_key_buffer buffer;
	mcp_key lock_key;
	uint64_t birth;
	bool is_born_here; /* nobody but this write knows of this birth */
	bool had;          /* a value or a placeholder was read, here or at a look */
	bool is_over_tombstone;
	mcp_bytes value;       /* to be stored; in `memory` once it was merged */
	mcp_buffer base;       /* what it is made of */
	mcp_session_head from; /* the base's stamps */
	uint32_t stamp;
	mcp_proof read; /* what it is to be stored over; without a cas id: nothing is there */
	bool is_touch;
	bool is_unknown;  /* some turn had no answer */
	bool proves_lock; /* this very turn has shown that nobody else can have destroyed the session */
	mcp_buffer memory;
} writing;

static bool end(writing *self, mcp_session_outcome outcome) {
	self->report->outcome = outcome;
	return false;
}

static bool fail(writing *self, mcp_status status) {
	self->report->status = status;
	return end(self, self->is_unknown ? MCP_SESSION_NOT_KNOWN : MCP_SESSION_FAILED);
}

/* --- one turn --- */

static bool is_whole(const writing *self) {
	mcp_session_parts parts;
	mcp_buffer memory = {0};
	bool is = false;
	for (size_t size = 65536 + 4 * self->value.length; mcp_buffer_reserve(&memory, size);) {
		mcp_session_room room = mcp_session_room_of(memory.data, memory.capacity);
		is = !mcp_session_parts_take(&parts, &room, self->session->format, self->value);
		if (!mcp_session_room_is_short(&room)) {
			break;
		}
		size = 2 * room.wanted;
	}
	mcp_buffer_free(&memory);
	return is;
}

static bool make_item(writing *self, mcp_session_item *item) {
	mcp_session_head head;
	mcp_session_head_descend(&head, self->stamp, &self->from);
	head.format = self->session->format;
	head.is_over_tombstone = self->is_over_tombstone;
	head.is_whole = self->session->locking == MCP_SESSION_MERGE && is_whole(self);
	return mcp_session_item_make_value(self->session, item, self->birth, &head, self->value);
}

static mcp_store_step step_of(const writing *self, const mcp_session_item *item) {
	bool adds = self->read.cas == 0;
	return (mcp_store_step){
		.verb = self->is_touch ? MCP_STEP_TOUCH
			: adds             ? MCP_STEP_ADD
							   : MCP_STEP_CAS,
		.key = self->session->key,
		.record = &item->record,
		.base = adds ? (mcp_proof){0} : self->read,
	};
}

/* Sends the write, and the lock's end behind it. Returns how many steps that were. */
static size_t send_turn(writing *self, const mcp_session_item *item, mcp_store_step steps[2]) {
	mcp_session_known *known = self->known;
	size_t count = 1;
	steps[0] = step_of(self, item);
	if (known->is_held && known->lock.cas != 0) {
		steps[count++] = (mcp_store_step){
			.verb = MCP_STEP_DELETE_PROVEN,
			.key = &self->lock_key,
			.base = known->lock,
		};
	}
	mcp_store_steps(self->session->store, steps, count);
	bool was_sent = steps[0].status != MCP_TOO_LARGE && steps[0].status != MCP_UNREACHABLE;
	known->is_held = known->is_held && !was_sent;
	return count;
}

/* --- what is found in its place --- */

static bool is_still_proven(const writing *self) {
	uint64_t since_ms = mcp_monotonic_ms(self->session->environment) - self->known->read_ms;
	return since_ms < PROVEN_FOR_MAX_MS && since_ms < self->session->ttl_ms / 2;
}

/* Stores it again where nothing is, if nobody can have destroyed it. */
static bool store_again(writing *self, bool is_same_connection) {
	bool is_mine = self->is_born_here && !self->is_unknown;
	bool is_proven =
		self->known->is_by_lock ? self->proves_lock : is_same_connection && is_still_proven(self);
	if (!is_mine && !is_proven) {
		return end(self, MCP_SESSION_LOST);
	}
	self->read.cas = 0;
	self->is_touch = false;
	self->report->was_stored_again = true;
	return true;
}

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
		self->report->reason = room.reason;
		if (!mcp_session_room_is_short(&room)) {
			break;
		}
		size = 2 * room.wanted;
	}
	mcp_buffer_free(&memory);
	return false;
}

/* Goes on from what is there: what is theirs is the base of the next turn. */
static bool build_on(writing *self, const mcp_session_found *theirs, mcp_proof read) {
	if (self->session->locking != MCP_SESSION_NO_LOCK && !merge(self, theirs)) {
		return end(self, MCP_SESSION_UNMERGEABLE);
	}
	mcp_buffer_clear(&self->base);
	if (!mcp_buffer_append(&self->base, theirs->data)) {
		return fail(self, MCP_UNREACHABLE);
	}
	self->from = theirs->head;
	self->birth = theirs->birth;
	self->is_born_here = false;
	self->is_over_tombstone = theirs->kind == MCP_SESSION_VALUE ? theirs->head.is_over_tombstone
																: self->is_over_tombstone;
	self->had = true;
	self->read = read;
	return true;
}

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
	if (self->is_unknown && there->kind == MCP_SESSION_VALUE) {
		if (there->birth == self->birth) {
			return end(self, MCP_SESSION_STORED); /* and changed since */
		}
		if (self->known->kind == MCP_SESSION_TOMBSTONE) {
			return end(self, MCP_SESSION_NOT_KNOWN);
		}
		if (there->head.is_over_tombstone) {
			return end(self, MCP_SESSION_DROPPED); /* this one's may have been destroyed */
		}
	}
	return build_on(self, there, read);
}

static bool settle_with(writing *self, const mcp_session_found *there, mcp_proof read) {
	switch (there->kind) {
		case MCP_SESSION_TOMBSTONE:
			return end(self, MCP_SESSION_DROPPED);
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

/* Looks at what is there, and, where there is a lock, at that behind it. Returns the session's status. */
static mcp_status look(writing *self, mcp_store_step steps[2]) {
	const mcp_session *session = self->session;
	size_t count = self->known->is_by_lock ? 2 : 1;
	for (int i = 0; i < 2; i++) {
		steps[0] = (mcp_store_step){.verb = MCP_STEP_GET, .key = session->key};
		steps[1] = (mcp_store_step){.verb = MCP_STEP_GET, .key = &self->lock_key};
		mcp_store_insist(session->store, session->key, MCP_INSIST_TO_SETTLE);
		mcp_store_steps(session->store, steps, count);
		if (!mcp_status_is_unanswered(steps[0].status)) {
			break;
		}
	}
	return mcp_status_is_failure(steps[count - 1].status) ? steps[count - 1].status
														  : steps[0].status;
}

/* Finds out what is there. True if there is to be another turn. */
static bool settle(writing *self) {
	mcp_store_step steps[2];
	mcp_status status = look(self, steps);
	if (mcp_status_is_failure(status)) {
		self->is_unknown = true;
		return fail(self, status);
	}
	mcp_session_known *known = self->known;
	if (known->is_by_lock && !self->proves_lock && mcp_session_lock_is_ours(known, &steps[1])) {
		known->is_held = true; /* still: it is given back with the next turn */
		known->lock = steps[1].read;
		self->proves_lock = true;
	}
	if (status == MCP_NOT_FOUND) {
		return store_again(self, steps[0].read.connection == known->read.connection);
	}
	mcp_session_found there = mcp_session_item_judge(self->session, &steps[0]);
	return settle_with(self, &there, steps[0].read);
}

/* Judges a turn's answers. True if there is to be another one. */
static bool judge(writing *self, const mcp_store_step steps[2], size_t count) {
	self->proves_lock = false;
	switch (steps[0].status) {
		case MCP_OK:
			return end(self, MCP_SESSION_STORED);
		case MCP_TOO_LARGE:
			return end(self, MCP_SESSION_TOO_LARGE);
		case MCP_NOT_FOUND:
			self->proves_lock = count == 2 && steps[1].status == MCP_OK;
			return store_again(self, true);
		case MCP_EXISTS:
		case MCP_NOT_STORED:
		case MCP_UNSUPPORTED:
			break;
		case MCP_UNKNOWN:
			self->is_unknown = true;
			break;
		default:
			return fail(self, steps[0].status);
	}
	bool is_lost = steps[0].status == MCP_UNKNOWN || steps[0].status == MCP_UNSUPPORTED;
	/* Nothing of this request was to be stored. */
	return self->is_touch && is_lost ? end(self, MCP_SESSION_STORED) : settle(self);
}

static bool take_turn(writing *self) {
	mcp_session_item item;
	mcp_store_step steps[2];
	if (!make_item(self, &item)) {
		return fail(self, MCP_UNREACHABLE);
	}
	size_t count = send_turn(self, &item, steps);
	bool goes_on = judge(self, steps, count);
	mcp_buffer_free(&item.payload);
	return goes_on;
}

static void pause(const writing *self, int turn) {
	if (turn >= TURNS_AT_ONCE) {
		uint64_t random = mcp_random_u64(self->session->environment);
		mcp_sleep_ms(self->session->environment, 1 + (uint32_t)(random % PAUSE_MAX_MS));
	}
}

/* Takes turns until one ends it. */
static void take_turns(writing *self) {
	uint64_t began_ms = mcp_monotonic_ms(self->session->environment);
	for (int turn = 0; take_turn(self); turn++) {
		uint64_t took_ms = mcp_monotonic_ms(self->session->environment) - began_ms;
		if (turn + 1 == TURNS_MAX || took_ms > self->session->wait_ms) {
			self->is_unknown = true;
			fail(self, MCP_EXISTS);
			return;
		}
		pause(self, turn);
	}
}

/* Begins with what was read; *self may be used until `finish`. */
static void begin(writing *self, const mcp_session *session, mcp_session_known *known,
	mcp_session_report *report) {
	bool is_there = mcp_session_is_there(known);
	*report = (mcp_session_report){.outcome = MCP_SESSION_FAILED};
	*self = (writing){
		.session = session,
		.known = known,
		.report = report,
		.birth = is_there ? known->birth : mcp_session_item_draw(session),
		.is_born_here = !is_there,
		.had = is_there,
		.is_over_tombstone = known->kind == MCP_SESSION_TOMBSTONE || known->head.is_over_tombstone,
		.from = known->head,
		.stamp = (uint32_t)mcp_session_item_draw(session),
		.read = known->read,
		.base = known->data,
	};
	known->data = (mcp_buffer){0};
	self->lock_key = mcp_session_lock_key(&self->buffer, session);
}

static void finish(writing *self) {
	mcp_session_unlock(self->session, self->known);
	mcp_buffer_free(&self->memory);
	mcp_buffer_free(&self->base);
}

void mcp_session_write(const mcp_session *session, mcp_session_known *known, mcp_bytes data,
	mcp_session_report *report) {
	writing self;
	begin(&self, session, known, report);
	self.value = data;
	take_turns(&self);
	finish(&self);
}

void mcp_session_renew(const mcp_session *session, mcp_session_known *known,
	mcp_session_report *report) {
	writing self;
	begin(&self, session, known, report);
	self.is_touch = known->kind == MCP_SESSION_VALUE;
	if (known->was_renewed && !known->is_held) {
		end(&self, MCP_SESSION_STORED);
	} else if (!mcp_buffer_append(&self.memory, mcp_bytes_of(self.base.data, self.base.length))) {
		fail(&self, MCP_UNREACHABLE);
	} else {
		self.value = mcp_bytes_of(self.memory.data, self.memory.length);
		take_turns(&self);
	}
	finish(&self);
}
