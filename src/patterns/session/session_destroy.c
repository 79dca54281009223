/* Destroys by a tombstone with the birth of what is destroyed: a `delete` would leave nothing by which a request that
 * began before could know, and a late one would end the session begun since. */
/* SPDX-License-Identifier: MIT */
#include "session_lock.h"

#define TURNS_MAX 64

typedef struct ending {
	const mcp_session *session;
	mcp_session_known *known;
	mcp_session_report *report;
	mcp_key_buffer buffer;
	mcp_key lock_key;
	bool had;
	uint64_t birth;
	mcp_proof read; /* without a cas id: nothing is there */
} ending;

static bool end(ending *self, mcp_session_outcome outcome) {
	self->report->outcome = outcome;
	return false;
}

static void send(ending *self, mcp_store_step steps[2]) {
	mcp_session_item item;
	mcp_session_known *known = self->known;
	bool adds = self->read.cas == 0;
	size_t count = 1;
	mcp_session_item_make_tombstone(self->session, &item, self->birth);
	steps[0] = (mcp_store_step){
		.verb = adds ? MCP_STEP_ADD : MCP_STEP_CAS,
		.key = self->session->key,
		.record = &item.record,
		.base = adds ? (mcp_proof){0} : self->read,
	};
	if (known->is_held && known->lock.cas != 0) {
		steps[count++] = (mcp_store_step){
			.verb = MCP_STEP_DELETE_PROVEN,
			.key = &self->lock_key,
			.base = known->lock,
		};
	}
	mcp_store_steps(self->session->store, steps, count);
	bool was_sent = steps[0].status != MCP_UNREACHABLE && steps[0].status != MCP_UNSUPPORTED;
	known->is_held = known->is_held && !(was_sent && count == 2);
	known->lock.cas = was_sent ? known->lock.cas : 0; /* it is looked for, when it is given back */
}

/* Judges what is there now. True if it is to be destroyed still. */
static bool judge_there(ending *self, const mcp_store_step *look) {
	mcp_session_found there = mcp_session_item_judge(self->session, look);
	bool is_another = self->had && there.kind != MCP_SESSION_NOTHING && there.birth != self->birth;
	if (there.kind == MCP_SESSION_TOMBSTONE || is_another) {
		return end(self, MCP_SESSION_STORED);
	}
	self->read = look->read;
	return true;
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
	self->report->status = step.status;
	return end(self, MCP_SESSION_NOT_KNOWN);
}

/* True if there is to be another turn. */
static bool take_turn(ending *self) {
	mcp_store_step steps[2];
	send(self, steps);
	switch (steps[0].status) {
		case MCP_OK:
			return end(self, MCP_SESSION_STORED);
		case MCP_NOT_FOUND:
			self->read.cas = 0;
			return true;
		case MCP_EXISTS:
		case MCP_NOT_STORED:
		case MCP_UNSUPPORTED:
		case MCP_UNKNOWN:
			return settle(self);
		default:
			self->report->status = steps[0].status;
			return end(self, MCP_SESSION_FAILED);
	}
}

static void take_turns(ending *self) {
	for (int turn = 0; take_turn(self); turn++) {
		if (turn + 1 == TURNS_MAX) {
			self->report->status = MCP_EXISTS;
			end(self, MCP_SESSION_NOT_KNOWN);
			return;
		}
	}
}

void mcp_session_destroy(const mcp_session *session, mcp_session_known *known,
	mcp_session_report *report) {
	bool is_there = mcp_session_is_there(known);
	ending self = {
		.session = session,
		.known = known,
		.report = report,
		.had = is_there,
		.birth = is_there ? known->birth : mcp_session_item_draw(session),
		.read = known->read,
	};
	*report = (mcp_session_report){.outcome = MCP_SESSION_FAILED};
	self.lock_key = mcp_session_lock_key(&self.buffer, session);
	if (known->kind == MCP_SESSION_TOMBSTONE) {
		end(&self, MCP_SESSION_STORED);
	} else {
		take_turns(&self);
	}
	mcp_session_unlock(session, known);
}

void mcp_session_close(const mcp_session *session, mcp_session_known *known) {
	mcp_session_unlock(session, known);
}
