/* Destroys by a tombstone with the birth of what is destroyed: a `delete` would leave nothing by which a request that
 * began before could know, and a late one would end the session begun since. */
/* SPDX-License-Identifier: MIT */
#include "session_foreign.h"
#include "session_lock.h"

#define TURNS_MAX 64

typedef struct ending {
	const mcp_session *session;
	mcp_session_known *known;
	mcp_session_report *report;
	bool had;
	uint64_t birth;
	bool is_there;
	mcp_proof read; /* of what is there */
} ending;

static bool end(ending *self, mcp_session_outcome outcome) {
	self->report->outcome = outcome;
	return false;
}

static mcp_status send(ending *self) {
	mcp_session_item item;
	mcp_session_item_make_tombstone(self->session, &item, self->birth);
	mcp_store_step step = {
		.verb = self->is_there ? MCP_STEP_CAS : MCP_STEP_ADD,
		.key = self->session->key,
		.record = &item.record,
		.base = self->is_there ? self->read : (mcp_proof){0},
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

/* Judges what is there now. True if it is to be destroyed still. */
static bool judge_there(ending *self, const mcp_store_step *look) {
	mcp_session_found there = mcp_session_item_judge(self->session, look);
	bool is_another = self->had && there.kind != MCP_SESSION_NOTHING && there.birth != self->birth;
	if (there.kind == MCP_SESSION_TOMBSTONE || is_another) {
		return end(self, MCP_SESSION_STORED);
	}
	self->is_there = look->status == MCP_OK;
	self->read = look->read;
	return !self->is_there || self->read.cas != 0 || fail(self, MCP_SESSION_FAILED, MCP_NO_CAS);
}

/* Looks; once more over a new connection. */
static bool settle(ending *self) {
	const mcp_session *session = self->session;
	mcp_store_step step;
	for (int i = 0; i < 2; i++) {
		step = (mcp_store_step){.verb = MCP_STEP_GET, .key = session->key};
		mcp_store_insist(session->store, session->key, MCP_INSIST_TO_SETTLE);
		mcp_store_steps(session->store, &step, 1);
		if (!mcp_status_is_failure(step.status)) {
			return judge_there(self, &step);
		}
	}
	return fail(self, MCP_SESSION_NOT_KNOWN, step.status);
}

/* True if there is to be another turn. */
static bool take_turn(ending *self) {
	mcp_status status = send(self);
	switch (status) {
		case MCP_OK:
			return end(self, MCP_SESSION_STORED);
		case MCP_NOT_FOUND:
			self->is_there = false;
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
	bool is_there = known->kind == MCP_SESSION_VALUE || known->kind == MCP_SESSION_PLACEHOLDER;
	ending self = {
		.session = session,
		.known = known,
		.report = report,
		.had = is_there,
		.birth = is_there ? known->birth : mcp_session_item_draw(session),
		.is_there = known->kind != MCP_SESSION_NOTHING,
		.read = known->read,
	};
	*report = (mcp_session_report){.outcome = MCP_SESSION_FAILED};
	if (known->kind == MCP_SESSION_TOMBSTONE) {
		end(&self, MCP_SESSION_STORED);
	} else {
		take_turns(&self);
	}
	mcp_session_unlock(session, known);
	if (session->foreign != NULL && report->outcome == MCP_SESSION_STORED) {
		delete_foreign(&self);
	}
}

void mcp_session_close(const mcp_session *session, mcp_session_known *known) {
	mcp_session_unlock(session, known);
}
