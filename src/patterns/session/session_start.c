/* Reads a session for a request: behind its lock, or without one in the same send that renews it. */
/* SPDX-License-Identifier: MIT */
#include "session_foreign.h"
#include "session_lock.h"

#include "../lock/lock_terms.h"

static bool can_be_merged(mcp_session_format format) {
	return format == MCP_SESSION_PHP || format == MCP_SESSION_PHP_SERIALIZE;
}

/* Keeps what was found beyond the next call of the store. False if there is no memory. */
static bool keep(const mcp_session *session, mcp_session_known *known, const mcp_store_step *read) {
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

/* Makes of what is kept what the caller is told; a session that is not to be worked with holds no lock. */
static mcp_status conclude(const mcp_session *session, mcp_session_known *known,
	const mcp_store_step *read) {
	mcp_status status = MCP_OK;
	if (!keep(session, known, read)) {
		status = MCP_UNREACHABLE;
	} else if (known->kind == MCP_SESSION_UNREADABLE) {
		status = MCP_FOREIGN;
	} else if (known->kind != MCP_SESSION_NOTHING && known->read.cas == 0) {
		status = MCP_NO_CAS; /* nothing could be stored over it */
	}
	if (status != MCP_OK) {
		mcp_session_unlock(session, known);
	}
	return status;
}

static mcp_status start_by_lock(const mcp_session *session, mcp_session_known *known,
	mcp_pauses *pauses) {
	mcp_store_step read;
	known->is_by_lock = true;
	mcp_status status = mcp_session_lock_and_read(session, known, pauses, &read);
	return status == MCP_OK ? conclude(session, known, &read) : status;
}

/* Reads without a lock, and stores a placeholder before where the id is new. Returns the read's answer. */
static mcp_status read_once(const mcp_session *session, mcp_session_known *known, bool is_new,
	mcp_store_step *read) {
	mcp_session_item item;
	mcp_session_item_make_placeholder(session, &item, mcp_session_item_draw(session));
	mcp_store_step steps[] = {
		{.verb = MCP_STEP_ADD, .key = session->key, .record = &item.record},
		{.verb = MCP_STEP_GET_AND_TOUCH, .key = session->key, .record = &item.record},
	};
	known->read_ms = mcp_monotonic_ms(session->environment);
	mcp_store_steps(session->store, is_new ? steps : steps + 1, is_new ? 2 : 1);
	*read = steps[1];
	return steps[1].status;
}

/* Looks for another handler's item; MCP_OK, also where there is none, or a failure. */
static mcp_status look_for_foreign(const mcp_session *session, mcp_session_known *known) {
	mcp_status status = mcp_session_foreign_read(session, known);
	return mcp_status_is_failure(status) ? status : MCP_OK;
}

mcp_status mcp_session_look(const mcp_session *session, mcp_session_known *known) {
	mcp_store_step step = {.verb = MCP_STEP_GET, .key = session->key};
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
	mcp_store_step read;
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

/* Looks once more, under a lock whose time may have ended. */
static mcp_status look_again(const mcp_session *session, mcp_session_known *known) {
	mcp_store_step step = {.verb = MCP_STEP_GET, .key = session->key};
	mcp_store_steps(session->store, &step, 1);
	if (mcp_status_is_failure(step.status)) {
		mcp_session_unlock(session, known);
		return step.status;
	}
	return conclude(session, known, &step);
}

/* Starts, and looks for another handler's item where nothing is there. Another request may move the session over between the
 * two looks, so that neither finds it: then the third one does. */
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

/* Goes by that no connection has the name 0: nothing is sent by such a read, and what is there is looked at again. */
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
	mcp_store_step step = {.verb = MCP_STEP_GET, .key = &key};
	mcp_store_steps(session->store, &step, 1);
	if (step.status != MCP_OK) {
		return step.status;
	}
	mcp_lock_item item = mcp_lock_terms_read(&step.item);
	mcp_buffer_clear(holder);
	return mcp_buffer_append(holder, item.owner) ? MCP_OK : MCP_UNREACHABLE;
}
