/* Operations of the copies' store: its own, and those that go to copy 0. */
/* SPDX-License-Identifier: MIT */
#include "copies_internal.h"

#include "../../core/waking/wakeups.h"
#include "../../store/ops.h"

#include <stdlib.h>

/* --- the servers of a key --- */

/* The server whose connection the last CAS value belongs to. */
static mcp_store *owner(mcp_store *store, const mcp_key *key) {
	const mcp_copies *copies = mcp_copies_of(store);
	const mcp_copies_memo *memo = mcp_copies_recall(copies, key->fingerprint);
	return memo != NULL ? mcp_copies_remembered(copies, key, memo)
						: mcp_store_owner(copies->store.beneath, key);
}

static size_t item_max(mcp_store *store, const mcp_key *key, size_t wanted) {
	mcp_copies *copies = mcp_copies_of(store);
	size_t least = SIZE_MAX;
	for (unsigned i = 0; i < mcp_copies_count(copies); i++) {
		size_t one = mcp_store_item_max(mcp_store_candidate(store, key, i), key, wanted);
		least = one < least ? one : least;
	}
	return least;
}

static bool gives_no_cas(mcp_store *store, const mcp_key *key) {
	return mcp_store_gives_no_cas(owner(store, key), key);
}

static void insist(mcp_store *store, const mcp_key *key, mcp_bypass what_for) {
	mcp_copies *copies = mcp_copies_of(store);
	for (unsigned i = 0; i < mcp_copies_count(copies); i++) {
		mcp_store_bypass_breaker(mcp_store_candidate(store, key, i), key, what_for);
	}
}

static void free_store(mcp_store *store) {
	mcp_copies_free(mcp_copies_of(store));
}

static const mcp_store_operations operations = {
	.get = mcp_copies_get,
	.change = mcp_copies_change,
	.run = mcp_copies_run,
	.owner = owner,
	.item_max = item_max,
	.gives_no_cas = gives_no_cas,
	.insist = insist,
	.free = free_store,
	.disown = free_store,
};

/* --- the environment --- */

static const mcp_copies *around(const mcp_environment *environment) {
	return environment->context;
}

static uint64_t wall_ms(const mcp_environment *environment) {
	return mcp_wall_ms(around(environment)->host);
}

static uint64_t monotonic_ms(const mcp_environment *environment) {
	return mcp_monotonic_ms(around(environment)->host);
}

static uint64_t random_u64(const mcp_environment *environment) {
	return mcp_random_u64(around(environment)->host);
}

/* Stamp for a claim on a missing key: after what was read on other copies, such as a tombstone. By the clock
 * if a copy did not reply, because it may have an older version. All other writes are stamped later. */
static uint64_t epoch_u64(const mcp_environment *environment, uint64_t fingerprint) {
	const mcp_copies *copies = around(environment);
	const mcp_copies_memo *memo = mcp_copies_recall(copies, fingerprint);
	bool is_known = memo != NULL && memo->has_all;
	return is_known ? mcp_copies_date(copies, memo->newest_us, MCP_STEP_CARRIED)
					: mcp_copies_stamp(copies);
}

static void sleep_ms(const mcp_environment *environment, uint32_t duration_ms) {
	mcp_sleep_ms(around(environment)->host, duration_ms);
}

static uint64_t bell_ms(const mcp_environment *environment) {
	return mcp_bell_ms(around(environment)->host);
}

static mcp_doze doze(const mcp_environment *environment, const mcp_atomic_u32 *word, uint32_t noted,
	uint32_t bits, uint64_t end_ms) {
	const mcp_environment *host = around(environment)->host;
	return host->doze(host, word, noted, bits, end_ms);
}

static void wake(const mcp_environment *environment, const mcp_atomic_u32 *word, uint32_t bits,
	bool wakes_one) {
	const mcp_environment *host = around(environment)->host;
	host->wake(host, word, bits, wakes_one);
}

static bool is_interrupted(const mcp_environment *environment) {
	return mcp_is_interrupted(around(environment)->host);
}

static uint64_t deadly_signals(const mcp_environment *environment) {
	return mcp_deadly_signals(around(environment)->host);
}

/* --- creation --- */

mcp_copies *mcp_copies_create(unsigned count) {
	mcp_copies *copies = calloc(1, sizeof(*copies));
	if (copies == NULL) {
		return NULL;
	}
	copies->wanted = count;
	copies->store = (mcp_store){&operations, "copies", NULL};
	copies->environment = (mcp_environment){
		.wall_ms = wall_ms,
		.monotonic_ms = monotonic_ms,
		.random_u64 = random_u64,
		.epoch_u64 = epoch_u64,
		.sleep_ms = sleep_ms,
		.bell_ms = bell_ms,
		.doze = doze,
		.wake = wake,
		.is_interrupted = is_interrupted,
		.deadly_signals = deadly_signals,
		.context = copies,
	};
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
	copies->store.beneath = store;
	copies->host = environment;
	copies->lease_ms = lease_ms;
}

mcp_store *mcp_copies_store(mcp_copies *copies) {
	return &copies->store;
}

const mcp_environment *mcp_copies_environment(const mcp_copies *copies) {
	return &copies->environment;
}
