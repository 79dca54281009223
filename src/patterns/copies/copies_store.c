/* Operations of the copies' store: its own, and those that go to copy 0. */
/* SPDX-License-Identifier: MIT */
#include "copies_internal.h"

#include "../../core/waking/wakeups.h"
#include "../../store/ops.h"

#include <stdlib.h>

static mcp_store *beneath(mcp_store *store) {
	return mcp_copies_of(store)->beneath;
}

/* --- all servers --- */

static mcp_status stats(mcp_store *store, mcp_stat_visitor visit, void *context) {
	return mcp_store_stats(beneath(store), visit, context);
}

static mcp_status flush(mcp_store *store) {
	return mcp_store_flush(beneath(store));
}

static mcp_status ping(mcp_store *store) {
	return mcp_store_ping(beneath(store));
}

static mcp_store *failed(mcp_store *store) {
	return mcp_store_failed(beneath(store));
}

static size_t member_count(mcp_store *store) {
	return mcp_store_member_count(beneath(store));
}

static mcp_store *member(mcp_store *store, size_t index) {
	return mcp_store_member(beneath(store), index);
}

/* --- the servers of a key --- */

/* The server whose connection the last CAS value belongs to. */
static mcp_store *owner(mcp_store *store, const mcp_key *key) {
	const mcp_copies *copies = mcp_copies_of(store);
	const mcp_copies_memo *memo = mcp_copies_recall(copies, key->fingerprint);
	return memo != NULL ? mcp_copies_remembered(copies, key, memo)
						: mcp_store_owner(copies->beneath, key);
}

static mcp_store *candidate(mcp_store *store, const mcp_key *key, size_t index) {
	return mcp_store_candidate(beneath(store), key, index);
}

static mcp_status started_us(mcp_store *store, const mcp_key *key, uint64_t *started) {
	return mcp_store_started_us(beneath(store), key, started);
}

static size_t item_max(mcp_store *store, const mcp_key *key, size_t wanted) {
	mcp_copies *copies = mcp_copies_of(store);
	size_t least = SIZE_MAX;
	for (unsigned i = 0; i < mcp_copies_count(copies); i++) {
		size_t one = mcp_store_item_max(candidate(store, key, i), key, wanted);
		least = one < least ? one : least;
	}
	return least;
}

static bool gives_no_cas(mcp_store *store, const mcp_key *key) {
	return mcp_store_gives_no_cas(owner(store, key), key);
}

/* Copy 0's, which every change of a version reaches. */
static mcp_wakeup_slot bell(mcp_store *store, const mcp_key *key) {
	return mcp_store_bell(beneath(store), key);
}

static void insist(mcp_store *store, const mcp_key *key, mcp_bypass what_for) {
	mcp_copies *copies = mcp_copies_of(store);
	for (unsigned i = 0; i < mcp_copies_count(copies); i++) {
		mcp_store_bypass_breaker(candidate(store, key, i), key, what_for);
	}
}

static void free_store(mcp_store *store) {
	mcp_copies_free(mcp_copies_of(store));
}

static const mcp_store_operations operations = {
	.get = mcp_copies_get,
	.get_many = mcp_copies_get_many,
	.change = mcp_copies_change,
	.run = mcp_ops_run_one_by_one,
	.stats = stats,
	.flush = flush,
	.ping = ping,
	.owner = owner,
	.candidate = candidate,
	.member_count = member_count,
	.member = member,
	.started_us = started_us,
	.item_max = item_max,
	.gives_no_cas = gives_no_cas,
	.insist = insist,
	.bell = bell,
	.failed = failed,
	.free = free_store,
	.disown = free_store,
};

/* --- the environment --- */

/* Stamp for a claim on a missing key: after what was read on other copies, such as a tombstone. By the clock
 * if a copy did not reply, because it may have an older version. All other writes are stamped later. */
static uint64_t epoch_u64(const mcp_environment *environment, uint64_t fingerprint) {
	const mcp_copies *copies =
		(const void *)((const char *)environment - offsetof(mcp_copies, environment));
	const mcp_copies_memo *memo = mcp_copies_recall(copies, fingerprint);
	bool is_known = memo != NULL && memo->has_all;
	return is_known ? mcp_copies_date(copies, memo->newest_us, MCP_STEP_CARRIED)
					: mcp_copies_stamp(copies);
}

/* --- creation --- */

mcp_copies *mcp_copies_create(unsigned count) {
	mcp_copies *copies = calloc(1, sizeof(*copies));
	if (copies == NULL) {
		return NULL;
	}
	copies->wanted = count;
	copies->store = (mcp_store){&operations, "copies"};
	return copies;
}

void mcp_copies_free(mcp_copies *copies) {
	mcp_buffer_free(&copies->memos);
	mcp_buffer_free(&copies->kept);
	mcp_buffer_free(&copies->pending);
	free(copies);
}

void mcp_copies_prepare(mcp_copies *copies, mcp_store *store, const mcp_environment *environment,
	uint32_t lease_ms) {
	copies->beneath = store;
	copies->host = environment;
	copies->lease_ms = lease_ms;
	/* The host's, without what only stores and a cache's meter use. */
	copies->environment = *environment;
	copies->environment.epoch_u64 = epoch_u64;
	copies->environment.early_wall_ms = copies->environment.monotonic_ns = NULL;
	copies->environment.metrics = NULL;
}

mcp_store *mcp_copies_store(mcp_copies *copies) {
	return &copies->store;
}

const mcp_environment *mcp_copies_environment(const mcp_copies *copies) {
	return &copies->environment;
}
