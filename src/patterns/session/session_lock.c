/* One send tries the lock, looks at it and reads the session: whoever has it goes on at once, whoever has not waits as a
 * Lock's callers do. A try whose answer did not come is known by its stamp. */
/* SPDX-License-Identifier: MIT */
#include "session_lock.h"

#include "../lock/lock_terms.h"

/* Tries that follow each other without a pause, as the lock was free at each look. */
#define TRIES_AT_ONCE 8
/* One of a proof that does not count any more, one that has no answer, and one more. */
#define UNLOCKS_MAX 3
/* One answer that did not come may have been the connection's. */
#define UNANSWERED_MAX 1

static const char suffix[] = ":lock";

/* The lock's item as it was seen last. */
typedef struct sight {
	bool is_there;
	bool is_ours;     /* an earlier try of this request's has left it */
	uint64_t stamp;   /* its holder's, where that is another request */
	uint64_t left_ms; /* until it may be taken over */
	mcp_proof read;
} sight;

typedef struct attempt {
	const mcp_session *session;
	mcp_session_known *known;
	mcp_key_buffer buffer;
	mcp_key key; /* the lock's */
	mcp_lock lock;
	mcp_lock_terms terms;
	mcp_store_step steps[3]; /* the lock's write, a look at it, the session */
	sight seen;
	unsigned unanswered, tries_at_once;
} attempt;

mcp_key mcp_session_lock_key(mcp_key_buffer *buffer, const mcp_session *session) {
	mcp_key key = mcp_key_beside(buffer, session->key, mcp_bytes_of(suffix, sizeof(suffix) - 1));
	key.is_for_one = true;
	return key;
}

bool mcp_session_lock_is_ours(const mcp_session_known *known, const mcp_store_step *look) {
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

/* Sees when it may be tried again: what an earlier try of this request's has left may be taken over at once. */
static void see(attempt *self, const mcp_store_step *look) {
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

/* Finds that the last try was carried out, though its answer was lost, and holds still. The lock that an earlier one has
 * left ends earlier than this request would believe. */
static bool is_found_held(const attempt *self, const mcp_store_step *look) {
	uint64_t until_ms = self->terms.until_ms;
	return mcp_session_lock_is_ours(self->known, look) &&
		mcp_lock_terms_read(&look->item).until_ms == until_ms &&
		until_ms > mcp_wall_ms(self->session->environment);
}

/* Holds it; where the look behind has not shown it, or not yet, it is not known how it is given back. */
static mcp_status hold(attempt *self, const mcp_store_step *look) {
	bool is_seen = mcp_session_lock_is_ours(self->known, look);
	self->known->is_held = true;
	self->known->was_taken_over = self->steps[0].verb == MCP_STEP_CAS && !self->seen.is_ours;
	self->known->lock = is_seen ? look->read : (mcp_proof){0};
	mcp_late_locks_forget(self->session->late, self->known->stamp);
	return MCP_OK;
}

/* Says that the server gives no cas ids: no lock could be given back, and none is worth a wait. */
static bool lacks_cas(const mcp_store_step *look) {
	return look->status == MCP_OK && look->item.cas == 0;
}

/* Asks what has become of a try without an answer, over a new connection where the old one is lost. */
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

/* Returns the first failure among the answers; MCP_OK: there is none. */
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
		self->seen.is_there = false; /* it was seen over another connection */
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

/* Tries once: adds it, or takes it over by `cas` from a holder whose time is over. */
static mcp_status try_once(attempt *self) {
	bool takes_over = self->seen.is_there;
	mcp_lock_terms_make(&self->lock, self->known->stamp, &self->terms);
	self->steps[0] = (mcp_store_step){
		.verb = takes_over ? MCP_STEP_CAS : MCP_STEP_ADD,
		.key = &self->key,
		.record = &self->terms.record,
		.base = takes_over ? self->seen.read : (mcp_proof){0},
	};
	self->steps[1] = (mcp_store_step){.verb = MCP_STEP_GET, .key = &self->key};
	self->steps[2] = (mcp_store_step){.verb = MCP_STEP_GET, .key = self->session->key};
	self->known->read_ms = mcp_monotonic_ms(self->session->environment);
	mcp_store_steps(self->session->store, self->steps, 3);
	return judge(self);
}

/* Looks once more. */
static mcp_status look(attempt *self) {
	mcp_store_step step = {.verb = MCP_STEP_GET, .key = &self->key};
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

/* Waits until it may be tried again: MCP_OK. Where it has just been given back it is tried without a look, which would cost
 * a round trip. */
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

/* Leaves no lock that a failed start may have acquired, or acquire yet, to the next requests. */
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
	mcp_pauses *pauses, mcp_store_step *read) {
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

mcp_status mcp_session_lock_and_read(const mcp_session *session, mcp_session_known *known,
	mcp_pauses *pauses, mcp_store_step *read) {
	mcp_status status = wait_and_try(session, known, pauses, read);
	if (status != MCP_OK) {
		mcp_session_lock_forget(session, known);
	}
	return mcp_waiting_end_for_one(session->environment, pauses, status);
}

/* Says that what becomes of a proven delete is not known, or that nothing was sent, as the proof's connection has gone. */
static bool is_open(mcp_status status) {
	return status == MCP_UNSUPPORTED || status == MCP_NO_CAS || status == MCP_UNKNOWN;
}

bool mcp_session_lock_end_behind(const mcp_session *session, mcp_session_known *known,
	mcp_store_step *write) {
	mcp_key_buffer buffer;
	mcp_key key = mcp_session_lock_key(&buffer, session);
	bool is_known = known->is_held && known->lock.cas != 0;
	mcp_store_step steps[] = {
		*write,
		{.verb = MCP_STEP_DELETE_PROVEN, .key = &key, .base = known->lock},
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

/* Reads the lock's item; false if it is not this request's, or could not be asked. */
static bool find(const mcp_session *session, mcp_session_known *known, const mcp_key *key) {
	mcp_store_step step = {.verb = MCP_STEP_GET, .key = key};
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
		mcp_store_step step = {.verb = MCP_STEP_DELETE_PROVEN, .key = &key, .base = known->lock};
		mcp_store_steps(session->store, &step, 1);
		status = step.status;
	} while (is_open(status) && ++tries < UNLOCKS_MAX && find(session, known, &key));
	if (mcp_status_is_unanswered(status)) {
		mcp_late_locks_note(session->late, session->store, &key, known->stamp);
	}
	mcp_session_lock_forget(session, known);
}
