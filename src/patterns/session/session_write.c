/* Stores a session in turns: each turn replaces the known version. If a turn finds another version or a miss, the
 * next turn is based on it. */
/* SPDX-License-Identifier: MIT */
#include "../../core/session/session_parts.h"
#include "session.h"

typedef struct writing {
	const mcp_session *session;
	mcp_session_known *known;
	mcp_session_report *report;
	uint64_t birth;
	bool is_born_here; /* this process has drawn the birth, and no other one knows it */
	bool had;          /* a value or placeholder was read, at the start or in a turn */
	bool is_over_tombstone;
	mcp_bytes value;       /* data to store. After a merge, it points into `memory` */
	mcp_buffer base;       /* data of the version on which the value is based */
	mcp_session_head from; /* head of the base, with its stamps */
	uint32_t stamp;
	bool is_there;  /* an item is stored, and must be replaced */
	mcp_proof read; /* CAS value of this item */
	bool is_touch;
	bool is_unknown; /* a turn was not answered */
	int turn;
	mcp_buffer memory;
	mcp_session_kind there; /* destruction: kind of the stored item */
} writing;

/* Set the outcome, and return false, because no further turn is needed. */
static bool end_turns(writing *self, mcp_session_outcome outcome) {
	self->report->outcome = outcome;
	return false;
}

static bool end_with(writing *self, mcp_session_outcome outcome, mcp_status status) {
	self->report->status = status;
	return end_turns(self, outcome);
}

static bool fail_writing(writing *self, mcp_status status) {
	return end_with(self, self->is_unknown ? MCP_SESSION_NOT_KNOWN : MCP_SESSION_FAILED, status);
}

/* --- resolving a turn that found another version or a miss --- */

/* The next turn is based on the version that was found, or there is no further turn. A write is never merged with a
 * version that already contains it. */

/* If more than this time has passed since the read, a tombstone might have been written and have expired. */
#define PROVEN_FOR_MAX_MS (3600000 / 2)

/* Whether the read is so recent that the session cannot have been destroyed unnoticed, if the read's connection is
 * still open. */
static bool is_fresh(const writing *self) {
	uint64_t since_ms = mcp_monotonic_ms(self->session->environment) - self->known->read_ms;
	return since_ms < PROVEN_FOR_MAX_MS && since_ms < self->session->ttl_ms / 2;
}

/* Store a lost session again in another turn. Returns false if a destruction is not ruled out and other processes
 * might know the session's birth. */
static bool store_again(writing *self, bool is_proven) {
	/* A first write that was not answered might have been executed, and its session might have been read and
	 * destroyed. With a lock, assume this even if no tombstone is left. */
	bool is_first = self->is_born_here && !(self->is_unknown && self->known->is_by_lock);
	if (!is_first && !is_proven) {
		return end_turns(self, MCP_SESSION_LOST);
	}
	self->is_there = self->is_touch = false;
	self->report->was_stored_again = self->had;
	return true;
}

/* --- continuing from the stored version --- */

/* Merge the stored version with the value. Returns false if they cannot be merged. */
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
		mcp_session_arena arena = mcp_session_arena_of(memory.data, memory.capacity);
		mcp_session_merged merged;
		if (mcp_session_merge(&versions, &arena, &merged)) {
			mcp_buffer_free(&self->memory);
			self->memory = memory;
			self->value = merged.data;
			self->report->conflicts += merged.conflicts;
			self->report->was_merged = true;
			return true;
		}
		if (!mcp_session_arena_is_short(&arena)) {
			self->report->reason = arena.reason;
			break;
		}
		size = 2 * arena.wanted;
	}
	mcp_buffer_free(&memory);
	return false;
}

/* Use the stored version as the base of the next turn. */
static bool build_on(writing *self, const mcp_session_found *theirs, mcp_proof read) {
	/* If the data has not changed, no merge is needed, and the data is not parsed. */
	bool is_changed =
		!mcp_bytes_equal(theirs->data, mcp_bytes_of(self->base.data, self->base.length));
	if (self->is_touch && is_changed) {
		return end_turns(self, MCP_SESSION_STORED); /* the changing request has renewed it */
	}
	if (read.cas == 0) {
		return fail_writing(self, MCP_NO_CAS);
	}
	bool merges = is_changed && self->session->locking != MCP_SESSION_NO_LOCK;
	if (merges && !merge(self, theirs)) {
		return end_turns(self, MCP_SESSION_UNMERGEABLE);
	}
	mcp_buffer_clear(&self->base);
	if (!mcp_buffer_append(&self->base, theirs->data)) {
		return fail_writing(self, MCP_UNREACHABLE);
	}
	self->from = theirs->head;
	self->birth = theirs->birth;
	self->is_born_here = false;
	self->is_over_tombstone = theirs->head.is_over_tombstone;
	self->had = self->is_there = true;
	self->read = read;
	return true;
}

/* --- evaluating the stored version --- */

/* Decide on the stored version if this request has read a session before. */
static bool resolve_known(writing *self, const mcp_session_found *there, mcp_proof read) {
	if (there->birth != self->birth) {
		bool is_after_end = there->kind == MCP_SESSION_VALUE && there->head.is_over_tombstone;
		return end_turns(self, is_after_end ? MCP_SESSION_DROPPED : MCP_SESSION_BEGUN_ANEW);
	}
	/* Whether the stored version follows the base, according to the stamps in its head. Only then does a missing
	 * stamp show that a write that was not answered is not part of the stored version. */
	bool descends_from_base = self->from.stamp_count > 0
		? mcp_session_head_has(&there->head, self->from.stamps[0])
		: there->head.stamp_count < MCP_SESSION_STAMPS_MAX;
	if (self->is_unknown && !descends_from_base) {
		return end_with(self, MCP_SESSION_NOT_KNOWN, MCP_UNKNOWN);
	}
	return build_on(self, there, read);
}

/* Decide on the stored version if this request's read missed. The session was started by another request, or by a
 * turn of this request that was not answered. */
static bool resolve_new(writing *self, const mcp_session_found *there, mcp_proof read) {
	if (mcp_session_item_ended_since(self->known, there)) {
		return end_turns(self, MCP_SESSION_DROPPED);
	}
	bool is_mine = self->is_unknown && there->birth == self->birth; /* and changed since */
	return is_mine ? end_turns(self, MCP_SESSION_STORED) : build_on(self, there, read);
}

/* Decide on a tombstone. If this request's read had already found it, it is from a previous session, and the write
 * may replace it. */
static bool resolve_ended(writing *self, const mcp_session_found *there, mcp_proof read) {
	if (self->had || mcp_session_item_ended_since(self->known, there)) {
		return end_turns(self, MCP_SESSION_DROPPED);
	}
	self->is_there = true;
	self->read = read;
	return read.cas != 0 || fail_writing(self, MCP_NO_CAS);
}

static bool resolve_by(writing *self, const mcp_session_found *there, mcp_proof read) {
	switch (there->kind) {
		case MCP_SESSION_TOMBSTONE:
			return resolve_ended(self, there, read);
		case MCP_SESSION_STRANGE:
			return end_turns(self, MCP_SESSION_BEGUN_ANEW);
		case MCP_SESSION_UNREADABLE:
			self->report->reason = "the stored session has a later version or another format";
			return end_turns(self, MCP_SESSION_UNMERGEABLE);
		default:
			break;
	}
	if (self->is_unknown && mcp_session_head_has(&there->head, self->stamp)) {
		return end_turns(self, MCP_SESSION_STORED);
	}
	return self->had ? resolve_known(self, there, read) : resolve_new(self, there, read);
}

/* --- reading --- */

/* Read the session and then, with a lock, the lock. Returns the failure of the lock's read, if any, otherwise
 * the status of the session's read. */
static mcp_status read_again(const writing *self, mcp_key *lock_key, mcp_op steps[2]) {
	const mcp_session *session = self->session;
	size_t count = self->known->is_by_lock ? 2 : 1;
	for (int i = 0; i < 2; i++) {
		steps[0] = (mcp_op){.verb = MCP_OP_GET, .key = session->key};
		steps[1] = (mcp_op){.verb = MCP_OP_GET, .key = lock_key};
		mcp_store_bypass_breaker(session->store, session->key, MCP_BYPASS_TO_RESOLVE);
		mcp_store_steps(session->store, steps, count);
		if (!mcp_status_is_unanswered(steps[0].status)) {
			break;
		}
	}
	return mcp_status_is_failure(steps[count - 1].status) ? steps[count - 1].status
														  : steps[0].status;
}

/* Note and return whether this request has the lock. If this handle holds it, the next turn releases it. A lock that
 * another handle of the process holds is not released. */
static bool note_lock(const mcp_session *session, mcp_session_known *known, const mcp_op *look) {
	bool is_ours = mcp_session_lock_is_ours(known, look);
	if (known->is_held && !is_ours) {
		mcp_session_lock_forget(session, known);
	}
	known->lock = known->is_held ? look->read : (mcp_proof){0};
	return is_ours;
}

#define TURNS_MAX 64
/* From this turn on, there are pauses between turns, and the time is limited. */
#define TURNS_AT_ONCE 4
#define PAUSE_MAX_MS 20
/* Minimum time limit. It also applies if requests do not wait for locks. */
#define TURNS_MIN_MS 1000

/* Read the current version after a failed turn, and decide on it. A pause comes before the read, because during a pause
 * after it, others would change the version. Returns true if another turn is needed. */
static bool resolve_turn(writing *self) {
	if (self->turn >= TURNS_AT_ONCE) {
		uint64_t random = mcp_random_u64(self->session->environment);
		mcp_sleep_ms(self->session->environment, 1 + (uint32_t)(random % PAUSE_MAX_MS));
	}
	mcp_op steps[2];
	mcp_key_buffer buffer;
	mcp_key lock_key = mcp_session_lock_key(&buffer, self->session);
	mcp_status status = read_again(self, &lock_key, steps);
	if (mcp_status_is_failure(status)) {
		return fail_writing(self, status);
	}
	mcp_session_known *known = self->known;
	bool holds = known->is_by_lock && note_lock(self->session, known, &steps[1]);
	if (status == MCP_NOT_FOUND) {
		bool is_same_connection = steps[0].read.connection == known->read.connection;
		return store_again(self, known->is_by_lock ? holds : is_same_connection && is_fresh(self));
	}
	mcp_session_found there = mcp_session_item_judge(self->session, &steps[0]);
	return resolve_by(self, &there, steps[0].read);
}

/* --- one turn --- */

static bool is_whole(const writing *self) {
	mcp_session_parts parts;
	mcp_buffer memory = {0};
	bool is = false;
	for (size_t size = 65536 + 4 * self->value.length; mcp_buffer_reserve(&memory, size);) {
		mcp_session_arena arena = mcp_session_arena_of(memory.data, memory.capacity);
		is = !mcp_session_parts_take(&parts, &arena, self->session->format, self->value);
		if (!mcp_session_arena_is_short(&arena)) {
			break;
		}
		size = 2 * arena.wanted;
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

/* The step is sent only over the connection of the base's read, even if it only renews the session. */
static mcp_op step_of(const writing *self, const mcp_session_item *item) {
	return (mcp_op){
		.verb = self->is_touch ? MCP_OP_TOUCH
			: self->is_there   ? MCP_OP_CAS
							   : MCP_OP_ADD,
		.key = self->session->key,
		.record = &item->record,
		.expects = self->is_there ? self->read : (mcp_proof){0},
	};
}

/* Decide after the write of a turn. Returns true if another turn is needed. */
static bool judge_write(writing *self, mcp_status status, bool held_lock) {
	switch (status) {
		case MCP_OK:
			return end_turns(self, MCP_SESSION_STORED);
		case MCP_TOO_LARGE:
			return end_turns(self, MCP_SESSION_TOO_LARGE);
		case MCP_NOT_FOUND:
			/* The release was not answered, or another handle of the process holds the lock. */
			if (self->known->is_by_lock && !held_lock) {
				return resolve_turn(self);
			}
			return store_again(self, held_lock || is_fresh(self));
		case MCP_UNKNOWN:
			if (self->is_touch) { /* this request has no data to store */
				return end_turns(self, MCP_SESSION_STORED);
			}
			self->is_unknown = true;
			return resolve_turn(self);
		case MCP_EXISTS:
		case MCP_NOT_STORED:
		case MCP_UNSUPPORTED:
		case MCP_NO_CAS:
			return resolve_turn(self);
		default:
			return fail_writing(self, status);
	}
}

static bool take_turn(writing *self) {
	mcp_session_item item;
	if (!make_item(self, &item)) {
		return fail_writing(self, MCP_UNREACHABLE);
	}
	mcp_op step = step_of(self, &item);
	bool held_lock = mcp_session_lock_end_behind(self->session, self->known, &step);
	bool met_another = step.status == MCP_EXISTS || step.status == MCP_NOT_STORED;
	self->report->was_late |= self->known->is_by_lock && met_another;
	self->report->size = mcp_store_size_of(self->session->key, &item.record);
	mcp_buffer_free(&item.payload);
	return judge_write(self, step.status, held_lock);
}

static void take_turns(writing *self) {
	uint64_t began_ms = mcp_monotonic_ms(self->session->environment);
	for (; take_turn(self); self->turn++) {
		uint64_t took_ms = mcp_monotonic_ms(self->session->environment) - began_ms;
		bool is_late = took_ms > self->session->wait_ms && took_ms > TURNS_MIN_MS;
		if (self->turn + 1 == TURNS_MAX || (self->turn >= TURNS_AT_ONCE && is_late)) {
			fail_writing(self, MCP_EXISTS);
			return;
		}
	}
}

/* Choose a random birth for a session that replaces the item that was read. */
static uint64_t draw_birth(const mcp_session *session, const mcp_session_known *over) {
	uint64_t drawn = mcp_random_id(session->environment);
	return over->kind == MCP_SESSION_TOMBSTONE ? over->birth << 32 | (uint32_t)drawn : drawn;
}

/* Begin a write over the version that was read. *self is valid until finish_session_write(). */
static void begin_session_write(writing *self, const mcp_session *session, mcp_session_known *known,
	mcp_session_report *report) {
	bool is_there = known->kind == MCP_SESSION_VALUE || known->kind == MCP_SESSION_PLACEHOLDER;
	*report = (mcp_session_report){.outcome = MCP_SESSION_FAILED};
	*self = (writing){
		.session = session,
		.known = known,
		.report = report,
		.birth = is_there ? known->birth : draw_birth(session, known),
		.is_born_here = !is_there,
		.had = is_there,
		.is_over_tombstone = known->kind == MCP_SESSION_TOMBSTONE || known->head.is_over_tombstone,
		.from = known->head,
		.stamp = (uint32_t)mcp_random_id(session->environment),
		.is_there = known->kind != MCP_SESSION_NOTHING,
		.read = known->read,
		.base = known->data,
	};
	known->data = (mcp_buffer){0};
}

static void finish_session_write(writing *self) {
	self->known->birth = self->birth;
	mcp_session_close(self->session, self->known);
	if (self->known->is_foreign && self->report->outcome == MCP_SESSION_STORED) {
		/* if this fails, the other handler's item still expires before this session */
		mcp_session_foreign_delete(self->session, self->known);
	}
	mcp_buffer_free(&self->memory);
	mcp_buffer_free(&self->base);
}

void mcp_session_write(const mcp_session *session, mcp_session_known *known, mcp_bytes data,
	mcp_session_report *report) {
	writing self;
	begin_session_write(&self, session, known, report);
	self.value = data;
	take_turns(&self);
	finish_session_write(&self);
}

void mcp_session_renew(const mcp_session *session, mcp_session_known *known,
	mcp_session_report *report) {
	writing self;
	begin_session_write(&self, session, known, report);
	self.is_touch = known->kind == MCP_SESSION_VALUE;
	if (known->was_renewed && !known->is_held) {
		end_turns(&self, MCP_SESSION_STORED);
	} else if (!mcp_buffer_append(&self.memory, mcp_bytes_of(self.base.data, self.base.length))) {
		fail_writing(&self, MCP_UNREACHABLE);
	} else {
		self.value = mcp_bytes_of(self.memory.data, self.memory.length);
		take_turns(&self);
	}
	finish_session_write(&self);
}

/* Destroys a session with a tombstone that replaces any version. A `delete` would leave no trace for requests that
 * began earlier, and a late `delete` would destroy a session that started afterwards. */

static mcp_status send_tombstone(writing *self) {
	mcp_session_item item;
	bool is_there = self->there != MCP_SESSION_NOTHING;
	mcp_session_item_make_tombstone(self->session, &item);
	mcp_op step = {
		.verb = is_there ? MCP_OP_CAS : MCP_OP_ADD,
		.key = self->session->key,
		.record = &item.record,
		.expects = is_there ? self->read : (mcp_proof){0},
	};
	mcp_session_lock_end_behind(self->session, self->known, &step);
	if (step.status == MCP_UNSUPPORTED) {
		self->known->lock.cas = 0; /* the lock is read again when it is released */
	}
	return step.status;
}

/* Check the current item. Returns true if it must still be replaced. A tombstone that this request's read had found
 * is from an earlier destruction. */
static bool judge_there(writing *self, const mcp_op *look) {
	mcp_session_found there = mcp_session_item_judge(self->session, look);
	if (there.kind == MCP_SESSION_TOMBSTONE && mcp_session_item_ended_since(self->known, &there)) {
		return end_turns(self, MCP_SESSION_STORED);
	}
	self->there = there.kind;
	self->read = look->read;
	return there.kind == MCP_SESSION_NOTHING || self->read.cas != 0 ||
		end_with(self, MCP_SESSION_FAILED, MCP_NO_CAS);
}

/* Read the current item, at most twice, over a new connection if necessary. Returns true if it must still be
 * replaced. */
static bool resolve_ending(writing *self) {
	const mcp_session *session = self->session;
	mcp_op step;
	for (int i = 0; i < 2; i++) {
		step = (mcp_op){.verb = MCP_OP_GET, .key = session->key};
		mcp_store_bypass_breaker(session->store, session->key, MCP_BYPASS_TO_RESOLVE);
		mcp_store_steps(session->store, &step, 1);
		if (!mcp_status_is_failure(step.status)) {
			return judge_there(self, &step);
		}
	}
	return end_with(self, MCP_SESSION_NOT_KNOWN, step.status);
}

/* If memcached is out of memory for a tombstone, delete the item if its CAS value is unchanged. If this also needs
 * memory (text protocol), delete the item unconditionally. This delete can arrive late, but no other command is
 * possible. An older tombstone is kept. */
static bool delete_instead(writing *self) {
	const mcp_session *session = self->session;
	if (self->there == MCP_SESSION_NOTHING || self->there == MCP_SESSION_TOMBSTONE) {
		return end_turns(self, MCP_SESSION_STORED);
	}
	mcp_op step = {
		.verb = MCP_OP_DELETE_IF,
		.key = session->key,
		.expects = self->read,
	};
	mcp_store_steps(session->store, &step, 1);
	mcp_status status =
		step.status != MCP_REFUSED ? step.status : mcp_store_delete(session->store, session->key);
	switch (status) {
		case MCP_OK:
		case MCP_NOT_FOUND:
			return end_turns(self, MCP_SESSION_STORED);
		case MCP_REFUSED:
			return end_with(self, MCP_SESSION_FAILED, status);
		default:
			return resolve_ending(self);
	}
}

/* Write the tombstone, or delete the item instead. Returns true if another turn is needed. */
static bool take_ending_turn(writing *self) {
	mcp_status status = send_tombstone(self);
	switch (status) {
		case MCP_OK:
			return end_turns(self, MCP_SESSION_STORED);
		case MCP_REFUSED:
			return resolve_ending(self) && delete_instead(self);
		case MCP_NOT_FOUND:
			self->there = MCP_SESSION_NOTHING;
			return true;
		case MCP_EXISTS:
		case MCP_NOT_STORED:
		case MCP_UNSUPPORTED:
		case MCP_NO_CAS:
		case MCP_UNKNOWN:
			return resolve_ending(self);
		default:
			return end_with(self, MCP_SESSION_FAILED, status);
	}
}

void mcp_session_destroy(const mcp_session *session, mcp_session_known *known,
	mcp_session_report *report) {
	writing self = {
		.session = session,
		.known = known,
		.report = report,
		.there = known->kind,
		.read = known->read,
	};
	*report = (mcp_session_report){.outcome = MCP_SESSION_FAILED};
	for (int turn = 0; take_ending_turn(&self); turn++) {
		if (turn + 1 == TURNS_MAX) {
			end_with(&self, MCP_SESSION_NOT_KNOWN, MCP_EXISTS);
			break;
		}
	}
	mcp_session_close(session, known);
	if (session->foreign != NULL && report->outcome == MCP_SESSION_STORED) {
		/* Delete the other handler's item, because it would be read again after the tombstone has expired. */
		mcp_status status = mcp_session_foreign_delete(session, known);
		if (status != MCP_OK) {
			end_with(&self, MCP_SESSION_NOT_KNOWN, status);
		}
	}
}
