/* Destroys by a tombstone, whatever is there: a `delete` would leave nothing by which a request that began before could
 * know, and a late one would end the session begun since. */
/* SPDX-License-Identifier: MIT */
#include "session_foreign.h"
#include "session_lock.h"

#define TURNS_MAX 64

typedef struct ending {
	const mcp_session *session;
	mcp_session_known *known;
	mcp_session_report *report;
	mcp_session_kind there;
	mcp_proof read; /* of what is there */
} ending;

static bool end(ending *self, mcp_session_outcome outcome) {
	self->report->outcome = outcome;
	return false;
}

static mcp_status send(ending *self) {
	mcp_session_item item;
	bool is_there = self->there != MCP_SESSION_NOTHING;
	mcp_session_item_make_tombstone(self->session, &item);
	mcp_store_step step = {
		.verb = is_there ? MCP_STEP_CAS : MCP_STEP_ADD,
		.key = self->session->key,
		.record = &item.record,
		.base = is_there ? self->read : (mcp_proof){0},
	};
	mcp_session_lock_end_behind(self->session, self->known, &step);
	if (step.status == MCP_UNSUPPORTED) {
		self->known->lock.cas = 0; /* it is looked for when it is given back */
	}
	return step.status;
}

static bool fail(ending *self, mcp_session_outcome outcome, mcp_status status) {
	self->report->status = status;
	return end(self, outcome);
}

/* Judges what is there now. True if it is to be destroyed still: the tombstone that was read is of before, too. */
static bool judge_there(ending *self, const mcp_store_step *look) {
	mcp_session_found there = mcp_session_item_judge(self->session, look);
	if (there.kind == MCP_SESSION_TOMBSTONE && mcp_session_item_ended_since(self->known, &there)) {
		return end(self, MCP_SESSION_STORED);
	}
	self->there = there.kind;
	self->read = look->read;
	return there.kind == MCP_SESSION_NOTHING || self->read.cas != 0 ||
		fail(self, MCP_SESSION_FAILED, MCP_NO_CAS);
}

/* Looks; once more over a new connection. */
static bool settle(ending *self) {
	const mcp_session *session = self->session;
	mcp_store_step step;
	for (int i = 0; i < 2; i++) {
		step = (mcp_store_step){.verb = MCP_STEP_GET, .key = session->key};
		mcp_store_bypass_breaker(session->store, session->key, MCP_BYPASS_TO_RESOLVE);
		mcp_store_steps(session->store, &step, 1);
		if (!mcp_status_is_failure(step.status)) {
			return judge_there(self, &step);
		}
	}
	return fail(self, MCP_SESSION_NOT_KNOWN, step.status);
}

/* Deletes what is there where memcached has no memory for a tombstone: by its cas id, or, where that takes memory, too, as
 * by text, whatever it is by now: nothing else is left to send, though it may come late. An earlier tombstone stays. */
static bool delete_instead(ending *self) {
	const mcp_session *session = self->session;
	if (self->there == MCP_SESSION_NOTHING || self->there == MCP_SESSION_TOMBSTONE) {
		return end(self, MCP_SESSION_STORED);
	}
	mcp_store_step step = {
		.verb = MCP_STEP_DELETE_PROVEN,
		.key = session->key,
		.base = self->read,
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
			return settle(self);
	}
}

/* True if there is to be another turn. */
static bool take_turn(ending *self) {
	mcp_status status = send(self);
	switch (status) {
		case MCP_OK:
			return end(self, MCP_SESSION_STORED);
		case MCP_REFUSED:
			return settle(self) && delete_instead(self);
		case MCP_NOT_FOUND:
			self->there = MCP_SESSION_NOTHING;
			return true;
		case MCP_EXISTS:
		case MCP_NOT_STORED:
		case MCP_UNSUPPORTED:
		case MCP_NO_CAS:
		case MCP_UNKNOWN:
			return settle(self);
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

/* Deletes another handler's item, which would be read again when the tombstone is gone. */
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
