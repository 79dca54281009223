/* Calls for one key are handed to its member; calls for many are sorted by member first, so that each
 * member is asked once, all of them before the first answer is read where they can, and a view into its answer lasts
 * as long as the cluster's contract says. */
/* SPDX-License-Identifier: MIT */
#include "store_cluster.h"

#include "../steps.h"
#include "sorting.h"

#include <stdlib.h>

/* `scratch` is used while a call for many keys runs. One member may be listed twice: its store counts, or its
 * second answer would end the views into its first. */
typedef struct cluster {
	mcp_store store;
	mcp_cluster_pick pick;
	void *router;
	mcp_buffer scratch;
	mcp_candidates candidates;
	size_t count;
	mcp_store *members[];
} cluster;

static cluster *of(mcp_store *store) {
	return (cluster *)store;
}

static mcp_store *member(cluster *self, const mcp_key *key) {
	return self->members[self->pick(self->router, key->route)];
}

static mcp_status get(mcp_store *store, const mcp_key *key, mcp_item *item) {
	return mcp_store_get(member(of(store), key), key, item);
}

static mcp_status cas_of(mcp_store *store, const mcp_key *key, uint64_t *cas_id) {
	return mcp_store_cas_of(member(of(store), key), key, cas_id);
}

static mcp_status change_one(mcp_store *store, const mcp_key *key, const mcp_change *change) {
	return mcp_store_change(member(of(store), key), key, change);
}

/* Hands them to the first key's member, which all of them are to live on. */
static void carry_out(mcp_store *store, mcp_store_step *steps, size_t count) {
	mcp_store_steps(member(of(store), steps[0].key), steps, count);
}

static mcp_status ttl_left(mcp_store *store, const mcp_key *key, uint64_t *left_ms) {
	return mcp_store_ttl_left(member(of(store), key), key, left_ms);
}

/* NULL if they live on more than one. */
static mcp_store *only_owner(cluster *self, const mcp_key *keys, size_t count) {
	mcp_store *owner = member(self, &keys[0]);
	for (size_t i = 1; i < count; i++) {
		if (member(self, &keys[i]) != owner) {
			return NULL;
		}
	}
	return owner;
}

/* The keys of one member. */
typedef struct share {
	mcp_store *owner;
	mcp_key *keys;
	size_t count;
	mcp_reply *replies;
} share;

typedef struct asked {
	mcp_key key;
	mcp_reply reply;
	share share;
} asked;

static void ask_ahead(const share *of) {
	if (mcp_store_asks_ahead(of->owner)) {
		mcp_store_ask_many(of->owner, of->keys, of->count, of->replies);
	}
}

static void hear(const share *of) {
	if (mcp_store_asks_ahead(of->owner)) {
		mcp_store_hear_many(of->owner, of->keys, of->count, of->replies);
	} else {
		mcp_store_get_many(of->owner, of->keys, of->count, of->replies);
	}
}

static void get_many_sorted(cluster *self, const mcp_key *keys, size_t count, mcp_reply *replies) {
	mcp_sorting to;
	if (!mcp_sorting_prepare(&to, &self->scratch, count, sizeof(asked))) {
		for (size_t i = 0; i < count; i++) {
			replies[i].status = MCP_UNREACHABLE;
		}
		return;
	}
	mcp_key *wanted = to.elements;
	mcp_reply *found = (mcp_reply *)(wanted + count);
	share *shares = (share *)(found + count);
	size_t sorted = 0, members = 0;
	for (size_t i = 0; i < count; i++) {
		to.owners[i] = member(self, &keys[i]);
	}
	for (mcp_store *owner; (owner = mcp_sorting_next(&to, count)) != NULL; members++) {
		shares[members] = (share){owner, wanted + sorted, to.handed, found + sorted};
		for (size_t i = 0; i < to.handed; i++) {
			wanted[sorted++] = keys[to.places[i]];
		}
		ask_ahead(&shares[members]);
	}
	for (size_t i = 0; i < members; i++) {
		hear(&shares[i]);
	}
	for (size_t i = 0; i < count; i++) {
		replies[to.all_places[i]] = found[i];
	}
}

static void get_many(mcp_store *store, const mcp_key *keys, size_t count, mcp_reply *replies) {
	if (count == 0) {
		return;
	}
	mcp_store *owner = only_owner(of(store), keys, count);
	if (owner != NULL) {
		mcp_store_get_many(owner, keys, count, replies);
	} else {
		get_many_sorted(of(store), keys, count, replies);
	}
}

static void write_many(mcp_store *store, mcp_change_verb verb, mcp_write *writes, size_t count) {
	mcp_sorting to;
	if (count == 0) {
		return;
	}
	if (!mcp_sorting_prepare(&to, &of(store)->scratch, count, sizeof(mcp_write))) {
		for (size_t i = 0; i < count; i++) {
			writes[i].status = MCP_UNREACHABLE;
		}
		return;
	}
	mcp_write *handed = to.elements;
	for (size_t i = 0; i < count; i++) {
		to.owners[i] = member(of(store), &writes[i].key);
	}
	for (mcp_store *owner; (owner = mcp_sorting_next(&to, count)) != NULL;) {
		for (size_t i = 0; i < to.handed; i++) {
			handed[i] = writes[to.places[i]];
		}
		mcp_store_write_many(owner, verb, handed, to.handed);
		for (size_t i = 0; i < to.handed; i++) {
			writes[to.places[i]] = handed[i];
		}
	}
}

typedef struct deleted {
	mcp_key key;
	mcp_status status;
} deleted;

static void delete_many(mcp_store *store, const mcp_key *keys, size_t count, mcp_status *statuses) {
	mcp_sorting to;
	if (count == 0) {
		return;
	}
	if (!mcp_sorting_prepare(&to, &of(store)->scratch, count, sizeof(deleted))) {
		for (size_t i = 0; i < count; i++) {
			statuses[i] = MCP_UNREACHABLE;
		}
		return;
	}
	mcp_key *handed = to.elements;
	mcp_status *answers = (mcp_status *)(handed + count);
	for (size_t i = 0; i < count; i++) {
		to.owners[i] = member(of(store), &keys[i]);
	}
	for (mcp_store *owner; (owner = mcp_sorting_next(&to, count)) != NULL;) {
		for (size_t i = 0; i < to.handed; i++) {
			handed[i] = keys[to.places[i]];
		}
		mcp_store_delete_many(owner, handed, to.handed, answers);
		for (size_t i = 0; i < to.handed; i++) {
			statuses[to.places[i]] = answers[i];
		}
	}
}

static mcp_status stats(mcp_store *store, mcp_stat_visitor visit, void *context) {
	(void)store;
	(void)visit;
	(void)context;
	return MCP_UNSUPPORTED;
}

/* Returns the worse one: the statuses are in the order of how bad they are. */
static mcp_status worst(mcp_status a, mcp_status b) {
	return a > b ? a : b;
}

static mcp_status flush(mcp_store *store) {
	cluster *self = of(store);
	mcp_status status = MCP_OK;
	for (size_t i = 0; i < self->count; i++) {
		status = worst(status, mcp_store_flush(self->members[i]));
	}
	return status;
}

static mcp_status ping(mcp_store *store) {
	cluster *self = of(store);
	mcp_status status = MCP_OK;
	for (size_t i = 0; i < self->count; i++) {
		status = worst(status, mcp_store_ping(self->members[i]));
	}
	return status;
}

static mcp_store *owner_of(mcp_store *store, const mcp_key *key) {
	return mcp_store_owner(member(of(store), key), key);
}

static mcp_store *candidate(mcp_store *store, const mcp_key *key, size_t index) {
	mcp_store *found = mcp_candidates_find(&of(store)->candidates, key->route, index);
	return found != NULL ? mcp_store_owner(found, key) : NULL;
}

static size_t member_count(mcp_store *store) {
	return of(store)->candidates.count;
}

static mcp_store *member_at(mcp_store *store, size_t index) {
	return of(store)->candidates.different[index];
}

static mcp_status started_us(mcp_store *store, const mcp_key *key, uint64_t *started) {
	return mcp_store_started_us(member(of(store), key), key, started);
}

static size_t item_max(mcp_store *store, const mcp_key *key, size_t wanted) {
	return mcp_store_item_max(member(of(store), key), key, wanted);
}

static bool gives_no_cas(mcp_store *store, const mcp_key *key) {
	return mcp_store_gives_no_cas(member(of(store), key), key);
}

static void insist(mcp_store *store, const mcp_key *key, mcp_insistence what_for) {
	mcp_store_insist(member(of(store), key), key, what_for);
}

static mcp_store *failed(mcp_store *store) {
	cluster *self = of(store);
	mcp_store *latest = NULL;
	for (size_t i = 0; i < self->count; i++) {
		mcp_store *one = mcp_store_failed(self->members[i]);
		bool is_later = one != NULL &&
			(latest == NULL ||
				mcp_store_last_failure(one)->met_ms > mcp_store_last_failure(latest)->met_ms);
		latest = is_later ? one : latest;
	}
	return latest;
}

static void free_cluster(mcp_store *store) {
	mcp_candidates_free(&of(store)->candidates);
	mcp_buffer_free(&of(store)->scratch);
	free(store);
}

static const mcp_store_operations operations = {
	.get = get,
	.cas_of = cas_of,
	.get_many = get_many,
	.change = change_one,
	.proves = true,
	.ttl_left = ttl_left,
	.write_many = write_many,
	.delete_many = delete_many,
	.steps = carry_out,
	.stats = stats,
	.flush = flush,
	.ping = ping,
	.owner = owner_of,
	.candidate = candidate,
	.member_count = member_count,
	.member = member_at,
	.started_us = started_us,
	.item_max = item_max,
	.gives_no_cas = gives_no_cas,
	.insist = insist,
	.failed = failed,
	.free = free_cluster,
	.disown = free_cluster,
};

mcp_store *mcp_store_cluster_create(mcp_store *const *members, size_t count, mcp_cluster_pick pick,
	void *router) {
	cluster *self = calloc(1, sizeof(*self) + count * sizeof(mcp_store *));
	if (self == NULL) {
		return NULL;
	}
	self->store.operations = &operations;
	self->store.address = "a cluster";
	self->pick = pick;
	self->router = router;
	self->count = count;
	memcpy(self->members, members, count * sizeof(mcp_store *));
	if (!mcp_candidates_init(&self->candidates, self->members, count, pick, router)) {
		free(self);
		return NULL;
	}
	return &self->store;
}
