/* Every call is a visit; what is read is judged by the server's mark. */
/* SPDX-License-Identifier: MIT */
#include "failover_marks.h"

#include "../one_by_one.h"

#include <stdlib.h>

/* By one of the stores that speak to the server; others may, over connections of their own, with the same knowledge. */
typedef struct mcp_visit {
	mcp_store *inner; /* borrowed; speaks to the server */
	mcp_server_health *known;
	size_t index;
	uint64_t number; /* its own among all that have this knowledge */
	uint64_t life;   /* one more with every outage and every connection: older cas ids are void */
	uint64_t breaks; /* of its connection, when it was last looked at */
	uint64_t
		started_us;  /* the server's start, see store.h; 0: not asked in this life, or not told */
	bool has_failed; /* its last call was not answered */
	/* Not back to the server while a write of this process may still land there: what it stores would be taken for
	 * newer than what was changed elsewhere since. */
	bool waits;
} mcp_visit;

static inline mcp_server_health_entry *mcp_visit_server(const mcp_visit *visit) {
	return &visit->known->servers[visit->index];
}

/* Looks at every answer: whether one came, and over which connection. */

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
static void mcp_visit_notice_breaks(mcp_visit *self) {
	if (notice_breaks(self)) {
		notice_late_writes(self);
	}
}

/* Aims at this store from now on; it may be another server's process that is reached there. */
static void mcp_visit_aim(mcp_visit *self, mcp_store *inner) {
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

/* Notes what the server answered, or that it did not; passes the status on. */
static mcp_status mcp_visit_end(mcp_visit *self, mcp_status status) {
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

/* Says whether what is read now can be judged: it was never away, or its mark is of this connection, or of the start
 * that the server has told over it. */
static bool mcp_visit_is_marked(const mcp_visit *self) {
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

/* Says whether the server may be asked now. Takes no round trip if it has never been away, nor while it is left alone
 * or a late write is waited for; 3 and one for each key of the journal when it has come back, and one more where a
 * late write was out; 1 to see that it is still the one that was marked. Ends no view. */
static bool mcp_visit_begin(mcp_visit *self) {
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

/* Says whether it may be asked for keys of another server, which is away: marks it for them, once for each
 * outage of any. After mcp_visit_begin. */
static bool mcp_visit_stand_in(mcp_visit *self, size_t home) {
	mcp_known_mark *mark = mcp_server_health_lent(self->known, home, self->index);
	if (mark == NULL) {
		return false;
	}
	uint64_t outages = self->known->outages;
	return holds(self, mark, outages) || take(self, mark, outages);
}

/* NULL if there is none that counts here. */
static const mcp_mark *mcp_visit_mark_for(mcp_visit *self, size_t home) {
	const mcp_known_mark *mark = mcp_server_health_lent(self->known, home, self->index);
	bool counts = mark != NULL && is_in_force(self, mark, self->known->outages);
	return counts ? &mark->mark : NULL;
}

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
