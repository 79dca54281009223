/* Starts and ends sessions. One batch tries the lock, reads it and reads the session: the caller that gets
 * the lock continues at once, the others wait like a Lock's callers. A try without a reply is identified by
 * its stamp. */
/* SPDX-License-Identifier: MIT */
#include "session_lock.h"

#include "../lock/lock_terms.h"

/* Maximum tries without a pause if the lock is free at each read. */
#define TRIES_AT_ONCE 8
/* One with an invalid proof, one without a reply, and one more. */
#define UNLOCKS_MAX 3
/* A single missing reply may be caused by the connection. */
#define UNANSWERED_MAX 1

static const char suffix[] = ":lock";

/* The lock's item as it was read last. */
typedef struct sight {
	bool is_there;
	bool is_ours;     /* left by an earlier try of this request */
	uint64_t stamp;   /* of its holder, if that is another request */
	uint64_t left_ms; /* until it may be taken over */
	mcp_proof read;
} sight;

typedef struct attempt {
	const mcp_session *session;
	mcp_session_known *known;
	mcp_key_buffer buffer;
	mcp_key key; /* of the lock */
	mcp_lock lock;
	mcp_lock_terms terms;
	mcp_op steps[3]; /* the lock's write, the lock's read, the session */
	sight seen;
	unsigned unanswered, tries_at_once;
} attempt;

mcp_key mcp_session_lock_key(mcp_key_buffer *buffer, const mcp_session *session) {
	mcp_key key = mcp_key_beside(buffer, session->key, mcp_bytes_of(suffix, sizeof(suffix) - 1));
	key.is_for_one = true;
	return key;
}

bool mcp_session_lock_is_ours(const mcp_session_known *known, const mcp_op *look) {
	return look->status == MCP_OK && known->stamp != 0 &&
		mcp_lock_terms_read(&look->item).stamp == known->stamp;
}

static void begin(attempt *self, const mcp_session *session, mcp_session_known *known) {
	*self = (attempt){.session = session, .known = known};
	self->key = mcp_session_lock_key(&self->buffer, session);
	self->lock = (mcp_lock){
		.store = session->store,
		.environment = session->environment,
		.key = &self->key,
		.owner = session->owner,
		.ttl_ms = session->lock_ttl_ms,
		.skew_ms = MCP_LOCK_SKEW_MS,
		.holder = session->holder,
		.named = session->holder,
	};
	if (known->stamp == 0) {
		known->stamp = mcp_session_item_draw(session);
	}
}

static void note_holder(attempt *self, const mcp_lock_item *item) {
	uint64_t began_ms = item->until_ms - self->session->lock_ttl_ms;
	uint64_t now_ms = mcp_wall_ms(self->session->environment);
	bool is_known = item->until_ms != MCP_LOCK_ITEM_NEVER && began_ms < now_ms;
	self->known->held_for_ms = is_known ? now_ms - began_ms : 0;
	mcp_buffer_clear(&self->known->holder);
	mcp_buffer_append(&self->known->holder, item->owner);
}

/* Judge when to try again. An item of an earlier try of this request may be taken over at once. */
static void see(attempt *self, const mcp_op *look) {
	self->seen = (sight){
		.is_there = look->status == MCP_OK,
		.is_ours = mcp_session_lock_is_ours(self->known, look),
		.read = look->read,
	};
	if (self->seen.is_there && !self->seen.is_ours) {
		mcp_lock_item item = mcp_lock_terms_read(&look->item);
		self->seen.stamp = item.stamp;
		self->seen.left_ms = mcp_lock_terms_taken_for_ms(&self->lock, &item);
		note_holder(self, &item);
	}
}

/* Whether the last try was executed although its reply was lost, and is valid. The lock of an earlier try
 * ends earlier than this request would assume. */
static bool is_found_held(const attempt *self, const mcp_op *look) {
	uint64_t until_ms = self->terms.until_ms;
	return mcp_session_lock_is_ours(self->known, look) &&
		mcp_lock_terms_read(&look->item).until_ms == until_ms &&
		until_ms > mcp_wall_ms(self->session->environment);
}

/* Mark as held. If the following read has not shown it, the proof for its release is unknown. */
static mcp_status hold(attempt *self, const mcp_op *look) {
	bool is_seen = mcp_session_lock_is_ours(self->known, look);
	self->known->is_held = true;
	self->known->was_taken_over = self->steps[0].verb == MCP_OP_CAS && !self->seen.is_ours;
	self->known->lock = is_seen ? look->read : (mcp_proof){0};
	mcp_late_locks_forget(self->session->late, self->known->stamp);
	return MCP_OK;
}

/* Whether the server returns no CAS values: a lock could not be released, and no wait helps. */
static bool lacks_cas(const mcp_op *look) {
	return look->status == MCP_OK && look->item.cas == 0;
}

/* Read the outcome of a try without a reply, over a new connection if the previous one is lost. */
static mcp_status settle(attempt *self, mcp_status status) {
	if (++self->unanswered > UNANSWERED_MAX) {
		return status;
	}
	mcp_store_bypass_breaker(self->session->store, &self->key, MCP_BYPASS_TO_RESOLVE);
	mcp_store_steps(self->session->store, self->steps + 1, 2);
	for (int i = 1; i < 3; i++) {
		if (mcp_status_is_failure(self->steps[i].status)) {
			return self->steps[i].status;
		}
	}
	if (lacks_cas(&self->steps[1])) {
		return MCP_NO_CAS;
	}
	if (is_found_held(self, &self->steps[1])) {
		return hold(self, &self->steps[1]);
	}
	see(self, &self->steps[1]);
	return MCP_NOT_STORED;
}

/* The first failure among the replies; MCP_OK: none. */
static mcp_status failure_of(const attempt *self) {
	for (int i = 0; i < 3; i++) {
		if (mcp_status_is_failure(self->steps[i].status)) {
			return self->steps[i].status;
		}
	}
	return MCP_OK;
}

static mcp_status judge(attempt *self) {
	mcp_status written = self->steps[0].status, failure = failure_of(self);
	if (written == MCP_UNSUPPORTED) {
		self->seen.is_there = false; /* it was read over another connection */
		return MCP_NOT_STORED;
	}
	if (mcp_status_is_failure(failure)) {
		return written == MCP_UNREACHABLE || written == MCP_REFUSED ? written
																	: settle(self, failure);
	}
	if (lacks_cas(&self->steps[1])) {
		return MCP_NO_CAS;
	}
	if (written == MCP_OK || is_found_held(self, &self->steps[1])) {
		return hold(self, &self->steps[1]);
	}
	see(self, &self->steps[1]);
	return MCP_NOT_STORED;
}

/* Try once: add, or take over an expired lock by `cas`. */
static mcp_status try_once(attempt *self) {
	bool takes_over = self->seen.is_there;
	mcp_lock_terms_make(&self->lock, self->known->stamp, &self->terms);
	self->steps[0] = (mcp_op){
		.verb = takes_over ? MCP_OP_CAS : MCP_OP_ADD,
		.key = &self->key,
		.record = &self->terms.record,
		.expects = takes_over ? self->seen.read : (mcp_proof){0},
	};
	self->steps[1] = (mcp_op){.verb = MCP_OP_GET, .key = &self->key};
	self->steps[2] = (mcp_op){.verb = MCP_OP_GET, .key = self->session->key};
	self->known->read_ms = mcp_monotonic_ms(self->session->environment);
	mcp_store_steps(self->session->store, self->steps, 3);
	return judge(self);
}

static mcp_status look(attempt *self) {
	mcp_op step = {.verb = MCP_OP_GET, .key = &self->key};
	mcp_store_steps(self->session->store, &step, 1);
	if (mcp_status_is_failure(step.status)) {
		return step.status;
	}
	see(self, &step);
	return lacks_cas(&step) ? MCP_NO_CAS : MCP_OK;
}

static bool may_be_tried(attempt *self) {
	bool is_free = !self->seen.is_there || self->seen.left_ms == 0;
	return is_free && ++self->tries_at_once <= TRIES_AT_ONCE;
}

/* Wait until the next try: MCP_OK. If the lock was just released, try without a read, which would cost a
 * round trip. */
static mcp_status wait(attempt *self, mcp_pauses *pauses) {
	const mcp_environment *environment = self->session->environment;
	uint64_t end_ms = mcp_lock_terms_later(pauses->begun_ms, self->session->wait_ms);
	while (!may_be_tried(self)) {
		uint64_t left_ms = self->seen.is_there ? self->seen.left_ms : 0;
		uint64_t free_ms = mcp_lock_terms_later(mcp_monotonic_ms(environment), left_ms + 1);
		self->tries_at_once = 0;
		mcp_waiting_note_holder(pauses, self->seen.stamp);
		mcp_waiting_listen(pauses, mcp_store_bell(self->session->store, &self->key));
		switch (mcp_waiting_pause_for(environment, pauses, end_ms, free_ms)) {
			case MCP_WAIT_OVER:
				return MCP_NOT_STORED;
			case MCP_WAIT_INTERRUPTED:
				return MCP_INTERRUPTED;
			default:
				break;
		}
		self->seen.is_there = self->seen.is_there && !pauses->was_rung;
		mcp_status status = pauses->was_rung ? MCP_OK : look(self);
		if (status != MCP_OK) {
			return status;
		}
	}
	return MCP_OK;
}

void mcp_session_lock_forget(const mcp_session *session, mcp_session_known *known) {
	known->is_held = false;
	mcp_holder_unregister(session->holder, known->stamp);
}

/* Do not leave a lock to the next requests that a failed start may have acquired, or may still acquire. */
static void give_up(const attempt *self, mcp_status status) {
	if (mcp_status_is_failure(status) && !mcp_status_is_unanswered(status)) {
		self->known->is_held = true;
		self->known->lock = (mcp_proof){0};
		mcp_session_unlock(self->session, self->known);
	}
	if (self->unanswered > 0) {
		mcp_late_locks_note(self->session->late, self->session->store, &self->key,
			self->known->stamp);
	}
}

static mcp_status wait_and_try(const mcp_session *session, mcp_session_known *known,
	mcp_pauses *pauses, mcp_op *read) {
	attempt at;
	begin(&at, session, known);
	if (mcp_waiting_begin(session->environment, pauses) == MCP_WAIT_INTERRUPTED) {
		return MCP_INTERRUPTED;
	}
	mcp_status status;
	do {
		status = try_once(&at);
	} while (status == MCP_NOT_STORED && (status = wait(&at, pauses)) == MCP_OK);
	if (status == MCP_OK) {
		*read = at.steps[2];
	} else {
		give_up(&at, status);
	}
	return status;
}

/* Acquire the lock, and read the session after it. In the opposite order, the session could change before
 * the lock is held.
 * MCP_OK: *read is the session's reply, whose view ends with the next read. Otherwise as mcp_session_start. */
static mcp_status mcp_session_lock_and_read(const mcp_session *session, mcp_session_known *known,
	mcp_pauses *pauses, mcp_op *read) {
	mcp_status status = wait_and_try(session, known, pauses, read);
	if (status != MCP_OK) {
		mcp_session_lock_forget(session, known);
	}
	return mcp_waiting_end_for_one(session->environment, pauses, status);
}

/* Whether the outcome of a proven delete is unknown, or nothing was sent because the proof's connection is
 * lost. */
static bool is_open(mcp_status status) {
	return status == MCP_UNSUPPORTED || status == MCP_NO_CAS || status == MCP_UNKNOWN;
}

bool mcp_session_lock_end_behind(const mcp_session *session, mcp_session_known *known,
	mcp_op *write) {
	mcp_key_buffer buffer;
	mcp_key key = mcp_session_lock_key(&buffer, session);
	bool is_known = known->is_held && known->lock.cas != 0;
	mcp_op steps[] = {
		*write,
		{.verb = MCP_OP_DELETE_IF, .key = &key, .expects = known->lock},
	};
	mcp_store_steps(session->store, steps, is_known ? 2 : 1);
	*write = steps[0];
	mcp_status ended = is_known ? steps[1].status : MCP_UNKNOWN;
	bool is_answered = ended == MCP_OK || ended == MCP_NOT_FOUND || ended == MCP_EXISTS;
	if (known->is_held && is_answered) {
		mcp_session_lock_forget(session, known);
	}
	return ended == MCP_OK;
}

/* Read the lock's item. Returns false if it is not this request's or could not be read. */
static bool find(const mcp_session *session, mcp_session_known *known, const mcp_key *key) {
	mcp_op step = {.verb = MCP_OP_GET, .key = key};
	mcp_store_bypass_breaker(session->store, key, MCP_BYPASS_TO_RELEASE);
	mcp_store_steps(session->store, &step, 1);
	known->lock = step.read;
	return mcp_session_lock_is_ours(known, &step);
}

void mcp_session_unlock(const mcp_session *session, mcp_session_known *known) {
	mcp_key_buffer buffer;
	mcp_key key = mcp_session_lock_key(&buffer, session);
	if (!known->is_held) {
		return;
	}
	mcp_status status;
	int tries = 0;
	do {
		mcp_op step = {.verb = MCP_OP_DELETE_IF, .key = &key, .expects = known->lock};
		mcp_store_steps(session->store, &step, 1);
		status = step.status;
	} while (is_open(status) && ++tries < UNLOCKS_MAX && find(session, known, &key));
	if (mcp_status_is_unanswered(status)) {
		mcp_late_locks_note(session->late, session->store, &key, known->stamp);
	}
	mcp_session_lock_forget(session, known);
}

/* The item is on the server that php-memcached's weighted ring chooses for its id or, with another key
 * distribution, on any server. */

static mcp_status read_from(mcp_store *store, const mcp_session *session,
	mcp_session_known *known) {
	mcp_item item;
	mcp_status status = mcp_store_get(store, session->foreign, &item);
	if (status != MCP_OK) {
		return status;
	}
	if (item.flags != 0) {
		return MCP_NOT_FOUND; /* not a session: that handler sets flags 0 */
	}
	mcp_buffer_clear(&known->data);
	known->is_foreign = mcp_buffer_append(&known->data, item.value);
	return known->is_foreign ? MCP_OK : MCP_UNREACHABLE;
}

/* Read the other handler's item. MCP_OK, MCP_NOT_FOUND, or a failure. 1 round trip if its server has it.
 * Otherwise reads all servers before it reports a miss: an unreachable one may have it. */
static mcp_status mcp_session_foreign_read(const mcp_session *session, mcp_session_known *known) {
	mcp_store *owner = mcp_store_owner(session->store, session->foreign);
	mcp_status status = read_from(owner, session, known), failure = status;
	size_t count = mcp_store_member_count(session->store);
	for (size_t i = 0; i < count && status != MCP_OK; i++) {
		mcp_store *member = mcp_store_member(session->store, i);
		status = member != owner ? read_from(member, session, known) : status;
		failure = mcp_status_is_failure(status) ? status : failure;
	}
	return status == MCP_OK ? MCP_OK : failure;
}

/* Retry a delete without a reply: a missing item counts as deleted. */
static mcp_status delete_from(mcp_store *store, const mcp_key *key) {
	mcp_status status = mcp_store_delete(store, key);
	if (mcp_status_is_unanswered(status)) {
		mcp_store_bypass_breaker(store, key, MCP_BYPASS_TO_RESOLVE);
		status = mcp_store_delete(store, key);
	}
	return status == MCP_NOT_FOUND ? MCP_OK : status;
}

mcp_status mcp_session_foreign_delete(const mcp_session *session) {
	size_t count = mcp_store_member_count(session->store);
	mcp_status failure = MCP_OK;
	for (size_t i = 0; i < count; i++) {
		mcp_store *member = mcp_store_member(session->store, i);
		mcp_status status = delete_from(member, session->foreign);
		failure = status != MCP_OK ? status : failure;
	}
	return failure;
}

/* Destroys a session by a tombstone over any version. A `delete` would leave no trace for requests that
 * began before, and a late delete would end a session that started since. */

#define TURNS_MAX 64

typedef struct ending {
	const mcp_session *session;
	mcp_session_known *known;
	mcp_session_report *report;
	mcp_session_kind there;
	mcp_proof read; /* of the current item */
} ending;

static bool end(ending *self, mcp_session_outcome outcome) {
	self->report->outcome = outcome;
	return false;
}

static mcp_status send(ending *self) {
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
		self->known->lock.cas = 0; /* it is read again when it is released */
	}
	return step.status;
}

static bool fail(ending *self, mcp_session_outcome outcome, mcp_status status) {
	self->report->status = status;
	return end(self, outcome);
}

/* Judge the current item. True if it must still be destroyed: a tombstone that this request had read is
 * older. */
static bool judge_there(ending *self, const mcp_op *look) {
	mcp_session_found there = mcp_session_item_judge(self->session, look);
	if (there.kind == MCP_SESSION_TOMBSTONE && mcp_session_item_ended_since(self->known, &there)) {
		return end(self, MCP_SESSION_STORED);
	}
	self->there = there.kind;
	self->read = look->read;
	return there.kind == MCP_SESSION_NOTHING || self->read.cas != 0 ||
		fail(self, MCP_SESSION_FAILED, MCP_NO_CAS);
}

/* Read the current item; twice at most, over a new connection. */
static bool settle_ending(ending *self) {
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
	return fail(self, MCP_SESSION_NOT_KNOWN, step.status);
}

/* If memcached is out of memory for a tombstone, delete the item by its CAS value. If that needs memory, too
 * (text protocol), delete unconditionally: no other command is left, although it may arrive late. An earlier
 * tombstone stays. */
static bool delete_instead(ending *self) {
	const mcp_session *session = self->session;
	if (self->there == MCP_SESSION_NOTHING || self->there == MCP_SESSION_TOMBSTONE) {
		return end(self, MCP_SESSION_STORED);
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
			return end(self, MCP_SESSION_STORED);
		case MCP_REFUSED:
			return fail(self, MCP_SESSION_FAILED, status);
		default:
			return settle_ending(self);
	}
}

/* True if another turn is needed. */
static bool take_turn(ending *self) {
	mcp_status status = send(self);
	switch (status) {
		case MCP_OK:
			return end(self, MCP_SESSION_STORED);
		case MCP_REFUSED:
			return settle_ending(self) && delete_instead(self);
		case MCP_NOT_FOUND:
			self->there = MCP_SESSION_NOTHING;
			return true;
		case MCP_EXISTS:
		case MCP_NOT_STORED:
		case MCP_UNSUPPORTED:
		case MCP_NO_CAS:
		case MCP_UNKNOWN:
			return settle_ending(self);
		default:
			return fail(self, MCP_SESSION_FAILED, status);
	}
}

static void take_turns(ending *self) {
	for (int turn = 0; take_turn(self); turn++) {
		if (turn + 1 == TURNS_MAX) {
			fail(self, MCP_SESSION_NOT_KNOWN, MCP_EXISTS);
			return;
		}
	}
}

/* Delete the other handler's item, which would be read again after the tombstone expires. */
static void delete_foreign(ending *self) {
	mcp_status status = mcp_session_foreign_delete(self->session);
	if (status != MCP_OK) {
		fail(self, MCP_SESSION_NOT_KNOWN, status);
	}
}

void mcp_session_destroy(const mcp_session *session, mcp_session_known *known,
	mcp_session_report *report) {
	ending self = {
		.session = session,
		.known = known,
		.report = report,
		.there = known->kind,
		.read = known->read,
	};
	*report = (mcp_session_report){.outcome = MCP_SESSION_FAILED};
	take_turns(&self);
	mcp_session_unlock(session, known);
	if (session->foreign != NULL && report->outcome == MCP_SESSION_STORED) {
		delete_foreign(&self);
	}
}

void mcp_session_close(const mcp_session *session, mcp_session_known *known) {
	mcp_session_unlock(session, known);
}

/* Reads a session for a request: after its lock, or without a lock by a read that renews it. */

static bool can_be_merged(mcp_session_format format) {
	return format == MCP_SESSION_PHP || format == MCP_SESSION_PHP_SERIALIZE;
}

/* Copy the session, so that it outlives the next call of the store. Returns false without memory. */
static bool keep(const mcp_session *session, mcp_session_known *known, const mcp_op *read) {
	mcp_session_found found = mcp_session_item_judge(session, read);
	known->kind = found.kind;
	known->obstacle = found.obstacle;
	known->birth = found.birth;
	known->head = found.head;
	known->read = read->read;
	known->was_renewed = read->was_renewed;
	known->is_foreign = false;
	mcp_buffer_clear(&known->data);
	return found.kind != MCP_SESSION_VALUE || mcp_buffer_append(&known->data, found.data);
}

/* Convert the copy to the caller's status. An unusable session holds no lock. */
static mcp_status conclude(const mcp_session *session, mcp_session_known *known,
	const mcp_op *read) {
	mcp_status status = MCP_OK;
	if (!keep(session, known, read)) {
		status = MCP_UNREACHABLE;
	} else if (known->kind == MCP_SESSION_UNREADABLE) {
		status = MCP_FOREIGN;
	} else if (known->kind != MCP_SESSION_NOTHING && known->read.cas == 0) {
		status = MCP_NO_CAS; /* it could not be replaced */
	}
	if (status != MCP_OK) {
		mcp_session_unlock(session, known);
	}
	return status;
}

static mcp_status start_by_lock(const mcp_session *session, mcp_session_known *known,
	mcp_pauses *pauses) {
	mcp_op read;
	known->is_by_lock = true;
	mcp_status status = mcp_session_lock_and_read(session, known, pauses, &read);
	return status == MCP_OK ? conclude(session, known, &read) : status;
}

/* Read without a lock, after adding a placeholder if the id is new. Returns the status of the read. */
static mcp_status read_once(const mcp_session *session, mcp_session_known *known, bool is_new,
	mcp_op *read) {
	mcp_session_item item;
	mcp_session_item_make_placeholder(session, &item, mcp_session_item_draw(session));
	mcp_op steps[] = {
		{.verb = MCP_OP_ADD, .key = session->key, .record = &item.record},
		{.verb = MCP_OP_GET_AND_TOUCH, .key = session->key, .record = &item.record},
	};
	known->read_ms = mcp_monotonic_ms(session->environment);
	mcp_store_steps(session->store, is_new ? steps : steps + 1, is_new ? 2 : 1);
	*read = steps[1];
	return steps[1].status;
}

/* MCP_OK, also if the other handler's item is missing, or a failure. */
static mcp_status look_for_foreign(const mcp_session *session, mcp_session_known *known) {
	mcp_status status = mcp_session_foreign_read(session, known);
	return mcp_status_is_failure(status) ? status : MCP_OK;
}

mcp_status mcp_session_look(const mcp_session *session, mcp_session_known *known) {
	mcp_op step = {.verb = MCP_OP_GET, .key = session->key};
	known->read_ms = mcp_monotonic_ms(session->environment);
	mcp_store_steps(session->store, &step, 1);
	if (mcp_status_is_failure(step.status)) {
		return step.status;
	}
	if (!keep(session, known, &step)) {
		return MCP_UNREACHABLE;
	}
	return known->kind == MCP_SESSION_NOTHING && session->foreign != NULL
		? look_for_foreign(session, known)
		: MCP_OK;
}

static mcp_status start_own(const mcp_session *session, mcp_session_known *known, bool is_new,
	mcp_pauses *pauses) {
	mcp_op read;
	bool merges = session->locking == MCP_SESSION_MERGE;
	if (session->locking == MCP_SESSION_LOCK || (merges && !can_be_merged(session->format))) {
		return start_by_lock(session, known, pauses);
	}
	mcp_status status = read_once(session, known, is_new, &read);
	if (mcp_status_is_unanswered(status) && status != MCP_UNREACHABLE) {
		mcp_store_bypass_breaker(session->store, session->key, MCP_BYPASS_TO_RESOLVE);
		status = read_once(session, known, is_new, &read);
	}
	if (mcp_status_is_failure(status)) {
		return status;
	}
	status = conclude(session, known, &read);
	bool is_whole = known->kind == MCP_SESSION_VALUE && known->head.is_whole;
	return status == MCP_OK && merges && is_whole ? start_by_lock(session, known, pauses) : status;
}

/* Read once more, under a lock that may have expired. */
static mcp_status look_again(const mcp_session *session, mcp_session_known *known) {
	mcp_op step = {.verb = MCP_OP_GET, .key = session->key};
	mcp_store_steps(session->store, &step, 1);
	if (mcp_status_is_failure(step.status)) {
		mcp_session_unlock(session, known);
		return step.status;
	}
	return conclude(session, known, &step);
}

/* Start the session; if it is missing, read the other handler's item. Another request may migrate the
 * session between these reads, so that both miss it. The third read finds it. */
static mcp_status start_with_foreign(const mcp_session *session, mcp_session_known *known,
	bool is_new, mcp_pauses *pauses) {
	mcp_status status = start_own(session, known, is_new, pauses);
	bool is_wanted = session->foreign != NULL && !is_new && known->kind == MCP_SESSION_NOTHING;
	if (status != MCP_OK || !is_wanted) {
		return status;
	}
	status = look_for_foreign(session, known);
	if (status != MCP_OK) {
		mcp_session_unlock(session, known);
		return status;
	}
	if (known->is_foreign) {
		return MCP_OK;
	}
	return known->is_held ? look_again(session, known) : start_own(session, known, false, pauses);
}

mcp_status mcp_session_start(const mcp_session *session, mcp_session_known *known, bool is_new,
	mcp_pauses *pauses) {
	mcp_status status = start_with_foreign(session, known, is_new, pauses);
	if (status == MCP_OK) {
		mcp_late_locks_take_back(session->late, session->store, session->key, session->environment);
	}
	return status;
}

void mcp_session_forget(mcp_session_known *known) {
	mcp_buffer_free(&known->data);
	mcp_buffer_free(&known->holder);
	*known = (mcp_session_known){.kind = MCP_SESSION_NOTHING};
}

/* No connection has the name 0: the next write with such a proof is not sent, and reads the current version. */
bool mcp_session_rebase(mcp_session_known *known, mcp_bytes base) {
	bool is_same = mcp_bytes_equal(base, mcp_bytes_of(known->data.data, known->data.length));
	if (known->kind != MCP_SESSION_VALUE || is_same) {
		return true;
	}
	known->read.connection = 0;
	mcp_buffer_clear(&known->data);
	return mcp_buffer_append(&known->data, base);
}

mcp_status mcp_session_find_holder(const mcp_session *session, mcp_buffer *holder) {
	mcp_key_buffer buffer;
	mcp_key key = mcp_session_lock_key(&buffer, session);
	mcp_op step = {.verb = MCP_OP_GET, .key = &key};
	mcp_store_steps(session->store, &step, 1);
	if (step.status != MCP_OK) {
		return step.status;
	}
	mcp_lock_item item = mcp_lock_terms_read(&step.item);
	mcp_buffer_clear(holder);
	return mcp_buffer_append(holder, item.owner) ? MCP_OK : MCP_UNREACHABLE;
}
