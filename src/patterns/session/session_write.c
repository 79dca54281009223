/* Stores by turns: each writes over the version that it knows, and where another one, or none, is found there, the next
 * goes by that. */
/* SPDX-License-Identifier: MIT */
#include "session_foreign.h"
#include "session_lock.h"
#include "session_writing.h"

#include "../../core/session/session_parts.h"

#define TURNS_MAX 64
/* From this one on there are pauses, and the wait has an end. */
#define TURNS_AT_ONCE 4
#define PAUSE_MAX_MS 20

typedef mcp_session_writing writing;

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

/* Makes the turn's step, which is bound to the connection that its base was read over, also where it only renews. */
static mcp_store_step step_of(const writing *self, const mcp_session_item *item) {
	return (mcp_store_step){
		.verb = self->is_touch ? MCP_STEP_TOUCH
			: self->is_there   ? MCP_STEP_CAS
							   : MCP_STEP_ADD,
		.key = self->session->key,
		.record = &item->record,
		.base = self->is_there ? self->read : (mcp_proof){0},
	};
}

/* Judges a turn's answer. True if there is to be another one. */
static bool judge(writing *self, mcp_status status, bool held_lock) {
	const mcp_session_known *known = self->known;
	switch (status) {
		case MCP_OK:
			return mcp_session_writing_end(self, MCP_SESSION_STORED);
		case MCP_TOO_LARGE:
			return mcp_session_writing_end(self, MCP_SESSION_TOO_LARGE);
		case MCP_NOT_FOUND:
			/* The lock's end has no answer, or another handle of the process holds it. */
			if (known->is_by_lock && !held_lock) {
				return mcp_session_writing_settle(self);
			}
			return mcp_session_writing_store_again(self,
				held_lock || mcp_session_writing_is_fresh(self));
		case MCP_UNKNOWN:
			if (self->is_touch) { /* nothing of this request was to be stored */
				return mcp_session_writing_end(self, MCP_SESSION_STORED);
			}
			self->is_unknown = true;
			return mcp_session_writing_settle(self);
		case MCP_EXISTS:
		case MCP_NOT_STORED:
		case MCP_UNSUPPORTED:
		case MCP_NO_CAS:
			return mcp_session_writing_settle(self);
		default:
			return mcp_session_writing_fail(self, status);
	}
}

static bool take_turn(writing *self) {
	mcp_session_item item;
	if (!make_item(self, &item)) {
		return mcp_session_writing_fail(self, MCP_UNREACHABLE);
	}
	mcp_store_step step = step_of(self, &item);
	bool held_lock = mcp_session_lock_end_behind(self->session, self->known, &step);
	bool met_another = step.status == MCP_EXISTS || step.status == MCP_NOT_STORED;
	self->report->was_late |= self->known->is_by_lock && met_another;
	self->report->size = mcp_store_size_of(self->session->key, &item.record);
	mcp_buffer_free(&item.payload);
	return judge(self, step.status, held_lock);
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
		bool is_late = turn >= TURNS_AT_ONCE && took_ms > self->session->wait_ms;
		if (turn + 1 == TURNS_MAX || is_late) {
			self->is_unknown = true;
			mcp_session_writing_fail(self, MCP_EXISTS);
			return;
		}
		pause(self, turn);
	}
}

/* Begins with what was read; *self may be used until `finish`. */
static void begin(writing *self, const mcp_session *session, mcp_session_known *known,
	mcp_session_report *report) {
	bool is_there = known->kind == MCP_SESSION_VALUE || known->kind == MCP_SESSION_PLACEHOLDER;
	*report = (mcp_session_report){.outcome = MCP_SESSION_FAILED};
	*self = (writing){
		.session = session,
		.known = known,
		.report = report,
		.birth = is_there ? known->birth : mcp_session_item_draw_birth(session, known),
		.is_born_here = !is_there,
		.had = is_there,
		.is_over_tombstone = known->kind == MCP_SESSION_TOMBSTONE || known->head.is_over_tombstone,
		.from = known->head,
		.stamp = (uint32_t)mcp_session_item_draw(session),
		.is_there = known->kind != MCP_SESSION_NOTHING,
		.read = known->read,
		.base = known->data,
	};
	known->data = (mcp_buffer){0};
}

static void finish(writing *self) {
	self->known->birth = self->birth;
	mcp_session_unlock(self->session, self->known);
	if (self->known->is_foreign && self->report->outcome == MCP_SESSION_STORED) {
		mcp_session_foreign_delete(self->session); /* or it ends by itself, before this one does */
	}
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
		mcp_session_writing_end(&self, MCP_SESSION_STORED);
	} else if (!mcp_buffer_append(&self.memory, mcp_bytes_of(self.base.data, self.base.length))) {
		mcp_session_writing_fail(&self, MCP_UNREACHABLE);
	} else {
		self.value = mcp_bytes_of(self.memory.data, self.memory.length);
		take_turns(&self);
	}
	finish(&self);
}
