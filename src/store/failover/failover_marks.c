/* Every call is a visit; what is read is judged by the server's mark. */
/* SPDX-License-Identifier: MIT */
#include "failover_marks.h"

#include "../one_by_one.h"

#include <stdlib.h>

/* A connection that breaks with every read: what comes over it is suspect. */
#define READS_MAX 3

typedef struct marked {
	mcp_store store;
	mcp_visit visit;
} marked;

static marked *of(mcp_store *store) {
	return (marked *)store;
}

/* Lets the failure meet this call, too, for whoever asks which server it was. */
static mcp_status turn_away(marked *self) {
	if (mcp_store_is_tripped(self->visit.inner)) {
		mcp_store_ping(self->visit.inner);
	}
	return MCP_UNREACHABLE;
}

/* --- cas ids: the server's place and a part of its life above its own number --- */

#define CAS_BITS 49
#define LIFE_BITS 8
#define CAS_MASK (((uint64_t)1 << CAS_BITS) - 1)
#define LIFE_MASK (((uint64_t)1 << LIFE_BITS) - 1)

static uint64_t origin_of(const marked *self) {
	uint64_t life = self->visit.life & LIFE_MASK;
	return ((uint64_t)(self->visit.index + 1) << LIFE_BITS | life) << CAS_BITS;
}

/* Gives the id its origin. A memcached that stores a million items a second reaches the end of them in 17
 * years; other servers' ids that do not fit are as good as none. */
static uint64_t give_origin(const marked *self, uint64_t cas) {
	return cas == 0 || cas > CAS_MASK ? 0 : origin_of(self) | cas;
}

static bool is_from_here(const marked *self, uint64_t cas) {
	return (cas & ~CAS_MASK) == origin_of(self);
}

/* --- reading --- */

static void judge(marked *self, mcp_item *item) {
	const mcp_server_health_entry *server = mcp_visit_server(&self->visit);
	if (server->outages > 0) {
		item->is_suspect =
			!mcp_visit_is_marked(&self->visit) || mcp_mark_is_after(&server->mark.mark, item->cas);
		item->heard_ms = 0;
	}
	item->cas = give_origin(self, item->cas);
}

static mcp_status get(mcp_store *store, const mcp_key *key, mcp_item *item) {
	marked *self = of(store);
	mcp_status status = MCP_OK;
	for (int i = 0; i < READS_MAX; i++) {
		if (!mcp_visit_begin(&self->visit)) {
			return turn_away(self);
		}
		status = mcp_visit_end(&self->visit, mcp_store_get(self->visit.inner, key, item));
		if (status != MCP_OK || mcp_visit_is_marked(&self->visit)) {
			break;
		}
	}
	if (status == MCP_OK) {
		judge(self, item);
	}
	return status;
}

static mcp_status cas_of(mcp_store *store, const mcp_key *key, uint64_t *cas) {
	marked *self = of(store);
	if (!mcp_visit_begin(&self->visit)) {
		return turn_away(self);
	}
	mcp_status status = mcp_visit_end(&self->visit, mcp_store_cas_of(self->visit.inner, key, cas));
	*cas = status == MCP_OK ? give_origin(self, *cas) : 0;
	return status;
}

/* Leaves with the first failure, which is the server's. */
static void leave_many(marked *self, const mcp_reply *replies, size_t count) {
	mcp_status status = MCP_OK;
	for (size_t i = 0; i < count && !mcp_status_is_unanswered(status); i++) {
		status = replies[i].status;
	}
	mcp_visit_end(&self->visit, status);
}

static void turn_all_away(marked *self, size_t count, mcp_reply *replies) {
	for (size_t i = 0; i < count; i++) {
		replies[i].status = turn_away(self);
	}
}

static void get_many(mcp_store *store, const mcp_key *keys, size_t count, mcp_reply *replies) {
	marked *self = of(store);
	for (int i = 0; i < READS_MAX; i++) {
		if (!mcp_visit_begin(&self->visit)) {
			turn_all_away(self, count, replies);
			return;
		}
		mcp_store_get_many(self->visit.inner, keys, count, replies);
		leave_many(self, replies, count);
		if (mcp_visit_is_marked(&self->visit)) {
			break;
		}
	}
	for (size_t i = 0; i < count; i++) {
		if (replies[i].status == MCP_OK) {
			judge(self, &replies[i].item);
		}
	}
}

/* --- writing --- */

/* Notes a write that a server which did not answer may have missed. */
static mcp_status wrote(marked *self, mcp_status status) {
	if (mcp_status_is_unanswered(mcp_visit_end(&self->visit, status))) {
		mcp_server_health_note_change(self->visit.known, self->visit.index);
	}
	return status;
}

static mcp_status miss(marked *self) {
	mcp_server_health_note_change(self->visit.known, self->visit.index);
	return turn_away(self);
}

/* Changes by the id as the server has it. */
static mcp_status change_if(marked *self, const mcp_key *key, const mcp_change *change) {
	mcp_change as_there = *change;
	if (!is_from_here(self, change->cas)) {
		return mcp_key_may_be_sent(key) ? MCP_EXISTS : MCP_BAD_KEY;
	}
	as_there.cas &= CAS_MASK;
	return wrote(self, mcp_store_change(self->visit.inner, key, &as_there));
}

static mcp_status change_one(mcp_store *store, const mcp_key *key, const mcp_change *change) {
	marked *self = of(store);
	if (change->proof != NULL) {
		return MCP_UNSUPPORTED;
	}
	if (!mcp_visit_begin(&self->visit)) {
		return miss(self);
	}
	return change->cas != 0 ? change_if(self, key, change)
							: wrote(self, mcp_store_change(self->visit.inner, key, change));
}

/* --- what is asked of the server itself --- */

static mcp_status stats(mcp_store *store, mcp_stat_visitor visit, void *context) {
	return mcp_store_stats(of(store)->visit.inner, visit, context);
}

static mcp_status flush(mcp_store *store) {
	return mcp_store_flush(of(store)->visit.inner);
}

static mcp_status ping(mcp_store *store) {
	return mcp_store_ping(of(store)->visit.inner);
}

static mcp_status started_us(mcp_store *store, const mcp_key *key, uint64_t *started) {
	return mcp_store_started_us(of(store)->visit.inner, key, started);
}

static mcp_store *owner(mcp_store *store, const mcp_key *key) {
	(void)key;
	return store;
}

static mcp_wakeup_slot bell(mcp_store *store, const mcp_key *key) {
	return mcp_store_bell(of(store)->visit.inner, key);
}

static size_t item_max(mcp_store *store, const mcp_key *key, size_t wanted) {
	return mcp_store_item_max(of(store)->visit.inner, key, wanted);
}

static bool gives_no_cas(mcp_store *store, const mcp_key *key) {
	return mcp_store_gives_no_cas(of(store)->visit.inner, key);
}

static void insist(mcp_store *store, const mcp_key *key, mcp_bypass what_for) {
	mcp_store_bypass_breaker(of(store)->visit.inner, key, what_for);
}

static mcp_store *failed(mcp_store *store) {
	return mcp_store_failed(of(store)->visit.inner);
}

static bool is_tripped(mcp_store *store) {
	return mcp_store_is_tripped(of(store)->visit.inner);
}

static uint64_t breaks(mcp_store *store) {
	mcp_visit_notice_breaks(&of(store)->visit);
	return of(store)->visit.life;
}

static void begin_change(mcp_store *store, const mcp_key *key) {
	mcp_server_health_begin_change(of(store)->visit.known, key);
}

static unsigned end_change(mcp_store *store) {
	return mcp_server_health_end_change(of(store)->visit.known);
}

static void free_marked(mcp_store *store) {
	free(store);
}

static const mcp_store_operations operations = {
	.get = get,
	.cas_of = cas_of,
	.get_many = get_many,
	.change = change_one,
	.write_many = mcp_one_by_one_write,
	.delete_many = mcp_one_by_one_delete,
	.stats = stats,
	.flush = flush,
	.ping = ping,
	.owner = owner,
	.bell = bell,
	.started_us = started_us,
	.item_max = item_max,
	.gives_no_cas = gives_no_cas,
	.insist = insist,
	.failed = failed,
	.is_tripped = is_tripped,
	.breaks = breaks,
	.begin_change = begin_change,
	.end_change = end_change,
	.free = free_marked,
	.disown = free_marked,
};

mcp_store *mcp_failover_marks_create(mcp_server_health *known, size_t index, bool waits) {
	marked *self = calloc(1, sizeof(*self));
	if (self == NULL) {
		return NULL;
	}
	self->store.operations = &operations;
	self->visit.known = known;
	self->visit.index = index;
	self->visit.waits = waits;
	self->visit.number = ++known->visits;
	return &self->store;
}

void mcp_failover_marks_aim(mcp_store *store, mcp_store *inner) {
	marked *self = of(store);
	store->address = inner->address;
	mcp_visit_aim(&self->visit, inner);
}

size_t mcp_failover_marks_index(mcp_store *store) {
	return of(store)->visit.index;
}

bool mcp_failover_marks_arrive(mcp_store *store) {
	return mcp_visit_begin(&of(store)->visit);
}

bool mcp_failover_marks_stand_in(mcp_store *store, size_t home) {
	return mcp_visit_stand_in(&of(store)->visit, home);
}

bool mcp_failover_marks_judge_for(mcp_store *store, size_t home, mcp_item *item) {
	const mcp_mark *mark = mcp_visit_mark_for(&of(store)->visit, home);
	if (mark != NULL) {
		item->is_suspect |= mcp_mark_is_after(mark, item->cas & CAS_MASK);
		item->heard_ms = of(store)->visit.known->servers[home].heard_ms;
	}
	return mark != NULL;
}
