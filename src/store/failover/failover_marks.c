/* Store of one server, which determines from the server's recovery mark which items are suspect. */
/* SPDX-License-Identifier: MIT */
#include "failover_marks.h"

#include "../store.h"

#include <stdlib.h>

/* Use of a server by one store, above a borrowed store that speaks to the server. Other stores, with their own
 * connections, share the server's health. */
typedef struct mcp_visit {
	mcp_store store;
	mcp_server_health *known;
	size_t index;
	uint64_t number; /* unique among all visits of this health */
	uint64_t life;   /* changes with every outage and connection; invalidates older CAS values */
	uint64_t breaks; /* breaks of the connection at the last check */
	uint64_t started_us; /* the server's start, see store.h; 0: unknown in this life */
	bool has_failed;     /* the last call got no reply */
	/* Treat the server as down while a late write of this process is possible, because this write would count as newer
	 * than changes that other processes have made since. */
	bool waits;
} mcp_visit;

static inline mcp_server_health_entry *visited_server(const mcp_visit *visit) {
	return &visit->known->servers[visit->index];
}

/* Used for requests in place of a key, because the server's start does not depend on the key. */
static const mcp_key no_key;

static void begin_life(mcp_visit *self) {
	self->life++;
	self->started_us = 0;
}

static bool notice_breaks(mcp_visit *self) {
	uint64_t breaks = mcp_store_breaks(self->store.beneath);
	bool is_another = self->breaks != breaks;
	if (is_another) {
		begin_life(self);
	}
	self->breaks = breaks;
	return is_another;
}

static void count_outage(mcp_visit *self) {
	self->known->outages++;
	visited_server(self)->outages++;
}

static void go_away(mcp_visit *self) {
	mcp_server_health_entry *server = visited_server(self);
	begin_life(self);
	if (!server->is_away || server->is_back) {
		count_outage(self);
	}
	server->is_away = true;
	server->is_back = false;
}

/* Treat a server with a possible late write as down, even if this visit does not wait for late writes. */
static void notice_late_writes(mcp_visit *self) {
	mcp_server_health_entry *server = visited_server(self);
	if (!mcp_store_has_late_write(self->store.beneath)) {
		return;
	}
	server->may_owe = true;
	if (!server->is_away) {
		count_outage(self);
		server->is_away = server->is_back = true;
	}
}

/* Check late writes after a break, because other users of the connection might have caused a late write. */
static void recheck_after_breaks(mcp_visit *self) {
	if (notice_breaks(self)) {
		notice_late_writes(self);
	}
}

/* Ignore replies of a server that is down: they belong to its recovery, which can fail. */
static void note_answer(mcp_visit *self) {
	mcp_server_health_entry *server = visited_server(self);
	if (!server->is_away) {
		server->heard_ms = mcp_early_wall_ms(self->known->environment);
	}
}

/* Records a reply or its absence, and returns the status. */
static mcp_status end_visit(mcp_visit *self, mcp_status status) {
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

/* True if this visit's CAS values come from the same counter as the mark's CAS value. */
static bool is_of_this_row(const mcp_visit *self, const mcp_known_mark *mark) {
	bool is_of_this_life = mark->visit == self->number && mark->life == self->life;
	return is_of_this_life || (mark->started_us != 0 && mark->started_us == self->started_us);
}

static bool is_in_force(const mcp_visit *self, const mcp_known_mark *mark, uint64_t outages) {
	return is_of_this_outage(mark, outages) && is_of_this_row(self, mark);
}

/* Requests the server's start once per life. False: no reply. A proxy that does not report a start can close the
 * connection on this request, so the request is never repeated to that peer. */
static bool learn_start(mcp_visit *self) {
	mcp_server_health_entry *server = visited_server(self);
	uint64_t started_us = 0;
	if (self->started_us != 0 || server->tells_no_start) {
		return true;
	}
	mcp_status status = mcp_store_started_us(self->store.beneath, &no_key, &started_us);
	end_visit(self, status);
	self->started_us = status == MCP_OK ? started_us : 0;
	server->tells_no_start = status == MCP_UNSUPPORTED;
	return !mcp_status_is_unanswered(status);
}

/* True if the mark is valid. A mark taken over another connection is valid as long as the server process is the
 * same. */
static bool holds(mcp_visit *self, const mcp_known_mark *mark, uint64_t outages) {
	if (is_of_this_outage(mark, outages) && !is_of_this_row(self, mark) && mark->started_us != 0) {
		learn_start(self);
	}
	return is_in_force(self, mark, outages);
}

static bool take_mark(mcp_visit *self, mcp_known_mark *mark, uint64_t outages) {
	if (!learn_start(self)) {
		return false;
	}
	mcp_status status =
		mcp_mark_take(&mark->mark, self->store.beneath, self->known->process_number);
	if (end_visit(self, status) != MCP_OK) {
		return false;
	}
	mark->visit = self->number;
	mark->life = self->life;
	mark->started_us = self->started_us;
	mark->outages = outages;
	return true;
}

/* True if items can be checked: the server was never down, or its mark is from this connection or the same server
 * process. */
static bool is_marked(const mcp_visit *self) {
	const mcp_server_health_entry *server = visited_server(self);
	return server->outages == 0 || is_in_force(self, &server->mark, server->outages);
}

/* --- recovery --- */

/* Sends the deletes of the journal: plain deletes, so that a rebuild that began before the outage can no longer be
 * stored. */
static bool deliver(mcp_visit *self) {
	mcp_journal *journal = &visited_server(self)->journal;
	while (journal->count > 0) {
		mcp_journal_entry change = mcp_journal_oldest(journal);
		mcp_key key = {
			.wire = change.key,
			.route = change.key,
			.fingerprint = change.fingerprint,
		};
		mcp_status status = end_visit(self, mcp_store_delete(self->store.beneath, &key));
		if (status != MCP_OK && status != MCP_NOT_FOUND) {
			return false;
		}
		mcp_journal_remove_oldest(journal);
	}
	return true;
}

/* False if a late write could be executed after the mark and count as new. After a late write, ping first, because
 * each failed mark would be another late write. */
static bool may_be_marked(mcp_visit *self) {
	mcp_server_health_entry *server = visited_server(self);
	bool is_out = mcp_store_has_late_write(self->store.beneath);
	server->may_owe |= is_out;
	if (is_out && self->waits) {
		return false;
	}
	return !server->may_owe || end_visit(self, mcp_store_ping(self->store.beneath)) == MCP_OK;
}

static bool come_back(mcp_visit *self) {
	mcp_server_health_entry *server = visited_server(self);
	if (mcp_store_is_tripped(self->store.beneath) || !may_be_marked(self) ||
		!take_mark(self, &server->mark, server->outages) || !deliver(self)) {
		return false;
	}
	mcp_journal_clear(&server->journal);
	server->is_away = server->is_back = server->may_owe =
		mcp_store_has_late_write(self->store.beneath);
	note_answer(self);
	return true;
}

/* Retry a server that has replied over another connection of this process since this connection failed. */
static void follow(mcp_visit *self) {
	if (mcp_store_is_tripped(self->store.beneath)) {
		mcp_store_bypass_breaker(self->store.beneath, &no_key, MCP_BYPASS_TO_RESOLVE);
	}
}

/* True if the server may be used now. Views remain valid. Round trips:
 * - 0 if the server was never down, its circuit breaker is open or a late write is possible
 * - 3 after a recovery, 1 more per key of the journal, 1 more after a late write
 * - 1 to check that the server is still the marked process */
static bool begin_visit(mcp_visit *self) {
	mcp_server_health_entry *server = visited_server(self);
	recheck_after_breaks(self);
	if (server->is_away && (self->waits || !server->is_back)) {
		return come_back(self);
	}
	if (self->has_failed) {
		follow(self);
	}
	if (is_marked(self) || holds(self, &server->mark, server->outages) ||
		take_mark(self, &server->mark, server->outages)) {
		return true;
	}
	go_away(self);
	return false;
}

/* Marks the server for keys of `home`, which is down, once per outage of any server. False: do not use the server for
 * these keys. Call after begin_visit. */
static bool stand_in_for(mcp_visit *self, size_t home) {
	mcp_known_mark *mark = mcp_server_health_lent(self->known, home, self->index);
	if (mark == NULL) {
		return false;
	}
	uint64_t outages = self->known->outages;
	return holds(self, mark, outages) || take_mark(self, mark, outages);
}

/* NULL: no valid mark. */
static const mcp_mark *mark_for(mcp_visit *self, size_t home) {
	const mcp_known_mark *mark = mcp_server_health_lent(self->known, home, self->index);
	bool counts = mark != NULL && is_in_force(self, mark, self->known->outages);
	return counts ? &mark->mark : NULL;
}

/* Limit of reads for a connection that breaks with every read. The items are then suspect. */
#define READS_MAX 3

static mcp_visit *of(mcp_store *store) {
	return (mcp_visit *)store;
}

/* If the breaker is open, let a ping record the failure for this call, too, so that mcp_store_failed names the
 * server. */
static mcp_status turn_away(mcp_visit *self) {
	if (mcp_store_is_tripped(self->store.beneath)) {
		mcp_store_ping(self->store.beneath);
	}
	return MCP_UNREACHABLE;
}

/* --- CAS values: the server's index and part of its life above the server's own value --- */

#define CAS_BITS 49
#define LIFE_BITS 8
#define CAS_MASK (((uint64_t)1 << CAS_BITS) - 1)
#define LIFE_MASK (((uint64_t)1 << LIFE_BITS) - 1)

static uint64_t origin_of(const mcp_visit *self) {
	uint64_t life = self->life & LIFE_MASK;
	return ((uint64_t)(self->index + 1) << LIFE_BITS | life) << CAS_BITS;
}

/* A memcached that stores 1 million items per second exceeds CAS_BITS after 17 years. Larger CAS values, which other
 * servers can have, cannot be used. */
static uint64_t give_origin(const mcp_visit *self, uint64_t cas) {
	return cas == 0 || cas > CAS_MASK ? 0 : origin_of(self) | cas;
}

static bool is_from_here(const mcp_visit *self, uint64_t cas) {
	return (cas & ~CAS_MASK) == origin_of(self);
}

/* --- reading --- */

static void judge_visited_item(mcp_visit *self, mcp_item *item) {
	const mcp_server_health_entry *server = visited_server(self);
	if (server->outages > 0) {
		item->is_suspect = !is_marked(self) || mcp_mark_is_after(&server->mark.mark, item->cas);
		item->heard_ms = 0;
	}
	item->cas = give_origin(self, item->cas);
}

static mcp_status get(mcp_store *store, const mcp_key *key, mcp_item *item) {
	mcp_visit *self = of(store);
	mcp_status status = MCP_OK;
	for (int i = 0; i < READS_MAX; i++) {
		if (!begin_visit(self)) {
			return turn_away(self);
		}
		status = end_visit(self, mcp_store_get(self->store.beneath, key, item));
		if (status != MCP_OK || is_marked(self)) {
			break;
		}
	}
	if (status == MCP_OK) {
		judge_visited_item(self, item);
	}
	return status;
}

static mcp_status get_cas(mcp_visit *self, mcp_op *op) {
	if (!begin_visit(self)) {
		return turn_away(self);
	}
	mcp_status status = end_visit(self, mcp_store_change(self->store.beneath, op));
	op->item.cas = status == MCP_OK ? give_origin(self, op->item.cas) : 0;
	return status;
}

/* Ends the visit with the status of the first failure. */
static void leave_many(mcp_visit *self, mcp_op *const *ops, size_t count) {
	mcp_status status = MCP_OK;
	for (size_t i = 0; i < count && !mcp_status_is_unanswered(status); i++) {
		status = ops[i]->status;
	}
	end_visit(self, status);
}

static void get_many(mcp_store *store, mcp_op *const *ops, size_t count) {
	mcp_visit *self = of(store);
	for (int i = 0; i < READS_MAX; i++) {
		if (!begin_visit(self)) {
			for (size_t at = 0; at < count; at++) {
				ops[at]->status = turn_away(self);
			}
			return;
		}
		mcp_store_run(self->store.beneath, ops, count);
		leave_many(self, ops, count);
		if (is_marked(self)) {
			break;
		}
	}
	for (size_t i = 0; i < count; i++) {
		if (ops[i]->status == MCP_OK) {
			judge_visited_item(self, &ops[i]->item);
		}
	}
}

/* --- writing --- */

/* Records that a server that did not reply might have missed the write. */
static mcp_status wrote(mcp_visit *self, mcp_status status) {
	if (mcp_status_is_unanswered(end_visit(self, status))) {
		mcp_server_health_note_change(self->known, self->index);
	}
	return status;
}

static mcp_status miss(mcp_visit *self) {
	mcp_server_health_note_change(self->known, self->index);
	return turn_away(self);
}

/* Sends the server's own CAS value. */
static mcp_status change_if(mcp_visit *self, mcp_op *op) {
	mcp_op as_there = *op;
	if (!is_from_here(self, op->expects.cas)) {
		return mcp_key_may_be_sent(op->key) ? MCP_EXISTS : MCP_BAD_KEY;
	}
	as_there.expects.cas &= CAS_MASK;
	return wrote(self, mcp_store_change(self->store.beneath, &as_there));
}

static mcp_status change_one(mcp_store *store, mcp_op *op) {
	mcp_visit *self = of(store);
	if (op->key == NULL) {
		return mcp_store_change(self->store.beneath, op); /* to the server itself */
	}
	if (op->verb == MCP_OP_GET_CAS) {
		return get_cas(self, op);
	}
	if (op->expects.connection != 0 || op->verb == MCP_OP_TTL_LEFT) {
		return MCP_UNSUPPORTED;
	}
	if (!begin_visit(self)) {
		return miss(self);
	}
	return op->expects.cas != 0 ? change_if(self, op)
								: wrote(self, mcp_store_change(self->store.beneath, op));
}

static uint64_t breaks(mcp_store *store) {
	recheck_after_breaks(of(store));
	return of(store)->life;
}

static void begin_change(mcp_store *store, const mcp_key *key) {
	mcp_server_health_begin_change(of(store)->known, key);
}

static unsigned end_change(mcp_store *store) {
	return mcp_server_health_end_change(of(store)->known);
}

static void free_marked(mcp_store *store) {
	free(store);
}

static const mcp_store_operations operations = {
	.get = get,
	.change = change_one,
	.get_many = get_many,
	.breaks = breaks,
	.begin_change = begin_change,
	.end_change = end_change,
	.free = free_marked,
	.disown = free_marked,
};

mcp_store *mcp_failover_marks_create(mcp_server_health *known, size_t index, bool waits) {
	mcp_visit *self = calloc(1, sizeof(*self));
	if (self == NULL) {
		return NULL;
	}
	self->store.operations = &operations;
	self->known = known;
	self->index = index;
	self->waits = waits;
	self->number = ++known->visits;
	return &self->store;
}

void mcp_failover_marks_aim(mcp_store *store, mcp_store *inner) {
	mcp_visit *self = of(store);
	store->address = inner->address;
	store->beneath = inner;
	self->breaks = mcp_store_breaks(inner);
	self->has_failed = false;
	begin_life(self);
	notice_late_writes(self);
}

size_t mcp_failover_marks_index(mcp_store *store) {
	return of(store)->index;
}

bool mcp_failover_marks_arrive(mcp_store *store) {
	return begin_visit(of(store));
}

bool mcp_failover_marks_stand_in(mcp_store *store, size_t home) {
	return stand_in_for(of(store), home);
}

bool mcp_failover_marks_judge_for(mcp_store *store, size_t home, mcp_item *item) {
	const mcp_mark *mark = mark_for(of(store), home);
	if (mark != NULL) {
		item->is_suspect |= mcp_mark_is_after(mark, item->cas & CAS_MASK);
		item->heard_ms = of(store)->known->servers[home].heard_ms;
	}
	return mark != NULL;
}
