/* The item of a session, and the start and end of a session with a lock. One batch tries the lock, reads it and reads
 * the session. The caller that gets the lock continues immediately, and the others wait like callers of a Lock. An
 * attempt that was not answered is recognized by its stamp. */
/* SPDX-License-Identifier: MIT */
#include "../lock/lock.h"
#include "session.h"

/* A session's item is an envelope that never expires, so only memcached's TTL ends it. Its epoch is the session's
 * birth. If the session replaced a tombstone, the upper half of its birth is the lower half of the tombstone's
 * birth. */

/* Limits of a tombstone's lifetime, which must exceed the duration of requests that began before the session was
 * destroyed. */
#define TOMBSTONE_MIN_MS 60000
#define TOMBSTONE_MAX_MS 3600000

bool mcp_session_item_ended_since(const mcp_session_known *known, const mcp_session_found *found) {
	bool has_read_end = known->kind == MCP_SESSION_TOMBSTONE;
	if (found->kind == MCP_SESSION_TOMBSTONE) {
		return !has_read_end || found->birth != known->birth;
	}
	bool is_over_same = has_read_end && (found->birth >> 32) == (uint32_t)known->birth;
	return found->head.is_over_tombstone && !is_over_same;
}

/* The signature covers the payload as it is stored. */
static mcp_signed_value signed_value(const mcp_session *session, mcp_bytes payload,
	uint32_t flags) {
	return (mcp_signed_value){
		.purpose = MCP_SIGNED_SESSION,
		.wire_key = session->key->wire,
		.flags = flags,
		.payload = payload,
	};
}

static bool is_believed(const mcp_session *session, const mcp_envelope *envelope, mcp_bytes payload,
	uint32_t flags) {
	if (session->signing_keys == NULL) {
		return true;
	}
	mcp_signed_value value = signed_value(session, payload, flags);
	return envelope->has_signature &&
		mcp_signature_verify(session->signing_keys, &value, envelope->signature);
}

static mcp_session_kind refuse_item(mcp_session_found *found, mcp_session_obstacle obstacle) {
	found->obstacle = obstacle;
	return MCP_SESSION_UNREADABLE;
}

/* Unpack *payload. Returns MCP_SESSION_VALUE, or why the payload cannot be used. */
static mcp_session_kind unpack(const mcp_session *session, mcp_bytes *payload, uint32_t flags) {
	if (flags == 0) {
		return MCP_SESSION_VALUE;
	}
	mcp_session_packing *packing = session->packing;
	return packing != NULL ? packing->unpack(packing, *payload, flags, payload)
						   : MCP_SESSION_UNREADABLE;
}

bool mcp_session_has_data(const mcp_session_known *known) {
	return known->kind == MCP_SESSION_VALUE || known->is_foreign;
}

static mcp_session_kind judge_value(const mcp_session *session, mcp_bytes payload, uint32_t flags,
	mcp_session_found *found) {
	mcp_session_kind unpacked = unpack(session, &payload, flags);
	if (unpacked != MCP_SESSION_VALUE) {
		return unpacked == MCP_SESSION_UNREADABLE ? refuse_item(found, MCP_SESSION_NOT_UNPACKED)
												  : unpacked;
	}
	switch (mcp_session_head_read(payload, &found->head, &found->data)) {
		case MCP_SESSION_READ:
			return found->head.format == session->format
				? MCP_SESSION_VALUE
				: refuse_item(found, MCP_SESSION_OF_OTHER_FORMAT);
		case MCP_SESSION_NEWER:
			return refuse_item(found, MCP_SESSION_OF_LATER_VERSION);
		default:
			return MCP_SESSION_STRANGE;
	}
}

static mcp_session_kind judge_item(const mcp_session *session, const mcp_item *item,
	mcp_session_found *found) {
	mcp_envelope envelope;
	mcp_bytes payload;
	if (!mcp_envelope_decode(item->value, item->flags, session->key->fingerprint, &envelope,
			&payload)) {
		return MCP_SESSION_STRANGE;
	}
	found->birth = envelope.epoch;
	if (!envelope.has_value) {
		return envelope.is_tombstone ? MCP_SESSION_TOMBSTONE : MCP_SESSION_PLACEHOLDER;
	}
	uint32_t flags = mcp_envelope_value_flags(item->flags);
	return is_believed(session, &envelope, payload, flags)
		? judge_value(session, payload, flags, found)
		: MCP_SESSION_STRANGE;
}

mcp_session_found mcp_session_item_judge(const mcp_session *session, const mcp_op *step) {
	mcp_session_found found = {.kind = MCP_SESSION_NOTHING};
	if (step->status == MCP_OK) {
		found.kind = judge_item(session, &step->item, &found);
	}
	return found;
}

static mcp_envelope new_envelope(const mcp_session *session, uint64_t birth) {
	return (mcp_envelope){
		.created_ms = mcp_wall_ms(session->environment),
		.soft_ms = MCP_NEVER_MS,
		.hard_ms = MCP_NEVER_MS,
		.key_fingerprint = session->key->fingerprint,
		.epoch = birth,
	};
}

/* A payload as it is stored. */
typedef struct packed {
	mcp_bytes bytes;
	uint32_t flags;
} packed;

static packed pack(const mcp_session *session, const mcp_buffer *plain) {
	packed as = {.bytes = mcp_bytes_of(plain->data, plain->length)};
	if (session->packing != NULL) {
		as.bytes = session->packing->pack(session->packing, as.bytes, &as.flags);
	}
	return as;
}

/* The write wakes no process, because others wait for the lock, which is released after the session's write. */
static void compose_item(mcp_session_item *item, const mcp_envelope *envelope, packed payload,
	uint64_t ttl_ms) {
	size_t length = mcp_envelope_encode(envelope, payload.bytes.length, item->header);
	item->record = (mcp_record){
		.head = mcp_bytes_of(item->header, length),
		.body = payload.bytes,
		.flags = mcp_envelope_item_flags(payload.flags),
		.ttl_ms = ttl_ms,
		.is_claim = true,
	};
}

bool mcp_session_item_make_value(const mcp_session *session, mcp_session_item *item, uint64_t birth,
	const mcp_session_head *head, mcp_bytes data) {
	char bytes[MCP_SESSION_HEAD_MAX];
	size_t length = mcp_session_head_write(head, bytes);
	item->payload = (mcp_buffer){0};
	if (!mcp_buffer_append(&item->payload, mcp_bytes_of(bytes, length)) ||
		!mcp_buffer_append(&item->payload, data)) {
		mcp_buffer_free(&item->payload);
		return false;
	}
	packed payload = pack(session, &item->payload);
	mcp_envelope envelope = new_envelope(session, birth);
	envelope.has_value = true;
	if (session->signing_keys != NULL) {
		mcp_signed_value value = signed_value(session, payload.bytes, payload.flags);
		envelope.has_signature = true;
		mcp_signature_sign(session->signing_keys, &value, envelope.signature);
	}
	compose_item(item, &envelope, payload, session->ttl_ms);
	return true;
}

void mcp_session_item_make_placeholder(const mcp_session *session, mcp_session_item *item,
	uint64_t birth) {
	mcp_envelope envelope = new_envelope(session, birth);
	item->payload = (mcp_buffer){0};
	compose_item(item, &envelope, (packed){.flags = 0}, session->ttl_ms);
}

void mcp_session_item_make_tombstone(const mcp_session *session, mcp_session_item *item) {
	mcp_envelope envelope = new_envelope(session, mcp_random_id(session->environment));
	uint64_t ttl_ms = session->ttl_ms > TOMBSTONE_MIN_MS ? session->ttl_ms : TOMBSTONE_MIN_MS;
	envelope.is_tombstone = true;
	item->payload = (mcp_buffer){0};
	compose_item(item, &envelope, (packed){.flags = 0},
		ttl_ms < TOMBSTONE_MAX_MS ? ttl_ms : TOMBSTONE_MAX_MS);
}

/* --- start and end --- */

#define TRIES_AT_ONCE 8
/* Maximum number of attempts to release: one with an invalid proof, one that is not answered, and one more. */
#define UNLOCKS_MAX 3
/* Maximum number of replies that may be missing. The connection might be the cause of a single missing reply. */
#define UNANSWERED_MAX 1

static const char suffix[] = ":lock";

/* The lock's item, as it was read last. */
typedef struct sight {
	bool is_there;
	bool is_ours;     /* the item is from a previous attempt of this request */
	uint64_t stamp;   /* stamp of the holder, if this is another request */
	uint64_t left_ms; /* time until it can be taken over */
	mcp_proof read;
} sight;

typedef struct attempt {
	const mcp_session *session;
	mcp_session_known *known;
	mcp_key_buffer buffer;
	mcp_key key; /* key of the lock */
	mcp_lock lock;
	mcp_lock_terms terms;
	mcp_op steps[3]; /* write of the lock, read of the lock, read of the session */
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

static void begin_lock(attempt *self, const mcp_session *session, mcp_session_known *known) {
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
		known->stamp = mcp_random_id(session->environment);
	}
}

static mcp_op get(const mcp_session *session, const mcp_key *key) {
	mcp_op step = {.verb = MCP_OP_GET, .key = key};
	mcp_store_steps(session->store, &step, 1);
	return step;
}

static void note_holder(attempt *self, const mcp_lock_item *item) {
	uint64_t began_ms = item->until_ms - self->session->lock_ttl_ms;
	uint64_t now_ms = mcp_wall_ms(self->session->environment);
	bool is_known = item->until_ms != MCP_LOCK_ITEM_NEVER && began_ms < now_ms;
	self->known->held_for_ms = is_known ? now_ms - began_ms : 0;
	mcp_buffer_clear(&self->known->holder);
	mcp_buffer_append(&self->known->holder, item->owner);
}

/* Note the lock's item, and when it can be taken over. An item of a previous attempt of this request can be taken
 * over immediately. */
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

/* Whether the last attempt was executed although its reply was lost, and has not expired. An item of a previous
 * attempt has an earlier end, so this request must not trust it. */
static bool is_found_held(const attempt *self, const mcp_op *look) {
	uint64_t until_ms = self->terms.until_ms;
	return mcp_session_lock_is_ours(self->known, look) &&
		mcp_lock_terms_read(&look->item).until_ms == until_ms &&
		until_ms > mcp_wall_ms(self->session->environment);
}

/* Mark the lock as held. If the read after the write did not find it, the CAS value for the release is unknown. */
static mcp_status hold(attempt *self, const mcp_op *look) {
	bool is_seen = mcp_session_lock_is_ours(self->known, look);
	self->known->is_held = true;
	self->known->was_taken_over = self->steps[0].verb == MCP_OP_CAS && !self->seen.is_ours;
	self->known->lock = is_seen ? look->read : (mcp_proof){0};
	mcp_late_locks_forget(self->session->late, self->known->stamp);
	return MCP_OK;
}

/* Whether the server returns no CAS values. A lock could then not be released, and no wait helps. */
static bool lacks_cas(const mcp_op *look) {
	return look->status == MCP_OK && look->item.cas == 0;
}

/* The first failure of the steps from this step on. MCP_OK: none has failed. */
static mcp_status failure_of(const attempt *self, int from) {
	for (int i = from; i < 3; i++) {
		if (mcp_status_is_failure(self->steps[i].status)) {
			return self->steps[i].status;
		}
	}
	return MCP_OK;
}

/* Evaluate both reads. They must not have failed. */
static mcp_status judge_reads(attempt *self, bool is_written) {
	const mcp_op *look = &self->steps[1];
	if (lacks_cas(look)) {
		return MCP_NO_CAS;
	}
	if (is_written || is_found_held(self, look)) {
		return hold(self, look);
	}
	see(self, look);
	return MCP_NOT_STORED;
}

/* Find out the outcome of an attempt that was not answered, over a new connection if the previous one is lost. */
static mcp_status resolve_try(attempt *self, mcp_status status) {
	if (++self->unanswered > UNANSWERED_MAX) {
		return status;
	}
	mcp_store_bypass_breaker(self->session->store, &self->key, MCP_BYPASS_TO_RESOLVE);
	mcp_store_steps(self->session->store, self->steps + 1, 2);
	mcp_status failure = failure_of(self, 1);
	return failure == MCP_OK ? judge_reads(self, false) : failure;
}

static mcp_status judge_try(attempt *self) {
	mcp_status written = self->steps[0].status, failure = failure_of(self, 0);
	if (written == MCP_UNSUPPORTED) {
		self->seen.is_there = false; /* the CAS value is of another connection */
		return MCP_NOT_STORED;
	}
	if (failure == MCP_OK) {
		return judge_reads(self, written == MCP_OK);
	}
	return written == MCP_UNREACHABLE || written == MCP_REFUSED ? written
																: resolve_try(self, failure);
}

/* Make one attempt with `add`, or with `cas` to take over an expired lock. */
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
	return judge_try(self);
}

static mcp_status read_lock(attempt *self) {
	mcp_op step = get(self->session, &self->key);
	if (mcp_status_is_failure(step.status)) {
		return step.status;
	}
	see(self, &step);
	return lacks_cas(&step) ? MCP_NO_CAS : MCP_OK;
}

/* Wait until the next attempt, and return MCP_OK. If the lock was just released, there is no read before the attempt,
 * which would cost a round trip. */
static mcp_status wait(attempt *self, mcp_pauses *pauses) {
	const mcp_environment *environment = self->session->environment;
	uint64_t end_ms = mcp_lock_terms_later(pauses->begun_ms, self->session->wait_ms);
	while ((self->seen.is_there && self->seen.left_ms > 0) ||
		++self->tries_at_once > TRIES_AT_ONCE) {
		uint64_t left_ms = self->seen.is_there ? self->seen.left_ms : 0;
		uint64_t free_ms = mcp_lock_terms_later(mcp_monotonic_ms(environment), left_ms + 1);
		self->tries_at_once = 0;
		mcp_waiting_see_holder(pauses, self->seen.stamp);
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
		mcp_status status = pauses->was_rung ? MCP_OK : read_lock(self);
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

/* Acquire the lock, and then read the session. In the opposite order, the session could change before the lock is
 * held. MCP_OK: *read is the reply with the session, whose view is valid until the next read. Other statuses are
 * those of mcp_session_start. */
static mcp_status wait_and_try(const mcp_session *session, mcp_session_known *known,
	mcp_pauses *pauses, mcp_op *read) {
	attempt at;
	begin_lock(&at, session, known);
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
		/* Release a lock that the failed start might have acquired, or might still acquire, so that it does not block
		 * the next requests. */
		if (mcp_status_is_failure(status) && !mcp_status_is_unanswered(status)) {
			known->is_held = true;
			known->lock = (mcp_proof){0};
			mcp_session_close(session, known);
		}
		if (at.unanswered > 0) {
			mcp_late_locks_add(session->late, session->store, &at.key, known->stamp);
		}
	}
	return status;
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

/* Read the lock's item. Returns false if another request has the lock, or it could not be read. */
static bool find_own_lock(const mcp_session *session, mcp_session_known *known,
	const mcp_key *key) {
	mcp_store_bypass_breaker(session->store, key, MCP_BYPASS_TO_RELEASE);
	mcp_op step = get(session, key);
	known->lock = step.read;
	return mcp_session_lock_is_ours(known, &step);
}

void mcp_session_close(const mcp_session *session, mcp_session_known *known) {
	mcp_key_buffer buffer;
	mcp_key key = mcp_session_lock_key(&buffer, session);
	if (!known->is_held) {
		return;
	}
	mcp_status status;
	int tries = 0;
	bool is_open; /* outcome unknown, or nothing was sent: the connection of the proof is lost */
	do {
		mcp_op step = {.verb = MCP_OP_DELETE_IF, .key = &key, .expects = known->lock};
		mcp_store_steps(session->store, &step, 1);
		status = step.status;
		is_open = status == MCP_UNSUPPORTED || status == MCP_NO_CAS || status == MCP_UNKNOWN;
	} while (is_open && ++tries < UNLOCKS_MAX && find_own_lock(session, known, &key));
	if (mcp_status_is_unanswered(status)) {
		mcp_late_locks_add(session->late, session->store, &key, known->stamp);
	}
	mcp_session_lock_forget(session, known);
}

/* The other handler's item is on the server that php-memcached's weighted ring chooses for the session's id. With
 * another key distribution, it can be on any server. */

/* Read the item, or note a failure, because this server might have the item. */
static void read_from(mcp_store *store, const mcp_session *session, mcp_session_known *known,
	mcp_status *failure) {
	mcp_item item;
	mcp_status status = mcp_store_get(store, session->foreign, &item);
	/* An item with flags is not a session, because the other handler sets flags 0. */
	if (status == MCP_OK && item.flags == 0) {
		mcp_buffer_clear(&known->data);
		known->is_foreign = mcp_buffer_append(&known->data, item.value);
		status = known->is_foreign ? MCP_OK : MCP_UNREACHABLE;
	}
	if (mcp_status_is_failure(status)) {
		known->failed = store;
		*failure = status;
	}
}

/* Read the other handler's item. MCP_OK, even if the item is missing, or a failure. Cost: 1 round trip if the server of
 * the weighted ring has the item. Otherwise, all servers are read. */
static mcp_status look_for_foreign(const mcp_session *session, mcp_session_known *known) {
	mcp_store *owner = mcp_store_owner(session->store, session->foreign);
	mcp_status failure = MCP_OK;
	read_from(owner, session, known, &failure);
	for (size_t i = 0; i < mcp_store_member_count(session->store) && !known->is_foreign; i++) {
		mcp_store *member = mcp_store_member(session->store, i);
		if (member != owner) {
			read_from(member, session, known, &failure);
		}
	}
	known->failed = known->is_foreign ? NULL : known->failed;
	return known->is_foreign ? MCP_OK : failure;
}

mcp_status mcp_session_foreign_delete(const mcp_session *session, mcp_session_known *known) {
	mcp_status failure = MCP_OK;
	for (size_t i = 0; i < mcp_store_member_count(session->store); i++) {
		mcp_store *member = mcp_store_member(session->store, i);
		mcp_status status = mcp_store_delete(member, session->foreign);
		if (mcp_status_is_unanswered(status)) {
			/* Retry, because a missing item counts as deleted. */
			mcp_store_bypass_breaker(member, session->foreign, MCP_BYPASS_TO_RESOLVE);
			status = mcp_store_delete(member, session->foreign);
		}
		if (status != MCP_OK && status != MCP_NOT_FOUND) {
			known->failed = member;
			failure = status;
		}
	}
	return failure;
}

/* --- reading a session for a request: after its lock, or without a lock with a read that renews it --- */

/* Copy the session, so that it outlives the next call of the store. Returns false if memory is exhausted. */
static bool keep_session(const mcp_session *session, mcp_session_known *known, const mcp_op *read) {
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

/* Copy the session, and return the caller's status. If the session is unusable, its lock is released. */
static mcp_status conclude_read(const mcp_session *session, mcp_session_known *known,
	const mcp_op *read) {
	mcp_status status = MCP_OK;
	if (!keep_session(session, known, read)) {
		status = MCP_UNREACHABLE;
	} else if (known->kind == MCP_SESSION_UNREADABLE) {
		status = MCP_FOREIGN;
	} else if (known->kind != MCP_SESSION_NOTHING && known->read.cas == 0) {
		status = MCP_NO_CAS; /* no write could replace the session */
	}
	if (status != MCP_OK) {
		mcp_session_close(session, known);
	}
	return status;
}

static mcp_status start_by_lock(const mcp_session *session, mcp_session_known *known,
	mcp_pauses *pauses) {
	mcp_op read;
	known->is_by_lock = true;
	mcp_status status = wait_and_try(session, known, pauses, &read);
	if (status != MCP_OK) {
		mcp_session_lock_forget(session, known);
	}
	status = mcp_waiting_end_for_one(session->environment, pauses, status);
	return status == MCP_OK ? conclude_read(session, known, &read) : status;
}

/* Read without a lock. If the id is new, add a placeholder first. Returns the status of the read. */
static mcp_status read_once(const mcp_session *session, mcp_session_known *known, bool is_new,
	mcp_op *read) {
	mcp_session_item item;
	mcp_session_item_make_placeholder(session, &item, mcp_random_id(session->environment));
	mcp_op steps[] = {
		{.verb = MCP_OP_ADD, .key = session->key, .record = &item.record},
		{.verb = MCP_OP_GET_AND_TOUCH, .key = session->key, .record = &item.record},
	};
	known->read_ms = mcp_monotonic_ms(session->environment);
	mcp_store_steps(session->store, is_new ? steps : steps + 1, is_new ? 2 : 1);
	*read = steps[1];
	return steps[1].status;
}

mcp_status mcp_session_peek(const mcp_session *session, mcp_session_known *known) {
	known->read_ms = mcp_monotonic_ms(session->environment);
	mcp_op step = get(session, session->key);
	if (mcp_status_is_failure(step.status)) {
		return step.status;
	}
	if (!keep_session(session, known, &step)) {
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
	bool can_be_merged =
		session->format == MCP_SESSION_PHP || session->format == MCP_SESSION_PHP_SERIALIZE;
	if (session->locking == MCP_SESSION_LOCK || (merges && !can_be_merged)) {
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
	status = conclude_read(session, known, &read);
	bool is_whole = known->kind == MCP_SESSION_VALUE && known->head.is_whole;
	return status == MCP_OK && merges && is_whole ? start_by_lock(session, known, pauses) : status;
}

/* Read the session again, under a lock that might have expired. */
static mcp_status look_again(const mcp_session *session, mcp_session_known *known) {
	mcp_op step = get(session, session->key);
	if (mcp_status_is_failure(step.status)) {
		mcp_session_close(session, known);
		return step.status;
	}
	return conclude_read(session, known, &step);
}

/* Start the session. If it is missing, read the other handler's item. If another request migrates the session between
 * these reads, both miss it, but a third read finds it. */
static mcp_status start_with_foreign(const mcp_session *session, mcp_session_known *known,
	bool is_new, mcp_pauses *pauses) {
	mcp_status status = start_own(session, known, is_new, pauses);
	bool is_wanted = session->foreign != NULL && !is_new && known->kind == MCP_SESSION_NOTHING;
	if (status != MCP_OK || !is_wanted) {
		return status;
	}
	status = look_for_foreign(session, known);
	if (status != MCP_OK) {
		mcp_session_close(session, known);
		return status;
	}
	if (known->is_foreign) {
		return MCP_OK;
	}
	return known->is_held ? look_again(session, known) : start_own(session, known, false, pauses);
}

mcp_status mcp_session_start(const mcp_session *session, mcp_session_known *known, bool is_new,
	mcp_pauses *pauses) {
	known->failed = NULL;
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

/* No connection has the number 0, so the next write is not sent with this proof, and the current version is read. */
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
	mcp_op step = get(session, &key);
	if (step.status != MCP_OK) {
		return step.status;
	}
	mcp_lock_item item = mcp_lock_terms_read(&step.item);
	mcp_buffer_clear(holder);
	return mcp_buffer_append(holder, item.owner) ? MCP_OK : MCP_UNREACHABLE;
}
