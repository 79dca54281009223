/* Store that sends each call to the first candidate that is up. Servers known to be down get no request. */
/* SPDX-License-Identifier: MIT */
#include "store_failover.h"

#include "../store.h"
#include "../cluster/sorting.h"

#include <stdlib.h>

typedef struct failover {
	mcp_store store; /* store above the cluster */
	mcp_server_health *known;
	mcp_buffer scratch; /* used during a run of gets */
} failover;

static failover *of(mcp_store *store) {
	return (failover *)store;
}

static mcp_store *candidate_of(const failover *self, const mcp_key *key, size_t index) {
	return mcp_store_candidate(self->store.beneath, key, index);
}

static mcp_server_health_entry *server_of(const failover *self, mcp_store *member) {
	return &self->known->servers[mcp_failover_marks_index(member)];
}

/* --- current server of a key --- */

/* Records the change for the servers that were skipped. */
static void pass_over(const failover *self, const mcp_key *key, size_t count) {
	for (size_t i = 0; i < count; i++) {
		size_t index = mcp_failover_marks_index(candidate_of(self, key, i));
		mcp_server_health_note_change(self->known, index);
	}
}

/* NULL: no candidate is reachable. */
static mcp_store *reach_another(const failover *self, const mcp_key *key, size_t *passed) {
	size_t home = mcp_failover_marks_index(candidate_of(self, key, 0));
	mcp_store *other;
	for (*passed = 1; (other = candidate_of(self, key, *passed)) != NULL; (*passed)++) {
		if (mcp_failover_marks_arrive(other) && mcp_failover_marks_stand_in(other, home)) {
			return other;
		}
	}
	return NULL;
}

/* Returns a reachable candidate, otherwise `home`, whose call then returns the failure. */
static mcp_store *reach(const failover *self, const mcp_key *key, mcp_store *home) {
	size_t passed;
	if (mcp_failover_marks_arrive(home)) {
		return home;
	}
	mcp_store *other = reach_another(self, key, &passed);
	return other != NULL ? other : home;
}

/* Record the change before it is sent: a lost reply does not change which servers need the change. */
static mcp_store *reach_to_write(mcp_store *store, const mcp_key *key) {
	const failover *self = of(store);
	size_t passed;
	mcp_store *home = candidate_of(self, key, 0);
	if (mcp_failover_marks_arrive(home)) {
		return home;
	}
	mcp_store *other = reach_another(self, key, &passed);
	pass_over(self, key, passed);
	return other != NULL ? other : home;
}

/* Returns the server that is used for the key, without a request. */
static mcp_store *owner(mcp_store *store, const mcp_key *key) {
	const failover *self = of(store);
	mcp_store *member;
	for (size_t i = 0; (member = candidate_of(self, key, i)) != NULL; i++) {
		if (!server_of(self, member)->is_away) {
			return member;
		}
	}
	return candidate_of(self, key, 0);
}

static mcp_wakeup_slot bell(mcp_store *store, const mcp_key *key) {
	return mcp_store_bell(owner(store, key), key);
}

static bool is_away(mcp_store *store, const mcp_key *key) {
	return server_of(of(store), candidate_of(of(store), key, 0))->is_away;
}

/* --- reading --- */

/* Maximum number of reads. Each further read follows an outage or a lost connection. */
static int reads_max(const failover *self) {
	return 2 * (int)self->known->count + 1;
}

/* False: read again. `asked` NULL: no server was reachable, so the read went to `home`, whose store has checked the
 * item. Otherwise read again if `asked` no longer serves the key: a value and its tags must come from one server. */
static bool may_serve(failover *self, const mcp_key *key, mcp_store *home, mcp_store *asked,
	mcp_status status, mcp_item *item) {
	if (asked != NULL && mcp_status_is_unanswered(status)) {
		return false;
	}
	if (asked == NULL || asked == home) {
		return true;
	}
	if (asked != owner(&self->store, key)) {
		return false;
	}
	return status != MCP_OK ||
		mcp_failover_marks_judge_for(asked, mcp_failover_marks_index(home), item);
}

static mcp_status get(mcp_store *store, const mcp_key *key, mcp_item *item) {
	failover *self = of(store);
	mcp_store *home = candidate_of(self, key, 0);
	mcp_status status = MCP_UNREACHABLE;
	mcp_item found;
	for (int looks = 0; looks < reads_max(self); looks++) {
		mcp_store *asked = reach(self, key, home);
		bool is_here = !server_of(self, asked)->is_away;
		status = mcp_store_get(asked, key, &found);
		if (may_serve(self, key, home, is_here ? asked : NULL, status, &found)) {
			break;
		}
	}
	if (status == MCP_OK) {
		*item = found;
	}
	return status;
}

typedef struct asked {
	mcp_op *op;       /* sorted by store */
	mcp_store *store; /* store of each op of the call; NULL: none reachable */
} asked;

/* Reads each store once. False: read all stores again, because a second read of one store would invalidate the views of
 * its first read. */
static bool read_all(failover *self, mcp_sorting *to, mcp_op *const *ops) {
	mcp_op **sorted = to->elements;
	mcp_store **stores = (mcp_store **)(sorted + to->count);
	bool is_judged = true;
	for (size_t i = 0; i < to->count; i++) {
		mcp_store *reached = reach(self, ops[i]->key, candidate_of(self, ops[i]->key, 0));
		to->owners[i] = (uint32_t)mcp_failover_marks_index(reached);
		stores[i] = server_of(self, reached)->is_away ? NULL : reached;
	}
	mcp_sorting_sort(to);
	for (size_t i = 0; i < to->count; i++) {
		sorted[i] = ops[to->places[i]];
	}
	for (size_t i = 0; i < to->run_count; i++) {
		const mcp_sorting_run *run = &to->runs[i];
		mcp_store *member = mcp_store_member(self->store.beneath, run->owner);
		mcp_store_run(member, sorted + run->from, run->count);
	}
	for (size_t i = 0; i < to->count; i++) {
		mcp_op *op = ops[i];
		mcp_store *home = candidate_of(self, op->key, 0);
		is_judged &= may_serve(self, op->key, home, stores[i], op->status, &op->item);
	}
	return is_judged;
}

static void get_many(mcp_store *store, mcp_op *const *ops, size_t count) {
	failover *self = of(store);
	mcp_sorting to;
	if (!mcp_sorting_prepare(&to, &self->scratch, count, self->known->count, sizeof(asked))) {
		mcp_ops_answer(ops, count, MCP_UNREACHABLE);
		return;
	}
	for (int looks = 0; looks < reads_max(self); looks++) {
		if (read_all(self, &to, ops)) {
			break;
		}
	}
}

/* --- writing --- */

static mcp_status change_one(mcp_store *store, mcp_op *op) {
	const failover *self = of(store);
	if (op->key == NULL) {
		return mcp_store_change(store->beneath, op);
	}
	if (op->verb == MCP_OP_TTL_LEFT) {
		return MCP_UNSUPPORTED;
	}
	mcp_store *server = mcp_op_is_read(op) ? reach(self, op->key, candidate_of(self, op->key, 0))
										   : reach_to_write(store, op->key);
	return mcp_store_change(server, op);
}

static void begin_change(mcp_store *store, const mcp_key *key) {
	mcp_server_health_begin_change(of(store)->known, key);
}

static unsigned end_change(mcp_store *store) {
	return mcp_server_health_end_change(of(store)->known);
}

/* --- requests to the servers themselves --- */

static mcp_status started_us(mcp_store *store, const mcp_key *key, uint64_t *started) {
	return mcp_store_started_us(owner(store, key), key, started);
}

static size_t item_max(mcp_store *store, const mcp_key *key, size_t wanted) {
	return mcp_store_item_max(owner(store, key), key, wanted);
}

static bool gives_no_cas(mcp_store *store, const mcp_key *key) {
	return mcp_store_gives_no_cas(owner(store, key), key);
}

/* Bypass the breaker only if no candidate is up. Otherwise another server serves the key, and it does not matter
 * whether the down server has executed the write. */
static void insist(mcp_store *store, const mcp_key *key, mcp_bypass what_for) {
	mcp_store *at = owner(store, key);
	if (server_of(of(store), at)->is_away) {
		mcp_store_bypass_breaker(at, key, what_for);
	}
}

static void free_failover(mcp_store *store) {
	mcp_buffer_free(&of(store)->scratch);
	free(store);
}

static const mcp_store_operations operations = {
	.get = get,
	.change = change_one,
	.get_many = get_many,
	.owner = owner,
	.bell = bell,
	.started_us = started_us,
	.item_max = item_max,
	.gives_no_cas = gives_no_cas,
	.insist = insist,
	.begin_change = begin_change,
	.end_change = end_change,
	.is_away = is_away,
	.free = free_failover,
	.disown = free_failover,
};

mcp_store *mcp_store_failover_create(mcp_store *cluster, mcp_server_health *known) {
	failover *self = calloc(1, sizeof(*self));
	if (self == NULL) {
		return NULL;
	}
	self->store.operations = &operations;
	self->store.address = cluster->address;
	self->store.beneath = cluster;
	self->known = known;
	return &self->store;
}
