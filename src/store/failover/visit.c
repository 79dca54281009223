/* Looks at every answer: whether one came, and over which connection. */
/* SPDX-License-Identifier: MIT */
#include "visit.h"

/* A key for the server's start, which no key is asked for. */
static const mcp_key no_key;

static void begin_life(mcp_visit *self) {
	self->life++;
	self->started_us = 0;
}

static bool notice_breaks(mcp_visit *self) {
	uint64_t breaks = mcp_store_breaks(self->inner);
	bool is_another = self->breaks != breaks;
	if (is_another) {
		begin_life(self);
	}
	self->breaks = breaks;
	return is_another;
}

static void count_outage(mcp_visit *self) {
	self->known->outages++;
	mcp_visit_server(self)->outages++;
}

static void go_away(mcp_visit *self) {
	mcp_server_health_entry *server = mcp_visit_server(self);
	begin_life(self);
	if (!server->is_away || server->is_back) {
		count_outage(self);
	}
	server->is_away = true;
	server->is_back = false;
}

/* Takes the server for away from now on where late writes are waited for, if there is one. */
static void notice_late_writes(mcp_visit *self) {
	mcp_server_health_entry *server = mcp_visit_server(self);
	if (!mcp_store_has_late_write(self->inner)) {
		return;
	}
	server->may_owe = true;
	if (!server->is_away) {
		count_outage(self);
		server->is_away = server->is_back = true;
	}
}

/* Notices breaks; whoever else uses the connection may have left a late write. */
void mcp_visit_notice_breaks(mcp_visit *self) {
	if (notice_breaks(self)) {
		notice_late_writes(self);
	}
}

void mcp_visit_aim(mcp_visit *self, mcp_store *inner) {
	self->inner = inner;
	self->breaks = mcp_store_breaks(inner);
	self->has_failed = false;
	begin_life(self);
	notice_late_writes(self);
}

/* Notes an answer, unless the server is away: then its answers belong to the way back, which may fail. */
static void note_answer(mcp_visit *self) {
	mcp_server_health_entry *server = mcp_visit_server(self);
	if (!server->is_away) {
		server->heard_ms = mcp_early_wall_ms(self->known->environment);
	}
}

mcp_status mcp_visit_end(mcp_visit *self, mcp_status status) {
	bool is_another = notice_breaks(self);
	self->has_failed = mcp_status_is_unanswered(status);
	if (self->has_failed) {
		go_away(self);
	} else {
		note_answer(self);
	}
	if (is_another) {
		notice_late_writes(self);
	}
	return status;
}

/* --- marks --- */

static bool is_of_this_outage(const mcp_known_mark *mark, uint64_t outages) {
	return mark->mark.is_set && mark->outages == outages;
}

/* Says whether the cas ids that are read here are of the row that the mark's is of. */
static bool is_of_this_row(const mcp_visit *self, const mcp_known_mark *mark) {
	bool is_of_this_life = mark->visit == self->number && mark->life == self->life;
	return is_of_this_life || (mark->started_us != 0 && mark->started_us == self->started_us);
}

static bool is_in_force(const mcp_visit *self, const mcp_known_mark *mark, uint64_t outages) {
	return is_of_this_outage(mark, outages) && is_of_this_row(self, mark);
}

/* Asks for it once in a life. False if no answer came. A proxy that does not tell may close the connection on being
 * asked, and is asked once. */
static bool learn_start(mcp_visit *self) {
	mcp_server_health_entry *server = mcp_visit_server(self);
	uint64_t started_us = 0;
	if (self->started_us != 0 || server->tells_no_start) {
		return true;
	}
	mcp_status status = mcp_store_started_us(self->inner, &no_key, &started_us);
	mcp_visit_end(self, status);
	self->started_us = status == MCP_OK ? started_us : 0;
	server->tells_no_start = status == MCP_UNSUPPORTED;
	return !mcp_status_is_unanswered(status);
}

/* Says whether the mark holds; one that was taken over another connection counts for as long as the server is
 * the same process. */
static bool holds(mcp_visit *self, const mcp_known_mark *mark, uint64_t outages) {
	if (is_of_this_outage(mark, outages) && !is_of_this_row(self, mark) && mark->started_us != 0) {
		learn_start(self);
	}
	return is_in_force(self, mark, outages);
}

static bool take(mcp_visit *self, mcp_known_mark *mark, uint64_t outages) {
	if (!learn_start(self)) {
		return false;
	}
	mcp_status status = mcp_mark_take(&mark->mark, self->inner, self->known->process_number);
	if (mcp_visit_end(self, status) != MCP_OK) {
		return false;
	}
	mark->visit = self->number;
	mark->life = self->life;
	mark->started_us = self->started_us;
	mark->outages = outages;
	return true;
}

bool mcp_visit_is_marked(const mcp_visit *self) {
	const mcp_server_health_entry *server = mcp_visit_server(self);
	return server->outages == 0 || is_in_force(self, &server->mark, server->outages);
}

/* --- coming back --- */

/* Delivers the deletes plainly: a rebuild that began before the outage finds nothing to be stored over. */
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

/* Says whether the server may be marked: writes that land behind the mark are taken for new. Where a late write was
 * out, a read asks whether the server answers: each mark in vain would be one more. */
static bool may_be_marked(mcp_visit *self) {
	mcp_server_health_entry *server = mcp_visit_server(self);
	bool is_out = mcp_store_has_late_write(self->inner);
	server->may_owe |= is_out;
	if (is_out && self->waits) {
		return false;
	}
	return !server->may_owe || mcp_visit_end(self, mcp_store_ping(self->inner)) == MCP_OK;
}

static bool come_back(mcp_visit *self) {
	mcp_server_health_entry *server = mcp_visit_server(self);
	if (mcp_store_is_tripped(self->inner) || !may_be_marked(self) ||
		!take(self, &server->mark, server->outages) || !deliver(self)) {
		return false;
	}
	mcp_journal_clear(&server->journal);
	server->is_away = server->is_back = server->may_owe = mcp_store_has_late_write(self->inner);
	note_answer(self);
	return true;
}

/* Asks again a server that has answered over another connection of this process since this one failed. */
static void follow(mcp_visit *self) {
	if (mcp_store_is_tripped(self->inner)) {
		mcp_store_bypass_breaker(self->inner, &no_key, MCP_BYPASS_TO_RESOLVE);
	}
}

bool mcp_visit_begin(mcp_visit *self) {
	mcp_server_health_entry *server = mcp_visit_server(self);
	mcp_visit_notice_breaks(self);
	if (server->is_away && (self->waits || !server->is_back)) {
		return come_back(self);
	}
	if (self->has_failed) {
		follow(self);
	}
	if (mcp_visit_is_marked(self) || holds(self, &server->mark, server->outages) ||
		take(self, &server->mark, server->outages)) {
		return true;
	}
	go_away(self);
	return false;
}

bool mcp_visit_stand_in(mcp_visit *self, size_t home) {
	mcp_known_mark *mark = mcp_server_health_lent(self->known, home, self->index);
	if (mark == NULL) {
		return false;
	}
	uint64_t outages = self->known->outages;
	return holds(self, mark, outages) || take(self, mark, outages);
}

const mcp_mark *mcp_visit_mark_for(mcp_visit *self, size_t home) {
	const mcp_known_mark *mark = mcp_server_health_lent(self->known, home, self->index);
	bool counts = mark != NULL && is_in_force(self, mark, self->known->outages);
	return counts ? &mark->mark : NULL;
}
