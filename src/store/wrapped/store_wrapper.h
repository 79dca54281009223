/* Common operations of a store that passes calls on to one inner store. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_STORE_STORE_WRAPPING_H
#define MCP_STORE_STORE_WRAPPING_H

#include "../store.h"

/* First member of such a store. */
typedef struct mcp_store_wrapper {
	mcp_store store;
	mcp_store *inner;
} mcp_store_wrapper;

static inline mcp_store *mcp_store_wrapper_inner(mcp_store *store) {
	return ((mcp_store_wrapper *)store)->inner;
}

/* Returns the wrapper, so that calls of the owner pass through it too. */
static inline mcp_store *mcp_store_wrapper_owner(mcp_store *store, const mcp_key *key) {
	(void)key;
	return store;
}

static inline size_t mcp_store_wrapper_item_max(mcp_store *store, const mcp_key *key,
	size_t wanted) {
	return mcp_store_item_max(mcp_store_wrapper_inner(store), key, wanted);
}

static inline mcp_status mcp_store_wrapper_ttl_left(mcp_store *store, const mcp_key *key,
	uint64_t *left_ms) {
	return mcp_store_ttl_left(mcp_store_wrapper_inner(store), key, left_ms);
}

static inline bool mcp_store_wrapper_gives_no_cas(mcp_store *store, const mcp_key *key) {
	return mcp_store_gives_no_cas(mcp_store_wrapper_inner(store), key);
}

static inline void mcp_store_wrapper_insist(mcp_store *store, const mcp_key *key,
	mcp_bypass what_for) {
	mcp_store_bypass_breaker(mcp_store_wrapper_inner(store), key, what_for);
}

static inline bool mcp_store_wrapper_is_left_alone(mcp_store *store) {
	return mcp_store_is_tripped(mcp_store_wrapper_inner(store));
}

static inline uint64_t mcp_store_wrapper_breaks(mcp_store *store) {
	return mcp_store_breaks(mcp_store_wrapper_inner(store));
}

static inline bool mcp_store_wrapper_has_late_write(mcp_store *store) {
	return mcp_store_has_late_write(mcp_store_wrapper_inner(store));
}

static inline mcp_store *mcp_store_wrapper_failed(mcp_store *store) {
	return mcp_store_failed(mcp_store_wrapper_inner(store));
}

static inline void mcp_store_wrapper_submit(mcp_store *store, mcp_op *const *ops, size_t count) {
	mcp_store_submit(mcp_store_wrapper_inner(store), ops, count);
}

static inline mcp_wakeup_slot mcp_store_wrapper_bell(mcp_store *store, const mcp_key *key) {
	return mcp_store_bell(mcp_store_wrapper_inner(store), key);
}

/* For a table of operations. Without `bell`, which change_notifier.c replaces. */
#define MCP_STORE_WRAPPING_OPERATIONS                                                   \
	.submit = mcp_store_wrapper_submit, .owner = mcp_store_wrapper_owner,               \
	.item_max = mcp_store_wrapper_item_max, .ttl_left = mcp_store_wrapper_ttl_left,     \
	.gives_no_cas = mcp_store_wrapper_gives_no_cas, .insist = mcp_store_wrapper_insist, \
	.is_tripped = mcp_store_wrapper_is_left_alone, .breaks = mcp_store_wrapper_breaks,  \
	.has_late_write = mcp_store_wrapper_has_late_write, .failed = mcp_store_wrapper_failed

#endif
