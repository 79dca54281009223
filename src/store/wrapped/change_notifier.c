/* Store that raises the key's change counter after each write and wakes the waiters.
 * It does so whatever the status: a write without a reply may have been executed, and a write without effect may
 * have shown that a copy is stale. Reads pass through. */
/* SPDX-License-Identifier: MIT */
#include "change_notifier.h"

#include "../../core/compiler.h"
#include "../../core/vendor/xxh64.h"
#include "../../core/waking/wakeups.h"
#include "../ops.h"
#include "store_wrapper.h"

#include <stdlib.h>
#include <string.h>

typedef struct told {
	mcp_store_wrapper wrapping; /* owns its inner store */
	mcp_told_host host;
	uint64_t server; /* hash of its address: a key has a wake-up slot per server */
} told;

static told *of(mcp_store *store) {
	return (told *)store;
}

#define BIT(verb) (1u << (verb))

/* No process waits for increments, decrements or new TTLs. */
MCP_INLINED bool may_end_a_wait(const mcp_op *op, mcp_status status) {
	const unsigned ending = BIT(MCP_OP_ADD) | BIT(MCP_OP_SET) | BIT(MCP_OP_CAS) |
		BIT(MCP_OP_DELETE) | BIT(MCP_OP_DELETE_IF);
	return (status == MCP_OK || status == MCP_UNKNOWN) && (BIT(op->verb) & ending) != 0 &&
		(op->record == NULL || !op->record->is_claim);
}

static mcp_store *inner(mcp_store *store) {
	return mcp_store_wrapper_inner(store);
}

static mcp_wakeup_slot bell(mcp_store *store, const mcp_key *key) {
	const told *self = of(store);
	bool has_none = self->host.bells == NULL || mcp_change_notifier_hash(key) == 0;
	return has_none
		? (mcp_wakeup_slot){.bell = NULL}
		: mcp_wakeups_find(self->host.bells, mcp_change_notifier_hash(key) ^ self->server);
}

/* Notify after the counter was raised and the work was done: a woken process can then find the result in the near
 * cache. */
static MCP_APART void ring(const told *self, const mcp_op *op, mcp_status status,
	mcp_wakeup_slot place, uint64_t raised_from) {
	mcp_before_ring *before = op->record != NULL ? op->record->before_ring : NULL;
	if (before != NULL && status == MCP_OK) {
		before->run(before, raised_from);
	}
	mcp_ring(self->host.environment, place, op->key->is_for_one);
}

/* For a lock's key, only notify: the near cache never holds locks. MCP_UNSUPPORTED: nothing was sent, so nothing
 * changed. */
MCP_INLINED void tell(mcp_store *store, const mcp_op *op, mcp_status status) {
	const told *self = of(store);
	uint64_t hash = mcp_change_notifier_hash(op->key);
	if (hash == 0 || status == MCP_UNSUPPORTED) {
		return;
	}
	uint64_t raised_from = op->key->is_for_one ? 0 : mcp_changes_raise(self->host.changes, hash);
	if (!may_end_a_wait(op, status) || self->host.bells == NULL) {
		return;
	}
	mcp_wakeup_slot place = mcp_wakeups_find(self->host.bells, hash ^ self->server);
	if (mcp_ring_is_awaited(self->host.environment, place.bell)) {
		ring(self, op, status, place, raised_from);
	}
}

static mcp_status get(mcp_store *store, const mcp_key *key, mcp_item *item) {
	return mcp_store_get(inner(store), key, item);
}

static mcp_status cas_of(mcp_store *store, const mcp_key *key, uint64_t *cas) {
	return mcp_store_cas_of(inner(store), key, cas);
}

static mcp_status change_one(mcp_store *store, mcp_op *op) {
	mcp_status status = mcp_store_change(inner(store), op);
	tell(store, op, status);
	return status;
}

static void tell_all(mcp_store *store, mcp_op *const *ops, size_t count) {
	for (size_t i = 0; i < count && !mcp_op_is_read(ops[i]); i++) {
		tell(store, ops[i], ops[i]->status);
	}
}

static void run(mcp_store *store, mcp_op *const *ops, size_t count) {
	mcp_store_run(inner(store), ops, count);
	tell_all(store, ops, count);
}

static void complete(mcp_store *store, mcp_op *const *ops, size_t count) {
	mcp_store_complete(inner(store), ops, count);
	tell_all(store, ops, count);
}

static void carry_out(mcp_store *store, mcp_op *steps, size_t count) {
	mcp_store_steps(inner(store), steps, count);
	for (size_t i = 0; i < count && !mcp_op_is_read(&steps[i]); i++) {
		tell(store, &steps[i], steps[i].status);
	}
}

static mcp_status stats(mcp_store *store, mcp_stat_visitor visit, void *context) {
	return mcp_store_stats(inner(store), visit, context);
}

static mcp_status settings(mcp_store *store, mcp_stat_visitor visit, void *context) {
	return mcp_store_settings(inner(store), visit, context);
}

static mcp_status flush(mcp_store *store) {
	mcp_status status = mcp_store_flush(inner(store));
	mcp_changes_raise_all(of(store)->host.changes);
	return status;
}

static mcp_status ping(mcp_store *store) {
	return mcp_store_ping(inner(store));
}

static mcp_status started_us(mcp_store *store, const mcp_key *key, uint64_t *started) {
	return mcp_store_started_us(inner(store), key, started);
}

static void free_told(mcp_store *store) {
	mcp_store_free(inner(store));
	free(store);
}

static void disown(mcp_store *store) {
	mcp_store_disown(inner(store));
	free(store);
}

static const mcp_store_operations operations = {
	.get = get,
	.cas_of = cas_of,
	.change = change_one,
	.proves = true,
	.run = run,
	.complete = complete,
	.steps = carry_out,
	.stats = stats,
	.settings = settings,
	.flush = flush,
	.ping = ping,
	.started_us = started_us,
	.bell = bell,
	MCP_STORE_WRAPPING_OPERATIONS,
	.free = free_told,
	.disown = disown,
};

mcp_store *mcp_change_notifier_create(mcp_store *wrapped, const mcp_told_host *host) {
	if (wrapped == NULL) {
		return NULL;
	}
	told *self = calloc(1, sizeof(*self));
	if (self == NULL) {
		mcp_store_free(wrapped);
		return NULL;
	}
	self->wrapping.store.operations = &operations;
	self->wrapping.store.address = wrapped->address;
	self->wrapping.inner = wrapped;
	self->host = *host;
	/* An unseeded hash is safe: the application chooses its servers. */
	self->server = XXH64(wrapped->address, strlen(wrapped->address), 0);
	return &self->wrapping.store;
}
