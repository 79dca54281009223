/* A write of a session under way: its turns, and what the next one goes by. For the session's files alone. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PATTERNS_SESSION_WRITING_H
#define MCP_PATTERNS_SESSION_WRITING_H

#include "session_item.h"

typedef struct mcp_session_writing {
	const mcp_session *session;
	mcp_session_known *known;
	mcp_session_report *report;
	uint64_t birth;
	bool is_born_here; /* nobody but this write knows of this birth */
	bool had;          /* a value or a placeholder was read, here or at a look */
	bool is_over_tombstone;
	mcp_bytes value;       /* to be stored; in `memory` once it was merged */
	mcp_buffer base;       /* what it is made of */
	mcp_session_head from; /* the base's stamps */
	uint32_t stamp;
	bool is_there;  /* there is something that it is to be stored over: */
	mcp_proof read; /* this */
	bool is_touch;
	bool is_unknown; /* some turn had no answer */
	mcp_buffer memory;
} mcp_session_writing;

/* Ends it, and returns false, as there is no other turn. */
static inline bool mcp_session_writing_end(mcp_session_writing *self, mcp_session_outcome outcome) {
	self->report->outcome = outcome;
	return false;
}

static inline bool mcp_session_writing_fail(mcp_session_writing *self, mcp_status status) {
	self->report->status = status;
	return mcp_session_writing_end(self,
		self->is_unknown ? MCP_SESSION_NOT_KNOWN : MCP_SESSION_FAILED);
}

/* Finds out what is there in the place of what the turn was made of, and goes by that. True if there is to be another
 * turn. */
bool mcp_session_writing_settle(mcp_session_writing *self);

/* Has it stored again where nothing is, by another turn. False if it may have been destroyed: that nobody can have done so
 * is neither proven, nor is its birth known to this write alone. */
bool mcp_session_writing_store_again(mcp_session_writing *self, bool is_proven);

/* Says whether a session that was read over a connection which is open still cannot have been destroyed unseen since. */
bool mcp_session_writing_is_fresh(const mcp_session_writing *self);

#endif
