/* Looks at every answer: whether one came, and over which connection. */
/* SPDX-License-Identifier: MIT */
#include "visit.h"

void mcp_visit_notice_breaks(mcp_visit *self) {
	mcp_known_server *server = mcp_visit_server(self);
	uint64_t breaks = mcp_store_breaks(self->inner);
	server->life += server->breaks != breaks;
	server->breaks = breaks;
}

static void go_away(mcp_visit *self) {
	mcp_known_server *server = mcp_visit_server(self);
	server->life++;
	self->known->outages += !server->is_away;
	server->outages += !server->is_away;
	server->is_away = true;
}

/* While it is away its answers belong to the way back, which may fail. */
static void note_answer(mcp_visit *self) {
	mcp_known_server *server = mcp_visit_server(self);
	if (!server->is_away) {
		server->heard_ms = mcp_early_wall_ms(self->known->environment);
	}
}

mcp_status mcp_visit_end(mcp_visit *self, mcp_status status) {
	mcp_visit_notice_breaks(self);
	if (mcp_status_is_unanswered(status)) {
		go_away(self);
	} else {
		note_answer(self);
	}
	return status;
}

/* --- marks --- */

static bool is_in_force(const mcp_visit *self, const mcp_known_mark *mark, uint64_t outages) {
	return mark->mark.is_set && mark->life == mcp_visit_server(self)->life &&
		mark->outages == outages;
}

static bool take(mcp_visit *self, mcp_known_mark *mark, uint64_t outages) {
	mcp_status status = mcp_mark_take(&mark->mark, self->inner, self->known->process_number);
	if (mcp_visit_end(self, status) != MCP_OK) {
		return false;
	}
	mark->life = mcp_visit_server(self)->life;
	mark->outages = outages;
	return true;
}

bool mcp_visit_is_marked(const mcp_visit *self) {
	const mcp_known_server *server = mcp_visit_server(self);
	return server->outages == 0 || is_in_force(self, &server->mark, server->outages);
}

/* --- coming back --- */

/* Plainly: a rebuild that began before the outage finds nothing to be stored over. */
static bool deliver(mcp_visit *self) {
	mcp_journal *journal = &mcp_visit_server(self)->journal;
	while (journal->count > 0) {
		mcp_journal_entry change = mcp_journal_oldest(journal);
		mcp_key key = {
			.wire = change.key,
			.route = change.key,
			.fingerprint = change.fingerprint,
		};
		mcp_status status = mcp_visit_end(self, mcp_store_delete(self->inner, &key));
		if (status != MCP_OK && status != MCP_NOT_FOUND) {
			return false;
		}
		mcp_journal_remove_oldest(journal);
	}
	return true;
}

static bool come_back(mcp_visit *self) {
	mcp_known_server *server = mcp_visit_server(self);
	if (mcp_store_is_left_alone(self->inner) || !take(self, &server->mark, server->outages) ||
		!deliver(self)) {
		return false;
	}
	mcp_journal_clear(&server->journal);
	server->is_away = false;
	note_answer(self);
	return true;
}

bool mcp_visit_begin(mcp_visit *self) {
	mcp_known_server *server = mcp_visit_server(self);
	mcp_visit_notice_breaks(self);
	if (server->is_away) {
		return come_back(self);
	}
	if (mcp_visit_is_marked(self) || take(self, &server->mark, server->outages)) {
		return true;
	}
	go_away(self);
	return false;
}

bool mcp_visit_stand_in(mcp_visit *self, size_t home) {
	uint64_t outages = self->known->servers[home].outages;
	mcp_known_mark *mark = mcp_known_servers_lent(self->known, home, self->index);
	if (mark == NULL) {
		return false;
	}
	return is_in_force(self, mark, outages) || take(self, mark, outages);
}

const mcp_mark *mcp_visit_mark_for(mcp_visit *self, size_t home) {
	uint64_t outages = self->known->servers[home].outages;
	const mcp_known_mark *mark = mcp_known_servers_lent(self->known, home, self->index);
	bool counts = mark != NULL && is_in_force(self, mark, outages);
	return counts ? &mark->mark : NULL;
}
